#include "job/self.h"

#include "job/backtrace.h"
#include "boot/boot.h"
#include "job/cgroup.h"
#include "boot/hybrid.h"
#include "job/settings.h"
#include "job/speak.h"
#include "wait/wait.h"

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
#include <time.h>
#include <unistd.h>

struct self self = {.fd = -1};
const struct boot *boot;
_Thread_local const char *outer_routine;
const char *(*_Atomic routine_namer)(const char *routine);

/* Opens the job file that oshrun handed down; -1 if this process was not started by oshrun. */
static int inherited_file(int *pe, int *n_pes, pid_t *launcher)
{
    const char *text = setting_text(SETTING_COPAL_JOB);
    if (!text)
        return -1;
    int fd, used = 0;
    if (sscanf(text, "%d:%d:%d:%d%n", launcher, &fd, pe, n_pes, &used) != 4 || text[used] || *pe < 0 || *pe >= *n_pes)
        setting_refuse(SETTING_COPAL_JOB, NULL);

    /* The descriptor may be closed, or be another file by now: only the job's magic number makes it ours. */
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

static int new_file(int n_pes, bool outlives)
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

/* The program may have closed it, and opened another file by its number. */
bool job_file_is_open(void)
{
    struct stat now;
    return fstat(self.fd, &now) == 0 && now.st_dev == file.st_dev && now.st_ino == file.st_ino;
}

/* oshrun holds a lock on the job file while it lives; its process number may be somebody else's by now. */
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

/* The job file of a node, which its first PE has made. */
static int file_of_node(const struct boot_layout *layout)
{
    const char *why = "";
    int fd = layout->pe == layout->first ? new_file(layout->n_local, setting_on(SETTING_COPAL_OUTLIVE)) : -1;
    fd = boot->share_file(fd, &why);
    if (fd < 0)
        job_fatal("shmem_init", "cannot share memory with the other PEs of this node: %s", why);
    return fd;
}

static int join_by(const char *module, const char *how, const char *remedy, struct boot_layout *layout)
{
    const char *why = "";
    boot = boot_module(module, BOOT_SYMBOL, &why);
    if (!boot || boot->version != BOOT_VERSION)
        job_fatal("shmem_init", "%s, for which this copy of Copal has no module (%s); start it by oshrun, or %s", how,
                  boot ? "it has another version" : why, remedy);
    const char *failed = boot->begin(layout);
    if (failed)
        job_fatal("shmem_init", "cannot join the job: %s", failed);
    return file_of_node(layout);
}

/* A batch script's and salloc's shell are steps of Slurm's own: one process, to which the allocation's size is told. */
static bool is_in_slurm_shell(void)
{
    const char *step = setting_text(SETTING_SLURM_STEP_ID);
    return step && strtoull(step, NULL, 10) >= 0xfffffff0;
}

/* How many processes HPE's PALS has started: in all versions the file that describes them begins so (pals.h of its
 * libpals).  0: it cannot be read. */
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

/* Nothing says how this process could join others: it is a job of one PE.  Not where a launcher says that it has
 * started several, whose program would do its work so many times over; but a program that a PE starts is alone. */
static void check_is_alone(void)
{
    if (setting_text(SETTING_PMI_PORT) && !setting_text(SETTING_COPAL_PE_PID))
        job_fatal("shmem_init", "a launcher has started this process with PMI_PORT, as mpiexec -pmi-port and MVAPICH's "
                  "mpirun_rsh do, by which Copal cannot join a job; leave that option out, or use MVAPICH's mpiexec");
    static const struct {
        enum setting size, rank;
    } told[] = {{SETTING_PMI_SIZE, SETTING_PMI_RANK},
                {SETTING_OMPI_COMM_WORLD_SIZE, SETTING_OMPI_COMM_WORLD_RANK},
                {SETTING_MV2_COMM_WORLD_SIZE, SETTING_MV2_COMM_WORLD_RANK},
                {SETTING_JSM_NAMESPACE_SIZE, SETTING_JSM_NAMESPACE_RANK},
                {SETTING_FLUX_JOB_SIZE, SETTING_FLUX_TASK_RANK},
                {SETTING_SLURM_STEP_NUM_TASKS, SETTING_SLURM_PROCID},
                {SETTINGS, SETTING_PALS_RANKID}, /* these do not tell how many there are */
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
                      "PMI_FD, so they cannot meet; start them by oshrun, srun --mpi=pmix or --mpi=pmi2, prterun, Open "
                      "MPI's mpirun, MPICH's mpiexec, HPE's mpiexec --pmi=pmix or flux run -o pmi=simple, or after "
                      "MPI_Init; or without %s in the environment if each is to be a job of one PE",
                      rank, size, variable, variable);
    }
}

