/* man: shmemx_begin_collective */
/* run: oshrun -n 2 ./begin_collective */
/* prints: PE 0 knows that PE 1 has arrived */
#include <shmemx.h>
#include <stdint.h>
#include <stdio.h>

/* A barrier of two. */
static void my_barrier(void)
{
    static uint64_t arrived, barriers;
    shmem_quiet();
    shmemx_begin_collective("my_barrier");
    shmem_uint64_atomic_inc(&arrived, 1 - shmem_my_pe());
    shmem_uint64_wait_until(&arrived, SHMEM_CMP_GE, ++barriers);
    shmemx_end_collective();
}

int main(void)
{
    shmem_init();
    my_barrier();
    if (shmem_my_pe() == 0)
        puts("PE 0 knows that PE 1 has arrived");
    shmem_finalize();
}
