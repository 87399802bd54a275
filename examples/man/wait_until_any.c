/* man: shmem_wait_until_all */
/* run: oshrun -n 2 ./wait_until_any */
/* prints: both have arrived: 2 */
#include <shmem.h>
#include <stdio.h>

static int flags[3];

int main(void)
{
    const int status[] = {1, 0, 0}; /* excludes element 0 */

    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_atomic_set(&flags[2], 1, 1);
        shmem_quiet();
        shmem_atomic_set(&flags[1], 1, 1);
    } else {
        const size_t i = shmem_wait_until_any(flags, 3, status,
                                              SHMEM_CMP_EQ, 1);
        shmem_wait_until_all(flags, 3, status, SHMEM_CMP_EQ, 1);
        printf("both have arrived: %d\n", flags[i] + flags[3 - i]);
    }
    shmem_finalize();
}
