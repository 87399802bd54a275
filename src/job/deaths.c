/* Dead PEs, in a job that outlives deaths. */
#include "job/self.h"

enum job_pe_state job_state_of(int pe)
{
    if (job_has_seat(pe))
        return (enum job_pe_state)atomic_load_explicit(&job_seat(pe)->state, memory_order_acquire);
    const int count = self.job->far_dead_count;
    for (int i = 0; i < count && i < JOB_FAR_DEAD; i++)
        if (self.job->far_dead[i] == pe + 1)
            return JOB_PE_DEAD;
    return JOB_PE_RUNNING;
}

bool job_note_death(int pe)
{
    if (job_has_seat(pe)) {
        if (atomic_exchange(&job_seat(pe)->state, JOB_PE_DEAD) == JOB_PE_DEAD)
            return false;
    } else {
        if (job_state_of(pe) == JOB_PE_DEAD)
            return false;
        const int at = atomic_fetch_add(&self.job->far_dead_count, 1);
        if (at >= JOB_FAR_DEAD)
            job_fatal("the job", "more than %d PEs of other nodes have died; a job outlives at most this many",
                      JOB_FAR_DEAD);
        self.job->far_dead[at] = pe + 1;
    }
    job_alert(self.job);
    return true;
}
