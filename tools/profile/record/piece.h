/* The profile file of a PE for copal-profile: FOLDER/pieces/PE, in this machine's byte order. After the head come
 * the records, whose numbers it contains, in the order of their declarations here. Times are nanoseconds of the node's
 * clock, which its PEs share. */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PIECE_OF_ANY_VERSION "copal profile "
#define PIECE_MAGIC PIECE_OF_ANY_VERSION "3"
#define PIECE_FOLDER "pieces"

/* Removes the profile files of an earlier job from a folder, which may also contain files of the user. */
static inline void remove_pieces(const char *folder)
{
    char path[PATH_MAX], begins[sizeof PIECE_OF_ANY_VERSION - 1];
    if ((size_t)snprintf(path, sizeof path, "%s/" PIECE_FOLDER, folder) >= sizeof path)
        return;
    DIR *const pieces = opendir(path);
    for (const struct dirent *d; pieces && (d = readdir(pieces));) {
        const int file = openat(dirfd(pieces), d->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file < 0)
            continue;
        if (read(file, begins, sizeof begins) == sizeof begins &&
            memcmp(begins, PIECE_OF_ANY_VERSION, sizeof begins) == 0)
            unlinkat(dirfd(pieces), d->d_name, 0);
        close(file);
    }
    if (pieces)
        closedir(pieces);
}

enum { PIECE_SIZES = 65 }; /* class of n bytes: the number of bits of n */
enum piece_direction { PIECE_PUT, PIECE_GET, PIECE_ATOMIC, PIECE_COLLECTIVE, PIECE_DIRECTIONS };
enum piece_path { PIECE_STORE, PIECE_MESSAGE, PIECE_NETWORK, PIECE_PATHS };

/* What the program does in a call: it moves data; waits; does both (PIECE_TOGETHER, collectives); allocates, which
 * includes a barrier; or synchronizes. */
enum piece_class { PIECE_TRANSFER, PIECE_WAIT, PIECE_TOGETHER, PIECE_MEMORY, PIECE_BARRIER, PIECE_CLASSES };

enum { PIECE_PROCESSORS = 1024 };

/* Whether the arrivals at a group's collective of this number are recorded, if those at one in `every` are; every is a
 * power of two. All PEs choose the same collectives, at random, because loops have periods. */
static inline bool piece_records(uint64_t sequence, uint32_t every)
{
    sequence *= UINT64_C(0x9e3779b97f4a7c15);
    sequence = (sequence ^ sequence >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
    return (sequence >> 32) % every == 0;
}

struct piece_count {
    uint64_t calls, bytes;
};

struct piece_head {
    char magic[16];
    char program[256];
    char command[512]; /* the command line, or its beginning */
    char host[64];
    uint64_t processors[PIECE_PROCESSORS / 64]; /* one bit for each that may run this PE; none: unknown */
    int64_t date;      /* when it began: seconds since 1970 */
    int32_t pe, n_pes;
    int32_t node;     /* the lowest PE of this PE's node */
    int32_t is_images; /* coarrays: PE 0 is image 1 */
    int64_t began, ended;
    int64_t met; /* when all PEs had synchronized at the start; to compare the clocks of nodes */
    uint32_t n_sites, n_modules, n_arrivals, n_memory;
    uint32_t every;   /* piece_records */
    uint32_t n_events, n_algorithms;
    uint32_t n_threads; /* under SHMEM_THREAD_MULTIPLE, threads that have called; otherwise 0 */
    uint64_t events_cut;
    uint64_t blocking_puts, quiet_at_once; /* puts, and those whose next call is a quiet */
    uint64_t blocking_gets, blocking_small_gets;
    struct piece_count paths[PIECE_PATHS];
    struct piece_count sizes[PIECE_DIRECTIONS][PIECE_SIZES];
};

struct piece_traffic { /* n_pes records, one for each target PE */
    struct piece_count put, got;
};

struct piece_module {
    char path[512];
};

struct piece_site {
    char routine[56];
    uint64_t offset; /* of the call in the module, as it was linked; unknown if module is n_modules */
    uint32_t module;
    uint32_t class; /* of enum piece_class */
    uint64_t calls, bytes, time, longest, largest;
};

/* This PE's arrival at a collective of the PEs start, start + stride, ...; sequence counts their collectives. */
struct piece_arrival {
    int32_t start, stride, size;
    int32_t root; /* the only PE for which the others wait, or -1 */
    uint64_t sequence;
    int64_t entered, left;
    uint32_t site, range; /* range: of its bytes, as for PIECE_SIZES */
};

/* Calls of a collective that used the same algorithm. */
struct piece_algorithm {
    char collective[16], algorithm[44];
    uint32_t range; /* class, as for PIECE_SIZES, of the bytes for which it was chosen */
    uint64_t calls, bytes;
};

struct piece_memory {
    int64_t at;
    uint64_t bytes; /* allocated in the heap */
};

/* One call, for the trace. place identifies the object that the call writes on another PE, or waits for on this PE, by
 * its distance from the heap's first block or from the program's statics. The distance is the same on all PEs. */
enum piece_event_kind { PIECE_OTHER, PIECE_UPDATES, PIECE_WAITS };
struct piece_event {
    int64_t began, ended;
    uint64_t bytes, place, place_bytes, value;
    uint32_t site;
    int32_t pe;
    uint8_t kind;      /* of enum piece_event_kind */
    uint8_t operation; /* SHMEM_SIGNAL_... of an update, SHMEM_CMP_... of a wait */
    uint8_t has_value;
    uint16_t thread;   /* from 1 on, in the order of their first calls; 0: a single thread */
};
