/* The beginning and the end of an image. */
#include "../access/far.h"
#include "../access/transfer.h"
#include "../error.h"
#include "../memory/heap.h"
#include "../memory/lent.h"
#include "../settings.h"
#include "attempt.h"
#include "change_team.h"
#include "image.h"
#include "lock.h"
#include "sync.h"

#include <stdlib.h>
#include <unistd.h>

static bool begun, finalized;
static pid_t image; /* the process: a forked child is no image */

/* Of a program that ends by exit(), as C code, `call exit` and the errors of the Fortran library do: with a code other
 * than 0 it is error termination. */
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

void caf_init(void)
{
    if (begun)
        return;
    begun = true;
    image = getpid();
    shmem_init();
    caf_errors_begin(NULL);
    caf_heap_begin();
    caf_lent_begin();
    caf_transfers_begin();
    caf_strided = (enum caf_strided)caf_setting(SETTING_CAF_STRIDED);
    caf_images_begin();
    shcoll_init();
    caf_teams_begin();
    caf_sync_begin();
    caf_locks_begin();
    shmem_barrier_all(); /* nobody signals in memory that its owner has yet to clear */
    on_exit(at_exit, NULL);
}

static void wait_for_end(int pe)
{
#if CAF_HAVE_ALERTS
    while (!caf_has_ended(&pe))
        caf_wait_for("the end of the program", pe, &caf_public->never, 1, caf_has_ended, &pe);
#else
    unsigned turns = 0;
    while (!caf_has_ended(&pe))
        caf_pause(&turns);
#endif
}

void caf_finalize(void)
{
    if (!begun || finalized || caf_job_ends || image != getpid())
        return;
    finalized = true;
    caf_publish_state(CAF_STOPPED);
    for (int pe = 0, n_pes = shmem_n_pes(); pe < n_pes; pe++)
        wait_for_end(pe);
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
    caf_end_job(code);
}

void caf_fail_image(void)
{
    caf_tell_met(caf_current);
    caf_publish_state(CAF_FAILED);
#if CAF_HAVE_ALERTS
    shmemx_fail();
#else
    _exit(0);
#endif
}
