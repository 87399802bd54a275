/* Put, get and fetch-add to a PE that computes: PE 1 calls no routine for 10 ms, and meanwhile PE 0 executes one
 * operation. A library that needs the target's calls must wait for the end of the computation; therefore PE 0 begins
 * after 1, 2, ... 8 ms alternately. free_get: PE 1 sleeps instead, so that a thread of the library finds a free
 * core. */
#include "../../timing/pes.h"
#include "../../timing/compute.h"

#include <unistd.h>

enum { STRETCH_US = 10000, STARTS = 8, TURNS = 4 * STARTS, MOST = 1 << 20 };

static long *remote; /* symmetric */
static long count;
static size_t length;
static char *far, *near;

static void put(long turn)
{
    long value = turn + 100;
    shmem_long_put(remote, &value, 1, 1);
    shmem_quiet();
}

static void get(long turn)
{
    bench_expect("busy_get", (size_t)turn, (uint64_t)shmem_long_g(remote, 1), 7);
}

static void get_many(long turn)
{
    shmem_getmem(near, far, length, 1);
    bench_expect("busy_get", (size_t)turn, (uint64_t)near[length - 1], 7);
}

static void fetch_add(long turn)
{
    bench_expect("busy_fetch_add", (size_t)turn, (uint64_t)shmem_long_atomic_fetch_add(remote, 3, 1), (uint64_t)count);
    count += 3;
}

static void wait_us(double us)
{
    double until = bench_now_us() + us;
    while (bench_now_us() < until)
        ;
}

/* work: PE 1's computation; NULL: PE 1 sleeps. */
static void row(const char *name, void (*op)(long turn), const struct work *work)
{
    double us[TURNS];
    int turns = bench.quick ? TURNS / 2 : TURNS;
    for (long turn = 0; turn < turns; turn++) {
        *remote = op == fetch_add ? *remote : 7;
        bench.agree(0, 0);
        if (bench.pe == 1 && work)
            do_work(name, work);
        else if (bench.pe == 1)
            usleep(STRETCH_US);
        if (bench.pe == 0) {
            wait_us(1000.0 * (double)(turn % STARTS + 1));
            double start = bench_now_us();
            op(turn);
            us[turn] = bench_now_us() - start;
        }
        bench.agree(0, 0);
        if (bench.pe == 1 && op == put)
            bench_expect(name, (size_t)turn, (uint64_t)*(volatile long *)remote, (uint64_t)turn + 100);
    }
    if (bench.pe == 0) {
        double median = bench_median(us, turns);
        bench_print(name, 8, median, us[0]);
    }
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    remote = pes_alloc(sizeof *remote);
    near = pes_alloc(MOST);
    far = pes_alloc(MOST);
    memset(far, 7, MOST);
    struct work work = {0};
    if (bench.pe == 1)
        work = work_for(STRETCH_US);
    bench.agree(0, 0);
    row("busy_put", put, &work);
    row("busy_get", get, &work);
    row("free_get", get, NULL);
    for (length = 4096; length <= MOST; length *= 16) {
        char name[32];
        snprintf(name, sizeof name, "busy_get_%zu", length);
        row(name, get_many, &work);
        snprintf(name, sizeof name, "free_get_%zu", length);
        row(name, get_many, NULL);
    }
    *remote = 0;
    bench.agree(0, 0);
    row("busy_fetch_add", fetch_add, &work);
    if (bench.pe == 1)
        bench_expect("busy_fetch_add", 0, (uint64_t)*remote, (uint64_t)(bench.quick ? TURNS / 2 : TURNS) * 3);
    return pes_end();
}
