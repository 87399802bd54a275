/* This process as a PE of the job, and the functions that end the PE or the job.
 *
 * The handler of an alert (shmemx_on_alert) may leave a wait by longjmp, so a waiting thread must hold no mutex. */
#pragma once

#include "job/job.h"

#include <stdbool.h>
#include <unistd.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* For the functions that the typed routines call. Without optimization, inlining is not forced, so a debugger can step
 * into them. */
#ifdef __OPTIMIZE__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

struct self {
    struct job *job; /* NULL before the first shmem_init */
    int fd;          /* the job file */
    size_t file_end; /* bytes of the job file in use, once the symmetric memory is mapped */
    int pe, n_pes;   /* this PE; number of PEs in the job */
    int first_seat;  /* the PE of the job file's first record */
    int first, n_near; /* this node's PEs, numbered consecutively */
    int node_size;   /* PEs on each node; 1 if nodes (other than the last) differ in size */
    pid_t pid;       /* the process that joined: a forked child is not a PE */
    bool crowded;    /* oversubscribed: more PEs than processors */
    bool rationed;   /* more PEs than processors in the cgroup's quota */
    bool apart;      /* crowded, with several scheduling groups: a yield may not pass the processor on */
    int processors;  /* number of processors on which this node's PEs may run */
};
extern struct self self;

/* Whether this process is a child of the PE's, made by fork: it does not map the job's memory. */
INLINE bool job_is_child(void)
{
    return self.job && getpid() != self.pid;
}

/* The routine that the user has called, while it calls others (a collective's puts and waits). Errors name it. */
extern _Thread_local const char *outer_routine __attribute__((tls_model("initial-exec")));

/* Translates C's name of a routine to the name in the program's language. */
extern const char *(*_Atomic routine_namer)(const char *routine);

/* The name that messages use for the current routine. */
const char *job_routine(const char *routine);

/* The record of a PE that has one in this node's job file; all PEs of this node have one. */
INLINE struct job_pe *job_seat(int pe)
{
    return &self.job->pe[pe - self.first_seat];
}
INLINE bool job_has_seat(int pe)
{
    return (unsigned)(pe - self.first_seat) < (unsigned)self.job->n_pes;
}

/* The known state of any PE: from its record, or from reports of other nodes about its death. */
enum job_pe_state job_state_of(int pe);

/* Records a PE's death in a job that outlives it, and alerts this node's PEs; false if the death was known. */
bool job_note_death(int pe);

/* claim.c: makes this process the PE of this record; ends it with a message if another process is the PE. */
void job_claim(struct job_pe *mine);

/* For a process that has not joined the job: the PE number that its launcher gives it, or -1. */
int job_pe_to_be(void);

/* Ends this PE with a message if oshrun has ended: the kernel's signal does not reach a PE behind a wrapper. */
void job_check_launcher(void);

/* Whether self.fd is still the job file. */
bool job_file_is_open(void);

/* Called after every PE has joined: finds out whether PEs must share processors, or processor time. */
void job_count_cpus(void);
/* A number that is equal on nodes of one machine whose PEs may run on the same processors; 0: unknown. */
uint64_t job_machine(void);
void job_even_out(void); /* waits call it from time to time, if oversubscribed */

/* Appends zeroed memory to the job file; returns NULL and sets errno on failure. All PEs that have a record call it
 * with the same sizes, in the same order, between node_map and the end of shmem_init. */
void *job_share(size_t bytes);

/* NULL, or ends the job on other nodes, too (boot.h). */
extern void (*job_abort)(int code, const char *text);

/* Prints "copal: PE 1: ROUTINE: ..." on stderr and ends the job with exit code 1. */
_Noreturn void job_fatal(const char *routine, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* The same for an error that each PE of a node may find: only the first prints it. From any thread. */
_Noreturn void job_fatal_once(const char *routine, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* Prints the message and continues. */
void job_say(const char *routine, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* Writes out this PE's buffered output, once; waits call it when the job ends. */
void job_flush(void);
void job_flush_stdout(void); /* unless another thread has locked the stream */

void job_flush_some(void); /* C's stdout, if it has output and no other thread has locked it */
bool job_flush_in_copy(void); /* from a signal handler; false: a lock was held, and not all is written */
void job_flush_begin(void); /* installs handlers: a PE that a signal ends writes out its output */

void job_flush_briefly(void); /* job_flush outside a wait: from any thread, with a time limit */

/* Called by the PE that ends the job: gives the other PEs time to write out their output. */
void job_let_others_flush(void);

/* shmem_global_exit: ends every PE; the job's exit code is status. */
_Noreturn void job_exit(int status);
