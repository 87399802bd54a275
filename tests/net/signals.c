/* The threads that the library and the network library start receive no signals of the program. */
#include <shmem.h>

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../check.h"

/* The signals that the thread blocks: bit 0 is signal 1. */
static unsigned long long blocked_by(int thread)
{
    char path[64], line[128];
    unsigned long long blocked = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", thread);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "SigBlk: %llx", &blocked);
    if (file)
        fclose(file);
    return blocked;
}

int main(void)
{
    static const int signals[] = {SIGALRM, SIGUSR1, SIGCHLD, SIGTERM, SIGPROF};
    shmem_init();
    DIR *folder = opendir("/proc/self/task");
    int others = 0;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const int thread = atoi(entry->d_name);
        const unsigned long long blocked = blocked_by(thread);
        others += thread > 0 && thread != getpid();
        for (size_t i = 0; thread > 0 && thread != getpid() && i < sizeof signals / sizeof *signals; i++)
            CHECK(blocked >> (signals[i] - 1) & 1, "thread %d of process %d receives signal %d", thread, getpid(),
                  signals[i]);
    }
    CHECK(others, "the process has one thread, or /proc/self/task cannot be read");
    CHECK(!(blocked_by(getpid()) >> (SIGALRM - 1) & 1), "the program receives no SIGALRM");
    if (folder)
        closedir(folder);
    const int result = check_result();
    shmem_finalize();
    return result;
}
