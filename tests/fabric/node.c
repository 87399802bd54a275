/* An emulated node with sockets and L3 groups (node.fabric), in a job of one node with 16 PEs, against closed forms: a
 * flag's round trip at each distance; a flag that is set while an earlier change is loaded; PEs that read one line,
 * that read all data of one PE, that change one word, and that acquire a lock one after the other. */
#include "../check.h"

#include <math.h>
#include <shmem.h>
#include <shmemx.h>
#include <string.h>

/* node.fabric, in ns: the latency from PE 0 to PE 1, 4 and 8. */
static const double near = 40, socket = 100, far = 200, overhead = 5, line_gap = 10, byte = 0.1, memory_byte = 0.05;
enum { PES = 16, DATA = 64 << 10, FAR = PES / 2 };

static int me;
static uint64_t flag, word;
static long lock;
static double ends, last, begins;
static char *data, *into;

static double now(void)
{
    return shmemx_clock() * 1e9;
}

static void expect_near(const char *what, int pes, double found, double expected)
{
    CHECK(fabs(found - expected) <= 0.03 * expected, "%s, %d PEs: %.2f ns, not %.2f within 3 %%", what, pes, found,
          expected);
}

/* A synchronization after which all PEs have the same time. */
static void together(void)
{
    shmem_barrier_all();
    ends = now();
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &begins, &ends, 1);
    shmem_barrier_all();
    begins += 1e5;
    shmemx_compute((begins - now()) * 1e-9);
}

/* The time from the common start until the last PE has ended. */
static double passed(void)
{
    ends = now();
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &last, &ends, 1);
    return last - begins;
}

static void round_trips(int pe, double latency)
{
    enum { TRIPS = 10 };
    static uint64_t number;
    together();
    for (uint64_t i = number + 1; i <= number + TRIPS && (me == 0 || me == pe); i++) {
        if (me == pe)
            shmem_uint64_wait_until(&flag, SHMEM_CMP_GE, i);
        shmem_uint64_p(&flag, i, pe - me);
        if (me == 0)
            shmem_uint64_wait_until(&flag, SHMEM_CMP_GE, i);
    }
    number += TRIPS;
    const double took = now() - begins;
    if (me == 0) /* each of the two PEs puts and waits */
        expect_near("a flag's round trip", pe, took / TRIPS, 2 * (latency + 2 * overhead + 8 * byte));
}

/* PE 0 has not looked at the first change. The second one is made while it loads the first, and needs its own time. */
static void second_change(void)
{
    static _Alignas(64) uint64_t changes;
    if (me == FAR)
        shmem_uint64_p(&changes, 1, 0);
    together();
    if (me == FAR) {
        shmemx_compute(5e-9);
        shmem_uint64_p(&changes, 2, 0);
    } else if (me == 0) {
        shmem_uint64_wait_until(&changes, SHMEM_CMP_EQ, 2);
        expect_near("a second change", FAR, now() - begins, 5 + far + 2 * overhead + 8 * byte);
    }
}

/* PE 0 waits for the first change; the other PEs go on changing the line until PE 0 has seen it. */
static void changes_without_end(void)
{
    enum { MOST = 1000 };
    static _Alignas(64) uint64_t changes, enough[8]; /* a line each */
    int made = 0;
    together();
    for (; me && made < MOST && !__atomic_load_n(enough, __ATOMIC_ACQUIRE); made++)
        shmem_uint64_atomic_inc(&changes, 0);
    if (me == 0)
        shmem_uint64_wait_until(&changes, SHMEM_CMP_GE, 1);
    for (int pe = 1; me == 0 && pe < PES; pe++)
        shmem_uint64_p(enough, 1, pe);
    CHECK(made < MOST, "a wait has not ended after %d changes", made);
}

/* The last `readers` PEs, which are on the other socket, get the same bytes of PE 0. */
static double reading(int readers, size_t bytes)
{
    together();
    if (me >= PES - readers)
        shmem_getmem(into, data, bytes, 0);
    return passed();
}

static void readers(void)
{
    for (int n = 1; n <= FAR; n *= 2) {
        expect_near("readers of a line", n, reading(n, 8), overhead + far / 2 + (n - 1) * line_gap + 8 * byte);
        expect_near("readers of 64 KiB", n, reading(n, DATA), overhead + far / 2 + fmax(n * memory_byte, byte) * DATA);
    }
}

/* First the PEs of PE 0's L3 group, then all PEs of its socket, add to its word, a nanosecond after each other. PE 1
 * gets the line from PE 0, and each further PE gets it from the previous PE; one of these transfers is between two
 * groups. */
static void adders(void)
{
    for (int n = 1; n < FAR; n++) {
        together();
        shmemx_compute(me * 1e-9);
        if (me >= 1 && me <= n)
            shmem_uint64_atomic_inc(&word, 0);
        ends = me >= 1 && me <= n ? now() : 0;
        shmem_double_max_reduce(SHMEM_TEAM_WORLD, &last, &ends, 1);
        expect_near("PEs that add", n, last - begins, 1 + overhead + (n < 4 ? n * near : (n - 1) * near + socket) / 2);
        expect_near("the word", n, me == 0 ? (double)word : n * (n + 1) / 2, n * (n + 1) / 2);
    }
}

/* Each PE acquires the lock once: a release reaches the next holder at the earliest after the latency between two
 * neighbours. */
static void locks(void)
{
    together();
    shmem_set_lock(&lock);
    word++;
    shmem_clear_lock(&lock);
    const double took = passed();
    CHECK(took > (PES - 1) * near && took < (PES - 1) * (far + PES * line_gap + 4 * overhead), "%d PEs take a lock in "
          "%g ns", PES, took);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    CHECK(shmem_n_pes() == PES && shmemx_message_time(SHMEMX_GROUP_PES) == PES / 4, "a job of %d PEs, groups of %g",
          shmem_n_pes(), shmemx_message_time(SHMEMX_GROUP_PES));
    data = shmem_calloc(2, DATA);
    into = data + DATA;
    round_trips(1, near);
    round_trips(4, socket);
    round_trips(8, far);
    second_change();
    changes_without_end();
    readers();
    adders();
    locks();
    shmem_finalize();
    return check_result();
}
