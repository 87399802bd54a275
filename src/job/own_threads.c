#include "job/own_threads.h"

#include "job/self.h"

#include <dirent.h>
#include <stdlib.h>

enum { MOST = 64 }; /* if the process has more threads before a library starts its own, the library's are not found */
static int known[MOST], n_known;

static void visit(void (*what)(int thread))
{
    DIR *folder = opendir("/proc/self/task");
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (atoi(entry->d_name) > 0)
            what(atoi(entry->d_name));
    if (folder)
        closedir(folder);
}

static void learn(int thread)
{
    if (n_known < MOST)
        known[n_known] = thread;
    n_known++;
}

void threads_own(int thread)
{
    struct job_pe *mine = job_seat(self.pe);
    for (int i = 0, none = 0; i < JOB_OWN_THREADS; i++, none = 0)
        if (mine->own_threads[i] == thread || atomic_compare_exchange_strong(&mine->own_threads[i], &none, thread))
            return;
}

static void own_if_new(int thread)
{
    int at = 0;
    while (at < n_known && known[at] != thread)
        at++;
    if (at == n_known)
        threads_own(thread);
}

void threads_before(void)
{
    for (int i = 0; i < JOB_OWN_THREADS; i++)
        job_seat(self.pe)->own_threads[i] = 0; /* from an earlier shmem_init */
    n_known = 0;
    visit(learn);
}

void threads_after(void)
{
    if (n_known <= MOST)
        visit(own_if_new);
}
