/* The floor of a launcher: creates the shared memory, forks and executes the program N times, and waits.
 * usage: launch N PROGRAM [ARGUMENT...] */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

static void fail(const char *what)
{
    fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
    exit(1);
}

int main(int argc, char **argv)
{
    int pes = argc > 2 ? atoi(argv[1]) : 0;
    if (pes < 1 || pes > FLOOR_MAX_PES) {
        fprintf(stderr, "usage: %s N PROGRAM [ARGUMENT...], with N from 1 to %d\n", argv[0], FLOOR_MAX_PES);
        return 2;
    }
    int fd = memfd_create("floor", 0);
    if (fd < 0 || ftruncate(fd, (off_t)FLOOR_BYTES(pes)) != 0)
        fail("cannot make the shared memory");
    if (fd != FLOOR_FD && dup2(fd, FLOOR_FD) < 0)
        fail("cannot hand on the shared memory");

    setenv(FLOOR_ENV_PES, argv[1], 1);
    for (int pe = 0; pe < pes; pe++) {
        pid_t pid = fork();
        if (pid < 0)
            fail("cannot fork");
        if (pid == 0) {
            char number[16];
            snprintf(number, sizeof number, "%d", pe);
            setenv(FLOOR_ENV_PE, number, 1);
            execv(argv[2], argv + 2);
            fail(argv[2]);
        }
    }
    int worst = 0, status;
    while (wait(&status) > 0)
        if (status != 0)
            worst = 1;
    return worst;
}
