/* PE 1 is killed, and another process gets its number, as happens when numbers wrap around: shmemx_readv and
 * shmemx_writev must not access that process. Only root can choose the number of a process; for other users, the dead
 * PE's number is unused. */
#include <errno.h>
#include <shmemx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static long process;

/* A process with this number, or without the right to choose, any other. */
static pid_t start(pid_t number)
{
    FILE *last = fopen("/proc/sys/kernel/ns_last_pid", "w");
    if (last) {
        fprintf(last, "%d", (int)number - 1);
        fclose(last);
    }
    const pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    return pid;
}

int main(void)
{
    static long word = 7;
    long copy = 0;
    shmem_init();
    if (shmem_my_pe() == 1) {
        shmem_long_p(&process, getpid(), 0);
        shmem_quiet();
        raise(SIGKILL);
    }
    while (shmemx_pe_state(1) != SHMEMX_PE_DEAD)
        usleep(1000);
    const pid_t pid = start((pid_t)process);
    const struct iovec mine = {&copy, sizeof copy}, theirs = {&word, sizeof word};
    const ssize_t read = shmemx_readv(1, &mine, 1, &theirs, 1), written = shmemx_writev(1, &mine, 1, &theirs, 1);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    printf("%s: read %zd, written %zd\n", pid == (pid_t)process ? "the same number" : "another number", read, written);
    const int passed = read == -1 && written == -1 && errno == ESRCH;
    shmem_finalize();
    return !passed;
}
