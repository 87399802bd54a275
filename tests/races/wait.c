/* Waits and tests: the data that their result says has arrived, and no other data. */
/* pes: 3 */
#include "rules.h"

/* PEs 1 and 2 put data[me] and then flags[me] to PE 0, and send returns true on PE 0. Wrong: PE 2 puts no flag. */
static bool send(long *data, long *flags, bool right)
{
    if (me == 0)
        return false;
    shmem_long_p(&data[me], me, 0); /* put */
    shmem_fence();
    if (right || me == 1)
        shmem_long_p(&flags[me], 1, 0);
    return true;
}

/* 9.11.1, wait_until: when it returns, data that was put before the flag has arrived.
 * wrong: race: put load */
RULE(wait_until)
{
    static long data[3], flags[3];

    if (send(data, flags, true))
        return;
    shmem_long_wait_until(&flags[1], SHMEM_CMP_EQ, 1);
    if (right)
        shmem_long_wait_until(&flags[2], SHMEM_CMP_NE, 0);
    look(data[2], 2); /* load */
}

/* 9.11.1, wait_until: if its condition is true from the start, it orders nothing.
 * wrong: race: put load */
RULE(wait_for_nothing)
{
    static long data[3], flags[3];

    if (send(data, flags, right))
        return;
    shmem_long_wait_until(&flags[2], SHMEM_CMP_GE, right ? 1 : 0);
    look(data[2], 2); /* load */
}

/* 9.11.1, wait: it waits until the flag differs from a value (deprecated).
 * wrong: race: put load */
RULE(wait_differs)
{
    static long data[3], flags[3];

    if (send(data, flags, true))
        return;
    shmem_long_wait(&flags[right ? 2 : 1], 0);
    look(data[2], 2); /* load */
}

/* 9.11.2, wait_until_all: when it returns, all flags have arrived with their data, except flags that status excludes.
 * wrong: race: put load */
RULE(wait_until_all)
{
    static long data[3], flags[3];
    int status[2] = {0, right ? 0 : 1};

    if (send(data, flags, true))
        return;
    shmem_long_wait_until_all(&flags[1], 2, status, SHMEM_CMP_EQ, 1);
    look(data[2], 2); /* load */
}

/* 9.11.3, wait_until_any: the flag that it returns has arrived with its data; other flags may not have arrived.
 * wrong: race: put load */
RULE(wait_until_any)
{
    static long data[3], flags[3];

    if (send(data, flags, right))
        return;
    size_t found = 1 + shmem_long_wait_until_any(&flags[1], 2, NULL, SHMEM_CMP_EQ, 1);
    if (!right)
        found = 3 - found;
    look(data[found], (long)found); /* load */
}

/* 9.11.4, wait_until_some: the flags that it returns have arrived with their data; other flags may not have arrived.
 * wrong: race: put load */
RULE(wait_until_some)
{
    static long data[3], flags[3];
    size_t indices[2] = {0, 0};

    if (send(data, flags, right))
        return;
    size_t count = shmem_long_wait_until_some(&flags[1], 2, indices, NULL, SHMEM_CMP_EQ, 1);
    for (size_t i = 0; i < (right ? count : 2); i++) {
        size_t from = 1 + (right ? indices[i] : i);
        look(data[from], (long)from); /* load */
    }
}

/* 9.11.5, wait_until_all_vector: it compares each flag with its own value.
 * wrong: race: put load */
RULE(wait_until_all_vector)
{
    static long data[3], flags[3];
    long values[2] = {1, right ? 1 : 0};

    if (send(data, flags, right))
        return;
    shmem_long_wait_until_all_vector(&flags[1], 2, NULL, SHMEM_CMP_EQ, values);
    look(data[2], 2); /* load */
}

/* 9.11.6, wait_until_any_vector: the flag that it returns has arrived with its data.
 * wrong: race: put load */
RULE(wait_until_any_vector)
{
    static long data[3], flags[3];
    long values[2] = {1, 1};

    if (send(data, flags, right))
        return;
    size_t found = 1 + shmem_long_wait_until_any_vector(&flags[1], 2, NULL, SHMEM_CMP_EQ, values);
    if (!right)
        found = 3 - found;
    look(data[found], (long)found); /* load */
}

/* 9.11.7, wait_until_some_vector: the flags that it returns have arrived with their data.
 * wrong: race: put load */
