/* Checks the guarantees of quiet, of the routines that imply it, and of a context's end: a third PE that is notified
 * afterwards gets the new data.
 *
 *     completes [ROUNDS [SEED]]
 *
 * In each round every PE puts to another PE by one of several routines on one of several contexts, completes the put
 * by one of several routines, and notifies a third PE. That PE gets the data from the target, compares it and
 * reports the result. This finds operations that the network completes too late; tests/net/order.c finds operations
 * that are out of order. If completion is collective, all PEs use it in the same round. */
#include "../api/fill.h"
#include "../random.h"

enum { MAX_PES = 16, MOST = 100000, WORDS = 64 };

enum complete { QUIET, PE_QUIET, BARRIER, MALLOC, CTX_END, UNLOCK, WAYS };
static const char *const names[] = {"quiet", "pe_quiet", "barrier_all", "malloc", "ctx_destroy", "clear_lock"};

static unsigned char *area[MAX_PES], *source, *got;
static uint64_t *words[MAX_PES]; /* for atomics */
static uint64_t told[MAX_PES], acked, *signal_word;
static long locks[MAX_PES];
static int me, n_pes;

/* The round and the PE determine the PE's operations. */
struct plan {
    int to, third;
    unsigned how;
    size_t bytes, words;
    bool own_context;
    uint64_t rng;
};

static struct plan plan_of(int pe, long round, uint64_t seed)
{
    static const size_t limits[] = {8, 100, 4000, 5000, 16000, 20000, 40000, MOST};
    struct plan p = {.rng = seed << 48 ^ (uint64_t)pe << 32 ^ (uint64_t)round};
    p.to = (int)((uint64_t)(pe + 1) + next(&p.rng) % (uint64_t)(n_pes - 1)) % n_pes;
    p.third = (p.to + (n_pes > 2)) % n_pes;
    p.third = p.third == pe && n_pes > 2 ? (p.third + 1) % n_pes : p.third;
    const size_t limit = limits[next(&p.rng) % 8];
    p.bytes = 1 + next(&p.rng) % limit;
    p.words = next(&p.rng) % 3 ? 0 : 1 + next(&p.rng) % WORDS;
    p.how = (unsigned)next(&p.rng);
    p.own_context = next(&p.rng) % 2;
    return p;
}

/* Atomics send some more words; they fetch nothing, or complete at once. */
static void add_words(shmem_ctx_t ctx, const struct plan *p)
{
    static uint64_t before[WORDS];
    for (size_t i = 0; i < p->words; i++) {
        uint64_t *word = &words[me][i];
        const uint64_t value = p->rng >> i % 32;
        switch ((p->how / 16 + i) % 3) {
        case 0: shmem_ctx_uint64_atomic_set(ctx, word, value, p->to); break;
        case 1: shmem_ctx_uint64_p(ctx, word, value, p->to); break;
        case 2: shmem_ctx_uint64_atomic_swap_nbi(ctx, &before[i], word, value, p->to); break;
        }
    }
}

static void put(shmem_ctx_t ctx, const struct plan *p)
{
    unsigned char *to = area[me], *from = source;
    const size_t bytes = p->bytes, n = bytes / 24, quarter = bytes / 32;
    fill(from, bytes, p->rng);
    switch (p->how % 6) {
    case 0: shmem_ctx_putmem_nbi(ctx, to, from, bytes, p->to); break;
    case 1: /* blocking: the source may be reused on return */
        shmem_ctx_putmem(ctx, to, from, bytes, p->to);
        memset(from, 0xee, bytes);
        break;
    case 2: /* every third word with a stride, then the rest */
        for (size_t i = 0; i < 3; i++)
            shmem_ctx_uint64_iput(ctx, (uint64_t *)(void *)to + i, (uint64_t *)(void *)from + i, 3, 3, n, p->to);
        shmem_ctx_putmem(ctx, to + n * 24, from + n * 24, bytes - n * 24, p->to);
        break;
    case 3: /* every second large block, then the rest */
        for (size_t i = 0; i < 2; i++)
            shmem_ctx_uint64_ibput(ctx, (uint64_t *)(void *)to + i * quarter, (uint64_t *)(void *)from + i * quarter,
                                   2 * (ptrdiff_t)quarter, 2 * (ptrdiff_t)quarter, quarter, 2, p->to);
        shmem_ctx_putmem_nbi(ctx, to + quarter * 32, from + quarter * 32, bytes - quarter * 32, p->to);
        break;
    case 4:
        shmem_ctx_putmem_signal_nbi(ctx, to, from, bytes, signal_word, 1, SHMEM_SIGNAL_ADD, p->to);
        break;
    case 5:
        shmem_ctx_putmem_signal(ctx, to, from, bytes, signal_word, 1, SHMEM_SIGNAL_ADD, p->to);
        memset(from, 0xee, bytes);
        break;
    }
    add_words(ctx, p);
}

