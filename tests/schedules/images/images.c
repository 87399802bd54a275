/* Consecutive image control statements, by the core of the coarray library on the OpenSHMEM of the parent folder.
 *
 * usage: images LIBRARY any PROGRAMS [SEED]
 *        images LIBRARY again 'PROGRAM' SEED
 *
 * The core has one image's state in its variables, so each PE has a copy of the library. A schedule runs in a child
 * of this process, in which all images have just begun. */
#include "../world.h"
#include "../../values.h"

#include <shcoll.h>

#include "../../../src/caf/caf.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Thread_local int shcoll_awaited_pe;

enum statement { SYNC_ALL, IMAGES_ALL, IMAGES_RING, EVENT, LOCK, SUM, BROADCAST, ROOTS, TEAM, ATOMIC,
                 STATEMENTS };
static const char *const names[STATEMENTS] = {"sync-all", "images-all", "images-ring", "event", "lock",
                                              "sum", "broadcast", "roots", "team", "atomic"};
enum { MOST_STATEMENTS = 8, SCHEDULES = 60, IN_A_ROW = 20 };

static struct program {
    char layout[32];
    bool near_is_late, in_order;
    int n;
    enum statement statement[MOST_STATEMENTS];
} program;

/* The functions of each image's copy of the library. */
static struct core {
    void (*init)(void);
    struct caf_coarray *(*allocate)(size_t);
    void (*put)(int, void *, const void *, size_t);
    bool (*get)(int, void *, const void *, size_t);
    int (*sync_all)(void), (*sync_images)(int, const int *);
    int (*post)(int, void *), (*wait)(void *, int64_t), (*lock)(int, void *, bool *), (*unlock)(int, void *);
    int (*sum)(enum caf_reduction, const struct caf_section *, int), (*broadcast)(const struct caf_section *, int);
    int (*form)(int64_t, const int *, caf_team_name *), (*change)(struct caf_team *), (*end)(void);
    struct caf_team *(*named)(caf_team_name);
    int (*atomic)(int, void *, int, enum caf_atomic_op, const void *, void *);
    const char *(*message)(void);
} core[MOST_PES];

/* A coarray. */
static struct cells {
    int64_t said[MOST_STATEMENTS][MOST_PES], event, lock, counter, sum;
} *cells[MOST_PES];
static int holders; /* images that hold the lock */

/* --- what the core calls of the C library ------------------------------------------------------------------------- */

int __wrap_sched_yield(void);
int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_getentropy(void *buffer, size_t bytes);

int __wrap_sched_yield(void)
{
    look_again("sched_yield");
    return 0;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *rest)
{
    (void)time, (void)rest;
    look_again("nanosleep");
    return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    *time = (struct timespec){1, 0};
    return 0;
}

int __wrap_getentropy(void *buffer, size_t bytes)
{
    memset(buffer, 7, bytes);
    return 0;
}

/* --- an image ----------------------------------------------------------------------------------------------------- */

static int64_t word(int statement, int image)
{
    return (int64_t)(value((uint64_t)statement + 1, image, 1) >> 16);
}

static void must(int status, const char *what)
{
    if (status != CAF_OK)
        fail("image %d: %s: status %d, %s", world.me + 1, what, status, core[world.me].message());
}

/* Checks the word that the image on PE `from` has put before the statement. */
static void check_said(int i, int from)
{
    int64_t *const said = &cells[world.me]->said[i][from];
    if (*said != word(i, from))
        fail("image %d, statement %d: it does not have what image %d has put before", world.me + 1, i + 1, from + 1);
    *said = -1;
}

static void say_to(const struct core *c, int i, int pe)
{
    const int64_t mine = word(i, world.me);
    c->put(pe, &cells[world.me]->said[i][world.me], &mine, sizeof mine);
}

static struct caf_section section_of(int64_t *at)
{
    return (struct caf_section){.base = (char *)at, .type = CAF_INTEGER, .kind = 8, .size = 8};
}

static void check_sum(const struct core *c, int64_t mine, int64_t want, int i)
{
    int64_t sum = mine;
    const struct caf_section a = section_of(&sum);
    must(c->sum(CAF_CO_SUM, &a, 0), "co_sum");
    if (sum != want)
        fail("image %d, statement %d: co_sum gives %lld and not %lld", world.me + 1, i + 1, (long long)sum,
             (long long)want);
}

static void in_team(const struct core *c, int i)
{
    caf_team_name name;
    int64_t want = 0;
    for (int pe = world.me % 2; pe < world.n_pes; pe += 2)
        want += pe + 1;
    must(c->form(world.me % 2 + 1, NULL, &name), "form team");
    must(c->change(c->named(name)), "change team");
    check_sum(c, world.me + 1, want, i);
    must(c->end(), "end team");
}

static void in_lock(const struct core *c)
{
    struct cells *const mine = cells[world.me];
    int64_t counter = 0;
    must(c->lock(0, &mine->lock, NULL), "lock");
    if (++holders != 1)
        fail("image %d: %d images hold the lock", world.me + 1, holders);
    c->get(0, &counter, &mine->counter, sizeof counter);
    counter++;
    c->put(0, &mine->counter, &counter, sizeof counter);
    holders--;
    must(c->unlock(0, &mine->lock), "unlock");
}

