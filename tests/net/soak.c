/* Mixed operations between nodes against the sequential model (tests/stress/play.h), for a time.
 * usage: soak [SECONDS [SEED]]
 *
 * Small objects are allocated and freed, large objects stay allocated. Operations have 0 bytes to 2 MiB, on four
 * contexts, some in sessions. The program also uses locks and, between the phases, collectives and new contexts. In
 * most phases one PE of each node computes, and calls the library again only when the others have completed their
 * accesses to its memory. */
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "../stress/play.h"

enum { LARGE = 3, LOCKS = 4, COLL_MOST = 4000, PATIENCE = 240 };

static int node_of[MAX_PES]; /* for each PE, the first PE of its node */
static long locks[LOCKS], guarded[LOCKS], locked[LOCKS], locked_by_all[LOCKS];
static uint64_t served; /* all other PEs add to it while this PE computes */
static uint64_t served_expected;
static long coll_source[MAX_PES * COLL_MOST], coll_dest[MAX_PES * COLL_MOST];
static bool in_session[CTXS], thread_serves = true;
static long operations;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void find_nodes(void)
{
    static int mine, all[MAX_PES];
    mine = me;
    while (mine > 0 && shmem_ptr(&mine, mine - 1))
        mine--;
    shmem_int_fcollect(SHMEM_TEAM_WORLD, all, &mine, 1);
    memcpy(node_of, all, sizeof node_of);
}

/* Chooses the PEs that compute in this phase, the same on all PEs. */
static void choose_idle(uint64_t seed)
{
    uint64_t rng = seed ^ (uint64_t)phase * 77;
    int busy = 0;
    for (int first = 0, next_first; first < n_pes; first = next_first) {
        for (next_first = first; next_first < n_pes && node_of[next_first] == first; next_first++)
            idle[next_first] = false;
        const size_t many = (size_t)(next_first - first);
        if (below(&rng, many == 1 ? 3 : 4) == 0 || many > 1)
            idle[first + (int)below(&rng, many)] = phase % 4 != 0;
    }
    for (int pe = 0; pe < n_pes; pe++)
        busy += !idle[pe];
    if (busy == 0)
        idle[phase % n_pes] = false;
}

/* Computes, and polls plain memory, until all working PEs have completed their accesses here. */
static void compute(void)
{
    const double begin = seconds();
    volatile double sum = 0;
    while (__atomic_load_n(&served, __ATOMIC_ACQUIRE) < served_expected) {
        for (int i = 1; i < 10000; i++)
            sum = sum + 1.0 / i;
        if (phase % 2)
            usleep(1000); /* releases the processor for other PEs */
        if (seconds() > begin + PATIENCE) {
            CHECK(false, "phase %d: PE %d computes, and in %d s has been served %llu times instead of %llu", phase, me,
                  PATIENCE, (unsigned long long)served, (unsigned long long)served_expected);
            shmem_global_exit(1);
        }
        if (!thread_serves)
            return;
    }
}

static void lock_and_count(void)
{
    const int k = (int)below(&choices, LOCKS), home = k % n_pes;
    if (below(&choices, 2))
        shmem_set_lock(&locks[k]);
    else
        while (shmem_test_lock(&locks[k]))
            sched_yield();
    shmem_long_p(&guarded[k], shmem_long_g(&guarded[k], home) + 1, home);
    shmem_clear_lock(&locks[k]);
    locked[k]++;
}

static void change_session(void)
{
    const int c = (int)below(&choices, CTXS);
    const shmem_ctx_session_config_t config = {.total_ops = below(&choices, 100)};
    if (in_session[c])
        shmem_ctx_session_stop(ctxs[c]);
    else
        shmem_ctx_session_start(ctxs[c], below(&choices, 3) ? SHMEM_CTX_SESSION_BATCH : 0, &config,
                                below(&choices, 2) ? SHMEM_CTX_SESSION_TOTAL_OPS : 0);
    in_session[c] = !in_session[c];
}

/* Called after each operation of this PE. */
static void something_else(int number)
{
    (void)number;
    operations++;
    const size_t dice = below(&choices, 400);
    if (dice < 4)
        lock_and_count();
    else if (dice < 14)
        change_session();
    else if (dice < 20)
        shmem_ctx_fence(ctxs[below(&choices, CTXS)]);
    else if (dice < 24)
        quiet_some((int)below(&choices, CTXS), (int)below(&choices, (size_t)n_pes));
    else if (dice == 24)
        usleep((useconds_t)below(&choices, 5000)); /* late on purpose */
}

static void end_sessions(void)
{
    for (int c = 0; c < CTXS; c++)
        if (in_session[c])
            shmem_ctx_session_stop(ctxs[c]);
    memset(in_session, 0, sizeof in_session);
}

static void open_contexts(void)
{
    static const long options[] = {0, SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED};
    int failed = 0;
    ctxs[0] = SHMEM_CTX_DEFAULT;
    for (int c = 1; c < CTXS; c++)
        failed += shmem_ctx_create(options[(c + phase / 16) % 3], &ctxs[c]);
    CHECK(!failed, "no contexts");
    if (failed)
        shmem_global_exit(1);
}

static void close_contexts(void)
{
    for (int c = 1; c < CTXS; c++)
        shmem_ctx_destroy(ctxs[c]);
}

static long element(int from, int to, size_t i)
{
    return (long)(pattern_to(from, to, i, (unsigned)phase) >> 8);
}

