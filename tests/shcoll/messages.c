/* Counts the messages between nodes of each collective, and compares the count with its allowed maximum.
 *
 * usage: messages SIZE [list [COLLECTIVE]] */
/* pes: 4 6 16 */
/* args: 1 */
/* args: 2 */
/* args: 3 */
/* args: 4 */

/* SIZE PEs are treated as one node, within which shmem_ptr works; between nodes it returns NULL, and routines of the
 * profiling interface in front of the library count each call as the messages that a network would need. All PEs
 * really are on one node and all operations work, so the counts depend neither on a network nor on time. With list
 * nothing is checked, and the counts of all algorithms are printed.
 *
 * A put, an atomic that fetches nothing, and a put with signal are one message each; a get or an atomic that fetches
 * is two. Small nonblocking puts travel with the next message to the same PE. A quiet costs two messages, there and
 * back, for each PE that was a target of data since the last quiet; signals need none, because their receiver waits
 * for them. */
#define COPAL_NO_GENERICS
#include <pshmem.h>
#include <shcoll.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"

enum { MOST_PES = 64, SMALL = 4096, CALLS = 128 };

/* --- the count ---------------------------------------------------------------------------------------------------- */

static int node_size = 1;
static struct {
    long messages, flushes;
    unsigned long long bytes;
    bool written[MOST_PES]; /* this PE has put data there that no quiet has waited for */
    bool delayed[MOST_PES]; /* small nonblocking puts that have not been sent */
} counted;

static bool is_near(int pe)
{
    return pe / node_size == pshmem_my_pe() / node_size;
}

static void message(int pe, size_t bytes)
{
    if (is_near(pe))
        return;
    counted.messages++;
    counted.bytes += bytes;
    counted.delayed[pe] = false;
}

static void data(int pe, size_t bytes)
{
    message(pe, bytes);
    counted.written[pe] = !is_near(pe);
}

static void data_nbi(int pe, size_t bytes)
{
    if (bytes > SMALL) {
        data(pe, bytes);
    } else if (!is_near(pe)) {
        counted.bytes += bytes;
        counted.written[pe] = counted.delayed[pe] = true;
    }
}

static void round_trip(int pe, size_t bytes)
{
    message(pe, 0);
    if (!is_near(pe))
        counted.messages++, counted.bytes += bytes;
}

static void send_delayed(void)
{
    for (int pe = 0; pe < MOST_PES; pe++)
        if (counted.delayed[pe])
            message(pe, 0);
}

void shmem_quiet(void)
{
    send_delayed();
    for (int pe = 0; pe < MOST_PES; pe++)
        counted.flushes += 2 * counted.written[pe];
    memset(counted.written, 0, sizeof counted.written);
    pshmem_quiet();
}

void shmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t value)
{
    send_delayed();
    pshmem_uint64_wait_until(ivar, cmp, value);
}

void *shmem_ptr(const void *dest, int pe)
{
    return is_near(pe) ? pshmem_ptr(dest, pe) : NULL;
}

