/* Maps, checks and sums the profile files of the PEs. */
#include "profile.h"

#include "common/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PES = 100000 };

/* --- checks ------------------------------------------------------------------------------------------------------- */

/* A file may be damaged: this file checks all values on which other code relies (numbers of PEs and call sites, names,
 * times). */
static void check(bool is_good, const char *path, const char *what, uint32_t i)
{
    if (!is_good)
        die("%s is damaged: its %s %u has impossible contents; remove it, or run the program again", path, what, i);
}

static bool is_name(const char *text, size_t room)
{
    return memchr(text, '\0', room) != NULL;
}

/* Limits times so that differences, also between nodes, do not overflow. */
static bool are_times(int64_t began, int64_t ended)
{
    const int64_t most = INT64_C(1) << 60;
    return began > -most && ended >= began && ended < most;
}

static bool is_arrival(const struct piece_arrival *a, const struct piece_head *h)
{
    const int64_t last = a->start + (int64_t)a->stride * (a->size - 1);
    return a->site < h->n_sites && a->size >= 1 && a->size <= h->n_pes && a->start >= 0 && a->start < h->n_pes &&
           last >= 0 && last < h->n_pes && a->root >= -1 && a->root < h->n_pes && a->range < PIECE_SIZES &&
           are_times(a->entered, a->left);
}

static bool is_algorithm(const struct piece_algorithm *a)
{
    return a->range < PIECE_SIZES && is_name(a->collective, sizeof a->collective) &&
           is_name(a->algorithm, sizeof a->algorithm);
}

static bool is_event(const struct piece_event *e, const struct piece_head *h)
{
    /* MUTANT a profile's call sites exist: e->site < h->n_sites => true */
    return e->site < h->n_sites && e->pe >= -1 && e->pe < h->n_pes && are_times(e->began, e->ended);
}

static bool is_head(const struct piece_head *h)
{
    return is_name(h->program, sizeof h->program) && is_name(h->command, sizeof h->command) &&
           is_name(h->host, sizeof h->host) && h->date >= 0 && h->date < INT64_C(1) << 40 && h->node >= 0 &&
           h->node < h->n_pes && h->every > 0 && h->n_threads <= UINT16_MAX && are_times(h->began, h->ended) &&
           are_times(h->met, h->met);
}

static void check_piece(const struct piece *p, const char *path)
{
    const struct piece_head *h = p->head;
    check(is_head(h), path, "head", 0);
    for (uint32_t i = 0; i < h->n_modules; i++)
        check(is_name(p->modules[i].path, sizeof p->modules[i].path), path, "module", i);
    for (uint32_t i = 0; i < h->n_sites; i++)
        check(is_name(p->sites[i].routine, sizeof p->sites[i].routine) && p->sites[i].class < PIECE_CLASSES, path,
              "call site", i);
    for (uint32_t i = 0; i < h->n_arrivals; i++)
        check(is_arrival(&p->arrivals[i], h), path, "collective", i);
    for (uint32_t i = 0; i < h->n_algorithms; i++)
        check(is_algorithm(&p->algorithms[i]), path, "algorithm", i);
    for (uint32_t i = 0; i < h->n_memory; i++)
        check(are_times(p->memory[i].at, p->memory[i].at), path, "memory sample", i);
    for (uint32_t i = 0; i < h->n_events; i++)
        check(is_event(&p->events[i], h), path, "event", i);
}

/* --- a file ------------------------------------------------------------------------------------------------------- */

/* Takes the next n records of a file, of which `at` bytes are consumed; records begin at multiples of 8. */
static const void *take(const char *file, size_t size, size_t *at, size_t n, size_t bytes, const char *path)
{
    const void *records = file + *at;
    if (bytes * n > size - *at)
        die("%s is cut short: it has %zu bytes; run the program again", path, size);
    *at += bytes * n;
    return records;
}

