/* The data that PEs have put and that has not landed (arrived) yet. */
#include "world.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LANDINGS = 4096, COPIES_BYTES = 8 << 20 };
struct landing landings[MOST_LANDINGS];
int n_landings;

static _Alignas(64) char copies[COPIES_BYTES];
static size_t copied;
static uint32_t operation;

/* For a source and a target: the oldest epoch that has not landed, and its number of landings. */
static struct oldest {
    uint32_t epoch;
    int count;
} oldest[MOST_PES][MOST_PES];

void landings_forget(void)
{
    n_landings = 0;
    copied = 0;
    operation = 0;
    memset(oldest, 0, sizeof oldest);
}

void next_operation(void)
{
    operation++;
}

static struct oldest *oldest_of(const struct landing *landing)
{
    return &oldest[landing->source][landing->target];
}

bool may_land(const struct landing *landing)
{
    if (landing->epoch != oldest_of(landing)->epoch)
        return false;
    if (landing->effect == EFFECT_BYTES)
        return true;
    for (const struct landing *older = landings; older < landing; older++) {
        if (older->source != landing->source || older->target != landing->target)
            continue;
        if (landing->is_signal && older->operation == landing->operation)
            return false;
        if (older->effect == EFFECT_BYTES ? landing->is_signal && older->is_signal && world.signals_vouch
                                          : world.words_in_order)
            return false;
    }
    return true;
}

/* Half of the landings happen when no PE can continue: late, and in any order. The others may happen at any time. */
static int64_t any_priority(void)
{
    const uint64_t drawn = draw();
    const int64_t priority = (int64_t)(drawn >> 34);
    return drawn % 2 ? priority - ((int64_t)1 << 40) : priority;
}

static void add(struct landing landing)
{
    if (n_landings == MOST_LANDINGS) {
        fail("in the test: more than %d effects have yet to land", MOST_LANDINGS);
        return;
    }
    struct pe *me = &world.pe[world.me];
    landing.source = (signed char)world.me;
    landing.epoch = me->epoch;
    landing.operation = operation;
    landing.priority = any_priority();
    struct oldest *o = oldest_of(&landing);
    if (o->count == 0)
        o->epoch = landing.epoch;
    o->count += o->epoch == landing.epoch;
    me->landing++;
    landings[n_landings++] = landing;
}

/* A word is never torn; longer data may arrive in parts. */
void put_late(void *to, const void *from, size_t bytes, int target, bool lent, bool has_signal)
{
    if (bytes == 0)
        return;
    if (!lent) {
        if (copied + bytes > COPIES_BYTES)
            fail("in the test: no space for a copy of %zu bytes", bytes);
        memcpy(copies + copied, from, bytes);
        from = copies + copied;
        copied += (bytes + 15) / 16 * 16;
    }
    const size_t words = bytes / 8, first = (size_t)to % 8 ? 8 - (size_t)to % 8 : 0;
    const uint64_t drawn = words > 1 ? draw() : 0;
    size_t at = 0;
    if (drawn % 4 == 1) { /* the offset of the cut, between two words */
        const size_t cut = first + drawn / 4 % words * 8;
        if (cut < bytes && cut > 0) {
            add((struct landing){.effect = EFFECT_BYTES, .target = (signed char)target, .to = to, .from = from,
                                 .bytes = cut, .is_signal = has_signal});
            at = cut;
        }
    }
    add((struct landing){.effect = EFFECT_BYTES, .target = (signed char)target, .to = (char *)to + at,
                         .from = (const char *)from + at, .bytes = bytes - at,
                         .is_signal = has_signal});
}

void word_late(enum effect effect, void *to, int size, uint64_t value, int target, bool is_signal)
{
    add((struct landing){.effect = effect, .target = (signed char)target, .to = to, .size = (unsigned char)size,
                         .value = value, .is_signal = is_signal});
}

static uint64_t changed(enum effect effect, uint64_t old, uint64_t value)
{
    switch (effect) {
    case EFFECT_ADD: return old + value;
    case EFFECT_OR: return old | value;
    case EFFECT_AND: return old & value;
    case EFFECT_XOR: return old ^ value;
    default: return value;
    }
}

void apply(enum effect effect, void *to, int size, uint64_t value)
{
    if (size == 4)
        *(uint32_t *)to = (uint32_t)changed(effect, *(uint32_t *)to, value);
    else
        *(uint64_t *)to = changed(effect, *(uint64_t *)to, value);
}

static void say(const struct landing *l)
{
    const size_t offset = (size_t)((char *)l->to - arena_of(l->target));
    fprintf(stderr, "%5u        lands at PE %d + %#zx, from PE %d: ", world.steps, l->target, offset, l->source);
    if (l->effect == EFFECT_BYTES)
        fprintf(stderr, "%zu bytes\n", l->bytes);
    else
        fprintf(stderr, "%s %llu\n", l->effect == EFFECT_ADD ? "+" : "word", (unsigned long long)l->value);
}

void land(int i)
{
    const struct landing landing = landings[i];
    memmove(&landings[i], &landings[i + 1], (size_t)(--n_landings - i) * sizeof landing); /* the oldest stay first */
    if (world.traced)
        say(&landing);
    if (landing.effect == EFFECT_BYTES)
        memmove(landing.to, landing.from, landing.bytes);
    else
        apply(landing.effect, landing.to, landing.size, landing.value);
    world.pe[landing.source].landing--;
    struct oldest *o = oldest_of(&landing);
    if (--o->count > 0)
        return;
    uint32_t epoch = UINT32_MAX;
    for (int j = 0; j < n_landings; j++)
        if (oldest_of(&landings[j]) == o && landings[j].epoch < epoch)
            epoch = landings[j].epoch;
    for (int j = 0; j < n_landings; j++)
        o->count += oldest_of(&landings[j]) == o && landings[j].epoch == epoch;
    o->epoch = epoch;
}
