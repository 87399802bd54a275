/* Images: their number, their PEs, and which have stopped or failed. */
#include "image.h"
#include "../error.h"
#include "../access/held.h"
#include "../memory/heap.h"
#include "../settings.h"
#include "attempt.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct caf_public *caf_public;
struct caf_team *caf_current;
struct caf_images caf_images;

/* By remote PE: its status, and the value of caf_alerts when the status was read. */
static struct {
    uint32_t alerts;
    int status;
} *known;

static const volatile uint32_t no_alerts;
const volatile uint32_t *caf_alerts = &no_alerts;

void caf_images_begin(void)
{
    caf_public = caf_heap_allocate(sizeof *caf_public);
    if (!caf_public)
        caf_fatal("start: no memory for an image's record; "
                  "increase the symmetric heap (SHMEM_SYMMETRIC_SIZE)");
    caf_public->state = CAF_RUNNING;
    caf_public->spoken = 0;
    caf_errors_begin(&caf_public->spoken);
    caf_public->never = 0;
    caf_public->debug = caf_debug();
    if (getentropy(&caf_public->random, sizeof caf_public->random))
        caf_public->random = (uint64_t)time(NULL) << 20 ^ (uint64_t)getpid();
    known = calloc((size_t)shmem_n_pes(), sizeof *known);
    if (!known || !caf_reach_begin(&caf_public->about, caf_heap, caf_heap_bytes))
        caf_fatal("start: no memory for the states of the other images");
#if CAF_HAVE_ALERTS
    caf_alerts = shmemx_alerts();
    shmemx_name_waits(caf_name_wait);
#endif
}

/* --- images and PEs ----------------------------------------------------------------------------------------------- */

void caf_enter_team(struct caf_team *t)
{
    caf_current = t;
    caf_images = (struct caf_images){t->n, t->me + 1, t->pes};
    caf_heap_serve(t->depth == 0);
    caf_hold(t->depth == 0);
    if (caf_accesses_change)
        caf_accesses_change();
}

int caf_this_image(const struct caf_team *team)
{
    return (team ? team : caf_current)->me + 1;
}

int caf_num_images(const struct caf_team *team)
{
    return (team ? team : caf_current)->n;
}

int caf_pe(const struct caf_team *team, int image)
{
    const struct caf_team *t = team ? team : caf_current;
    if (CAF_UNLIKELY((unsigned)image - 1 >= (unsigned)t->n)) {
        caf_say(CAF_STAT_ERROR, "image index %d%s, allowed are 1 to %d%s", image, team ? "" : caf_of_current_team(),
                t->n, caf_alone());
        return -1;
    }
    return caf_position_pe(t, image - 1);
}

uint64_t caf_job_random(void)
{
    uint64_t random;
    shmem_getmem(&random, &caf_public->random, sizeof random, 0);
    return random;
}

/* --- ended images ------------------------------------------------------------------------------------------------- */

static int status_of(int pe, int state)
{
    if (state == CAF_STOPPED)
        return CAF_STAT_STOPPED_IMAGE;
#if CAF_HAVE_ALERTS
    if (shmemx_pe_state(pe) == SHMEMX_PE_DEAD)
        return CAF_STAT_FAILED_IMAGE;
#else
    (void)pe; /* no alerts: deaths are not reported */
#endif
    return state == CAF_FAILED ? CAF_STAT_FAILED_IMAGE : CAF_OK;
}

/* An alert reports each change of state, so between two alerts a remote PE is queried once. */
static int far_state(int pe)
{
    const uint32_t alerts = *caf_alerts;
    if (CAF_HAVE_ALERTS && (known[pe].status != CAF_OK || known[pe].alerts == alerts))
        return known[pe].status;
    enum { NOTHING_CAME = -1 };
    int state = NOTHING_CAME;
    shmem_getmem(&state, &caf_public->state, sizeof state, pe);
    /* An image that has replied is alive, but the memory of a local one remains. */
    known[pe].status = state == CAF_RUNNING && !caf_peers_are_far ? CAF_OK : status_of(pe, state);
    known[pe].alerts = alerts;
    return known[pe].status;
}

int caf_pe_state(int pe)
{
    const struct caf_public *near = (void *)caf_near(pe, caf_public);
    return near ? status_of(pe, __atomic_load_n(&near->state, __ATOMIC_ACQUIRE)) : far_state(pe);
}

bool caf_has_ended(void *pe)
{
    return caf_pe_state(*(int *)pe) != CAF_OK;
}

static const char *has_ended(int status)
{
    return status == CAF_STAT_FAILED_IMAGE ? "has failed" : "has stopped";
}

int caf_image_status(const struct caf_team *team, int image)
{
    const int pe = caf_pe(team, image);
    if (pe < 0)
        caf_fatal("image_status: %s", caf_message());
    return caf_pe_state(pe);
}

int caf_images_with_status(const struct caf_team *team, int status, int *images)
{
    const struct caf_team *t = team ? team : caf_current;
    int found = 0;
    for (int i = 0; i < t->n; i++)
        if (caf_pe_state(caf_position_pe(t, i)) == status)
            images[found++] = i + 1;
    return found;
}

bool caf_team_lost_slowly(struct caf_team *t)
{
    const uint32_t alerts = *caf_alerts;
    t->lost = false;
    for (int i = 0; i < t->n && !t->lost; i++)
        t->lost = caf_pe_state(caf_position_pe(t, i)) != CAF_OK;
    t->alerts_seen = alerts;
    return t->lost;
}

const char *caf_of_initial_team(void)
{
    return caf_current->parent ? " of the initial team" : "";
}

const char *caf_of_current_team(void)
{
    return caf_current->parent ? " of the current team" : "";
}

int caf_say_ended(const char *statement, int pe, int status)
{
    return caf_say(status, "%s: image %d%s %s", statement, pe + 1, caf_of_initial_team(), has_ended(status));
}

void caf_publish_state(enum caf_state state)
{
    caf_release();
    /* MUTANT a state follows all puts */
    shmem_quiet(); /* earlier puts must arrive before the new state */
    __atomic_store_n(&caf_public->state, (int)state, __ATOMIC_RELEASE);
}

void caf_alert(void)
{
#if CAF_HAVE_ALERTS
    shmemx_alert();
#endif
}
