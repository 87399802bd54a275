#include "lot.h"

#include <stdatomic.h>

/* Probabilities in sixteenths: a step happens immediately, or after some turns (soon), or else late.  Late steps are
 * short enough for fast tests, but long enough for other operations to overtake them. */
static const struct odds {
    unsigned at_once, soon, turns, late; /* turns, late (microseconds): limits */
} odds[LOT_STEPS] = {
    /* Data that is not copied immediately is read as late as possible, which exposes early reuse of the source. */
    [LOT_MESSAGE_TAKEN] = {8, 4, 16, 100},
    /* Most messages are sent immediately, so that messages overtake other operations. */
    [LOT_MESSAGE_LANDS] = {11, 4, 8, 200},
    /* In one turn of eight, messages stay in the inbox, so that it fills. */
    [LOT_MESSAGE_COMES] = {14, 1, 4, 30},
    [LOT_PUT_TAKEN] = {4, 6, 16, 200},
    /* A missing flush is easily overlooked if a put's source is free already, so most puts arrive late. */
    [LOT_PUT_LANDS] = {3, 5, 32, 500},
    [LOT_GET_READS] = {4, 6, 16, 200},
    /* Completions are often reported late. */
    [LOT_DONE] = {9, 6, 16, 100},
    [LOT_FLUSHED] = {6, 8, 16, 100},
};

static _Atomic uint64_t state; /* threads may draw concurrently, at several ports */
static unsigned mood[LOT_STEPS]; /* factors of turns and times, in quarters */
static unsigned capacity;

/* A PE pauses after one event in this many, as if the kernel had preempted it; 0: never. */
static unsigned pauses_each;
static _Atomic uint64_t pause_state;
enum { SHORT_PAUSE = 200000, LONG_PAUSE = 5000000 }; /* most ns of a pause; one in eight is long */

#define STEP 0x9e3779b97f4a7c15u

static uint64_t mix(uint64_t z) /* splitmix64 */
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t next(uint64_t *of)
{
    return mix(*of += STEP);
}

void lot_begin(uint64_t seed, int pe)
{
    static const unsigned moods[] = {0, 1, 4, 4, 4, 8}, capacities[] = {1, 2, 4, 16, 1000};
    static const unsigned each[] = {0, 4096, 1024, 512, 256};
    uint64_t common = seed;
    for (int i = 0; i < LOT_STEPS; i++)
        mood[i] = moods[next(&common) % (sizeof moods / sizeof *moods)];
    capacity = capacities[next(&common) % (sizeof capacities / sizeof *capacities)];
    uint64_t late = ~seed;
    pauses_each = each[next(&late) % (sizeof each / sizeof *each)];
    pause_state = late ^ ((uint64_t)(unsigned)pe + 1) << 32;
    state = common ^ ((uint64_t)(unsigned)pe + 1) << 32;
    lot(1);
}

static unsigned draw(_Atomic uint64_t *of, unsigned n)
{
    return (unsigned)(mix(atomic_fetch_add(of, STEP) + STEP) >> 33) % n;
}

unsigned lot(unsigned n)
{
    return draw(&state, n);
}

unsigned lot_pause(void)
{
    if (!pauses_each || draw(&pause_state, pauses_each))
        return 0;
    return draw(&pause_state, draw(&pause_state, 8) ? SHORT_PAUSE : LONG_PAUSE);
}

struct lot_wait lot_draw(enum lot_step step, uint64_t now)
{
    const struct odds *o = &odds[step];
    const unsigned drawn = lot(16);
    if (!mood[step] || drawn < o->at_once)
        return (struct lot_wait){0};
    const uint64_t most = 1 + (uint64_t)o->late * 1000 * mood[step] / 4;
    if (drawn < o->at_once + o->soon)
        return (struct lot_wait){.due = now + most, .turns = 1 + lot(o->turns * mood[step] / 4 + 1)};
    return (struct lot_wait){.due = now + lot((unsigned)most), .turns = UINT32_MAX};
}

unsigned lot_capacity(unsigned most)
{
    return capacity < most ? capacity : most;
}
