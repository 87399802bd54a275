/* man: shmemx_begin_collective */
/* run: oshrun -n 2 ./begin_collective */
/* prints: PE 0 knows that PE 1 has come */
#include <shmemx.h>
#include <stdint.h>
#include <stdio.h>

/* A barrier of two. */
static void meet(void)
{
    static uint64_t come, meetings;
    shmem_quiet();
    shmemx_begin_collective("meet");
    shmem_uint64_atomic_inc(&come, 1 - shmem_my_pe());
    shmem_uint64_wait_until(&come, SHMEM_CMP_GE, ++meetings);
    shmemx_end_collective();
}

int main(void)
{
    shmem_init();
    meet();
    if (shmem_my_pe() == 0)
        puts("PE 0 knows that PE 1 has come");
    shmem_finalize();
}
