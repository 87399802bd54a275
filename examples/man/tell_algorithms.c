/* man: shmemx_tell_algorithms */
/* run: SHCOLL_REDUCE=flat:get oshrun -n 2 ./tell_algorithms */
/* prints: reduce by flat:get of 32 bytes */
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

static void tell(const char *collective, const char *algorithm,
                 size_t bytes)
{
    if (strcmp(collective, "reduce") == 0 && shmem_my_pe() == 0)
        printf("%s by %s of %zu bytes\n", collective, algorithm, bytes);
}

int main(void)
{
    static int mine[8], sums[8];
    shmem_init();
    shmemx_tell_algorithms(tell);
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, sums, mine, 8);
    shmem_finalize();
}
