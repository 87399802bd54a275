/* man: shmem_collect */
/* run: oshrun -n 2 ./collect */
/* prints: 0 1 1 */
#include <shmem.h>
#include <stdio.h>

static int mine[2], all[3], sizes[2], size;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    mine[0] = mine[1] = me;
    size = me + 1; /* one element from PE 0, two from PE 1 */
    shmem_fcollect(SHMEM_TEAM_WORLD, sizes, &size, 1);
    if (sizes[0] + sizes[1] == 3)
        shmem_collect(SHMEM_TEAM_WORLD, all, mine, (size_t)size);
    if (me == 1)
        printf("%d %d %d\n", all[0], all[1], all[2]);
    shmem_finalize();
}