/* The words of SHMEM_BOOT. */
enum { BY_LAUNCHER, BY_MPI };

/* A word that used to be allowed, whose user gets to know what to do in its place. */
static int boot_way(void)
{
    const char *way = setting_text(SETTING_SHMEM_BOOT);
    if (way && strcmp(way, "directory") == 0)
        setting_refuse(SETTING_SHMEM_BOOT, " is auto or mpi: PEs cannot meet in a folder any more, as others who may "
                       "write there could join or end the job; start them over ssh by mpirun or prterun, as "
                       "docs/cluster.md says");
    return setting_choice(SETTING_SHMEM_BOOT);
}

/* How this process was started, and its job file, if oshrun has not handed one down. */
static int find_job(struct boot_layout *layout, int inherited)
{
    const bool is_asked = inherited < 0 && boot_is_pe() && !setting_privileged();
    const int way = boot_way();
    if (is_asked && way != BY_MPI && boot_by_pmix()) {
        hybrid_uses_pmix();
        return join_by("pmix", "a launcher started this program by PMIx", "build Copal where libpmix-dev is installed",
                       layout);
    }
    if (is_asked && way != BY_MPI && boot_by_pmi())
        return join_by("pmi", "a launcher started this program by PMI-1", "install all of Copal", layout);
    if (is_asked && (way == BY_MPI || hybrid_mpi_works()))
        return join_by("mpi", "the PEs are to meet by MPI", "install all of Copal", layout);
    int fd = inherited;
    if (fd >= 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* again: execution of some programs clears it, and a wrapper never had it */
    } else {
        check_is_alone();
        fd = new_file(1, false);
    }
    layout->n_local = layout->node_size = layout->n_pes;
    if (boot_file_wanted(layout, layout->pe, layout->n_pes))
        boot = &boot_file;
    return fd;
}

/* From here on one PE says what all that have a seat find wrong. */
static void map_job(int fd, const struct boot_layout *layout, pid_t launcher)
{
    const int first_seat = launcher || layout->n_pes == 1 ? 0 : layout->first,
              n_seats = launcher ? layout->n_pes : layout->n_local;
    struct job *job = mmap(NULL, job_bytes(n_seats), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (job == MAP_FAILED)
        job_fatal("shmem_init", "cannot map the job file: %s", strerror(errno));
    if (job->version != JOB_VERSION || job->n_pes != n_seats)
        job_fatal("shmem_init",
                  "%s speaks version %u of the job file with %d PEs, this library version %d with %d; use one "
                  "version of Copal for all",
                  launcher ? "oshrun" : "another PE", job->version, job->n_pes, JOB_VERSION, n_seats);
    madvise(job, job_bytes(n_seats), MADV_DONTFORK);
    if (fstat(fd, &file) != 0)
        job_fatal("shmem_init", "cannot look at the job file: %s", strerror(errno));
    self = (struct self){.job = job, .fd = fd, .pe = layout->pe, .n_pes = layout->n_pes, .first_seat = first_seat,
                         .pid = getpid(), .crowded = true};
}

void job_join(void)
{
    struct boot_layout layout = {.n_pes = 1};
    pid_t launcher = 0;
    const int inherited = inherited_file(&layout.pe, &layout.n_pes, &launcher);
    if (inherited >= 0)
        map_job(inherited, &layout, launcher);
    const int fd = find_job(&layout, inherited);
    if (inherited < 0)
        map_job(fd, &layout, launcher);
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

/* --- where PEs share processors ------------------------------------------------------------------------------------
 *
 * The kernel puts a new process where it finds room at that moment, while the others are still starting, and it may be
 * a tenth of a second until it evens that out, for nobody sleeps: three PEs on one of two processors take turns, and
 * the fourth waits for them on its own. So each has a home, where an even share has it, neighbours beside each other.
 * It begins there, and goes back when it waits with more PEs than their share; else it is the kernel's to move. */

static cpu_set_t anywhere;
static int home = -1; /* -1: it has none, as a launcher has bound it, or there is a processor for each PE */

static void find_home(int cpus)
{
    const int share = (int)((job_seat(self.pe) - self.job->pe) * cpus / self.job->n_pes);
    if (sched_getaffinity(0, sizeof anywhere, &anywhere) != 0 || CPU_COUNT(&anywhere) != cpus)
        return;
    for (int before = 0; before <= share; before += CPU_ISSET((unsigned)home, &anywhere))
        home++;
}

static void go_home(void)
{
    cpu_set_t there;
    CPU_ZERO(&there);
    CPU_SET((unsigned)home, &there);
    if (sched_setaffinity(0, sizeof there, &there) == 0)
        sched_setaffinity(0, sizeof anywhere, &anywhere);
}

void job_even_out(void)
{
    enum { MOST = 64 }; /* PEs that are looked at */
    const int n = self.job->n_pes, cpus = home < 0 ? 0 : CPU_COUNT(&anywhere), here = sched_getcpu();
    int beside = 0;
    atomic_store_explicit(&job_seat(self.pe)->waits_on, here + 1, memory_order_relaxed);
    if (home < 0 || home == here || n > MOST)
        return;
    for (int seat = 0; seat < n; seat++)
        beside += atomic_load_explicit(&self.job->pe[seat].waits_on, memory_order_relaxed) == here + 1;
    cpu_set_t now; /* what this thread, or whoever else, has bound stays */
    if (beside > (n + cpus - 1) / cpus && sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &anywhere))
        go_home();
}

/* So many, of 64, on which any of this node's PEs may run. */
static uint64_t cpus_of_all(int word)
{
    uint64_t any = 0;
    for (int seat = 0; seat < self.job->n_pes; seat++)
        any |= self.job->pe[seat].cpus[word];
    return any;
}

void job_count_cpus(void)
{
    int cpus = 0;
    for (int word = 0; word < JOB_CPU_WORDS; word++)
        cpus += __builtin_popcountll(cpus_of_all(word));
    self.processors = cpus;
    self.crowded = self.job->n_pes > cpus;
    self.rationed = self.job->n_pes > cgroup_processors(self.job->n_pes);
    for (int seat = 1; seat < self.job->n_pes && self.crowded; seat++)
        self.apart |= self.job->pe[seat].scheduling != self.job->pe[0].scheduling;
    wait_tune(self.crowded);
    if (self.crowded)
        find_home(cpus);
    if (home >= 0)
        go_home();
}

static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) /* FNV */
        h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    return h;
}

