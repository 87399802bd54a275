/* sources: src/time/pe_clock.c src/time/lines.c src/time/turns.c src/time/places.c src/time/computing.c */
/* sources: src/wait/wait.c */
/* sources: src/wait/note.c src/common/clock.c src/common/futex.c */
/* sources: src/job/share.c src/job/alert.c src/job/flush.c */
/* The virtual clock between processes: times are exact and their order does not depend on the number of processors
 * and on other load; deadlocks, stores that no PE observes, and processes that are killed. */
#include "../check.h"
#include "common/clock.h"
#include "job/backtrace.h"
#include "time/virtual.h"
#include "wait/wait.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The parts of a job that src/time needs. */
struct self self = {.fd = -1};
_Thread_local const char *outer_routine;
void job_check_launcher(void) {}
void job_even_out(void) {}
void backtrace_place(char *text, size_t room) { (void)text, (void)room; }
const char *job_routine(const char *routine) { return routine; }

/* Other data that processes share, without locks, since one process at a time has the turn. */
enum { MOST = 64, WORDS = 64, LOGGED = 20000 };
static struct shared {
    _Atomic uint64_t word[WORDS];
    uint64_t end[MOST];
    struct entry {
        uint64_t at;
        int pe;
    } log[LOGGED];
    int logged;
    uint64_t hash;
    char sentence[2000];
    _Atomic int come;
} *shared;
static void keep_sentence(const char *routine, const char *fmt, va_list ap)
{
    const int n = snprintf(shared->sentence, sizeof shared->sentence, "%s: ", routine);
    vsnprintf(shared->sentence + n, sizeof shared->sentence - (size_t)n, fmt, ap);
}

_Noreturn void job_fatal(const char *routine, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    keep_sentence(routine, fmt, ap);
    va_end(ap);
    _exit(1);
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

static const struct node_costs costs = {.node_latency = 1000, .node_gap_byte = 10};
static double compute;

static void be_pe(int pe, int n, void (*body)(int, int))
{
    self.pe = pe;
    self.pid = getpid();
    self.job->pe[pe].state = JOB_PE_RUNNING;
    struct node_costs mine = costs;
    mine.compute = compute;
    virtual_begin(&mine);
    virtual_enter(false);
    body(pe, n);
    virtual_settle();
    shared->end[pe] = virtual_now();
    virtual_leave();
    exit(check_result());
}

static struct job *new_job(int n)
{
    const size_t bytes = (job_bytes(n) + 4095) / 4096 * 4096;
    const int fd = memfd_create("job", 0);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0)
        exit(1);
    struct job *job = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    job->n_pes = n;
    job->launcher = 1;
    if (self.fd >= 0)
        close(self.fd);
    self = (struct self){.job = job, .fd = fd, .file_end = bytes, .n_pes = n, .n_near = n};
    memset(shared, 0, sizeof *shared);
    return job;
}

/* A PE that ends with an error is noticed, as by oshrun: with `outlives` the others continue, otherwise they end.
 * Returns the number of PEs that ended normally. */
static int run(int n, bool outlives, void (*body)(int, int))
{
    struct job *job = new_job(n);
    pid_t child[MOST];
    for (int pe = 0; pe < n; pe++)
        if ((child[pe] = fork()) == 0)
            be_pe(pe, n, body);
    int well = 0, status;
    for (int left = n; left; left--) {
        const pid_t ended = wait(&status);
        const bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        int which = 0;
        while (child[which] != ended)
            which++;
        child[which] = 0;
        well += good;
        if (!good && outlives) {
            job->pe[which].state = JOB_PE_DEAD;
            job_alert(job);
        }
        for (int pe = 0; pe < n && !good && !outlives; pe++)
            if (child[pe] > 0)
                kill(child[pe], SIGKILL);
    }
    return well;
}

/* --- bodies ------------------------------------------------------------------------------------------------------- */

