#include "wait/meeting.h"

#include "common/futex.h"
#include "job/self.h"
#include "time/virtual.h"
#include "wait/note.h"

#define EMULATED 1000000u /* ps between two looks */

/* The index of the first record, from seat on, of a living PE that has not arrived at barrier n; the number of records
 * if there is none. */
static int first_missing(int seat, uint32_t n)
{
    for (; seat < self.job->n_pes; seat++) {
        const struct job_pe *other = &self.job->pe[seat];
        if ((int32_t)(other->meetings - n) < 0 && other->state != JOB_PE_DEAD)
            break;
    }
    return seat;
}

void meeting_here(const char *routine)
{
    struct job *job = self.job;
    const uint32_t number = atomic_fetch_add(&job_seat(self.pe)->meetings, 1) + 1;
    int missing = first_missing(0, number);
    if (missing == job->n_pes) { /* this PE arrives last; after a death, job_alert wakes the others */
        atomic_fetch_add(&job->meeting, 1);
        futex_wake(&job->meeting);
        return;
    }
    const bool noted = wait_note(routine, JOB_FOR_MEETING);
    for (;;) {
        const uint32_t news = job->meeting;
        missing = first_missing(missing, number);
        if (missing == job->n_pes)
            break;
        if (UNLIKELY(virtual_on))
            virtual_compute(EMULATED); /* gives others the turn, which they may need before they arrive */
        else
            futex_wait(&job->meeting, news, 200000000);
        if (noted)
            wait_tell_place();
        if (job->end)
            job_flush();
        job_check_launcher();
    }
    if (noted)
        wait_note_end();
}
