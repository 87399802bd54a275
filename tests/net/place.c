/* Prints the node of each PE and the libraries that it has loaded, one line for each PE. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *loaded(const char *library)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    const char *answer = "no";
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, library))
            answer = "yes";
    if (maps)
        fclose(maps);
    return answer;
}

int main(int argc, char **argv)
{
    shmem_init();
    const int me = shmem_my_pe();
    printf("PE %d of %d, %d near, UCX %s, PMIx %s\n", me, shmem_n_pes(), shmem_team_n_pes(SHMEM_TEAM_SHARED),
           loaded("libucp"), loaded("libpmix"));
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "again") == 0) { /* a program that a PE starts is a separate job */
        if (me == 0 && system("exec ./place") != 0)
            return 1;
        shmem_finalize();
        shmem_init();
        shmem_barrier_all();
    }
    if (argc > 2 && strcmp(argv[1], "exit") == 0 && me == 1)
        shmem_global_exit(atoi(argv[2]));
    if (argc > 1 && strcmp(argv[1], "wrong") == 0 && me == 1)
        shmem_long_p((long *)argv, 1, 0);
    if (argc > 1 && (strcmp(argv[1], "exit") == 0 || strcmp(argv[1], "wrong") == 0))
        shmem_barrier_all();
    shmem_finalize();
    return 0;
}
