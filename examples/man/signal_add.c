/* man: shmem_signal_add shmem_signal_fetch */
/* run: oshrun -n 2 ./signal_add */
/* prints: 2 PEs have greeted */
#include <shmem.h>
#include <stdio.h>

static uint64_t greetings; /* on PE 0 */

int main(void)
{
    shmem_init();
    shmem_signal_add(&greetings, 1, 0);
    if (shmem_my_pe() == 0) {
        while (shmem_signal_fetch(&greetings) < (uint64_t)shmem_n_pes())
            continue; /* or instead of the loop: shmem_signal_wait_until */
        printf("%d PEs have greeted\n", (int)greetings);
    }
    shmem_finalize();
}
