/* man: shmem_test */
/* run: oshrun -n 2 ./test_one */
/* prints: there was time for other work */
#include <shmem.h>
#include <stdio.h>

static int flag, go;

int main(void)
{
    long work = 0;

    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_wait_until(&go, SHMEM_CMP_EQ, 1);
        shmem_atomic_set(&flag, 1, 1);
    } else {
        while (!shmem_test(&flag, SHMEM_CMP_EQ, 1))
            if (++work == 10)
                shmem_atomic_set(&go, 1, 0);
        if (work >= 10)
            printf("there was time for other work\n");
    }
    shmem_finalize();
}
