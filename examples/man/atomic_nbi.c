/* man: shmem_atomic_fetch_nbi */
/* run: oshrun -n 2 ./atomic_nbi */
/* prints: they had 0 and 7 */
#include <shmem.h>
#include <stdio.h>

static long a, b = 7;

int main(void)
{
    long a_before, b_before;

    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_atomic_fetch_add_nbi(&a_before, &a, 5, 1);
        shmem_atomic_fetch_nbi(&b_before, &b, 1);
        shmem_quiet(); /* until here both are pending */
        printf("they had %ld and %ld\n", a_before, b_before);
    }
    shmem_finalize();
}
