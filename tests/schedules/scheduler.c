/* Chooses the next actor. */
#include "world.h"

#include <shmem.h>
#include <shcoll.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_CHANGES = 8, MOST_ACTORS = 256 };

struct world world;
unsigned char choices[MOST_STEPS];

static const struct schedule *plan;
static struct fibre thread = {.stack = NULL};
static void (*program)(void);
static uint64_t random_state;
static int64_t lowest; /* the lowest priority so far */
static unsigned change[MOST_CHANGES]; /* the steps at which priorities change */
static int changes_made, departures_made, running;

void world_make(void)
{
    world.arena = mmap(NULL, MOST_PES * (size_t)DISTANCE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (world.arena == MAP_FAILED) {
        fprintf(stderr, "schedules: no memory for the PEs' arenas\n");
        exit(2);
    }
    for (int i = 0; i < MOST_PES; i++)
        fibre_make(&world.pe[i].fibre);
    world.in_thread = true;
}

uint64_t draw(void)
{
    uint64_t x = random_state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* --- possible actors ---------------------------------------------------------------------------------------------- */

static bool can_go_on(const struct pe *pe)
{
    return !pe->done && (!pe->word || compares(*pe->word, pe->comparison, pe->value));
}

/* --- whose turn it is --------------------------------------------------------------------------------------------- */

/* An actor: a PE, or MOST_PES and the number of a landing; NOBODY. */
enum { NOBODY = -1 };

static int by_priority(void)
{
    int best = NOBODY;
    int64_t priority = INT64_MIN;
    for (int i = 0; i < world.n_pes; i++)
        if (world.pe[i].priority > priority && can_go_on(&world.pe[i])) {
            best = i;
            priority = world.pe[i].priority;
        }
    for (int i = 0; i < n_landings; i++)
        if (landings[i].priority > priority && may_land(&landings[i])) {
            best = MOST_PES + i;
            priority = landings[i].priority;
        }
    return best;
}

static int add_pes(int *actors, int n, bool looked)
{
    for (int i = 0; i < world.n_pes; i++) {
        const int pe = (world.me + i) % world.n_pes;
        if (world.pe[pe].looked == looked && can_go_on(&world.pe[pe]))
            actors[n++] = pe;
    }
    return n;
}

static int add_landings(int *actors, int n)
{
    for (int i = 0; i < n_landings && n < MOST_ACTORS - MOST_PES; i++)
        if (may_land(&landings[i]))
            actors[n++] = MOST_PES + i;
    return n;
}

static int in_order(void)
{
    int actors[MOST_ACTORS], n = 0;
    if (plan->manner == EARLY)
        n = add_landings(actors, n);
    n = add_pes(actors, n, false);
    if (plan->manner != EARLY)
        n = add_landings(actors, n);
    n = add_pes(actors, n, true);
    if (n == 0)
        return NOBODY;
    if (plan->manner == BY_LOT)
        return actors[draw() % (unsigned)n];
    if (world.steps < MOST_STEPS)
        choices[world.steps] = (unsigned char)(n < 255 ? n : 255);
    const struct departure *next = &plan->departure[departures_made];
    unsigned choice = 0;
    if (departures_made < plan->departures && next->step == world.steps) {
        departures_made++;
        choice = next->choice < (unsigned)n ? next->choice : 0;
    }
    return actors[choice];
}

/* --- how a schedule ends ------------------------------------------------------------------------------------------ */

static void say_failure(const char *format, va_list arguments)
{
    if (!*world.failure)
        vsnprintf(world.failure, sizeof world.failure, format, arguments);
}

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_failure(format, arguments);
    va_end(arguments);
    if (!world.in_thread) {
        world.in_thread = true;
        fibre_switch(&world.pe[world.me].fibre, &thread);
    }
}

/* Ends the schedule: no actor can continue. The message says where each PE waits. */
static void fail_in_deadlock(void)
{
    char text[sizeof world.failure] = "nobody can go on:";
    for (int i = 0; i < world.n_pes; i++) {
        const struct pe *pe = &world.pe[i];
        const size_t used = strlen(text);
        if (pe->done)
            snprintf(text + used, sizeof text - used, " PE %d is at its end;", i);
        else
            snprintf(text + used, sizeof text - used,
                     " PE %d waits in %s (for PE %d) at %#tx, which is %llu, for %llu;", i, pe->routine, pe->awaited,
                     (const char *)pe->word - arena_of(i), (unsigned long long)*pe->word,
                     (unsigned long long)pe->value);
    }
    fail("%s", text);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void change_priorities(void)
{
    if (changes_made < (int)plan->changes && world.steps >= change[changes_made]) {
        world.pe[world.me].priority = --lowest;
        changes_made++;
    }
}

/* Chooses actors: landings take effect immediately. Returns the first PE that is chosen. */
static int next_pe(void)
{
    for (;;) {
        if (++world.steps > MOST_STEPS * 4) {
            fail("after %u steps it has not come to its end: a PE looks for something that never comes", world.steps);
            return NOBODY;
        }
        if (plan->manner == BY_PRIORITY)
            change_priorities();
        const int actor = plan->manner == BY_PRIORITY ? by_priority() : in_order();
        if (actor < MOST_PES)
            return actor;
        land(actor - MOST_PES);
    }
}

static void give_turn(void)
{
    struct pe *me = &world.pe[world.me];
    const int next = next_pe();
    if (next == world.me)
        return;
    if (next == NOBODY && running == 0) {
        world.in_thread = true;
        fibre_switch(&me->fibre, &thread);
        return;
    }
    if (next == NOBODY) {
        fail_in_deadlock();
        return;
    }
    me->awaited = shcoll_awaited_pe;
    world.me = next;
    shcoll_awaited_pe = world.pe[next].awaited;
    fibre_switch(&me->fibre, &world.pe[next].fibre);
}

static void trace(const char *routine)
{
    if (world.traced)
        fprintf(stderr, "%5u PE %d: %s\n", world.steps, world.me, routine);
}

void step(const char *routine)
{
    if (world.in_thread)
        return;
    world.pe[world.me].routine = routine;
    world.pe[world.me].looked = false;
    give_turn();
    trace(routine);
}

void wait_for(const char *routine, const uint64_t *word, int comparison, uint64_t value)
{
    struct pe *me = &world.pe[world.me];
    if (world.in_thread)
        return;
    trace(routine);
    me->word = word;
    me->comparison = comparison;
    me->value = value;
    me->routine = routine;
    give_turn();
    me->word = NULL;
}

/* Other polling PEs have their turns before this PE's next turn. */
void look_again(const char *routine)
{
    struct pe *me = &world.pe[world.me];
    if (world.in_thread)
        return;
    me->priority = --lowest;
    for (int i = 0; i < world.n_pes && me->looked; i++)
        world.pe[i].looked = i == world.me;
    me->looked = true;
    me->routine = routine;
    give_turn();
    trace(routine);
}

static void begin_pe(void)
{
    fibre_begun();
    program();
    struct pe *me = &world.pe[world.me];
    me->done = true;
    me->routine = "the end";
    running--;
    give_turn();
    abort(); /* not reached: the fibre never gets another turn */
}

static void draw_priorities(void)
{
    for (int i = 0; i < world.n_pes; i++)
        world.pe[i].priority = (int64_t)(draw() >> 34);
    for (unsigned i = 0; i < plan->changes; i++) {
        unsigned at = 1 + (unsigned)(draw() % plan->length), j = i;
        for (; j > 0 && change[j - 1] > at; j--)
            change[j] = change[j - 1];
        change[j] = at;
    }
}

bool schedule_run(const struct schedule *schedule, void (*run)(void))
{
    plan = schedule;
    program = run;
    random_state = schedule->seed;
    changes_made = departures_made = 0;
    lowest = INT64_MIN / 2;
    running = world.n_pes;
    world.steps = 0;
    world.failure[0] = 0;
    landings_forget();
    for (int i = 0; i < world.n_pes; i++) {
        struct pe *pe = &world.pe[i];
        const struct fibre fibre = pe->fibre;
        *pe = (struct pe){.fibre = fibre, .awaited = -1, .allocated = world.heap};
        fibre_begin(&pe->fibre, begin_pe);
    }
    if (plan->manner == BY_PRIORITY)
        draw_priorities();
    world.me = 0;
    const int first = next_pe();
    world.in_thread = false;
    world.me = first;
    shcoll_awaited_pe = -1;
    fibre_switch(&thread, &world.pe[first].fibre);
    world.in_thread = true;
    world.me = 0;
    return !*world.failure;
}
