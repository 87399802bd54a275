/* man: shmem_put_signal shmem_signal_wait_until */
/* run: oshrun -n 2 ./put_signal */
/* prints: PE 1 has 10 20 30 */
#include <shmem.h>
#include <stdio.h>

static int numbers[3];
static uint64_t arrived;

int main(void)
{
    shmem_init();
    const int mine[] = {10, 20, 30};
    if (shmem_my_pe() == 0) {
        shmem_put_signal(numbers, mine, 3, &arrived, 1, SHMEM_SIGNAL_SET,
                         1);
    } else {
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
        printf("PE 1 has %d %d %d\n", numbers[0], numbers[1], numbers[2]);
    }
    shmem_finalize();
}
