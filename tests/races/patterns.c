/* What programs are made of: pipelines, rings, queues, buffers in turn. */
/* pes: 4 */
#include "rules.h"

/* 9.11.1, wait_until: a token is passed around; only the PE that has the token may change shared data. */
RULE(token_ring)
{
    static long shared, token;

    if (me != 0)
        shmem_long_wait_until(&token, SHMEM_CMP_EQ, 1);
    long old = shmem_long_g(&shared, 0); /* get */
    if (!right && me == 0)
        shmem_long_p(&token, 1, 1);
    if (right || me == 0)
        shmem_long_p(&shared, old + 1, 0); /* put */
    shmem_quiet();
    if (right || me != 0)
        shmem_long_p(&token, 1, (me + 1) % pes);
    shmem_barrier_all();
    look(shared, me == 0 ? pes : 0);
}

/* 9.8.3, put_signal: each stage of a pipeline forwards the item that it has received, and signals when it can receive
 * the next. */
RULE(pipeline)
{
    static long item;
    static uint64_t full, empty;
    long mine = 0;

    for (uint64_t step = 1; step <= 3; step++) {
        if (me > 0) {
            shmem_signal_wait_until(&full, SHMEM_CMP_GE, step);
            if (!right)
                shmem_signal_add(&empty, 1, me - 1);
            mine = item; /* load */
            if (right)
                shmem_signal_add(&empty, 1, me - 1);
        } else {
            mine = 10 * (long)step;
        }
        if (me < pes - 1) {
            shmem_long_put_signal(&item, &mine, 1, &full, step, SHMEM_SIGNAL_SET, me + 1); /* put */
            shmem_signal_wait_until(&empty, SHMEM_CMP_GE, step);
        }
    }
    look(mine, 30);
}

/* 9.7.1.5, atomic_fetch_inc: a counter assigns the slots of a queue to the PEs.
 * wrong: race: enter enter */
RULE(work_queue)
{
    static long count, places[8];

    for (int i = 0; i < 2; i++) {
        long place = right ? shmem_long_atomic_fetch_inc(&count, 0) : i;
        shmem_long_p(&places[place], me + 1, 0); /* enter */
        if (!right)
            shmem_quiet();
    }
    shmem_barrier_all();
    if (me == 0)
        look(places[7] != 0, 1);
}

/* 9.7.1.5, atomic_fetch_inc: a PE that takes a task by a counter owns the data of the task.
 * wrong: race: store store */
RULE(tasks)
{
    static long next, results[32];
    long *all = shmem_ptr(results, 0);

    if (!right && me < 2)
        all[5] = me; /* store */
    for (long task; (task = shmem_long_atomic_fetch_inc(&next, 0)) < 32;)
        if (right)
            all[task] = task;
    shmem_barrier_all();
    if (me == 0)
        look(results[31], 31);
}

/* 9.10.1, barrier_all: with two buffers, one barrier in each step suffices; with one buffer it does not. */
RULE(double_buffer)
{
    static long buffers[2];
    int to = (me + 1) % pes;
    long sum = 0;

    for (int step = 0; step < 4; step++) {
        long *buffer = &buffers[right ? step % 2 : 0];
        shmem_long_p(buffer, step, to); /* put */
        shmem_barrier_all();
        sum += *buffer; /* load */
    }
    look(sum, 6);
}

/* 9.10.1, barrier_all: a stencil reads its neighbours' old values, and writes new ones after all PEs have read. */
RULE(stencil)
{
    static double value = 1;

    for (int step = 0; step < 3; step++) {
        double left = shmem_double_g(&value, (me + pes - 1) % pes); /* get */
        if (right)
            shmem_barrier_all();
        value = left + 1; /* store */
        shmem_barrier_all();
    }
    look((long)value, 4);
}

/* 9.8.3, put_signal: two neighbours put their edges, and each edge has its own signal. */
RULE(halo)
{
    static double edges[2], inner[2] = {1, 2};
    static uint64_t came[2];

    shmem_double_put_signal(&edges[1], &inner[0], 1, &came[1], 1, SHMEM_SIGNAL_SET, (me + pes - 1) % pes); /* put */
    shmem_double_put_signal(&edges[0], &inner[1], 1, &came[0], 1, SHMEM_SIGNAL_SET, (me + 1) % pes);
    shmem_signal_wait_until(&came[0], SHMEM_CMP_EQ, 1);
    if (right)
        shmem_signal_wait_until(&came[1], SHMEM_CMP_EQ, 1);
    look((long)edges[0], 2);
    look((long)edges[1], 1); /* load */
}

/* 9.11.1, wait_until: in a barrier that consists of a counter and flags, each PE completes its puts before it
 * increments the counter. */
