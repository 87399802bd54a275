/* The job: which PEs there are, where they meet, how it ends.
 *
 * A job on one node is one memfd, the job file.  Its first part is struct job, mapped by every PE and by oshrun; the
 * symmetric memory of all PEs follows at job_data_offset (src/node/mapping.c).  oshrun creates the file and hands it to
 * its children as an inherited descriptor; a program started without oshrun makes its own, for a job of one PE.  In a
 * job that spans nodes each node has a job file, which its first PE makes, with seats for the PEs of the node
 * (src/boot/boot.h). Nothing here has a name in a file system, so nothing is left behind however the processes end.
 *
 * One file for all PEs, and not one for each, is one descriptor and one mmap for any number of them. It is sparse: a
 * page costs memory when it is first touched, which its own PE does. /dev/shm plays no part; where the system refuses
 * memfds, nameless.c makes a file that is unlinked at once. oshrun holds a lock on the file while it lives, so a PE
 * behind any number of wrappers can see that oshrun is gone. With SHMEM_NODES one file has seats for the PEs of all
 * nodes, for oshrun to see, but each PE maps the memory of its own node only. */
#ifndef COPAL_JOB_H
#define COPAL_JOB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* In the environment variable COPAL_JOB oshrun tells a PE where it is: "LAUNCHER_PID:FD:PE:N_PES", all decimal.  A
 * wrapper between oshrun and the program may have closed FD; then /proc/LAUNCHER_PID/fd/FD opens the same file.
 * shmem_init removes the variable, so that a program started by a PE is a job of its own. */

#define JOB_MAGIC 0x636f70616c6a6f62u /* "copaljob" */
#define JOB_VERSION 12

#define JOB_FAR_DEAD 256 /* more deaths on other nodes than these end the job */
#define JOB_LOCKS_HELD 4 /* of these it is known who has them */
#define JOB_LISTED 1024  /* the first so many PEs can be in lists */
#define JOB_CPU_WORDS 16 /* 1024 processors, the width of cpu_set_t */
#define JOB_OWN_THREADS 6

/* A PE's way through the job, written by the PE itself; only that it is dead is mostly for oshrun to say. */
enum job_pe_state {
    JOB_PE_LAUNCHED = 0, /* the process runs but has not called shmem_init; oshrun does not insist that it ever does */
    JOB_PE_JOINED,       /* inside shmem_init */
    JOB_PE_RUNNING,      /* after it */
    JOB_PE_FINALIZING,   /* inside the last shmem_finalize */
    JOB_PE_FINALIZED,    /* after it: its end is nobody's loss */
    JOB_PE_DEAD,         /* ended between shmem_init and the end of shmem_finalize, in a job that outlives it */
};

/* What a PE does that is about to end, with what it had printed (flush.c). */
enum { JOB_FLUSHING = 1, JOB_FLUSHED };

/* Why the job is to end: job.end holds this, the exit code of the job and the PE that ends it, set together by the
 * first one to do so (job_end_word). */
enum job_end {
    JOB_END_NONE = 0,
    JOB_END_GLOBAL_EXIT, /* shmem_global_exit: exit code is the job's, oshrun says nothing */
    JOB_END_ERROR,       /* an error that the PE has explained on stderr: oshrun adds nothing */
};

/* Where nodes that SHMEM_NODES makes of this machine meet (tools/oshrun/network.c). */
enum job_network {
    JOB_NETWORK_UNKNOWN = 0, /* oshrun has seen no SHMEM_NODES */
    JOB_NETWORK_OWN,         /* in a network namespace of the job's own */
    JOB_NETWORK_HOST,        /* the machine's, as asked for or as oshrun has said */
};

/* Whom a PE waits for where it is no PE in particular. */
enum {
    JOB_FOR_ANY = -1,
    JOB_FOR_MEETING = -2, /* whoever has come to fewer meetings (src/wait/meeting.c) */
    JOB_FOR_HOLDER = -3,  /* whoever has the lock that it wants */
};

/* A collective that nobody leaves before all have come: its PEs, and which one of theirs it is, twice, plus 1 if it is
 * more than a sync. size is 0 outside; stride is 0 where the PEs are listed. */
struct job_members {
    int32_t start, stride, size;
    uint64_t number;
};

/* Of a collective of a library on top: which of its teams, and its PEs where they are not strided, a bit for each. */
struct job_list {
    uint64_t team, bits[JOB_LISTED / 64];
};

/* What a PE is doing, for `oshrun --watch` and SIGQUIT.  A PE writes it only when a wait has gone past spinning, so it
 * costs the fast path nothing.  The reader accepts a torn text: since_ns is written last and cleared first. */
struct job_wait {
    _Atomic uint32_t taken;    /* by one of the PE's threads: the others' waits are not shown meanwhile */
    _Atomic uint64_t since_ns; /* CLOCK_MONOTONIC; 0: not waiting */
    _Atomic int32_t for_pe;    /* the PE waited for, or JOB_FOR_... */
    struct job_members members; /* of these, who has not come is waited for in the first place */
    struct job_list list;
    _Atomic uint32_t number;   /* another for each wait that is shown, and after all that the network has done in one */
    _Atomic uint32_t turns;    /* how often what is waited for has been checked, roughly, in all waits shown */
    _Atomic int32_t unsure;    /* for_pe's program need do nothing for this wait to end: no deadlock is concluded */
    char routine[60];          /* "shmem_barrier_all" */
    _Atomic uint32_t tells;    /* it looks at job.asked */
    _Atomic uint32_t told;     /* the last of them for which place is written */
    char place[180];           /* "at ring.c:12 in main", or empty */
};