/* Equal for processes of one kernel, whatever containers they are in; 0: it does not say. */
static uint64_t kernel_identity(void)
{
    char text[64];
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t bytes = fd < 0 ? 0 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    return bytes > 0 ? hash(0xcbf29ce484222325u, text, (size_t)bytes) : 0;
}

uint64_t job_machine(void)
{
    uint64_t machine = kernel_identity();
    for (int word = 0; word < JOB_CPU_WORDS && machine; word++) {
        const uint64_t any = cpus_of_all(word);
        machine = hash(machine, &any, sizeof any);
    }
    return machine;
}

/* The first seat from `seat` on whose PE has not come to meeting number n, but may yet; or the number of seats. */
static int first_missing(int seat, uint32_t n)
{
    for (; seat < self.job->n_pes; seat++) {
        const struct job_pe *other = &self.job->pe[seat];
        if ((int32_t)(other->meetings - n) < 0 && other->state != JOB_PE_DEAD)
            break;
    }
    return seat;
}

void job_barrier_here(const char *routine)
{
    struct job *job = self.job;
    const uint32_t number = atomic_fetch_add(&job_seat(self.pe)->meetings, 1) + 1;
    int missing = first_missing(0, number);
    if (missing == job->n_pes) { /* the last to come; a death is news as well (job_alert) */
        atomic_fetch_add(&job->meeting, 1);
        futex_wake(&job->meeting);
        return;
    }
    const bool noted = wait_note(routine, JOB_FOR_MEETING);
    for (;;) {
        const uint32_t news = job->meeting;
        missing = first_missing(missing, number);
        if (missing == job->n_pes)
            break;
        futex_wait(&job->meeting, news, 200000000);
        if (noted)
            wait_tell_place();
        if (job->end)
            job_flush();
        job_check_launcher();
    }
    if (noted)
        wait_note_end();
}

void job_barrier(const char *routine)
{
    if (self.job->n_pes == self.n_pes)
        job_barrier_here(routine);
    else
        boot->fence(routine);
}

enum job_pe_state job_state_of(int pe)
{
    if (job_has_seat(pe))
        return (enum job_pe_state)atomic_load_explicit(&job_seat(pe)->state, memory_order_acquire);
    const int count = self.job->far_dead_count;
    for (int i = 0; i < count && i < JOB_FAR_DEAD; i++)
        if (self.job->far_dead[i] == pe + 1)
            return JOB_PE_DEAD;
    return JOB_PE_RUNNING;
}

