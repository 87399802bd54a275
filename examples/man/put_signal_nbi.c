/* man: shmem_put_signal_nbi */
/* run: oshrun -n 2 ./put_signal_nbi */
/* prints: two parts have arrived: 1 2 */
#include <shmem.h>
#include <stdio.h>

static int parts[2];
static uint64_t arrived;

int main(void)
{
    const int mine[] = {1, 2};

    shmem_init();
    if (shmem_my_pe() == 0) {
        for (int i = 0; i < 2; i++)
            shmem_put_signal_nbi(&parts[i], &mine[i], 1,
                                 &arrived, 1, SHMEM_SIGNAL_ADD, 1);
        shmem_quiet(); /* from here on mine may be changed */
    } else {
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 2);
        printf("two parts have arrived: %d %d\n", parts[0], parts[1]);
    }
    shmem_finalize();
}
