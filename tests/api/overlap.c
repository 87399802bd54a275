/* Nonblocking puts and gets whose data a helper thread copies (SHMEM_NBI_NODE=overlap, which this program sets). Tests
 * each form of put and get, and each routine that must wait for the copies. */
#include "fill.h"

#include <pthread.h>

enum { FROM = 48, SMALL = 24, BIG = 600 * 1024 / 8, MANY = 300, EACH = 700, THREADS = 3, ROUNDS = 6 };

static int me, n_pes, left, right;
static long *heap, *source; /* BIG words each; source is private */
static long static_words[BIG];
static uint64_t signal_word;
static long flag, lock_word;
static unsigned salt;

static void fill(long *words, size_t n, int from, int to)
{
    for (size_t i = 0; i < n; i++)
        words[i] = (long)pattern_to(from, to, i, salt);
}

static void check(const long *words, size_t n, int from, int to, const char *what)
{
    for (size_t i = 0; i < n; i++)
        if (words[i] != (long)pattern_to(from, to, i, salt)) {
            CHECK(false, "PE %d: %s: word %zu of %zu from PE %d is %lx", me, what, i, n, from, (unsigned long)words[i]);
            return;
        }
}

static void next(void)
{
    salt++;
    shmem_barrier_all();
}

/* --- every form --------------------------------------------------------------------------------------------------- */

typedef void move_fn(void *dest, const void *from, size_t nelems, int pe);
typedef void ctx_move_fn(shmem_ctx_t ctx, void *dest, const void *from, size_t nelems, int pe);
struct row {
    struct elem elem;
    move_fn *put, *get;
    ctx_move_fn *ctx_put, *ctx_get;
};
#define MOVE void *d, const void *s, size_t n, int pe
#define DEFINE(T, N) \
    static void put_##N(MOVE) { shmem_##N##_put_nbi(d, s, n, pe); } \
    static void get_##N(MOVE) { shmem_##N##_get_nbi(d, s, n, pe); }
#define CTX_DEFINE(T, N) \
    static void ctx_put_##N(shmem_ctx_t ctx, MOVE) { shmem_ctx_##N##_put_nbi(ctx, d, s, n, pe); } \
    static void ctx_get_##N(shmem_ctx_t ctx, MOVE) { shmem_ctx_##N##_get_nbi(ctx, d, s, n, pe); }
