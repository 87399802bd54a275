/* Real jobs on flat.fabric take the time of closed forms: one pair, pairs that share a NIC, and algorithms from
 * the literature, written here with puts and signals, with one PE on each node.  All times are emulated, and therefore
 * the same on each machine.
 *
 * times [pair | shared | strided | algorithms | adapter | aries | efa]: pair, aries and efa need 2 nodes of one PE,
 * shared needs 2 nodes, strided needs a node of 2 PEs, adapter needs 2 nodes and SHMEM_NET_ATOMICS. aries and efa run
 * on the fabrics of these names, for which pingpongs are published; processor time costs nothing there. */
#include "../check.h"

#include <math.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <string.h>

/* flat.fabric, in seconds. */
static const double send = 0.5e-6, receive = 0.5e-6, put = 0.4e-6, get = 0.3e-6, copy_byte = 0.05e-9, byte = 0.1e-9,
                    latency = 4.5e-6;
enum { HEADERS = 120 }; /* approximate bytes of a message besides the data, for a small put with its signal */
enum { MOST = 1 << 20, FLAGS = 1024 };

static int me, n;
static uint64_t flag[FLAGS], seen[FLAGS];
static char *from, *to;

/* --- closed forms ------------------------------------------------------------------------------------------------- */

/* A put with signal in one message: the sender's time, and the time until the other PE has seen the signal. */
static double sender(double bytes)
{
    return send + copy_byte * (bytes + HEADERS);
}

static double message(double bytes)
{
    return sender(bytes) + latency + byte * (bytes + HEADERS) + receive + copy_byte * (bytes + HEADERS);
}

static double per_byte(void)
{
    return byte + 2 * copy_byte;
}

static double log_of(int base)
{
    int rounds = 0;
    for (long reached = 1; reached < n; reached *= base)
        rounds++;
    return rounds;
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

/* Emulated time also counts this program's computing. A busy machine makes it longer, so the shortest of many turns
 * counts. */
static bool computes;

/* The emulated time at which all begin. */
static double together(void)
{
    static double mine, latest;
    shmem_barrier_all();
    mine = shmemx_clock();
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &latest, &mine, 1);
    const double start = latest + 1e-3;
    shmemx_compute(start - shmemx_clock());
    const double late = shmemx_clock() - start;
    CHECK(computes || fabs(late) < 1e-9, "PE %d begins %g s late", me, late);
    return start;
}

static double last_of_all(double mine)
{
    static double source, last;
    source = mine;
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &last, &source, 1);
    return last;
}

/* Runs at least twice, because the first run makes the connections. */
static void expect(const char *what, void (*run)(size_t), size_t bytes, double expected, double percent)
{
    double took = INFINITY;
    for (int turn = 0; turn < (computes ? 30 : 2); turn++) {
        const double start = together();
        run(bytes);
        const double all = last_of_all(shmemx_clock() - start);
        took = turn ? fmin(took, all) : took;
    }
    if (me == 0) {
        printf("%-20s %5d PEs %8zu B: %10.3f us, expected %10.3f, %+.1f %%\n", what, n, bytes, took * 1e6,
               expected * 1e6, (took / expected - 1) * 100);
        CHECK(fabs(took - expected) <= percent / 100 * expected, "%s of %zu bytes: %g us, not %g us within %g %%", what,
              bytes, took * 1e6, expected * 1e6, percent);
    }
}

static void give(int pe, size_t at, size_t bytes, int which)
{
    at %= MOST; /* large blocks share their memory */
    shmem_putmem_signal(to + at, from + at, bytes, &flag[which], 1, SHMEM_SIGNAL_ADD, pe);
}

static void await(int which)
{
    shmem_signal_wait_until(&flag[which], SHMEM_CMP_GE, ++seen[which]);
}

/* --- pairs -------------------------------------------------------------------------------------------------------- */

/* TURNS round trips: after a single put the library would expect a quiet, and request a reply. */
enum { TURNS = 20 };
static void pingpong(size_t bytes)
{
    for (int i = 0; i < TURNS; i++) {
        if (me == 0)
            give(1, 0, bytes, 0);
        await(0);
        if (me == 1)
            give(0, 0, bytes, 0);
    }
}

static void put_quiet(size_t bytes)
{
    if (me == 0) {
        shmem_putmem(to, from, bytes, 1);
        shmem_quiet();
    }
}

