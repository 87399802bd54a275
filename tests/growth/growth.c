/* See growth.h.  This file does not call the library, because the coarray programs use it, too. */
#include "growth.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

enum { QUARTERS = 4, BATCHES = 20, WARM = BATCHES / QUARTERS };
enum { OWN, SYMMETRIC, MEMORIES }; /* memory of this process; of the job, for all PEs of the node */

struct use {
    long kib[MEMORIES];
    long descriptors;
    long threads;
    long maps;
};

static struct {
    const char *what;
    long turns, batch, turn;
    double began, seconds[BATCHES];
    struct use warm;
    long kib[MEMORIES][QUARTERS]; /* at the end of each quarter */
} loop;
static double times; /* the factor for the number of iterations */
static int grown;

/* Processor time, because other programs influence it least. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long entries(const char *folder)
{
    long n = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

/* The blocks of the nameless files that the process has open: the job's symmetric memory. Pages that a PE maps when it
 * first reads memory of another PE are no growth, although they are resident in one more process. */
static long symmetric_kib(void)
{
    long kib = 0;
    DIR *d = opendir("/proc/self/fd");
    struct stat file;
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.' && fstat(atoi(e->d_name), &file) == 0 && S_ISREG(file.st_mode) && file.st_nlink == 0)
            kib += file.st_blocks / 2;
    if (d)
        closedir(d);
    return kib;
}

static struct use used(void)
{
    struct use u = {.kib[SYMMETRIC] = symmetric_kib(), .descriptors = entries("/proc/self/fd"),
                    .threads = entries("/proc/self/task")};
    char line[512];
    FILE *status = fopen("/proc/self/status", "r"), *maps = fopen("/proc/self/maps", "r");
    if (!status || !maps) {
        fprintf(stderr, "growth: /proc/self cannot be read\n");
        exit(1);
    }
    for (long kib; fgets(line, sizeof line, status);)
        if (sscanf(line, "RssAnon: %ld", &kib) == 1)
            u.kib[OWN] = kib;
    for (; fgets(line, sizeof line, maps);)
        u.maps++;
    fclose(status);
    fclose(maps);
    return u;
}

/* Seconds of an iteration in the quickest batch of the quarter that begins with batch `first`. */
static double quickest(int first)
{
    double least = loop.seconds[first];
    for (int b = first; b < first + WARM; b++)
        least = loop.seconds[b] < least ? loop.seconds[b] : least;
    return least / (double)loop.batch;
}

/* The same in the slowest batch of the first half. */
static double slowest(void)
{
    double most = 0;
    for (int b = 0; b < 2 * WARM; b++)
        most = loop.seconds[b] > most ? loop.seconds[b] : most;
    return most / (double)loop.batch;
}

static void compare(const char *unit, long before, long after, long allowed)
{
    if (after - before <= allowed)
        return;
    grown++;
    fprintf(stderr, "growth: %s: %ld %s after %ld turns, %ld after %ld\n", loop.what, before, unit,
            WARM * loop.batch, after, loop.turns);
}

/* The growth in KiB after the first quarter, if each quarter had grown as little as the one with the least growth: a
 * pool that grows by a chunk in one quarter is no leak. */
static long leaked(const long *kib)
{
    long least = kib[1] - kib[0];
    for (int q = 2; q < QUARTERS; q++)
        if (kib[q] - kib[q - 1] < least)
            least = kib[q] - kib[q - 1];
    return least * (QUARTERS - 1);
}

static void judge(void)
{
    const struct use end = used();
    /* Compares with the first batches: a time that grows equally in each iteration is at the end only three times as
     * long as in the second quarter. */
    const double cold = quickest(0), second = quickest(WARM), warm = cold < second ? cold : second;
    const double middle = quickest(2 * WARM), last = quickest(BATCHES - WARM);
    printf("%-40s %8ld turns %8.0f ns %8.0f ns %+6ld KiB\n", loop.what, loop.turns, warm * 1e9, last * 1e9,
           end.kib[OWN] + end.kib[SYMMETRIC] - loop.warm.kib[OWN] - loop.warm.kib[SYMMETRIC]);
    fflush(stdout); /* the next loop may crash */
    const long kib = 512 + 3 * (loop.turns - WARM * loop.batch) / 1024; /* three bytes an iteration, some pages */
    if (leaked(loop.kib[OWN]) > kib)
        compare("KiB", loop.warm.kib[OWN], end.kib[OWN], kib);
    if (leaked(loop.kib[SYMMETRIC]) > 2 * kib) /* the tests have up to four PEs on a node */
        compare("KiB of symmetric memory", loop.warm.kib[SYMMETRIC], end.kib[SYMMETRIC], 2 * kib);
    /* The first message to a PE on another node makes a connection; it may be a collective's rare message. */
    compare("descriptors", loop.warm.descriptors, end.descriptors, 8);
    compare("threads", loop.warm.threads, end.threads, 1);
    compare("mappings", loop.warm.maps, end.maps, 8);
    /* Checks not the duration of an iteration, but whether it grows steadily. A machine's load causes no steady growth,
     * and images that compete synchronize in each iteration. With few iterations the check says nothing. */
    if (times >= 1 && middle > 2 * warm && last > 1.2 * middle && last > 1.2 * slowest() && last > 6 * warm + 2e-5) {
        grown++;
        fprintf(stderr, "growth: %s: a turn took %.0f ns at first, %.0f ns at the end\n", loop.what, warm * 1e9,
                last * 1e9);
    }
}

void growth_begin(const char *what, long turns)
{
    const char *text = getenv("GROWTH_TIMES");
    times = text ? strtod(text, NULL) : 1;
    if (turns <= 0 || times <= 0) {
        fprintf(stderr, "growth_begin: %ld turns of %s, GROWTH_TIMES=%s: positive numbers are needed\n", turns, what,
                text ? text : "");
        exit(1);
    }
    /* The first byte of a huge page takes 2 MiB, and an allocator may begin a huge page in any quarter. */
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    memset(&loop, 0, sizeof loop);
    loop.what = what;
    loop.batch = (long)((double)turns * times * (getenv("SHMEM_NODES") ? 1 : 10) / BATCHES) + 1;
    loop.turns = loop.batch * BATCHES;
    loop.turn = -1;
    loop.began = now();
}

bool growth_goes_on(void)
{
    if (++loop.turn == 0 || loop.turn % loop.batch)
        return true;
    const long done = loop.turn / loop.batch;
    loop.seconds[done - 1] = now() - loop.began;
    if (done % WARM == 0) {
        const struct use here = used();
        for (int m = 0; m < MEMORIES; m++)
            loop.kib[m][done / WARM - 1] = here.kib[m];
        if (done == WARM)
            loop.warm = here;
    }
    if (done == BATCHES)
        judge();
    loop.began = now();
    return done < BATCHES;
}

int growth_result(void)
{
    return grown ? 1 : 0;
}
