/* crash HOW [WHO]: PE WHO (default: the last; -1: all) crashes, or misuses a routine. A comment that test_backtraces.py
 * searches for marks each source line. The file is also compiled as C++. */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int zero;
static int *volatile nowhere;
static void (*volatile no_function)(void);
static long target, pair[2];

static int fill_stack(int n)
{
    volatile char room[1000];
    room[n % 1000] = 1;
    return fill_stack(n + 1) + room[n % 999]; /* HERE stack */
}

/* The allocator detects the error, and aborts while it holds its lock. */
static void spoil_heap(void)
{
    volatile char *volatile block = (volatile char *)malloc(2000);
    for (int i = 0; i < 2100; i++)
        block[i] = 0x41;
    for (int i = 0; i < 100; i++)
        block = (volatile char *)malloc((size_t)(1000 + 100 * i)); /* HERE heap */
}

static void *store(void *unused)
{
    *nowhere = 1; /* HERE thread */
    return unused;
}

static inline void store_deeper(void)
{
    *nowhere = 2; /* HERE inlined */
}

static void on_signal(int number)
{
    (void)number;
    if (write(STDOUT_FILENO, "mine\n", 5) < 0)
        _exit(8);
    _exit(9);
}

static void crash(const char *how)
{
    pthread_t thread;
    if (strcmp(how, "store") == 0 || strcmp(how, "handler_before") == 0)
        *nowhere = 1; /* HERE store */
    if (strcmp(how, "divide") == 0)
        zero = 1234 / zero; /* HERE divide */
    if (strcmp(how, "call") == 0)
        no_function(); /* HERE call */
    if (strcmp(how, "abort") == 0)
        abort(); /* HERE abort */
    if (strcmp(how, "stack") == 0)
        zero = fill_stack(1);
    if (strcmp(how, "heap") == 0)
        spoil_heap();
    if (strcmp(how, "string") == 0)
        zero = (int)strlen((char *)nowhere); /* HERE string */
    if (strcmp(how, "sent") == 0)
        raise(SIGBUS); /* HERE sent */
    if (strcmp(how, "inlined") == 0)
        store_deeper();
    if (strcmp(how, "pe") == 0)
        shmem_long_p(&target, 1, 12345); /* HERE pe */
    if (strcmp(how, "malloc") == 0)
        shmem_long_p((long *)malloc(8), 1, shmem_my_pe()); /* HERE malloc */
    if (strcmp(how, "misaligned") == 0)
        shmem_long_atomic_inc((long *)((char *)pair + 12), 0); /* HERE misaligned */
    if (strcmp(how, "put") == 0)
        shmem_putmem(&target, (char *)nowhere + 8, 8, 0); /* HERE put */
    if (strcmp(how, "handler_after") == 0) {
        signal(SIGSEGV, on_signal);
        *nowhere = 1;
    }
    if (strcmp(how, "bare") == 0 && pthread_create(&thread, NULL, (void *(*)(void *))puts, (void *)8) == 0)
        pthread_join(thread, NULL); /* no function of the program is on its stack */
    if (strcmp(how, "thread") == 0 && pthread_create(&thread, NULL, store, NULL) == 0)
        pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    const char *how = argv[1];
    if (strcmp(how, "handler_before") == 0)
        signal(SIGSEGV, on_signal);
    if (strcmp(how, "early") == 0)
        shmem_quiet(); /* HERE early */
    shmem_init();
    const int who = argc > 2 ? atoi(argv[2]) : shmem_n_pes() - 1;
    if (who < 0 || shmem_my_pe() == who)
        crash(how); /* HERE main */
    shmem_barrier_all();
    shmem_finalize();
    if (strcmp(how, "late") == 0)
        shmem_quiet(); /* HERE late */
    return 0;
}
