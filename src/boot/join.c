#include "boot/boot.h"
#include "boot/mpi_beside.h"
#include "common/module.h"
#include "job/cgroup.h"
#include "job/file.h"
#include "job/self.h"
#include "job/settings.h"
#include "wait/meeting.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

const struct boot *boot;

/* The job file of this node, which the node's first PE creates. */
static int file_of_node(const struct boot_layout *layout)
{
    const char *why = "";
    int fd = layout->pe == layout->first ? file_new(layout->n_local, setting_on(SETTING_COPAL_OUTLIVE)) : -1;
    fd = boot->share_file(fd, &why);
    if (fd < 0)
        job_fatal("shmem_init", "cannot share memory with the other PEs of this node: %s", why);
    return fd;
}

static int join_by(const char *module, const char *how, const char *remedy, struct boot_layout *layout)
{
    const char *why = "";
    boot = module_load(module, BOOT_SYMBOL, &why);
    if (!boot || boot->version != BOOT_VERSION)
        job_fatal("shmem_init", "%s, for which this copy of Copal has no module (%s); start it by oshrun, or %s", how,
                  boot ? "it has another version" : why, remedy);
    const char *failed = boot->begin(layout);
    if (failed)
        job_fatal("shmem_init", "cannot join the job: %s", failed);
    return file_of_node(layout);
}

/* Slurm runs a batch script and salloc's shell in special steps of one process, whose variables give the allocation's
 * size. */
static bool is_in_slurm_shell(void)
{
    const char *step = setting_text(SETTING_SLURM_STEP_ID);
    return step && strtoull(step, NULL, 10) >= 0xfffffff0;
}

/* The number of processes that HPE's PALS has started, from the header of its file, which is the same in all versions
 * (pals.h of libpals). 0: the file cannot be read. */
static int pals_size(void)
{
    struct {
        int version;
        size_t bytes, profile_bytes, profiles_at;
        int n_profiles;
        size_t command_bytes, commands_at;
        int n_commands;
        size_t pe_bytes, pes_at;
        int n_pes;
    } head;
    const char *path = setting_text(SETTING_PALS_APINFO);
    FILE *f = path ? fopen(path, "re") : NULL;
    const bool is_read = f && fread(&head, sizeof head, 1, f) == 1 && head.version > 0 && head.n_pes > 0;
    if (f)
        fclose(f);
    return is_read ? head.n_pes : 0;
}

/* Called if no supported launcher has started this process: it is a job of one PE. If another launcher has started
 * several processes, this is an error, because each would do all the work. A program that a PE has started may be a job
 * of one PE. */
static void check_is_alone(void)
{
    if (setting_text(SETTING_PMI_PORT) && !setting_text(SETTING_COPAL_PE_PID))
        job_fatal("shmem_init", "a launcher has started this process with PMI_PORT, as mpiexec -pmi-port and MVAPICH's "
                  "mpirun_rsh do; Copal cannot join a job this way: leave that option out, or use MVAPICH's mpiexec");
    static const struct {
        enum setting size, rank;
    } told[] = {{SETTING_PMI_SIZE, SETTING_PMI_RANK},
                {SETTING_OMPI_COMM_WORLD_SIZE, SETTING_OMPI_COMM_WORLD_RANK},
                {SETTING_MV2_COMM_WORLD_SIZE, SETTING_MV2_COMM_WORLD_RANK},
                {SETTING_JSM_NAMESPACE_SIZE, SETTING_JSM_NAMESPACE_RANK},
                {SETTING_FLUX_JOB_SIZE, SETTING_FLUX_TASK_RANK},
                {SETTING_SLURM_STEP_NUM_TASKS, SETTING_SLURM_PROCID},
                {SETTINGS, SETTING_PALS_RANKID}, /* these variables give no number of processes */
                {SETTINGS, SETTING_ALPS_APP_PE}};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        const bool is_counted = told[i].size != SETTINGS;
        const char *size = is_counted ? setting_text(told[i].size) : "several", *rank = setting_text(told[i].rank);
        const char *variable = settings[is_counted ? told[i].size : told[i].rank].name;
        bool is_alone = setting_text(SETTING_COPAL_PE_PID) ||
                        (told[i].rank == SETTING_SLURM_PROCID && is_in_slurm_shell());
        bool is_one_of_several = is_counted ? size && atol(size) > 1 : rank && atol(rank) > 0;
        char number[20];
        if (told[i].rank == SETTING_PALS_RANKID && rank) {
            const int n = pals_size();
            is_one_of_several = n != 1;
            snprintf(number, sizeof number, "%d", n);
            size = n ? number : "an unknown number";
        }
        if (is_one_of_several && rank && !is_alone)
            job_fatal("shmem_init",
                      "a launcher has started this process as number %s of %s (%s), but neither by PMIx nor with "
                      "PMI_FD, so these processes cannot find each other; start them by oshrun, srun --mpi=pmix or "
                      "--mpi=pmi2, prterun, Open MPI's mpirun, MPICH's mpiexec, HPE's mpiexec --pmi=pmix or flux run "
                      "-o pmi=simple; or call MPI_Init before shmem_init; or unset %s if each process is a separate "
                      "job of one PE",
                      rank, size, variable, variable);
    }
}

