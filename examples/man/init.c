/* man: shmem_init shmem_finalize shmem_my_pe */
/* run: oshrun -n 2 ./init */
/* prints: 2 PEs, of which I am number 0 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0)
        printf("%d PEs, of which I am number %d\n",
               shmem_n_pes(), shmem_my_pe());
    shmem_finalize();
}
