/* Signals, and puts that come with them. */
/* pes: 3 */
#include "rules.h"

static void await(uint64_t *signal, uint64_t value)
{
    shmem_signal_wait_until(signal, SHMEM_CMP_EQ, value);
}

/* 9.8.3, put_signal: a PE that has waited for the signal sees the data. */
RULE(put_signal)
{
    static long data, source = 1;
    static uint64_t signal;

    if (me == 0)
        shmem_long_put_signal(&data, &source, 1, &signal, 1, SHMEM_SIGNAL_SET, 1); /* put */
    if (me == 1 && right)
        await(&signal, 1);
    if (me == 1)
        look(data, 1); /* load */
}

/* 9.8.4, put_signal_nbi: a PE that has waited for the signal sees the data. */
RULE(put_signal_nbi)
{
    static long data[8], source[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static uint64_t signal;

    if (me == 0)
        shmem_long_put_signal_nbi(data, source, 8, &signal, 1, SHMEM_SIGNAL_SET, 1); /* put */
    if (me == 1 && right)
        await(&signal, 1);
    if (me == 1)
        look(data[7], 8); /* load */
}

/* 9.8.6, signal_fetch: a PE must not read a signal by loads. */
RULE(signal_and_load)
{
    static long data, source = 1;
    static uint64_t signal;

    if (me == 0)
        shmem_long_put_signal(&data, &source, 1, &signal, 1, SHMEM_SIGNAL_SET, 1); /* put */
    if (me == 1 && right)
        while (shmem_signal_fetch(&signal) == 0)
            ;
    if (me == 1)
        look(signal, 1); /* load */
}

/* 9.8.6, signal_fetch: a PE that has seen the signal sees the data. */
RULE(signal_fetch)
{
    static long data, source = 1;
    static uint64_t signal, other;

    if (me == 0)
        shmem_long_put_signal(&data, &source, 1, &signal, 1, SHMEM_SIGNAL_SET, 1); /* put */
    if (me == 1) {
        while (right && shmem_signal_fetch(&signal) == 0)
            ;
        if (!right)
            shmem_signal_fetch(&other);
        look(data, 1); /* load */
    }
}

/* 9.8.3, put_signal: the signal does not order earlier puts; they need a fence. */
RULE(put_before_put_signal)
{
    static long data[2], source = 1;
    static uint64_t signal;

    if (me == 0) {
        shmem_long_p(&data[0], 1, 1); /* put */
        if (right)
            shmem_fence();
        shmem_long_put_signal(&data[1], &source, 1, &signal, 1, SHMEM_SIGNAL_SET, 1);
    }
    if (me == 1) {
        await(&signal, 1);
        look(data[0], 1); /* load */
    }
}

/* 9.8.3, put_signal: each of two signals orders its own data. */
RULE(two_put_signals)
{
    static long data[2], source = 1;
    static uint64_t signals[2];

    if (me == 0) {
        shmem_long_put_signal(&data[0], &source, 1, &signals[0], 1, SHMEM_SIGNAL_SET, 1); /* put */
        shmem_long_put_signal(&data[1], &source, 1, &signals[1], 1, SHMEM_SIGNAL_SET, 1);
    }
    if (me == 1) {
        if (right)
            await(&signals[0], 1);
        await(&signals[1], 1);
        look(data[0], 1); /* load */
    }
}

/* 9.8.7, signal_set: a fence orders it after earlier puts. */
RULE(signal_set)
{
    static long data;
    static uint64_t signal;

    if (me == 0) {
        shmem_long_p(&data, 1, 1); /* put */
        if (right)
            shmem_fence();
        shmem_signal_set(&signal, 1, 1);
    }
    if (me == 1) {
        await(&signal, 1);
        look(data, 1); /* load */
    }
}

/* 9.8.5, signal_add: signals are added atomically; a PE that has waited for the sum sees all data. */
RULE(signal_add)
{
    static long data[2], source = 1;
    static uint64_t signal;

    if (me != 2)
        shmem_long_put_signal(&data[me], &source, 1, &signal, 1, SHMEM_SIGNAL_ADD, 2); /* put */
    else if (right)
        await(&signal, 2);
    if (me == 2)
        look(data[0], 1); /* load */
}

/* 9.8.3, put_signal: two PEs may not put to one object, even with separate signals.
 * wrong: race: put put */
RULE(signals_of_two)
{
    static long data[2], source = 1;
    static uint64_t signals[2];

    if (me < 2)
        shmem_long_put_signal(&data[right ? me : 0], &source, 1, &signals[me], 1, SHMEM_SIGNAL_SET, 2); /* put */
}

/* 9.8.3, put_signal: received data may be overwritten after the receiver has signalled that it has read the data. */
RULE(put_again)
{
    static long data, source = 1;
    static uint64_t signal;

    if (me == 0) {
        shmem_long_put_signal(&data, &source, 1, &signal, 1, SHMEM_SIGNAL_SET, 1);
        if (right)
            await(&signal, 1);
        shmem_fence();
        shmem_long_p(&data, 2, 1); /* put */
    }
    if (me == 1) {
        await(&signal, 1);
        look(data, 1); /* load */
        shmem_signal_set(&signal, 1, 0);
    }
}

/* 9.11.1, wait_until: it may wait for signals, too. */
RULE(wait_for_signal)
{
    static long data, source = 1;
    static uint64_t signal, other;

    if (me == 0)
        shmem_long_put_signal(&data, &source, 1, &signal, 5, SHMEM_SIGNAL_SET, 1); /* put */
    if (me == 1) {
        shmem_uint64_wait_until(right ? &signal : &other, SHMEM_CMP_GE, right ? 5 : 0);
        look(data, 1); /* load */
    }
}
