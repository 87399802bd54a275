/* The beginning and the end of an image. */
#include "../access/far.h"
#include "../access/nearby.h"
#include "../access/order.h"
#include "../error.h"
#include "../memory/heap.h"
#include "../memory/lent.h"
#include "../settings.h"
#include "attempt.h"
#include "change_team.h"
#include "image.h"
#include "lock.h"
#include "meeting.h"
#include "sync.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool begun, finalized;
static pid_t image; /* the process; a forked child is no image */
static uint64_t *ended; /* symmetric, by PE. On image 1: the PE has ended. Elsewhere, own entry: all have ended */

/* Called by exit(): from C code, `call exit` or the Fortran library. A code other than 0 is error termination. */
static void at_exit(int code, void *unused)
{
    (void)unused;
    if (finalized || caf_job_ends || image != getpid())
        return;
    if (code & 0xff) {
        caf_say_exit(code & 0xff);
        caf_error_stop(code);
    }
    caf_finalize();
}

static int first_dead(void)
{
#if CAF_HAVE_ALERTS
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        if (shmemx_pe_state(pe) == SHMEMX_PE_DEAD)
            return pe;
#endif
    return -1;
}

static bool one_is_dead(void *unused)
{
    (void)unused;
    return first_dead() >= 0;
}

#if CAF_HAVE_ALERTS
/* The handler of alerts until the images are able to continue after one of them has ended. */
static void on_early_alert(void)
{
    const int pe = first_dead();
    if (pe >= 0)
        caf_fatal("start: image %d has failed", pe + 1);
}
#endif

static void meet_first(void *unused)
{
    (void)unused;
    /* MUTANT cleared flags */
    shmem_barrier_all(); /* no image signals in memory that its owner has yet to clear */
}

void caf_init(void)
{
    if (begun)
        return;
    begun = true;
    image = getpid();
    shmem_init();
    caf_errors_begin(NULL);
#if CAF_HAVE_ALERTS
    shmemx_on_alert(on_early_alert);
#endif
    caf_heap_begin();
    caf_lent_begin();
    caf_nearby_begin();
    caf_order_begin();
    caf_strided = (enum caf_strided)caf_setting(SETTING_CAF_STRIDED);
    caf_images_begin();
    caf_meeting_begin();
    shcoll_init();
    caf_meeting_find_nodes();
    caf_teams_begin();
    caf_sync_begin();
    caf_locks_begin();
    const size_t n = (size_t)shmem_n_pes();
    if (!(ended = caf_heap_allocate(n * sizeof *ended)))
        caf_fatal("start: no memory for the records of ended images");
    memset(ended, 0, n * sizeof *ended);
#if CAF_HAVE_ALERTS
    shmemx_on_alert(caf_on_alert);
#endif
    int images = (int)n;
    caf_attempt("start", CAF_ALL, meet_first, one_is_dead, &images); /* from here on, failed images end no job */
    on_exit(at_exit, NULL);
}

static const char waits_for[] = "the end of the program";

/* Whether image 1, which signals that all have ended, has failed. */
static bool nobody_will_tell(void *first)
{
    return caf_pe_state(*(int *)first) == CAF_STAT_FAILED_IMAGE;
}

/* On image 1, *pe is the first PE that may still run; the others wait for image 1's signal. */
static bool all_have_ended(int *pe)
{
    if (caf_my_pe != 0)
        return shmem_uint64_test(&ended[caf_my_pe], SHMEM_CMP_NE, 0);
    while (*pe < shmem_n_pes() && shmem_uint64_test(&ended[*pe], SHMEM_CMP_NE, 0))
        ++*pe;
    return *pe == shmem_n_pes();
}

static void wait_for_all(int pe)
{
    const int n = shmem_n_pes(), me = caf_my_pe;
    int first = 0;
    if (me == 0) {
        for (; pe < n; pe++)
            caf_wait_for(waits_for, pe, &ended[pe], 1, caf_has_ended, &pe);
    } else if (!caf_wait_for(waits_for, CAF_ANYBODY, &ended[me], 1, nobody_will_tell, &first)) {
        for (pe = 0; pe < n; pe++)
            while (!caf_has_ended(&pe))
                caf_wait_for(waits_for, pe, &caf_public->never, 1, caf_has_ended, &pe);
    }
}

/* Each image signals image 1. Image 1 queries those that do not signal, and then signals all; if image 1 has failed,
 * each image queries all others. The alert makes an image query the stopped image that it waits for. The alert is
 * delayed a little: usually all images end together, right after a synchronization, and need no alert. */
static void end_together(void)
{
    enum { NAPS = 20, NAP = 50000 /* ns */ };
    int pe = 1;
    if (caf_my_pe != 0)
        shmem_uint64_p(&ended[caf_my_pe], 1, 0);
    for (int naps = 0; naps < NAPS && !all_have_ended(&pe); naps++)
        nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
    if (!all_have_ended(&pe)) {
        caf_alert();
        wait_for_all(pe);
    }
    for (pe = 1; caf_my_pe == 0 && pe < shmem_n_pes(); pe++)
        shmem_uint64_p(&ended[pe], 1, pe);
}

void caf_finalize(void)
{
    if (!begun || finalized || caf_job_ends || image != getpid())
        return;
    finalized = true;
    caf_publish_state(CAF_STOPPED);
    end_together();
    shmem_finalize();
}

void caf_stop(int code)
{
    caf_init();
    caf_finalize();
    exit(code);
}

void caf_error_stop(int code)
{
    caf_init();
    caf_end_job(code & 0xff ? code & 0xff : 1); /* an exit code has 8 bits */
}

void caf_fail_image(void)
{
    caf_complete_puts(); /* sends deferred posts */
    caf_tell_met(caf_current);
    caf_publish_state(CAF_FAILED);
    caf_alert();
#if CAF_HAVE_ALERTS
    shmemx_fail();
#else
    _exit(0);
#endif
}
