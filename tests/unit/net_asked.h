/* The operations that the order tests have requested from the net, and the times at which each may and must be
 * visible. */
#pragma once

#include "net_by_lot.h"

enum { CONTEXTS = 3, MOST = 64, FROM = 8192 }; /* below FROM all is zero */
static struct net_context *context[CONTEXTS];

/* A store of n blocks of a pattern at a peer, or a load of data that was put there for it. */
static struct asked {
    int context, pe;
    unsigned epoch; /* fences of its context before it */
    unsigned char *at, *source;
    size_t n, block, step;
    struct asked *after; /* the data of this signal */
    bool is_load, complete, seen;
    bool fetches;        /* a nonblocking atomic, which a deferred signal need not follow */
    bool after_all;      /* a deferred signal; neither fences nor calls order it before later operations */
} asked[MOST];
static size_t n_asked;
static place next_place;
static unsigned epoch[CONTEXTS];

static unsigned char pattern(const struct asked *a, size_t i)
{
    return (unsigned char)(1 + (i * 7 + (size_t)(a - asked) * 31 + (size_t)a->pe) % 251);
}

static bool is_complete(struct asked *a)
{
    for (size_t i = 0; i < a->n * a->block && !a->complete; i++)
        if (a->at[i / a->block * a->step + i % a->block] != pattern(a, i))
            return false;
    return a->complete = true;
}

static bool is_begun(const struct asked *a)
{
    for (size_t i = 0; i < a->n * a->block; i++)
        if (a->at[i / a->block * a->step + i % a->block])
            return true;
    return false;
}

static void check_seen(void)
{
    for (struct asked *a = asked; a < asked + n_asked; a++) {
        if (a->is_load || a->seen || !is_begun(a))
            continue;
        a->seen = true;
        CHECK(!a->after || is_complete(a->after), "PE %d sees a signal before its %zu bytes", a->pe, a->after->block);
        for (struct asked *b = asked; b < a && a->after_all; b++)
            if (!b->is_load && !b->fetches && b->context == a->context)
                CHECK(is_complete(b), "PE %d sees a signal before %zu blocks of %zu bytes are complete at PE %d", a->pe,
                      b->n, b->block, b->pe);
        for (struct asked *b = asked; b < asked + n_asked; b++)
            if (!b->is_load && !b->after_all && b->context == a->context && b->pe == a->pe && b->epoch < a->epoch)
                CHECK(is_complete(b),
                      "PE %d sees %zu blocks of %zu bytes before %zu of %zu, which a fence put before them",
                      a->pe, a->n, a->block, b->n, b->block);
    }
}

/* All operations of a context, or those on one PE. */
static void check_complete(int of, int pe, const char *after)
{
    for (struct asked *a = asked; a < asked + n_asked; a++)
        if ((of < 0 || a->context == of) && (pe < 0 || a->pe == pe)) {
            CHECK(is_complete(a), "after %s, a %s of %zu blocks of %zu bytes at PE %d is not complete", after,
                  a->is_load ? "get" : "put", a->n, a->block, a->pe);
            if (a->source && !a->is_load)
                memset(a->source, 0xee, a->n * a->block); /* the program may change it again */
        }
}

static struct asked *ask(int of, int pe, size_t n, size_t block, bool is_load)
{
    struct asked *a = &asked[n_asked++];
    *a = (struct asked){.context = of, .pe = pe, .epoch = epoch[of], .n = n, .block = block, .step = 2 * block,
                        .is_load = is_load};
    a->source = calloc(1, 2 * n * block);
    a->at = is_load ? a->source : memory[pe] + next_place;
    for (size_t i = 0; i < n * block; i++)
        if (is_load)
            memory[pe][next_place + i / block * a->step + i % block] = pattern(a, i);
        else
            a->source[i] = pattern(a, i);
    next_place += 2 * n * block;
    next_place = (next_place + 7) & ~(place)7;
    return a;
}

static place place_of_asked(const struct asked *a) { return (place)(a->at - memory[a->pe]); }

/* The source of a blocking put may be reused; the data of a blocking get has arrived. */
static void returned(struct asked *a, enum net_mode mode)
{
    if (mode == NET_NBI)
        return;
    if (a->is_load)
        CHECK(is_complete(a), "a get of %zu blocks of %zu bytes from PE %d has not come", a->n, a->block, a->pe);
    else
        memset(a->source, 0xee, a->n * a->block);
}

static const size_t sizes[] = {8, 8, 100, 240, 500, 900, 2100, 3000};
