/* The table of random access, in equal blocks of a power of two words on each PE, and the ways to update it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LOOK_AHEAD = 1024 }; /* the rules of HPCC: at no time does a PE keep more updates than that */

struct table {
    uint64_t *block;  /* symmetric: this PE's words */
    int log_block;    /* of the number of words in a block */
    int me, n_pes;
    uint64_t words;   /* of the whole table */
};

/* The word that a random number updates, in its owner's block; and its owner. */
static inline uint64_t table_word(const struct table *t, uint64_t number)
{
    return number & ((UINT64_C(1) << t->log_block) - 1);
}

static inline int table_owner(const struct table *t, uint64_t number)
{
    return (int)((number & (t->words - 1)) >> t->log_block);
}

/* A method of applying the n numbers of the stream that begin with `first`. All PEs call it; when it has returned
 * and all PEs have synchronized, all updates of all PEs are in the table. */
typedef void update_fn(const struct table *t, uint64_t first, uint64_t n);

/* An atomic operation for each. */
update_fn update_atomic;

/* A load and a store for each, by shmem_ptr: of two PEs that change a word at the same time, one change may be lost. */
update_fn update_shmem_ptr;

/* Collects numbers for each owner, sends them to it when there are LOOK_AHEAD, and the owner applies them. */
update_fn update_buckets;

/* The memory of update_buckets; false if there is not enough. */
bool buckets_create(const struct table *t);
void buckets_destroy(void);
