/* run: oshrun -n 4 ./init */
/* A library may call shmem_init itself: calls are counted, and the last shmem_finalize ends OpenSHMEM. */
#include <shmem.h>
#include <stdio.h>

static int neighbour_from_a_library(void)
{
    shmem_init();
    int right = (shmem_my_pe() + 1) % shmem_n_pes();
    shmem_finalize();
    return right;
}

static int initialized(void)
{
    int yes = -1;
    shmem_query_initialized(&yes);
    return yes;
}

int main(void)
{
    int before = initialized();
    shmem_init();
    int right = neighbour_from_a_library(), during = initialized();
    int major, minor;
    char vendor[SHMEM_MAX_NAME_LEN];
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(vendor);
    printf("PE %d has PE %d to its right; OpenSHMEM %d.%d, %s\n", shmem_my_pe(), right, major, minor, vendor);
    int wrong = right != (shmem_my_pe() + 1) % shmem_n_pes();
    shmem_finalize();
    return wrong || before != 0 || during != 1 || initialized() != 0;
}