static void read_piece(struct piece *p, const char *path)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        die("%s cannot be read: %s", path, strerror(errno));
    const size_t size = (size_t)status.st_size;
    const char *file = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    close(fd);
    if (!file || file == MAP_FAILED || size < sizeof *p->head || memcmp(file, PIECE_MAGIC, sizeof PIECE_MAGIC) != 0)
        die("%s is no profile file of this version of Copal", path);
    size_t at = 0;
    const struct piece_head *h = take(file, size, &at, 1, sizeof *h, path);
    if (h->n_pes < 1 || h->n_pes > MOST_PES || h->pe < 0 || h->pe >= h->n_pes)
        die("%s is of PE %d of %d, which is impossible; run the program again", path, h->pe, h->n_pes);
    p->head = h;
    p->traffic = take(file, size, &at, (size_t)h->n_pes, sizeof *p->traffic, path);
    p->modules = take(file, size, &at, h->n_modules, sizeof *p->modules, path);
    p->sites = take(file, size, &at, h->n_sites, sizeof *p->sites, path);
    p->arrivals = take(file, size, &at, h->n_arrivals, sizeof *p->arrivals, path);
    p->algorithms = take(file, size, &at, h->n_algorithms, sizeof *p->algorithms, path);
    p->memory = take(file, size, &at, h->n_memory, sizeof *p->memory, path);
    p->events = take(file, size, &at, h->n_events, sizeof *p->events, path);
    check_piece(p, path);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static void add_piece(struct profile *p, const struct piece *one, const char *path)
{
    if (!p->pe) {
        p->n_pes = one->head->n_pes;
        p->pe = zeroed((size_t)p->n_pes, sizeof *p->pe);
        p->program = one->head->program;
    }
    if (one->head->n_pes != p->n_pes || p->pe[one->head->pe].head)
        die("%s is of another job than the others in its folder; remove the folder and run the program again", path);
    p->pe[one->head->pe] = *one;
    if (one->head->is_images)
        p->first = 1;
}

