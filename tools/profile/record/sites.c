/* The call sites: a table of routine and return address, of constant size. Calls that do not fit are counted with
 * the first site of their routine, or with the last site of all. */
#include "profile/record/record.h"

#include <link.h>
#include <string.h>
#include <unwind.h>

static struct site table[SITES];
struct site *sites_seen[SITES_KEPT];
uint32_t sites_n;

/* --- the module shmem of Fortran ------------------------------------------------------------------------------------
 *
 * It is a library of C between the program and the routine, so the program's call is one frame further out. */

static uintptr_t between_from, between_to;

static int find_between(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (!strstr(info->dlpi_name, "/libshmem_fortran."))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            between_from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            between_to = between_from + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

static bool is_between(uintptr_t address)
{
    return UNLIKELY(address - between_from < between_to - between_from);
}

struct search {
    bool inside;
    uintptr_t found;
};

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *argument)
{
    struct search *search = argument;
    const uintptr_t at = _Unwind_GetIP(context);
    if (search->inside && !is_between(at)) {
        search->found = at;
        return _URC_END_OF_STACK;
    }
    search->inside = is_between(at);
    return _URC_NO_REASON;
}

static void *caller_of(const struct tap_call *call)
{
    struct search search = {0};
    if (!is_between((uintptr_t)call->caller))
        return call->caller;
    _Unwind_Backtrace(look, &search);
    return search.found ? (void *)search.found : call->caller;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

void sites_begin(void)
{
    dl_iterate_phdr(find_between, NULL);
}

static struct site *add(struct site *s, const struct tap_call *call, void *caller)
{
    *s = (struct site){.routine = call->routine, .caller = caller, .kind = call->kind, .number = sites_n};
    return sites_seen[sites_n++] = s;
}

static struct site *when_full(const char *routine)
{
    for (uint32_t i = 0; i < sites_n; i++)
        if (strcmp(sites_seen[i]->routine, routine) == 0)
            return sites_seen[i];
    return sites_seen[sites_n - 1];
}

struct site *site_of(const struct tap_call *call)
{
    void *const caller = caller_of(call);
    const uint64_t hash = ((uintptr_t)caller ^ (uintptr_t)call->routine << 20) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint64_t i = hash >> 32;; i++) {
        struct site *s = &table[i % SITES];
        if (s->caller == caller && s->routine == call->routine)
            return s;
        if (!s->routine)
            return sites_n < SITES_KEPT ? add(s, call, caller) : when_full(call->routine);
    }
}
