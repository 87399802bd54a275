/* Common parts of the API tests: values that differ by PE, element and purpose; one table row per type; and the
 * contexts on which an operation is tried. */
#pragma once

#include <shmem.h>
#include <shmem/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../check.h"

/* The value of element i from PE pe. The top bit of every width is set, which exposes a signed comparison or conversion
 * instead of an unsigned one; the multipliers are odd, so that neighbours differ in the low seven bits, too. */
static inline uint64_t pattern(int pe, size_t i, unsigned salt)
{
    const uint64_t mix = (uint64_t)pe * 0xC2B2AE3D27D4EB4Fu + i * 0x9E3779B97F4A7C15u + salt * 0x165667B19E3779F9u;
    return mix | 0x8000000080008080u;
}

/* A pattern that also depends on the target: data at the wrong PE differs from the expected data. */
static inline uint64_t pattern_to(int from, int to, size_t i, unsigned salt)
{
    return pattern(from * 64 + to + 1, i, salt);
}

/* Writes and compares elements of one type as values, because the padding of a long double means nothing. */
struct elem {
    const char *name;
    size_t size;
    void (*set)(void *at, uint64_t bits);
    bool (*equal)(const void *a, const void *b);
};

#define ELEM_SET(T, N) static inline void set_##N(void *at, uint64_t bits) { *(T *)at = (T)bits; }
#define ELEM_EQUAL(T, N) static inline bool equal_##N(const void *a, const void *b) \
    { return *(const T *)a == *(const T *)b; }
#define ELEM(T, N) {#N, sizeof(T), set_##N, equal_##N}
COPAL_TYPES_RMA(ELEM_SET)
COPAL_TYPES_RMA(ELEM_EQUAL)

#define SIZE_SET(B) static inline void set_##B(void *at, uint64_t bits) { set_bytes(at, bits, B / 8); }
#define SIZE_EQUAL(B) static inline bool equal_##B(const void *a, const void *b) { return memcmp(a, b, B / 8) == 0; }
#define SIZE_ELEM(B) {#B, B / 8, set_##B, equal_##B}
static inline void set_bytes(void *at, uint64_t bits, size_t size)
{
    const uint64_t words[2] = {bits, ~bits * 3};
    memcpy(at, words, size);
}
COPAL_SIZES(SIZE_SET)
COPAL_SIZES(SIZE_EQUAL)
#define MEM_ELEM {"mem", 1, set_8, equal_8}

/* The largest element: size 128 and, on most machines, long double. */
#define ELEM_MAX 16

static inline void set_elem(const struct elem *e, void *array, size_t i, uint64_t bits)
{
    e->set((char *)array + i * e->size, bits);
}

static inline bool elem_is(const struct elem *e, const void *array, size_t i, uint64_t bits)
{
    _Alignas(ELEM_MAX) char expected[ELEM_MAX];
    e->set(expected, bits);
    return e->equal((const char *)array + i * e->size, expected);
}

/* The variants of an operation: without a context argument, or on one of several contexts. On the last context the
 * PEs are numbered backwards, so that a missing translation reaches a wrong PE (except in the middle). */
enum { PLACES = 6 };
struct place {
    const char *name;
    shmem_ctx_t ctx;
    bool plain;
    bool reversed;
};

static shmem_team_t reversed_team;

static inline void open_places(struct place places[PLACES])
{
    const int n_pes = shmem_n_pes();
    const struct place fixed[PLACES] = {{"no context", SHMEM_CTX_DEFAULT, true, false},
                                        {"the default context", SHMEM_CTX_DEFAULT, false, false},
                                        {"a shareable context", SHMEM_CTX_INVALID, false, false},
                                        {"a private context", SHMEM_CTX_INVALID, false, false},
                                        {"a serialized context", SHMEM_CTX_INVALID, false, false},
                                        {"a reversed team's context", SHMEM_CTX_INVALID, false, true}};
    memcpy(places, fixed, sizeof fixed);
    const shmem_team_config_t config = {.num_contexts = 1};
    int failed = shmem_ctx_create(0, &places[2].ctx);
    failed += shmem_ctx_create(SHMEM_CTX_PRIVATE, &places[3].ctx);
    failed += shmem_ctx_create(SHMEM_CTX_SERIALIZED, &places[4].ctx);
    failed += shmem_team_split_strided(SHMEM_TEAM_WORLD, n_pes - 1, -1, n_pes, &config, SHMEM_TEAM_NUM_CONTEXTS,
                                       &reversed_team);
    failed += shmem_team_create_ctx(reversed_team, 0, &places[5].ctx);
    if (failed) {
        fprintf(stderr, "could not create the contexts and the reversed team of this test\n");
        shmem_global_exit(1);
    }
}

static inline void close_places(struct place places[PLACES])
{
    for (int i = 2; i < PLACES; i++)
        shmem_ctx_destroy(places[i].ctx);
    shmem_team_destroy(reversed_team);
}

/* The number of the world's PE pe on this context. */
static inline int pe_in(const struct place *place, int pe)
{
    return place->reversed ? shmem_n_pes() - 1 - pe : pe;
}
