/* This process in the job: joining it, meeting the others before collectives exist, ending it. */
#ifndef COPAL_SELF_H
#define COPAL_SELF_H

#include "job/job.h"

#include <stdbool.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Functions that a typed name is one line on, with its constants. Not forced where the debugger is to step into them. */
#ifdef __OPTIMIZE__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

struct self {
    struct job *job; /* NULL before the first shmem_init */
    int fd;          /* the job file */
    int pe, n_pes;
    pid_t pid;       /* of the process that joined: a forked child is not a PE */
    bool crowded;    /* more PEs than processors to run them */
};
extern struct self self;

/* The routine that the user called, while the library calls others on its behalf (a collective's puts and waits): the one
 * that errors and oshrun's reports name. */
extern _Thread_local const char *outer_routine __attribute__((tls_model("initial-exec")));

/* Joins the job that oshrun started, or makes a job of one PE. Ends the process with a sentence if it cannot. */
void job_join(void);

/* Ends this PE with a sentence if oshrun is gone: a wrapper between the two hides its death from the kernel's signal. */
void job_check_launcher(void);

/* Learns whether PEs must share processors; every PE has joined. */
void job_count_cpus(void);

/* All PEs that are not dead meet; used at start-up and at the end, never on a fast path. */
void job_barrier(const char *routine);

/* Says "copal: PE 1: ROUTINE: ..." on stderr and ends the job with exit code 1. */
_Noreturn void job_fatal(const char *routine, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* shmem_global_exit: ends every PE; the job's exit code is status. */
_Noreturn void job_exit(int status);

#endif