bool job_note_death(int pe)
{
    if (job_has_seat(pe)) {
        if (atomic_exchange(&job_seat(pe)->state, JOB_PE_DEAD) == JOB_PE_DEAD)
            return false;
    } else {
        if (job_state_of(pe) == JOB_PE_DEAD)
            return false;
        const int at = atomic_fetch_add(&self.job->far_dead_count, 1);
        if (at >= JOB_FAR_DEAD)
            job_fatal("the job", "more than %d PEs of other nodes have died; this is as many as a job outlives",
                      JOB_FAR_DEAD);
        self.job->far_dead[at] = pe + 1;
    }
    job_alert(self.job);
    return true;
}

const char *job_routine(const char *routine)
{
    const char *(*const namer)(const char *) = routine_namer;
    if (outer_routine)
        routine = outer_routine;
    return namer ? namer(routine) : routine;
}

/* Says "copal: PE 1: ROUTINE: ...", and of a program under way where it was; unless another PE does. text is the
 * sentence, of SENTENCE bytes at most. */
enum { SENTENCE = 1024, WITH_PLACES = SENTENCE + BACKTRACE_BYTES };
__attribute__((format(printf, 4, 0))) static void say(char text[WITH_PLACES], bool ends, const char *routine,
                                                      const char *fmt, va_list ap)
{
    const int room = SENTENCE;
    routine = job_routine(routine);
    const int pe = self.job ? self.pe : job_pe_to_be();
    const int who = pe >= 0 ? snprintf(text, (size_t)room, "copal: PE %d: ", pe)
                            : snprintf(text, (size_t)room, "copal: ");
    int n = who + snprintf(text + who, (size_t)(room - who), "%s: ", routine);
    n += vsnprintf(text + n, (size_t)(room - n) - 1, fmt, ap);
    if (n > room - 2)
        n = room - 2;
    strcpy(text + n, "\n");
    job_flush_stdout(); /* what the program printed before comes before it */
    const bool is_child = self.job && getpid() != self.pid; /* which has lost the job's memory */
    const int state = self.job && !is_child ? job_seat(self.pe)->state : JOB_PE_FINALIZED;
    const bool is_the_programs = state == JOB_PE_RUNNING || state == JOB_PE_FINALIZED; /* or before shmem_init */
    const bool has_place = ends && is_the_programs && !is_child;
    if (!speak_begin(text + who, has_place ? backtrace_hash() : 0))
        return;
    size_t bytes = (size_t)n + 1;
    if (has_place)
        bytes += backtrace_text(text + bytes, WITH_PLACES - bytes, text);
    speak_end(text, bytes);
    text[n + 1] = '\0';
}

void job_say(const char *routine, const char *fmt, ...)
{
    char text[WITH_PLACES];
    va_list ap;
    va_start(ap, fmt);
    say(text, false, routine, fmt, ap);
    va_end(ap);
}

/* The first one to end the job says how. */
static void set_end(enum job_end why, int code)
{
    uint64_t none = 0;
    if (atomic_compare_exchange_strong(&self.job->end, &none, job_end_word(why, code, self.pe)))
        job_let_others_flush();
}

_Noreturn void job_fatal(const char *routine, const char *fmt, ...)
{
    char text[WITH_PLACES];
    va_list ap;
    va_start(ap, fmt);
    say(text, true, routine, fmt, ap);
    va_end(ap);
    if (self.job && getpid() == self.pid) {
        set_end(JOB_END_ERROR, 1);
        if (boot)
            boot->abort(1, text);
    }
    _exit(1);
}

_Noreturn void job_fatal_once(const char *routine, const char *fmt, ...)
{
    char text[WITH_PLACES];
    uint64_t none = 0;
    const bool is_first =
        atomic_compare_exchange_strong(&self.job->end, &none, job_end_word(JOB_END_ERROR, 1, self.pe));
    if (is_first) {
        va_list ap;
        va_start(ap, fmt);
        say(text, true, routine, fmt, ap);
        va_end(ap);
    }
    job_flush_briefly();
    job_let_others_flush(); /* the launcher may end them as soon as one PE has gone */
    if (is_first && boot)
        boot->abort(1, text);
    _exit(1);
}

_Noreturn void job_exit(int status)
{
    /* First, for what follows may be cut short. Not all streams: another thread may wait for input and hold that stream
     * for ever; exit flushes without waiting for it. */
    job_flush_stdout();
    set_end(JOB_END_GLOBAL_EXIT, status);
    exit(status); /* as at the end of main: atexit handlers and destructors run (9.1.6) */
}
