#include "races/site.h"

#include "races/board.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Atomic uint64_t site_cache[4096];
_Thread_local uint32_t site_statement;

struct module {
    uintptr_t address, base;
    const char *wanted;
    char name[sizeof board->module[0]];
    bool found;
};

static int look_at_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct module *m = arg;
    char name[sizeof m->name];
    (void)size;
    snprintf(name, sizeof name, "%s", info->dlpi_name);
    if (!name[0]) { /* the program itself */
        const ssize_t n = readlink("/proc/self/exe", name, sizeof name - 1);
        name[n > 0 ? n : 0] = '\0';
    }
    for (int i = 0; i < info->dlpi_phnum && !m->found; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        m->found = p->p_type == PT_LOAD && (m->wanted ? strcmp(name, m->wanted) == 0
                                                      : m->address - info->dlpi_addr - p->p_vaddr < p->p_memsz);
    }
    m->base = info->dlpi_addr;
    strcpy(m->name, name);
    return m->found;
}

static uint32_t module_number(const char *name)
{
    uint32_t n = board->modules;
    for (uint32_t i = 0; i < n && i < BOARD_MODULES; i++)
        if (strcmp(board->module[i], name) == 0)
            return i;
    n = atomic_fetch_add(&board->modules, 1); /* two PEs may add it twice, which is harmless */
    if (n >= BOARD_MODULES)
        return BOARD_MODULES - 1;
    strcpy(board->module[n], name);
    return n;
}

static bool is_collective(const char *routine)
{
    static const char *const names[] = {"broadcast", "collect", "alltoall", "reduce", "scan", "_to_all"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(routine, names[i]))
            return true;
    return false;
}

uint32_t site_new(const void *returns_to, const char *routine)
{
    enum { PROBES = 64 };
    struct module m = {.address = (uintptr_t)returns_to - 1};
    if (!dl_iterate_phdr(look_at_module, &m))
        return 0;
    const uint64_t key = board_hash(board_hash_text(m.name) + m.address - m.base) | 1;
    for (uint64_t i = 0; i < PROBES; i++) {
        const uint32_t site = (uint32_t)(key + i) % BOARD_SITES;
        struct board_site *s = &board->site[site];
        uint64_t none = 0;
        if (site == 0)
            continue;
        if (atomic_compare_exchange_strong(&s->key, &none, key)) {
            s->offset = m.address - m.base;
            s->module = (uint16_t)module_number(m.name);
            snprintf(s->routine, sizeof s->routine, "%s", routine);
            s->is_real = strstr(routine, "_float_") || strstr(routine, "_double_");
            s->is_collective = is_collective(routine);
            none = key;
        }
        if (none == key) {
            const uint64_t at = (uintptr_t)returns_to;
            site_cache[(at ^ at >> 12) % 4096] = at << 16 | site;
            return site;
        }
    }
    return 0;
}

uintptr_t site_address(uint32_t site)
{
    const struct board_site *s = &board->site[site];
    struct module m = {.wanted = board->module[s->module]};
    return site && dl_iterate_phdr(look_at_module, &m) ? m.base + s->offset : 0;
}

const char *site_routine(uint32_t site)
{
    return site ? board->site[site].routine : "";
}