static void complete(enum complete way, shmem_ctx_t *ctx, const struct plan *p)
{
    switch (way) {
    case QUIET: p->own_context ? shmem_ctx_quiet(*ctx) : shmem_quiet(); break;
    case PE_QUIET: p->own_context ? shmem_ctx_pe_quiet(*ctx, &p->to, 1) : shmem_pe_quiet(&p->to, 1); break;
    case BARRIER: shmem_barrier_all(); break;
    case MALLOC: shmem_free(shmem_malloc(8)); break; /* each is a barrier */
    case CTX_END: shmem_ctx_destroy(*ctx); *ctx = SHMEM_CTX_INVALID; break;
    case UNLOCK: shmem_clear_lock(&locks[me]); break;
    default: break;
    }
}

static void send(enum complete way, long round, uint64_t seed)
{
    const struct plan p = plan_of(me, round, seed);
    shmem_ctx_t own = SHMEM_CTX_INVALID;
    const bool needs_own = way == CTX_END || (p.own_context && way != UNLOCK);
    if (needs_own && shmem_ctx_create(0, &own))
        CHECK(false, "no context");
    if (way == UNLOCK)
        shmem_set_lock(&locks[me]);
    put(needs_own ? own : SHMEM_CTX_DEFAULT, &p);
    complete(way, &own, &p);
    memset(source, 0xdd, p.bytes); /* the source may be reused */
    shmem_uint64_p(&told[me], (uint64_t)round, p.third);
    if (own != SHMEM_CTX_INVALID)
        shmem_ctx_destroy(own);
}

/* The third PE's part, for all PEs that notify this PE. */
static void look(enum complete way, long round, uint64_t seed)
{
    static unsigned char expected[MOST + 8];
    for (int from = 0; from < n_pes; from++) {
        const struct plan p = plan_of(from, round, seed);
        if (p.third != me)
            continue;
        shmem_uint64_wait_until(&told[from], SHMEM_CMP_EQ, (uint64_t)round);
        if (p.how / 256 % 2) {
            shmem_getmem(got, area[from], p.bytes, p.to);
        } else {
            shmem_getmem_nbi(got, area[from], p.bytes, p.to);
            p.how / 512 % 2 ? shmem_quiet() : shmem_pe_quiet(&p.to, 1);
        }
        fill(expected, p.bytes, p.rng);
        size_t i = 0;
        while (i < p.bytes && got[i] == expected[i])
            i++;
        CHECK(i == p.bytes, "round %ld: after %s, byte %zu of %zu that PE %d put to PE %d by way %u is not there",
              round, names[way], i, p.bytes, from, p.to, p.how % 6);
        for (i = 0; i < p.words; i++) {
            const uint64_t is = shmem_uint64_atomic_fetch(&words[from][i], p.to);
            CHECK(is == p.rng >> i % 32, "round %ld: after %s, word %zu of %zu that PE %d stored on PE %d is not there",
                  round, names[way], i, p.words, from, p.to);
        }
        shmem_uint64_p(&acked, (uint64_t)round, from);
    }
    shmem_uint64_wait_until(&acked, SHMEM_CMP_EQ, (uint64_t)round);
}

/* Data that is put while a lock is held is visible to the next holder: all words of a record are equal, and each
 * holder adds one. */
