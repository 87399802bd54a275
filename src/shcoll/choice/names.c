/* The algorithms of all collectives, and their names. */
#include "names.h"

#include <stdio.h>
#include <stdlib.h>

const char *const shcoll_collective_names[SHCOLL_COLLECTIVES] = {
    "sync", "broadcast", "fcollect", "collect", "alltoall", "alltoalls", "reduce", "inscan", "exscan",
};

const struct shcoll_algorithm *const shcoll_tables[SHCOLL_COLLECTIVES] = {
    shcoll_sync_rows, shcoll_broadcast_rows, shcoll_fcollect_rows, shcoll_collect_rows, shcoll_alltoall_rows,
    shcoll_alltoalls_rows, shcoll_reduce_rows, shcoll_scan_rows, shcoll_scan_rows,
};

static const char *const form_names[FORMS] = {"", "put", "signal", "get", "shmem_ptr", "barrier", "counter", "slots"};

enum shcoll_collective shcoll_collective_of(const struct shcoll_algorithm *row)
{
    for (int i = 0; i < SHCOLL_COLLECTIVES; i++)
        for (const struct shcoll_algorithm *at = shcoll_tables[i]; at->name; at++)
            if (at == row)
                return (enum shcoll_collective)i;
    return SHCOLL_COLLECTIVES;
}

struct shcoll_choice shcoll_algorithm_number(enum shcoll_collective collective, int i)
{
    const struct shcoll_algorithm *row = shcoll_tables[collective];
    while (row->name && i > 0)
        row++, i--;
    return row->name ? (struct shcoll_choice){row, row->k} : (struct shcoll_choice){NULL, 0};
}

/* Length of the part of a name that ends with a colon or the string. */
static size_t part_length(const char *part)
{
    return strcspn(part, ":");
}

static bool part_is(const char *part, const char *word)
{
    return strlen(word) == part_length(part) && strncmp(part, word, strlen(word)) == 0;
}

struct shcoll_choice shcoll_find(enum shcoll_collective collective, const char *name)
{
    const struct shcoll_choice none = {NULL, 0};
    const char *rest = name + part_length(name);
    const char *form = *rest && !strchr("0123456789", rest[1]) ? rest + 1 : NULL;
    const char *radix = form ? form + part_length(form) : rest;
    int k = 0;
    if (*radix) {
        char *end;
        const long value = strtol(radix + 1, &end, 10);
        if (*end || end == radix + 1 || value < 2 || value > UINT16_MAX)
            return none;
        k = (int)value;
    }
    for (const struct shcoll_algorithm *row = shcoll_tables[collective]; row->name; row++)
        if (part_is(name, row->name) && (!form || part_is(form, form_names[row->form])) && (k == 0 || row->k))
            return (struct shcoll_choice){row, k ? k : row->k};
    return none;
}

const char *shcoll_name(struct shcoll_choice choice, char *text)
{
    const char *form = form_names[choice.algorithm->form];
    int used = snprintf(text, SHCOLL_NAME_BYTES, "%s%s%s", choice.algorithm->name, *form ? ":" : "", form);
    if (choice.algorithm->k)
        snprintf(text + used, SHCOLL_NAME_BYTES - (size_t)used, ":%d", choice.k);
    return text;
}
