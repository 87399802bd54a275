/* The algorithms of the program's collectives. A call counts for the first algorithm that SHCOLL chooses in it for a
 * collective other than sync; if there is none, for its sync algorithm. Later choices are parts of that algorithm. */
#include "profile/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece_algorithm *algorithms;
uint32_t algorithms_n;
static uint32_t room;

/* The algorithm of this thread's current call. */
static _Thread_local struct piece_algorithm chosen __attribute__((tls_model("initial-exec")));

void algorithm_forget(void)
{
    chosen.collective[0] = 0;
}

void copal_tap_algorithm(const char *collective, const char *algorithm, size_t bytes)
{
    if (chosen.collective[0] && strcmp(chosen.collective, "sync") != 0)
        return;
    strncpy(chosen.collective, collective, sizeof chosen.collective - 1);
    strncpy(chosen.algorithm, algorithm, sizeof chosen.algorithm - 1);
    chosen.range = bits_of(bytes);
    chosen.bytes = bytes;
}

static bool is_same(const struct piece_algorithm *a, const struct piece_algorithm *b)
{
    return a->range == b->range && strcmp(a->algorithm, b->algorithm) == 0 && strcmp(a->collective, b->collective) == 0;
}

static void make_room(void)
{
    if (algorithms_n < room)
        return;
    room = room ? 2 * room : 64;
    algorithms = realloc(algorithms, room * sizeof *algorithms);
    if (!algorithms) {
        fprintf(stderr, "copal: no memory for a profile of %u algorithms of collectives\n", room);
        abort();
    }
}

void algorithm_note(void)
{
    uint32_t i = 0;
    if (!chosen.collective[0])
        return;
    while (i < algorithms_n && !is_same(&algorithms[i], &chosen))
        i++;
    if (i == algorithms_n) {
        make_room();
        algorithms[algorithms_n++] = chosen;
        algorithms[i].bytes = 0;
    }
    algorithms[i].calls++;
    algorithms[i].bytes += chosen.bytes;
}
