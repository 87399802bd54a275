/* Threads of OpenMP are threads of their PE; OpenMP's constructs order their accesses. */
/* pes: 2 */
/* flags: -fopenmp -Wno-deprecated-openmp */
#define THREADS
#include "rules.h"

#include <omp.h>
#include <sched.h>
#include <unistd.h>

enum { WORDS = 64 };

/* 9.2, threads: after a barrier, another PE may get what a parallel loop has stored. */
RULE(loop_and_get)
{
    static long words[WORDS];

#pragma omp parallel for num_threads(3)
    for (int i = 0; i < WORDS; i++)
        words[i] = 1; /* loop */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        look(shmem_long_g(&words[WORDS - 1], 0), 1); /* get */
}

/* 9.2, threads: the threads of a region put, one thread then calls quiet, and the target loads after a barrier of the
 * PEs. */
RULE(parallel_puts)
{
    static long words[WORDS], sum;

#pragma omp parallel num_threads(3)
    {
#pragma omp for
        for (int i = 0; i < WORDS; i++)
            shmem_long_p(&words[i], 1, 1 - me); /* put */
#pragma omp single
        shmem_quiet();
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < WORDS; i++)
            sum += 1;
#pragma omp critical
        sum += 1;
    }
    if (right)
        shmem_barrier_all();
    look(words[0], 1); /* load */
    look(sum >= WORDS + 1, 1);
}

/* OpenMP, critical: if two threads of a region change one word, both need a critical section.
 * wrong: race: change change */
RULE(critical_and_none)
{
    static long word;

#pragma omp parallel num_threads(2)
    {
        if (!right)
            word += 1; /* change */
#pragma omp critical
        if (right)
            word += 1;
    }
    look(word, 2);
}

/* OpenMP, barrier: after a barrier, each thread sees the stores of the other thread before the barrier. */
RULE(barrier_and_none)
{
    static long word;

#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            word = 1; /* store */
        if (right) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 1)
            look(word, 1); /* load */
    }
}

/* OpenMP, single: it ends in a barrier, except with nowait. */
RULE(single_and_nowait)
{
    static long words[2];

#pragma omp parallel num_threads(2)
    {
        if (right) {
#pragma omp single
            words[0] = words[1] = 1;
        } else {
#pragma omp single nowait
            words[0] = words[1] = 1; /* store */
        }
        look(words[0], 1); /* load */
    }
}

/* OpenMP, ordered: the ordered parts of the iterations run one after the other.
 * wrong: race: change change */
RULE(ordered_and_none)
{
    static long word;

#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
        if (!right)
            word += 1; /* change */
#pragma omp ordered
        if (right)
            word += 1;
    }
    look(word, 2);
}

/* OpenMP, locks: only the thread that holds a lock, also a nestable one, accesses the data.
 * wrong: race: change change */
RULE(lock_and_none)
{
    static long word, other;
    omp_lock_t lock;
    omp_nest_lock_t nest;

    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
    {
        if (right)
            omp_set_lock(&lock);
        word += 1; /* change */
        if (right)
            omp_unset_lock(&lock);
        while (!omp_test_nest_lock(&nest))
            sched_yield();
        other += 1;
        omp_unset_nest_lock(&nest);
    }
    look(word, 2);
    look(other, 2);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
}

/* OpenMP, task: after a taskwait, the thread that created a task sees the task's stores. */
RULE(task_and_wait)
{
    static long word;
    volatile bool is_done = false;
    long before = 3;

#pragma omp parallel num_threads(2)
#pragma omp master
    {
        word = 0;
#pragma omp task firstprivate(before) shared(is_done)
        {
            word = before - 2; /* store */
            is_done = true;
        }
        while (!is_done) /* the other thread does it */
            sched_yield();
        if (right) {
#pragma omp taskwait
        }
        look(word, 1); /* load */
    }
}

/* OpenMP, taskloop and taskgroup: the tasks run after the statements before the construct, and before the statements
 * after it. */
RULE(taskloop_and_get)
{
    static long words[WORDS];

#pragma omp parallel num_threads(2)
#pragma omp single
    {
        words[0] = 2;
#pragma omp taskloop num_tasks(4)
        for (int i = 0; i < WORDS; i++)
            words[i] += i; /* store */
#pragma omp taskgroup
#pragma omp task
        words[1] += 1;
        words[1] += 1;
    }
    if (right)
        shmem_barrier_all();
    if (me == 1)
        look(shmem_long_g(&words[WORDS - 1], 0), WORDS - 1); /* load */
    look(words[0], 2);
    look(words[1], 3);
}

/* 9.10.4, sync_all: if one thread of a PE has called it, another thread sees the data after a barrier of the two
 * threads. */
RULE(sync_of_another_thread)
{
    static long word;

    if (me == 0) {
        shmem_long_p(&word, 1, 1); /* put */
        shmem_quiet();
        shmem_sync_all();
    } else {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0)
                shmem_sync_all();
            if (right) {
#pragma omp barrier
            }
            if (omp_get_thread_num() == 1)
                look(word, 1); /* load */
        }
    }
}

/* OpenMP, regions: consecutive regions are ordered, also if different threads run them; they do not order a put of
 * another PE. */
RULE(region_after_region)
{
    static long words[WORDS];

    for (int n = 1; n <= 3; n++) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(2 + n % 2)
        for (int i = 0; i < WORDS; i++)
            words[i] = n; /* store */
    }
    if (!right && me == 0)
        shmem_long_p(&words[0], 1, 1); /* put */
    look(words[1], 3);
}

static long sums[WORDS];

static void sum_below(int depth, int i)
{
    sums[i] = 1; /* one */
    usleep(100); /* it is late */
    if (depth == 0)
        return;
#pragma omp task
    sum_below(depth - 1, 2 * i + 1);
#pragma omp task
    sum_below(depth - 1, 2 * i + 2);
    if (checked) {
#pragma omp taskwait
        sums[i] += sums[2 * i + 1] + sums[2 * i + 2];
    } else {
        usleep(20000); /* so that others do the tasks */
        sums[i] += sums[2 * i + 1]; /* early */
    }
}

/* OpenMP, taskwait: after a taskwait, a task sees the stores of the tasks that it has created, also if these run on
 * threads that wait at the end of the region.
 * wrong: race: one early */
RULE(tasks_of_tasks)
{
#pragma omp parallel num_threads(4)
#pragma omp single
    sum_below(right ? 4 : 1, 0);
    if (right)
        look(sums[0], 31);
}

/* OpenMP, detach: a later taskwait also waits for a detached task, which ends by an event.
 * wrong: race: within behind */
RULE(detached_task)
{
    static long word;

#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t ended;
#pragma omp task detach(ended)
        {
            usleep(1000); /* it is late */
            word = 1; /* within */
        }
        omp_fulfill_event(ended);
        if (right) {
#pragma omp taskwait
        } else {
            usleep(20000); /* it is late */
        }
        word += 1; /* behind */
    }
    look(word > 0, 1);
}

/* OpenMP, reduction: each task of a reduction has its own copy of the variable.
 * wrong: race: added added */
RULE(reduced_by_tasks)
{
    static long word;
    long sum = 0;

#pragma omp parallel num_threads(3) reduction(task, + : sum)
    {
#pragma omp single
        for (int i = 0; i < 9; i++)
#pragma omp task in_reduction(+ : sum)
            sum += 1;
        if (!right)
            word += 1; /* added */
    }
    look(sum + word, 9);
}