static void check_broadcast(const struct core *c, int statement, int number, int root)
{
    const int64_t want = word(statement, root) + number;
    int64_t data = word(statement, world.me) + number;
    const struct caf_section a = section_of(&data);
    must(c->broadcast(&a, root + 1), "co_broadcast");
    if (data != want)
        fail("image %d, statement %d: broadcast %d gives another value", world.me + 1, statement + 1, number + 1);
}

/* More broadcasts than there are stages (collective.c); each image is the root of some in a row. */
static void broadcasts(const struct core *c, int i)
{
    const int in_a_row = i % 2 ? 1 + i % 3 : 9;
    for (int k = 0; k < IN_A_ROW; k++)
        check_broadcast(c, i, k, k / in_a_row % world.n_pes);
}

static void execute(const struct core *c, int i)
{
    const int me = world.me, n = world.n_pes, next = (me + 1) % n, before = (me + n - 1) % n;
    const enum statement what = program.statement[i];
    const int ring[] = {before + 1, next + 1};
    const int64_t one = 1;
    for (int pe = 0; pe < n; pe++)
        if (what == SYNC_ALL || what == IMAGES_ALL || (what == IMAGES_RING && pe == next))
            say_to(c, i, pe);
    switch (what) {
    case SYNC_ALL: must(c->sync_all(), "sync all"); break;
    case IMAGES_ALL: must(c->sync_images(-1, NULL), "sync images"); break;
    case IMAGES_RING: must(c->sync_images(n > 2 ? 2 : 1, ring), "sync images"); break;
    case EVENT: /* the second wait must not end by the first post */
        must(c->post(next, &cells[me]->event), "event post");
        say_to(c, i, next);
        must(c->post(next, &cells[me]->event), "event post");
        must(c->wait(&cells[me]->event, 1), "event wait");
        must(c->wait(&cells[me]->event, 1), "event wait");
        break;
    case LOCK: in_lock(c); break;
    case SUM: check_sum(c, me + 1, n * (n + 1) / 2, i); break;
    case BROADCAST: check_broadcast(c, i, 0, 0); break;
    case ROOTS: broadcasts(c, i); break;
    case TEAM: in_team(c, i); break;
    case ATOMIC: must(c->atomic(0, &cells[me]->sum, 8, CAF_ADD, &one, NULL), "atomic_add"); break;
    case STATEMENTS: break;
    }
    for (int pe = 0; pe < n; pe++)
        if (what == SYNC_ALL || what == IMAGES_ALL || ((what == IMAGES_RING || what == EVENT) && pe == before))
            check_said(i, pe);
}

static void run_image(void)
{
    const struct core *const c = &core[world.me];
    int64_t locks = 0, atomics = 0;
    for (int i = 0; i < program.n; i++) {
        execute(c, i);
        locks += program.statement[i] == LOCK;
        atomics += program.statement[i] == ATOMIC;
    }
    must(c->sync_all(), "sync all");
    if (world.me == 0 && cells[0]->counter != locks * world.n_pes)
        fail("the lock's counter is %lld and not %lld", (long long)cells[0]->counter, (long long)locks * world.n_pes);
    if (world.me == 0 && cells[0]->sum != atomics * world.n_pes)
        fail("the atomics' sum is %lld and not %lld", (long long)cells[0]->sum, (long long)atomics * world.n_pes);
}

/* --- beginning ---------------------------------------------------------------------------------------------------- */

static void *find(void *library, const char *name)
{
    void *const symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "images: the library has no %s\n", name);
        exit(2);
    }
    return symbol;
}

/* The loader loads a file only once, so each copy is a separate file. */
static void *load_copy(const char *path, int pe)
{
    char copy[64], command[4200];
    snprintf(copy, sizeof copy, "/tmp/copal-images-%d-%d.so", (int)getpid(), pe);
    snprintf(command, sizeof command, "cp '%s' %s", path, copy);
    void *const library = system(command) == 0 ? dlopen(copy, RTLD_NOW | RTLD_LOCAL) : NULL;
    unlink(copy);
    if (!library) {
        fprintf(stderr, "images: %s\n", dlerror());
        exit(2);
    }
    return library;
}

static void load(const char *path)
{
    for (int pe = 0; pe < MOST_PES; pe++) {
        void *const l = load_copy(path, pe);
        struct core *c = &core[pe];
        struct {
            const char *name;
            void *to;
        } functions[] = {{"caf_init", &c->init}, {"caf_allocate_static", &c->allocate}, {"caf_put_bytes", &c->put},
                         {"caf_get_bytes", &c->get}, {"caf_sync_all", &c->sync_all},
                         {"caf_sync_images", &c->sync_images}, {"caf_event_post", &c->post},
                         {"caf_event_wait", &c->wait}, {"caf_lock", &c->lock}, {"caf_unlock", &c->unlock},
                         {"caf_co_reduce_intrinsic", &c->sum}, {"caf_co_broadcast", &c->broadcast},
                         {"caf_form_team", &c->form}, {"caf_change_team", &c->change}, {"caf_end_team", &c->end},
                         {"caf_team_named", &c->named}, {"caf_atomic_op_slowly", &c->atomic},
                         {"caf_message", &c->message}};
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
            void *const symbol = find(l, functions[i].name);
            memcpy(functions[i].to, &symbol, sizeof symbol);
        }
    }
}

