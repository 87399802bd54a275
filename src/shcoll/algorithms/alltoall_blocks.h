/* Strided blocks: the planner that moves a block between two PEs. */
#ifndef SHCOLL_STRIDED_H
#define SHCOLL_STRIDED_H

#include "../group/group.h"

/* n elements of size bytes, dst elements apart in dest and sst elements apart in source. */
struct shcoll_block {
    ptrdiff_t dst, sst;
    size_t n, size;
};

static inline bool is_contiguous(const struct shcoll_block *b)
{
    return (b->dst == 1 && b->sst == 1) || b->n <= 1 || b->size == 0;
}

/* Moves a block to a PE, from a PE, or within this PE; the bytes between the elements of dest stay unchanged.  After
 * shmem_quiet, puts and gets are complete and source may change. */
void shcoll_put_block(const struct shcoll_block *b, void *dest, const void *source, int pe);
void shcoll_get_block(const struct shcoll_block *b, void *dest, const void *source, int pe);
void shcoll_copy_block(const struct shcoll_block *b, void *dest, const void *source);

#endif
