/* Checks every algorithm of a collective, then times them in turns. */
#include "job.h"

#include <shmemx.h>
#include <signal.h>
#include <unistd.h>

enum { WORD = 8, STRIDE = 2, CANDIDATES = 128, MOST_ROUNDS = 31, HOPELESS = 4 };
enum { MINUTE_OF = 8 }; /* PEs of a processor for which a call may take one minute */
static const size_t most_memory = (size_t)64 << 20; /* for dest, and for source, of a PE */
static const size_t most_of_all = (size_t)4 << 30;  /* of all PEs, which may share a machine */

struct candidate {
    struct shcoll_choice choice;
    char name[SHCOLL_NAME_BYTES];
    double estimate, seconds[MOST_ROUNDS];
    long calls; /* of a batch */
    int rounds;
};

static unsigned char *dest, *source;
static char doing[256], hangs[320];

/* --- an algorithm that hangs ends the job ------------------------------------------------------------------------- */

static void give_up(int sig)
{
    (void)sig;
    _exit(write(2, hangs, strlen(hangs)) < 0 ? 2 : 1);
}

/* Minutes for one call. On an emulated network, one PE runs at a time. */
static unsigned patience(void)
{
    const long processors = shmemx_time_is_emulated() ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned at_a_time = MINUTE_OF * (processors < 1 ? 1 : (unsigned)processors);
    return ((unsigned)shmem_n_pes() + at_a_time - 1) / at_a_time;
}

static void begin(enum shcoll_collective collective, size_t bytes, const char *algorithm)
{
    const unsigned minutes = patience();
    snprintf(doing, sizeof doing, "%s of %zu bytes by %s", shcoll_collective_names[collective], bytes, algorithm);
    snprintf(hangs, sizeof hangs, "copal-tune: this takes more than %u minute%s: %s\n", minutes,
             minutes > 1 ? "s" : "", doing);
    signal(SIGALRM, give_up);
    alarm(60 * minutes);
}

/* --- calls and their results -------------------------------------------------------------------------------------- */

static bool adds(enum shcoll_collective collective)
{
    return collective == SHCOLL_REDUCE || collective == SHCOLL_INSCAN || collective == SHCOLL_EXSCAN;
}

/* Word i of a PE's source: sums are of whole numbers, which a double holds exactly. */
static uint64_t word_of(int pe, size_t i)
{
    return ((uint64_t)pe + 1) * 0x9e3779b97f4a7c15u ^ ((uint64_t)i + 1) * 0xc2b2ae3d27d4eb4fu;
}

static double number_of(int pe, size_t i)
{
    return (double)(word_of(pe, i) >> 44);
}

/* Members contribute different lengths to a collect, on average about the given one. */
static size_t piece_of(enum shcoll_collective collective, size_t bytes, int position)
{
    const size_t part = bytes / 2 / WORD * WORD;
    return collective != SHCOLL_COLLECT ? bytes : position % 2 == 0 ? bytes - part : bytes + part;
}

static struct shcoll_call call_of(enum shcoll_collective collective, size_t bytes)
{
    struct shcoll_call c = {.dest = dest, .source = source, .n = piece_of(collective, bytes, all->me), .size = 1};
    if (collective == SHCOLL_ALLTOALLS) {
        c.n = bytes / WORD, c.size = WORD;
        c.dst = c.sst = STRIDE;
    } else if (adds(collective)) {
        c.n = bytes / WORD, c.size = WORD;
        c.op = SHCOLL_OP(SUM, double);
        c.exclusive = collective == SHCOLL_EXSCAN;
    }
    return c;
}

/* The number of contributions of this size in dest and in source. */
static size_t pieces_in(enum shcoll_collective collective, bool in_source)
{
    const size_t size = (size_t)all->size;
    switch (collective) {
    case SHCOLL_FCOLLECT: return in_source ? 1 : size;
    case SHCOLL_COLLECT: return in_source ? 2 : size + 1;
    case SHCOLL_ALLTOALL: return size;
    case SHCOLL_ALLTOALLS: return size * STRIDE;
    default: return 1;
    }
}

static void fill_source(enum shcoll_collective collective, size_t bytes)
{
    const size_t words = pieces_in(collective, true) * bytes / WORD;
    for (size_t i = 0; i < words; i++)
        if (adds(collective))
            ((double *)(void *)source)[i] = number_of(all->me, i);
        else
            ((uint64_t *)(void *)source)[i] = word_of(all->me, i);
}

/* Whether word i of dest is the sum of the sources. */
static bool sum_is_right(enum shcoll_collective collective, size_t i)
{
    const int last = collective == SHCOLL_REDUCE ? all->size - 1 : collective == SHCOLL_INSCAN ? all->me : all->me - 1;
    double sum = 0;
    for (int position = 0; position <= last; position++)
        sum += number_of(position, i);
    return ((double *)(void *)dest)[i] == sum;
}

