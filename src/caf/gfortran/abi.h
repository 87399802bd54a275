/* What gfortran passes to a coarray library in all versions: descriptors, and the numbers that stand for kinds of
 * registration; and what the files of this folder share.  gfortran gives the library no header for these; the names
 * here are ours, the layouts theirs. */
#ifndef COPAL_GFORTRAN_ABI_H
#define COPAL_GFORTRAN_ABI_H

#include "../caf.h"

#define GFORTRAN_API __attribute__((visibility("default")))

typedef void *caf_token; /* struct caf_coarray; of a component: components.c */
typedef caf_team_name team_value;

struct gfortran_dim {
    ptrdiff_t stride; /* in units of span */
    ptrdiff_t lower, upper;
};

/* Behind the dimensions of an allocatable coarray come its codimensions, without stride, and its token. */
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

/* Room for a descriptor with all dimensions. */
struct descriptor_room {
    _Alignas(struct gfortran_descriptor) char bytes[sizeof(struct gfortran_descriptor) +
                                                    CAF_RANK * sizeof(struct gfortran_dim)];
};

/* A descriptor's type beyond those of enum caf_type. */
enum { GFORTRAN_CLASS = 7 };

enum registration {
    COARRAY_STATIC, COARRAY_ALLOC, LOCK_STATIC, LOCK_ALLOC, CRITICAL_SECTION, EVENT_STATIC, EVENT_ALLOC,
    COMPONENT_REGISTER_ONLY, COMPONENT_ALLOCATE_ONLY,
    MAP_EXISTING, /* in CHANGE TEAM; by 16 */
};

/* Of a coarray, and of components that end with theirs; or of a component that the program deallocates. */
enum deregistration { WITH_COARRAY, COMPONENT_ALONE };

/* --- shared by the files of this dialect -------------------------------------------------------------------------- */

/* The section that a descriptor describes, beginning at base. */
void gfortran_section(struct caf_section *s, const struct gfortran_descriptor *d, int kind, void *base);

/* How many elements a dimension has. */
static inline size_t gfortran_extent(const struct gfortran_dim *d)
{
    return d->upper >= d->lower ? (size_t)(d->upper - d->lower) + 1 : 0;
}

/* Whether it has no elements. */
bool gfortran_is_empty(const struct gfortran_descriptor *d);

/* Where so many bytes, which lie offset bytes behind the beginning of the coarray, are on this image.  Ends the job if
 * some of them are outside: of subscripts out of bounds, of coarrays that are not allocated, and where gfortran means
 * something else. */
_Noreturn void gfortran_outside(const char *statement, const struct caf_coarray *c, size_t offset, size_t bytes)
    __attribute__((cold));
static inline char *gfortran_address(const char *statement, caf_token token, size_t offset, size_t bytes)
{
    const struct caf_coarray *c = token;
    if (CAF_UNLIKELY(!c || offset >= c->bytes || bytes > c->bytes - offset))
        gfortran_outside(statement, c, offset, bytes);
    return c->base + offset;
}

/* Ends the job: of a section of a coarray of so many bytes. */
_Noreturn void gfortran_leaves(const char *statement, ptrdiff_t low, ptrdiff_t high, size_t bytes)
    __attribute__((cold));

/* What is known of descriptors on other images holds until this image's segment ends (direct/by_ref.c), to be called in
 * each image control statement; or until it puts objects that may have components of their own. */
extern uint64_t gfortran_segment;
static inline void gfortran_end_segment(void)
{
    gfortran_segment++;
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

/* The bounds of an allocatable coarray; NULL for others, whose bounds gfortran knows. */
const struct gfortran_descriptor *gfortran_shape(const struct caf_coarray *c);

/* gfortran 16 has END TEAM ask whether a coarray of the construct is still there, and then deallocate it without the
 * stat= that END TEAM has, and by which that tells the same. */
void gfortran_note_end_with_team(const struct caf_coarray *c);

/* To be called in each statement that may be the first after an ALLOCATE: gfortran sets a coarray's bounds after it is
 * registered, and may move them elsewhere (MOVE_ALLOC) without a word. */
void gfortran_note_shapes(void);

/* SYNC ALL, the program's or that one. */
void gfortran_sync_all(int *stat, char *errmsg, size_t errmsg_len);
void gfortran_sync_memory(int *stat, char *errmsg, size_t errmsg_len);
void gfortran_sync_images(int n, const int *images, int *stat, char *errmsg, size_t errmsg_len);

/* The team that a statement or function names; ends the job if there is no such team. */
const struct caf_team *gfortran_team(const char *statement, team_value team);

/* A new array of integers of the kind that is asked for (NULL: the default), which the program frees: the images of the
 * team with that status. */
void gfortran_list_images(struct gfortran_descriptor *d, const struct caf_team *t, const int *kind, int status);

/* What a statement says for whose image index there is no image: of the current team, or of *t.  But the bounds of a
 * coarray that is not allocated are nothing, and so is the index that gfortran has from them: then it says that. */
void gfortran_no_image(const char *statement, caf_token token, int image, const struct caf_team *t, int *stat,
                       char *errmsg, size_t errmsg_len) __attribute__((cold));

/* The PE of an image named in a coindexed access: of the current team, or of *team.  -1 if there is no such image or it
 * has failed, which stat (NULL: the program has none) is told. */
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

/* After a get by a message: from an image that has failed meanwhile nothing has come. */
void gfortran_say_if_failed(const char *access, int pe, int *stat);

#endif
