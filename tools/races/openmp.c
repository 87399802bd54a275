/* Threads of OpenMP in gcc's and gfortran's runtime, libgomp: wraps the functions that compilers call there.
 *
 * A thread of libgomp's pool has a strand from its first region on. At the start of a region, it joins the clock of the
 * thread that starts the region; at the end, that thread joins the clocks of all. In between, threads are ordered by
 * barriers (also at the end of loops, sections and singles), ordered and critical regions, locks, and tasks. If the
 * real order is weaker than assumed here, for example of tasks with dependences, a race may be missed, but no false
 * race is reported. */
#include "races/access.h"
#include "races/objects.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct region {
    void *first; /* the first word of the program's data, which libgomp reads for reductions of tasks */
    void (*body)(void *);
    void *data;
    const struct strand *parent;
    void (*now)(void *); /* function and argument passed to libgomp: run and this region, or the program's */
    void *with;
    char begin, end, barrier, ordered, single, task, task_end, dependences; /* objects.h */
};
static _Thread_local struct region *region; /* NULL: outside of regions */

/* --- strands of the pool's threads -------------------------------------------------------------------------------- */

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

/* Strands of threads that have ended, for reuse. */
static struct idle {
    struct strand strand;
    struct idle *next;
} *idle;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void leave_to_next(void *strand_of_thread)
{
    struct idle *mine = strand_of_thread;
    tap_depth++; /* the lock is not recorded as the program's */
    pthread_mutex_lock(&lock);
    mine->next = idle;
    idle = mine;
    pthread_mutex_unlock(&lock);
    tap_depth--;
}

static void make_key(void)
{
    pthread_key_create(&key, leave_to_next);
}

/* Gives this thread of the pool a strand if it has none yet. */
static void take_strand(void)
{
    tap_depth++;
    pthread_once(&key_once, make_key);
    pthread_mutex_lock(&lock);
    struct idle *mine = idle;
    if (mine)
        idle = mine->next;
    pthread_mutex_unlock(&lock);
    if (mine)
        strand = &mine->strand;
    else if ((mine = calloc(1, sizeof *mine)) && !actor_begin_strand(&mine->strand)) {
        free(mine);
        mine = NULL;
    }
    if (mine) {
        access_forget_stack();
        pthread_setspecific(key, mine);
        strand->lives = false; /* true only in regions */
    }
    tap_depth--;
}

/* --- regions ------------------------------------------------------------------------------------------------------ */

static void run(void *of)
{
    static _Thread_local bool has_strand;
    struct region *const outer = region, *const r = of;
    const bool is_parent = strand == r->parent && outer == r;
    if (is_parent) {
        r->body(r->data);
        return;
    }
    if (!has_strand)
        take_strand();
    has_strand = true;
    struct strand *const mine = strand;
    const bool has_lived = mine->lives;
    region = r;
    mine->lives = true;
    object_acquire(&r->begin);
    r->body(r->data);
    object_release(&r->end);
    mine->lives = has_lived;
    region = outer;
}

static bool is_looked_at(void)
{
    return map.bytes && tap_depth == 0;
}

static void begin(struct region *r, void (*body)(void *), void *data)
{
    *r = (struct region){.body = body, .data = data, .parent = strand, .now = body, .with = data};
    if (!is_looked_at())
        return;
    r->now = run;
    r->with = r;
    actor_expect_strands();
    object_release(&r->begin);
    region = r;
}

static void end(struct region *r, struct region *outer)
{
    if (region != r)
        return;
    region = outer;
    object_acquire(&r->end);
    object_acquire(&r->task_end);
    actor_expect_no_more();
    pending_settle(); /* records need no longer be kept for the pool's threads */
}

#pragma GCC visibility push(default)

typedef void body(void *);

/* Calls libgomp with run and the region instead of body and data; CALL has the other arguments. */
#define REGION(N, PARAMETERS, CALL) void N PARAMETERS { REAL(N); struct region r, *outer = region; \
    begin(&r, fn, data); real.call CALL(r.now, r.with); end(&r, outer); }

#define PLAIN(FN, DATA) (FN, DATA, n, flags)
REGION(GOMP_parallel, (body *fn, void *data, unsigned n, unsigned flags), PLAIN)

#define SECTIONS(FN, DATA) (FN, DATA, n, count, flags)
REGION(GOMP_parallel_sections, (body *fn, void *data, unsigned n, unsigned count, unsigned flags), SECTIONS)

