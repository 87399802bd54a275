/* A fence and a flag have always followed the puts, so the next put is held. This time no call follows, and the put
 * must arrive although the program only computes. So must a put of shmemx_put_blocks, which is always held. */
#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>

#include "../check.h"

static uint64_t data, flag, answer;

static void told_of(uint64_t value, int me)
{
    if (me == 0) {
        shmem_uint64_p(&data, value, 1);
        shmem_fence();
        shmem_uint64_p(&flag, value, 1);
        shmem_uint64_wait_until(&answer, SHMEM_CMP_EQ, value);
    } else {
        shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, value);
        CHECK(data == value, "data is %lu where the flag is %lu", (unsigned long)data, (unsigned long)value);
        shmem_uint64_p(&answer, value, 0);
    }
}

static void alone(uint64_t value, int me)
{
    if (me == 0) {
        shmem_uint64_p(&data, value, 1);
        while (__atomic_load_n(&answer, __ATOMIC_ACQUIRE) != value)
            ;
    } else {
        shmem_uint64_wait_until(&data, SHMEM_CMP_EQ, value);
        shmem_uint64_p(&answer, value, 0);
    }
}

/* Each PE puts, and waits by loads only: soon each progress thread sleeps. */
static void both(uint64_t value, int me)
{
    shmemx_put_blocks(&answer, &value, 0, 0, sizeof value, 1, 1 - me);
    while (__atomic_load_n(&answer, __ATOMIC_ACQUIRE) < value)
        ;
}

int main(void)
{
    static const int rounds[] = {30, 30, 1100, 3, 30};
    uint64_t value = 0;
    shmem_init();
    const int me = shmem_my_pe();
    shmem_barrier_all();
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        for (int round = 0; round < rounds[i]; round++)
            told_of(++value, me);
        alone(++value, me);
    }
    shmem_barrier_all();
    for (int round = 0; round < 1000; round++)
        both(++value, me);
    shmem_finalize();
    return check_result();
}