/* The words of SHMEM_BOOT. */
enum { BY_LAUNCHER, BY_MPI };

static int boot_way(void)
{
    const char *way = setting_text(SETTING_SHMEM_BOOT);
    if (way && strcmp(way, "directory") == 0)
        setting_refuse(SETTING_SHMEM_BOOT, " is auto or mpi: PEs do not find each other in a folder, because users who "
                       "may write there could join or end the job; start them over ssh by mpirun or prterun "
                       "(docs/cluster.md)");
    return setting_choice(SETTING_SHMEM_BOOT);
}

/* The kernel sends the signal of PR_SET_PDEATHSIG when the thread that has started this process ends. If this thread is
 * one of several in a wrapper, the wrapper may live on. */
static bool parent_has_threads(void)
{
    char path[40];
    struct stat threads; /* this folder has a link to each thread, and two others */
    snprintf(path, sizeof path, "/proc/%d/task", (int)getppid());
    return stat(path, &threads) == 0 && threads.st_nlink > 3;
}

/* Finds out how this process was started, and opens its job file, if it has not inherited one. */
static int find_job(struct boot_layout *layout, int inherited)
{
    const bool is_asked = inherited < 0 && setting_is_pe() && !setting_privileged();
    const int way = boot_way();
    if (is_asked && way != BY_MPI && boot_by_pmix()) {
        hybrid_uses_pmix();
        return join_by("pmix", "a launcher started this program by PMIx", "build Copal where libpmix-dev is installed",
                       layout);
    }
    if (is_asked && way != BY_MPI && boot_by_pmi())
        return join_by("pmi", "a launcher started this program by PMI-1", "install all of Copal", layout);
    if (is_asked && (way == BY_MPI || hybrid_mpi_works()))
        return join_by("mpi", "the bootstrap uses MPI", "install all of Copal", layout);
    int fd = inherited;
    if (fd >= 0) {
        if (!parent_has_threads())
            prctl(PR_SET_PDEATHSIG, SIGKILL); /* again: some exec calls clear it, and a wrapper's child has none */
    } else {
        check_is_alone();
        fd = file_new(1, false);
    }
    layout->n_local = layout->node_size = layout->n_pes;
    if (boot_file_wanted(layout, layout->pe, layout->n_pes))
        boot = &boot_file;
    return fd;
}

/* oshrun's file has a record for each PE of the job. */
static void map(int fd, const struct boot_layout *layout, pid_t launcher)
{
    const int first_seat = launcher || layout->n_pes == 1 ? 0 : layout->first;
    file_map(fd, layout->pe, layout->n_pes, first_seat, launcher ? layout->n_pes : layout->n_local, launcher);
}

/* If stdin, stdout or stderr is closed, the job file or a connection would get its number, and then the program's
 * output. Therefore a file takes its place, which refuses reads and writes as a closed one does. */
static void fill_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) < 0)
            return;
}

void boot_join(void)
{
    fill_standard_files();
    struct boot_layout layout = {.n_pes = 1};
    pid_t launcher = 0;
    const int inherited = file_inherited(&layout.pe, &layout.n_pes, &launcher);
    if (inherited >= 0)
        map(inherited, &layout, launcher);
    const int fd = find_job(&layout, inherited);
    job_abort = boot ? boot->abort : NULL;
    if (inherited < 0)
        map(fd, &layout, launcher);
    self.first = layout.first;
    self.n_near = layout.n_local;
    self.node_size = layout.node_size;
    fcntl(fd, F_SETFD, FD_CLOEXEC);

    struct job_pe *mine = job_seat(self.pe);
    job_claim(mine);
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        CPU_SET(layout.pe % CPU_SETSIZE, &set); /* more than 1024 processors: assume one for each PE */
    memcpy((void *)mine->cpus, &set, sizeof mine->cpus);
    if (self.job->n_pes > CPU_COUNT(&set)) {
        const struct cgroup group = cgroup_find(CGROUP_LIST, CGROUP_MOUNT, "cpu");
        mine->scheduling = cgroup_scheduling(&group, CGROUP_AUTO_SWITCH, CGROUP_AUTO);
    }
    struct stat program;
    if (stat("/proc/self/exe", &program) == 0) {
        mine->program_dev = program.st_dev;
        mine->program_ino = program.st_ino;
    }
    mine->state = JOB_PE_JOINED;
    if (launcher)
        setting_note(SETTING_COPAL_OUTLIVE, "oshrun", "%d", self.job->outlives);
    job_check_launcher();
    settings_check();
    unsetenv(settings[SETTING_COPAL_JOB].name);
}

void boot_barrier(const char *routine)
{
    if (self.job->n_pes == self.n_pes)
        meeting_here(routine);
    else
        boot->fence(routine);
}