/* Counts the call, and calls the library's routine. */
#define SENDS(NOTE, NAME, ARGS, ...) void shmem_##NAME ARGS { NOTE; pshmem_##NAME(__VA_ARGS__); }
#define FETCHES(T, NAME, ARGS, ...) T shmem_##NAME ARGS \
    { round_trip(pe, sizeof(T)); return pshmem_##NAME(__VA_ARGS__); }
SENDS(if (n) data(pe, n), putmem, (void *dest, const void *source, size_t n, int pe), dest, source, n, pe)
SENDS(if (n) data_nbi(pe, n), putmem_nbi, (void *dest, const void *source, size_t n, int pe), dest, source, n, pe)
SENDS(message(pe, n), putmem_signal,
      (void *dest, const void *source, size_t n, uint64_t *signal, uint64_t value, int op, int pe),
      dest, source, n, signal, value, op, pe)
SENDS(message(pe, n), putmem_signal_nbi,
      (void *dest, const void *source, size_t n, uint64_t *signal, uint64_t value, int op, int pe),
      dest, source, n, signal, value, op, pe)
SENDS(if (n) round_trip(pe, n), getmem, (void *dest, const void *source, size_t n, int pe), dest, source, n, pe)
SENDS(if (n) round_trip(pe, n), getmem_nbi, (void *dest, const void *source, size_t n, int pe), dest, source, n, pe)
SENDS(message(pe, sizeof value), uint64_p, (uint64_t *dest, uint64_t value, int pe), dest, value, pe)
FETCHES(uint64_t, uint64_g, (const uint64_t *source, int pe), source, pe)
SENDS(message(pe, sizeof *dest), ulonglong_atomic_inc, (unsigned long long *dest, int pe), dest, pe)
FETCHES(unsigned long long, ulonglong_atomic_fetch_inc, (unsigned long long *dest, int pe), dest, pe)
FETCHES(unsigned long long, ulonglong_atomic_fetch_add, (unsigned long long *dest, unsigned long long value, int pe),
        dest, value, pe)
FETCHES(unsigned long long, ulonglong_atomic_swap, (unsigned long long *dest, unsigned long long value, int pe),
        dest, value, pe)

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* A call: a collective, its number of bytes, and an algorithm or the library's choice. */
struct subject {
    enum shcoll_collective what;
    struct shcoll_choice by; /* .algorithm is NULL: the public routine, which chooses */
    size_t bytes;
    bool barrier, telling, is_pSync; /* kinds of syncs */
    uint64_t word;                   /* the word of a sync that transfers words */
};

static char *source, *dest;
static long pSyncs[2][SHCOLL_SYNC_SIZE];
static struct shcoll_group *world;

static void call(const struct subject *s, struct shcoll_group *g)
{
    const bool is_reduction = s->what == SHCOLL_REDUCE || s->what == SHCOLL_INSCAN || s->what == SHCOLL_EXSCAN;
    struct shcoll_call c = {
        .dest = dest, .source = source, .n = s->bytes, .size = 1, .exclusive = s->what == SHCOLL_EXSCAN};
    if (is_reduction)
        c.n = s->bytes / 8, c.size = 8, c.op = SHCOLL_OP(SUM, uint64_t);
    if (s->what == SHCOLL_ALLTOALLS)
        c.n = s->bytes / 8, c.size = 8, c.dst = c.sst = 1;
    if (s->by.algorithm) {
        shcoll_run(s->by, g, &c);
        return;
    }
    switch (s->what) {
    case SHCOLL_SYNC:
        s->barrier ? shcoll_barrier(g) : s->telling ? (void)shcoll_sync_telling(g, s->word) : shcoll_sync(g);
        break;
    case SHCOLL_BROADCAST: shcoll_broadcast(g, dest, source, c.n, 0); break;
    case SHCOLL_FCOLLECT: shcoll_fcollect(g, dest, source, c.n); break;
    case SHCOLL_COLLECT: shcoll_collect(g, dest, source, c.n); break;
    case SHCOLL_ALLTOALL: shcoll_alltoall(g, dest, source, c.n); break;
    case SHCOLL_ALLTOALLS: shcoll_alltoalls(g, dest, source, 1, 1, c.n, 8); break;
    case SHCOLL_REDUCE: shcoll_reduce(g, dest, source, c.n, c.op); break;
    case SHCOLL_INSCAN: shcoll_inscan(g, dest, source, c.n, c.op); break;
    case SHCOLL_EXSCAN: shcoll_exscan(g, dest, source, c.n, c.op); break;
    case SHCOLL_COLLECTIVES: break;
    }
}

/* Messages of all PEs for one call: the mean of several calls, since only some broadcasts are acknowledged. */
struct count {
    double messages, flushes, kilobytes;
};

static struct count count(const struct subject *s)
{
    static double mine[3], all[3];
    memset(pSyncs, 0, sizeof pSyncs);
    pshmem_barrier_all();
    memset(&counted, 0, sizeof counted);
    for (int i = 0; i < CALLS; i++) {
        struct shcoll_group set = shcoll_active_set(0, 0, pshmem_n_pes(), pSyncs[0]);
        if (s->is_pSync && i > 0)
            pshmem_sync_all();
        call(s, s->is_pSync ? &set : world);
    }
    mine[0] = (double)counted.messages, mine[1] = (double)counted.flushes, mine[2] = (double)counted.bytes / 1024;
    pshmem_double_sum_reduce(SHMEM_TEAM_WORLD, all, mine, 3);
    return (struct count){all[0] / CALLS, all[1] / CALLS, all[2] / CALLS};
}

static const char *name_of(const struct subject *s, char *text)
{
    if (!s->by.algorithm && s->barrier)
        return "barrier";
    if (!s->by.algorithm && s->telling)
        return "sync telling";
    if (!s->by.algorithm) {
        char chosen[SHCOLL_NAME_BYTES];
        snprintf(text, 2 * SHCOLL_NAME_BYTES, "chosen: %s",
                 shcoll_name(shcoll_chosen(world, s->what, s->bytes), chosen));
        return text;
    }
    return shcoll_name(s->by, text);
}

static void list_one(const struct subject *s)
{
    char text[2 * SHCOLL_NAME_BYTES];
    const struct count c = count(s);
    if (pshmem_my_pe() == 0)
        printf("%-10s %7zu %-44s %9.1f %9.1f %9.1f\n", shcoll_collective_names[s->what], s->bytes, name_of(s, text),
               c.messages, c.flushes, c.kilobytes);
}

static void list(const char *wanted)
{
    static const size_t sizes[] = {8, 1024, 65536};
    if (pshmem_my_pe() == 0)
        printf("%-10s %7s %-44s %9s %9s %9s\n", "collective", "bytes", "algorithm", "messages", "flushes", "KiB");
    for (enum shcoll_collective what = 0; what < SHCOLL_COLLECTIVES; what++) {
        if (wanted && strcmp(wanted, shcoll_collective_names[what]) != 0)
            continue;
        for (int size = 0; size < (what == SHCOLL_SYNC ? 1 : 3); size++) {
            struct subject s = {.what = what, .bytes = what == SHCOLL_SYNC ? 0 : sizes[size]};
            list_one(&s);
            for (int i = 0; what == SHCOLL_SYNC && i < 2; i++)
                list_one(&(struct subject){.what = what, .barrier = i == 0, .telling = i == 1, .word = 7});
            for (int i = 0; (s.by = shcoll_algorithm_number(what, i)).algorithm; i++) {
                char text[SHCOLL_SENTENCE_BYTES];
                const struct shcoll_call c = {.n = s.bytes, .size = 1, .op = SHCOLL_OP(SUM, uint64_t)};
                if (!shcoll_refuses(s.by, world, &c, text))
                    list_one(&s);
            }
        }
    }
}

/* --- the maximum -------------------------------------------------------------------------------------------------- */

static double rounds_of(int n)
{
    int rounds = 0;
    while (1 << rounds < n)
        rounds++;
    return rounds;
}

/* Messages by which all nodes' leaders signal all leaders: directly if they are few, otherwise in rounds. */
static double among(int nodes)
{
    return nodes < 8 ? nodes * (nodes - 1) : nodes * rounds_of(nodes);
}

static void at_most(struct subject s, const char *name, double most)
{
    char text[2 * SHCOLL_NAME_BYTES];
    if (name)
        s.by = shcoll_find(s.what, name);
    const struct count c = count(&s);
    CHECK(c.messages + c.flushes <= most, "%s of %zu bytes, %s: %.2f messages and %.2f for flushes, at most %.2f",
          shcoll_collective_names[s.what], s.bytes, name_of(&s, text), c.messages, c.flushes, most);
    const double n = pshmem_n_pes();
    CHECK(node_size == 1 || most < n * rounds_of((int)n), "%.2f messages for %.0f PEs are no fewer than PEs x log PEs",
          most, n);
}

/* A sync's word needs no message of its own if the sync sends a message to the next member anyway. */
static void check_word_is_free(void)
{
    const struct shcoll_algorithm *chosen = shcoll_chosen(world, SHCOLL_SYNC, 0).algorithm;
    if (chosen != shcoll_find(SHCOLL_SYNC, "dissemination").algorithm &&
        chosen != shcoll_find(SHCOLL_SYNC, "two_level").algorithm &&
        chosen != shcoll_find(SHCOLL_SYNC, "two_level_tree").algorithm)
        return;
    const struct subject plain = {.what = SHCOLL_SYNC};
    struct subject telling = {.what = SHCOLL_SYNC, .telling = true};
    for (telling.word = 0; telling.word <= 7; telling.word += 7) {
        const double least = count(&plain).messages;
        const struct count c = count(&telling);
        CHECK(c.messages + c.flushes <= least,
              "a sync that carries %d: %.2f messages and %.2f for flushes, a sync takes %.2f", (int)telling.word,
              c.messages, c.flushes, least);
    }
}

/* The limit for an algorithm by name, and for the chosen algorithm; one broadcast of 128 is acknowledged. */
static void check_bounds(void)
{
    const int n = pshmem_n_pes(), nodes = (n + node_size - 1) / node_size;
    const double all = among(nodes), broadcast = (nodes - 1) * (1 + 1 / 128.0);
    const bool has_lanes = nodes > 1 && node_size > 1 && n % node_size == 0, two_levels = nodes > 1 && node_size > 1;
    at_most((struct subject){.what = SHCOLL_SYNC}, "two_level", all);
    at_most((struct subject){.what = SHCOLL_SYNC}, "two_level_tree", 2 * (nodes - 1));
    at_most((struct subject){.what = SHCOLL_BROADCAST, .bytes = 8}, "two_level:signal",
            broadcast);
    at_most((struct subject){.what = SHCOLL_REDUCE, .bytes = 8}, "two_level:slots", all);
    if (nodes == 4) /* the data is too large for slots for all other leaders */
        at_most((struct subject){.what = SHCOLL_REDUCE, .bytes = 4096}, "two_level:slots", nodes * rounds_of(nodes));
    at_most((struct subject){.what = SHCOLL_INSCAN, .bytes = 8}, "two_level:slots", all);
    at_most((struct subject){.what = SHCOLL_EXSCAN, .bytes = 1024}, "two_level:slots", nodes < 8 ? all : 2 * all);
    at_most((struct subject){.what = SHCOLL_FCOLLECT, .bytes = 65536}, "two_level:signal", nodes < 8 ? all : 2 * all);
    if (node_size == 1) /* within a node, such data is put in blocks */
        at_most((struct subject){.what = SHCOLL_FCOLLECT, .bytes = 65536}, "all_linear:signal", n * (n - 1.0));
    for (int i = 0; i < 2 && node_size == 1 && (n & (n - 1)) == 0; i++) /* the first round puts what others read */
        at_most((struct subject){.what = SHCOLL_REDUCE, .bytes = 65536},
                i ? "rabenseifner:get" : "recursive_doubling:get", n * (4 * rounds_of(n) - 1));
    if (has_lanes) {
        struct subject s = {.what = SHCOLL_REDUCE, .bytes = 65536, .by = shcoll_find(SHCOLL_REDUCE, "lanes")};
        const struct count c = count(&s);
        /* the permission to put, the data, and the reply */
        CHECK(c.messages + c.flushes <= 3.0 * node_size * nodes * (nodes - 1), "lanes: %.2f messages", c.messages);
        const double twice = 2 * 64.0 * (nodes - 1);
        CHECK(c.kilobytes <= twice * 1.02, "lanes: %.1f KiB, the vector twice for each node but one is %.1f",
              c.kilobytes, twice);
    }
    check_word_is_free();
    if (!two_levels)
        return;
    at_most((struct subject){.what = SHCOLL_SYNC}, NULL, all);
    at_most((struct subject){.what = SHCOLL_SYNC, .barrier = true}, NULL, all);
    at_most((struct subject){.what = SHCOLL_BROADCAST, .bytes = 8}, NULL, broadcast);
    at_most((struct subject){.what = SHCOLL_BROADCAST, .bytes = 1024}, NULL, broadcast);
    at_most((struct subject){.what = SHCOLL_REDUCE, .bytes = 8}, NULL, all);
    at_most((struct subject){.what = SHCOLL_INSCAN, .bytes = 8}, NULL, all);
    at_most((struct subject){.what = SHCOLL_EXSCAN, .bytes = 8}, NULL, all);
    at_most((struct subject){.what = SHCOLL_FCOLLECT, .bytes = 8}, NULL, n * rounds_of(n) - 1);
    at_most((struct subject){.what = SHCOLL_COLLECT, .bytes = 8}, NULL, nodes * (nodes - 1));
    at_most((struct subject){.what = SHCOLL_ALLTOALL, .bytes = 8}, "two_level", nodes * (nodes - 1));
    at_most((struct subject){.what = SHCOLL_ALLTOALLS, .bytes = 8}, "two_level", nodes * (nodes - 1));
}

int main(int argc, char **argv)
{
    if (argc < 2 || (node_size = atoi(argv[1])) < 1) {
        fprintf(stderr, "usage: messages SIZE [list [COLLECTIVE]]\n");
        return 2;
    }
    setenv("SHCOLL_NODE_SIZE", argv[1], 1); /* read by shcoll_init */
    shmem_init();
    shcoll_init();
    const size_t most = (size_t)65536 * (size_t)pshmem_n_pes();
    world = shcoll_group_create(0, 1, pshmem_n_pes());
    source = shmem_calloc(1, most);
    dest = shmem_calloc(1, most);
    if (argc > 2) {
        list(argc > 3 ? argv[3] : NULL);
    } else {
        check_bounds();
    }
    shmem_free(dest);
    shmem_free(source);
    shcoll_group_free(world);
    const int result = check_result();
    shmem_finalize();
    return result;
}
