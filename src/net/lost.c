/* A PE that has died, or that cannot be reached any more. */
#include "job/boot.h"
#include "net/net.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/* What this PE waits in, if it does, for the sentence. */
static const char *waiting_in(void)
{
    const struct job_wait *wait = &job_seat(self.pe)->wait;
    return wait->since_ns ? wait->routine : "the job";
}

void net_lost(int pe, const char *why)
{
    if (job_seat(self.pe)->state >= JOB_PE_FINALIZED || (job_has_seat(pe) && job_seat(pe)->state >= JOB_PE_FINALIZED))
        return; /* its end is nobody's loss */
    if (self.job->launcher)
        return; /* oshrun knows better, and does what is to be done */
    if (self.job->outlives && pe != self.pe) { /* of this PE itself: its launcher has ended */
        if (job_note_death(pe) && net.active)
            net_alert(pe);
        return;
    }
    /* One sentence for the node: all its PEs come here sooner or later. */
    uint64_t none = 0;
    if (!atomic_compare_exchange_strong(&self.job->end, &none, job_end_word(JOB_END_ERROR, 1, self.pe)))
        _exit(1);
    job_fatal(waiting_in(), "PE %d is lost: %s; the job is ended", pe, why);
}

/* That a process of another host has ended is often the consequence of something that is known better there: whoever saw it has
 * said so and ended the job, and the launcher is about to end this PE: Open MPI's, within two seconds. Only if it does not, is
 * it this PE's to say. */
void net_missed(int pe, const char *why)
{
    if (!self.job->launcher && !self.job->outlives && !job_has_seat(pe))
        nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 400000000}, NULL);
    net_lost(pe, why);
}

/* Asks everybody: a launcher's fence would wait for the dead, or is no longer to be had.  Whoever leaves has seen that all have
 * come, so one that cannot be asked any more has left, or is dead. */
void net_meet(const char *routine)
{
    net_quiet_all();
    const bool noted = wait_note(routine, -1);
    for (int pe = 0; pe < self.n_pes; pe++)
        while (job_state_of(pe) != JOB_PE_DEAD &&
               (job_has_seat(pe) ? (int)job_state_of(pe) : net_pe_state(pe)) < JOB_PE_FINALIZING) {
            net_progress();
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
    if (noted)
        wait_note_end();
}