RULE(wait_until_some_vector)
{
    static long data[3], flags[3];
    long values[2] = {1, 1};
    size_t indices[2] = {0, 0};

    if (send(data, flags, right))
        return;
    size_t count = shmem_long_wait_until_some_vector(&flags[1], 2, indices, NULL, SHMEM_CMP_EQ, values);
    for (size_t i = 0; i < (right ? count : 2); i++) {
        size_t from = 1 + (right ? indices[i] : i);
        look(data[from], (long)from); /* load */
    }
}

/* 9.11.8, test: if it returns true, the data has arrived; otherwise the data may be missing.
 * wrong: race: put load */
RULE(test)
{
    static long data[3], flags[3];

    if (send(data, flags, right))
        return;
    while (!shmem_long_test(&flags[2], SHMEM_CMP_EQ, 1) && right)
        ;
    look(data[2], 2); /* load */
}

/* 9.11.9, test_all: if it returns true, all flags have arrived with their data; otherwise any may be missing.
 * wrong: race: put load */
RULE(test_all)
{
    static long data[3], flags[3];

    if (send(data, flags, right))
        return;
    while (!shmem_long_test_all(&flags[1], 2, NULL, SHMEM_CMP_EQ, 1) && right)
        ;
    look(data[2], 2); /* load */
}

/* 9.11.10, test_any: the flag that it returns has arrived with its data.
 * wrong: race: put load */
RULE(test_any)
{
    static long data[3], flags[3];
    size_t found;

    if (send(data, flags, right))
        return;
    while ((found = shmem_long_test_any(&flags[1], 2, NULL, SHMEM_CMP_EQ, 1)) == SIZE_MAX)
        ;
    found = right ? 1 + found : 2 - found;
    look(data[found], (long)found); /* load */
}

/* 9.11.11, test_some: the flags that it returns have arrived with their data.
 * wrong: race: put load */
RULE(test_some)
{
    static long data[3], flags[3];
    size_t indices[2] = {0, 0}, count;

    if (send(data, flags, right))
        return;
    while ((count = shmem_long_test_some(&flags[1], 2, indices, NULL, SHMEM_CMP_EQ, 1)) == 0)
        ;
    for (size_t i = 0; i < (right ? count : 2); i++) {
        size_t from = 1 + (right ? indices[i] : i);
        look(data[from], (long)from); /* load */
    }
}

/* 9.11.12, test_all_vector: if it returns true, all flags have arrived with their data.
 * wrong: race: put load */
RULE(test_all_vector)
{
    static long data[3], flags[3];
    long values[2] = {1, 1};

    if (send(data, flags, right))
        return;
    while (!shmem_long_test_all_vector(&flags[1], 2, NULL, SHMEM_CMP_EQ, values) && right)
        ;
    look(data[2], 2); /* load */
}

/* 9.11.13, test_any_vector: the flag that it returns has arrived with its data.
 * wrong: race: put load */
RULE(test_any_vector)
{
    static long data[3], flags[3];
    long values[2] = {1, 1};
    size_t found;

    if (send(data, flags, right))
        return;
    while ((found = shmem_long_test_any_vector(&flags[1], 2, NULL, SHMEM_CMP_EQ, values)) == SIZE_MAX)
        ;
    found = right ? 1 + found : 2 - found;
    look(data[found], (long)found); /* load */
}

/* 9.11.14, test_some_vector: the flags that it returns have arrived with their data.
 * wrong: race: put load */
RULE(test_some_vector)
{
    static long data[3], flags[3];
    long values[2] = {1, 1};
    size_t indices[2] = {0, 0}, count;

    if (send(data, flags, right))
        return;
    while ((count = shmem_long_test_some_vector(&flags[1], 2, indices, NULL, SHMEM_CMP_EQ, values)) == 0)
        ;
    for (size_t i = 0; i < (right ? count : 2); i++) {
        size_t from = 1 + (right ? indices[i] : i);
        look(data[from], (long)from); /* load */
    }
}

/* 9.11.1, wait_until: if PEs increment a counter after their puts, the expected count shows that the data of all these
 * PEs has arrived. */
RULE(wait_for_count)
{
    static long data[3], count;

    if (me != 0) {
        shmem_long_p(&data[me], me, 0); /* put */
        shmem_fence();
        if (right || me == 1)
            shmem_long_atomic_inc(&count, 0);
        return;
    }
    shmem_long_wait_until(&count, SHMEM_CMP_GE, right ? 2 : 1);
    look(data[1] + data[2], 3); /* load */
}
