/* man: shmem_info_get_version */
/* run: oshrun -n 2 ./info */
/* prints: OpenSHMEM 1.6, by Copal */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    int major, minor;
    char name[SHMEM_MAX_NAME_LEN];

    shmem_init();
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    if (shmem_my_pe() == 0)
        printf("OpenSHMEM %d.%d, by %.5s\n", major, minor, name);
    shmem_finalize();
}
