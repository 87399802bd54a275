/* The PEs on this PE's node, according to shmem_ptr: they form the shared team, and their numbers are consecutive. */
#pragma once

#include "check.h"

#include <shmem.h>
#include <stdbool.h>

struct near {
    int first, n;
};

static inline struct near near_pes(void)
{
    static char here;
    struct near near = {shmem_my_pe(), 1};
    while (near.first > 0 && shmem_ptr(&here, near.first - 1))
        near.first--, near.n++;
    while (near.first + near.n < shmem_n_pes() && shmem_ptr(&here, near.first + near.n))
        near.n++;
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        CHECK((shmem_ptr(&here, pe) != NULL) == (pe >= near.first && pe < near.first + near.n),
              "the pointer to PE %d, and PEs %d to %d are near", pe, near.first, near.first + near.n - 1);
    return near;
}

/* Whether all nodes have the same number of PEs. Collective. */
static inline bool near_is_even(void)
{
    static int n;
    bool even = true;
    n = near_pes().n;
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        even = even && shmem_int_g(&n, pe) == n;
    shmem_barrier_all();
    return even;
}
