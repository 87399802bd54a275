/* sources: src/node/overlap.c src/job/settings.c */
/* The queue of copies and its helper, without a job: threads start copies on contexts of their own, wait for some of
 * them, and check every byte. */
#include "../../src/job/thread_affinity.h"
#include "../../src/job/settings.h"
#include "../../src/node/overlap.h"
#include "../../src/node/node.h"
#include "../check.h"

#include <string.h>
#include <unistd.h>

/* The rest of the library, as far as overlap.c needs it. */
struct self self;
struct node node;
_Atomic unsigned wait_spins = 1000;
static _Atomic int rung;

static _Atomic pid_t sent; /* the helper, off the program's processor */

bool send_beside(pid_t thread, int processor)
{
    (void)processor;
    sent = thread;
    return thread != 0;
}

void setting_refuse(enum setting s, const char *allowed)
{
    (void)s, (void)allowed;
    abort();
}

void wait_wake(int pe)
{
    (void)pe;
    rung++;
}

void wait_slowly(struct wait *w)
{
    (void)w;
    usleep(50); /* late on purpose */
}

void wait_end_slowly(struct wait *w)
{
    (void)w;
}

enum { THREADS = 4, SLOTS = 24, MOST = 600000, ROUNDS = 6 };

struct worker {
    int number;
    unsigned random;
    char *from, *to; /* SLOTS pieces of MOST bytes */
    size_t bytes[SLOTS];
    uint64_t told[SLOTS];
};

static unsigned next_random(struct worker *w)
{
    w->random = w->random * 1664525u + 1013904223u;
    return w->random >> 8;
}

static void fill(char *at, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (char)(seed * 31 + i * 7 + i / 251);
}

static void check_slot(const struct worker *w, int slot, const char *when)
{
    const char *to = w->to + (size_t)slot * MOST, *from = w->from + (size_t)slot * MOST;
    CHECK(memcmp(to, from, w->bytes[slot]) == 0, "thread %d, slot %d of %zu bytes, %s", w->number, slot, w->bytes[slot],
          when);
}

/* Slot i goes to PE i % 3, is a put or a get, and carries a signal or none. */
static void start_slot(struct worker *w, int slot, uintptr_t context)
{
    w->bytes[slot] = 1 + next_random(w) % MOST;
    char *from = w->from + (size_t)slot * MOST, *to = w->to + (size_t)slot * MOST;
    fill(from, w->bytes[slot], next_random(w));
    memset(to, 0, w->bytes[slot]);
    const bool put = slot % 4 < 2;
    struct overlap_copy c = {to, from, w->bytes[slot], slot % 3, put, context, NULL, 0, false};
    if (put && slot % 8 < 4) {
        c.signal = &w->told[slot];
        c.value = 5;
        c.add = slot % 2;
    }
    if (!overlap_start(&c)) { /* no memory: the caller would copy */
        memcpy(to, from, w->bytes[slot]);
        if (c.signal)
            *c.signal = c.add ? *c.signal + 5 : 5;
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;
    const uintptr_t mine = (uintptr_t)w->number * 2 + 1;
    for (int round = 0; round < ROUNDS; round++) {
        memset(w->told, 0, sizeof w->told);
        for (int i = 0; i < SLOTS; i++)
            start_slot(w, i, mine + i % 2);
        for (int i = 0; i <= 8; i += 8) /* a wait for a signal needs no call */
            while (__atomic_load_n(&w->told[i], __ATOMIC_ACQUIRE) != 5)
                usleep(10);
        for (int i = 0; i <= 8; i += 8)
            check_slot(w, i, "after its signal");
        switch (round % 3) {
        case 0:
            overlap_wait((struct overlap_which){mine, -1, true}, "puts");
            for (int i = 0; i < SLOTS; i += 4)
                check_slot(w, i, "a put, after the wait for puts");
            break;
        case 1:
            overlap_wait((struct overlap_which){mine, 1, false}, "PE 1");
            for (int i = 4; i < SLOTS; i += 6)
                check_slot(w, i, "to PE 1, after the wait for it");
            break;
        default:
            overlap_wait((struct overlap_which){mine, -1, false}, "a context");
            for (int i = 0; i < SLOTS; i += 2)
                check_slot(w, i, "of a context, after the wait for it");
        }
        overlap_wait((struct overlap_which){mine, -1, false}, "one");
        overlap_wait((struct overlap_which){mine + 1, -1, false}, "the other");
        for (int i = 0; i < SLOTS; i++) {
            check_slot(w, i, "after both contexts");
            CHECK(w->told[i] == (i % 4 < 2 && i % 8 < 4 ? 5 : 0), "slot %d: the signal is %d", i, (int)w->told[i]);
        }
    }
    return NULL;
}

/* More copies than the queue holds: the rest is refused, and no accepted copy is lost. */
static void check_full(void)
{
    enum { MANY = 2000, EACH = 20000 };
    static char from[EACH], to[MANY][EACH];
    fill(from, sizeof from, 3);
    memset(to, 0, sizeof to);
    bool taken_it[MANY];
    int taken = 0;
    uint64_t told = 0;
    for (int i = 0; i < MANY; i++)
        taken += taken_it[i] = overlap_start(&(struct overlap_copy){to[i], from, EACH, 0, true, 1, &told, 1, true});
    overlap_wait((struct overlap_which){.pe = -1}, "all");
    CHECK(told == (uint64_t)taken, "%d copies taken, %d done", taken, (int)told);
    CHECK(taken >= 200, "only %d copies fit", taken);
    for (int i = 0; i < MANY; i++)
        CHECK(!taken_it[i] || memcmp(from, to[i], EACH) == 0, "copy %d was not made", i);
}

static void expect_from(const char *setting, uint32_t from)
{
    setenv("SHMEM_NBI_NODE", setting, 1);
    CHECK(overlap_from() == from, "SHMEM_NBI_NODE=%s: from %u bytes on, not %u", setting, overlap_from(), from);
}

int main(void)
{
    expect_from("", OVERLAP_NEVER);
    expect_from("overlap", OVERLAP_FROM);
    expect_from("overlap:64k", 65536);
    expect_from("overlap:0", 1);
    expect_from("overlap:1t", OVERLAP_NEVER);
    self.job = calloc(1, job_bytes(3));
    struct worker workers[THREADS] = {0};
    for (int session = 0; session < 2; session++) { /* the helper starts again */
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) {
            struct worker *w = &workers[i];
            w->number = i;
            w->random = (unsigned)(i + 10 * session + 1);
            w->from = malloc((size_t)SLOTS * MOST);
            w->to = malloc((size_t)SLOTS * MOST);
            pthread_create(&threads[i], NULL, work, w);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            free(workers[i].from);
            free(workers[i].to);
        }
        check_full();
        CHECK(node.copies == 0, "%d copies left", (int)node.copies);
        CHECK(sent != 0 && sent != getpid(), "thread %d was sent to another processor, and not the helper", (int)sent);
        overlap_end();
        overlap_end(); /* of none */
    }
    /* A waiter that sleeps for the count is woken: any store within its range rings. */
    self.job->pe[0].asleep_to = UINTPTR_MAX;
    static char a[8], b[8];
    rung = 0;
    overlap_start(&(struct overlap_copy){a, b, 8, 1, false, 1, NULL, 0, false});
    overlap_wait((struct overlap_which){1, -1, false}, "one");
    CHECK(rung > 0, "the store did not wake the PE");
    overlap_end();
    free(self.job);
    return check_result();
}
