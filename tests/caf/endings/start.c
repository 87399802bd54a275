/* Image 2's process dies after shmem_init, during the start of the coarray library. */
#include <signal.h>

void shmem_init(void);
int shmem_my_pe(void);

__attribute__((constructor)) static void begin(void)
{
    shmem_init();
    if (shmem_my_pe() == 1)
        raise(SIGKILL);
}
