/* healthy WHERE: states that look like a deadlock at a single check.
 *
 *     barriers   one barrier after the other, forever
 *     thread     the PEs wait for each other, but a second thread of PE 1 will end the wait
 *     pool       the PEs wait for each other, and OpenMP's threads sleep: this is a deadlock
 *     stopped    PE 0 is stopped in a wait that has ended meanwhile */
#include <shmem.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long never, number;

static void *release_much_later(void *unused)
{
    sleep(1000); /* until the job is ended */
    shmem_long_p(&never, 1, 0);
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    const char *where = argc > 1 ? argv[1] : "";
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    const int me = shmem_my_pe();
    if (me == 0)
        shmem_long_p(&number, getpid(), 1);
    shmem_barrier_all();
    while (strcmp(where, "barriers") == 0)
        shmem_barrier_all();
    pthread_t thread;
    if (strcmp(where, "thread") == 0 && me == 1)
        pthread_create(&thread, NULL, release_much_later, NULL);
    if (strcmp(where, "pool") == 0) {
#pragma omp parallel
        sched_yield();
    }
    if (strcmp(where, "stopped") == 0 && me == 1) {
        usleep(500000); /* until the job is ended */
        kill((pid_t)number, SIGSTOP);
        shmem_long_p(&never, 1, 0);
    }
    if (me == 0)
        shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