static void get_one(size_t bytes)
{
    if (me == 0)
        shmem_getmem(to, from, bytes, 1);
}

static void get_many(size_t bytes)
{
    for (int i = 0; i < 16 && me == 0; i++)
        shmem_getmem_nbi(to + (size_t)i * bytes, from + (size_t)i * bytes, bytes, 1);
    shmem_quiet();
}

static void pair(void)
{
    expect("pingpong", pingpong, 8, TURNS * 2 * message(8), 3);
    expect("pingpong", pingpong, 1024, TURNS * 2 * message(1024), 3);
    expect("pingpong", pingpong, 7000, TURNS * 2 * message(7000), 3);
    for (size_t bytes = 64 << 10; bytes <= MOST; bytes *= 4) {
        const double on_wire = (double)bytes * byte;
        expect("put and quiet", put_quiet, bytes, put + 2 * latency + on_wire, 3);
        expect("get", get_one, bytes, get + 2 * latency + on_wire, 3);
        expect("pingpong", pingpong, bytes, TURNS * 2 * (put + 2 * latency + on_wire + message(0)), 3);
    }
    expect("gets", get_many, 64 << 10, get + 2 * latency + 16 * (64 << 10) * byte, 3);
}

/* Published times of half a round trip; the fabrics' files name the sources. */
static void published(const double us[3])
{
    static const size_t sizes[] = {8, 8192, 1 << 20};
    for (int i = 0; i < 3; i++)
        expect("published pingpong", pingpong, sizes[i], TURNS * 2 * us[i] * 1e-6, 15);
}

/* Each PE of the first node puts to its partner on the second. */
static void put_to_partner(size_t bytes)
{
    if (me < n / 2) {
        shmem_putmem(to, from, bytes, me + n / 2);
        shmem_quiet();
    }
}

static void get_from_partner(size_t bytes)
{
    if (me < n / 2)
        shmem_getmem(to, from, bytes, me + n / 2);
}

static void shared(void)
{
    expect("puts of pairs", put_to_partner, MOST, put + 2 * latency + n / 2 * MOST * byte, 3);
    expect("gets of pairs", get_from_partner, MOST, get + 2 * latency + n / 2 * MOST * byte, 3);
}

/* The processor time of the library's copies does not count, although the program's does. */
static void put_strided(size_t bytes)
{
    if (me == 0)
        shmem_iput8(to, from, 2, 2, bytes, 1);
}

static void get_strided(size_t bytes)
{
    if (me == 0)
        shmem_iget8(to, from, 2, 2, bytes, 1);
}

static void strided(void)
{
    computes = true;
    expect("strided put", put_strided, MOST / 2, MOST / 2 * byte, 40);
    expect("strided get", get_strided, MOST / 2, MOST / 2 * byte, 40);
}

/* --- algorithms: PEs are a power of two --------------------------------------------------------------------------- */

static void dissemination(size_t bytes)
{
    (void)bytes;
    for (int distance = 1, round = 0; distance < n; distance *= 2, round++) {
        shmem_signal_add(&flag[round], 1, (me + distance) % n);
        await(round);
    }
}

/* A binomial tree: the root sends to the farthest PE first. */
static int tree_radix = 2;

static void tree_broadcast(size_t bytes)
{
    int reach = n / tree_radix;
    if (me) {
        await(0);
        for (reach = 1; me % (reach * tree_radix) == 0;)
            reach *= tree_radix;
        reach /= tree_radix;
    }
    for (; reach; reach /= tree_radix)
        for (int i = 1; i < tree_radix; i++)
            give(me + i * reach, 0, bytes, 0);
}

/* Each PE's block passes around the ring. */
static void ring(size_t bytes)
{
    for (int step = 0; step < n - 1; step++) {
        give((me + 1) % n, (size_t)((me - step + n) % n) * bytes, bytes, step);
        await(step);
    }
}

static void recursive_doubling(size_t bytes)
{
    for (int distance = 1, round = 0; distance < n; distance *= 2, round++) {
        give(me ^ distance, (size_t)round * bytes, bytes, round);
        await(round);
    }
}

static void bruck(size_t bytes)
{
    for (int distance = 1, round = 0; distance < n; distance *= 2, round++) {
        give((me - distance + n) % n, (size_t)distance * bytes, (size_t)distance * bytes, round);
        await(round);
    }
}

