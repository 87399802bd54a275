/* Every schedule of collectives, in one process.
 *
 * usage: schedules any PROGRAMS [SEED]        random programs, on all layouts in turn, each by many schedules
 *        schedules pairs SCHEDULES [PART PARTS [LAYOUT...]]
 *                                             each pair of consecutive algorithms, by that many schedules
 *        schedules bounded DEPARTURES [PART PARTS [LAYOUT...]]
 *                                             for each pair all schedules with that many departures from an order
 *        schedules again 'PROGRAM' 'SCHEDULE' repeats a failed schedule, with each step on standard error
 *        schedules try 'PROGRAM' SCHEDULES    that many schedules of one program
 *        schedules explore 'PROGRAM' DEPARTURES
 *
 * See docs/testing.md. */
#include "programs.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const all_layouts[] = {"2", "3", "4", "3+1", "3+3", "2+2+2", "4+2+1", "2+2", "1+1"};
static const char *const manners[] = {"lot", "priority", "late", "early"};

static const char *self; /* this program */
static struct program program;
static uint64_t programs_run, schedules_run, failures;
static bool goes_on; /* continues with the next program after a failure */
static unsigned usual_steps; /* the usual number of steps of the program */

/* --- schedules as text -------------------------------------------------------------------------------------------- */

/* "priority seed=17 changes=3 length=120"; "late 12:1 40:2". */
static const char *schedule_text(const struct schedule *s, char *text, size_t bytes)
{
    int used = snprintf(text, bytes, "%s seed=%" PRIu64, manners[s->manner], s->seed);
    if (s->manner == BY_PRIORITY)
        used += snprintf(text + used, bytes - (size_t)used, " changes=%u length=%u", s->changes, s->length);
    for (int i = 0; i < s->departures; i++)
        used += snprintf(text + used, bytes - (size_t)used, " %u:%u", s->departure[i].step, s->departure[i].choice);
    return text;
}

static struct schedule schedule_read(const char *text)
{
    struct schedule s = {.length = 1};
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    char *rest = copy;
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        struct departure *next = &s.departure[s.departures < MOST_DEPARTURES ? s.departures : MOST_DEPARTURES - 1];
        int manner = 0;
        while (manner < 4 && strcmp(word, manners[manner]) != 0)
            manner++;
        if (manner < 4) {
            s.manner = (enum manner)manner;
        } else if (sscanf(word, "%u:%u", &next->step, &next->choice) == 2) {
            s.departures++;
        } else if (sscanf(word, "seed=%" SCNu64, &s.seed) != 1 && sscanf(word, "changes=%u", &s.changes) != 1 &&
                   sscanf(word, "length=%u", &s.length) != 1) {
            fprintf(stderr, "schedules: \"%s\" is no part of a schedule\n", word);
            exit(2);
        }
    }
    return s;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static void report(const struct schedule *s)
{
    char text[PROGRAM_TEXT], schedule[512];
    fflush(stdout);
    fprintf(stderr, "FAILED: %s\nagain: %s again '%s' '%s'\n", world.failure, self, program_text(&program, text),
            schedule_text(s, schedule, sizeof schedule));
    failures++;
    if (goes_on)
        return;
    fprintf(stderr, "after %" PRIu64 " schedules of %" PRIu64 " programs\n", schedules_run, programs_run);
    exit(1);
}

static const struct schedule *now;

/* If a PE (a fibre) has crashed, fail does not return: it switches to the thread, which reports the failure. */
static void crashed(int sig)
{
    fail("signal %d", sig);
    signal(sig, SIG_DFL);
    if (now)
        report(now);
    raise(sig);
}

static void catch_crashes(void)
{
    static char stack[64 << 10];
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    sigaltstack(&own, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER}, NULL);
}

static bool run(const struct schedule *s)
{
    schedules_run++;
    now = s;
    if (program_run(s))
        return true;
    report(s);
    return false;
}

/* False: an algorithm refuses its call, or the schedule has failed. */
static bool begin(void)
{
    if (!program_begin(&program))
        return false;
    programs_run++;
    const bool good = run(&(struct schedule){.manner = LATE});
    usual_steps = world.steps;
    return good && run(&(struct schedule){.manner = EARLY});
}

/* Three of four schedules are by priority, with few changes; the others are random. */
static struct schedule schedule_number(uint64_t i)
{
    const uint64_t drawn = value(i, -3, 1);
    return (struct schedule){.manner = drawn % 4 ? BY_PRIORITY : BY_LOT, .seed = i, .changes = drawn / 4 % 4,
                             .length = usual_steps};
}

