/* Coindexed access of gfortran 15 and 16.
 *
 * The compiler makes functions of its program's accesses, accessors, which know the way from a coarray to what is
 * accessed: a getter, a receiver, a presence test.  What they need of the calling image comes as add_data; they are
 * to be run where the coarray's memory is.  All images of a node map each other's memory at one address, so the calling
 * image runs them itself there (near.c); for an image of another node that image's processor does (far.c). */
#ifndef COPAL_GFORTRAN_ACCESSOR_H
#define COPAL_GFORTRAN_ACCESSOR_H

#include "../abi.h"

/* The compiler passes a character's lengths by value or by address, of which none is read where the two differ: all
 * accessors take addresses here. */
typedef void accessor_getter(void *add_data, const int *caller_image, void *buffer, int32_t *free_buffer, void *source,
                             caf_token token, size_t offset, size_t *dst_length, const size_t *src_length);
typedef void accessor_receiver(void *add_data, const int *caller_image, void *dest, const void *src, caf_token token,
                               size_t offset, const size_t *dst_length, const size_t *src_length);
typedef void accessor_presence(void *add_data, const int *caller_image, int32_t *result, void *object, caf_token token,
                               size_t offset);

/* What the program has registered (registry.c). */
struct accessor {
    int hash;
    unsigned little; /* gets in a row into new memory that were too small to be learned (learned.c) */
    bool is_fixed;   /* a getter that finds its scalar there, behind the beginning of any coarray's memory (get.c) */
    size_t offset;
    void (*function)(void);
};
extern CAF_HIDDEN struct accessor *accessor_all;
extern CAF_HIDDEN int accessor_count;
int accessor_index(int hash, int likely);
_Noreturn void accessor_unknown(int index) __attribute__((cold));
static inline struct accessor *accessor_at(int index)
{
    if (CAF_UNLIKELY((unsigned)index >= (unsigned)accessor_count))
        accessor_unknown(index);
    return &accessor_all[index];
}

/* One side of an access. */
struct access {
    const char *name; /* "get": for sentences */
    int pe, image;
    int caller;           /* the image that makes it */
    struct caf_coarray *coarray;
    const struct gfortran_descriptor *descriptor; /* the program's, where the accessor wants one; or NULL */
    const size_t *length; /* of a character; or NULL */
    int index;            /* of its accessor */
    void *add_data;
    size_t add_bytes;
    bool is_called;       /* by an image of another node */
};

/* What a call says of it.  The rest is accessor_begin's, and not cleared before, which would take time. */
static inline void accessor_set(struct access *a, const char *name, struct caf_coarray *coarray, int image,
                                const struct gfortran_descriptor *descriptor, const size_t *length, int index,
                                void *add_data, size_t add_bytes)
{
    a->name = name;
    a->image = image;
    a->coarray = coarray;
    a->descriptor = descriptor;
    a->length = length;
    a->index = index;
    a->add_data = add_data;
    a->add_bytes = add_bytes;
    a->is_called = false;
}

/* False: there is no such image, or it has failed, which stat has been told. */
int accessor_sibling_pe(const struct access *a, int32_t team_number, int *stat);
static inline bool accessor_begin(struct access *a, const team_value *team, const int32_t *team_number, int *stat)
{
    if (CAF_UNLIKELY(!a->coarray))
        gfortran_outside(a->name, NULL, 0, 0);
    a->caller = caf_images.me;
    a->pe = CAF_UNLIKELY(team_number != NULL) ? accessor_sibling_pe(a, *team_number, stat)
                                              : gfortran_accessed_pe(a->name, a->coarray, a->image, team, stat);
    return a->pe >= 0;
}

/* Whether that is more elements than the coarray has.  Of a derived type components may be meant, of which there are
 * others. */
static inline bool accessor_is_more(const struct caf_coarray *c, const struct gfortran_descriptor *d)
{
    size_t bytes = c->element_bytes;
    for (int i = 0; i < d->dtype.rank; i++)
        bytes *= gfortran_extent(&d->dim[i]);
    return CAF_UNLIKELY(bytes > c->bytes) && !c->has_components;
}

/* What the accessor is to be given for the coarray whose memory is at base: that, or a descriptor of it. */
void *accessor_descriptor(const struct access *a, char *base, struct descriptor_room *room);
static inline void *accessor_object(const struct access *a, char *base, struct descriptor_room *room)
{
    return a->descriptor ? accessor_descriptor(a, base, room) : base;
}

/* Where memory of a PE of this node is mapped here, or NULL.  Accessors need no more of caf_near. */
char *accessor_memory_slowly(int pe, void *base);
static inline char *accessor_memory_at_once(int pe, void *base) /* without a call; NULL does not say that it is far */
{
    const uintptr_t window = caf_reach.peers[pe].window, in_heap = (uintptr_t)base - caf_reach.heap;
    if (CAF_UNLIKELY(!window || in_heap >= caf_reach.bytes))
        return NULL;
    char *memory = (char *)(window + in_heap);
    if (!memory)
        __builtin_unreachable(); /* so that nobody asks again */
    return memory;
}
static inline char *accessor_memory(int pe, void *base)
{
    char *memory = accessor_memory_at_once(pe, base);
    return CAF_LIKELY(memory != NULL) ? memory : accessor_memory_slowly(pe, base);
}

/* Of an image that the current team has. */
static inline int accessor_plain_pe(int image)
{
    return caf_images.pes ? caf_images.pes[image - 1] : image - 1;
}

/* The memory of a coarray on an image of the current team and this node, if that takes no call and the image has not
 * failed; else NULL.  Scalars and small arrays there are most of what programs get and put one by one: what serves them
 * does without most of struct access, and in functions of their own, as the registers and the memory that others need
 * cost time that these do not have. */
static inline char *accessor_plain_memory(const struct caf_coarray *c, int image)
{
#ifdef COPAL_TAPPED
    c = NULL; /* only what goes the other ways is told of */
#endif
    if (CAF_UNLIKELY(!c || (unsigned)image - 1 >= (unsigned)caf_images.n || *caf_alerts))
        return NULL;
    return accessor_memory_at_once(accessor_plain_pe(image), c->base);
}

/* A copy of what d describes, to be freed, and its descriptor. */
struct gfortran_descriptor *accessor_packed(const struct gfortran_descriptor *d, struct descriptor_room *room);

/* The buffer's descriptor as a getter has to see it to write there: some count from bounds that they would have set if
 * they had allocated it. */
struct gfortran_descriptor *accessor_normalized(const struct gfortran_descriptor *d, struct descriptor_room *room);

/* Ends the job if a getter has not found the shape that its buffer has. */
void accessor_check_shape(const struct access *a, const struct gfortran_descriptor *wanted,
                          const struct gfortran_descriptor *found);

#endif
