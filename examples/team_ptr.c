/* run: oshrun -n 4 ./team_ptr */
/* shmem_team_ptr takes a PE's number in a team, here the team of this node, and returns an address for its memory. */
#include <shmem.h>
#include <stdio.h>

enum { N = 8 };
static int table[N];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), wrong = 0;
    int mine = shmem_team_my_pe(SHMEM_TEAM_SHARED), n = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    int *there = shmem_team_ptr(SHMEM_TEAM_SHARED, table, (mine + 1) % n);
    if (!there) {
        fprintf(stderr, "PE %d: a PE of the same node is out of reach of loads and stores\n", me);
        shmem_global_exit(1);
    }
    for (int i = 0; i < N; i++)
        there[i] = 10 * mine + i;
    shmem_barrier_all();
    for (int i = 0; i < N; i++)
        wrong += table[i] != 10 * ((mine + n - 1) % n) + i;
    wrong += shmem_team_ptr(SHMEM_TEAM_INVALID, table, 0) != NULL;
    printf("PE %d: my left neighbour stored %d ... %d, %d wrong\n", me, table[0], table[N - 1], wrong);
    shmem_finalize();
    return wrong != 0;
}
