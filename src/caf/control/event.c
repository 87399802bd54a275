/* EVENT POST, EVENT WAIT, event_query: a counter at the waiting image.
 *
 * Any number of posts may precede a wait: posts add to the counter in any order, and a wait subtracts its count.  One
 * word is therefore enough. */
#include "../access/order.h"
#include "attempt.h"
#include "team.h"

#include <stdlib.h>

int caf_event_post(int pe, void *event)
{
    if (CAF_UNLIKELY(*caf_alerts)) {
        const int state = caf_pe_state(pe);
        if (state)
            return caf_say_ended("event post", pe, state);
    }
#if CAF_HAVE_CALLS
    if (caf_signal_must_wait(pe) && caf_can_call(pe)) {
        __atomic_thread_fence(__ATOMIC_ACQ_REL);
        shmemx_signal_after(event, 1, pe); /* MUTANT a deferred post comes after all: shmem_signal_add(event, 1, pe); */
        caf_note_post(pe, event);
        return CAF_OK;
    }
#endif
    caf_complete_segment_for(pe); /* MUTANT a post ends a segment */
#if CAF_HAVE_BLOCKS
    shmem_signal_add(event, 1, pe); /* sent immediately; an atomic operation might be held to be combined with others */
#else
    shmem_ulong_atomic_inc(event, pe);
#endif
    caf_note_post(pe, event); /* MUTANT posts are noted */
    return CAF_OK;
}

int caf_event_query(int pe, const void *event, int64_t *count)
{
    *count = (int64_t)shmem_ulong_atomic_fetch(event, pe);
    if (CAF_UNLIKELY(*caf_alerts) && caf_pe_state(pe) == CAF_STAT_FAILED_IMAGE)
        return caf_say_ended("event_query", pe, CAF_STAT_FAILED_IMAGE);
    return CAF_OK;
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

/* By PE: whether a wait of this image has already reported the PE's failure. The posting image is unknown, so each
 * failure ends one wait, and only one: a program that continues can still use events. */
static bool *told;

/* The status of a wait: CAF_OK if a running image may still post, and every failure has been reported. */
static int loss(const struct caf_team *t, int *position)
{
    int ended = 0, worst = CAF_OK;
    for (int i = 0; i < t->n; i++) {
        const int pe = caf_position_pe(t, i), state = i == t->me ? CAF_OK : caf_pe_state(pe);
        ended += state != CAF_OK;
        if (state > worst) {
            worst = state;
            *position = i;
        }
        if (state == CAF_STAT_FAILED_IMAGE && !told[pe]) {
            *position = i;
            return state;
        }
    }
    return ended == t->n - 1 ? worst : CAF_OK;
}

static bool is_hopeless(void *team)
{
    int position;
    return loss(team, &position) != CAF_OK;
}

/* As no known image must act, F2018 11.6.11 excludes STAT_STOPPED_IMAGE and STAT_FAILED_IMAGE for EVENT WAIT. */
static int say_loss(const struct caf_team *t)
{
    int position = 0;
    const int state = loss(t, &position);
    if (state == CAF_STAT_STOPPED_IMAGE)
        return caf_say(CAF_STAT_ERROR, "event wait: all other images of the team have stopped");
    told[caf_position_pe(t, position)] = true;
    caf_say_ended("event wait", caf_position_pe(t, position), state);
    return CAF_STAT_ERROR;
}

int caf_event_wait(void *event, int64_t until_count)
{
    const uint64_t wanted = until_count < 1 ? 1 : (uint64_t)until_count;
    if (!told && !(told = calloc((size_t)shmem_n_pes(), sizeof *told)))
        caf_fatal("event wait: no memory to note which images have failed");
    if (__atomic_load_n((uint64_t *)event, __ATOMIC_ACQUIRE) < wanted &&
        CAF_UNLIKELY(!caf_wait_for("event wait", CAF_POSTER, event, wanted, is_hopeless, caf_current)))
        return say_loss(caf_current);
    /* MUTANT EVENT WAIT takes its posts back: fetch_add => add */
    (void)shmem_ulong_atomic_fetch_add(event, (uint64_t)0 - wanted, caf_my_pe); /* complete at return */
    return CAF_OK;
}
