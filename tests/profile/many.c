/* many FOLDER N LATE [HOW]: writes the profile files of N emulated PEs, 50 on each node; each PE has accessed all
 * others. LATE PEs take turns in entering collectives late, because they compute longer. HOW: idle, no PE is late;
 * slow, the first collective is quick, and all later ones take long after all PEs have entered; crowded, there is one
 * processor; brief, the PEs spend hardly any time in calls. */
#include "profile/record/piece.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NODE = 50, SITES = 40, COLLECTIVES = 8, SAMPLES = 300 };
static const int64_t second = 1000000000;

static int late_ones;
static const char *how = "";
static bool is_how(const char *word) { return strcmp(how, word) == 0; }

static bool is_late(int pe, int k, int n)
{
    return late_ones && pe == k % late_ones * (n / late_ones);
}

static struct piece_site site_of(int i, bool computes)
{
    static const char *const routines[] = {"shmem_barrier_all", "shmem_long_wait_until", "shmem_long_put",
                                           "shmem_get64"};
    static const enum piece_class classes[] = {PIECE_TOGETHER, PIECE_WAIT, PIECE_TRANSFER, PIECE_TRANSFER};
    struct piece_site s = {.offset = 0x1000 + 16 * (uint64_t)i, .class = classes[i % 4], .calls = 100, .bytes = 800,
                           .time = i || computes ? second / 500 : second / 4, .longest = 90000, .largest = 4096};
    s.time /= is_how("brief") ? 1000 : 1;
    strcpy(s.routine, routines[i % 4]);
    return s;
}

static struct piece_arrival arrival_of(int pe, int k, int n)
{
    return (struct piece_arrival){.stride = 1, .size = n, .root = -1, .sequence = (uint64_t)k,
                                  .entered = k * second / 10 + (is_late(pe, k, n) ? second / 50 : pe * 1000),
                                  .left = k * second / 10 + (k == 0 && is_how("slow") ? second / 1000 : second / 40)};
}

static void write_piece(const char *folder, int pe, int n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/" PIECE_FOLDER "/%d", folder, pe);
    FILE *out = fopen(path, "w");
    if (!out)
        exit(1);
    struct piece_head head = {.magic = PIECE_MAGIC, .program = "/home/somebody/programs/with/a/long/path/to/a/program",
                              .pe = pe, .n_pes = n, .node = pe / NODE * NODE, .ended = second, .met = 1,
                              .n_sites = SITES, .n_modules = 1, .n_arrivals = COLLECTIVES, .n_memory = SAMPLES,
                              .every = 1, .blocking_puts = 2000, .quiet_at_once = 1900,
                              .host = "here", .date = 1700000000, .command = "many"};
    head.processors[0] = is_how("crowded");
    for (int direction = 0; direction < PIECE_DIRECTIONS; direction++)
        for (int bits = 0; bits < 24; bits++)
            head.sizes[direction][bits] = (struct piece_count){(uint64_t)(24 - bits) * 7, (uint64_t)24 << bits};
    for (int path_ = 0; path_ < PIECE_PATHS; path_++)
        head.paths[path_] = (struct piece_count){1000, 1 << 20};
    fwrite(&head, sizeof head, 1, out);
    for (int to = 0; to < n; to++) {
        const uint64_t calls = 1 + (uint64_t)(to / NODE == pe / NODE) * 100 + (uint64_t)(to == (pe + 1) % n) * 1000;
        const struct piece_traffic t = {{calls, 1024 * calls}, {calls / 2, 512 * calls}};
        fwrite(&t, sizeof t, 1, out);
    }
    const struct piece_module module = {"/home/somebody/programs/with/a/long/path/to/a/program"};
    fwrite(&module, sizeof module, 1, out);
    for (int i = 0; i < SITES; i++) {
        const struct piece_site s = site_of(i, late_ones == 1 && pe == 0 && !is_how("idle"));
        fwrite(&s, sizeof s, 1, out);
    }
    for (int k = 0; k < COLLECTIVES; k++) {
        const struct piece_arrival a = arrival_of(pe, k, n);
        fwrite(&a, sizeof a, 1, out);
    }
    for (int i = 0; i < SAMPLES; i++) {
        const struct piece_memory m = {i * second / SAMPLES, (uint64_t)(i % 100) << 20};
        fwrite(&m, sizeof m, 1, out);
    }
    if (fclose(out))
        exit(1);
}

int main(int argc, char **argv)
{
    char path[4096];
    if (argc < 4)
        return 2;
    late_ones = atoi(argv[3]);
    how = argc > 4 ? argv[4] : how;
    mkdir(argv[1], 0777);
    snprintf(path, sizeof path, "%s/" PIECE_FOLDER, argv[1]);
    mkdir(path, 0777);
    for (int pe = 0; pe < atoi(argv[2]); pe++)
        write_piece(argv[1], pe, atoi(argv[2]));
    return 0;
}
