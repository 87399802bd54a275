/* Children of a PE: they have private copies of its static variables and heap, and their end does not affect the
 * job.
 *
 *     child fork|threads|exit|system|popen
 *     child closed        the program has closed all descriptors, also the library's, and opened others
 *     child init          a thread forks while shmem_init runs
 *     child run PROGRAM */
#include <fcntl.h>
#include <pthread.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../check.h"

static long in_data = 41, in_bss, *heap;
static int me, n;

/* The child finds the parent's data; its own stores are private. */
static int in_child(void)
{
    int wrong = (in_data != 42) + (in_bss != 10 + me) + (heap[0] != 20 + me);
    in_data = -1;
    in_bss = -1;
    for (int i = 0; i < 1000; i++)
        heap[i] = -1;
    return wrong;
}

/* The status of a child that reads and writes. */
static int fork_and_write(int with_exit)
{
    pid_t child = fork();
    if (child == 0) {
        int wrong = in_child();
        if (with_exit)
            exit(wrong); /* calls the library's exit handlers */
        _exit(wrong);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

static void check_child(int status)
{
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with status %#x", (unsigned)status);
}

static void *fork_often(void *status)
{
    for (int i = 0; i < 20 && *(int *)status == 0; i++)
        *(int *)status = fork_and_write(0);
    return NULL;
}

static void fork_at_once(void)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    int status[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, fork_often, &status[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        check_child(status[i]);
    }
}

/* Closes all descriptors, as daemons do. */
static void close_all(void)
{
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    for (int i = 0; i < 8; i++)
        open("/dev/zero", O_RDWR);
}

/* Starts children that check their memory and do not use the library. */
static _Atomic bool is_over;

static void *fork_all_along(void *status)
{
    for (int n = 0; *(int *)status == 0 && (!is_over || n < 20); n++) {
        const pid_t child = fork();
        if (child == 0)
            _exit(in_data != 41);
        waitpid(child, status, 0);
    }
    return NULL;
}

static void fork_in_init(void)
{
    pthread_t thread;
    int status = 0;
    pthread_create(&thread, NULL, fork_all_along, &status);
    shmem_init();
    is_over = true;
    pthread_join(thread, NULL);
    check_child(status);
}

static void read_echo(void)
{
    char line[100] = "";
    FILE *f = popen("echo from a child", "r");
    CHECK(f && fgets(line, sizeof line, f) && strcmp(line, "from a child\n") == 0, "popen read \"%s\"", line);
    CHECK(f && pclose(f) == 0, "the child of popen has failed");
}

/* Checks that the parent and its peers see no store of a child, and that the job continues. */
static void look(void)
{
    CHECK(in_data == 42 && in_bss == 10 + me && heap[0] == 20 + me && heap[999] == 1019 + me,
          "a child changed this PE's memory");
    shmem_barrier_all();
    int right = (me + 1) % n;
    CHECK(shmem_long_g(&in_data, right) == 42, "PE %d's data is %ld", right, shmem_long_g(&in_data, right));
    CHECK(shmem_long_g(&in_bss, right) == 10 + right, "PE %d's static changed", right);
    CHECK(shmem_long_g(heap + 999, right) == 1019 + right, "PE %d's heap changed", right);
    shmem_barrier_all();
    shmem_long_p(&in_bss, 500 + me, right);
    shmem_barrier_all();
    CHECK(in_bss == 500 + (me + n - 1) % n, "a put after the child's end brought %ld", in_bss);
    shmem_barrier_all();
    in_bss = 10 + me;
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    const char *how = argc >= 2 ? argv[1] : "";
    if (strcmp(how, "init") == 0)
        fork_in_init();
    else
        shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    heap = shmem_malloc(1000 * sizeof *heap);
    in_data = 42;
    in_bss = 10 + me;
    for (int i = 0; i < 1000; i++)
        heap[i] = 20 + me + i;
    shmem_barrier_all();
    for (int i = 0; i < 3; i++) {
        if (strcmp(how, "fork") == 0 || strcmp(how, "exit") == 0)
            check_child(fork_and_write(how[0] == 'e'));
        else if (strcmp(how, "closed") == 0)
            close_all(), check_child(fork_and_write(0));
        else if (strcmp(how, "init") == 0)
            check_child(fork_and_write(1));
        else if (strcmp(how, "threads") == 0)
            fork_at_once();
        else if (strcmp(how, "system") == 0)
            CHECK(system("exit 3") == 3 << 8 && system("true") == 0, "system");
        else if (strcmp(how, "popen") == 0)
            read_echo();
        else if (strcmp(how, "run") == 0 && argc == 3)
            CHECK(system(argv[2]) == 0, "running %s", argv[2]);
        else
            return 99;
        look();
    }
    shmem_finalize();
    return check_result();
}
