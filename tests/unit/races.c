/* sources: tools/races/actor.c tools/races/board.c tools/races/pending.c tools/races/shadow.c src/job/settings.c */
/* Clocks and shadow memory of the race detector, with two PEs that take turns in one process. */
#include "../../tools/races/access.h"
#include "../check.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define HOLDS(cond) CHECK(cond, "PE %u", strand->actor)

enum { PES = 2, WINDOW = 1 << 21, FLAG = 4096, SITE = 7 };

static char where[64]; /* the name of the detector's shared state */
static struct strand strands[PES];

static void turn_to(uint32_t pe)
{
    strand = &strands[pe];
    const struct doer it = actor_pe();
    actor_now = cell_make(&it, ACCESS_READ, 0);
}

/* Resets everything except the words and barriers of the detector's shared state: each test has memory of its own. */
static void begin(void)
{
    for (uint32_t pe = 0; pe < PES; pe++) {
        strand = &strands[pe];
        actors_begin((int)pe, PES);
    }
    turn_to(0);
}

static bool looks_at(size_t offset, size_t bytes, enum access kind, struct doer d)
{
    cell other;
    size_t at;
    return shadow_access(offset, bytes, cell_make(&d, kind, SITE), &d, &other, &at);
}

static bool puts_to(size_t offset, int pe)
{
    return looks_at(offset, 8, ACCESS_WRITE, actor_agent(AGENT_PUTS, SHMEM_CTX_DEFAULT, pe));
}

static void flags(size_t offset, int pe)
{
    actor_release(offset, AGENT_PUTS, SHMEM_CTX_DEFAULT, pe);
}

static bool loads(size_t offset)
{
    return looks_at(offset, 8, ACCESS_READ, actor_pe());
}

static bool stores(size_t offset)
{
    return looks_at(offset, 8, ACCESS_WRITE, actor_pe());
}

/* A flag makes the puts visible that were fenced for its target PE, and no others. */
static void test_fence(void)
{
    for (int fenced = 0; fenced < 3; fenced++) {
        const size_t data = (size_t)fenced * 64, flag = FLAG + data;
        begin();
        HOLDS(stores(data + 16));
        HOLDS(puts_to(data, fenced == 2 ? 0 : 1)); /* the third put goes to another PE than the flag */
        if (fenced)
            actor_fence(SHMEM_CTX_DEFAULT);
        flags(flag, 1);
        HOLDS(stores(data + 32));
        turn_to(1);
        actor_acquire(flag);
        HOLDS(loads(data) == (fenced == 1));
        HOLDS(loads(data + 16));
        HOLDS(!loads(data + 32)); /* the store came after the flag */
    }
}

static void test_own_puts(void)
{
    const size_t at = 1024;
    begin();
    HOLDS(puts_to(at, 1));
    HOLDS(!puts_to(at, 1));
    actor_fence(SHMEM_CTX_DEFAULT);
    HOLDS(puts_to(at, 1));
    HOLDS(!loads(at));
    actor_quiet(SHMEM_CTX_DEFAULT);
    HOLDS(loads(at) && puts_to(at, 1));
    HOLDS(puts_to(at + 64, 1));
    actor_quiet((shmem_ctx_t)&strands); /* the quiet of another context */
    HOLDS(!loads(at + 64));
}

/* Each of two signals orders its own put's data. */
static void test_signals(void)
{
    const size_t data = 2048, signal = FLAG + 2048;
    begin();
    for (size_t i = 0; i < 2; i++) {
        const enum agent agent = actor_next_signal();
        HOLDS(looks_at(data + 8 * i, 8, ACCESS_WRITE, actor_agent(agent, SHMEM_CTX_DEFAULT, 1)));
        actor_release(signal + 8 * i, agent, SHMEM_CTX_DEFAULT, 1);
    }
    turn_to(1);
    actor_acquire(signal + 8);
    HOLDS(loads(data + 8));
    HOLDS(!loads(data));
    begin();
    turn_to(1);
    actor_acquire(signal);
    HOLDS(loads(data));
}

