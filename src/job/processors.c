/* The processors that a node's PEs share. */
#include "common/kernel.h"
#include "job/cgroup.h"
#include "job/self.h"

#include <sched.h>

/* The kernel places a new process while others start, and may take a tenth of a second to balance them, because no PE
 * sleeps: of four PEs on two processors, three may share one, and the fourth waits for them. Therefore each PE has a
 * home processor. Homes are assigned round-robin, because PEs with consecutive numbers often compute while others wait.
 * A PE starts on its home, and returns to it if it waits on a processor where more PEs are awake than the even share.
 * Otherwise the kernel may move the PE. */

static cpu_set_t anywhere;
static int home = -1; /* -1: none, because a launcher has bound the PE, or there is a processor for each PE */

static void find_home(int cpus)
{
    const int turn = (int)((job_seat(self.pe) - self.job->pe) % cpus);
    if (sched_getaffinity(0, sizeof anywhere, &anywhere) != 0 || CPU_COUNT(&anywhere) != cpus)
        return;
    for (int before = 0; before <= turn; before += CPU_ISSET((unsigned)home, &anywhere))
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
    enum { MOST = 64 }; /* with more PEs, none is moved */
    const int n = self.job->n_pes, cpus = home < 0 ? 0 : CPU_COUNT(&anywhere), here = sched_getcpu();
    int beside = 0;
    atomic_store_explicit(&job_seat(self.pe)->waits_on, here + 1, memory_order_relaxed);
    if (home < 0 || home == here || n > MOST)
        return;
    for (int seat = 0; seat < n; seat++)
        beside += !self.job->pe[seat].asleep &&
            atomic_load_explicit(&self.job->pe[seat].waits_on, memory_order_relaxed) == here + 1;
    cpu_set_t now; /* a thread that the program, or another process, has bound is not moved */
    if (beside > (n + cpus - 1) / cpus && sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &anywhere))
        go_home();
}

/* The processors, 64 in a word, on which any of this node's PEs may run. */
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
    if (self.crowded)
        find_home(cpus);
    if (home >= 0)
        go_home();
}

uint64_t job_machine(void)
{
    uint64_t machine = kernel_identity();
    for (int word = 0; word < JOB_CPU_WORDS && machine; word++) {
        const uint64_t any = cpus_of_all(word);
        machine = hash_bytes(machine, &any, sizeof any);
    }
    return machine;
}
