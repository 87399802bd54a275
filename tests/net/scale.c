/* Many PEs on many nodes: barriers, all-reduces, and random updates of a table that is spread over all PEs, each
 * compared with the PEs' streams of updates. Prints the used time and memory. usage: scale [UPDATES] */
#include <dirent.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../api/fill.h"
#include "../random.h"

enum { WORDS = 256, SUMS = 100 };
static uint64_t table[WORDS], expected[WORDS];
static int me, n_pes;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long memory_kib(void)
{
    char line[200];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib;
}

static long open_files(void)
{
    long n = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        n++;
    if (folder)
        closedir(folder);
    return n - 3;
}

/* The largest value and the average of a number over the PEs. */
static void report(const char *what, long value)
{
    static long mine, most, sum;
    mine = value;
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, &most, &mine, 1);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    if (me == 0)
        printf("%-32s %10ld on average, %10ld at most\n", what, sum / n_pes, most);
}

static void all_reduce(void)
{
    static long mine[SUMS], sum[SUMS];
    for (int i = 0; i < SUMS; i++)
        mine[i] = (long)me * (i + 1) + i;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sum, mine, SUMS);
    for (int i = 0; i < SUMS; i++) {
        const long right = (long)n_pes * (n_pes - 1) / 2 * (i + 1) + (long)n_pes * i;
        CHECK(sum[i] == right, "element %d of the sum is %ld, not %ld", i, sum[i], right);
    }
}

/* No PE leaves a barrier before all have entered: every PE sees the data put before it. */
static void barriers(void)
{
    static long said[3];
    for (long round = 1; round <= 3; round++) {
        shmem_long_p(&said[round - 1], round + me, (me + n_pes / 2 + 1) % n_pes);
        shmem_barrier_all();
        const long right = round + (me + n_pes - n_pes / 2 - 1 + n_pes) % n_pes;
        CHECK(said[round - 1] == right, "after barrier %ld: %ld, not %ld", round, said[round - 1], right);
    }
}

static void random_access(long updates)
{
    for (size_t i = 0; i < WORDS; i++)
        table[i] = expected[i] = i;
    shmem_barrier_all();
    uint64_t state = (uint64_t)me;
    for (long k = 0; k < updates; k++) {
        const uint64_t value = next(&state);
        shmem_uint64_atomic_xor(&table[value % WORDS], value, (int)(value / WORDS % (uint64_t)n_pes));
    }
    shmem_barrier_all();
    for (int pe = 0; pe < n_pes; pe++) {
        state = (uint64_t)pe;
        for (long k = 0; k < updates; k++) {
            const uint64_t value = next(&state);
            if ((int)(value / WORDS % (uint64_t)n_pes) == me)
                expected[value % WORDS] ^= value;
        }
    }
    for (size_t i = 0; i < WORDS; i++)
        CHECK(table[i] == expected[i], "word %zu of the table is %#lx, not %#lx", i, (long)table[i], (long)expected[i]);
}

int main(int argc, char **argv)
{
    const long updates = argc > 1 ? atol(argv[1]) : 1000;
    const double begin = seconds();
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    const double started = seconds();
    const long at_start = memory_kib(), files_at_start = open_files();
    barriers();
    const double met = seconds();
    all_reduce();
    const double reduced = seconds();
    report("KiB of memory after shmem_init", at_start);
    report("open files after shmem_init", files_at_start);
    report("KiB after barrier and reduction", memory_kib());
    report("open files after them", open_files());
    const double ready = seconds();
    random_access(updates);
    const double done = seconds();
    report("KiB after the random updates", memory_kib());
    report("open files after them", open_files());
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    report("us of processor time", (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
                                       usage.ru_stime.tv_usec);
    if (me == 0)
        printf("%d PEs: shmem_init %.2f s, 3 barriers %.2f s, all-reduce %.2f s, %ld updates of each PE %.2f s\n",
               n_pes, started - begin, met - started, reduced - met, updates, done - ready);
    shmem_finalize();
    return check_result();
}