/* A sync orders loads and stores, but not puts; only a PE that has learned of a put may use its data. */
static void test_meetings(void)
{
    const size_t at = 3072;
    begin();
    HOLDS(stores(at) && puts_to(at + 8, 1));
    actor_tell(1, 1);
    HOLDS(stores(at + 16));
    turn_to(1);
    actor_tell(1, 1);
    actor_learn(1, 1);
    HOLDS(loads(at));
    HOLDS(!loads(at + 8));
    HOLDS(!loads(at + 16));
}

/* Data is not ready unless all participants know it. */
static void test_ready(void)
{
    static uint32_t clock[BOARD_ACTORS];
    const size_t at = 5120;
    cell other;
    size_t unit;
    begin();
    HOLDS(stores(at));
    actor_tell(2, 1);
    turn_to(1);
    actor_tell(2, 1);
    actor_learn(2, 1);
    actor_known_to_all(2, 1, clock);
    HOLDS(!shadow_ready(at, 8, clock, &other, &unit) && unit == at && cell_actor(other) == 0);
    HOLDS(shadow_ready(at + 8, 8, clock, &other, &unit));
    actor_tell(2, 2);
    turn_to(0);
    actor_tell(2, 2);
    actor_known_to_all(2, 2, clock);
    HOLDS(shadow_ready(at, 8, clock, &other, &unit));
}

static void test_bytes(void)
{
    const size_t at = 6144;
    begin();
    HOLDS(looks_at(at, 3, ACCESS_WRITE, actor_pe()));
    HOLDS(looks_at(at + 14, 4, ACCESS_WRITE, actor_pe())); /* an access to two units */
    turn_to(1);
    HOLDS(looks_at(at + 3, 5, ACCESS_WRITE, actor_pe()));
    HOLDS(!looks_at(at + 2, 1, ACCESS_READ, actor_pe()));
    HOLDS(looks_at(at + 8, 6, ACCESS_READ, actor_pe()));
    HOLDS(!looks_at(at + 17, 1, ACCESS_READ, actor_pe()));
}

static void test_atomics(void)
{
    const size_t at = 7168;
    begin();
    for (size_t i = 0; i < 5; i++)
        HOLDS(looks_at(at + 8 * i, 8, ACCESS_ATOMIC | ACCESS_WRITE, actor_pe()));
    HOLDS(looks_at(at + 40, 8, ACCESS_ATOMIC, actor_pe()));
    turn_to(1);
    HOLDS(looks_at(at, 8, ACCESS_ATOMIC | ACCESS_WRITE, actor_pe()));
    HOLDS(looks_at(at + 8, 8, ACCESS_ATOMIC, actor_pe()));
    HOLDS(!looks_at(at + 16, 4, ACCESS_ATOMIC, actor_pe()));
    HOLDS(!loads(at + 24));
    HOLDS(!stores(at + 32));
    HOLDS(loads(at + 40));
}

/* Entries that an ordered access covers are removed; a PE that has waited may use the flag. */
static void test_cells(void)
{
    const size_t at = 8192;
    begin();
    for (int i = 0; i < 100; i++) {
        HOLDS(stores(at));
        flags(FLAG + at, 1);
    }
    int used = 0;
    for (int i = 0; i < CELLS; i++)
        used += cell_load(shadow_unit(at), i) != 0;
    HOLDS(used == 1);
    HOLDS(puts_to(at + 8, 1));
    turn_to(1);
    HOLDS(!loads(at + 8));
    shadow_seen(at + 8, 8, strand->actor);
    HOLDS(loads(at + 8));
}

static int state(size_t at)
{
    return shadow_states[at / BLOCK] & SHADOW_STATE;
}

static bool all_are(size_t at, int wanted)
{
    bool are = true;
    for (size_t i = 0; i < 4; i++)
        are = are && state(at + i * BLOCK) == wanted;
    return are;
}