#define LOOP(FN, DATA) (FN, DATA, n, start, last, step, chunk, flags)
#define LOOPS(N) REGION(GOMP_parallel_loop_##N, (body *fn, void *data, unsigned n, long start, long last, long step, \
    long chunk, unsigned flags), LOOP)
LOOPS(static)
LOOPS(dynamic)
LOOPS(guided)
LOOPS(nonmonotonic_dynamic)
LOOPS(nonmonotonic_guided)

#define LATE_LOOP(FN, DATA) (FN, DATA, n, start, last, step, flags)
#define LATE_LOOPS(N) REGION(GOMP_parallel_loop_##N, (body *fn, void *data, unsigned n, long start, long last, \
    long step, unsigned flags), LATE_LOOP)
LATE_LOOPS(runtime)
LATE_LOOPS(nonmonotonic_runtime)
LATE_LOOPS(maybe_nonmonotonic_runtime)

unsigned GOMP_parallel_reductions(body *fn, void *data, unsigned n, unsigned flags)
{
    REAL(GOMP_parallel_reductions);
    struct region r, *outer = region;
    begin(&r, fn, data);
    r.first = *(void **)data;
    const unsigned result = real.call(r.now, r.with, n, flags);
    end(&r, outer);
    return result;
}

/* --- barriers, and what one thread does after another ------------------------------------------------------------- */

static char events; /* ended tasks, of any region */

static void tasks_are_done(void)
{
    if (!region)
        return;
    object_acquire(&region->task_end);
    object_acquire(&events);
}

static void arrive(void)
{
    if (region)
        object_release(&region->barrier);
}

/* Tasks end before a barrier does. */
static void depart(void)
{
    if (!region)
        return;
    object_acquire(&region->barrier);
    tasks_are_done();
}

#define MEETS(N) void N(void) { REAL(N); arrive(); real.call(); depart(); }
#define MEETS_OR_NOT(N) bool N(void) { REAL(N); arrive(); \
    const bool result = real.call(); depart(); return result; }
MEETS(GOMP_barrier)
MEETS(GOMP_loop_end)
MEETS(GOMP_sections_end)
MEETS_OR_NOT(GOMP_barrier_cancel)
MEETS_OR_NOT(GOMP_loop_end_cancel)
MEETS_OR_NOT(GOMP_sections_end_cancel)

/* Any thread may take any section, and one thread may run all of them in order, which hides races. The first calls
 * therefore wait a little, so that other threads take sections. */
unsigned GOMP_sections_next(void)
{
    enum { NAPS = 100, NAP_US = 5000 };
    static atomic_uint naps;
    REAL(GOMP_sections_next);
    if (region && is_looked_at() && naps < NAPS && naps++ < NAPS)
        board_sleep(NAP_US);
    return real.call();
}

/* The thread that receives NULL runs the single region, and copies its results to the others. */
void *GOMP_single_copy_start(void)
{
    REAL(GOMP_single_copy_start);
    arrive();
    void *result = real.call();
    if (result && region) {
        depart();
        object_acquire(&region->single);
    }
    return result;
}

void GOMP_single_copy_end(void *data)
{
    REAL(GOMP_single_copy_end);
    if (region)
        object_release(&region->single);
    real.call(data);
    depart();
}

/* The critical regions without a name, and the atomic updates without a processor instruction. */
static char critical, update;

#define OBJECT(O) ((void *)(O))
#define TAKES(N, PARAMETERS, ARGUMENTS, O) void N PARAMETERS { REAL(N); \
    real.call ARGUMENTS; object_acquire(OBJECT(O)); }
#define GIVES(N, PARAMETERS, ARGUMENTS, O) void N PARAMETERS { REAL(N); \
    object_release(OBJECT(O)); real.call ARGUMENTS; }
#define TRIES(N) int N(void *it) { REAL(N); \
    const int result = real.call(it); if (result) object_acquire(it); return result; }

TAKES(GOMP_ordered_start, (void), (), region ? &region->ordered : &critical)
GIVES(GOMP_ordered_end, (void), (), region ? &region->ordered : &critical)
TAKES(GOMP_critical_start, (void), (), &critical)
GIVES(GOMP_critical_end, (void), (), &critical)
TAKES(GOMP_critical_name_start, (void **it), (it), it)
GIVES(GOMP_critical_name_end, (void **it), (it), it)
TAKES(GOMP_atomic_start, (void), (), &update)
GIVES(GOMP_atomic_end, (void), (), &update)

