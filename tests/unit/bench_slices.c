/* The slices of a benchmark: which slices count, at which distance of the cores, and that rows show it. */
#include "../check.h"
#include "../../bench/timing/bench.h"

#include <sys/wait.h>

static const double *trips; /* the times of the flags, in order */

static double next_trip_us(void)
{
    return *trips++;
}

static long same(long value, int from)
{
    (void)from;
    return value;
}

static int calls;

static void operation(long n, size_t bytes)
{
    (void)bytes;
    calls += (int)n;
    for (const double start = bench_now_us(); bench_now_us() < start + 1;)
        ;
}

/* Runs a row; trips: the flags' times before the first slice and after each slice. Returns the printed line. */
static char *row_of(const double *flags)
{
    static char text[1000];
    FILE *was = stdout, *file = fmemopen(text, sizeof text, "w");
    if (!file)
        exit(1);
    bench.trip_us = next_trip_us;
    trips = flags;
    stdout = file;
    measure("row", 8, operation);
    stdout = was;
    fclose(file);
    return text;
}

static void expect_phases(const char *text, int near, int far, int changed)
{
    const int expected[] = {near, far, changed};
    for (int phase = 0; phase < 3; phase++) {
        char part[64];
        snprintf(part, sizeof part, "\"phase\": \"%s\", \"slices\": %d,", slice_names[phase], expected[phase]);
        if (expected[phase] == 0)
            snprintf(part, sizeof part, "\"phase\": \"%s\"", slice_names[phase]);
        CHECK(!strstr(text, part) == !expected[phase], "%d slices %s: %s", expected[phase], slice_names[phase], text);
    }
}

static void check_rows(void)
{
    bench = (__typeof__(bench)){.pes = 2, .quick = true, .agree = same, .batch_us = 1}; /* quick: five slices */
    expect_phases(row_of((double[]){.1, .1, .12, .1, .09, .1}), 5, 0, 0);
    expect_phases(row_of((double[]){.4, .4, .4, .3, .4, .5}), 0, 5, 0);
    expect_phases(row_of((double[]){.1, .1, .4, .41, .42, .1}), 1, 2, 2);
    expect_phases(row_of((double[]){.1, .4, .1, .4, .1, .4}), 0, 0, 5);
    const char *text = row_of((double[]){0, 0, 0, 0, 0, 0});
    CHECK(strstr(text, "\"us\"") && !strstr(text, "phase"), "no flags: %s", text);
}

static void check_phases(void)
{
    CHECK(slice_phase(.199, .19) == SLICE_NEAR && slice_phase(.2, .25) == SLICE_FAR, ".2 us does not count as far");
    CHECK(slice_phase(.19, .21) == SLICE_CHANGED, "a change from near to far is not found");
    CHECK(slice_phase(.07, .12) == SLICE_CHANGED && slice_phase(.5, .3) == SLICE_CHANGED,
          "a change by half is not found");
    CHECK(slice_phase(.07, .1) == SLICE_NEAR && slice_phase(.3, .4) == SLICE_FAR,
          "a change by less than half counts as a change");
    CHECK(slice_phase(0, .1) == SLICE_UNKNOWN, "a distance without flags is not unknown");
}

/* Two processes, which may share a core; nothing remains in /dev/shm. */
static void check_flags(void)
{
    const long name = (long)getpid();
    char path[64];
    struct slice_flags *flags = slice_map(name, 0);
    CHECK(flags && atomic_load(&flags->of[1].turn) == 0, "the flags have a turn of side 1 before it begins");
    const pid_t other = fork();
    struct slice_flags *mine = other == 0 ? slice_map(name, 1) : flags;
    if (!mine)
        exit(1);
    for (int i = 0; i < 20; i++) {
        const double us = slice_trip_us(mine, other == 0);
        CHECK(us > 0 && us < 1e8, "a trip takes %g us", us);
    }
    if (other == 0)
        exit(check_result());
    int status = 1;
    waitpid(other, &status, 0);
    CHECK(status == 0, "side 1 ends with %d", status);
    snprintf(path, sizeof path, "/dev/shm/bench-flags-%ld", name);
    CHECK(access(path, F_OK) != 0, "%s is left behind", path);
    CHECK(!slice_map(name, 1), "flags are mapped that no side 0 has made");
}

/* A row with a limit of operations: no slice has more operations than the limit. */
static void check_most(void)
{
    bench = (__typeof__(bench)){.pes = 2, .quick = true, .agree = same, .batch_us = 1e4, .most = 2};
    calls = 0;
    row_of((double[]){.1, .1, .1, .1, .1, .1});
    CHECK(calls <= 2 * 5 + 5, "%d operations", calls);
}

int main(void)
{
    check_phases();
    check_rows();
    check_flags();
    check_most();
    return check_result();
}
