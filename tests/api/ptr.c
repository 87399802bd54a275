/* shmem_ptr and shmem_team_ptr of static and heap objects, among the PEs of a node: stores through them arrive, loads
 * return the data, and an address that is not symmetric, or an invalid team, gives a null pointer. */
#include <stdatomic.h>

#include "fill.h"
#include "near.h"

enum { MAX_PES = 16, WORDS = 300, ROUNDS = 2000 };
static uint64_t static_words[MAX_PES][WORDS];
static _Atomic long static_count;
static int me, n_pes;
static struct near near;

/* The k-th PE of this node after this one, cyclically. */
static int near_pe(int k)
{
    return near.first + (me - near.first + k) % near.n;
}

/* Each PE stores its row of every PE's array through pointers, and loads the others' own rows. */
static void load_and_store(const char *what, uint64_t (*words)[WORDS], unsigned salt)
{
    memset(words, 0, sizeof static_words);
    shmem_barrier_all();
    for (int k = 0; k < near.n; k++) {
        const int pe = near_pe(k);
        uint64_t *there = shmem_ptr(words[me], pe);
        CHECK(there != NULL, "shmem_ptr of %s on PE %d", what, pe);
        for (size_t i = 0; i < WORDS && there; i++)
            there[i] = pattern_to(me, pe, i, salt);
    }
    CHECK(shmem_ptr(words, me) == (void *)words, "shmem_ptr of %s on this PE is another address", what);
    shmem_barrier_all();
    for (int from = near.first; from < near.first + near.n; from++)
        for (size_t i = 0; i < WORDS; i++)
            CHECK(words[from][i] == pattern_to(from, me, i, salt), "%s: word %zu stored by PE %d", what, i, from);
    for (int pe = near.first; pe < near.first + near.n; pe++) {
        const uint64_t *end = shmem_ptr(&words[pe][WORDS - 1], pe);
        CHECK(end && *end == pattern_to(pe, pe, WORDS - 1, salt), "%s: load from PE %d", what, pe);
        CHECK(end == (uint64_t *)shmem_ptr(words, pe) + pe * WORDS + WORDS - 1, "%s: pointers into PE %d", what, pe);
    }
    shmem_barrier_all();
    /* The library's stores and stores through the pointer reach the same memory. */
    const int right = near_pe(1);
    uint64_t *there = shmem_ptr(&words[0][0], right);
    shmem_uint64_p(&words[0][0], 17 + (uint64_t)me, right);
    shmem_quiet();
    CHECK(there && *(volatile uint64_t *)there == 17 + (uint64_t)me, "%s: load after p", what);
    if (there)
        *(volatile uint64_t *)there = 18 + (uint64_t)me;
    CHECK(shmem_uint64_g(&words[0][0], right) == 18 + (uint64_t)me, "%s: g after store", what);
    shmem_barrier_all();
}

/* C11 atomics through pointers: all PEs increment each PE's count. */
static void atomics(void)
{
    _Atomic long *heap_count = shmem_calloc(1, sizeof *heap_count);
    CHECK(heap_count != NULL, "shmem_calloc failed");
    if (!heap_count)
        shmem_global_exit(1);
    _Atomic long *counts[2][MAX_PES];
    for (int i = 0; i < near.n; i++) {
        counts[0][i] = shmem_ptr(&static_count, near.first + i);
        counts[1][i] = shmem_ptr(heap_count, near.first + i);
        CHECK(counts[0][i] && counts[1][i], "no pointer to the counts of PE %d", near.first + i);
        if (!counts[0][i] || !counts[1][i])
            shmem_global_exit(1);
    }
    shmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++)
        atomic_fetch_add(counts[i % 2][i % near.n], 1);
    shmem_barrier_all();
    long expected[2] = {0, 0};
    for (int i = 0; i < ROUNDS; i++)
        expected[i % 2] += i % near.n == me - near.first ? near.n : 0;
    CHECK(static_count == expected[0] && *heap_count == expected[1], "counts are %ld and %ld, not %ld and %ld",
          static_count, *heap_count, expected[0], expected[1]);
    shmem_barrier_all();
    shmem_free((void *)heap_count);
}

/* A PE's number in the team differs from its number in the world. */
static void teams(uint64_t (*words)[WORDS])
{
    shmem_team_t team = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n_pes - 1, -1, n_pes, NULL, 0, &team);
    for (int number = 0; number < n_pes; number++) {
        const int pe = n_pes - 1 - number;
        CHECK(shmem_team_ptr(team, words, number) == shmem_ptr(words, pe), "shmem_team_ptr of PE %d backwards", pe);
        CHECK(shmem_team_ptr(team, &static_count, number) == shmem_ptr(&static_count, pe), "the same of a static");
        CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, words, pe) == shmem_ptr(words, pe), "shmem_team_ptr in the world");
    }
    CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, words, 0) == NULL, "shmem_team_ptr of no team");
    shmem_team_destroy(team);
}

static void not_symmetric(void)
{
    int on_stack = 0;
    void *on_heap = malloc(100);
    for (int pe = 0; pe < n_pes; pe++) {
        CHECK(shmem_ptr(&on_stack, pe) == NULL, "shmem_ptr of the stack on PE %d", pe);
        CHECK(shmem_ptr(on_heap, pe) == NULL, "shmem_ptr of malloc's memory on PE %d", pe);
    }
    free(on_heap);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    near = near_pes();
    uint64_t (*heap_words)[WORDS] = shmem_malloc(sizeof static_words);
    CHECK(heap_words != NULL, "shmem_malloc of %zu bytes failed", sizeof static_words);
    if (n_pes > MAX_PES || !heap_words)
        shmem_global_exit(1);
    load_and_store("static memory", static_words, 1);
    load_and_store("heap memory", heap_words, 2);
    atomics();
    teams(heap_words);
    not_symmetric();
    shmem_free(heap_words);
    shmem_finalize();
    return check_result();
}
