/* man: shmem_atomic_add */
/* run: oshrun -n 2 ./atomic_add */
/* prints: all 100 pieces are done */
#include <shmem.h>
#include <stdio.h>

enum { PIECES = 100, SOME = 7 };
static int next, done; /* on PE 0 */

int main(void)
{
    shmem_init();
    int first; /* each PE takes work until there is none */
    while ((first = shmem_atomic_fetch_add(&next, SOME, 0)) < PIECES) {
        const int left = PIECES - first;
        shmem_atomic_add(&done, left < SOME ? left : SOME, 0);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("all %d pieces are done\n", done);
    shmem_finalize();
}
