/* The accesses and the ordering of each call of the program, by the rules of OpenSHMEM 1.6; segments.c has the rules of
 * coarrays.
 *
 * A put's writes belong to its agent, a blocking get's reads to the PE itself. A call that releases publishes the PE's
 * clock, and a call that acquires joins the published clock. A put or an atomic releases to a PE that waits for the
 * changed word, and to a fetching atomic on it; shmem_clear_lock releases to the lock's next holder. In a barrier and a
 * sync, each PE joins the clocks of all, and a barrier first completes the default context's operations. Other
 * collectives order along their data flow: a broadcast from its root to each PE, the others from each PE to each. When
 * a PE returns from a collective, other PEs may still use their arguments. */
#include "races/access.h"
#include "races/block.h"
#include "races/calls.h"
#include "races/copies.h"

#include <pthread.h>

enum { SMALL = 64 }; /* a put up to this number of bytes may contain flags */

static bool active;
static unsigned initialized; /* calls of shmem_init not yet matched by shmem_finalize */

__attribute__((constructor)) static void remember(void)
{
    map_remember_job();
}

static uint32_t site_of_call(const struct tap_call *c)
{
    return site_of(c->caller, c->routine); /* tap_before ensures that caller is in the program */
}

/* --- puts, gets, atomics ------------------------------------------------------------------------------------------ */

/* The blocks of a call, joined into one if they are adjacent. */
struct blocks {
    size_t bytes, count;
};
static struct blocks blocks_of(const struct tap_call *c, ptrdiff_t step)
{
    const bool together = step == (ptrdiff_t)c->bytes || c->count < 2;
    return together ? (struct blocks){c->bytes * c->count, c->count > 0} : (struct blocks){c->bytes, c->count};
}

static void look_at_remote(const struct tap_call *c, const void *object, ptrdiff_t step, enum access kind,
                           const struct doer *d)
{
    const struct blocks b = blocks_of(c, step);
    size_t offset;
    for (size_t i = 0; i < b.count; i++)
        if (map_remote((const char *)object + (ptrdiff_t)i * step, b.bytes, c->pe, &offset))
            access_symmetric(offset, b.bytes, kind, d, site_of_call(c));
}

static __attribute__((noinline)) void begin_pending(const struct tap_call *c, const char *at, size_t bytes,
                                                    enum access kind, const struct doer *d)
{
    access_pending(&(struct pending){.from = (uintptr_t)at, .to = (uintptr_t)at + bytes, .ctx = c->ctx, .pe = c->pe,
                                     .site = site_of_call(c), .written = kind == ACCESS_WRITE, .actor = d->actor,
                                     .epoch = d->epoch});
}

/* Records the access of this PE's buffer, which a nonblocking operation uses until it is complete. */
static void look_at_buffer(const struct tap_call *c, const void *buffer, ptrdiff_t step, enum access kind)
{
    const struct blocks b = blocks_of(c, step);
    const bool later = c->flags & TAP_NONBLOCKING;
    const struct doer d = later ? actor_agent(AGENT_LOCAL, c->ctx, c->pe) : actor_pe();
    size_t offset;
    for (size_t i = 0; i < b.count && buffer; i++) {
        const char *at = (const char *)buffer + (ptrdiff_t)i * step;
        access_local(at, b.bytes, kind, &d, site_of_call(c));
        if (later && !map_offset(at, &offset))
            begin_pending(c, at, b.bytes, kind, &d);
    }
}

/* Each element of a small put may be a flag; in a put of bytes, each group of four bytes. */
static void tell_elements(const struct tap_call *c)
{
    const size_t step = c->bytes == 1 ? 4 : 1;
    size_t offset;
    for (size_t i = 0; c->bytes * c->count <= SMALL && i < c->count; i += step)
        if (map_remote((char *)c->dest + (ptrdiff_t)i * c->dest_step, c->bytes, c->pe, &offset))
            actor_release(offset, AGENT_PUTS, c->ctx, c->pe);
}