/* A block has one record until a part of it is accessed, and again when all of it is accessed. */
static void test_blocks(void)
{
    const size_t at = (size_t)24 * BLOCK;
    begin();
    HOLDS(all_are(at, SHADOW_WHOLE));
    HOLDS(looks_at(at, (size_t)4 * BLOCK, ACCESS_WRITE, actor_pe()));
    HOLDS(all_are(at, SHADOW_WHOLE));
    actor_tell(3, 1);
    turn_to(1);
    actor_tell(3, 1);
    HOLDS(!loads(at + BLOCK + 8)); /* the split has kept the entries */
    actor_learn(3, 1);
    HOLDS(loads(at + BLOCK + 16) && state(at + BLOCK) == SHADOW_SPLIT);
    HOLDS(looks_at(at, (size_t)4 * BLOCK, ACCESS_WRITE, actor_pe()));
    HOLDS(all_are(at, SHADOW_WHOLE));
    turn_to(0);
    HOLDS(!looks_at(at + 8, (size_t)4 * BLOCK, ACCESS_READ, actor_pe()));
    shadow_freed(at, at + (size_t)4 * BLOCK, SITE);
    HOLDS(!loads(at + (size_t)2 * BLOCK));
    shadow_clear(at, at + (size_t)4 * BLOCK);
    HOLDS(looks_at(at, (size_t)4 * BLOCK, ACCESS_WRITE, actor_pe()));
}

static bool knows(size_t offset, size_t bytes, enum access kind)
{
    return access_is_known(offset, bytes, kind);
}

/* A PE's access repeats an earlier one of the epoch if it is to the same bytes; a load also repeats a store. */
static void test_known(void)
{
    const size_t at = (size_t)40 * BLOCK;
    begin();
    HOLDS(!knows(at, 8, ACCESS_READ));
    HOLDS(loads(at) && knows(at, 8, ACCESS_READ) && knows(at + 2, 2, ACCESS_READ) && !knows(at, 8, ACCESS_WRITE));
    HOLDS(!knows(at, 16, ACCESS_READ) && !knows(at + 7, 2, ACCESS_READ));
    HOLDS(loads(at + 8) && knows(at, 16, ACCESS_READ));
    HOLDS(stores(at) && knows(at, 8, ACCESS_WRITE) && knows(at, 8, ACCESS_READ));
    turn_to(1);
    HOLDS(!knows(at, 8, ACCESS_READ) && !loads(at));
    turn_to(0);
    flags(FLAG + at, 1);
    HOLDS(!knows(at, 8, ACCESS_READ) && !knows(at, 8, ACCESS_WRITE));
    HOLDS(looks_at(at, BLOCK, ACCESS_WRITE, actor_pe()) == false); /* the other PE has loaded */
    shadow_freed(at, at + BLOCK, SITE);
    HOLDS(!knows(at, 8, ACCESS_READ) && !loads(at));
}

/* Adjacent accesses by one source line count as one access; the seen part has ended, the rest has not. */
static void test_side_by_side(void)
{
    const size_t at = (size_t)48 * BLOCK;
    begin();
    HOLDS(looks_at(at, 4, ACCESS_WRITE, actor_pe()) && looks_at(at + 4, 4, ACCESS_WRITE, actor_pe()));
    HOLDS(cell_mask(cell_load(shadow_unit(at), 0)) == 0xff && cell_load(shadow_unit(at), 1) == 0);
    turn_to(1);
    shadow_seen(at, 4, strand->actor);
    HOLDS(looks_at(at, 4, ACCESS_READ, actor_pe()));
    HOLDS(!looks_at(at + 4, 4, ACCESS_READ, actor_pe()));
}

/* Checks an access unit by unit; *at is relative to the offset of the whole access. */
static bool each_unit(size_t offset, size_t bytes, cell mine, const struct doer *d, size_t *at)
{
    bool ordered = true;
    cell other;
    for (size_t from = offset, to; from < offset + bytes; from = to) {
        size_t unit;
        to = from / UNIT * UNIT + UNIT < offset + bytes ? from / UNIT * UNIT + UNIT : offset + bytes;
        if (!shadow_access(from, to - from, mine, d, &other, &unit) && ordered) {
            ordered = false;
            *at = unit;
        }
    }
    return ordered;
}

