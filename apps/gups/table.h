/* The table of random access, and the ways to update it. Each PE has a block of 2^log_block words. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LOOK_AHEAD = 1024 }; /* HPCC's limit of the updates that a PE may keep pending */

struct table {
    uint64_t *block;  /* symmetric: this PE's words */
    int log_block;    /* of the number of words in a block */
    int me, n_pes;
    uint64_t words;   /* of the whole table */
};

/* The index of the word that a random number updates, in the owner's block; and the word's owner. */
static inline uint64_t table_word(const struct table *t, uint64_t number)
{
    return number & ((UINT64_C(1) << t->log_block) - 1);
}

static inline int table_owner(const struct table *t, uint64_t number)
{
    return (int)((number & (t->words - 1)) >> t->log_block);
}

/* Applies n numbers of the stream, beginning with `first`. All PEs call it; when it has returned and all PEs have
 * synchronized, all updates of all PEs are in the table. */
typedef void update_fn(const struct table *t, uint64_t first, uint64_t n);

/* Uses an atomic operation for each update. */
update_fn update_atomic;

/* Uses a load and a store for each, by shmem_ptr: if two PEs change a word at the same time, one change may be lost. */
update_fn update_shmem_ptr;

/* Collects LOOK_AHEAD numbers in one bucket for each owner, and sends the buckets; the owners apply them. */
update_fn update_buckets;

/* Allocates the memory of update_buckets; false if there is not enough. */
bool buckets_create(const struct table *t);
void buckets_destroy(void);
