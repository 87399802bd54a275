/* If _FORTIFY_SOURCE is set, as by Debian's packages and Ubuntu's compiler, the headers define memcpy, memmove and
 * memset themselves. */
#undef _FORTIFY_SOURCE

#include "races/copies.h"

#include "races/access.h"
#include "races/real.h"
#include "tap/tap.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

enum { MODULES = 64 };
static struct {
    uintptr_t from, to;
} modules[MODULES];
static int n_modules;

bool copies_are_looked_at(const void *address)
{
    for (int i = 0; i < n_modules; i++)
        if ((uintptr_t)address - modules[i].from < modules[i].to - modules[i].from)
            return true;
    return false;
}

static int note_module(struct dl_phdr_info *info, size_t size, void *address)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const uintptr_t from = info->dlpi_addr + p->p_vaddr;
        if (p->p_type != PT_LOAD || (uintptr_t)address - from >= p->p_memsz)
            continue;
        modules[n_modules].from = from;
        modules[n_modules++].to = from + p->p_memsz;
        return 1;
    }
    return 0;
}

void copies_look_at(const void *address)
{
    if (n_modules < MODULES && !copies_are_looked_at(address))
        dl_iterate_phdr(note_module, (void *)address);
    copies_tell();
}

void copies_tell(void)
{
    if (board && n_modules)
        board->found.compiled = 1;
}

bool copies_is_the_programs(const void *caller)
{
    return map.bytes && (tap_depth == 0 || site_statement) && copies_are_looked_at(caller);
}

void copies_note(const void *at, size_t bytes, enum access kind, const void *caller)
{
    if (copies_is_the_programs(caller))
        access_range(at, bytes, kind, caller);
}

/* The C library's functions. At start, before their addresses are known, a loop copies byte by byte. It uses volatile,
 * because the compiler would otherwise replace the loop by memcpy. */
static void *(*real_memmove)(void *to, const void *from, size_t bytes);
static void *(*real_memset)(void *to, int value, size_t bytes);

__attribute__((constructor)) static void find_real(void)
{
    union {
        void *symbol;
        void *(*move)(void *to, const void *from, size_t bytes);
        void *(*set)(void *to, int value, size_t bytes);
    } found;
    found.symbol = dlsym(RTLD_NEXT, "memmove");
    real_memmove = found.move;
    found.symbol = dlsym(RTLD_NEXT, "memset");
    real_memset = found.set;
}

static void *move(void *to, const void *from, size_t bytes)
{
    if (real_memmove)
        return real_memmove(to, from, bytes);
    volatile char *d = to;
    const char *s = from;
    const bool backwards = (uintptr_t)to - (uintptr_t)from < bytes;
    for (size_t i = 0; i < bytes; i++)
        d[backwards ? bytes - 1 - i : i] = s[backwards ? bytes - 1 - i : i];
    return to;
}

static void *fill(void *to, int value, size_t bytes)
{
    if (real_memset)
        return real_memset(to, value, bytes);
    for (size_t i = 0; i < bytes; i++)
        ((volatile char *)to)[i] = (char)value;
    return to;
}

#pragma GCC visibility push(default)

/* clang, from version 15 on, calls the names with __tsan_ for assignments of large objects. */
#define COPIES(N) void *N(void *to, const void *from, size_t bytes) { copies_note(from, bytes, ACCESS_READ, HERE); \
    copies_note(to, bytes, ACCESS_WRITE, HERE); return move(to, from, bytes); }
COPIES(memcpy)
COPIES(memmove)
COPIES(__tsan_memcpy)
COPIES(__tsan_memmove)

#define FILLS(N) void *N(void *to, int value, size_t bytes) { copies_note(to, bytes, ACCESS_WRITE, HERE); \
    return fill(to, value, bytes); }
FILLS(memset)
FILLS(__tsan_memset)
