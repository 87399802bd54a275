/* The job file and the processes that become the PEs. */
#include "oshrun.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* A child that fails before exec writes this structure; it fits into one atomic write to a pipe. */
struct launch_failure {
    int pe;
    int error;
    bool in_chdir;
};

void create_job(struct run *r)
{
    int n = r->opt.n_pes;
    const char *folder;
    r->job_fd = nameless_file(&folder);
    if (r->job_fd < 0)
        die(EXIT_JOB, "the job file cannot be created: memfd_create: %s, and no file of 256 MiB can be made in "
            "/dev/shm, $TMPDIR or /tmp", strerror(errno));
    if (folder)
        say("memfd_create: %s; the job's memory is a file in %s", strerror(errno), folder);
    /* The PEs inherit the job file. oshrun keeps it open too, for a PE whose wrapper has closed it. */
    fcntl(r->job_fd, F_SETFD, 0);
    if (ftruncate(r->job_fd, (off_t)job_data_offset(n)) != 0)
        die(EXIT_JOB, "the job file cannot be created: %s%s", strerror(errno),
            errno == EFBIG ? "; raise the limit on the size of files (ulimit -f)" : "");
    r->job = mmap(NULL, job_bytes(n), PROT_READ | PROT_WRITE, MAP_SHARED, r->job_fd, 0);
    if (r->job == MAP_FAILED)
        die(EXIT_JOB, "the job file of %zu bytes cannot be mapped: %s", job_bytes(n), strerror(errno));
    r->job->magic = JOB_MAGIC;
    r->job->version = JOB_VERSION;
    r->job->n_pes = n;
    r->job->launcher = r->self;
    r->job->outlives = r->opt.outlive;

    /* The kernel drops this lock whenever oshrun ends, so each PE can check whether oshrun lives. A check of its
     * process number would fail for a zombie, or for a new process with this number. */
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(r->job_fd, F_SETLK, &lock) != 0)
        die(EXIT_JOB, "the job file cannot be locked: %s", strerror(errno));

    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        die(EXIT_JOB, "a pipe cannot be created: %s", strerror(errno));
    r->launch_errors = ends[0];
    r->launch_error_writer = ends[1];
}

static _Noreturn void launch_failed(struct run *r, int pe, bool in_chdir)
{
    struct launch_failure failure = {.pe = pe, .error = errno, .in_chdir = in_chdir};
    /* If this fails too, only the exit code reports the error. */
    ssize_t written = write(r->launch_error_writer, &failure, sizeof failure);
    (void)written;
    _exit(failure.error == ENOENT || failure.error == ENOTDIR ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

static void set_environment(struct run *r, int pe)
{
    const struct app *app = r->pe[pe].app;
    for (int i = 0; i < app->n_env; i++)
        putenv(app->env[i]);
    char where[64];
    snprintf(where, sizeof where, "%d:%d:%d:%d", (int)r->self, r->job_fd, pe, r->opt.n_pes);
    setenv(settings[SETTING_COPAL_JOB].name, where, 1);
}

/* Called in the child. */
static _Noreturn void become_pe(struct run *r, int pe, int null_fd, const int writer[2])
{
    const struct app *app = r->pe[pe].app;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != r->self) /* oshrun died before the line above */
        _exit(EXIT_JOB);
    if (r->own_groups)
        setpgid(0, 0);
    if (pe > 0 || r->own_groups)
        dup2(null_fd, STDIN_FILENO);
    for (int i = 0; i < 2; i++)
        if (writer[i] >= 0)
            dup2(writer[i], i == 0 ? STDOUT_FILENO : STDERR_FILENO);
    bind_self(pe);
    set_environment(r, pe);
    if (app->wdir && chdir(app->wdir) != 0)
        launch_failed(r, pe, true);
    /* Ctrl-\ reaches the whole foreground group; it requests a report from oshrun and must not kill the PEs. */
    signal(SIGQUIT, SIG_IGN);
    restore_inherited(&r->inherited);
    if (r->pe[pe].hold != HOLD_NOT)
        debug_hold_self(pe);
    const char *name = app->argv[0];
    char file[PATH_MAX];
    execvp(name, app->argv);
    /* A folder on PATH that this user may not search is the same error as a file that may not be executed. */
    if (errno == EACCES && !strchr(name, '/') && !find_on_path(name, F_OK, file))
        errno = ENOENT;
    launch_failed(r, pe, false);
}

/* False, with errno: the limits of the system allow no further process or no pipes for it. */
static bool launch(struct run *r, int pe, int null_fd)
{
    int writer[2] = {-1, -1};
    if (!output_pipes(pe, writer))
        return false;
    pid_t pid = fork();
    if (pid == 0)
        become_pe(r, pe, null_fd, writer);
    int error = errno;
    if (writer[0] >= 0)
        close(writer[0]);
    if (writer[1] >= 0 && writer[1] != writer[0])
        close(writer[1]);
    errno = error;
    if (pid < 0)
        return false;
    r->pe[pe].pid = pid;
    r->pe[pe].running = true;
    r->n_running++;
    if (r->opt.verbose) {
        char text[128];
        say("%s %d is process %d on %s: %s", words.unit, words.first + pe, (int)pid, bind_text(pe, text, sizeof text),
            r->pe[pe].app->argv[0]);
    }
    return true;
}

bool launch_pes(struct run *r)
{
    int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null_fd < 0)
        die(EXIT_JOB, "/dev/null cannot be opened: %s", strerror(errno));
    check_room(r->opt.n_pes);
    bind_plan(r->opt.bind, r->opt.n_pes);
    output_start(r->opt.n_pes, r->opt.tag);
    r->pe = zeroed((size_t)r->opt.n_pes, sizeof *r->pe);
    int pe = 0;
    for (int a = 0; a < r->opt.n_apps; a++)
        for (int i = 0; i < r->opt.apps[a].n_pes; i++)
            r->pe[pe++].app = &r->opt.apps[a];
    for (int a = 0; a < r->opt.n_apps; a++)
        say_if_foreign(&r->opt.apps[a]);
    debug_plan(r);
    for (pe = 0; pe < r->opt.n_pes; pe++)
        if (!launch(r, pe, null_fd)) {
            say_no_room(pe, r->opt.n_pes);
            break;
        }
    close(null_fd);
    if (!r->holds)
        mpir_spawned(r);
    r->group = cgroup_find(CGROUP_LIST, CGROUP_MOUNT, "memory"); /* overlaps the start of the PEs */
    r->oom_kills = cgroup_oom_kills(&r->group);
    return pe == r->opt.n_pes;
}

void read_launch_errors(struct run *r)
{
    struct launch_failure failure;
    while (read(r->launch_errors, &failure, sizeof failure) == sizeof failure) {
        r->pe[failure.pe].launch_error = failure.error;
        r->pe[failure.pe].launch_chdir = failure.in_chdir;
    }
}
