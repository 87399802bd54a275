/* A PE that has died, or that cannot be reached any more. */
#include "job/boot.h"
#include "net/net.h"

#include <stdatomic.h>
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
    if (self.job->outlives) {
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
