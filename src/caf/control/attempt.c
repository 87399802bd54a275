/* Waits that end early when they have become hopeless, because an awaited image has ended.
 *
 * The waits are inside OpenSHMEM and SHCOLL, which know nothing of images.  When an alert has been raised, Copal's
 * library calls a handler from within the waits; the handler checks the innermost attempt, and leaves it by longjmp if
 * it is hopeless.  Other OpenSHMEMs have no alerts: there a wait inside the library does not end. */
#include "attempt.h"
#include "../../common/clock.h"
#include "../access/order.h"
#include "../memory/heap.h"
#include "team.h"

#include <sched.h>
#include <setjmp.h>
#include <shcoll.h>
#include <stdio.h>
#include <time.h>

struct attempt {
    jmp_buf back;
    const char *statement;
    int pe; /* the PE that is waited for, or CAF_ANYBODY, ... */
    bool (*hopeless)(void *);
    void *context;
    struct attempt *outer;
};
static _Thread_local struct attempt *innermost;

struct word_wait {
    uint64_t *word, least;
    bool (*hopeless)(void *);
    void *context;
};

int (*caf_lock_holder)(const void *lock, bool *is_sure);

/* Called by the library within a wait. */
void caf_on_alert(void)
{
    struct attempt *a = innermost;
    if (a && a->hopeless(a->context))
        longjmp(a->back, 1);
}

#if CAF_HAVE_ALERTS
/* For `cafrun --watch`. The address of a team's symmetric memory identifies the team among its members. */
const char *caf_name_wait(shmemx_wait *wait)
{
    const struct attempt *a = innermost;
    if (!a)
        return NULL;
    wait->pe = a->pe == CAF_COLLECTIVE ? shcoll_awaited_pe : a->pe < 0 ? -1 : a->pe;
    if (a->pe == CAF_ALL_MEMBERS) {
        const struct caf_operation *o = a->context;
        const struct caf_team *t = o->team;
        *wait = (shmemx_wait){.pe = -1, .n_pes = t->n, .pes = t->pes,
                              .team = (uint64_t)((char *)t->progress - caf_heap),
                              .number = t->syncs + t->collectives, .kind = o->body != NULL};
    }
    if (a->pe == CAF_ALL)
        *wait = (shmemx_wait){.pe = -1, .n_pes = *(int *)a->context, .team = UINT64_MAX};
    const struct word_wait *w = a->context;
    bool is_sure = true;
    if (a->pe == CAF_HOLDER)
        wait->pe = caf_lock_holder(w->context, &is_sure);
    wait->kind |= !is_sure;
    if (a->pe != CAF_POSTER)
        return a->statement;
    static _Thread_local char text[60];
    snprintf(text, sizeof text, "%s (%llu of %llu posts have arrived)", a->statement,
             (unsigned long long)__atomic_load_n(w->word, __ATOMIC_RELAXED), (unsigned long long)w->least);
    return text;
}
#endif

bool caf_attempt(const char *statement, int pe, void (*body)(void *), bool (*hopeless)(void *), void *context)
{
    struct attempt a = {.statement = statement, .pe = pe, .hopeless = hopeless, .context = context, .outer = innermost};
    innermost = &a;
    const bool went_through = _setjmp(a.back) == 0;
    if (went_through)
        body(context);
    innermost = a.outer;
    return went_through;
}

static void wait_for_word(void *context)
{
    const struct word_wait *w = context;
    shmem_uint64_wait_until(w->word, SHMEM_CMP_GE, w->least);
}

static bool word_is_hopeless(void *context)
{
    const struct word_wait *w = context;
    /* In this order, because an image ends after its last signals. */
    return w->hopeless(w->context) && __atomic_load_n(w->word, __ATOMIC_ACQUIRE) < w->least;
}

bool caf_wait_for(const char *statement, int pe, uint64_t *word, uint64_t least, bool (*hopeless)(void *),
                  void *context)
{
    struct word_wait w = {word, least, hopeless, context};
    return caf_attempt(statement, pe, wait_for_word, word_is_hopeless, &w);
}

/* src/wait/wait.c gives the reason, at give_away. */
bool caf_give_away(void)
{
    enum { SLICE = 1000000, KEEPS = 256000000 }; /* ns */
    static uint64_t not_before;
    const uint64_t at = clock_told();
    if (at < not_before)
        return false;
    sched_yield();
    const uint64_t back = clock_told();
    if (CAF_UNLIKELY(back - at >= SLICE))
        not_before = back + KEEPS;
    return true;
}

void caf_serve(void)
{
    if (caf_spans_nodes())
        (void)shmem_ulong_atomic_fetch((void *)caf_heap, caf_my_pe);
}

void caf_pause(unsigned *turns)
{
    caf_serve(); /* MUTANT pauses serve */
    const unsigned n = ++*turns;
    if (n < 64 || (n < 256 && caf_give_away()))
        return;
    const long microseconds = n < 512 ? 20 : 500;
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}