static void read_pieces(struct profile *p)
{
    char *folder = text("%s/" PIECE_FOLDER, p->folder);
    DIR *pieces = opendir(folder);
    if (!pieces)
        die("there is no folder %s: no PE has written a file there; did the program call shmem_init, and was "
            "libcopal-profile preloaded (oshrun --profile)?", folder);
    for (const struct dirent *d; (d = readdir(pieces));) {
        struct piece one = {0};
        if (d->d_name[strspn(d->d_name, "0123456789")])
            continue;
        char *path = text("%s/%s", folder, d->d_name);
        read_piece(&one, path);
        add_piece(p, &one, path);
        free(path);
    }
    closedir(pieces);
    if (!p->pe)
        die("no PE has written a file in %s: the program does not use OpenSHMEM, or all PEs were killed", folder);
    free(folder);
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

/* The same call in the same program has the same offset on all PEs. */
struct sites {
    uint32_t *table; /* number + 1, or 0 */
    uint32_t room;
};

static uint32_t hash_of(const char *routine, uint64_t offset)
{
    const uint64_t hash = hash_bytes(offset, routine, strlen(routine));
    return (uint32_t)(hash ^ hash >> 32);
}

static bool is_same(const struct site *s, const struct piece_site *one, const char *module)
{
    return s->offset == one->offset && strcmp(s->routine, one->routine) == 0 &&
           (s->module == module || (s->module && module && strcmp(s->module, module) == 0));
}

static void enlarge(struct profile *p, struct sites *sites)
{
    sites->room = sites->room ? 2 * sites->room : 1024;
    free(sites->table);
    sites->table = zeroed(sites->room, sizeof *sites->table);
    p->sites = realloc(p->sites, sites->room / 2 * sizeof *p->sites);
    if (!p->sites)
        die("out of memory: %u call sites", sites->room);
    for (uint32_t k = 0; k < p->n_sites; k++) {
        uint32_t i = hash_of(p->sites[k].routine, p->sites[k].offset) % sites->room;
        while (sites->table[i])
            i = (i + 1) % sites->room;
        sites->table[i] = k + 1;
    }
}

static uint32_t number_of(struct profile *p, struct sites *sites, const struct piece_site *one, const char *module)
{
    if (p->n_sites >= sites->room / 2)
        enlarge(p, sites);
    uint32_t i = hash_of(one->routine, one->offset) % sites->room;
    for (; sites->table[i]; i = (i + 1) % sites->room)
        if (is_same(&p->sites[sites->table[i] - 1], one, module))
            return sites->table[i] - 1;
    p->sites[p->n_sites] = (struct site){
        .routine = one->routine, .module = module, .offset = one->offset, .class = one->class};
    sites->table[i] = ++p->n_sites;
    return p->n_sites - 1;
}

static void add_sites(struct profile *p, struct sites *sites, struct piece *one)
{
    one->site = zeroed(one->head->n_sites, sizeof *one->site);
    for (uint32_t i = 0; i < one->head->n_sites; i++) {
        const struct piece_site *from = &one->sites[i];
        const char *module = from->module < one->head->n_modules ? one->modules[from->module].path : NULL;
        const uint32_t number = one->site[i] = number_of(p, sites, from, module);
        struct site *s = &p->sites[number];
        s->calls += from->calls;
        s->bytes += from->bytes;
        s->time += from->time;
        s->longest = from->longest > s->longest ? from->longest : s->longest;
        s->largest = from->largest > s->largest ? from->largest : s->largest;
        if (from->class == PIECE_WAIT) {
            s->waiting += from->time;
            one->waiting += from->time;
        } else if (from->class == PIECE_BARRIER || from->class == PIECE_MEMORY) {
            one->synchronizing += from->time;
        } else {
            one->communication += from->time;
        }
    }
}

static void add_counts(struct piece_count *to, const struct piece_count *from, int n)
{
    for (int i = 0; i < n; i++) {
        to[i].calls += from[i].calls;
        to[i].bytes += from[i].bytes;
    }
}

static void add_algorithms(struct profile *p, const struct piece *one)
{
    for (uint32_t i = 0; i < one->head->n_algorithms; i++) {
        const struct piece_algorithm *from = &one->algorithms[i];
        uint32_t k = 0;
        while (k < p->n_algorithms && (p->algorithms[k].range != from->range ||
                                       strcmp(p->algorithms[k].collective, from->collective) != 0 ||
                                       strcmp(p->algorithms[k].algorithm, from->algorithm) != 0))
            k++;
        if (k == p->n_algorithms) {
            p->algorithms = realloc(p->algorithms, (k + 1) * sizeof *p->algorithms);
            if (!p->algorithms)
                die("out of memory: %u algorithms", k);
            p->algorithms[p->n_algorithms++] = *from;
            p->algorithms[k].calls = p->algorithms[k].bytes = 0;
        }
        p->algorithms[k].calls += from->calls;
        p->algorithms[k].bytes += from->bytes;
    }
}

void load(struct profile *p, const char *folder)
{
    struct sites sites = {0};
    p->folder = folder;
    p->every = 1;
    read_pieces(p);
    for (int i = 0; i < p->n_pes; i++) {
        struct piece *one = &p->pe[i];
        const struct piece_head *h = one->head;
        if (!h) {
            p->n_missing++;
            continue;
        }
        add_sites(p, &sites, one);
        add_algorithms(p, one);
        add_counts(p->sizes[0], h->sizes[0], PIECE_DIRECTIONS * PIECE_SIZES);
        add_counts(p->paths, h->paths, PIECE_PATHS);
        const uint64_t time = (uint64_t)(h->ended - h->began);
        one->total = time * (h->n_threads ? h->n_threads : 1);
        p->total += one->total;
        p->time = time > p->time ? time : p->time;
        p->every = h->every > p->every ? h->every : p->every;
        p->n_nodes += h->node == i;
    }
    p->unit = p->first ? "image" : "PE";
    free(sites.table);
}