COPAL_TYPES_RMA(DEFINE)
COPAL_TYPES_RMA(CTX_DEFINE)
#define ROW(T, N) {ELEM(T, N), put_##N, get_##N, ctx_put_##N, ctx_get_##N},
#define SIZE_ROW(B) \
    {SIZE_ELEM(B), shmem_put##B##_nbi, shmem_get##B##_nbi, shmem_ctx_put##B##_nbi, shmem_ctx_get##B##_nbi},
static const struct row rows[] = {COPAL_TYPES_RMA(ROW) COPAL_SIZES(SIZE_ROW)
    {MEM_ELEM, shmem_putmem_nbi, shmem_getmem_nbi, shmem_ctx_putmem_nbi, shmem_ctx_getmem_nbi}};
enum { ROWS = sizeof rows / sizeof rows[0] };

struct slots {
    _Alignas(ELEM_MAX) char data[ROWS][FROM * ELEM_MAX];
};
static struct slots put_here, get_here; /* the other PEs read get_here */

static void check_row(const struct row *r, const char *data, int from, const char *what)
{
    for (size_t i = 0; i < FROM; i++)
        CHECK(elem_is(&r->elem, data, i, pattern(from, i, salt)), "PE %d: %s of %s, element %zu", me, what,
              r->elem.name, i);
}

static void forms(const struct place *place)
{
    static struct slots from, got;
    next();
    for (unsigned r = 0; r < ROWS; r++)
        for (size_t i = 0; i < FROM; i++) {
            set_elem(&rows[r].elem, from.data[r], i, pattern(me, i, salt));
            set_elem(&rows[r].elem, get_here.data[r], i, pattern(me, i, salt));
        }
    shmem_barrier_all();
    const int to = pe_in(place, right), of = pe_in(place, left);
    for (unsigned r = 0; r < ROWS; r++) {
        if (place->plain) {
            rows[r].put(put_here.data[r], from.data[r], FROM, to);
            rows[r].get(got.data[r], get_here.data[r], FROM, of);
        } else {
            rows[r].ctx_put(place->ctx, put_here.data[r], from.data[r], FROM, to);
            rows[r].ctx_get(place->ctx, got.data[r], get_here.data[r], FROM, of);
        }
    }
    shmem_ctx_quiet(place->ctx);
    for (unsigned r = 0; r < ROWS; r++)
        check_row(&rows[r], got.data[r], left, place->name);
    memset(&from, 0, sizeof from); /* the source may be reused */
    shmem_sync_all();
    for (unsigned r = 0; r < ROWS; r++)
        check_row(&rows[r], put_here.data[r], left, place->name);
}

/* --- completion and order ----------------------------------------------------------------------------------------- */

/* The PE starts more operations than the helper's queue holds. After a quiet, it may overwrite the source. */
static void many(void)
{
    long *all = shmem_malloc(MANY * EACH * sizeof *all), *mine = malloc(MANY * EACH * sizeof *mine);
    for (int round = 0; round < ROUNDS; round++) {
        next();
        fill(mine, MANY * EACH, me, right);
        for (int i = 0; i < MANY; i++)
            shmem_long_put_nbi(all + i * EACH, mine + i * EACH, EACH, right);
        shmem_quiet();
        memset(mine, 0, MANY * EACH * sizeof *mine);
        shmem_sync_all();
        check(all, MANY * EACH, left, me, "many puts");
        shmem_sync_all();
        for (int i = 0; i < MANY; i++)
            shmem_long_get_nbi(mine + i * EACH, all + i * EACH, EACH, right);
        shmem_quiet();
        check(mine, MANY * EACH, me, right, "many gets");
    }
    shmem_free(all);
    free(mine);
}

static void await(long value)
{
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, value);
}

/* Each time, the PE orders or completes its put in another way, and then sets a flag or signal at the target. When the
 * target sees it, all data must be there. */
static void order(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        next();
        fill(source, BIG, me, right);
        shmem_long_put_nbi(heap, source, BIG, right);
        shmem_fence();
        shmem_long_p(&flag, salt, right);
        await(salt);
        check(heap, BIG, left, me, "a put before a fence");
        next();

        fill(source, BIG, me, right);
        shmem_long_put_nbi(static_words, source, BIG, right);
        shmem_fence();
        shmem_long_put_nbi(&flag, &(long){salt}, 1, right);
        await(salt);
        check(static_words, BIG, left, me, "a put to statics before a fence");
        next();

        fill(source, BIG, me, right);
        shmem_long_put_nbi(heap, source, BIG, right);
        shmem_barrier_all();
        check(heap, BIG, left, me, "a put before a barrier");
        next();

        fill(source, BIG, me, right);
        const int sig_op = round % 2 ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET;
        const uint64_t before = signal_word;
        shmem_sync_all();
        shmem_long_put_signal_nbi(heap, source, BIG, &signal_word, round % 2 ? 3 : salt, sig_op, right);
        shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, round % 2 ? before + 3 : salt);
        check(heap, BIG, left, me, "a put with a signal");
        shmem_quiet();
        next();

        fill(source, BIG, me, right);
        shmem_long_put_nbi(heap, source, BIG, right);
        shmem_pe_quiet(&right, 1);
        shmem_long_atomic_set(&flag, salt, right);
        await(salt);
        check(heap, BIG, left, me, "a put before pe_quiet");
    }
}

/* The PEs take turns: a PE gets all words of PE 0, adds to them and puts them back. The next PE gets the sums, because
 * shmem_clear_lock completes the put. */
static void under_lock(void)
{
    next();
    memset(heap, 0, BIG * sizeof *heap);
    shmem_barrier_all();
    for (int turn = 0; turn < ROUNDS; turn++) {
        shmem_set_lock(&lock_word);
        shmem_long_get_nbi(source, heap, BIG, 0);
        shmem_quiet();
        for (int i = 0; i < BIG; i++)
            source[i] += i;
        shmem_long_put_nbi(heap, source, BIG, 0);
        shmem_clear_lock(&lock_word);
    }
    shmem_barrier_all();
    for (int i = 0; me == 0 && i < BIG; i++)
        if (heap[i] != (long)n_pes * ROUNDS * i) {
            CHECK(false, "word %d is %ld after %d additions under a lock", i, heap[i], n_pes * ROUNDS);
            break;
        }
}

