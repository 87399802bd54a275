/* run: oshrun -n 4 ./static */
/* Global and static variables are symmetric: every PE has its own, and all PEs can access it. */
#include <shmem.h>
#include <stdio.h>

static long number = -1;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    long local = 0;
    shmem_p(&number, 100L + me, right); /* stores one value on the right neighbour */
    shmem_barrier_all();
    long of_right = shmem_g(&number, right); /* loads one value from it */
    int ok = number == 100 + left && of_right == 100 + me;
    ok = ok && shmem_addr_accessible(&number, right) && !shmem_addr_accessible(&local, right);
    printf("PE %d: %ld here, %ld on PE %d: %s\n", me, number, of_right, right, ok ? "right" : "WRONG");
    shmem_finalize();
    return !ok;
}
