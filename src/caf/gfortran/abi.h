/* What all versions of gfortran pass to a coarray library (descriptors, kinds of registration), and declarations that
 * the files of this folder share. gfortran provides no header: the names are this library's, the layouts gfortran's. */
#pragma once

#include "../caf.h"

#define GFORTRAN_API __attribute__((visibility("default")))

typedef void *caf_token; /* struct caf_coarray *; of a component: see components.c */
typedef caf_team_name team_value;

struct gfortran_dim {
    ptrdiff_t stride; /* in units of span */
    ptrdiff_t lower, upper;
};

/* In an allocatable coarray's descriptor the codimensions, without stride, and the token follow the dimensions. */
struct gfortran_descriptor {
    void *base;
    size_t offset;
    struct {
        size_t elem_len;
        int version;
        signed char rank, type;
        short attribute;
    } dtype;
    ptrdiff_t span;
    struct gfortran_dim dim[];
};

/* Space for a descriptor with all dimensions. */
struct descriptor_room {
    _Alignas(struct gfortran_descriptor) char bytes[sizeof(struct gfortran_descriptor) +
                                                    CAF_RANK * sizeof(struct gfortran_dim)];
};

/* A type in descriptors in addition to enum caf_type. */
enum { GFORTRAN_CLASS = 7 };

enum registration {
    COARRAY_STATIC, COARRAY_ALLOC, LOCK_STATIC, LOCK_ALLOC, CRITICAL_SECTION, EVENT_STATIC, EVENT_ALLOC,
    COMPONENT_REGISTER_ONLY, COMPONENT_ALLOCATE_ONLY,
    MAP_EXISTING, /* in CHANGE TEAM and ASSOCIATE; gfortran 16 */
};

/* WITH_COARRAY: a coarray, or a component that is freed with it. COMPONENT_ALONE: a component that is freed alone. */
enum deregistration { WITH_COARRAY, COMPONENT_ALONE };

/* --- shared by the files of this ABI layer ------------------------------------------------------------------------ */

/* The section that a descriptor describes, with base as its address. */
void gfortran_section(struct caf_section *s, const struct gfortran_descriptor *d, int kind, void *base);

static inline size_t gfortran_extent(const struct gfortran_dim *d)
{
    return d->upper >= d->lower ? (size_t)(d->upper - d->lower) + 1 : 0;
}

/* The number of elements that d describes. */
static inline size_t gfortran_count(const struct gfortran_descriptor *d)
{
    size_t n = 1;
    for (int i = 0; i < d->dtype.rank; i++)
        n *= gfortran_extent(&d->dim[i]);
    return n;
}

/* This image's address of `bytes` bytes at `offset` in the coarray. Ends the job if any of them is outside: subscripts
 * out of bounds, a coarray that is not allocated, or an address of gfortran's own temporary. */
_Noreturn void gfortran_outside(const char *statement, const struct caf_coarray *c, size_t offset, size_t bytes)
    __attribute__((cold));
static inline char *gfortran_address(const char *statement, caf_token token, size_t offset, size_t bytes)
{
    const struct caf_coarray *c = token;
    if (CAF_UNLIKELY(!c || offset >= c->bytes || bytes > c->bytes - offset))
        gfortran_outside(statement, c, offset, bytes);
    return c->base + offset;
}

/* Ends the job: a section exceeds its coarray of `bytes` bytes. */
_Noreturn void gfortran_leaves(const char *statement, ptrdiff_t low, ptrdiff_t high, size_t bytes)
    __attribute__((cold));

/* Makes the table of images whose memory compiled code accesses without a call (near.c), and sets gfortran_near_alerts
 * to *caf_alerts. */
void gfortran_near_update(void);
extern uint32_t gfortran_near_alerts;

/* Cached remote descriptors (direct/by_ref.c) stay valid until this number changes: each image control statement calls
 * gfortran_end_segment, and a put of objects that may have components changes it too. */
extern uint64_t gfortran_segment;
static inline void gfortran_end_segment(void)
{
    gfortran_segment++;
    if (CAF_UNLIKELY(*caf_alerts != gfortran_near_alerts))
        gfortran_near_update();
}
static inline bool gfortran_has_components(int type)
{
    return type == CAF_DERIVED || type == GFORTRAN_CLASS;
}
static inline void gfortran_note_put_of(int type)
{
    if (CAF_UNLIKELY(gfortran_has_components(type)))
        gfortran_segment++;
}

/* The bounds of an allocatable coarray; NULL for other coarrays, whose bounds gfortran knows. */
const struct gfortran_descriptor *gfortran_shape(const struct caf_coarray *c);

/* Called when gfortran 16's END TEAM deallocates a coarray: the call has no stat=, but END TEAM reports the status. */
void gfortran_note_end_with_team(const struct caf_coarray *c);

/* Called in each statement that may be the first after an ALLOCATE: gfortran sets a coarray's bounds after its
 * registration, and may move the coarray by MOVE_ALLOC without notice. */
void gfortran_note_shapes(void);

/* SYNC ALL of the program, or the one that gfortran adds to ALLOCATE. */
void gfortran_sync_all(int *stat, char *errmsg, size_t errmsg_len);
void gfortran_sync_memory(int *stat, char *errmsg, size_t errmsg_len);
void gfortran_sync_images(int n, const int *images, int *stat, char *errmsg, size_t errmsg_len);

/* The team that a statement or function names; ends the job if that team does not exist. */
const struct caf_team *gfortran_team(const char *statement, team_value team);

/* The error of a statement whose image index is invalid in the current team or *t. If token is NULL the coarray is not
 * allocated: gfortran computed the index from undefined bounds, so the message reports that instead. */
void gfortran_no_image(const char *statement, caf_token token, int image, const struct caf_team *t, int *stat,
                       char *errmsg, size_t errmsg_len) __attribute__((cold));

/* The PE of an image in a coindexed access, of the current team or of *team. If that image does not exist or has
 * failed, reports it by stat (NULL: the program has none) and returns -1. */
int gfortran_accessed_pe_slowly(const char *access, caf_token token, int image, const struct caf_team *t, int *stat);
static inline int gfortran_accessed_pe(const char *access, caf_token token, int image, const team_value *team,
                                       int *stat)
{
    if (CAF_UNLIKELY(team || (unsigned)image - 1 >= (unsigned)caf_images.n || *caf_alerts))
        return gfortran_accessed_pe_slowly(access, token, image, team ? gfortran_team(access, *team) : NULL, stat);
    if (stat)
        *stat = CAF_OK;
    return caf_images.pes ? caf_images.pes[image - 1] : image - 1;
}

/* Called after a get by request: reports if the image has failed meanwhile, so that no data arrived. */
void gfortran_say_if_failed(const char *access, int pe, int *stat);
