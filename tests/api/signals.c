/* Signals without data: signal_set, signal_add, signal_fetch, signal_wait_until, with and without a context. */
#include "fill.h"

enum { MAX_PES = 16, ROUNDS = 50 };

static int me, n_pes;

static void set(const struct place *place, uint64_t *signal, uint64_t value, int pe)
{
    if (place->plain)
        shmem_signal_set(signal, value, pe);
    else
        shmem_ctx_signal_set(place->ctx, signal, value, pe_in(place, pe));
}

static void add(const struct place *place, uint64_t *signal, uint64_t value, int pe)
{
    if (place->plain)
        shmem_signal_add(signal, value, pe);
    else
        shmem_ctx_signal_add(place->ctx, signal, value, pe_in(place, pe));
}

/* Each PE sets and then adds to its own signal on each PE; a PE waits for the final values. */
static void set_and_add(const struct place *place, uint64_t *signal, unsigned salt)
{
    for (int pe = 0; pe < n_pes; pe++)
        signal[pe] = pattern(me, 0, salt);
    shmem_barrier_all();
    for (int k = 0; k < n_pes; k++) {
        const int pe = (me + k) % n_pes;
        set(place, &signal[me], pattern_to(me, pe, 1, salt), pe);
        shmem_ctx_fence(place->ctx);
        add(place, &signal[me], pattern_to(me, pe, 2, salt), pe);
    }
    for (int pe = 0; pe < n_pes; pe++) {
        const uint64_t expected = pattern_to(pe, me, 1, salt) + pattern_to(pe, me, 2, salt);
        const uint64_t got = shmem_signal_wait_until(&signal[pe], SHMEM_CMP_EQ, expected);
        CHECK(got == expected && shmem_signal_fetch(&signal[pe]) == expected, "signal from PE %d on %s is %#llx", pe,
              place->name, (unsigned long long)got);
    }
    shmem_barrier_all();
}

/* All PEs add to one signal of each PE at the same time; the sum wraps around. */
static void add_by_all(const struct place *place, uint64_t *signal, unsigned salt)
{
    *signal = ~(uint64_t)0 - salt;
    shmem_barrier_all();
    for (int round = 0; round < ROUNDS; round++)
        for (int pe = 0; pe < n_pes; pe++)
            add(place, signal, (uint64_t)me + 1, pe);
    const uint64_t expected = ~(uint64_t)0 - salt + (uint64_t)(ROUNDS * n_pes * (n_pes + 1) / 2);
    shmem_signal_wait_until(signal, SHMEM_CMP_EQ, expected);
    shmem_barrier_all();
    CHECK(shmem_signal_fetch(signal) == expected, "sum of signals on %s is %#llx", place->name,
          (unsigned long long)*signal);
}

/* Every comparison, for values with and without the top bit, which a signed comparison would order wrongly. */
static void wait_for_comparison(uint64_t *signal)
{
    const uint64_t low = 100, middle = (uint64_t)1 << 63, high = ~(uint64_t)0;
    const struct {
        int cmp;
        uint64_t before, cmp_value, after;
    } cases[] = {
        {SHMEM_CMP_EQ, low, middle, middle},  {SHMEM_CMP_NE, middle, middle, low}, {SHMEM_CMP_GT, middle, middle, high},
        {SHMEM_CMP_GT, low, low, middle},     {SHMEM_CMP_GE, low, middle, middle}, {SHMEM_CMP_LT, high, middle, low},
        {SHMEM_CMP_LT, middle, middle, low},  {SHMEM_CMP_LE, high, middle, middle},
    };
    const int right = (me + 1) % n_pes;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        *signal = cases[i].before;
        shmem_barrier_all();
        shmem_signal_set(signal, cases[i].after, right);
        const uint64_t got = shmem_signal_wait_until(signal, cases[i].cmp, cases[i].cmp_value);
        CHECK(got == cases[i].after, "shmem_signal_wait_until, case %zu, returned %#llx", i, (unsigned long long)got);
        shmem_barrier_all();
    }
}

/* A signal passes through all PEs; each increments it and sends it on. */
static void pass_round(uint64_t *signal)
{
    const int right = (me + 1) % n_pes;
    *signal = 0;
    shmem_barrier_all();
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const uint64_t mine = round * (uint64_t)n_pes + (uint64_t)me;
        if (mine > 0) {
            const uint64_t got = shmem_signal_wait_until(signal, SHMEM_CMP_GE, mine);
            CHECK(got == mine, "PE %d got %llu instead of %llu", me, (unsigned long long)got, (unsigned long long)mine);
        }
        shmem_signal_set(signal, mine + 1, right);
    }
    shmem_barrier_all();
}

int main(void)
{
    static uint64_t static_signal[MAX_PES];
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    struct place places[PLACES];
    open_places(places);
    uint64_t *heap = shmem_malloc(sizeof static_signal);
    CHECK(heap != NULL, "shmem_malloc of %zu bytes failed", sizeof static_signal);
    if (n_pes > MAX_PES || !heap)
        shmem_global_exit(1);
    for (int p = 0; p < PLACES; p++) {
        uint64_t *signal = p % 2 ? heap : static_signal;
        set_and_add(&places[p], signal, (unsigned)p);
        add_by_all(&places[p], signal, (unsigned)p);
    }
    wait_for_comparison(heap);
    wait_for_comparison(static_signal);
    pass_round(static_signal);
    shmem_free(heap);
    close_places(places);
    shmem_finalize();
    return check_result();
}
