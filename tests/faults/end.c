/* One PE ends in one of several ways while the others are in a given routine of the library, or outside the library:
 *
 *     end HOW PE WHERE [say]
 *
 * PE ends as HOW says (stay: it does not end, and does not join the routine). The others print their names, which
 * remain in a buffer if the output is a pipe, and stay in WHERE forever. With say, PE 0 reports that all have arrived,
 * and PE reports when it ends. */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 1 << 20 };
static char *large, large_source[LARGE];

static long lock, never, dest[64], source[64];

static void wait_somewhere(const char *where)
{
    if (strcmp(where, "barrier") == 0)
        shmem_barrier_all();
    else if (strcmp(where, "sync") == 0)
        shmem_sync_all();
    else if (strcmp(where, "lock") == 0)
        shmem_set_lock(&lock);
    else if (strcmp(where, "wait") == 0)
        shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
    else if (strcmp(where, "test") == 0)
        while (!shmem_long_test(&never, SHMEM_CMP_NE, 0))
            ;
    else if (strcmp(where, "broadcast") == 0)
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 64, 0);
    else if (strcmp(where, "reduce") == 0)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 64);
    else if (strcmp(where, "malloc") == 0)
        shmem_malloc(1000);
    else if (strcmp(where, "finalize") == 0)
        shmem_finalize();
    else if (strcmp(where, "puts") == 0)
        for (int pe = 0;; pe = (pe + 1) % shmem_n_pes()) {
            shmem_putmem_nbi(large, large_source, LARGE, pe);
            shmem_quiet();
        }
    else if (strcmp(where, "loop") == 0) /* computing */
        for (volatile int on = 1; on;)
            ;
    else if (strcmp(where, "sleep") == 0)
        for (;;)
            pause();
    else if (strcmp(where, "deaf") == 0) { /* only SIGKILL has an effect */
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        for (;;)
            pause();
    }
}

static void end(const char *how)
{
    if (strcmp(how, "exit7") == 0)
        exit(7);
    if (strcmp(how, "_exit3") == 0)
        _exit(3);
    if (strcmp(how, "_exit0") == 0)
        _exit(0);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "segv") == 0) {
        signal(SIGSEGV, SIG_DFL); /* also if a sanitizer would print more */
        raise(SIGSEGV);
    }
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "global5") == 0)
        shmem_global_exit(5);
    if (strcmp(how, "global7") == 0)
        shmem_global_exit(7);
    if (strcmp(how, "global0") == 0)
        shmem_global_exit(0);
    if (strcmp(how, "bad_pe") == 0)
        shmem_long_p(dest, 1, 12345);
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5)
        return 99;
    shmem_init();
    int who = atoi(argv[2]);
    large = shmem_malloc(LARGE);
    if (shmem_my_pe() == who)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (argc == 5 && shmem_my_pe() == 0) {
        printf("ready\n");
        fflush(stdout);
    }
    if (shmem_my_pe() == who && strcmp(argv[1], "stay") != 0) {
        usleep(argc == 5 ? 500000 : 20000); /* by then most of the others sleep */
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (argc == 5)
            printf("ends at %ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
        fflush(stdout);
        end(argv[1]);
    }
    printf("PE %d was here\n", shmem_my_pe());
    wait_somewhere(shmem_my_pe() == who ? "sleep" : argv[3]);
    shmem_finalize();
    return 0;
}
