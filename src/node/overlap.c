#include "node/overlap.h"
#include "common/element.h"
#include "job/thread_affinity.h"
#include "job/settings.h"
#include "node/node.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* PIECE: bytes of the chunks that threads copy. Small chunks limit the wait for a helper that copies the last
 * one, or has lost its processor. */
enum { COPIES = 256, PIECE = 256 << 10 };

static struct entry {
    struct overlap_copy copy; /* 0 bytes: done; the entry is free when all before it are done */
    size_t taken, done;       /* bytes */
} entries[COPIES];
static unsigned first, end; /* positions of the oldest copy not done, and of the next copy; both only grow */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects all variables here */
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;   /* wakes the helper for a copy, or to end */
static pthread_t helper;
static pid_t helper_number; /* 0 until it runs */
static int avoided = -1;    /* the processor that the helper avoids */
static bool helped, ending;
static _Atomic uint32_t finished; /* number of finished copies: if it changes, waiters check again */

uint32_t overlap_from(void)
{
    const char *const word = "overlap", *text = setting_text(SETTING_SHMEM_NBI_NODE), *rest = text;
    size_t from = OVERLAP_FROM;
    if (!text)
        return OVERLAP_NEVER;
    if (strncmp(text, word, strlen(word)) == 0)
        rest += strlen(word);
    if (rest == text || (*rest && (*rest != ':' || !setting_is_size(rest + 1, &from))))
        setting_refuse(SETTING_SHMEM_NBI_NODE, NULL);
    if (from == 0)
        return 1; /* a copy of 0 bytes is never queued */
    return from < OVERLAP_NEVER ? (uint32_t)from : OVERLAP_NEVER;
}

static bool is_one_of(const struct overlap_copy *c, struct overlap_which which)
{
    return c->bytes && (!which.context || c->context == which.context) && (which.pe < 0 || c->pe == which.pe) &&
           (c->put || !which.puts);
}

/* The oldest of these copies that has chunks not taken, or NULL; *left: whether any copy is not done. */
static struct entry *next_of(struct overlap_which which, bool *left)
{
    *left = false;
    for (unsigned i = first; i != end; i++) {
        struct entry *e = &entries[i % COPIES];
        if (!is_one_of(&e->copy, which))
            continue;
        *left = true;
        if (e->taken < e->copy.bytes)
            return e;
    }
    return NULL;
}

/* The helper and waiters may all have copied chunks; the lock orders their stores before the signal. */
static void finish(struct entry *e)
{
    const struct overlap_copy *c = &e->copy;
    if (c->signal) {
        if (c->add)
            __atomic_fetch_add(c->signal, c->value, __ATOMIC_RELEASE);
        else
            __atomic_store_n(c->signal, c->value, __ATOMIC_RELEASE);
        wake(c->pe, c->signal, sizeof *c->signal);
    }
    e->copy.bytes = 0;
    while (first != end && !entries[first % COPIES].copy.bytes)
        first++;
    atomic_fetch_sub_explicit(&node.copies, 1, memory_order_release);
    atomic_fetch_add_explicit(&finished, 1, memory_order_release);
    wake(node.me, &finished, sizeof finished);
}

/* Copies one chunk; the caller holds the lock, which is released during the copy. */
static void copy_piece(struct entry *e)
{
    const struct overlap_copy *c = &e->copy;
    const size_t at = e->taken, left = c->bytes - at, n = left < PIECE ? left : PIECE;
    e->taken += n;
    pthread_mutex_unlock(&lock);
    copy_element(c->to + at, c->from + at, n);
    if (c->put)
        wake(c->pe, c->to + at, n);
    pthread_mutex_lock(&lock);
    e->done += n;
    if (e->done == c->bytes)
        finish(e);
}

static void *help(void *unused)
{
    (void)unused;
    /* Otherwise, if no processor is idle, the kernel runs the helper immediately, in place of the computing thread that
     * has woken it. If no processor becomes idle, the thread that waits makes the copy. */
    sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0});
    pthread_mutex_lock(&lock);
    helper_number = gettid();
    while (!ending) {
        bool left;
        struct entry *e = next_of((struct overlap_which){.pe = -1}, &left);
        if (e)
            copy_piece(e);
        else
            pthread_cond_wait(&news, &lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* The helper blocks all signals, which are for the program's threads, except those of its own faults. */
static bool get_help(void)
{
    sigset_t most, before;
    sigfillset(&most);
    sigdelset(&most, SIGSEGV);
    sigdelset(&most, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &most, &before);
    helped = pthread_create(&helper, NULL, help, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return helped;
}

/* The launcher may have bound the PE, and so its helper, to the one processor where the program computes. */
static void keep_off(int processor)
{
    if (processor != avoided && send_beside(helper_number, processor))
        avoided = processor;
}

bool overlap_start(const struct overlap_copy *copy)
{
    if (node.overlap_from == OVERLAP_NEVER) /* never, even for copies longer than this number */
        return false;
    pthread_mutex_lock(&lock);
    const bool can = end - first < COPIES && (helped || get_help());
    if (can) {
        keep_off(sched_getcpu());
        entries[end++ % COPIES] = (struct entry){.copy = *copy};
        atomic_fetch_add_explicit(&node.copies, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&lock);
    if (can)
        pthread_cond_signal(&news);
    return can;
}

void overlap_wait(struct overlap_which which, const char *routine)
{
    struct wait w = {.routine = routine, .for_pe = -1, .from = (uintptr_t)&finished, .to = (uintptr_t)(&finished + 1),
                     .by_library = true};
    for (;;) {
        bool left;
        struct entry *e;
        pthread_mutex_lock(&lock);
        while ((e = next_of(which, &left)))
            copy_piece(e);
        const uint32_t seen = finished;
        pthread_mutex_unlock(&lock);
        if (!left)
            break;
        while (atomic_load_explicit(&finished, memory_order_acquire) == seen)
            wait_turn(&w);
    }
    wait_end(&w);
}

void overlap_end(void)
{
    pthread_mutex_lock(&lock);
    ending = true;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&news);
    if (helped)
        pthread_join(helper, NULL);
    helped = ending = false;
    helper_number = 0;
    avoided = -1;
}
