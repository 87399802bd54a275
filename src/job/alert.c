#include "job/job.h"

#include "common/futex.h"

/* A PE that falls asleep sets `asleep` before it reads `doorbell`; this function increments `doorbell` before it reads
 * `asleep`. Therefore the PE sees the alert, or is woken. */
void job_alert(struct job *job)
{
    atomic_fetch_add(&job->alerts, 1);
    for (int pe = 0; pe < job->n_pes; pe++) {
        atomic_fetch_add(&job->pe[pe].doorbell, 1);
        if (job->pe[pe].asleep)
            futex_wake(&job->pe[pe].doorbell);
    }
    atomic_fetch_add(&job->meeting, 1);
    futex_wake(&job->meeting);
}
