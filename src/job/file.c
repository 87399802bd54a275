#include "job/file.h"

#include "job/self.h"
#include "job/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int file_inherited(int *pe, int *n_pes, pid_t *launcher)
{
    const char *text = setting_text(SETTING_COPAL_JOB);
    if (!text)
        return -1;
    int fd, used = 0;
    if (sscanf(text, "%d:%d:%d:%d%n", launcher, &fd, pe, n_pes, &used) != 4 || text[used] || *pe < 0 || *pe >= *n_pes)
        setting_refuse(SETTING_COPAL_JOB, NULL);

    /* The descriptor may be closed, or refer to another file by now: the job's magic number decides. */
    struct job head;
    if (pread(fd, &head, sizeof head, 0) == (ssize_t)sizeof head && head.magic == JOB_MAGIC)
        return fd;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", *launcher, fd);
    fd = open(path, O_RDWR | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : pread(fd, &head, sizeof head, 0);
    if (got != (ssize_t)sizeof head || head.magic != JOB_MAGIC)
        job_fatal("shmem_init", "cannot open the job file of oshrun (%s): %s; is oshrun, process %d, still running?",
                  path, got < 0 ? strerror(errno) : "it is another file", *launcher);
    return fd;
}

int file_new(int n_pes, bool outlives)
{
    const char *folder;
    int fd = nameless_file(&folder);
    struct job head = {.magic = JOB_MAGIC, .version = JOB_VERSION, .n_pes = n_pes, .outlives = outlives};
    if (fd < 0)
        job_fatal("shmem_init", "cannot create the job file: memfd_create: %s, and no file of 256 MiB can be made in "
                  "/dev/shm, $TMPDIR or /tmp", strerror(errno));
    if (ftruncate(fd, (off_t)job_data_offset(n_pes)) != 0 || pwrite(fd, &head, sizeof head, 0) < 0)
        job_fatal("shmem_init", "cannot create the job file: %s", strerror(errno));
    return fd;
}

static struct stat file;

/* The program may have closed self.fd, and opened another file with that number. */
bool job_file_is_open(void)
{
    struct stat now;
    return fstat(self.fd, &now) == 0 && now.st_dev == file.st_dev && now.st_ino == file.st_ino;
}

/* oshrun holds a lock on the job file while it runs. Its process number proves nothing: it may be reused. */
static bool launcher_lives(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

void job_check_launcher(void)
{
    if (self.job->launcher && job_file_is_open() && !launcher_lives(self.fd))
        job_fatal("shmem_init", "oshrun, process %d, has ended", self.job->launcher);
}

void file_map(int fd, int pe, int n_pes, int first_seat, int n_seats, pid_t launcher)
{
    struct job *job = mmap(NULL, job_bytes(n_seats), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (job == MAP_FAILED)
        job_fatal("shmem_init", "cannot map the job file: %s", strerror(errno));
    if (job->version != JOB_VERSION || job->n_pes != n_seats)
        job_fatal("shmem_init",
                  "%s uses version %u of the job file with %d PEs, this library version %d with %d; use one "
                  "version of Copal for all",
                  launcher ? "oshrun" : "another PE", job->version, job->n_pes, JOB_VERSION, n_seats);
    madvise(job, job_bytes(n_seats), MADV_DONTFORK);
    if (fstat(fd, &file) != 0)
        job_fatal("shmem_init", "cannot examine the job file: %s", strerror(errno));
    self = (struct self){.job = job, .fd = fd, .pe = pe, .n_pes = n_pes, .first_seat = first_seat,
                         .pid = getpid(), .crowded = true};
}
