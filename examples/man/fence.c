/* man: shmem_fence */
/* run: oshrun -n 2 ./fence */
/* prints: when the flag is there, so are the data: 1 2 3 */
#include <shmem.h>
#include <stdio.h>

static int data[3], flag;

int main(void)
{
    shmem_init();
    const int mine[] = {1, 2, 3};
    if (shmem_my_pe() == 0) {
        shmem_put(data, mine, 3, 1);
        shmem_fence(); /* the flag must not arrive before the data */
        shmem_p(&flag, 1, 1);
    } else {
        shmem_wait_until(&flag, SHMEM_CMP_EQ, 1);
        printf("when the flag is there, so are the data: %d %d %d\n",
               data[0], data[1], data[2]);
    }
    shmem_finalize();
}
