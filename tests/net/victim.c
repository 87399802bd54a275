/* The job that test_strangers.py attacks as another user. Usage: victim FILE. Each PE prints the addresses of its
 * memory once; until FILE exists, it puts to the next PE and checks its own memory. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 1024, OTHER = 16 }; /* words of the memory; other PEs put to the first OTHER words */

static int stop;

static void check(const long *heap, long round, const char *text, const char *mine)
{
    int bad = strcmp(text, "what only its user may read") != 0 || strcmp(mine, "not symmetric") != 0;
    for (int i = 0; i < WORDS; i++)
        bad |= heap[i] != (i < OTHER ? round : i);
    if (!bad)
        return;
    printf("PE %d: its memory has been changed\n", shmem_my_pe());
    fflush(stdout);
    shmem_global_exit(3);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    long *heap = shmem_malloc(WORDS * sizeof *heap), row[OTHER];
    char *text = shmem_malloc(4096), *mine = malloc(4096);
    strcpy(text, "what only its user may read");
    strcpy(mine, "not symmetric");
    for (int i = 0; i < WORDS; i++)
        heap[i] = i;
    shmem_barrier_all();
    printf("PE %d pid %d heap %p text %p private %p\n", me, (int)getpid(), (void *)heap, (void *)text, (void *)mine);
    fflush(stdout);
    for (long round = 1; !stop; round++) {
        for (int i = 0; i < OTHER; i++)
            row[i] = round;
        shmem_long_put(heap, row, OTHER, (me + 1) % n);
        stop = access(argv[1], F_OK) == 0;
        shmem_barrier_all();
        check(heap, round, text, mine);
        shmem_int_max_reduce(SHMEM_TEAM_WORLD, &stop, &stop, 1);
        usleep(1000); /* leaves the processor to the attackers */
    }
    if (me == 0)
        puts("done");
    shmem_finalize();
    return 0;
}