static void tell_signal(const struct tap_call *c, enum agent agent)
{
    const struct doer d = actor_agent(agent, c->ctx, c->pe);
    size_t offset;
    if (!map_remote(c->signal, sizeof *c->signal, c->pe, &offset))
        return;
    access_symmetric(offset, sizeof *c->signal, ACCESS_ATOMIC | ACCESS_WRITE, &d, site_of_call(c));
    actor_release(offset, agent, c->ctx, c->pe);
}

static void put(struct tap_call *c)
{
    if (c->pe < 0 || c->pe >= map.n_pes)
        return;
    const enum agent agent = c->signal ? actor_next_signal() : AGENT_PUTS;
    const struct doer d = actor_agent(agent, c->ctx, c->pe);
    look_at_buffer(c, c->source, c->source_step, ACCESS_READ);
    look_at_remote(c, c->dest, c->dest_step, ACCESS_WRITE, &d);
    if (c->signal)
        tell_signal(c, agent);
    else
        tell_elements(c);
}

static void get(struct tap_call *c)
{
    if (c->pe < 0 || c->pe >= map.n_pes)
        return;
    const struct doer d = c->flags & TAP_NONBLOCKING ? actor_agent(AGENT_LOCAL, c->ctx, c->pe) : actor_pe();
    look_at_remote(c, c->source, c->source_step, ACCESS_READ, &d);
    look_at_buffer(c, c->dest, c->dest_step, ACCESS_WRITE);
}

/* If a place uses contexts of both domains, its accesses count as atomic with those of either. */
static void note_domain(const struct tap_call *c, uint32_t site)
{
    _Atomic uint8_t *const domains = &board->site[site].domains;
    const uint8_t domain = c->ctx != SHMEM_CTX_DEFAULT && tap_context(c->ctx).of_shared ? 2 : 1;
    if (site && !(*domains & domain))
        atomic_fetch_or(domains, domain);
}

/* A blocking fetching atomic is complete on return, so the PE itself performs it. */
static void atomic(struct tap_call *c)
{
    const bool at_once = c->flags & TAP_READS && !(c->flags & TAP_NONBLOCKING);
    size_t offset;
    if (!map_remote(c->dest, c->bytes, c->pe, &offset))
        return;
    const struct doer d = at_once ? actor_behind_fence(c->ctx, c->pe) : actor_agent(AGENT_PUTS, c->ctx, c->pe);
    const uint32_t site = site_of_call(c);
    note_domain(c, site);
    access_symmetric(offset, c->bytes, ACCESS_ATOMIC | (c->flags & TAP_WRITES ? ACCESS_WRITE : ACCESS_READ), &d, site);
    if (c->fetch)
        look_at_buffer(c, c->fetch, (ptrdiff_t)c->bytes, ACCESS_WRITE);
    if (c->flags & TAP_WRITES)
        actor_release(offset, AGENT_PUTS, c->ctx, c->pe);
}

/* Joins the clock of the strand that has changed the word; by is the actor that has read it. */
static void learn_word(size_t offset, size_t bytes, uint32_t by)
{
    actor_acquire(offset);
    shadow_seen(offset, bytes, by);
}

/* A nonblocking fetch joins the clock already here, so that the clock is joined when the program reads the result after
 * a quiet. */
static void after_atomic(struct tap_call *c)
{
    size_t offset;
    if (!(c->flags & TAP_READS) || !map_remote(c->dest, c->bytes, c->pe, &offset))
        return;
    const bool later = c->flags & TAP_NONBLOCKING;
    const struct doer by = later ? actor_agent(AGENT_PUTS, c->ctx, c->pe) : actor_pe();
    learn_word(offset, c->bytes, by.actor);
}

static void signal_only(struct tap_call *c)
{
    if (c->pe >= 0 && c->pe < map.n_pes)
        tell_signal(c, AGENT_PUTS);
}

/* --- waits -------------------------------------------------------------------------------------------------------- */

