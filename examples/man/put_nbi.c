/* man: shmem_put_nbi */
/* run: oshrun -n 2 ./put_nbi */
/* prints: PE 1 has 999, meanwhile the sum became 499500 */
#include <shmem.h>
#include <stdio.h>

static int numbers[1000], sum;

int main(void)
{
    static int mine[1000];

    shmem_init();
    for (int i = 0; i < 1000; i++)
        mine[i] = i;
    if (shmem_my_pe() == 0) {
        shmem_put_nbi(numbers, mine, 1000, 1);
        for (int i = 0; i < 1000; i++) /* the loop must not change mine */
            sum += mine[i];
        shmem_quiet(); /* the data has arrived, mine may be changed */
        shmem_p(&sum, sum, 1);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        printf("PE 1 has %d, meanwhile the sum became %d\n",
               numbers[999], sum);
    shmem_finalize();
}