/* bytes: the size of the whole vector, which is halved repeatedly and then put together again. */
static void rabenseifner(size_t bytes)
{
    int round = 0;
    for (int distance = n / 2; distance; distance /= 2, round++) {
        bytes /= 2;
        give(me ^ distance, 0, bytes, round);
        await(round);
    }
    for (int distance = 1; distance < n; distance *= 2, round++) {
        give(me ^ distance, bytes, bytes, round);
        await(round);
        bytes *= 2;
    }
}

static bool is_power_of(int base)
{
    int reached = 1;
    while (reached < n)
        reached *= base;
    return reached == n;
}

/* --- atomics of NICs ---------------------------------------------------------------------------------------------- */

static const double atomic = 0.2e-6, own_latency = 4e-6; /* without a switch */
static long counter;

static void fetch_far(size_t bytes)
{
    (void)bytes;
    if (me == 0)
        (void)shmem_long_atomic_fetch_inc(&counter, n - 1);
}

static void fetch_own(size_t bytes)
{
    (void)bytes;
    if (me == 0)
        (void)shmem_long_atomic_fetch_inc(&counter, 0);
}

static void add_own(size_t bytes)
{
    (void)bytes;
    if (me == 0)
        shmem_long_atomic_inc(&counter, 0);
}

enum { FETCHES = 16 };
static void fetch_at_once(size_t bytes)
{
    long before[FETCHES];
    (void)bytes;
    for (int i = 0; i < FETCHES; i++)
        shmem_long_atomic_fetch_inc_nbi(&before[i], &counter, 0);
    shmem_quiet();
}

/* The NIC executes one atomic at a time. */
static void adapter(void)
{
    if (n > 2) {
        expect("fetches at once", fetch_at_once, 8, get + own_latency + n * FETCHES * atomic + latency, 3);
        CHECK(me != 0 || counter == 2L * n * FETCHES, "PE 0's counter is %ld", counter);
        return;
    }
    expect("fetch", fetch_far, 8, get + 2 * latency + 16 * byte + atomic, 1);
    expect("fetch, own word", fetch_own, 8, get + 2 * own_latency + 16 * byte + atomic, 1);
    expect("add, own word", add_own, 8, get + 2 * own_latency + 16 * byte + atomic, 1);
}

static void algorithms(void)
{
    const double rounds = log_of(2);
    const size_t piece = 8192 / (size_t)n; /* so that all blocks fit in a message */
    expect("dissemination", dissemination, 0, rounds * message(0), 10);
    expect("binomial", tree_broadcast, 1024, rounds * message(1024), 10);
    tree_radix = is_power_of(8) ? 8 : is_power_of(4) ? 4 : n;
    expect("k-nomial", tree_broadcast, 1024,
           log_of(tree_radix) * (message(1024) + (tree_radix - 2) * sender(1024)), 10);
    expect("ring", ring, 512, (n - 1) * message(512), 10);
    expect("recursive doubling", recursive_doubling, 4096, rounds * message(4096), 10);
    expect("Bruck", bruck, piece, rounds * message(0) + (n - 1) * (double)piece * per_byte(), 10);
    expect("Rabenseifner", rabenseifner, 8192, 2 * rounds * message(0) + 2 * (8192 - 8192.0 / n) * per_byte(), 10);
    /* Blocks that the NIC puts: the signal is sent when the put is known to be complete. */
    expect("ring", ring, 64 << 10, (n - 1) * (put + 2 * latency + (64 << 10) * byte + message(0)), 10);
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    from = shmem_malloc(MOST);
    to = shmem_malloc(MOST);
    const char *what = argc > 1 ? argv[1] : "algorithms";
    if (strcmp(what, "pair") == 0)
        pair();
    else if (strcmp(what, "shared") == 0)
        shared();
    else if (strcmp(what, "strided") == 0)
        strided();
    else if (strcmp(what, "adapter") == 0)
        adapter();
    else if (strcmp(what, "aries") == 0)
        published((const double[]){1.47, 3.94, 114.18});
    else if (strcmp(what, "efa") == 0)
        published((const double[]){10.37, 12.85, 196.56});
    else
        algorithms();
    shmem_barrier_all();
    shmem_finalize();
    return check_result();
}
