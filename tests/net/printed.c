/* Each PE prints a line to a file of its own, keeps it in the buffer, and waits forever.
 *
 *     printed FOLDER     files there: PE, and PE.pid with its process number; "ready" on standard error
 *
 * test_launch.py kills the launcher and checks that the files have the lines. */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static long never;
    char name[1000];
    if (argc < 2)
        return 98;
    shmem_init();
    const int me = shmem_my_pe();
    snprintf(name, sizeof name, "%s/%d.pid", argv[1], me);
    FILE *file = fopen(name, "w");
    if (!file || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0)
        return 97;
    snprintf(name, sizeof name, "%s/%d", argv[1], me);
    if (!freopen(name, "w", stdout))
        return 96;
    printf("PE %d has printed this\n", me);
    shmem_barrier_all();
    if (me == 0)
        fprintf(stderr, "ready\n");
    shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
    return 0;
}
