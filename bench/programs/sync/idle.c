/* Processor time of a PE, in percent of one core, while it waits in wait_until, waits in a barrier, and sleeps outside
 * the library. While the PE sleeps, only threads of the library can use processor time. */
#include <sys/resource.h>

#include "../../timing/pes.h"

static uint64_t *word; /* symmetric */
static double seconds;

static double cpu_us(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e6 + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void sleep_long(void)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

static void wait_for_word(void)
{
    if (bench.pe == 0)
        sleep_long();
    if (bench.pe == 0)
        shmem_uint64_p(word, 42, 1);
    else
        shmem_uint64_wait_until(word, SHMEM_CMP_EQ, 42);
}

static void wait_in_barrier(void)
{
    if (bench.pe == 0)
        sleep_long();
    shmem_barrier_all();
}

/* Measures and prints the processor time of PE 1. */
static void row(const char *name, void (*wait)(void))
{
    bench.agree(0, 0);
    double start = bench_now_us(), used = cpu_us();
    wait();
    double percent = 100 * (cpu_us() - used) / (bench_now_us() - start);
    if (bench.pe == 1) {
        bench_expect(name, 0, bench_now_us() - start >= 0.9e6 * seconds, 1);
        bench_print(name, 0, percent, percent);
    }
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    seconds = bench.quick ? 0.5 : 2;
    word = pes_alloc(sizeof *word);
    row("idle_wait", wait_for_word);
    if (bench.pe == 1)
        bench_expect("idle_wait", 0, *(volatile uint64_t *)word, 42);
    row("idle_barrier", wait_in_barrier);
    row("idle_asleep", sleep_long);
    return pes_end();
}