static void log_now(int pe)
{
    if (shared->logged < LOGGED)
        shared->log[shared->logged++] = (struct entry){virtual_now(), pe};
}

static void wait_for_word(_Atomic uint64_t *word, uint64_t least)
{
    struct wait w = {.routine = "test_wait", .for_pe = 0, .from = (uintptr_t)word, .to = (uintptr_t)(word + 1)};
    while (*word < least)
        wait_turn(&w);
    wait_end(&w);
}

static void store(int pe, _Atomic uint64_t *word, uint64_t value)
{
    virtual_reach(true);
    *word = value;
    wake(pe, (void *)word, sizeof *word);
}

/* PE k polls every k + 1 nanoseconds. */
static void look_often(int pe, int n)
{
    (void)n;
    for (int i = 0; i < 100; i++) {
        virtual_spend((uint64_t)(pe + 1) * 1000);
        virtual_settle();
        log_now(pe);
    }
}

static void check_order(int n)
{
    CHECK(run(n, false, look_often) == n, "%d PEs", n);
    CHECK(shared->logged == 100 * n, "%d entries of %d PEs", shared->logged, n);
    int seen[MOST] = {0};
    for (int i = 0; i < shared->logged; i++) {
        const struct entry e = shared->log[i], before = shared->log[i ? i - 1 : 0];
        CHECK(e.at == (uint64_t)++seen[e.pe] * (uint64_t)(e.pe + 1) * 1000, "PE %d at %llu", e.pe,
              (unsigned long long)e.at);
        CHECK(i == 0 || e.at > before.at || (e.at == before.at && e.pe > before.pe), "PE %d after PE %d", e.pe,
              before.pe);
    }
}

/* A token is passed round ten times: each PE has it for 5 ns, and the next PE sees a store one latency after it. */
static void pass_token(int pe, int n)
{
    for (uint64_t round = 0; round < 10; round++) {
        if (pe || round)
            wait_for_word(&shared->word[pe], round + (pe == 0 ? 0 : 1));
        virtual_spend(5000);
        store((pe + 1) % n, &shared->word[(pe + 1) % n], round + 1);
        log_now(pe);
    }
}

static void check_token(int n)
{
    const uint64_t hop = 5000 + costs.node_latency / 8 + costs.node_latency;
    CHECK(run(n, false, pass_token) == n, "%d PEs", n);
    for (int i = 0; i < shared->logged; i++)
        CHECK(shared->log[i].pe == i % n && shared->log[i].at == (uint64_t)(i + 1) * hop - costs.node_latency,
              "entry %d: PE %d at %llu", i, shared->log[i].pe, (unsigned long long)shared->log[i].at);
    CHECK(shared->logged == 10 * n, "%d", shared->logged);
}

/* Random work from a seed, counts at other PEs, and at times a wait for the PE's own count. */
static void by_lot(int pe, int n)
{
    uint64_t random = 88172645463325252u + (uint64_t)pe * 7919, had = 0;
    for (int i = 0; i < 300; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        virtual_spend(random % 100000);
        const int to = (pe + 1 + (int)(random >> 40) % (n > 1 ? n - 1 : 1)) % n;
        virtual_reach(to != pe);
        shared->word[to]++;
        wake(to, (void *)&shared->word[to], 8);
        shared->hash = (shared->hash ^ (virtual_now() * 31 + (uint64_t)pe)) * 1099511628211u;
        if (random % 7 == 0 && shared->word[pe] > had)
            had++;
        else if (random % 7 == 1)
            virtual_poll();
    }
    store((pe + 1) % n, &shared->word[MOST / 2 + (pe + 1) % n], 1);
    wait_for_word(&shared->word[MOST / 2 + pe], 1);
    shared->hash = (shared->hash ^ virtual_now()) * 1099511628211u;
}

static uint64_t hash_of_run(int n)
{
    CHECK(run(n, false, by_lot) == n, "%d PEs", n);
    return shared->hash;
}

