/* Library setup, exit and query (9.1), threads (9.2). */
#include "shmem/api.h"
#include "shmem/debug.h"
#include "job/backtrace.h"
#include "boot/boot.h"
#include "boot/mpi_beside.h"
#include "job/settings.h"
#include "time/virtual.h"
#include "wait/wait.h"
#include "node/overlap.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int begun;        /* number of shmem_init calls minus number of shmem_finalize calls */

/* --- beginning and end -------------------------------------------------------------------------------------------- */

static void at_exit(int status, void *unused);

/* A PE that dies in shmem_init ends the job. A PE that is dead now has therefore died in an earlier program. */
static void refuse_the_dead(void)
{
    for (int seat = 0; seat < self.job->n_pes; seat++)
        if (self.job->pe[seat].state == JOB_PE_DEAD)
            job_fatal_once("shmem_init", "PE %d has failed in an earlier program of this job; a script must not start "
                           "another program then", self.first_seat + seat);
}

/* Called once per process: what it sets up stays until the process ends. */
static void join(void)
{
    boot_join();
    backtrace_begin();
    job_flush_begin();
    node_map(setting_size(SETTING_SHMEM_SYMMETRIC_SIZE, NODE_DEFAULT_HEAP), teams_work_bytes());
    refuse_the_dead();
    job_count_cpus();
    wait_tune(self.crowded);
    hybrid_tell_of_ranks();
    on_exit(at_exit, NULL);
}

static void join_again(void)
{
    struct boot_layout layout;
    const char *failed = boot && boot->begin ? boot->begin(&layout) : NULL;
    if (failed)
        job_fatal("shmem_init", "cannot join the job again: %s", failed);
    if (!(node.blocks = alloc_create(node.heap_size, ALLOC_BOTTOM)))
        job_fatal("shmem_init", "no memory for the records of the symmetric heap");
}

/* In emulated time, only the program's threads copy: the helper thread has no emulated clock. */
static void take_emulated_time(void)
{
    node.overlap_from = OVERLAP_NEVER;
    virtual_enter(thread_level == SHMEM_THREAD_MULTIPLE);
    wait_tune(self.crowded);
}

static void start(void)
{
    if (!self.job)
        join();
    else
        join_again();
    job_seat(self.pe)->debug = setting_on(SETTING_SHMEM_DEBUG);
    for (int i = 0; i < JOB_LOCKS_HELD; i++)
        job_seat(self.pe)->held[i] = 0; /* locks in the previous heap */
    node.n_pes = self.n_pes;
    node.first = self.first;
    node.n_near = self.n_near;
    node.overlap_from = overlap_from();
    job_seat(self.pe)->state = JOB_PE_JOINED;
    net_start();
    teams_begin();
    contexts_begin();
    calls_begin();
    if (self.pe == 0)
        teams_publish_settings();
    if (self.pe == 0)
        info_tell();
    /* MUTANT the barrier at the beginning */
    boot_barrier("shmem_init"); /* all PEs have created their memory */
    if (net.active)
        net_run();
    if (boot && boot->outlive && self.job->outlives)
        boot->outlive();
    if (boot && boot->watch)
        boot->watch(net_missed);
    job_seat(self.pe)->state = JOB_PE_RUNNING;
    node.debug = false; /* either all PEs have red zones and compare arguments, or none */
    for (int seat = 0; seat < self.job->n_pes; seat++)
        node.debug |= self.job->pe[seat].debug;
    node.polls = net.polls;
    node.slow = node.debug || node.polls || virtual_begun();
    node.data_quick = node.slow || node.mixed_programs ? 0 : node.data_used;
    node_use_heap(0);
    if (virtual_begun())
        take_emulated_time();
    outer_routine = "shmem_init";
    teams_read_settings();
    if (self.job->n_pes < self.n_pes) /* nodes may differ in memory size */
        node_shrink_heap(teams_least(node.heap_size));
    outer_routine = NULL;
}

/* A collective would also wait for dead PEs. No longjmp leaves this wait, because the caller holds the lock. */
static void meet_the_living(const char *routine)
{
    void (*const alerted)(void) = atomic_exchange(&wait_alerted, NULL);
    if (copies_left())
        wait_for_copies(0, -1, PUTS_AND_GETS); /* MUTANT the end waits for copies */
    if (self.job->outlives && net.active)
        net_meet(routine);
    else if (self.job->outlives)
        boot_barrier(routine); /* its atomics act as a quiet */
    else
        barrier_all(routine); /* MUTANT the barrier at the end */
    wait_alerted = alerted;
}

static void stop(const char *routine)
{
    if (boot && boot->finalizes)
        boot->finalizes(routine);
    if (self.job->outlives && net.active)
        /* MUTANT the end completes first */
        net_quiet_all(); /* before other PEs see that this PE ends: the barrier below completes no operations */
    job_seat(self.pe)->state = JOB_PE_FINALIZING;
    shmemx_on_alert(NULL);
    shmemx_name_waits(NULL);
    if (net.active)
        net_finish();
    meet_the_living(routine);
    if (net.adapter)
        net_quiet(net_library); /* this PE must complete the barrier's own signals */
    if (virtual_on) {
        if (net.active)
            net_progress(); /* sends messages for which other PEs may wait */
        virtual_leave(); /* the following steps take no emulated time */
        wait_tune(self.crowded);
    }
    overlap_end();
    node.n_pes = node.n_near = 0;
    node.polls = false;
    node_use_heap(0);
    alloc_destroy(node.blocks);
    node.blocks = NULL;
    if (!(self.job->outlives && net.active)) /* MUTANT the last barrier ends first */
        boot_barrier(routine); /* no PE may count as dead while it is still in the barrier above */
    if (boot && boot->unwatch)
        boot->unwatch(); /* before net_stop: the failure detector reports deaths over the network */
    net_stop();
    if (boot && boot->end)
        boot->end();
    job_seat(self.pe)->state = JOB_PE_FINALIZED;
}

