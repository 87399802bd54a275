/* The cost of a waiting PE. usage: idle [SECONDS]
 *
 * All PEs but the last wait, each in another routine; the last PE sleeps and then releases them. Prints the processor
 * time of each, which must be a small part of the elapsed time. */
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../api/fill.h"

static double used(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
    static uint64_t go, signal_word;
    static long lock;
    static const char *const ways[] = {"sleep", "wait_until", "signal_wait_until", "set_lock"};
    const int seconds = argc > 1 ? atoi(argv[1]) : 10;
    shmem_init();
    const int me = shmem_my_pe(), n_pes = shmem_n_pes(), how = me ? 1 + (me - 1) % 3 : 0;
    if (me == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    const double before = used();
    switch (how) {
    case 0: sleep((unsigned)seconds); break; /* late on purpose */
    case 1: shmem_uint64_wait_until(&go, SHMEM_CMP_NE, 0); break;
    case 2: shmem_signal_wait_until(&signal_word, SHMEM_CMP_NE, 0); break;
    case 3: shmem_set_lock(&lock); break;
    }
    const double waiting = used() - before;
    if (me == 0) {
        shmem_clear_lock(&lock);
        for (int pe = 0; pe < n_pes; pe++) {
            shmem_uint64_p(&go, 1, pe);
            shmem_signal_set(&signal_word, 1, pe);
        }
    }
    if (how == 3)
        shmem_clear_lock(&lock);
    shmem_barrier_all();
    const double again = used();
    if (me == 0)
        sleep((unsigned)seconds); /* late on purpose */
    shmem_barrier_all();
    const double barrier = used() - again;
    printf("PE %d: %.1f ms per second in %s, %.1f ms in barrier_all\n", me, 1e3 * waiting / seconds, ways[how],
           1e3 * barrier / seconds);
    CHECK(waiting < 0.25 * seconds && barrier < 0.25 * seconds, "PE %d waits busily: %.2f s and %.2f s of %d", me,
          waiting, barrier, seconds);
    shmem_finalize();
    return check_result();
}
