/* run: oshrun -n 4 ./hello */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    printf("Hello from PE %d of %d\n", me, n);
    shmem_finalize();
    return me < 0 || me >= n;
}
