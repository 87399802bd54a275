/* What gfortran 12, 13 and 14 pass to a coarray library: descriptors, vector subscripts, component references, and
 * the numbers that stand for kinds of registration.  gfortran gives the library no header for these; the names here
 * are ours, the layouts theirs. */
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
};

/* Of a coarray, and of components that end with theirs; or of a component that the program deallocates. */
enum deregistration { WITH_COARRAY, COMPONENT_ALONE };

/* The subscripts of one dimension of a section that has a vector subscript in some dimension. */
struct vector_subscript {
    size_t n; /* 0: a triplet */
    union {
        struct {
            void *vector;
            int kind;
        } v;
        struct {
            ptrdiff_t lower, upper, stride;
        } triplet;
    } u;
};

/* A step on the way from a coarray to what is accessed: x%component, or its subscripts. */
enum reference_type { REFERENCE_COMPONENT, REFERENCE_ARRAY, REFERENCE_STATIC_ARRAY };
enum subscript_mode {
    SUBSCRIPTS_END, SUBSCRIPT_VECTOR, SUBSCRIPT_FULL, SUBSCRIPT_RANGE, SUBSCRIPT_SINGLE, SUBSCRIPT_OPEN_END,
    SUBSCRIPT_OPEN_START,
};
struct reference {
    struct reference *next;
    int type;
    size_t item_size;
    union {
        struct {
            ptrdiff_t offset;
            ptrdiff_t token_offset; /* of its token, if it is allocatable or a pointer; else 0 */
        } component;
        struct {
            unsigned char mode[CAF_RANK];
            int static_array_type;
            union {
                struct {
                    ptrdiff_t start, end, stride;
                } range;
                struct {
                    void *vector;
                    size_t n;
                    int kind;
                } vector;
            } dim[CAF_RANK];
        } array;
    } u;
};

/* --- shared by the files of this dialect -------------------------------------------------------------------------- */

/* Index vectors of one section, converted. */
struct index_vectors {
    ptrdiff_t *memory; /* malloc */
    ptrdiff_t few[64];
};

/* The section that a descriptor and perhaps vector subscripts describe, beginning at base.  Ends with
 * index_vectors_free. */
void section_of(struct caf_section *s, struct index_vectors *held, const struct gfortran_descriptor *d, int kind,
                void *base, const struct vector_subscript *vectors);
void index_vectors_free(struct index_vectors *held);

/* A vector subscript's values less lower as ptrdiff_t; kind is the bytes of an integer. */
void convert_indices(ptrdiff_t *to, const void *vector, int kind, size_t n, ptrdiff_t lower);

/* How many elements a dimension has. */
static inline size_t extent(const struct gfortran_dim *d)
{
    return d->upper >= d->lower ? (size_t)(d->upper - d->lower) + 1 : 0;
}

/* Whether it has no elements. */
bool is_empty(const struct gfortran_descriptor *d);

/* Where what lies offset bytes behind the beginning of the coarray is on this image.  Ends the job if that is outside:
 * of subscripts out of bounds, of coarrays that are not allocated, and where gfortran means something else. */
_Noreturn void outside_coarray(const char *statement, const struct caf_coarray *c, size_t offset) __attribute__((cold));
static inline char *coarray_address(const char *statement, caf_token token, size_t offset)
{
    const struct caf_coarray *c = token;
    if (CAF_UNLIKELY(!c || offset >= c->bytes))
        outside_coarray(statement, c, offset);
    return c->base + offset;
}

/* What is known of descriptors on other images holds until this image's segment ends (by_ref.c), to be called in each
 * image control statement; or until it puts objects that may have components of their own. */
extern uint64_t segment_of_descriptors;
static inline void end_segment(void)
{
    segment_of_descriptors++;
}
static inline bool has_components(int type)
{
    return type == CAF_DERIVED || type == GFORTRAN_CLASS;
}
static inline void note_put_of(int type)
{
    if (CAF_UNLIKELY(has_components(type)))
        segment_of_descriptors++;
}

/* Ends the job if a put of src to a coarray of that type is one of characters that gfortran has not passed as such. */
void check_characters(int type, const struct gfortran_descriptor *src);

/* The bounds of an allocatable coarray; NULL for others, whose bounds gfortran knows. */
const struct gfortran_descriptor *coarray_shape(const struct caf_coarray *c);

/* To be called in each statement that may be the first after an ALLOCATE: gfortran sets a coarray's bounds after it is
 * registered, and may move them elsewhere (MOVE_ALLOC) without a word. */
void note_shapes(void);

/* Whether the program has executed an ALLOCATE of a coarray with stat= since the last call: gfortran 12 to 14 have a
 * SYNC ALL of their own follow each ALLOCATE, without its stat=. */
bool allocated_with_stat(void);

/* SYNC ALL, the program's or that one. */
int sync_all(void);

/* The team that a statement or function names; ends the job if there is no such team. */
const struct caf_team *known_team(const char *statement, team_value team);

/* The PE of an image named in a coindexed access: of the current team, or of *team.  -1 if there is no such image or it
 * has failed, which stat (NULL: the program has none) is told. */
int accessed_pe_slowly(const char *access, int image, const struct caf_team *t, int *stat);
static inline int accessed_pe(const char *access, int image, const team_value *team, int *stat)
{
    if (CAF_UNLIKELY(team || (unsigned)image - 1 >= (unsigned)caf_images.n || *caf_alerts))
        return accessed_pe_slowly(access, image, team ? known_team(access, *team) : NULL, stat);
    if (stat)
        *stat = CAF_OK;
    return caf_images.pes ? caf_images.pes[image - 1] : image - 1;
}

#endif
