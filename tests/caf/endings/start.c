/* Image 2's process dies before it has joined the job. */
#include <signal.h>

void shmem_init(void);
int shmem_my_pe(void);

__attribute__((constructor)) static void begin(void)
{
    shmem_init();
    if (shmem_my_pe() == 1)
        raise(SIGKILL);
}
