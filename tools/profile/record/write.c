/* Writes the profile file: to a temporary file that is renamed, so that it is either complete or absent. */
#include "profile/record/record.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct piece_head head;
struct piece_traffic *traffic;

enum { MODULES = 64 };
static struct piece_module modules[MODULES];
static uint32_t modules_n;

/* The number of the module that contains this address, and the offset there; MODULES if unknown. */
static uint32_t module_of(void *address, uint64_t *offset)
{
    Dl_info info;
    struct link_map *map;
    char path[sizeof modules[0].path] = "";
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP))
        return MODULES;
    if (map->l_name[0])
        snprintf(path, sizeof path, "%s", map->l_name);
    else if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) /* the program itself */
        return MODULES;
    *offset = (uintptr_t)address - map->l_addr;
    for (uint32_t i = 0; i < modules_n; i++)
        if (strcmp(modules[i].path, path) == 0)
            return i;
    if (modules_n == MODULES)
        return MODULES;
    strcpy(modules[modules_n].path, path);
    return modules_n++;
}

/* The time of all calls, estimated if not all were timed. */
static uint64_t time_of_all(const struct site *s)
{
    const double each = s->timed ? (double)ticks_as_duration(s->timed_ticks) / (double)s->timed : 0;
    return ticks_as_duration(s->ticks) + (uint64_t)(each * (double)s->quick);
}

static struct piece_site site_to_write(const struct site *s)
{
    struct piece_site p = {.class = class_of(s->kind), .calls = s->calls, .bytes = s->bytes,
                           .time = time_of_all(s),
                           .longest = ticks_as_duration(s->longest),
                           .largest = s->largest};
    strncpy(p.routine, s->routine, sizeof p.routine - 1);
    p.module = module_of((char *)s->caller - 1, &p.offset);
    return p;
}

static void write_all(FILE *out)
{
    struct piece_head h = head;
    struct piece_site *written = calloc(sites_n ? sites_n : 1, sizeof *written);
    for (uint32_t i = 0; written && i < sites_n; i++)
        written[i] = site_to_write(sites_seen[i]);
    h.began = ticks_as_time((uint64_t)head.began);
    h.met = ticks_as_time((uint64_t)head.met);
    h.ended = ticks_as_time(ticks_now());
    h.n_sites = written ? sites_n : 0;
    h.n_modules = modules_n;
    h.n_arrivals = arrivals_n;
    h.every = arrivals_every;
    h.n_memory = memory_n;
    h.n_algorithms = algorithms_n;
    h.n_events = events_n;
    h.events_cut = events_cut;
    fwrite(&h, sizeof h, 1, out);
    fwrite(traffic, sizeof *traffic, (size_t)h.n_pes, out);
    fwrite(modules, sizeof *modules, modules_n, out);
    fwrite(written, sizeof *written, h.n_sites, out);
    for (uint32_t i = 0; i < arrivals_n; i++) {
        struct piece_arrival a = arrivals[i].is;
        a.entered = ticks_as_time(arrivals[i].entered);
        a.left = ticks_as_time(arrivals[i].left);
        fwrite(&a, sizeof a, 1, out);
    }
    fwrite(algorithms, sizeof *algorithms, algorithms_n, out);
    for (uint32_t i = 0; i < memory_n; i++) {
        const struct piece_memory m = {ticks_as_time(memory_samples[i].tick), memory_samples[i].bytes};
        fwrite(&m, sizeof m, 1, out);
    }
    for (uint32_t i = 0; i < events_n; i++) {
        struct piece_event e = events[i];
        e.began = ticks_as_time((uint64_t)e.began);
        e.ended = ticks_as_time((uint64_t)e.ended);
        fwrite(&e, sizeof e, 1, out);
    }
    free(written);
}

void piece_write(const char *folder)
{
    char path[4096], whole[4096];
    snprintf(whole, sizeof whole, "%s/" PIECE_FOLDER "/%d", folder, head.pe);
    if ((size_t)snprintf(path, sizeof path, "%s.new", whole) >= sizeof path)
        return;
    FILE *out = fopen(path, "wbe");
    if (out)
        write_all(out);
    const bool is_written = out && fflush(out) == 0 && !ferror(out); /* else errno has the reason */
    if (is_written && fclose(out) == 0 && rename(path, whole) == 0)
        return;
    fprintf(stderr, "copal: PE %d: the profile cannot be written to %s: %s\n", head.pe, whole, strerror(errno));
    if (out)
        unlink(path);
}