/* Whether contribution p of dest, which begins at word `at`, is that of member p from its word `from` on. */
static bool piece_is_right(size_t at, size_t words, int p, size_t from, size_t stride)
{
    const uint64_t *to = (const uint64_t *)(void *)dest + at;
    for (size_t i = 0; i < words; i++)
        if (to[i * stride] != word_of(p, from + i * stride))
            return false;
    return true;
}

static bool result_is_right(enum shcoll_collective collective, size_t bytes, int root)
{
    const size_t words = bytes / WORD, me = (size_t)all->me;
    size_t at = 0;
    if (collective == SHCOLL_BROADCAST)
        return piece_is_right(0, words, root, 0, 1);
    for (size_t i = 0; adds(collective) && i < words; i++)
        if (!sum_is_right(collective, i))
            return false;
    for (int p = 0; p < all->size && !adds(collective); p++) {
        const size_t piece = piece_of(collective, bytes, p) / WORD;
        if (collective == SHCOLL_ALLTOALLS
                ? !piece_is_right((size_t)p * words * STRIDE, words, p, me * words * STRIDE, STRIDE)
                : !piece_is_right(at, piece, p, collective == SHCOLL_ALLTOALL ? me * words : 0, 1))
            return false;
        at += piece;
    }
    return true;
}

/* The maximum over all PEs; a synchronization. */
static double largest(double value)
{
    static double mine, of_all;
    mine = value;
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &of_all, &mine, 1);
    return of_all;
}

/* Makes one call to check its results. */
static bool works(struct candidate *candidate, enum shcoll_collective collective, size_t bytes)
{
    bool wrong = false;
    struct shcoll_call c = call_of(collective, bytes);
    c.root = all->size - 1;
    memset(dest, 0xa5, pieces_in(collective, false) * bytes);
    begin(collective, bytes, candidate->name);
    shmem_barrier_all();
    shcoll_run(candidate->choice, all, &c);
    shmem_barrier_all();
    if (collective != SHCOLL_SYNC && !result_is_right(collective, bytes, c.root)) {
        fprintf(stderr, "copal-tune: PE %d: the result of %s is wrong\n", shmem_my_pe(), doing);
        wrong = true;
    }
    if (largest(wrong) <= 0)
        return true;
    if (shmem_my_pe() == 0)
        printf("wrong %s %d %zu %s\n", shcoll_collective_names[collective], all->size, bytes, candidate->name);
    return false;
}

/* --- time --------------------------------------------------------------------------------------------------------- */

/* The maximum over all PEs, after their earlier operations are complete. */
static double agreed(double seconds)
{
    shmem_barrier_all();
    return largest(seconds);
}

/* Emulated seconds of a call, from the simultaneous start until the last PE has returned. Connections exist already
 * (works). Calls take the same time, except a call that must wait for space in a ring of buffers: hence the median. The
 * PEs start together, some time after the last of them has returned from the previous call. */
static double emulated(struct candidate *candidate, enum shcoll_collective collective, size_t bytes)
{
    enum { CALLS = 3 };
    const double pause = 1e-3;
    double seconds[CALLS], done = agreed(shmemx_clock());
    for (int i = 0; i < CALLS; i++) {
        struct shcoll_call c = call_of(collective, bytes);
        const double start = done + pause;
        shmemx_compute(start - shmemx_clock());
        shcoll_run(candidate->choice, all, &c);
        done = agreed(shmemx_clock());
        seconds[i] = done - start;
    }
    return median(seconds, CALLS);
}

/* Seconds of a call, in a batch of calls. The root changes, so each PE must receive before it can send. */
static double batch(const struct candidate *candidate, enum shcoll_collective collective, size_t bytes, long calls)
{
    struct shcoll_call c = call_of(collective, bytes);
    shmem_barrier_all();
    const double start = now();
    for (long i = 0; i < calls; i++) {
        c.root = collective == SHCOLL_BROADCAST ? (int)(i % all->size) : 0;
        shcoll_run(candidate->choice, all, &c);
    }
    shcoll_sync(all);
    return (now() - start) / (double)calls;
}

/* A hopeless algorithm gets one round. */
static void plan_rounds(struct candidate *candidate, enum shcoll_collective collective, size_t bytes,
                        struct effort effort, double *best)
{
    candidate->estimate = batch(candidate, collective, bytes, 1);
    for (int i = 0; i < 2; i++) {
        const double again = batch(candidate, collective, bytes, 1);
        candidate->estimate = again < candidate->estimate ? again : candidate->estimate;
    }
    const double calls = effort.seconds / candidate->estimate;
    candidate->calls = told_by_0(calls < 1 ? 1 : calls > 10000 ? 10000 : (long)calls);
    *best = candidate->estimate < *best ? candidate->estimate : *best;
    candidate->rounds = (int)told_by_0(candidate->estimate > HOPELESS * *best ? 1 : effort.rounds);
}

