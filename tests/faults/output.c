/* output HOW LINES: each PE prints LINES lines. Then PE 1 ends as HOW says, while PE 0 waits, PE 2 computes, and PE 3
 * prints and sleeps. */
#define _GNU_SOURCE /* for fopencookie */
#include <shmem.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long never, begun;
static bool ending;

/* Writes to stdout, and at the end sends SIGTERM before the stream knows that its buffer has been written. */
static ssize_t write_and_end(void *unused, const char *data, size_t size)
{
    const ssize_t written = write(STDOUT_FILENO, data, size);
    const bool now = ending;
    (void)unused;
    ending = false;
    if (now)
        raise(SIGTERM);
    return written;
}

static void end(const char *how)
{
    if (strcmp(how, "write") == 0) {
        ending = true;
        fflush(stdout);
    }
    if (strcmp(how, "segv") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(how, "global") == 0)
        shmem_global_exit(4);
    if (strcmp(how, "bad_pe") == 0)
        shmem_long_p(&never, 1, 12345);
    if (strcmp(how, "stay") == 0 && write(STDERR_FILENO, "ready\n", 6) < 0)
        exit(1);
    pause();
}

int main(int argc, char **argv)
{
    shmem_init();
    const int me = shmem_my_pe();
    if (me == 1 && argc > 1 && strcmp(argv[1], "write") == 0)
        stdout = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_and_end});
    for (int i = 0; argc > 2 && i < atoi(argv[2]); i++)
        printf("PE %d says that this is line %d\n", me, i);
    shmem_long_atomic_inc(&begun, 0);
    if (me == 1) {
        while (shmem_long_g(&begun, 0) < shmem_n_pes())
            usleep(1000);
        end(argv[1]);
    }
    for (volatile int on = me == 2; on;)
        ;
    for (; me == 3; usleep(100))
        printf("on\n");
    shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
    return 0;
}