/* With a single processor, and with other processes that compute, the times are the same. */
static void check_load(int n)
{
    cpu_set_t all, one;
    sched_getaffinity(0, sizeof all, &all);
    const uint64_t quiet = hash_of_run(n);
    CPU_ZERO(&one);
    for (size_t cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    const uint64_t narrow = hash_of_run(n);
    sched_setaffinity(0, sizeof all, &all);
    pid_t busy[2];
    for (int i = 0; i < 2; i++)
        if ((busy[i] = fork()) == 0)
            for (;;)
                ;
    const uint64_t loaded = hash_of_run(n);
    for (int i = 0; i < 2; i++) {
        kill(busy[i], SIGKILL);
        waitpid(busy[i], NULL, 0);
    }
    CHECK(quiet == narrow && quiet == loaded, "%d PEs: %llx %llx %llx", n, (unsigned long long)quiet,
          (unsigned long long)narrow, (unsigned long long)loaded);
}

/* --- what a provider announces ------------------------------------------------------------------------------------ */

/* PE 1 computes for 100 ns; meanwhile an event is due for it every 7 ns; PE 0 has announced the first. */
static int due_called;
static bool due(void)
{
    log_now(1);
    if (++due_called < 10)
        virtual_wake(1, virtual_now() / 7000 * 7000 + 7000);
    return true;
}

static void announce_and_compute(int pe, int n)
{
    (void)n;
    if (pe == 0) {
        virtual_wake(1, 7000);
        return;
    }
    wait_progress = due;
    virtual_compute(100000);
    CHECK(virtual_now() == 100000 && due_called == 10, "%llu, called %d times", (unsigned long long)virtual_now(),
          due_called);
    wait_progress = (bool (*)(void))NULL;
}

/* The event takes the processor from the computation, which therefore ends later. */
static bool due_in_debt(void)
{
    shared->word[0] += virtual_now() == 30000;
    virtual_spend(500);
    return true;
}

static void announce_to_debtor(int pe, int n)
{
    (void)n;
    wait_progress = due_in_debt;
    if (pe == 0)
        virtual_wake(1, 30000);
    else
        virtual_compute(100000);
    CHECK(virtual_now() == (pe ? 100500 : 0), "PE %d at %llu", pe, (unsigned long long)virtual_now());
    wait_progress = (bool (*)(void))NULL;
}

static void check_events(void)
{
    CHECK(run(2, false, announce_to_debtor) == 2, "an event of a PE in debt");
    CHECK(shared->word[0] == 1, "%llu", (unsigned long long)shared->word[0]);
    due_called = 0;
    CHECK(run(2, false, announce_and_compute) == 2, "events of a PE that computes");
    for (int i = 0; i < 10; i++)
        CHECK(shared->logged == 10 && shared->log[i].at == (uint64_t)(i + 1) * 7000, "entry %d of %d", i,
              shared->logged);
}

/* --- ends --------------------------------------------------------------------------------------------------------- */

static void wait_in_vain(int pe, int n)
{
    (void)n;
    virtual_spend((uint64_t)pe * 1000);
    wait_for_word(&shared->word[pe], 1);
}

static void check_deadlock(int n)
{
    CHECK(run(n, false, wait_in_vain) == 0, "%d PEs", n);
    CHECK(strstr(shared->sentence, "deadlock at 0.0000000") && strstr(shared->sentence, "PE 0 in test_wait for PE 0"),
          "%s", shared->sentence);
    CHECK((n > 8) == (strstr(shared->sentence, "more") != NULL), "%s", shared->sentence);
}

/* Stored without a notification: the others check more than once before a deadlock is reported. */
static void store_unseen(int pe, int n)
{
    if (pe)
        wait_for_word(&shared->word[pe], 1);
    shared->word[pe ? pe - 1 : n - 1] = 1;
    if (pe == 0)
        wait_for_word(&shared->word[0], 1);
}

/* The same, while one PE polls continuously, so that there is always an event. */
static void store_unseen_and_poll(int pe, int n)
{
    (void)n;
    virtual_expect_unseen();
    if (pe == 0) {
        shared->word[1] = 1;
        while (!shared->word[0])
            virtual_poll();
    } else if (pe == 1) {
        virtual_spend(10); /* PE 0 is first */
        wait_for_word(&shared->word[1], 2);
        shared->word[0] = 1;
    } else {
        virtual_spend(100000);
        virtual_settle();
        shared->word[1] = 2;
    }
}

/* PE 1 dies while it has the turn, or while it is blocked. */
static void die_running(int pe, int n)
{
    look_often(pe, n);
    if (pe == 1)
        raise(SIGKILL);
    look_often(pe, n);
}

static void die_blocked(int pe, int n)
{
    if (pe == 1) {
        shared->word[1] = (uint64_t)getpid();
        virtual_spend(2000);
        wait_for_word(&shared->word[2], 1);
    }
    look_often(pe, n);
    if (pe == 0) {
        kill((pid_t)shared->word[1], SIGKILL);
        while (self.job->pe[1].state != JOB_PE_DEAD)
            clock_nap(1000000);
        store(1, &shared->word[2], 1); /* the store would have woken PE 1 */
    }
    look_often(pe, n);
}

static void check_deaths(int n)
{
    for (int way = 0; way < 2; way++) {
        CHECK(run(n, true, way ? die_blocked : die_running) == n - 1, "way %d", way);
        for (int pe = 2; pe < n; pe++)
            CHECK(shared->end[pe] == (uint64_t)(pe + 1) * 200 * 1000, "way %d, PE %d ends at %llu", way, pe,
                  (unsigned long long)shared->end[pe]);
    }
}

/* --- the program's own computing ---------------------------------------------------------------------------------- */

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void burn(int pe, int n)
{
    (void)n;
    const double before = processor_seconds();
    while (processor_seconds() - before < 0.02 * (pe + 1))
        ;
    const double burnt = processor_seconds() - before, counted = virtual_seconds();
    virtual_settle();
    const double now = (double)virtual_now() / (double)VIRTUAL_SECOND;
    CHECK(counted > 0 && now >= burnt * compute && now < burnt * compute * 1.05 + 0.001, "%g of %g", now, burnt);
}

/* PE 1 keeps the turn until the second thread of PE 0, whose first is blocked, has been refused, which ends PE 0. */
static void *second_thread(void *unused)
{
    while (!shared->come)
        clock_nap(100000);
    virtual_spend(1000);
    virtual_settle();
    return unused;
}

static void use_two_threads(int pe, int n)
{
    (void)n;
    pthread_t thread;
    if (pe == 0) {
        pthread_create(&thread, NULL, second_thread, NULL);
        wait_for_word(&shared->word[0], 1);
    }
    shared->come = 1;
    for (int ms = 0; ms < 20000; ms++) /* until this process is ended, because PE 0 has ended */
        clock_nap(1000000);
}

int main(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 33};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int n = sizes[i];
        check_order(n);
        check_token(n > 1 ? n : 2);
        CHECK(run(n, false, store_unseen) == n, "unseen stores of %d PEs", n);
        check_deadlock(n);
        CHECK(n < 3 || run(n, false, store_unseen_and_poll) == n, "unseen stores of %d PEs, one of which polls", n);
        if (n > 1)
            check_load(n < 16 ? n : 16);
        if (n > 2)
            check_deaths(n);
    }
    check_events();
    for (compute = 0.5; compute < 3; compute *= 4)
        CHECK(run(2, false, burn) == 2, "computing counts %g times", compute);
    compute = 0;
    CHECK(run(2, false, use_two_threads) < 2 && strstr(shared->sentence, "two threads"), "%s", shared->sentence);
    return check_result();
}
