/* man: shmemx_clock */
/* run: oshrun -n 2 ./clock */
/* prints: a millisecond has passed: 1 */
#include <shmemx.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    const double before = shmemx_clock();
    shmemx_compute(1e-3);
    if (shmem_my_pe() == 0)
        printf("a millisecond has passed: %d\n",
               shmemx_clock() - before > 0.99e-3);
    shmem_finalize();
}
