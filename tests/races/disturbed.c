/* Threads of one PE beside what programs do to them: forks, handlers of signals, cancellation, joins by several. */
/* pes: 2 */
#include "start.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void *do_nothing(void *unused)
{
    return unused;
}

static void *store_one(void *word)
{
    *(long *)word += 1; /* theirs */
    return NULL;
}

/* 9.2, threads: the child of a fork is not a PE; it may store and lock mutexes.
 * wrong: race: theirs ours */
RULE(fork_beside_threads)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static long word, of_child;
    int status = -1;

    pthread_join(start(do_nothing, NULL), NULL);
    const pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&mutex);
        of_child = 1;
        pthread_mutex_unlock(&mutex);
        pthread_join(start(do_nothing, NULL), NULL);
        _exit(of_child != 1);
    }
    waitpid(child, &status, 0);
    look(status, 0);
    pthread_t other = start(store_one, &word);
    if (right)
        pthread_join(other, NULL);
    word += 1; /* ours */
    if (!right)
        pthread_join(other, NULL);
    look(word, 2);
}

static sem_t posts;
static volatile sig_atomic_t handled;

static void post_and_store(int signal)
{
    volatile long own[8];

    (void)signal;
    for (int i = 0; i < 8; i++)
        own[i] = i;
    handled += own[1] == 1;
    sem_post(&posts);
}

static void alarm_each(long us)
{
    setitimer(ITIMER_REAL, &(struct itimerval){{0, us}, {0, us}}, NULL);
}

/* 9.2, threads: a signal handler may run at any instruction, store, and post a semaphore.
 * wrong: race: theirs after */
RULE(handler_of_a_signal)
{
    enum { TURNS = 20000 };
    static long word, dest[8];
    long source[8] = {0};

    if (me != 0)
        return;
    sem_init(&posts, 0, 0);
    signal(SIGALRM, post_and_store);
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, NULL); /* SIGALRM then arrives at this thread alone */
    pthread_t other = start(store_one, &word);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    if (right)
        pthread_join(other, NULL);
    alarm_each(200);
    for (int i = 0; i < TURNS || handled < 10; i++) {
        source[0] = i;
        shmem_long_put_nbi(dest, source, 8, 0);
        shmem_quiet();
        sem_post(&posts);
        while (sem_wait(&posts) != 0)
            ;
    }
    alarm_each(0);
    word += 1; /* after */
    if (!right)
        pthread_join(other, NULL);
    look(word, 2);
}

static void *wait_and_put(void *stage)
{
    static long word;

    while (__atomic_load_n((int *)stage, __ATOMIC_RELAXED) == 0)
        ;
    shmem_long_p(&word, 2, me); /* put */
    __atomic_store_n((int *)stage, 2, __ATOMIC_RELAXED);
    for (;;)
        pause();
    return &word; /* it is cancelled, without a notification */
}

/* 9.2, threads: a race of a thread that will be cancelled is reported; the thread then continues to its cancellation
 * point.
 * wrong: race: put put */
RULE(cancelled_thread)
{
    int stages[2] = {0};

    if (me != 0)
        return;
    for (int i = 0; i < 2; i++) {
        pthread_t other = start(wait_and_put, &stages[i]);
        pthread_cancel(other);
        __atomic_store_n(&stages[i], 1, __ATOMIC_RELAXED);
        pthread_join(other, NULL);
        look(stages[i], 2);
        if (right)
            shmem_quiet();
    }
}

static void *start_and_join(void *word)
{
    enum { TIMES = 2000 };

    for (int i = 0; i < TIMES; i++)
        pthread_join(start(store_one, word), NULL);
    return NULL;
}

/* 9.2, threads: several threads may start and join others at the same time; thread numbers are reused.
 * wrong: race: theirs here */
RULE(joins_by_several)
{
    enum { THREADS_EACH = 4 };
    static long words[THREADS_EACH];
    pthread_t each[THREADS_EACH];

    if (me != 0)
        return;
    for (int i = 0; i < THREADS_EACH; i++)
        each[i] = start(start_and_join, &words[i]);
    for (int i = 0; i < THREADS_EACH && right; i++)
        pthread_join(each[i], NULL);
    for (int i = 0; i < THREADS_EACH; i++)
        look(words[i], 2000); /* here */
    for (int i = 0; i < THREADS_EACH && !right; i++)
        pthread_join(each[i], NULL);
}