/* One collective, whose number of elements depends on the phase's number. */
static void collective(uint64_t seed)
{
    uint64_t rng = seed ^ (uint64_t)phase * 131;
    const size_t n = 1 + below(&rng, below(&rng, 2) ? 20 : COLL_MOST);
    const int root = (int)below(&rng, (size_t)n_pes), kind = (int)below(&rng, 5);
    for (size_t i = 0; i < n; i++)
        coll_source[i] = element(me, 0, i);
    for (int to = 0; to < n_pes && kind == 3; to++)
        for (size_t i = 0; i < n; i++)
            coll_source[(size_t)to * n + i] = element(me, to, i);
    switch (kind) {
    case 0: shmem_long_sum_reduce(SHMEM_TEAM_WORLD, coll_dest, coll_source, n); break;
    case 1: shmem_long_broadcast(SHMEM_TEAM_WORLD, coll_dest, coll_source, n, root); break;
    case 2: shmem_long_fcollect(SHMEM_TEAM_WORLD, coll_dest, coll_source, n); break;
    case 3: shmem_long_alltoall(SHMEM_TEAM_WORLD, coll_dest, coll_source, n); break;
    case 4: shmem_sync_all(); return;
    }
    for (size_t i = 0; i < n; i++) {
        long sum = 0;
        for (int pe = 0; pe < n_pes; pe++)
            sum += element(pe, 0, i);
        if (kind < 2)
            CHECK(coll_dest[i] == (kind == 0 ? sum : element(root, 0, i)), "phase %d: element %zu of %zu of %s", phase,
                  i, n, kind == 0 ? "a sum" : "a broadcast");
        for (int pe = 0; pe < n_pes && kind >= 2; pe++)
            CHECK(coll_dest[(size_t)pe * n + i] == element(pe, kind == 2 ? 0 : me, i),
                  "phase %d: element %zu of %zu of PE %d, %s", phase, i, n, pe, kind == 2 ? "collected" : "all to all");
    }
}

static void check_locks(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, locked_by_all, locked, LOCKS);
    for (int k = 0; k < LOCKS; k++)
        CHECK(k % n_pes != me || guarded[k] == locked_by_all[k], "phase %d: under lock %d %ld was counted, not %ld",
              phase, k, guarded[k], locked_by_all[k]);
}

/* The clock of PE 0 decides whether it continues. */
static bool goes_on(double end)
{
    static long mine, theirs;
    mine = seconds() < end;
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &theirs, &mine, 1, 0);
    return theirs;
}

static void set_up(void)
{
    static _Alignas(64) unsigned char memory[STATIC_OBJECTS][MAX_PES * 256];
    static const size_t regions[LARGE] = {((size_t)2 << 20) + 4096, 300000 / 16 * 16, 40960};
    for (int o = 0; o < STATIC_OBJECTS; o++)
        objects[o] = (struct object){.memory = memory[o], .region = 256};
    lasting = OBJECTS - LARGE;
    for (int k = 0; k < LARGE; k++) {
        struct object *object = &objects[lasting + k];
        object->region = n_pes > 8 ? regions[k] / 4 / 16 * 16 : regions[k];
        object->memory = shmem_malloc(object_size(object));
    }
    for (int o = 0; o < OBJECTS; o++)
        if (o < STATIC_OBJECTS || o >= lasting) {
            CHECK(objects[o].memory != NULL, "no memory for object %d", o);
            if (!objects[o].memory)
                shmem_global_exit(1);
            fill_object(&objects[o], 0);
        }
}

static void play_phase(uint64_t seed)
{
    int idlers = 0;
    choose_idle(seed);
    change_objects(seed);
    if (phase % 16 == 15) {
        close_contexts();
        open_contexts();
    }
    shmem_barrier_all();
    for (int pe = 0; pe < n_pes; pe++)
        idlers += idle[pe];
    served_expected += (uint64_t)(idle[me] ? n_pes - idlers : 0);
    if (idle[me])
        compute();
    for (int k = 0; k < n_pes; k++)
        play_part_of((me + k) % n_pes, seed);
    end_sessions();
    quiet_all();
    for (int pe = 0; pe < n_pes && !idle[me]; pe++)
        if (idle[pe])
            shmem_signal_add(&served, 1, pe);
    shmem_barrier_all();
    compare(seed);
    check_locks();
    collective(seed);
}

int main(int argc, char **argv)
{
    const double begin = seconds(), limit = argc > 1 ? atof(argv[1]) : 10;
    static uint64_t my_seed, seed;
    my_seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL);
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    CHECK(n_pes <= MAX_PES, "%d PEs", n_pes);
    if (check_failures)
        shmem_global_exit(1);
    const char *progress = getenv("SHMEM_PROGRESS");
    thread_serves = !progress || strcmp(progress, "none") != 0;
    shmem_uint64_broadcast(SHMEM_TEAM_WORLD, &seed, &my_seed, 1, 0);
    choices = seed + (uint64_t)me * 12345;
    beside = something_else;
    if (me == 0)
        printf("soak: seed %llu\n", (unsigned long long)seed), fflush(stdout);
    find_nodes();
    set_up();
    open_contexts();
    for (phase = 0; goes_on(begin + limit) && !check_failures; phase++)
        play_phase(seed);
    if (check_failures) {
        fprintf(stderr, "PE %d: soak %.0f %llu has gone wrong in phase %d\n", me, limit, (unsigned long long)seed,
                phase);
        shmem_global_exit(1); /* the other PEs do not know of the error */
    }
    if (me == 0)
        printf("soak: %d phases in %.1f s, PE 0 did %ld operations\n", phase, seconds() - begin, operations);
    close_contexts();
    shmem_finalize();
    return check_result();
}