static void time_all(struct candidate *candidates, int n, enum shcoll_collective collective, size_t bytes,
                     struct effort effort)
{
    double best = 1e9;
    for (int i = 0; i < n && shmemx_time_is_emulated(); i++) {
        begin(collective, bytes, candidates[i].name);
        candidates[i].rounds = 1;
        candidates[i].seconds[0] = emulated(&candidates[i], collective, bytes);
    }
    for (int i = 0; i < n && !shmemx_time_is_emulated(); i++) {
        begin(collective, bytes, candidates[i].name);
        plan_rounds(&candidates[i], collective, bytes, effort, &best);
    }
    for (int round = 0; round < effort.rounds && !shmemx_time_is_emulated(); round++)
        for (int i = 0; i < n; i++)
            if (round < candidates[i].rounds) {
                begin(collective, bytes, candidates[i].name);
                candidates[i].seconds[round] = batch(&candidates[i], collective, bytes, candidates[i].calls);
            }
    alarm(0);
}

/* --- a collective ------------------------------------------------------------------------------------------------- */

/* Whether the model predicts more than `most` times the time of the cheapest: emulated calls may take minutes. */
static bool is_hopeless(struct shcoll_choice choice, enum shcoll_collective collective, size_t bytes, double most)
{
    const struct shcoll_shape shape = shape_of(all);
    if (most <= 0)
        return false;
    return shcoll_predicted(collective, choice, &shape, bytes) >
           most * shcoll_predicted(collective, shcoll_cheapest(collective, &shape, bytes), &shape, bytes);
}

static int add_candidate(struct candidate *candidates, int n, struct shcoll_choice choice,
                         enum shcoll_collective collective, size_t bytes, double most)
{
    const struct shcoll_call c = call_of(collective, bytes);
    char sentence[SHCOLL_SENTENCE_BYTES];
    if (n == CANDIDATES || shcoll_refuses(choice, all, &c, sentence) || is_hopeless(choice, collective, bytes, most))
        return n;
    candidates[n].choice = choice;
    shcoll_name(choice, candidates[n].name);
    return n + works(&candidates[n], collective, bytes);
}

static void measure_size(enum shcoll_collective collective, size_t bytes, struct effort effort)
{
    static struct candidate candidates[CANDIDATES];
    struct shcoll_choice at;
    int n = 0;
    fill_source(collective, bytes);
    for (int i = 0; (at = shcoll_algorithm_number(collective, i)).algorithm; i++) {
        n = add_candidate(candidates, n, at, collective, bytes, effort.most);
        for (int k = 2; at.k && k <= MOST_RADIX && k < all->size; k *= 2)
            if (k != at.k)
                n = add_candidate(candidates, n, (struct shcoll_choice){at.algorithm, k}, collective, bytes,
                                  effort.most);
    }
    time_all(candidates, n, collective, bytes, effort);
    if (shmem_my_pe() != 0)
        return;
    char name[SHCOLL_NAME_BYTES];
    shcoll_name(shcoll_chosen(all, collective, bytes), name);
    printf("chosen %s %d %zu %s\n", shcoll_collective_names[collective], all->size, bytes, name);
    for (int i = 0; i < n; i++)
        printf("time %s %d %zu %s %.4g\n", shcoll_collective_names[collective], all->size, bytes, candidates[i].name,
               median(candidates[i].seconds, candidates[i].rounds));
    fflush(stdout);
}

/* The next size of a sweep, including the sizes where an algorithm ends. */
static size_t next_size(enum shcoll_collective collective, size_t bytes, size_t next)
{
    struct shcoll_choice at;
    for (int i = 0; (at = shcoll_algorithm_number(collective, i)).algorithm; i++) {
        const size_t end = at.algorithm->most_bytes / WORD * WORD;
        if (end > bytes && end < next)
            next = end;
    }
    return next;
}

void measure(enum shcoll_collective collective, size_t least, size_t most, int factor, struct effort effort)
{
    const size_t pieces = pieces_in(collective, false);
    const size_t pes = (size_t)all->size, room = most_of_all / pes < most_memory ? most_of_all / pes : most_memory;
    size_t bytes = least, power = least;
    while (most * pieces > room)
        most /= 2;
    if (effort.rounds > MOST_ROUNDS)
        effort.rounds = MOST_ROUNDS;
    dest = symmetric((most + WORD) * pieces);
    source = symmetric((most + WORD) * pieces_in(collective, true));
    while (bytes <= most) {
        measure_size(collective, bytes, effort);
        if (collective == SHCOLL_SYNC)
            break;
        if (bytes == power)
            power *= (size_t)factor;
        bytes = next_size(collective, bytes, power);
    }
    shmem_free(source);
    shmem_free(dest);
}