/* The detector finds the same races whether it records units together or one by one. */
static void test_together(void)
{
    enum { AREA = 4 * BLOCK, ACCESSES = CELLS, ROUNDS = 2000 };
    const size_t together = (size_t)64 * BLOCK, apart = together + 2 * (size_t)AREA;
    int found = 0;
    begin();
    srand(1);
    for (int round = 0; round < ROUNDS; round++) {
        shadow_clear(together, together + AREA);
        shadow_clear(apart, apart + AREA);
        for (int i = 0; i < ACCESSES; i++) {
            const int r = rand();
            const size_t from = (size_t)(r & 1 ? rand() % AREA : rand() % (AREA / 64) * 64);
            const size_t most = r & 64 && AREA - from > 16 ? 16 : AREA - from, bytes = (size_t)rand() % most + 1;
            const struct doer d = !strand->actor && r & 2 ? actor_agent(AGENT_PUTS, SHMEM_CTX_DEFAULT, 1) : actor_pe();
            const cell mine = cell_make(&d, r & 4 ? ACCESS_WRITE : ACCESS_READ, SITE + (uint32_t)i);
            cell other;
            size_t at = 0, unit = 0;
            const bool ordered = shadow_access(together + from, bytes, mine, &d, &other, &at);
            found += !ordered;
            HOLDS(each_unit(apart + from, bytes, mine, &d, &unit) == ordered);
            HOLDS(ordered || at - together == unit - apart);
            if (r & 8)
                actor_release(FLAG + together, AGENT_LOCAL, SHMEM_CTX_DEFAULT, 0);
            if (r & 16)
                turn_to(!strand->actor);
            if (r & 32)
                actor_acquire(FLAG + together);
        }
    }
    HOLDS(found > ROUNDS / 10 && found < ROUNDS * ACCESSES / 2);
}

static void test_freed(void)
{
    const size_t at = 9216;
    size_t from = at, to;
    begin();
    HOLDS(stores(at));
    shadow_freed(at, at + 64, SITE);
    HOLDS(!loads(at) && !loads(at + 56) && loads(at + 64));
    HOLDS(shadow_used(&from, &to, at + 64) && from <= at && to >= at + 64);
    shadow_clear(at, at + 64);
    HOLDS(stores(at));
    from = WINDOW / 2;
    HOLDS(!shadow_used(&from, &to, WINDOW));
}

/* Neighbouring words in the memories of two PEs have separate entries; a word carries the clocks of all actors. */
static void test_words(void)
{
    enum { EACH = 1 << 15, LAST = BOARD_NEAR + 3 };
    const uint32_t before = atomic_load(&board->actors);
    size_t own = 0;
    begin();
    for (size_t i = 0; i < (size_t)2 * EACH; i++) {
        const uint64_t at = ((uint64_t)(i / EACH) << 26) + ((uint64_t)1 << 30) + i % EACH * 8;
        struct board_word *w = board_word(at, true);
        own += w->at == at + 1;
        board_unlock(&w->lock);
    }
    HOLDS(own == (size_t)2 * EACH);
    atomic_store(&board->actors, LAST + 1);
    for (uint32_t actor = BOARD_NEAR - 1; actor <= LAST; actor++)
        strand->clock[actor] = 1000 + actor;
    actor_release(FLAG + 512, AGENT_LOCAL, SHMEM_CTX_DEFAULT, 0);
    turn_to(1);
    actor_acquire(FLAG + 512);
    for (uint32_t actor = BOARD_NEAR - 1; actor <= LAST; actor++)
        CHECK(strand->clock[actor] == 1000 + actor, "actor %u", actor);
    atomic_store(&board->actors, before);
}

