/* This process in the job, and the end of both.
 *
 * In a job that outlives its PEs no wait that an alert may leave by longjmp holds a mutex. */
#ifndef COPAL_SELF_H
#define COPAL_SELF_H

#include "job/job.h"

#include <stdbool.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* Functions that a typed name is one line on, with its constants. Not forced where the debugger is to step into
 * them. */
#ifdef __OPTIMIZE__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

struct self {
    struct job *job; /* NULL before the first shmem_init */
    int fd;          /* the job file */
    size_t file_end; /* so much of it is in use, once the symmetric memory is there */
    int pe, n_pes;   /* in the job */
    int first_seat;  /* the PE that has the job file's first seat */
    int first, n_near; /* this node's PEs, numbered consecutively */
    int node_size;   /* PE k is on node k / node_size; 1 where nodes differ, but for the last */
    pid_t pid;       /* of the process that joined: a forked child is not a PE */
    bool crowded;    /* more PEs than processors to run them */
    bool rationed;   /* more PEs than there is time of processors for */
    bool apart;      /* and in several scheduling groups, so that to yield gives them nothing */
    int processors;  /* that this node's PEs may run on, together */
};
extern struct self self;

/* The routine that the user called, while the library calls others on its behalf (a collective's puts and waits): the
 * one that errors and oshrun's reports name. */
extern _Thread_local const char *outer_routine __attribute__((tls_model("initial-exec")));

/* From C's name of a routine to that of the program's language, if it is another. */
extern const char *(*_Atomic routine_namer)(const char *routine);

/* What the user calls the routine that is at work. */
const char *job_routine(const char *routine);

/* The seat of a PE that has one in this node's job file: any of this node's. */
INLINE struct job_pe *job_seat(int pe)
{
    return &self.job->pe[pe - self.first_seat];
}
INLINE bool job_has_seat(int pe)
{
    return (unsigned)(pe - self.first_seat) < (unsigned)self.job->n_pes;
}

/* What is known of any PE's state, from its seat or from what other nodes have told of its death. */
enum job_pe_state job_state_of(int pe);

/* A PE has died in a job that outlives it: notes it and alerts this node's PEs; false if that was known. */
bool job_note_death(int pe);

/* claim.c: this process is the PE of this record, from here on; the end with a sentence if another one is. */
void job_claim(struct job_pe *mine);

/* Which PE this process is to be, as its launcher has told, before it has joined the job; -1 if it has not. */
int job_pe_to_be(void);

/* Ends this PE with a sentence if oshrun is gone: a wrapper between the two hides its death from the kernel's
 * signal. */
void job_check_launcher(void);

/* Whether self.fd is the job file still. */
bool job_file_is_open(void);

/* Learns whether PEs must share processors, or their time; every PE has joined. */
void job_count_cpus(void);
/* Equal where nodes share exactly the processors that their PEs may run on; 0: it is not known. */
uint64_t job_machine(void);
void job_even_out(void); /* now and then in waits, with more PEs than processors */

/* Memory of the job file behind all that is there, zero at first; or NULL and errno. All PEs that have a seat ask for
 * the same, in the same order, between node_map and the end of shmem_init. */
void *job_share(size_t bytes);

/* Ends the job on other nodes, too; or NULL: boot.h has it. */
extern void (*job_abort)(int code, const char *text);

/* Says "copal: PE 1: ROUTINE: ..." on stderr and ends the job with exit code 1. */
_Noreturn void job_fatal(const char *routine, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* The same for what each PE of a node may find out: the first of them says it.  From any thread. */
_Noreturn void job_fatal_once(const char *routine, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* Says it and goes on. */
void job_say(const char *routine, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));

/* In a wait, when the job's end is known: writes out what this PE has printed, once. */
void job_flush(void);
void job_flush_stdout(void); /* unless another thread has the stream */

void job_flush_some(void); /* C's stdout, if there is anything and no other thread has it */
bool job_flush_in_copy(void); /* from a signal's handler; false: a lock was held, and not all is written */
void job_flush_begin(void); /* a PE that is ended by a signal writes out what it has printed */

void job_flush_briefly(void); /* the same where nobody waits: from any thread, and not for ever */

/* In the PE that ends the job: gives the others the time for that. */
void job_let_others_flush(void);

/* shmem_global_exit: ends every PE; the job's exit code is status. */
_Noreturn void job_exit(int status);

#endif
