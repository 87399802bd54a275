/* Waits that end when they have become hopeless: an image has ended that somebody waits for.
 *
 * The waits are inside OpenSHMEM and SHCOLL, which know nothing of images.  Copal's library calls a handler from within
 * them when an alert has been raised; the handler asks whoever waits, and leaves by longjmp where waiting has no sense
 * any more.  Other OpenSHMEMs have no alerts: there nobody who waits inside the library learns that an image has
 * ended. */
#include "attempt.h"
#include "../caf.h"

#include <sched.h>
#include <setjmp.h>
#include <shcoll.h>
#include <time.h>

struct attempt {
    jmp_buf back;
    const char *statement;
    int pe; /* waited for, CAF_ANYBODY or CAF_COLLECTIVE */
    bool (*hopeless)(void *);
    void *context;
    struct attempt *outer;
};
static _Thread_local struct attempt *innermost;

/* Called by the library, in a wait. */
void caf_on_alert(void)
{
    struct attempt *a = innermost;
    if (a && a->hopeless(a->context))
        longjmp(a->back, 1);
}

/* For `cafrun --watch`. */
const char *caf_name_wait(int *pe)
{
    const struct attempt *a = innermost;
    if (!a)
        return NULL;
    *pe = a->pe == CAF_COLLECTIVE ? shcoll_awaited_pe : a->pe;
    return a->statement;
}

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

struct word_wait {
    uint64_t *word, least;
    bool (*hopeless)(void *);
    void *context;
};

static void wait_for_word(void *context)
{
    const struct word_wait *w = context;
    shmem_uint64_wait_until(w->word, SHMEM_CMP_GE, w->least);
}

static bool word_is_hopeless(void *context)
{
    const struct word_wait *w = context;
    /* In this order: what has come before the end has come. */
    return w->hopeless(w->context) && __atomic_load_n(w->word, __ATOMIC_ACQUIRE) < w->least;
}

bool caf_wait_for(const char *statement, int pe, uint64_t *word, uint64_t least, bool (*hopeless)(void *),
                  void *context)
{
    struct word_wait w = {word, least, hopeless, context};
    return caf_attempt(statement, pe, wait_for_word, word_is_hopeless, &w);
}

void caf_pause(unsigned *turns)
{
    const unsigned n = ++*turns;
    if (n < 64)
        return;
    if (n < 256) {
        sched_yield();
        return;
    }
    const long microseconds = n < 512 ? 20 : 500;
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}
