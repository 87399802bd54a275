/* man: shmem_get */
/* run: oshrun -n 2 ./get */
/* prints: PE 1 has 10 11 12 */
#include <shmem.h>
#include <stdio.h>

static int numbers[3];

int main(void)
{
    int theirs[3];

    shmem_init();
    for (int i = 0; i < 3; i++)
        numbers[i] = 10 * shmem_my_pe() + i;
    shmem_barrier_all(); /* now all PEs have stored their numbers */
    if (shmem_my_pe() == 0) {
        shmem_get(theirs, numbers, 3, 1); /* in C99: shmem_int_get */
        printf("PE 1 has %d %d %d\n", theirs[0], theirs[1], theirs[2]);
    }
    shmem_finalize();
}
