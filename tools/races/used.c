#include "races/used.h"

#include "races/actor.h"

#include <sys/mman.h>

enum { PLACE = 8 };

/* While a use is replaced, its address is 0, because other strands may read it meanwhile. */
struct use {
    _Atomic uintptr_t at;  /* address of the place, plus 1 if the use is a write; 0: none */
    _Atomic uint64_t how;  /* from the lowest bit: 8 bits for the bytes, 16 for the site, the epoch */
};

struct used {
    struct used *next;
    uint32_t actor;
    struct use uses[USED_PLACES];
};
struct used *_Atomic used_by_any;

/* Calls no function that the program may have replaced, because accesses of such a function would be recorded. */
static struct used *begin_used(void)
{
    void *const memory = mmap(NULL, sizeof(struct used), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    struct used *const new = memory;
    new->actor = strand->actor;
    new->next = used_by_any;
    while (!atomic_compare_exchange_weak(&used_by_any, &new->next, new))
        ;
    return new;
}

static inline struct use *use_of(struct used *u, uintptr_t place)
{
    return &u->uses[place / PLACE % USED_PLACES];
}

/* Which bytes of the place are in [from, to). */
static inline uint32_t mask_of(uintptr_t place, uintptr_t from, uintptr_t to)
{
    const unsigned before = from > place ? (unsigned)(from - place) : 0;
    const unsigned behind = place + PLACE > to ? (unsigned)(place + PLACE - to) : 0;
    return 0xffu << before & 0xffu >> behind;
}

/* A load is not recorded if the strand has stored to the place in the same epoch; uses of the same kind are merged. */
static void note_place(struct use *u, uintptr_t place, uint32_t mask, bool writes, uint32_t site)
{
    const uint64_t epoch = strand->clock[strand->actor];
    const uintptr_t was_at = atomic_load_explicit(&u->at, memory_order_relaxed);
    const uint64_t was = atomic_load_explicit(&u->how, memory_order_relaxed);
    const bool same = (was_at & ~(uintptr_t)1) == place && was >> 24 == epoch, wrote = was_at & 1;
    if (same && (wrote > writes || (wrote == writes && (was & mask) == mask)))
        return;
    const uint64_t before = same && wrote == writes ? was & 0xff : 0;
    atomic_store_explicit(&u->at, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&u->how, epoch << 24 | (uint64_t)site << 8 | mask | before, memory_order_relaxed);
    atomic_store_explicit(&u->at, place + writes, memory_order_release);
}

void used_note(uintptr_t at, size_t bytes, bool writes, uint32_t site)
{
    if (!strand->used && !(strand->used = begin_used()))
        return;
    const uintptr_t to = at + bytes, from = bytes > (size_t)USED_PLACES * PLACE ? to - (size_t)USED_PLACES * PLACE : at;
    for (uintptr_t place = from / PLACE * PLACE; place < to; place += PLACE)
        note_place(use_of(strand->used, place), place, mask_of(place, at, to), writes, site);
}

/* Whether a use conflicts with an access of the bytes; if so, stores it in *found. */
static bool disturbs(struct use *u, uint32_t actor, uintptr_t from, uintptr_t to, bool writes, struct used_found *found)
{
    const uintptr_t at = atomic_load_explicit(&u->at, memory_order_acquire), place = at & ~(uintptr_t)1;
    const uint64_t how = atomic_load_explicit(&u->how, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    if (at == 0 || atomic_load_explicit(&u->at, memory_order_relaxed) != at || place + PLACE <= from || place >= to)
        return false;
    const uint32_t mask = mask_of(place, from, to) & (uint32_t)how;
    if (!mask || !(writes || at & 1) || strand->clock[actor] >= how >> 24)
        return false;
    *found = (struct used_found){.at = place + (uintptr_t)__builtin_ctz(mask), .writes = at & 1,
                                 .bytes = (size_t)__builtin_popcount(mask), .site = (uint32_t)(how >> 8) & 0xffff};
    return true;
}

bool used_find(uintptr_t from, uintptr_t to, bool writes, struct used_found *found)
{
    const uintptr_t first = from / PLACE * PLACE;
    for (struct used *u = used_by_any; u; u = u->next) {
        if (u == strand->used)
            continue;
        uintptr_t place = first;
        for (int i = 0; i < USED_PLACES && place < to; i++, place += PLACE)
            if (disturbs(use_of(u, place), u->actor, from, to, writes, found))
                return true;
    }
    return false;
}

void used_forget(uintptr_t from, uintptr_t to)
{
    for (struct used *u = used_by_any; u; u = u->next) {
        uintptr_t place = from / PLACE * PLACE;
        for (int i = 0; i < USED_PLACES && place < to; i++, place += PLACE) {
            struct use *const use = use_of(u, place);
            const uintptr_t at = atomic_load_explicit(&use->at, memory_order_relaxed) & ~(uintptr_t)1;
            if (at >= from / PLACE * PLACE && at < to)
                atomic_store_explicit(&use->at, 0, memory_order_relaxed);
        }
    }
}
