#include "races/access.h"

#include "races/report.h"
#include "tap/tap.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* tap_depth prevents threads.c from recording the lock as synchronization of the program. */
bool access_enter(void)
{
    const bool alone = actor_is_alone();
    tap_depth++;
    board_noting++;
    if (!alone)
        pthread_mutex_lock(&lock);
    return alone;
}

void access_leave(bool alone)
{
    if (!alone)
        pthread_mutex_unlock(&lock);
    board_noting--;
    tap_depth--;
}

static void report(size_t offset, size_t bytes, size_t unit, cell mine, cell other)
{
    const uint32_t before = offset > unit ? (uint32_t)(offset - unit) : 0;
    const uint32_t behind = unit + UNIT > offset + bytes ? (uint32_t)(unit + UNIT - offset - bytes) : 0;
    report_race(unit, mine | (0xffu << before & 0xffu >> behind), other);
}

void access_symmetric(size_t offset, size_t bytes, enum access kind, const struct doer *d, uint32_t site)
{
    const cell mine = cell_make(d, kind, site);
    cell other;
    size_t unit;
    if (offset + bytes <= map.bytes && !shadow_access(offset, bytes, mine, d, &other, &unit))
        report(offset, bytes, unit, mine, other); /* the library reports memory that does not exist */
}

void access_ready(const void *at, size_t bytes, const uint32_t *clock, uint32_t site)
{
    const struct doer d = actor_pe();
    cell other;
    size_t offset, unit;
    if (map_offset(at, &offset) && bytes <= map.bytes - offset && !shadow_ready(offset, bytes, clock, &other, &unit))
        report(offset, bytes, unit, cell_make(&d, ACCESS_WRITE, site), other);
}

/* Records an access of memory that is not symmetric. */
static void use_ordinary(const volatile void *at, size_t bytes, bool writes, uint32_t site)
{
    struct pending p;
    if (pending_hit((uintptr_t)at, bytes, writes, &p))
        report_buffer((const void *)at, bytes, writes, site, &p);
    if (actor_has_strands)
        used_note((uintptr_t)at, bytes, writes, site);
}

void access_local(const volatile void *at, size_t bytes, enum access kind, const struct doer *d, uint32_t site)
{
    size_t offset;
    if (bytes == 0)
        return;
    if (map_offset(at, &offset))
        access_symmetric(offset, bytes, kind, d, site);
    else
        use_ordinary(at, bytes, kind & ACCESS_WRITE, site);
}

/* The actor of a load or store. A store through a pointer of shmem_ptr into another PE's memory counts as a put. */
static struct doer doer_of(size_t offset, enum access kind)
{
    if (kind != ACCESS_WRITE || map_is_mine(offset))
        return actor_pe();
    bool is_static;
    const bool alone = access_enter();
    const struct doer d = actor_agent(AGENT_STORES, SHMEM_CTX_DEFAULT, map_owner(offset, &is_static));
    access_leave(alone);
    return d;
}

/* Checks an access of several units, or of another PE's memory. */
static __attribute__((noinline)) void look_in_full(size_t offset, size_t bytes, enum access kind, uint32_t site)
{
    const struct doer d = site_statement ? actor_pe() : doer_of(offset, kind);
    access_symmetric(offset, bytes, kind, &d, site);
}

static void note_slowly(size_t offset, size_t bytes, enum access kind, const void *caller)
{
    const uint32_t site = site_of_store(caller);
    const size_t in_unit = offset % UNIT;
    const bool is_agents = kind == ACCESS_WRITE && !map_is_mine(offset);
    if (in_unit + bytes > UNIT || is_agents) {
        look_in_full(offset, bytes, kind, site);
        return;
    }
    cell other;
    const struct doer own = actor_pe();
    const cell mine = cell_make(&own, kind, site) | (cell)(0xffu >> (UNIT - bytes)) << in_unit;
    if (!shadow_own(offset, mine, &other))
        report_race(offset - in_unit, mine, other);
}

void access_slowly(size_t offset, size_t bytes, enum access kind, const void *caller)
{
    if (board_noting)
        return;
    board_noting++;
    note_slowly(offset, bytes, kind, caller);
    board_noting--;
}

void access_ordinary(const volatile void *at, size_t bytes, bool writes, const void *caller)
{
    if (board_noting)
        return;
    board_noting++;
    use_ordinary(at, bytes, writes, site_of(caller, ""));
    board_noting--;
}

void access_range(const volatile void *at, size_t bytes, enum access kind, const void *caller)
{
    if (board_noting || !map.bytes) /* before shmem_init, and without oshrun --races, there is no board */
        return;
    board_noting++;
    const struct doer d = actor_pe();
    access_local(at, bytes, kind, &d, site_of_store(caller));
    board_noting--;
}

void access_forget_stack(void)
{
    pthread_attr_t attributes;
    void *from;
    size_t bytes;
    if (!access_remembers() || pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &from, &bytes) == 0)
        access_forget((uintptr_t)from, (uintptr_t)from + bytes);
    pthread_attr_destroy(&attributes);
}

void access_pending(const struct pending *p)
{
    struct used_found by;
    pending_add(*p);
    if (actor_has_strands && used_find(p->from, p->to, p->written, &by))
        report_buffer((const void *)by.at, by.bytes, by.writes, by.site, p);
}
