/* Appends memory to the job file. */
#include "job/self.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* Writes a byte at the new end: ftruncate could shorten a file that another PE has already made longer. */
void *job_share(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), at = self.file_end, room = (bytes + page) / page * page;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGXFSZ, &ignore, &before);
    const bool grown = pwrite(self.fd, "", 1, (off_t)(at + room - 1)) == 1;
    sigaction(SIGXFSZ, &before, NULL);
    if (!grown)
        return NULL;
    void *memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, self.fd, (off_t)at);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, room, MADV_DONTFORK);
    madvise(memory, room, MADV_DONTDUMP);
    self.file_end = at + room;
    return memory;
}