#define LOCKS(SET, TEST, UNSET) TAKES(SET, (void *it), (it), it) TRIES(TEST) GIVES(UNSET, (void *it), (it), it)
LOCKS(omp_set_lock, omp_test_lock, omp_unset_lock)
LOCKS(omp_set_nest_lock, omp_test_nest_lock, omp_unset_nest_lock)
LOCKS(omp_set_lock_, omp_test_lock_, omp_unset_lock_)
LOCKS(omp_set_nest_lock_, omp_test_nest_lock_, omp_unset_nest_lock_)

/* --- tasks -------------------------------------------------------------------------------------------------------- */

/* Precedes a task's own data. libgomp copies both when the task is created, by copy_task. */
struct task {
    void *event; /* written by libgomp, which expects space for it here (omp_fulfill_event) */
    body *body;
    void (*copy)(void *to, void *from);
    void *from;
    size_t bytes, data; /* data: offset of the task's own data */
    struct region *region;
    bool depends, has_event;
};

static void copy_task(void *to, void *from)
{
    struct task *t = memcpy(to, from, sizeof *t);
    if (t->has_event)
        *(void **)t->from = t->event;
    char *data = (char *)to + t->data;
    if (t->copy)
        t->copy(data, t->from);
    else if (t->bytes)
        memcpy(data, t->from, t->bytes);
}

/* May run in a thread that has left the region's body and waits for the others. */
static void run_task(void *of)
{
    struct task *t = of;
    struct region *const outer = region;
    struct strand *const mine = strand;
    const bool has_lived = mine->lives;
    region = t->region;
    mine->lives = true;
    object_acquire(&t->region->task);
    if (t->depends)
        object_acquire(&t->region->dependences);
    t->body((char *)of + t->data);
    object_release(&t->region->task_end);
    if (t->depends)
        object_release(&t->region->dependences);
    mine->lives = has_lived;
    region = outer;
}

#define BODY body *fn, void *data, void (*copy)(void *, void *), long bytes, long align
void GOMP_task(BODY, bool later, unsigned flags, void **depend, int priority, void *detach)
{
    enum { DEPENDS = 1 << 3, DETACHES = 1 << 13 };
    REAL(GOMP_task);
    if (!is_looked_at() || !region) {
        real.call(fn, data, copy, bytes, align, later, flags, depend, priority, detach);
        return;
    }
    const size_t most = (size_t)align > _Alignof(struct task) ? (size_t)align : _Alignof(struct task);
    struct task t = {NULL, fn, copy, data, (size_t)bytes, (sizeof t + most - 1) / most * most, region, flags & DEPENDS,
                     flags & DETACHES};
    object_release(&region->task);
    real.call(run_task, &t, copy_task, (long)(t.data + t.bytes), (long)most, later, flags, depend, priority, detach);
}

/* Runs the tasks of a taskloop immediately: libgomp stores each task's bounds where struct task would be. */
static unsigned at_once(unsigned flags)
{
    enum { MAY_BE_LATER = 1 << 10 };
    return is_looked_at() ? flags & ~(unsigned)MAY_BE_LATER : flags;
}

#define TASKLOOP(N, PARAMETERS) void N PARAMETERS { REAL(N); \
    real.call(fn, data, copy, bytes, align, at_once(flags), n, priority, start, last, step); }
TASKLOOP(GOMP_taskloop, (BODY, unsigned flags, unsigned long n, int priority, long start, long last, long step))
TASKLOOP(GOMP_taskloop_ull, (BODY, unsigned flags, unsigned long n, int priority, unsigned long long start,
                             unsigned long long last, unsigned long long step))

GIVES(omp_fulfill_event, (uintptr_t event), (event), &events)
GIVES(omp_fulfill_event_, (uintptr_t *event), (event), &events)

#define WAITS(N, PARAMETERS, ARGUMENTS) void N PARAMETERS { REAL(N); \
    real.call ARGUMENTS; tasks_are_done(); }
WAITS(GOMP_taskwait, (void), ())
WAITS(GOMP_taskwait_depend, (void **depend), (depend))
WAITS(GOMP_taskgroup_end, (void), ())
