/* Brings every key to the PE that ranks it.  All PEs call these functions together. */
#pragma once

#include "buckets.h"
#include "problem.h"

#include <stdbool.h>
#include <stddef.h>

enum path {
    PATH_PUT,       /* sort by bucket into a buffer of my own, then one nonblocking put with signal to each other PE */
    PATH_SHMEM_PTR, /* store each key straight into the memory of the PE that owns it */
};

struct exchange {
    enum path path;
    struct buckets buckets; /* counts and totals are symmetric */

    /* Symmetric objects. */
    int64_t *send_count;          /* keys that each PE gets from me */
    int64_t *recv_count;          /* keys that I get from each PE */
    int64_t *place, *place_there; /* offsets of each PE's keys in my `received`, and of mine in theirs */
    uint64_t *signal;             /* messages that have arrived so far */
    uint32_t *outgoing;           /* PATH_PUT: my keys for the others, sorted by bucket */
    uint32_t *received;           /* the keys I own, from all PEs */

    /* Private ones. */
    int64_t *run;      /* where the keys for each PE begin in outgoing */
    uint32_t **cursor; /* where the next key of each bucket goes */
    uint64_t messages; /* number of messages sent to this PE so far */
};

/* All PEs return the same: false if there is not enough memory. */
bool exchange_create(struct exchange *x, const struct problem *p, enum path path, const uint32_t *key, int64_t count);
void exchange_destroy(struct exchange *x);

/* Redistributes the keys.  test_key[i] is a test key this PE holds, or 0; on return all PEs have it. */
void exchange_keys(struct exchange *x, const uint32_t *key, int64_t count, int64_t test_key[TEST_KEYS]);