/* Another process takes the lock of a word and reports it; then it is killed, or continues on request. */
static void hold(size_t at, bool is_killed, int said, int told, _Atomic int *done)
{
    setenv("COPAL_RACES", where, 1);
    struct board_word *w = board_open(PES) ? board_word(at, true) : NULL;
    char c = 'x';
    if (!w || write(said, &c, 1) != 1 || read(told, &c, 1) != 1)
        _exit(1);
    if (is_killed)
        raise(SIGKILL);
    usleep(300000); /* longer than a waiting process polls */
    atomic_store(done, 1);
    board_unlock(&w->lock);
    _exit(0);
}

/* A process that waits for a lock gets it when the holder is dead, not before. */
static void test_holders(void)
{
    const size_t at = 10240;
    _Atomic int *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int is_killed = 0; is_killed < 2; is_killed++) {
        int said[2], told[2], status = 0;
        char c = 0;
        const bool has_pipes = pipe(said) == 0 && pipe(told) == 0;
        HOLDS(has_pipes);
        atomic_store(done, 0);
        const pid_t other = fork();
        if (other == 0)
            hold(at, is_killed, said[1], told[0], done);
        HOLDS(read(said[0], &c, 1) == 1 && write(told[1], &c, 1) == 1);
        if (is_killed)
            waitpid(other, &status, 0);
        alarm(300);
        struct board_word *w = board_word(at, false);
        alarm(0);
        HOLDS(w && atomic_load(done) == !is_killed);
        if (w)
            board_unlock(&w->lock);
        if (!is_killed)
            waitpid(other, &status, 0);
        HOLDS(is_killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL : status == 0);
    }
}

/* Runs in a PID namespace in which the other process has no number, as between PEs in containers. */
static void ask_from_afar(size_t at, int said, const _Atomic int *done)
{
    const char c = 'x';
    int status = 1;
    if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
        _exit(write(said, &c, 1) == 1 ? 77 : 1);
    const pid_t inside = fork();
    if (inside == 0) {
        setenv("COPAL_RACES", where, 1);
        const bool is_there = board_open(PES) && write(said, &c, 1) == 1 && board_word(at, false);
        _exit(is_there && atomic_load(done) ? 0 : 1);
    }
    waitpid(inside, &status, 0);
    _exit(status != 0);
}

static void test_holder_far_away(void)
{
    const size_t at = 10248;
    _Atomic int *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int said[2], status = 0;
    char c = 0;
    const bool has_pipe = pipe(said) == 0;
    HOLDS(has_pipe);
    struct board_word *w = board_word(at, true);
    const pid_t other = fork();
    if (other == 0)
        ask_from_afar(at, said[1], done);
    HOLDS(read(said[0], &c, 1) == 1);
    usleep(300000); /* longer than a waiting process polls */
    atomic_store(done, 1);
    board_unlock(&w->lock);
    waitpid(other, &status, 0);
    HOLDS(status == 0 || WEXITSTATUS(status) == 77); /* namespaces may not be allowed here */
}

#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__ /* whose instructions would be single steps, too */
enum { TRAP = 0x100 }; /* the flag by which the processor stops behind each instruction */
static const size_t unit_at = (size_t)256 * BLOCK;
static struct {
    size_t left; /* instructions until the access */
    size_t from, bytes;
    bool came, ordered;
} other_access;

/* The other PE's access happens in the middle of this PE's, unless it would wait for this PE. */
static void come_between(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    if ((other_access.left && --other_access.left) || state(unit_at) == SHADOW_TAKEN ||
        state(unit_at + BLOCK) == SHADOW_TAKEN)
        return;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP;
    other_access.came = true;
    turn_to(1);
    other_access.ordered = looks_at(unit_at + other_access.from, other_access.bytes, ACCESS_WRITE, actor_pe());
    turn_to(0);
}

static __attribute__((noinline)) void step(bool on)
{
    if (on)
        __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
    else
        __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}

