/* The standard files are closed before shmem_init: no file or connection of the library gets their numbers, so the
 * program's output goes nowhere. */
#include <errno.h>
#include <fcntl.h>
#include <shmem.h>
#include <unistd.h>

int main(void)
{
    static long sum, one = 1;
    for (int fd = 0; fd < 3; fd++)
        close(fd);
    shmem_init();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1);
    char byte;
    int wrong = read(0, &byte, 1) != -1 || errno != EBADF;
    for (int fd = 1; fd < 3; fd++)
        wrong |= write(fd, "text", 4) != -1 || errno != EBADF;
    shmem_finalize();
    return wrong;
}