/* One PE's part of the job, its seat, on cache lines of its own. */
struct job_pe {
    _Alignas(128) _Atomic int32_t state; /* enum job_pe_state */
    _Atomic int32_t pid;                 /* of the process that called shmem_init; oshrun's child may be a wrapper */
    _Atomic uint64_t process;            /* the same and when it began (claim.c) */
    _Atomic uint64_t static_size;        /* bytes of the executable's symmetric globals and statics */
    _Atomic uint64_t heap_size;          /* bytes of symmetric heap */
    _Atomic uint64_t program_dev, program_ino; /* the executable: statics correspond between PEs of the same one */
    _Atomic int32_t debug;                /* SHMEM_DEBUG is set: for all PEs if it is for one */
    _Atomic int32_t map_failed;          /* could not map memory at the address tried */
    _Atomic int32_t agrees;              /* it would have said what the job's speaker has */
    _Atomic int32_t flushed;             /* the job ends, and it writes out, or has, what it had printed (flush.c) */
    _Atomic uint64_t cpus[JOB_CPU_WORDS]; /* the processors it may run on; the union tells whether PEs must share */
    _Atomic uint64_t scheduling;         /* its scheduling group (cgroup.h), where processors may be shared */
    _Atomic uint32_t meetings;           /* how many it has come to (src/wait/meeting.c) */
    _Atomic uint32_t stage;              /* of its meetings with PEs of other nodes (src/net/state.c) */
    _Atomic int32_t waits_on;            /* the processor on which it has begun to wait, plus 1; 0: it does not wait;
                                            with more PEs than processors the one where it last looked at that */
    struct job_wait wait;
    _Atomic uint64_t wanted, held[JOB_LOCKS_HELD]; /* locks, by their places in symmetric memory; 0: none */
    _Atomic int32_t own_threads[JOB_OWN_THREADS]; /* of the library and of the network's, not the program's; or 0 */

    /* Doorbell: what a sleeping PE sleeps on, and the addresses whose change it sleeps for (src/wait/wait.h).
     * asleep_to is 0 while nobody sleeps, which is all that a writer looks at. */
    _Alignas(128) _Atomic uint32_t doorbell; /* futex word, raised by whoever wakes this PE */
    _Atomic uint32_t asleep;                 /* number of its threads asleep or about to be */
    _Atomic uintptr_t asleep_from, asleep_to;
};

struct job {
    uint64_t magic;
    uint32_t version;
    int32_t n_pes;  /* that have a seat here */
    pid_t launcher; /* oshrun's process, 0 for a program started without it */

    _Atomic uint32_t asked; /* how often oshrun has asked those that wait where in the program they are */

    int32_t network;  /* enum job_network */
    int32_t outlives; /* the death of a PE after shmem_init does not end the job */

    _Atomic uint64_t end; /* 0, or a job_end_word */

    /* The first error of the job: a hash of its sentence (speak.c), and when that is out the PE that has said it, plus
     * 1. */
    _Atomic uint64_t sentence;
    _Atomic uint32_t speaker;

    _Atomic int32_t far_dead_count; /* of PEs of other nodes; so many of far_dead are filled in, or about to be */
    _Atomic int32_t far_dead[JOB_FAR_DEAD]; /* a PE plus 1 */

    _Alignas(128) _Atomic uint32_t alerts;  /* how many there have been (shmemx_alerts) */
    _Alignas(128) _Atomic uint32_t meeting; /* futex word: changes when who meets is to look who has come */

    _Alignas(128) struct job_pe pe[]; /* n_pes of them */
};

static inline uint64_t job_end_word(enum job_end why, int code, int pe)
{
    return (uint64_t)why | (uint64_t)(code & 0xff) << 8 | (uint64_t)pe << 32;
}
static inline int job_end_code(uint64_t word)
{
    return (int)(word >> 8 & 0xff);
}

/* Counts an alert and wakes every PE that sleeps in the library. alert.c and nameless.c: code that oshrun shares. */
void job_alert(struct job *job);

/* A new file without a name, or -1; *folder is NULL for a memfd, or where it is instead, as some sandboxes and old
 * kernels refuse those, with errno. */
int nameless_file(const char **folder);

/* Bytes of struct job for n_pes PEs; where the PEs' cards are, with which they find each other if the job is cut into
 * nodes (src/boot/nodes.c); and where in the job file the symmetric memory begins (a multiple of 2 MiB). */
static inline size_t job_bytes(int n_pes)
{
    return sizeof(struct job) + (size_t)n_pes * sizeof(struct job_pe);
}
enum { JOB_CARD_BYTES = 2048 }; /* UCX wants some 90 for each adapter of InfiniBand, 30 for each interface */
static inline size_t job_card_offset(int n_pes, int pe)
{
    const size_t unit = JOB_CARD_BYTES;
    return ((job_bytes(n_pes) + unit - 1) / unit + (size_t)pe) * unit;
}
static inline size_t job_data_offset(int n_pes)
{
    const size_t unit = (size_t)2 << 20;
    return (job_card_offset(n_pes, n_pes) + unit - 1) / unit * unit;
}

#endif