/* One of two simultaneous accesses finds the other, whichever instruction it interrupts, in any number of units. */
static void test_at_once(void)
{
    static const struct { size_t from, bytes, other_from, other_bytes; bool own; } of[] = {
        {0, 8, 0, 8, true}, {4, 4, 0, 8, true}, {0, 8, 0, 64, true}, {0, 8, 0, BLOCK, true}, {0, 8, 0, 8, false},
        {0, 64, 8, 8, false}, {8, 64, 0, 128, false}, {0, BLOCK, 16, 8, false}, {64, 64, 0, BLOCK, false},
        {0, BLOCK, 0, BLOCK, false}, {0, 8, 0, 64, false}, {0, 2 * BLOCK, 0, BLOCK, false},
        {0, 2 * BLOCK, BLOCK, 8, false}, {0, 2 * BLOCK, 0, 2 * BLOCK, false},
    };
    const struct sigaction act = {.sa_sigaction = come_between, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &act, NULL);
    begin();
    for (size_t i = 0; i < sizeof of / sizeof *of * 2; i++) {
        const bool is_split = i % 2;
        const size_t from = unit_at + of[i / 2].from, bytes = of[i / 2].bytes;
        size_t after = 0;
        if (!is_split && bytes < BLOCK) /* the access splits the block first, which needs many single steps */
            continue;
        do {
            bool ordered;
            cell other;
            shadow_clear(unit_at, unit_at + (size_t)2 * BLOCK);
            for (size_t block = 0; is_split && block < 2; block++)
                shadow_split(unit_at / BLOCK + block);
            const struct doer d = actor_pe();
            other_access.from = of[i / 2].other_from;
            other_access.bytes = of[i / 2].other_bytes;
            other_access.left = after += of[i / 2].own ? 1 : 1 + after / 8;
            other_access.came = false;
            step(true);
            if (of[i / 2].own)
                ordered = shadow_own(from, cell_make(&d, ACCESS_WRITE, SITE) | (bytes == 4 ? 0xf0 : 0xff), &other);
            else
                ordered = looks_at(from, bytes, ACCESS_WRITE, d);
            step(false);
            CHECK(!other_access.came || !ordered || !other_access.ordered, "case %zu, behind instruction %zu", i,
                  after);
        } while (other_access.came && after < 20000);
        HOLDS(after > 50 && after < 20000);
    }
    signal(SIGTRAP, SIG_DFL);
}
#else
static void test_at_once(void) {}
#endif

/* If a process is killed while it changes a block, only that block's entries are lost. */
static void test_change_left(void)
{
    const size_t at = (size_t)32 * BLOCK;
    begin();
    shadow_states[at / BLOCK] = SHADOW_TAKEN;
    alarm(300);
    HOLDS(stores(at) && state(at) == SHADOW_SPLIT);
    alarm(0);
    turn_to(1);
    HOLDS(!loads(at));
}

/* Each pair of 100 images that execute SYNC IMAGES is a group of its own. */
static void test_groups(void)
{
    for (uint64_t pair = 1; pair <= 100 * 99 / 2; pair++) {
        const uint64_t key = board_hash(pair) | 1;
        struct board_meeting *m = board_meeting(key);
        CHECK(m->key == key, "pair %lu", (unsigned long)pair);
        board_unlock(&m->lock);
    }
}

int main(void)
{
    const int fd = memfd_create("races", 0);
    snprintf(where, sizeof where, "%d:%d", (int)getpid(), fd);
    setenv("COPAL_RACES", where, 1);
    if (fd < 0 || ftruncate(fd, (off_t)RACES_FILE_BYTES) != 0 || !board_open(PES) || !shadow_open(WINDOW))
        return 1;
    test_fence();
    test_own_puts();
    test_signals();
    test_meetings();
    test_ready();
    test_bytes();
    test_atomics();
    test_cells();
    test_blocks();
    test_known();
    test_side_by_side();
    test_together();
    test_freed();
    test_words();
    test_holders();
    test_holder_far_away();
    test_at_once();
    test_change_left();
    test_groups();
    return check_result();
}
