/* Blocks of memory that one image allocates and another frees.
 *
 * An image may allocate a component of another image's object (src/caf/gfortran/accessor/): the object then points into
 * the first image's heap, which all images of the node map at one address.  No allocator works for several processes.
 * Such blocks therefore come from the part of the managed heap that is the image's own, with a mark before them.  An
 * image that frees another's block pushes it on the owner's stack; the owner frees it at its next allocation. */
#include "lent.h"
#include "heap.h"

#include <stdatomic.h>
#include <stdlib.h>

struct lent {
    uint64_t mark; /* the block's address xor `words` */
    size_t bytes;
};
enum { HEAD = 64 };
static const uint64_t words = 0x636f70616c6c656e;

struct caf_heaps caf_heaps;
bool caf_malloc_is_shared;

/* Symmetric: the last returned block, which contains a pointer to the previous one. */
static _Atomic(void *) *returned;

static struct lent *head_of(void *p)
{
    return (void *)((char *)p - HEAD);
}

/* Requires an address in a heap. The bytes before a coarray's memory are its record. */
static bool is_lent(void *p)
{
    return (uintptr_t)p % HEAD == 0 && head_of(p)->mark == ((uintptr_t)p ^ words);
}

void caf_lent_begin(void)
{
    returned = caf_heap_allocate(sizeof *returned);
    if (!returned)
        caf_fatal("start: no memory for a list of blocks");
    atomic_init(returned, NULL);
    uintptr_t low = (uintptr_t)caf_heap, high = low + caf_heap_bytes;
#if CAF_HAVE_BLOCKS
    for (int pe = 0, n = shmem_n_pes(); pe < n; pe++) {
        const uintptr_t theirs = (uintptr_t)shmem_ptr(caf_heap, pe);
        low = theirs && theirs < low ? theirs : low;
        high = theirs && theirs + caf_heap_bytes > high ? theirs + caf_heap_bytes : high;
    }
#endif
    caf_heaps = (struct caf_heaps){low, high - low};
    caf_malloc_is_shared = caf_arena_serves(sizeof *returned);
}

static bool in_heap(int pe, const void *p)
{
    const char *heap = pe == caf_my_pe ? caf_heap : shmem_ptr(caf_heap, pe);
    return heap && (size_t)((const char *)p - heap) < caf_heap_bytes;
}

int caf_heap_owner(const void *p)
{
    if ((uintptr_t)p - caf_heaps.from >= caf_heaps.bytes)
        return -1;
    for (int pe = 0, n = shmem_n_pes(); pe < n; pe++)
        if (in_heap(pe, p))
            return pe;
    return -1;
}

static void release(void *p)
{
    if (caf_arena_holds(p)) {
        free(p);
    } else {
        head_of(p)->mark = 0;
        caf_heap_free((char *)p - HEAD);
    }
}

void caf_take_back(void)
{
    if (!atomic_load_explicit(returned, memory_order_relaxed))
        return;
    void *p = atomic_exchange(returned, NULL);
    while (p) {
        void *next = *(void **)p;
        release(p);
        p = next;
    }
}

void *caf_lend(size_t bytes)
{
    if (!returned)
        return NULL;
    caf_take_back();
    char *block = bytes > caf_heap_bytes ? NULL : caf_heap_allocate_alone(HEAD + bytes);
    if (!block)
        return NULL;
    *(struct lent *)(void *)block = (struct lent){(uintptr_t)(block + HEAD) ^ words, bytes};
    return block + HEAD;
}

size_t caf_lent_bytes(void *p)
{
    return caf_is_not_mine(p) && is_lent(p) ? head_of(p)->bytes : 0;
}

bool caf_give_back(void *p)
{
    const int pe = caf_heap_owner(p);
    if (pe < 0)
        return false;
    if (pe == caf_my_pe && (caf_arena_holds(p) || !is_lent(p)))
        return false;
    if (pe == caf_my_pe) {
        release(p);
        return true;
    }
    _Atomic(void *) *top = (void *)shmem_ptr(returned, pe);
    void *before = atomic_load(top);
    do
        *(void **)p = before;
    while (!atomic_compare_exchange_weak(top, &before, p));
    return true;
}