static void learn_element(const struct tap_call *c, size_t i)
{
    size_t offset;
    if (map_offset((const char *)c->source + i * c->bytes, &offset))
        learn_word(offset, c->bytes, strand->actor);
}

static void waited(struct tap_call *c)
{
    if (c->flags & TAP_ANY && c->found < c->count)
        learn_element(c, c->found);
    for (size_t i = 0; c->flags & TAP_SOME && i < c->found; i++)
        learn_element(c, c->indices[i]);
    if (c->flags & (TAP_ANY | TAP_SOME) || (c->kind == TAP_TEST && !c->found))
        return;
    for (size_t i = 0; i < c->count; i++)
        if (!c->status || !c->status[i])
            learn_element(c, i);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

static void fence(struct tap_call *c)
{
    actor_fence(c->ctx);
}

static void quiet(shmem_ctx_t ctx)
{
    actor_quiet(ctx);
    pending_end(ctx, -1);
}

static void after_quiet(struct tap_call *c)
{
    if (!(c->flags & TAP_PE_QUIET)) {
        quiet(c->ctx);
        return;
    }
    for (size_t i = 0; i < c->count; i++) {
        const int pe = tap_pe(c->ctx, c->pes[i]);
        if (pe >= 0 && pe < map.n_pes) {
            actor_quiet_pe(c->ctx, pe);
            pending_end(c->ctx, pe);
        }
    }
}

static void context_ends(struct tap_call *c)
{
    actor_forget(c->ctx);
    pending_end(c->ctx, -1);
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

/* The key of a team, or of an active set, and a kind of synchronization. Synchronizations with the same key are
 * numbered. */
enum meeting { MEETING_SYNC, MEETING_DATA, MEETING_ROOT };
static uint64_t group_key(const struct tap_call *c, enum meeting kind)
{
    const uint64_t pes = board_hash(board_hash((unsigned)c->start) + (unsigned)c->stride) + (unsigned)c->size;
    const uint64_t team = board_hash(pes) + (unsigned)tap_team(c->team).twin;
    return board_hash(board_hash(team) + (uint64_t)kind + (kind == MEETING_ROOT ? (uint64_t)(unsigned)c->root : 0)) | 1;
}

static bool is_root(const struct tap_call *c)
{
    return c->start + c->root * c->stride == map.me;
}

/* Stores key and number of the synchronization in `own` and `began`, for tap_after. */
static void tell(struct tap_call *c, enum meeting kind)
{
    c->own = group_key(c, kind);
    c->began = meeting_next(c->own);
    if (kind != MEETING_ROOT || is_root(c))
        actor_tell(c->own, (uint32_t)c->began);
}

static void learn(struct tap_call *c)
{
    actor_learn(c->own, (uint32_t)c->began);
}

static void meet(struct tap_call *c)
{
    actor_complete_stores();
    tell(c, MEETING_SYNC);
}

static void barrier(struct tap_call *c)
{
    quiet(SHMEM_CTX_DEFAULT);
    meet(c);
}

/* For a collect, 1: only the size of this PE's contribution is known. */
static size_t parts_of_dest(const struct tap_call *c)
{
    return c->kind == TAP_FCOLLECT || c->kind == TAP_ALLTOALL ? (size_t)c->size : 1;
}

static void collective(struct tap_call *c)
{
    tell(c, c->kind == TAP_BROADCAST ? MEETING_ROOT : MEETING_DATA);
}

static void look_at_argument(const struct tap_call *c, const void *object, size_t parts, ptrdiff_t step,
                             enum access kind)
{
    const struct doer d = actor_pe();
    struct tap_call all = *c;
    all.count *= parts;
    const struct blocks b = blocks_of(&all, step);
    for (size_t i = 0; i < b.count && object; i++)
        access_local((const char *)object + (ptrdiff_t)i * step, b.bytes, kind, &d, site_of_call(c));
}

/* dest must be ready on all PEs before any PE calls that may write to it. */
static void check_is_ready(const struct tap_call *c)
{
    static uint32_t clock[BOARD_ACTORS];
    struct tap_call all = *c;
    all.count *= parts_of_dest(c);
    const struct blocks b = blocks_of(&all, c->dest_step);
    actor_known_to_all(c->own, (uint32_t)c->began, clock);
    if (c->dest == c->source)
        clock[strand->actor] = EPOCH_LAST; /* in place: the PE's source is ready, so its dest is too */
    for (size_t i = 0; i < b.count; i++)
        access_ready((char *)c->dest + (ptrdiff_t)i * c->dest_step, b.bytes, clock, site_of_call(c));
}

static void after_collective(struct tap_call *c)
{
    const bool root = c->kind == TAP_BROADCAST && is_root(c);
    learn(c);
    if (c->kind != TAP_BROADCAST || root)
        look_at_argument(c, c->source, c->kind == TAP_ALLTOALL ? (size_t)c->size : 1, c->source_step, ACCESS_READ);
    if (!root)
        check_is_ready(c);
    if (!root || (c->team && c->dest != c->source))
        look_at_argument(c, c->dest, parts_of_dest(c), c->dest_step, ACCESS_WRITE);
}

/* --- locks -------------------------------------------------------------------------------------------------------- */

static void after_lock(struct tap_call *c)
{
    size_t offset;
    if ((c->kind == TAP_LOCK || c->found == 0) && map_remote(c->dest, c->bytes, 0, &offset))
        actor_acquire(offset);
}

static void unlock(struct tap_call *c)
{
    size_t offset;
    quiet(SHMEM_CTX_DEFAULT);
    if (map_remote(c->dest, c->bytes, 0, &offset))
        actor_release(offset, AGENT_LOCAL, SHMEM_CTX_DEFAULT, 0);
}

/* --- memory: barriers of all PEs, whose end waits until all have recorded the allocation -------------------------- */

static void meet_all(struct tap_call *c)
{
    c->stride = 1;
    c->size = map.n_pes;
    barrier(c);
}

/* Marks a block as freed; of a large block, only the part that has been used. */
static void forget(struct block b, uint32_t site)
{
    enum { LARGE = 1 << 16 };
    const struct doer d = actor_pe();
    size_t from, to;
    if (!b.bytes || !map_offset((void *)b.at, &from))
        return;
    const size_t end = to = from + b.bytes;
    for (; b.bytes > LARGE ? shadow_used(&from, &to, end) : from < end; from = to) {
        access_symmetric(from, to - from, ACCESS_WRITE, &d, site);
        shadow_freed(from, to, site);
    }
}

static void after_free(struct tap_call *c)
{
    learn(c);
    if (!c->dest)
        return;
    forget(block_remove(c->dest), site_of_call(c));
    pshmem_barrier_all();
}

static void after_alloc(struct tap_call *c)
{
    size_t from, to;
    if (c->kind == TAP_REALLOC && c->dest && !c->bytes) {
        after_free(c);
        return;
    }
    learn(c);
    if (!c->result)
        return;
    map_learn_heap(c->result);
    if (c->kind == TAP_REALLOC && c->dest)
        forget(block_remove(c->dest), site_of_call(c));
    const size_t bytes = c->bytes * c->count;
    if (map_offset(c->result, &from))
        for (const size_t end = from + bytes; shadow_used(&from, &to, end); from = to)
            shadow_clear(from, to);
    block_add(c->result, bytes, site_of_call(c));
    pshmem_barrier_all();
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

/* The child of a fork is not a PE: it drops the shared state and the records of symmetric memory. It has no other
 * threads, but these may have held locks at the fork. */
static void begin_child(void)
{
    active = actor_has_strands = false;
    map = (struct map){0};
    pendings.n = pendings.n_ended = 0;
    pendings.to = 0;
    used_by_any = NULL;
    board_noting = 0;
}

/* Runs before other handlers, which lock mutexes and unlock them before the next two functions run. */
static void before_fork(void)
{
    board_noting++;
}
static void behind_fork(void)
{
    board_noting--;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(before_fork, behind_fork, begin_child);
}

static void begin(void)
{
    const int me = pshmem_my_pe(), n = pshmem_n_pes();
    const bool again = board != NULL; /* after shmem_finalize: clocks and records continue */
    if (initialized++ || !(again || board_open(n)))
        return;
    active = map_read(me, n) && (again || shadow_open(map.bytes));
    if (active && !again) {
        actors_begin(me, n);
        board->found.looking++;
        copies_tell();
    }
    if (active)
        return;
    board_give_up("the symmetric memory, or the detector's memory for it, cannot be mapped");
    map = (struct map){0};
    board = NULL;
}

/* Each shmem_finalize is a barrier of all PEs; the last one also completes the operations on all contexts. */
static void finalize(struct tap_call *c)
{
    if (initialized == 1)
        actor_forget_all();
    meet_all(c);
}

static void after_finalize(struct tap_call *c)
{
    learn(c);
    if (--initialized)
        return;
    active = false;
    map = (struct map){0}; /* later accesses are not symmetric */
    pending_clear();
    used_forget(0, UINTPTR_MAX);
}

static const struct {
    void (*before)(struct tap_call *c), (*after)(struct tap_call *c);
} rules[TAP_KINDS] = {
    [TAP_PUT] = {put, NULL},
    [TAP_GET] = {get, NULL},
    [TAP_ATOMIC] = {atomic, after_atomic},
    [TAP_SIGNAL] = {signal_only, NULL},
    [TAP_WAIT] = {NULL, waited},
    [TAP_TEST] = {NULL, waited},
    [TAP_FENCE] = {fence, NULL},
    [TAP_QUIET] = {NULL, after_quiet},
    [TAP_BARRIER] = {barrier, learn},
    [TAP_SYNC] = {meet, learn},
    [TAP_BROADCAST] = {collective, after_collective},
    [TAP_COLLECT] = {collective, after_collective},
    [TAP_FCOLLECT] = {collective, after_collective},
    [TAP_ALLTOALL] = {collective, after_collective},
    [TAP_REDUCE] = {collective, after_collective},
    [TAP_SCAN] = {collective, after_collective},
    [TAP_LOCK] = {NULL, after_lock},
    [TAP_TEST_LOCK] = {NULL, after_lock},
    [TAP_UNLOCK] = {unlock, NULL},
    [TAP_ALLOC] = {meet_all, after_alloc},
    [TAP_REALLOC] = {meet_all, after_alloc},
    [TAP_FREE] = {meet_all, after_free},
    [TAP_TEAM_SPLIT] = {meet, learn},
    [TAP_CONTEXT_DESTROY] = {context_ends, NULL},
    [TAP_FINALIZE] = {finalize, after_finalize},
};

/* Whether a coarray library that reports no statements made the call: the order of its own calls is unknown. */
static bool is_untold(const struct tap_call *c)
{
    return !(c->flags & TAP_STATEMENT) && c->kind != TAP_FINALIZE && caller_is_coarrays(c->caller);
}

void tap_before(struct tap_call *call)
{
    if (!active || is_untold(call))
        return;
    call->caller = (void *)(uintptr_t)caller_in_program(call->caller);
    const bool alone = access_enter();
    if (call->flags & TAP_STATEMENT)
        segments_before(call);
    else if (rules[call->kind].before)
        rules[call->kind].before(call);
    access_leave(alone);
}

void tap_after(struct tap_call *call)
{
    if (call->kind == TAP_INIT)
        begin();
    if (!active || !(call->flags & TAP_STATEMENT || rules[call->kind].after))
        return;
    if (is_untold(call)) {
        if (call->kind == TAP_ALLOC)
            map_learn_heap(call->result);
        return;
    }
    const bool alone = access_enter();
    if (call->flags & TAP_STATEMENT)
        segments_after(call);
    else
        rules[call->kind].after(call);
    access_leave(alone);
}
