/* run: oshrun -n 4 ./profile */
/* Every shmem_ function also has the name pshmem_, so that a program or tool can define its own shmem_ function around
 * it.  libcount.c does the same in a library, for an unmodified program. */
#include <pshmem.h>
#include <shmem.h>
#include <stdio.h>

static int calls, dest[10];

void shmem_putmem(void *to, const void *from, size_t bytes, int pe)
{
    calls++;
    pshmem_putmem(to, from, bytes, pe);
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), source[10], wrong = 0;
    for (int i = 0; i < 10; i++) {
        source[i] = 10 * me + i;
        shmem_putmem(&dest[i], &source[i], sizeof source[i], (me + 1) % n);
    }
    shmem_barrier_all();
    for (int i = 0; i < 10; i++)
        wrong += dest[i] != 10 * ((me + n - 1) % n) + i;
    printf("PE %d: %d calls of shmem_putmem counted, %d values wrong\n", me, calls, wrong);
    shmem_finalize();
    return calls != 10 || wrong;
}
