/* The symmetric heap. */
/* pes: 2 */
#include "rules.h"

/* 9.3.1, malloc: when it returns, other PEs may put to the block; stores of the program are not ordered with these
 * puts. */
RULE(put_after_malloc)
{
    long *block = shmem_malloc(4 * sizeof *block);

    if (me == 1 && !right)
        block[0] = 2; /* store */
    if (me == 0)
        shmem_long_p(&block[0], 1, 1); /* put */
    shmem_barrier_all();
    if (me == 1)
        look(block[0], 1);
    shmem_free(block);
}

/* 9.3.6, calloc: when it returns, the block is zero on all PEs; stores of the program need a barrier before another
 * PE's put. */
RULE(put_after_calloc)
{
    long *block = right ? shmem_calloc(4, sizeof *block) : shmem_malloc(4 * sizeof *block);

    if (!right)
        memset(block, 0, 4 * sizeof *block); /* fill */
    if (me == 0)
        shmem_long_p(&block[3], 1, 1); /* put */
    shmem_barrier_all();
    look(block[3], me == 1 ? 1 : 0);
    shmem_free(block);
}

/* 9.3.2, free: it completes puts to the block on the default context. */
RULE(put_before_free)
{
    long *block = shmem_malloc(4 * sizeof *block);
    shmem_ctx_t ctx;

    shmem_ctx_create(0, &ctx);
    if (me == 0)
        shmem_ctx_long_p(right ? SHMEM_CTX_DEFAULT : ctx, &block[1], 1, 1); /* put */
    shmem_free(block); /* free */
    shmem_ctx_destroy(ctx);
}

/* 9.3.2, free: after it, the block must not be used. */
RULE(load_after_free)
{
    long *volatile block = shmem_calloc(4, sizeof *block);

    if (right)
        look(block[2], 0);
    shmem_free(block); /* free */
    if (!right)
        look(block[2], 0); /* load */
}

/* 9.3.1, malloc: a block at the address of a freed block is another block. */
RULE(place_used_again)
{
    long *block = shmem_malloc(4 * sizeof *block);

    if (me == 0)
        shmem_long_p(block, 1, 1);
    shmem_free(block);
    block = shmem_calloc(4, sizeof *block);
    if (me == 0 && !right)
        shmem_long_p(block, 2, 1); /* put */
    if (me == 1)
        look(*block, 0); /* load */
    shmem_free(block);
}

/* 9.3.3, realloc: when it returns, the block has moved on all PEs. */
RULE(put_after_realloc)
{
    long *block = shmem_calloc(4, sizeof *block);

    block[1] = 1;
    block = shmem_realloc(block, 4096 * sizeof *block);
    if (me == 0)
        shmem_long_p(&block[1], 2, 1); /* put */
    if (me == 1)
        block[right ? 2 : 1] = 3; /* store */
    shmem_barrier_all();
    look(block[1], me == 1 ? 2 : 1);
    shmem_free(block);
}

/* 9.3.3, realloc: with a size of 0, it frees the block. */
RULE(load_after_realloc)
{
    long *volatile block = shmem_calloc(4, sizeof *block);

    if (right)
        look(block[2], 0);
    shmem_realloc(block, 0); /* free */
    if (!right)
        look(block[2], 0); /* load */
}

/* 9.3.5, malloc_with_hints: hints do not change the order of accesses. */
RULE(malloc_with_hints)
{
    long *counter = shmem_malloc_with_hints(sizeof *counter, SHMEM_MALLOC_ATOMICS_REMOTE);

    *counter = 0; /* store */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        shmem_long_atomic_inc(counter, 0); /* atomic */
    shmem_barrier_all();
    look(*counter, me == 0 ? 1 : 0);
    shmem_free(counter);
}

/* 9.3.4, align: elements of one aligned block with different indices do not overlap. */
RULE(rows_of_a_block)
{
    long(*rows)[8] = shmem_align(64, 4 * sizeof *rows);

    if (me == 0)
        shmem_long_put(rows[1], (long[8]){1, 2, 3, 4, 5, 6, 7, 8}, 8, 1); /* put */
    if (me == 1)
        rows[right ? 2 : 1][0] = 1; /* store */
    shmem_barrier_all();
    look(me == 1 ? rows[1][7] : 8, 8);
    shmem_free(rows);
}
