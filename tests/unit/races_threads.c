/* sources: tools/races/actor.c tools/races/board.c tools/races/pending.c tools/races/shadow.c tools/races/used.c */
/* sources: src/job/settings.c */
/* The fences and quiets of other threads that a thread of a PE knows, and local buffers of nonblocking operations. */
#include "../../tools/races/access.h"
#include "../check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define HOLDS(cond) CHECK(cond, "actor %u", strand->actor)

enum { PES = 2, WINDOW = 1 << 20, FLAG = 4096, SITE = 7, TOLD = 8192 };

static struct strand strands[PES], thread; /* thread: a thread of PE 0 */

/* The test continues as PE 0 itself. */
static void begin(void)
{
    for (int pe = PES - 1; pe >= 0; pe--) {
        strand = &strands[pe];
        actors_begin(pe, PES);
    }
    thread = (struct strand){.actor = 0};
    HOLDS(actor_split(&thread));
}

static void end(void)
{
    strand = &strands[0];
    actor_join(&thread);
    pending_settle();
    HOLDS(pendings.n_ended == 0 && pendings.n == 0 && pendings.to == 0);
    actor_has_strands = false;
}

static bool looks_at(size_t offset, enum access kind, struct doer d)
{
    cell other;
    size_t at;
    return shadow_access(offset, 8, cell_make(&d, kind, SITE), &d, &other, &at);
}

static bool puts_to(size_t offset)
{
    return looks_at(offset, ACCESS_WRITE, actor_agent(AGENT_PUTS, SHMEM_CTX_DEFAULT, 1));
}

static bool loads(size_t offset)
{
    return looks_at(offset, ACCESS_READ, actor_pe());
}

static void fences(void)
{
    actor_fence(SHMEM_CTX_DEFAULT);
}

static void flags(size_t offset)
{
    actor_release(offset, AGENT_PUTS, SHMEM_CTX_DEFAULT, 1);
}

/* A release for the other threads of this PE. */
static void tells(size_t offset)
{
    actor_release(offset, AGENT_LOCAL, SHMEM_CTX_DEFAULT, 0);
}

/* A thread's flag takes along the fences that the thread knows, and no later ones. */
static void test_fences(void)
{
    const size_t data = 0;
    begin();
    HOLDS(puts_to(data));
    fences();
    tells(TOLD);
    HOLDS(puts_to(data + 8));
    fences();
    HOLDS(puts_to(data + 8)); /* the thread itself knows */
    strand = &thread;
    flags(FLAG);
    HOLDS(!puts_to(data));
    actor_acquire(TOLD);
    HOLDS(!puts_to(data + 8));
    flags(FLAG + 8);
    end();
    strand = &strands[1];
    actor_acquire(FLAG);
    HOLDS(!loads(data));
    actor_acquire(FLAG + 8);
    HOLDS(!loads(data + 8));
}

/* The fence orders the first of two puts. */
static void test_fence_known(void)
{
    const size_t data = 64;
    begin();
    HOLDS(puts_to(data));
    fences();
    tells(TOLD + 8);
    HOLDS(puts_to(data + 8));
    fences();
    strand = &thread;
    actor_acquire(TOLD + 8);
    flags(FLAG + 16);
    end();
    strand = &strands[1];
    actor_acquire(FLAG + 16);
    HOLDS(loads(data));
    HOLDS(!loads(data + 8));
}

/* A joined thread's fences remain known, and all know the fences of a PE's only thread. */
static void test_fence_and_join(void)
{
    const size_t data = 128;
    begin();
    strand = &thread;
    HOLDS(puts_to(data));
    fences();
    end();
    HOLDS(puts_to(data));
    fences();
    HOLDS(actor_split(&thread));
    strand = &thread;
    HOLDS(puts_to(data));
    end();
}

/* If there are very many, the oldest fences count as known. */
static void test_many_fences(void)
{
    enum { FENCES = 1000 };
    const size_t data = 192;
    begin();
    for (size_t i = 0; i < FENCES; i++) {
        HOLDS(puts_to(data + 8 * (i > 0)));
        fences();
        tells(TOLD + 16);
    }
    strand = &thread;
    flags(FLAG + 24);
    end();
    strand = &strands[1];
    actor_acquire(FLAG + 24);
    HOLDS(loads(data));
    HOLDS(!loads(data + 8));
}

static bool disturbs(const char *at, size_t bytes, bool writes)
{
    struct pending p;
    return pending_hit((uintptr_t)at, bytes, writes, &p);
}

static void starts(const char *at, size_t bytes, bool written, int pe)
{
    const struct doer d = actor_agent(AGENT_LOCAL, SHMEM_CTX_DEFAULT, pe);
    pending_add((struct pending){.from = (uintptr_t)at, .to = (uintptr_t)at + bytes, .ctx = SHMEM_CTX_DEFAULT,
                                 .pe = pe, .site = SITE, .written = written, .actor = d.actor, .epoch = d.epoch});
}

static void completes(void)
{
    actor_quiet(SHMEM_CTX_DEFAULT);
    pending_end(SHMEM_CTX_DEFAULT, -1);
}

