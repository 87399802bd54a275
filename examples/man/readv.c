/* man: shmemx_readv */
/* run: oshrun -n 2 ./readv */
/* prints: PE 0 reads: not symmetric */
#include <shmemx.h>
#include <stdio.h>

static char *address; /* the address of a variable on the stack of PE 1 */

int main(void)
{
    char text[] = "not symmetric", copy[sizeof text] = "";

    shmem_init();
    if (shmem_my_pe() == 1) {
        char *const mine = text;
        shmem_putmem(&address, &mine, sizeof mine, 0);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        const struct iovec to = {copy, sizeof copy};
        const struct iovec from = {address, sizeof copy};
        if (shmemx_readv(1, &to, 1, &from, 1) == (ssize_t)sizeof copy)
            printf("PE 0 reads: %s\n", copy);
    }
    shmem_barrier_all(); /* text must exist until here */
    shmem_finalize();
}
