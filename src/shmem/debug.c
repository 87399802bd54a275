#include "shmem/debug.h"

#include <inttypes.h>
#include <string.h>

uint64_t debug_offset(const void *sym)
{
    const uintptr_t at = (uintptr_t)sym;
    return at - node.data < node.data_used ? at - node.data : at - node.heap;
}

/* A member's routine and arguments. They are in the group's work area, because threads may use several groups at the
 * same time. */
struct said {
    uint64_t values[5];
    char routine[40];
};

/* For members to meet, at position 0 and at each other member. */
struct meeting {
    long arrived, released;
};

/* Algorithms use only the words of a pSync below these indexes. */
enum { SAID_IN_PSYNC = SHCOLL_SYNC_SIZE, MEETING_IN_PSYNC = SAID_IN_PSYNC + sizeof(struct said) / sizeof(uint64_t) };
_Static_assert(MEETING_IN_PSYNC * sizeof(long) + sizeof(struct meeting) <= SHMEM_REDUCE_SYNC_SIZE * sizeof(long),
               "space in a pSync");

static struct said *said_in(struct shcoll_group *g)
{
    return g->is_pSync ? (void *)(g->work + SAID_IN_PSYNC) : shcoll_scratch(g);
}

static void await(const long *word, long value)
{
    const uintptr_t at = (uintptr_t)reach_arg("pSync", word, sizeof *word, node.me, outer_routine);
    struct wait w = {.routine = outer_routine, .for_pe = shcoll_awaited_pe, .from = at, .to = at + sizeof *word};
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
        wait_turn(&w);
    wait_end(&w);
}

/* A pSync's sync leaves members behind that still wait in its words, where the collective that follows would store its
 * flags. Therefore the members meet in other words, which a member leaves as they were. */
static void meet(struct shcoll_group *g)
{
    if (!g->is_pSync) {
        shcoll_sync(g);
        return;
    }
    struct meeting *m = (void *)(g->work + MEETING_IN_PSYNC);
    pshmem_quiet(); /* orders what this member has said */
    shcoll_awaited_pe = g->me == 0 ? -1 : g->start;
    if (g->me == 0) {
        await(&m->arrived, g->size - 1);
        m->arrived = SHMEM_SYNC_VALUE;
        pshmem_quiet();
        for (int i = 1; i < g->size; i++)
            pshmem_long_p(&m->released, 1, g->start + i * g->stride);
    } else {
        pshmem_long_atomic_inc(&m->arrived, g->start);
        await(&m->released, 1);
        m->released = SHMEM_SYNC_VALUE;
    }
}

/* Each member writes its arguments, and compares them with position 0's before any member may overwrite them. */
void debug_agree(struct shcoll_group *g, const char *routine, const struct debug_argument *args, int n)
{
    const char *outer = outer_routine;
    outer_routine = routine;
    struct said *mine = said_in(g), first;
    strncpy(mine->routine, routine, sizeof mine->routine - 1);
    for (int i = 0; i < n; i++)
        mine->values[i] = args[i].value;
    meet(g);
    pshmem_getmem(&first, mine, sizeof first, g->start);
    if (strncmp(routine, first.routine, sizeof first.routine - 1) != 0)
        job_fatal(routine, "PE %d is in %s, allowed is the same collective routine on all PEs", g->start,
                  first.routine);
    for (int i = 0; i < n; i++)
        if (first.values[i] != args[i].value)
            job_fatal(routine,
                      "argument %s is %" PRId64 " here and %" PRId64 " on PE %d, allowed is the same on all PEs",
                      args[i].name, (int64_t)args[i].value, (int64_t)first.values[i], g->start);
    meet(g);
    memset(mine, 0, sizeof *mine);
    outer_routine = outer;
}

size_t debug_sum(struct shcoll_group *g, size_t value)
{
    struct said *mine = said_in(g);
    uint64_t other;
    size_t sum = 0;
    mine->values[0] = value;
    meet(g);
    for (int i = 0; i < g->size; i++) {
        pshmem_getmem(&other, mine->values, sizeof other, g->start + i * g->stride);
        sum = __builtin_add_overflow(sum, other, &sum) ? SIZE_MAX : sum;
    }
    meet(g);
    mine->values[0] = 0;
    return sum;
}

/* pSyncs that this PE has used since its last synchronization. If there are more, the others are not checked. */
static const long *used[64];
static int used_count;

void debug_synchronized(void)
{
    used_count = 0;
}

void debug_pSync(const long *pSync, enum pSync_use use, const char *routine)
{
    /* Members that are ahead may already have incremented words, by at most n_pes; other values are errors. */
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        if (pSync[i] < 0 || pSync[i] > node.n_pes)
            job_fatal(routine,
                      "argument pSync holds %ld in element %d, allowed is SHMEM_SYNC_VALUE (%ld) in all of them",
                      pSync[i], i, (long)SHMEM_SYNC_VALUE);
    if (use == PSYNC_SYNC || thread_level == SHMEM_THREAD_MULTIPLE) /* another thread may have synchronized */
        return;
    for (int i = 0; i < used_count; i++)
        if (used[i] == pSync)
            job_fatal(routine, "argument pSync is %p, which an earlier collective used; allowed is another pSync, or a "
                      "synchronization in between", (const void *)pSync);
    if (use == PSYNC_OTHER)
        used_count = 0;
    if (used_count < (int)(sizeof used / sizeof *used))
        used[used_count++] = pSync;
}

static size_t red_bytes(size_t bytes)
{
    return (bytes + RED_ZONE + ALLOC_GRANULE - 1) / ALLOC_GRANULE * ALLOC_GRANULE - bytes;
}

void debug_paint(char *block, size_t bytes)
{
    memset(block + bytes, 0xdb, red_bytes(bytes));
}

void debug_check_paint(const char *block, size_t bytes, const char *routine)
{
    for (size_t i = 0; i < red_bytes(bytes); i++)
        if ((unsigned char)block[bytes + i] != 0xdb)
            job_fatal(routine, "the block of %zu bytes at %p was written past its end, at byte %zu", bytes,
                      (const void *)block, bytes + i);
}