/* If a program exits with status 0 without shmem_finalize, this calls it. A PE that fails must not wait for the other
 * PEs. */
static void at_exit(int status, void *unused)
{
    (void)unused;
    if (getpid() != self.pid)
        return;
    hybrid_tell_of_ranks();
    if ((status & 0xff) == 0 && begun > 0)
        stop("shmem_finalize"); /* the program has not called it */
    else if (boot && job_seat(self.pe)->state < JOB_PE_FINALIZED)
        /* shmem_global_exit, or a PE that has failed: not all launchers would end the other PEs. */
        boot->abort(status & 0xff, "");
}

API(int, init_thread, (int requested, int *provided))
{
    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE)
        job_fatal(ROUTINE, "argument requested is %d, allowed are the SHMEM_THREAD_ constants (%d to %d)", requested,
                  SHMEM_THREAD_SINGLE, SHMEM_THREAD_MULTIPLE);
    if (job_is_child())
        node_not_initialized(ROUTINE);
    pthread_mutex_lock(&lock);
    if (begun++ == 0) {
        thread_level = requested; /* all levels are supported */
        start();
    }
    if (provided)
        *provided = thread_level;
    pthread_mutex_unlock(&lock);
    return 0;
}

API(void, init, (void))
{
    pshmem_init_thread(SHMEM_THREAD_SINGLE, NULL);
}

/* A shmem_finalize without a shmem_init is undefined; some programs call it, and other implementations ignore it. */
static bool is_over(const char *routine)
{
    const bool over = node.n_pes == 0 && self.job && getpid() == self.pid;
    if (over && setting_on(SETTING_SHMEM_DEBUG))
        job_say(routine, "called after shmem_finalize, which does nothing; call it as often as shmem_init");
    return over;
}

API(void, finalize, (void))
{
    if (is_over(ROUTINE))
        return;
    check_initialized(ROUTINE);
    pthread_mutex_lock(&lock);
    if (--begun == 0) {
        stop(ROUTINE);
    } else {
        if (self.job->outlives && net.active)
            net_quiet_all();
        meet_the_living(ROUTINE);
    }
    pthread_mutex_unlock(&lock);
}

API(void, global_exit, (int status))
{
    check_initialized(ROUTINE);
    begun = 0; /* at_exit must not finalize, because other PEs may never arrive */
    job_exit(status);
}

void shmemx_backtrace(void)
{
    backtrace_say();
}

/* --- queries ------------------------------------------------------------------------------------------------------ */

API(void, query_initialized, (int *initialized))
{
    *initialized = node.n_pes > 0;
}

API(void, query_thread, (int *provided))
{
    check_initialized(ROUTINE);
    *provided = thread_level;
}

API(int, my_pe, (void))
{
    check_initialized(ROUTINE);
    return node.me;
}

API(int, n_pes, (void))
{
    check_initialized(ROUTINE);
    return node.n_pes;
}

API(int, pe_accessible, (int pe))
{
    check_initialized(ROUTINE);
    return pe >= 0 && pe < node.n_pes;
}

/* Whether addr is symmetric and PE pe has the corresponding object. */
static bool accessible(const void *addr, int pe)
{
    if ((unsigned)pe >= (unsigned)node.n_pes)
        return false;
    return (uintptr_t)addr - node.user < node.heap_used ||
           ((uintptr_t)addr - node.data < node.data_used && node_has_statics(pe));
}

API(int, addr_accessible, (const void *addr, int pe))
{
    check_initialized(ROUTINE);
    return accessible(addr, pe);
}

API(void *, ptr, (const void *dest, int pe))
{
    check_initialized(ROUTINE);
    check_pe(pe, ROUTINE);
    if (!node_is_near(pe) || !accessible(dest, pe))
        return NULL;
    if (pe == node.me)
        return (void *)dest;
    if (UNLIKELY(virtual_on)) {
        if (!outer_routine) /* a collective reports its own loads and stores */
            virtual_expect_unseen();
        return reach_address("dest", dest, 1, pe, ROUTINE);
    }
    return reach(dest, 1, pe, ROUTINE);
}

API(void *, team_ptr, (shmem_team_t team, const void *dest, int pe))
{
    check_initialized(ROUTINE);
    if (team == SHMEM_TEAM_INVALID)
        return NULL;
    return pshmem_ptr(dest, team_pe(team_find(team, ROUTINE), pe, ROUTINE));
}

API(void, info_get_version, (int *major, int *minor))
{
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}

API(void, info_get_name, (char *name))
{
    strncpy(name, SHMEM_VENDOR_STRING, SHMEM_MAX_NAME_LEN - 1);
    name[SHMEM_MAX_NAME_LEN - 1] = 0;
}

/* --- the names of before 1.2 -------------------------------------------------------------------------------------- */

#pragma GCC visibility push(default)

void start_pes(int npes)
{
    (void)npes; /* the launcher determines the number of PEs */
    int initialized;
    pshmem_query_initialized(&initialized);
    if (!initialized) /* calling it again has no effect (9.1.13) */
        pshmem_init();
}

int _my_pe(void)
{
    return pshmem_my_pe();
}

int _num_pes(void)
{
    return pshmem_n_pes();
}

void *shmalloc(size_t size)
{
    return pshmem_malloc(size);
}

void shfree(void *ptr)
{
    pshmem_free(ptr);
}

void *shrealloc(void *ptr, size_t size)
{
    return pshmem_realloc(ptr, size);
}

void *shmemalign(size_t alignment, size_t size)
{
    return pshmem_align(alignment, size);
}

#pragma GCC visibility pop
