/* The requests of an MPI to a PMI-1 launcher, in a process whose connection to the launcher Copal keeps:
 *
 *     guest first|second [late]     this MPI starts before or after Copal; late: it ends in an exit handler */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int MPI_Initialized(int *flag); /* Copal detects an MPI by this function */

static int fd;

int MPI_Initialized(int *flag)
{
    *flag = 0; /* PEs do not use this MPI to find each other */
    return 0;
}

static void say(const char *command, const char *expected)
{
    char answer[200] = "", next = '\0';
    size_t n = 0;
    if (write(fd, command, strlen(command)) != (ssize_t)strlen(command))
        perror("PMIU_write error");
    for (; *expected && read(fd, &next, 1) == 1 && next != '\n'; n++)
        if (n < sizeof answer - 1)
            answer[n] = next;
    if (strncmp(answer, expected, strlen(expected)) != 0)
        fprintf(stderr, "\"%s\" is answered to \"%s\"\n", answer, command);
}

static void begin(void)
{
    fd = atoi(getenv("PMI_FD"));
    say("cmd=get_maxes\n", "cmd=maxes");
    say("mcmd=spawn\nexecname=cmd=finalize\nendcmd\n", "cmd=spawn_result");
}

static void leave(void)
{
    say("cmd=finalize\n", "cmd=finalize_ack");
    close(fd);
}

int main(int argc, char **argv)
{
    const int is_first = argc > 1 && strcmp(argv[1], "first") == 0, is_late = argc > 2;
    if (is_first)
        begin();
    if (is_late)
        atexit(leave);
    shmem_init();
    if (!is_first)
        begin();
    say("cmd=init pmi_version=2 pmi_subversion=0\n", "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1");
    if (!is_late)
        leave();
    printf("PE %d\n", shmem_my_pe());
    shmem_finalize();
    return 0;
}
