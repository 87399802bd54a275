/* man: shmem_atomic_and */
/* run: oshrun -n 2 ./atomic_or */
/* prints: bits 3, then 2, then 6 */
#include <shmem.h>
#include <stdio.h>

static unsigned bits; /* on PE 0: one for each PE */

int main(void)
{
    shmem_init();
    shmem_atomic_or(&bits, 1u << shmem_my_pe(), 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        const unsigned all = bits;
        shmem_atomic_and(&bits, ~1u, 0);
        const unsigned without = shmem_atomic_fetch_xor(&bits, 4u, 0);
        printf("bits %u, then %u, then %u\n", all, without, bits);
    }
    shmem_finalize();
}
