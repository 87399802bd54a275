/* PE 0 checks for a variable of PE 1, which runs another program without that variable: the query is allowed. */
#include <shmem.h>
#include <stdio.h>

static long mine;

int main(void)
{
    shmem_init();
    int wrong = 0;
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        void *const expected = pe == shmem_my_pe() ? &mine : NULL, *const got = shmem_ptr(&mine, pe);
        const int accessible = shmem_addr_accessible(&mine, pe);
        if (got != expected || accessible != (expected != NULL))
            printf("of PE %d: shmem_ptr %p, shmem_addr_accessible %d\n", pe, got, accessible), wrong++;
    }
    shmem_barrier_all();
    shmem_finalize();
    return wrong != 0;
}
