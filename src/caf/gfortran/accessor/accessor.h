/* Coindexed access of gfortran 15 and 16.
 *
 * For each access the compiler generates an accessor, a function that finds the data in a coarray: a getter, a receiver
 * or a presence test.  add_data contains what the accessor needs of the calling image; the accessor runs where the
 * coarray's memory is accessible.  All images of a node map each other's memory at one address, so the calling image
 * runs accessors for its node itself (near.c); an image on another node runs them for the caller (far.c). */
#pragma once

#include "../abi.h"

/* gfortran passes some character lengths by value, but an accessor reads only addresses: here all are addresses. */
typedef void accessor_getter(void *add_data, const int *caller_image, void *buffer, int32_t *free_buffer, void *source,
                             caf_token token, size_t offset, size_t *dst_length, const size_t *src_length);
typedef void accessor_receiver(void *add_data, const int *caller_image, void *dest, const void *src, caf_token token,
                               size_t offset, const size_t *dst_length, const size_t *src_length);
typedef void accessor_presence(void *add_data, const int *caller_image, int32_t *result, void *object, caf_token token,
                               size_t offset);

/* An accessor that the program has registered (registry.c). */
struct accessor {
    int hash;
    unsigned little; /* consecutive gets into new memory that were too small to be learned (learned.c) */
    bool is_fixed;   /* a getter whose scalar is at `offset` in every coarray's memory (get.c) */
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
    const char *name; /* "get": for messages */
    int pe, image;
    int caller;           /* the image that accesses */
    struct caf_coarray *coarray;
    const struct gfortran_descriptor *descriptor; /* the program's, if the accessor needs one; or NULL */
    const size_t *length; /* length of a character; or NULL */
    int index;            /* number of the accessor */
    void *add_data;
    size_t add_bytes;
    bool is_called;       /* an image of another node requests it */
};

/* Sets the arguments of a call. accessor_begin sets the other members; to save time, they are not cleared before. */
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

/* False: the image does not exist or has failed, which has been reported by stat. */
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

/* Whether d has more elements than the coarray. False for a derived type: d may describe components. */
static inline bool accessor_is_more(const struct caf_coarray *c, const struct gfortran_descriptor *d)
{
    return CAF_UNLIKELY(gfortran_count(d) * c->element_bytes > c->bytes) && !c->has_components;
}

/* The accessor's object for the coarray memory at base: base, or a descriptor of it. */
void *accessor_descriptor(const struct access *a, char *base, struct descriptor_room *room);
static inline void *accessor_object(const struct access *a, char *base, struct descriptor_room *room)
{
    return a->descriptor ? accessor_descriptor(a, base, room) : base;
}

/* A presence test's object: for an allocatable array, a descriptor; for a scalar in version 16, a pointer to base;
 * otherwise base. */
extern CAF_HIDDEN bool accessor_tests_pointers;
void *accessor_tested(const struct access *a, char *base, struct descriptor_room *room);

/* The address here of a local PE's memory, or NULL. Accessors need only this part of caf_near. */
char *accessor_memory_slowly(int pe, void *base);
static inline char *accessor_memory_at_once(int pe, void *base) /* without a call; NULL does not mean remote */
{
    const uintptr_t window = caf_reach.peers[pe].window, in_heap = (uintptr_t)base - caf_reach.heap;
    if (CAF_UNLIKELY(!window || in_heap >= caf_reach.bytes))
        return NULL;
    char *memory = (char *)(window + in_heap);
    if (!memory)
        __builtin_unreachable(); /* callers need not test it again */
    return memory;
}
static inline char *accessor_memory(int pe, void *base)
{
    char *memory = accessor_memory_at_once(pe, base);
    return CAF_LIKELY(memory != NULL) ? memory : accessor_memory_slowly(pe, base);
}

/* The PE of a valid image of the current team. */
static inline int accessor_plain_pe(int image)
{
    return caf_images.pes ? caf_images.pes[image - 1] : image - 1;
}

/* The memory of a coarray on a local image of the current team that has not failed, if no call is needed; otherwise
 * NULL. Most single gets and puts are of scalars and small arrays there. Their functions are separate and use little of
 * struct access, because the registers and the stack space of the other cases would slow them down. */
static inline char *accessor_plain_memory(const struct caf_coarray *c, int image)
{
#ifdef COPAL_TAPPED
    c = NULL; /* only the other paths are reported to tools */
#endif
    if (CAF_UNLIKELY(!c || (unsigned)image - 1 >= (unsigned)caf_images.n || *caf_alerts))
        return NULL;
    return accessor_memory_at_once(accessor_plain_pe(image), c->base);
}

/* A packed copy of what d describes, to be freed, and its descriptor. */
struct gfortran_descriptor *accessor_packed(const struct gfortran_descriptor *d, struct descriptor_room *room);

/* The buffer's descriptor with the bounds that a getter sets itself: some getters depend on them. */
struct gfortran_descriptor *accessor_normalized(const struct gfortran_descriptor *d, struct descriptor_room *room);

/* Ends the job if the shape that a getter found differs from its buffer's. */
void accessor_check_shape(const struct access *a, const struct gfortran_descriptor *wanted,
                          const struct gfortran_descriptor *found);