static void begin_image(void)
{
    core[world.me].init();
    cells[world.me] = (void *)core[world.me].allocate(sizeof **cells)->base;
    memset(cells[world.me], 0, sizeof **cells);
    must(core[world.me].sync_all(), "sync all");
}

static void begin(void)
{
    int nodes = 0;
    world.n_pes = 0;
    for (const char *at = program.layout; *at; at += *at != 0) {
        const int pes = *at - '0';
        for (int i = 0; i < pes && world.n_pes < MOST_PES; i++)
            world.node[world.n_pes++] = nodes;
        nodes += *at == '+';
    }
    if (!schedule_run(&(struct schedule){.manner = LATE}, begin_image)) {
        fprintf(stderr, "FAILED at the beginning: %s\n", world.failure);
        _exit(1);
    }
}

/* --- main --------------------------------------------------------------------------------------------------------- */

static void say_program(FILE *to)
{
    fprintf(to, "%s%s%s:", program.layout, program.near_is_late ? " near-late" : "",
            program.in_order ? " in-order" : "");
    for (int i = 0; i < program.n; i++)
        fprintf(to, " %s", names[program.statement[i]]);
}

static void read_program(const char *text)
{
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    char *rest = copy;
    snprintf(program.layout, sizeof program.layout, "%s", strtok_r(rest, ": ", &rest));
    for (char *word; (word = strtok_r(rest, ": ", &rest));) {
        program.near_is_late |= strcmp(word, "near-late") == 0;
        program.in_order |= strcmp(word, "in-order") == 0;
        for (int s = 0; s < STATEMENTS; s++)
            if (strcmp(word, names[s]) == 0 && program.n < MOST_STATEMENTS)
                program.statement[program.n++] = (enum statement)s;
    }
}

static void draw_program(uint64_t seed)
{
    uint64_t draws = 0;
    program.near_is_late = value(seed, 0, draws++) % 2;
    program.in_order = value(seed, 0, draws++) % 2;
    program.n = 2 + (int)(value(seed, 0, draws++) % 3);
    for (int i = 0; i < program.n; i++)
        program.statement[i] = (enum statement)(value(seed, 0, draws++) % STATEMENTS);
}

/* Runs a schedule in a child process; false: it has failed. */
static bool run(uint64_t seed, bool traced)
{
    const struct schedule s = {.manner = seed % 4 ? BY_PRIORITY : BY_LOT, .seed = seed, .changes = seed / 4 % 4,
                               .length = 100 * (unsigned)program.n};
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        world.traced = traced;
        world.near_is_late = program.near_is_late;
        world.words_in_order = program.in_order;
        const bool good = schedule_run(&s, run_image);
        if (!good)
            fprintf(stderr, "FAILED: %s\n", world.failure);
        _exit(good ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    if (status == 0)
        return true;
    fprintf(stderr, "status %#x of: '", (unsigned)status);
    say_program(stderr);
    fprintf(stderr, "' %llu\n", (unsigned long long)seed);
    return false;
}

static const char *const layouts[] = {"2", "1+1", "3", "2+1", "3+1", "2+2", "4"};

/* Runs all programs of one layout, in a process that was started for this layout. */
static int any_on(const char *layout, uint64_t programs, uint64_t seed)
{
    snprintf(program.layout, sizeof program.layout, "%s", layout);
    begin();
    for (uint64_t i = 0; i < programs; i++) {
        draw_program(seed * 1000003 + i);
        for (uint64_t j = 0; j < SCHEDULES; j++)
            if (!run(j, false))
                return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    setlinebuf(stdout);
    if (argc < 4) {
        fprintf(stderr, "usage: images LIBRARY any PROGRAMS [SEED] | images LIBRARY again PROGRAM SEED\n");
        return 2;
    }
    if (!getenv("GLIBC_TUNABLES")) { /* each copy needs static TLS, of which the C library has little */
        setenv("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=65536", 1);
        execv("/proc/self/exe", argv);
    }
    world_make();
    load(argv[1]);
    if (strcmp(argv[2], "again") == 0 && argc > 4) {
        read_program(argv[3]);
        begin();
        _exit(run(strtoull(argv[4], NULL, 0), true) ? 0 : 1);
    }
    const uint64_t programs = strtoull(argv[3], NULL, 0), seed = argc > 4 ? strtoull(argv[4], NULL, 0) : 1;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const pid_t child = fork();
        if (child == 0)
            _exit(any_on(layouts[i], programs, seed));
        int status = 1;
        waitpid(child, &status, 0);
        if (status) {
            fflush(NULL);
            _exit(1);
        }
    }
    printf("PASSED: %llu programs on each layout, %d schedules of each\n", (unsigned long long)programs, SCHEDULES);
    fflush(NULL);
    _exit(0);
}
