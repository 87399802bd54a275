#include "job/self.h"

#include "job/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

struct self self = {.fd = -1};
_Thread_local const char *outer_routine;

/* Opens the job file that oshrun handed down; -1 if this process was not started by oshrun. */
static int inherited_file(int *pe, int *n_pes, pid_t *launcher)
{
    const char *text = getenv(JOB_ENV);
    if (!text)
        return -1;
    int fd, used = 0;
    if (sscanf(text, "%d:%d:%d:%d%n", launcher, &fd, pe, n_pes, &used) != 4 || text[used] || *pe < 0 || *pe >= *n_pes)
        job_fatal("shmem_init", "environment variable %s is \"%s\", allowed is what oshrun sets", JOB_ENV, text);

    /* The descriptor may be closed, or be another file by now: only the job's magic number makes it ours. */
    struct job head;
    if (pread(fd, &head, sizeof head, 0) == (ssize_t)sizeof head && head.magic == JOB_MAGIC)
        return fd;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", *launcher, fd);
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.magic != JOB_MAGIC)
        job_fatal("shmem_init", "cannot open the job file of oshrun (%s): %s; is oshrun, process %d, still running?",
                  path, strerror(errno), *launcher);
    return fd;
}

static int file_of_one_pe(void)
{
    int fd = memfd_create("copal-job", MFD_CLOEXEC);
    struct job head = {.magic = JOB_MAGIC, .version = JOB_VERSION, .n_pes = 1};
    if (fd < 0 || ftruncate(fd, (off_t)job_data_offset(1)) != 0 || pwrite(fd, &head, sizeof head, 0) < 0)
        job_fatal("shmem_init", "cannot create the job file: %s", strerror(errno));
    return fd;
}

/* oshrun holds a lock on the job file while it lives; its process number may be somebody else's by now. */
static bool launcher_lives(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

void job_check_launcher(void)
{
    if (self.job->launcher && !launcher_lives(self.fd))
        job_fatal("shmem_init", "oshrun, process %d, has ended", self.job->launcher);
}

void job_join(void)
{
    int pe = 0, n_pes = 1;
    pid_t launcher = 0;
    int fd = inherited_file(&pe, &n_pes, &launcher);
    if (fd < 0)
        fd = file_of_one_pe();
    else
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* again: execution of some programs clears it, and a wrapper never had it */
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    unsetenv(JOB_ENV);

    struct job *job = mmap(NULL, job_bytes(n_pes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (job == MAP_FAILED)
        job_fatal("shmem_init", "cannot map the job file: %s", strerror(errno));
    if (job->version != JOB_VERSION || job->n_pes != n_pes)
        job_fatal("shmem_init", "oshrun speaks version %u of the job file with %d PEs, this library version %d with %d; "
                  "use the oshrun that came with the library", job->version, job->n_pes, JOB_VERSION, n_pes);
    madvise(job, job_bytes(n_pes), MADV_DONTFORK);

    struct job_pe *mine = &job->pe[pe];
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        CPU_SET(pe % CPU_SETSIZE, &set); /* more than 1024 processors: assume one for each PE */
    memcpy((void *)mine->cpus, &set, sizeof mine->cpus);
    struct stat program;
    if (stat("/proc/self/exe", &program) == 0) {
        mine->program_dev = program.st_dev;
        mine->program_ino = program.st_ino;
    }
    mine->pid = getpid();
    mine->state = JOB_PE_JOINED;
    self = (struct self){.job = job, .fd = fd, .pe = pe, .n_pes = n_pes, .pid = getpid(), .crowded = true};
    job_check_launcher();
}

void job_count_cpus(void)
{
    int cpus = 0;
    for (int word = 0; word < JOB_CPU_WORDS; word++) {
        uint64_t any = 0;
        for (int pe = 0; pe < self.n_pes; pe++)
            any |= self.job->pe[pe].cpus[word];
        cpus += __builtin_popcountll(any);
    }
    self.crowded = self.n_pes > cpus;
    wait_tune(self.crowded);
}

/* The first PE from `pe` on that has not come to meeting number n, but may yet; or the number of PEs. */
static int first_missing(int pe, uint32_t n)
{
    for (; pe < self.n_pes; pe++) {
        const struct job_pe *other = &self.job->pe[pe];
        if ((int32_t)(other->meetings - n) < 0 && other->state != JOB_PE_DEAD)
            break;
    }
    return pe;
}

void job_barrier(const char *routine)
{
    struct job *job = self.job;
    const uint32_t number = atomic_fetch_add(&job->pe[self.pe].meetings, 1) + 1;
    int missing = first_missing(0, number);
    if (missing == self.n_pes) { /* the last to come; a death is news as well (job_alert) */
        atomic_fetch_add(&job->meeting, 1);
        futex_wake(&job->meeting);
        return;
    }
    const bool noted = wait_note(routine, -1);
    for (;;) {
        const uint32_t news = job->meeting;
        missing = first_missing(missing, number);
        if (missing == self.n_pes)
            break;
        futex_wait(&job->meeting, news, 1000000000);
        job_check_launcher();
    }
    if (noted)
        wait_note_end();
}

_Noreturn void job_fatal(const char *routine, const char *fmt, ...)
{
    char text[1024];
    if (outer_routine)
        routine = outer_routine;
    int n = self.job ? snprintf(text, sizeof text, "copal: PE %d: %s: ", self.pe, routine)
                     : snprintf(text, sizeof text, "copal: %s: ", routine);
    va_list ap;
    va_start(ap, fmt);
    n += vsnprintf(text + n, sizeof text - (size_t)n - 1, fmt, ap);
    va_end(ap);
    if (n > (int)sizeof text - 2)
        n = (int)sizeof text - 2;
    text[n++] = '\n';
    if (ftrylockfile(stdout) == 0) /* another thread may hold it for ever, and the error must out */
        fflush(stdout); /* what the program printed before comes before the error */
    if (write(STDERR_FILENO, text, (size_t)n) < 0) { /* nobody is left to tell */ }

    if (self.job && getpid() == self.pid) {
        uint64_t none = 0;
        atomic_compare_exchange_strong(&self.job->end, &none, job_end_word(JOB_END_ERROR, 1, self.pe));
    }
    _exit(1);
}

_Noreturn void job_exit(int status)
{
    /* First, for what follows may be cut short. Not all streams: another thread may wait for input and hold that stream
     * for ever; exit flushes without waiting for it. */
    if (ftrylockfile(stdout) == 0) {
        fflush(stdout);
        funlockfile(stdout);
    }
    uint64_t none = 0;
    atomic_compare_exchange_strong(&self.job->end, &none, job_end_word(JOB_END_GLOBAL_EXIT, status, self.pe));
    exit(status); /* as at the end of main: atexit handlers and destructors run (9.1.6) */
}