static void contexts(void)
{
    shmem_ctx_t ctx[2];
    if (shmem_ctx_create(0, &ctx[0]) || shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx[1]))
        shmem_global_exit(1);
    for (int round = 0; round < ROUNDS; round++) {
        const int with_quiet = round % 2; /* the context that gets a quiet; the other gets a fence */
        long *const to[2] = {heap, static_words}, *back = malloc(BIG * sizeof *back);
        next();
        fill(source, BIG, me, right);
        for (int c = 0; c < 2; c++)
            shmem_ctx_long_put_nbi(ctx[c], to[c], source, BIG, right);
        shmem_ctx_quiet(ctx[with_quiet]);
        shmem_long_get(back, to[with_quiet], BIG, right);
        check(back, BIG, me, right, "a put before shmem_ctx_quiet");
        shmem_ctx_fence(ctx[!with_quiet]); /* waits for the context's copies (docs/nonblocking.md) */
        shmem_long_get(back, to[!with_quiet], BIG, right);
        check(back, BIG, me, right, "a put before shmem_ctx_fence");
        free(back);
    }
    next();
    fill(source, BIG, me, right);
    shmem_ctx_long_put_nbi(ctx[0], heap, source, BIG, right);
    shmem_ctx_destroy(ctx[0]);
    memset(source, 0, BIG * sizeof *source);
    shmem_sync_all();
    check(heap, BIG, left, me, "a put before shmem_ctx_destroy");
    shmem_ctx_destroy(ctx[1]);
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

enum { SHARE = BIG / THREADS };

static void *communicate(void *arg)
{
    const int number = *(int *)arg;
    long *mine = malloc(SHARE * sizeof *mine), *there = heap + number * SHARE;
    for (int round = 0; round < ROUNDS; round++) {
        const unsigned own = salt + (unsigned)(number * ROUNDS + round);
        for (int i = 0; i < SHARE; i++)
            mine[i] = (long)pattern_to(me, right, (size_t)i, own);
        for (int i = 0; i < SHARE; i += 1000)
            shmem_long_put_nbi(there + i, mine + i, SHARE - i < 1000 ? (size_t)(SHARE - i) : 1000, right);
        shmem_quiet();
        memset(mine, 0, SHARE * sizeof *mine);
        shmem_long_get_nbi(mine, there, SHARE, right);
        shmem_quiet();
        for (int i = 0; i < SHARE; i++)
            if (mine[i] != (long)pattern_to(me, right, (size_t)i, own)) {
                CHECK(false, "PE %d, thread %d, round %d: word %d", me, number, round, i);
                break;
            }
    }
    free(mine);
    return NULL;
}

static void threads(void)
{
    pthread_t thread[THREADS];
    int number[THREADS];
    next();
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        pthread_create(&thread[i], NULL, communicate, &number[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}

/* From shmem_init_thread to shmem_finalize, which ends the helper; the second session starts another. */
static void session(void)
{
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    left = (me + n_pes - 1) % n_pes;
    right = (me + 1) % n_pes;
    heap = shmem_malloc(BIG * sizeof *heap);
    struct place places[PLACES];
    open_places(places);
    for (int i = 0; i < PLACES; i++)
        forms(&places[i]);
    many();
    order();
    under_lock();
    contexts();
    threads();
    next();
    fill(source, BIG, me, right);
    shmem_ctx_long_put_nbi(places[2].ctx, static_words, source, BIG, right);
    shmem_finalize(); /* completes pending operations of all contexts; statics keep their values */
    check(static_words, BIG, left, me, "a put before shmem_finalize");
}

int main(void)
{
    setenv("SHMEM_NBI_NODE", "overlap:32", 1); /* from 32 bytes on, so that most operations are queued */
    source = malloc(BIG * sizeof *source);
    session();
    session();
    free(source);
    return check_result();
}
