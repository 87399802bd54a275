/* man: shmem_malloc shmem_calloc shmem_free */
/* run: oshrun -n 2 ./malloc */
/* prints: 0 1 2 3 4 0 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int *numbers = shmem_calloc(6, sizeof *numbers); /* zero on all PEs */
    int *more = shmem_malloc(4 * sizeof *more);      /* undefined */
    if (!numbers || !more)
        return 1;
    for (int i = 0; i < 4; i++)
        more[i] = i + 1;
    if (shmem_my_pe() == 1)
        shmem_put(&numbers[1], more, 4, 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        for (int i = 0; i < 6; i++)
            printf("%d%c", numbers[i], i < 5 ? ' ' : '\n');
    shmem_free(more);
    shmem_free(numbers);
    shmem_finalize();
}
