/* man: shmem_put */
/* run: oshrun -n 2 ./put */
/* prints: PE 1 has 10 20 30 */
#include <shmem.h>
#include <stdio.h>

static int numbers[3]; /* symmetric, as all static variables are */

int main(void)
{
    shmem_init();
    const int mine[] = {10, 20, 30};
    if (shmem_my_pe() == 0)
        shmem_put(numbers, mine, 3, 1); /* in C99: shmem_int_put */
    shmem_barrier_all(); /* completes the put; PE 1 has it */
    if (shmem_my_pe() == 1)
        printf("PE 1 has %d %d %d\n", numbers[0], numbers[1], numbers[2]);
    shmem_finalize();
}