RULE(own_barrier)
{
    static long data, arrived, go;

    shmem_long_p(&data, 1, (me + 1) % pes); /* put */
    if (right)
        shmem_quiet();
    shmem_long_atomic_inc(&arrived, 0);
    if (me == 0) {
        shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, pes);
        for (int pe = 0; pe < pes; pe++)
            shmem_long_p(&go, 1, pe);
    }
    shmem_long_wait_until(&go, SHMEM_CMP_EQ, 1);
    look(shmem_long_g(&data, (me + 2) % pes), 1); /* get */
}

/* 9.11.1, wait_until: a dissemination barrier needs all its rounds. */
RULE(dissemination)
{
    static long data, flags[2];

    data = 1; /* store */
    for (int round = 0; round < (right ? 2 : 1); round++) {
        shmem_fence();
        shmem_long_p(&flags[round], 1, (me + (1 << round)) % pes);
        shmem_long_wait_until(&flags[round], SHMEM_CMP_EQ, 1);
    }
    look(shmem_long_g(&data, (me + 2) % pes), 1); /* get */
}

/* 9.8.3, put_signal: in a chain, each PE waits for the signal before it forwards the data. */
RULE(chain)
{
    static long data;
    static uint64_t came;

    if (me == 0)
        data = 9;
    else if (right || me > 1)
        shmem_signal_wait_until(&came, SHMEM_CMP_EQ, 1);
    if (me == 0)
        shmem_long_put_signal(&data, &data, 1, &came, 1, SHMEM_SIGNAL_SET, 1); /* put */
    else if (me < pes - 1)
        shmem_long_put_signal(&data, &data, 1, &came, 1, SHMEM_SIGNAL_SET, me + 1); /* send */
    look(me < 2 && !right ? 9 : data, 9);
}

/* 9.7.1.5, atomic_fetch_inc: a PE completes its puts before it releases a ticket lock. */
RULE(ticket_lock)
{
    static long ticket, serving, word;

    long mine = shmem_long_atomic_fetch_inc(&ticket, 0);
    while (shmem_long_atomic_fetch(&serving, 0) != mine)
        ;
    if (mine == 0) {
        shmem_long_p(&word, 5, 0); /* put */
        if (right)
            shmem_quiet();
    } else {
        look(shmem_long_g(&word, 0), 5); /* get */
    }
    shmem_long_atomic_inc(&serving, 0);
}

/* 9.7.1.3, atomic_compare_swap: an entry is written before it is linked into a list. */
RULE(list)
{
    static long entry, head;

    if (me == 1) {
        if (right)
            entry = 7;
        shmem_fence();
        shmem_long_atomic_compare_swap(&head, 0, 1 + me, 0);
        if (!right)
            entry = 7; /* store */
    }
    if (me == 0) {
        shmem_long_wait_until(&head, SHMEM_CMP_NE, 0);
        look(shmem_long_g(&entry, (int)shmem_long_atomic_fetch(&head, 0) - 1), 7); /* get */
    }
}

/* 9.6.1.1, put: a matrix is transposed in blocks; each PE puts its own column to all PEs.
 * wrong: race: put put */
RULE(transpose)
{
    static long rows[4][2];

    for (int pe = 0; pe < pes; pe++)
        shmem_long_put(rows[right ? me : me / 2], (long[2]){me, pe}, 2, pe); /* put */
    shmem_barrier_all();
    look(rows[3][0] + rows[3][1], 3 + me);
}

/* 9.6.1.5, get: other PEs may get a result after its owner has signalled. */
RULE(owner_computes)
{
    static long result, done;

    result = 100 + me; /* store */
    shmem_fence();
    for (int pe = 0; right && pe < pes; pe++)
        shmem_long_atomic_inc(&done, pe);
    if (right)
        shmem_long_wait_until(&done, SHMEM_CMP_EQ, pes);
    look(shmem_long_g(&result, (me + 1) % pes), 100 + (me + 1) % pes); /* get */
}

/* 9.8.5, signal_add: a sender overwrites a slot only after the receiver has added a credit for the slot. */
RULE(credits)
{
    static long places[2];
    static uint64_t filled, credits;
    long sum = 0;

    if (me == 0)
        for (uint64_t i = 0; i < (right ? 6 : 1); i++) {
            if (i >= 2)
                shmem_signal_wait_until(&credits, SHMEM_CMP_GE, i - 1);
            shmem_fence();
            shmem_long_put_signal(&places[i % 2], &(long){(long)i}, 1, &filled, 1, SHMEM_SIGNAL_ADD, 1);
        }
    if (me == 0 && !right) {
        shmem_fence();
        shmem_long_p(&places[0], 7, 1); /* put */
    }
    if (me == 1)
        for (uint64_t i = 0; i < (right ? 6 : 1); i++) {
            shmem_signal_wait_until(&filled, SHMEM_CMP_GE, i + 1);
            sum += places[i % 2]; /* load */
            shmem_signal_add(&credits, 1, 0);
        }
    look(sum, me == 1 ? 15 : 0);
}
