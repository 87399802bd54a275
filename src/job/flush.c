/* What the PEs have printed must not be lost when one of them ends the job: output to a pipe or a file stays in a
 * process until there is enough of it or the process ends as it should, and the others are about to be killed.  So
 * whoever ends the job waits a moment, and each PE that sleeps in the library, or falls asleep in it meanwhile, writes
 * out what it has. A PE that computes is not disturbed, and loses it. */
#include "job/wait.h"

#include <pthread.h>
#include <stdio.h>

#define MS 1000000
#define SLEEPER_MS 100 /* a sleeper may take so long: another thread may hold a stream for ever */
#define OTHER_MS 30    /* for who is about to fall asleep */

enum { FLUSHING = 1, FLUSHED };

/* Of gfortran's library, where the program has it: a null pointer means all units. */
extern void _gfortran_flush_i4(const int *unit) __attribute__((weak));

void job_flush_stdout(void)
{
    if (ftrylockfile(stdout) == 0) { /* another thread may hold it for ever */
        fflush(stdout);
        funlockfile(stdout);
    }
}

void job_flush(void)
{
    int32_t none = 0;
    if (!atomic_compare_exchange_strong(&job_seat(self.pe)->flushed, &none, FLUSHING))
        return;
    job_flush_stdout();
    if (_gfortran_flush_i4)
        _gfortran_flush_i4(NULL);
    fflush(NULL);
    job_seat(self.pe)->flushed = FLUSHED;
}

static void *flush_beside(void *unused)
{
    job_flush();
    return unused;
}

void job_flush_briefly(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, flush_beside, NULL) == 0)
        pthread_detach(thread);
    for (int ms = 0; ms < SLEEPER_MS && job_seat(self.pe)->flushed != FLUSHED; ms++)
        wait_nap(MS);
}

static bool may_flush(const struct job_pe *pe, int ms)
{
    return pe->flushed != FLUSHED && (pe->asleep || pe->flushed == FLUSHING || ms < OTHER_MS) &&
           pe->state >= JOB_PE_JOINED && pe->state < JOB_PE_FINALIZED;
}

void job_let_others_flush(void)
{
    struct job *job = self.job;
    int seat = 0;
    job_seat(self.pe)->flushed = FLUSHED; /* its own part is exit's */
    job_alert(job);
    for (int ms = 0; ms < SLEEPER_MS; ms++) {
        while (seat < job->n_pes && !may_flush(&job->pe[seat], ms))
            seat++;
        if (seat == job->n_pes)
            return;
        wait_nap(MS);
    }
}
