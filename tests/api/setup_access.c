/* Accessible PEs and objects: shmem_pe_accessible, shmem_addr_accessible, shmem_ptr, shmem_team_ptr. On one node every
 * PE's statics and heap can be loaded and stored; a PE on another node has no pointer (near.h). */
#include <shmem.h>
#include <string.h>
#include "near.h"

enum { MAX_PES = 1024, BIG = 3 << 20 };

static long data[MAX_PES] = {1}, bss[MAX_PES];
static _Alignas(long) char big[BIG];

/* Every PE stores into its own element of `object` on all PEs of its node, and finds the others' stores. */
static void store_and_look(long *object, const char *what)
{
    const int me = shmem_my_pe();
    const struct near near = near_pes();
    for (int k = near.first; k < near.first + near.n; k++) {
        long *there = shmem_ptr(object, k);
        CHECK(there, "shmem_ptr of %s on PE %d is NULL", what, k);
        if (there)
            there[me] = 1000 * me + k;
    }
    shmem_barrier_all();
    for (int k = near.first; k < near.first + near.n; k++) {
        CHECK(object[k] == 1000 * k + shmem_my_pe(), "%s: PE %d stored %ld", what, k, object[k]);
        long *there = shmem_ptr(object, k);
        CHECK(!there || there[me] == 1000 * me + k, "%s: load from PE %d gave %ld", what, k, there[me]);
    }
    shmem_barrier_all();
    long *mine = shmem_ptr(object, me);
    if (mine) {
        mine[0] = -5;
        CHECK(object[0] == -5, "shmem_ptr to my own %s is another object", what);
    }
    shmem_barrier_all();
}

/* A peer's pointer into its own heap can be used unchanged: it equals the result of shmem_ptr. */
static void follow_pointers(long *heap)
{
    static long *pointer;
    const struct near near = near_pes();
    pointer = heap + 1;
    heap[1] = 70 + shmem_my_pe();
    shmem_barrier_all();
    for (int k = near.first; k < near.first + near.n; k++) {
        long *theirs;
        shmem_getmem(&theirs, &pointer, sizeof theirs, k);
        CHECK(theirs == shmem_ptr(heap + 1, k), "PE %d's pointer is %p, shmem_ptr says %p", k, (void *)theirs,
              shmem_ptr(heap + 1, k));
        if (theirs == shmem_ptr(heap + 1, k))
            CHECK(*theirs == 70 + k, "PE %d's pointer leads to %ld", k, *theirs);
    }
    shmem_barrier_all();
}

static void accessible(void *heap)
{
    int n = shmem_n_pes(), on_stack = 0;
    void *private = malloc(100);
    for (int k = 0; k < n; k++) {
        CHECK(shmem_pe_accessible(k) == 1, "PE %d is not accessible", k);
        CHECK(shmem_addr_accessible(data, k) == 1 && shmem_addr_accessible(bss, k) == 1, "statics of PE %d", k);
        CHECK(shmem_addr_accessible(big + BIG - 1, k) == 1, "the end of a large array of PE %d", k);
        CHECK(shmem_addr_accessible(heap, k) == 1, "heap of PE %d", k);
        CHECK(shmem_addr_accessible(&on_stack, k) == 0, "a stack variable is accessible");
        CHECK(shmem_addr_accessible(private, k) == 0, "memory from malloc is accessible");
        CHECK(shmem_addr_accessible(NULL, k) == 0, "NULL is accessible");
    }
    CHECK(shmem_pe_accessible(-1) == 0 && shmem_pe_accessible(n) == 0, "a PE outside the job is accessible");
    CHECK(shmem_addr_accessible(data, n) == 0, "an address on a PE outside the job is accessible");
    free(private);
}

static void in_teams(long *heap)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_t reverse;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reverse) == 0, "reverse team");
    for (int k = 0; k < n; k++) {
        CHECK(shmem_team_ptr(reverse, heap, k) == shmem_ptr(heap, n - 1 - k), "heap on team PE %d", k);
        CHECK(shmem_team_ptr(reverse, bss, k) == shmem_ptr(bss, n - 1 - k), "static on team PE %d", k);
        CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, heap, k) == shmem_ptr(heap, k), "heap on world PE %d", k);
    }
    CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, heap, 0) == NULL, "pointer in the invalid team");
    heap[0] = me;
    shmem_barrier_all();
    long *right = shmem_team_ptr(reverse, heap, shmem_team_my_pe(reverse));
    CHECK(right && *right == me, "my own PE of the reverse team");
    shmem_team_destroy(reverse);
}

int main(void)
{
    shmem_init();
    CHECK(data[0] == 1, "initialized data was lost");
    long *heap = shmem_calloc(MAX_PES, sizeof(long)), *large = shmem_malloc(BIG * sizeof(long));
    accessible(heap);
    store_and_look(data, "initialized data");
    store_and_look(bss, "zeroed data");
    store_and_look(heap, "heap");
    store_and_look(large + BIG - MAX_PES, "the end of a large block");
    store_and_look((long *)(void *)(big + BIG - MAX_PES * sizeof(long)), "the end of a large array");
    follow_pointers(heap);
    in_teams(heap);
    shmem_free(large);
    shmem_free(heap);
    shmem_finalize();
    return check_result();
}
