/* The end of a job that continues without a PE. The test kills PE MICROSECONDS after it has entered shmem_finalize;
 * without arguments it kills no PE:
 *
 * meet [PE MICROSECONDS]
 *
 * Before, all PEs end a nested initialization, and find the data that others put earlier. */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long come;

static void die(int signal)
{
    (void)signal;
    kill(getpid(), SIGKILL);
}

static void nap(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL); /* late on purpose */
}

int main(int argc, char **argv)
{
    shmem_init();
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++)
        shmem_long_atomic_add(&come, 1, pe);
    nap(me % 3 * 5000);
    shmem_finalize();
    if (come != n) {
        fprintf(stderr, "wrong: PE %d: %ld of %d have entered the nested shmem_finalize\n", me, come, n);
        return 1;
    }
    nap(30000); /* by now the sent data has arrived, even if its sender has died */
    if (argc > 2 && me == atoi(argv[1])) {
        signal(SIGALRM, die);
        const struct itimerval when = {.it_value.tv_usec = atol(argv[2])};
        if (atol(argv[2]) == 0)
            die(0);
        setitimer(ITIMER_REAL, &when, NULL);
    } else {
        nap((me + (argc > 2 ? atol(argv[2]) : 0)) % 3 * 500);
    }
    shmem_finalize();
    printf("PE %d has left\n", me);
}
