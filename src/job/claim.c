/* Two processes cannot be the same PE. A script may start two programs at the same time that inherit COPAL_JOB; the
 * second program must not use the heap and the counters of the first.
 *
 * A PE record is free if its process has finalized, has ended, or is this process, so a script may run several programs
 * in sequence. Process numbers are reused, and may be the same in two namespaces, so start times are compared, too; if
 * a start time is unknown, the record is free. The record of a PE that has died while the others continue is never
 * free. */
#include "job/self.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A process's start time, in ticks since the machine booted; 0 if it has ended or is not visible here. */
static uint64_t begin_of(int pid)
{
    char path[40], text[600], state = 0;
    unsigned long long began = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *rest = strrchr(text, ')'); /* the process's name may hold any characters */
    const char *const fields = " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu";
    if (!rest || sscanf(rest + 1, fields, &state, &began) != 2 || state == 'Z' || state == 'X')
        return 0;
    return began;
}

/* Process number and start time in one word: one atomic exchange decides if two processes claim the record. */
static uint64_t process_word(int pid)
{
    return (uint64_t)pid << 32 | (uint32_t)begin_of(pid);
}

void job_claim(struct job_pe *mine)
{
    const uint64_t own = process_word((int)getpid());
    uint64_t before = mine->process;
    do {
        const int other = (int)(before >> 32), state = mine->state;
        const bool is_over = state == JOB_PE_FINALIZED || state == JOB_PE_DEAD;
        if (before && before != own && !is_over && (uint32_t)before && process_word(other) == before)
            job_fatal("shmem_init", "process %d is PE %d already, and has not called shmem_finalize; this is process "
                      "%d, which was started beside it (by a script that oshrun has started?), and two processes "
                      "cannot be one PE: start both by oshrun, or this one when the other has ended",
                      other, self.pe, (int)getpid());
        if (before && before != own && state == JOB_PE_DEAD && self.n_pes > 1) {
            job_say("shmem_init", "process %d, which was this PE, has failed; the other PEs go on without it. Process "
                    "%d, which was started after it (by a script that oshrun has started?), cannot replace it",
                    other, (int)getpid());
            _exit(EXIT_FAILURE);
        }
    } while (!atomic_compare_exchange_strong(&mine->process, &before, own));
    mine->pid = getpid();
}