/* Buffers are kept while operations are under way; with one strand, nothing else is kept. */
static void test_pending(void)
{
    static char at[64];
    starts(at, 16, false, 1);
    starts(at + 32, 16, true, 0);
    HOLDS(!disturbs(at, 16, false) && disturbs(at + 15, 1, true));
    HOLDS(!disturbs(at + 16, 16, true) && disturbs(at + 24, 16, false) && !disturbs(at + 48, 16, true));
    pending_end(SHMEM_CTX_DEFAULT, 1);
    HOLDS(!disturbs(at, 16, true) && disturbs(at + 40, 1, false));
    pending_end(SHMEM_CTX_DEFAULT, -1);
    HOLDS(!disturbs(at, 64, true) && pendings.n_ended == 0 && pendings.to == 0);
}

/* A thread that knows of any quiet after an operation may use its buffer, whichever thread's quiet it is. */
static void test_ended(void)
{
    static char at[64];
    begin();
    starts(at, 8, true, 1);
    starts(at + 8, 8, false, 1);
    completes();
    HOLDS(!disturbs(at, 16, true));
    tells(TOLD + 24);
    strand = &thread;
    HOLDS(disturbs(at, 8, false) && disturbs(at + 8, 8, true) && !disturbs(at + 8, 8, false));
    actor_acquire(TOLD + 24);
    HOLDS(!disturbs(at, 16, true));
    pending_settle();
    HOLDS(pendings.n_ended == 0);

    starts(at, 8, true, 1); /* and the other thread's quiet comes first */
    strand = &strands[0];
    completes();
    HOLDS(!disturbs(at, 8, false));
    strand = &thread;
    HOLDS(disturbs(at, 8, false));
    completes();
    HOLDS(!disturbs(at, 8, false) && pendings.n_ended == 0);
    end();
}

/* The number of entries does not grow with that of operations; freed memory has no entries. */
static void test_many_ended(void)
{
    enum { OPERATIONS = 1000000, ALL = 4096 };
    static char at[ALL];
    begin();
    for (int i = 0; i < OPERATIONS; i++) {
        starts(at, 8, true, 1);
        completes();
    }
    HOLDS(pendings.n_ended == 1);
    for (size_t i = 0; i < ALL; i += 8) {
        starts(at + i, 8, true, 1);
        completes();
        HOLDS(pendings.n_ended <= PENDING_ENDED);
    }
    strand = &thread;
    HOLDS(disturbs(at + ALL - 8, 8, false) && disturbs(at + ALL - (size_t)8 * PENDING_ENDED, 8, false));
    HOLDS(!disturbs(at, 8, false));
    pending_forget((uintptr_t)at + ALL / 2, (uintptr_t)at + ALL);
    HOLDS(!disturbs(at, ALL, true));
    end();
}

static bool is_used(const char *from, const char *to, bool writes, struct used_found *found)
{
    return used_find((uintptr_t)from, (uintptr_t)to, writes, found);
}

/* Memory that a thread has used before another thread's operation, and the other thread does not know of the use. */
static void test_used(void)
{
    static _Alignas(8) char at[USED_PLACES * 8 + 64];
    struct used_found f;
    begin();
    used_note((uintptr_t)at + 3, 10, false, SITE);
    used_note((uintptr_t)at + 32, 4, true, SITE + 1);
    used_note((uintptr_t)at + 32, 4, false, SITE);
    used_note((uintptr_t)at + 36, 2, true, SITE + 2);
    HOLDS(!is_used(at, at + 64, true, &f)); /* the actor's own use */
    strand = &thread;
    HOLDS(!is_used(at, at + 32, false, &f) && !is_used(at, at + 3, true, &f) && !is_used(at + 13, at + 32, true, &f));
    HOLDS(is_used(at, at + 4, true, &f) && f.at == (uintptr_t)at + 3 && f.bytes == 1 && !f.writes && f.site == SITE);
    HOLDS(is_used(at + 12, at + 64, true, &f) && f.at == (uintptr_t)at + 12 && f.bytes == 1);
    HOLDS(is_used(at + 24, at + 64, false, &f) && f.writes && f.bytes == 6 && f.site == SITE + 2);
    HOLDS(!is_used(at + 38, at + 64, true, &f));
    HOLDS(is_used(at + 16, at + sizeof at, false, &f) && f.at == (uintptr_t)at + 32); /* more entries than places */
    used_forget((uintptr_t)at, (uintptr_t)at + 8);
    HOLDS(!is_used(at, at + 8, true, &f) && is_used(at + 8, at + 16, true, &f));
    strand = &strands[0];
    tells(TOLD + 32);
    used_note((uintptr_t)at + 16, 8, true, SITE);
    used_note((uintptr_t)at + 32 + USED_PLACES * 8, 8, true, SITE); /* takes another entry's slot */
    strand = &thread;
    HOLDS(!is_used(at + 32, at + 40, true, &f));
    actor_acquire(TOLD + 32);
    HOLDS(!is_used(at, at + 16, true, &f) && is_used(at, at + 24, false, &f));
    used_forget(0, UINTPTR_MAX);
    HOLDS(!is_used(at, at + sizeof at, true, &f));
    end();
}

int main(void)
{
    static char where[64];
    const int fd = memfd_create("races", 0);
    snprintf(where, sizeof where, "%d:%d", (int)getpid(), fd);
    setenv("COPAL_RACES", where, 1);
    if (fd < 0 || ftruncate(fd, (off_t)RACES_FILE_BYTES) != 0 || !board_open(PES) || !shadow_open(WINDOW))
        return 1;
    begin();
    end();
    test_pending();
    test_fences();
    test_fence_known();
    test_fence_and_join();
    test_many_fences();
    test_ended();
    test_many_ended();
    test_used();
    return check_result();
}
