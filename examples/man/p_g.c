/* man: shmem_p shmem_g */
/* run: oshrun -n 2 ./p_g */
/* prints: my right neighbour has 2.5 */
#include <shmem.h>
#include <stdio.h>

static double value;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_p(&value, me + 2.5, (me + 1) % n);
    shmem_barrier_all();
    const double right = shmem_g(&value, (me + 1) % n);
    if (me == 0)
        printf("my right neighbour has %.1f\n", right);
    shmem_finalize();
}
