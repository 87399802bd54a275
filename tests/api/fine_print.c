/* A check for each of several sentences of the specification that are easily overlooked. */
#include <shmem.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static int me, n_pes;

/* 9.11.15: shmem_signal_wait_until returns the value that met the condition, although it changes immediately. */
static void signal_value(void)
{
    static uint64_t signal, done;
    uint64_t wrong = 0;
    if (me == 1)
        while (!shmem_signal_fetch(&done)) {
            shmem_signal_set(&signal, 1, 0);
            shmem_signal_set(&signal, 2, 0);
        }
    for (int i = 0; me == 0 && n_pes > 1 && i < 20000; i++)
        wrong += shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1) != 1;
    if (me == 0 && n_pes > 1)
        shmem_signal_set(&done, 1, 1);
    CHECK(wrong == 0, "signal_wait_until(EQ, 1) returned something else %llu times", (unsigned long long)wrong);
    shmem_barrier_all();
}

/* 9.1.4: a finalize that is not the last one is a barrier. */
static void inner_finalize(void)
{
    static int from_zero;
    shmem_init();
    if (me == 0) {
        usleep(20000); /* late on purpose */
        for (int pe = 0; pe < n_pes; pe++)
            shmem_int_p(&from_zero, 7, pe);
    }
    shmem_finalize();
    CHECK(from_zero == 7, "after an inner finalize the variable is %d", from_zero);
}

/* 9.3: a size of 0 does not synchronize. Only one PE calls; if it waited, the barriers would no longer match. */
static void size_zero(void)
{
    if (me == n_pes - 1)
        CHECK(!shmem_malloc(0) && !shmem_calloc(0, 8) && !shmem_calloc(8, 0) && !shmem_align(64, 0) &&
              !shmem_malloc_with_hints(0, 0) && !shmem_realloc(NULL, 0), "a size of 0 gives memory");
    shmem_barrier_all();
}

/* 9.11.3: a series of calls finds every element that satisfies the condition, even if another array is tested in
 * between. */
static void two_arrays(void)
{
    static int a[2] = {1, 1}, b[2] = {1, 1};
    int found[2] = {0, 0};
    for (int i = 0; i < 1000; i++) {
        found[shmem_int_test_any(a, 2, NULL, SHMEM_CMP_EQ, 1)]++;
        shmem_int_wait_until_any(b, 2, NULL, SHMEM_CMP_EQ, 1);
    }
    CHECK(found[0] && found[1], "1000 calls found the elements %d and %d times", found[0], found[1]);
}

int main(void)
{
    start_pes(0);
    start_pes(0); /* 9.1.13: no further effect */
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    signal_value();
    inner_finalize();
    size_zero();
    two_arrays();
    shmem_finalize();
    int initialized = -1;
    shmem_query_initialized(&initialized);
    CHECK(initialized == 0, "initialized is %d after start_pes twice and one finalize", initialized);
    return check_result();
}