static void guarded(long rounds, uint64_t seed)
{
    enum { COUNTERS = 3, RECORD = MOST / 8 };
    static long lock[COUNTERS];
    static uint64_t mine[COUNTERS], all[COUNTERS];
    uint64_t rng = seed << 32 ^ (uint64_t)me, *record = (uint64_t *)(void *)source;
    shmem_barrier_all();
    for (int i = 0; i < COUNTERS; i++)
        memset(area[i % n_pes], 0, MOST);
    shmem_barrier_all();
    for (long round = 0; round < rounds; round++) {
        const int i = (int)(next(&rng) % (uint64_t)(COUNTERS < n_pes ? COUNTERS : n_pes)), home = (i + 1) % n_pes;
        const size_t n = i == 0 ? 1 : i == 1 ? 1000 : RECORD;
        if (next(&rng) % 2)
            shmem_set_lock(&lock[i]);
        else
            while (shmem_test_lock(&lock[i]))
                ;
        shmem_getmem(record, area[i], n * 8, home);
        const uint64_t is = record[0];
        size_t k = 0;
        while (k < n && record[k] == is)
            record[k++] = is + 1;
        CHECK(k == n, "round %ld: under lock %d, word %zu of %zu is not from the previous holder", round, i, k, n);
        next(&rng) % 2 ? shmem_putmem(area[i], record, n * 8, home) : shmem_putmem_nbi(area[i], record, n * 8, home);
        shmem_clear_lock(&lock[i]);
        mine[i]++;
        if (check_failures)
            shmem_global_exit(1);
    }
    shmem_barrier_all();
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, all, mine, COUNTERS);
    for (int i = 0; i < COUNTERS && i < n_pes; i++)
        CHECK(shmem_uint64_g((uint64_t *)(void *)area[i], (i + 1) % n_pes) == all[i], "record %d is not counted up", i);
}

/* shmem_finalize completes pending operations of all contexts; statics keep their values after it. */
static void finalize(void)
{
    static unsigned char last[2][MOST];
    static uint64_t words_of_last[WORDS];
    static const size_t bytes[] = {100, MOST};
    unsigned char *const data[] = {source, got};
    const int to = (me + 1) % n_pes, from = (me + n_pes - 1) % n_pes;
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    CHECK(shmem_ctx_create(0, &ctx) == 0, "no context");
    for (int i = 0; i < 2; i++) {
        fill(data[i], bytes[i], (uint64_t)(2 * me + i));
        shmem_ctx_putmem_nbi(ctx, last[i], data[i], bytes[i], to);
    }
    for (int i = 0; i < WORDS; i++)
        shmem_uint64_atomic_add(&words_of_last[i], (uint64_t)(me + i), to);
    shmem_finalize();
    for (int i = 0; i < 2; i++) {
        fill(data[i], bytes[i], (uint64_t)(2 * from + i));
        CHECK(memcmp(last[i], data[i], bytes[i]) == 0, "%zu bytes put before shmem_finalize are not there", bytes[i]);
    }
    for (int i = 0; i < WORDS; i++)
        CHECK(words_of_last[i] == (uint64_t)(from + i), "word %d added to before shmem_finalize is not there", i);
}

int main(int argc, char **argv)
{
    const long rounds = argc > 1 ? atol(argv[1]) : 300;
    const uint64_t seed = argc > 2 ? (uint64_t)atol(argv[2]) : 1;
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    signal_word = shmem_calloc(1, sizeof *signal_word);
    source = malloc(MOST + 8);
    got = malloc(MOST + 8);
    for (int pe = 0; pe < n_pes && pe < MAX_PES; pe++) {
        area[pe] = shmem_malloc(MOST + 8);
        words[pe] = shmem_calloc(WORDS, sizeof *words[pe]);
    }
    CHECK(source && got && n_pes > 1 && n_pes <= MAX_PES && words[n_pes - 1], "no memory, or %d PEs", n_pes);
    if (check_failures)
        shmem_global_exit(1);
    shmem_barrier_all();
    for (long round = 1; round <= rounds; round++) {
        const enum complete way = (enum complete)(round % WAYS);
        send(way, round, seed);
        look(way, round, seed);
        if (check_failures)
            shmem_global_exit(1);
        shmem_sync_all(); /* no PE puts to memory that another PE still checks */
    }
    guarded(rounds / 4 + 10, seed);
    finalize();
    return check_result();
}
