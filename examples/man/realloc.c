/* man: shmem_realloc */
/* run: oshrun -n 2 ./realloc */
/* prints: 1 2 3 4 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int *numbers = shmem_malloc(2 * sizeof *numbers);
    numbers[0] = 1;
    numbers[1] = 2;
    int *longer = shmem_realloc(numbers, 4 * sizeof *longer);
    if (!longer) /* NULL on all PEs; numbers is unchanged */
        return 1;
    longer[2] = 3;
    longer[3] = 4;
    if (shmem_my_pe() == 0)
        printf("%d %d %d %d\n",
               longer[0], longer[1], longer[2], longer[3]);
    shmem_free(longer);
    shmem_finalize();
}