static void run_many(uint64_t schedules)
{
    for (uint64_t i = 0; i < schedules; i++) {
        const struct schedule s = schedule_number(i);
        if (!run(&s))
            return;
    }
}

/* Runs *s, and all schedules that have up to `more` departures more than *s. */
static bool explore(struct schedule *s, int more)
{
    static unsigned char had[MOST_DEPARTURES][MOST_STEPS];
    if (!run(s))
        return false;
    if (more == 0)
        return true;
    const unsigned from = s->departures ? s->departure[s->departures - 1].step + 1 : 1;
    const unsigned steps = world.steps < MOST_STEPS ? world.steps : MOST_STEPS;
    unsigned char *const now = had[s->departures];
    memcpy(now + from, choices + from, steps > from ? steps - from : 0);
    for (unsigned step = from; step < steps; step++)
        for (unsigned choice = 1; choice < now[step]; choice++) {
            s->departure[s->departures++] = (struct departure){step, choice};
            if (!explore(s, more - 1))
                return false;
            s->departures--;
        }
    return true;
}

static void explore_both(int departures)
{
    for (enum manner manner = LATE; manner <= EARLY; manner++) {
        struct schedule s = {.manner = manner};
        if (!explore(&s, departures))
            return;
    }
}

/* A factor for the number of schedules. */
static unsigned times(void)
{
    const char *text = getenv("SCHEDULES_TIMES");
    return text && atoi(text) > 0 ? (unsigned)atoi(text) : 1;
}

static void any(uint64_t programs, uint64_t seed)
{
    for (uint64_t i = 0; i < programs; i++) {
        program_draw(&program, all_layouts[i % (sizeof all_layouts / sizeof *all_layouts)], seed * 1000003 + i);
        if (begin())
            run_many(200);
    }
}

/* Runs part PART of PARTS of the pairs on each layout. often: schedules of each pair, or, if bounded, departures. */
static void all_pairs(bool bounded, int often, int argc, char **argv)
{
    const unsigned part = argc > 1 ? (unsigned)atoi(argv[0]) : 0, all = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    const unsigned parts = all > times() ? all / times() : 1;
    const char *const *layouts = argc > 2 ? (const char *const *)argv + 2 : all_layouts;
    const int n = argc > 2 ? argc - 2 : bounded ? 2 : (int)(sizeof all_layouts / sizeof *all_layouts);
    for (int layout = 0; layout < n; layout++)
        for (unsigned i = part % parts; i < pairs(); i += parts) {
            program_pair(&program, layouts[layout], i);
            if (!begin())
                continue;
            if (bounded)
                explore_both(often);
            else
                run_many((uint64_t)often);
        }
}

static void again(const char *text)
{
    const struct schedule s = schedule_read(text);
    if (!program_begin(&program)) {
        fprintf(stderr, "schedules: an algorithm refuses its call\n");
        exit(2);
    }
    world.traced = true;
    run(&s);
}

int main(int argc, char **argv)
{
    self = argv[0];
    goes_on = argc > 1 && strcmp(argv[1], "--go-on") == 0;
    argc -= goes_on, argv += goes_on;
    const char *how = argc > 2 ? argv[1] : "";
    world_make();
    catch_crashes();
    world.n_pes = layout_read("2", world.node);
    if (argc > 3 && (strcmp(how, "again") == 0 || strcmp(how, "try") == 0 || strcmp(how, "explore") == 0)) {
        program_read(&program, argv[2]);
        if (strcmp(how, "again") == 0)
            again(argv[3]);
        else if (!begin())
            fprintf(stderr, "schedules: an algorithm refuses its call\n");
        else if (strcmp(how, "try") == 0)
            run_many(strtoull(argv[3], NULL, 0));
        else
            explore_both(atoi(argv[3]));
    } else if (strcmp(how, "any") == 0) {
        any(strtoull(argv[2], NULL, 0) * times(), argc > 3 ? strtoull(argv[3], NULL, 0) : 1);
    } else if (strcmp(how, "pairs") == 0 || strcmp(how, "bounded") == 0) {
        all_pairs(*how == 'b', atoi(argv[2]), argc - 3, argv + 3);
    } else {
        fprintf(stderr, "usage: schedules [--go-on] any PROGRAMS [SEED] | pairs SCHEDULES [PART PARTS [LAYOUT...]] | "
                        "bounded DEPARTURES [PART PARTS [LAYOUT...]] | again PROGRAM SCHEDULE | "
                        "try PROGRAM SCHEDULES | explore PROGRAM DEPARTURES\n");
        return 2;
    }
    printf("%s: %" PRIu64 " schedules of %" PRIu64 " programs\n", failures ? "FAILED" : "PASSED", schedules_run,
           programs_run);
    return failures ? 1 : 0;
}
