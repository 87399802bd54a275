/* copal-profile FOLDER: combines the profile files of a job's PEs into a profile (tools/profile/record/piece.h).
 *
 * basics.c   errors, memory, text
 * load.c     the profile files, and their sums
 * hosts.c    the hosts
 * places.c   files and lines of call sites
 * waits.c    the last PEs to arrive at collectives, and the resulting wait times
 * hints.c    hints
 * json.c     profile.json, and the page's copy of it
 * trace.c    trace.json
 * text.c     the summary in ten lines
 * main.c     the command line */
#pragma once

#include "profile/record/piece.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct site {
    const char *routine;
    const char *module; /* a path, or NULL */
    uint64_t offset;
    enum piece_class class;
    uint64_t calls, bytes, time, longest, largest, waiting; /* times in ns */
    char *file, *function;                                  /* or NULL */
    int line;
};

/* The mapped file of one PE; head is NULL if there is none. */
struct piece {
    const struct piece_head *head;
    const struct piece_traffic *traffic;
    const struct piece_module *modules;
    const struct piece_site *sites;
    const struct piece_arrival *arrivals;
    const struct piece_algorithm *algorithms;
    const struct piece_memory *memory;
    const struct piece_event *events;
    uint32_t *site;       /* the number in struct profile of each of its sites */
    int64_t behind;       /* its node's clock minus PE 0's clock: to be subtracted from its times */
    uint64_t total, communication, synchronizing, waiting, computing; /* ns, sum over its threads */
    uint64_t late;        /* number of collectives where this PE was the last to arrive */
    uint64_t late_cost;   /* ns that other PEs have waited for this PE in these collectives */
};

/* processors: the number on which its PEs may run; 0: unknown. */
struct host {
    const char *name;
    int n_pes, processors;
    uint64_t mask[PIECE_PROCESSORS / 64];
};

struct profile {
    const char *folder, *program, *command;
    int64_t date; /* when the first PE began */
    int n_pes, n_missing, n_nodes;
    struct host *hosts;
    int n_hosts;
    int first; /* 1 if PEs are images */
    const char *unit;
    struct piece *pe;
    struct site *sites;
    uint32_t n_sites;
    uint32_t every;       /* one of this number of collectives has details */
    uint64_t time;        /* ns of the PE with the longest time */
    uint64_t total;       /* ns of all PEs together */
    int latest;           /* the PE for which the others have waited the longest in collectives */
    struct piece_count sizes[PIECE_DIRECTIONS][PIECE_SIZES], paths[PIECE_PATHS];
    struct piece_algorithm *algorithms;
    uint32_t n_algorithms;
    uint64_t *waits_time, *waits; /* [pe * n_pes + awaited PE]: ns, and number of waits; NULL: too many PEs */
    char **hints;
    int n_hints;
};

/* basics.c */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);
void *zeroed(size_t n, size_t bytes);
__attribute__((format(printf, 1, 2))) char *text(const char *format, ...);
static inline double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* load.c */
void load(struct profile *p, const char *folder);

/* hosts.c */
void find_hosts(struct profile *p);

/* places.c */
void find_places(struct profile *p);
const char *place_of(const struct site *s, char *text, size_t room); /* "ring.c:12", or "a.out+0x1234" */

/* waits.c */
void find_waits(struct profile *p);

/* hints.c */
void find_hints(struct profile *p);

/* json.c */
void json_write(const struct profile *p, FILE *out, int most_rows); /* pairs of PEs, by blocks if needed */
void page_write(const struct profile *p, FILE *out);

/* trace.c */
uint64_t trace_write(const struct profile *p, FILE *out); /* returns the number of calls that are not in it */

/* text.c */
struct routine {
    const char *name;
    enum piece_class class;
    uint64_t calls, bytes, time, longest, largest, waiting;
};
struct routine *routines_of(const struct profile *p, uint32_t *n); /* those that took the longest first */
void text_write(const struct profile *p, FILE *out);
