/* The job file, a memfd that the PEs of a node share.
 *
 * It begins with struct job, which every PE and oshrun map; the symmetric memory of the PEs follows at job_data_offset
 * (src/node/mapping.c). oshrun creates the file, and its children inherit the descriptor; a program started without
 * oshrun creates its own, for a job of one PE. In a job that spans nodes, the first PE of each node creates the node's
 * file, with records for the PEs of the node (src/boot/boot.h). With SHMEM_NODES, one file has records for the PEs of
 * all nodes, which oshrun reads, but each PE maps the memory of its own node only.
 *
 * The file has no name, so nothing is left behind however the processes end. If the system refuses memfds, nameless.c
 * creates a file and unlinks it immediately. One file for all PEs needs one descriptor and one mmap. It is sparse: a
 * page uses no memory until its PE touches it. oshrun holds a lock on the file while it runs, so a PE behind any
 * number of wrappers detects that oshrun has ended. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* oshrun passes the job to a PE in the environment variable COPAL_JOB: "LAUNCHER_PID:FD:PE:N_PES", all decimal. If a
 * wrapper between oshrun and the program has closed FD, /proc/LAUNCHER_PID/fd/FD opens the same file. shmem_init
 * removes the variable, so that a program started by a PE is a job of its own. */

#define JOB_MAGIC 0x636f70616c6a6f62u /* "copaljob" */
#define JOB_VERSION 12

#define JOB_FAR_DEAD 256 /* if more PEs than this die on other nodes, the job ends */
#define JOB_LOCKS_HELD 4 /* number of held locks that a PE record can list */
#define JOB_LISTED 1024  /* a job_list holds PEs 0 to 1023 only */
#define JOB_CPU_WORDS 16 /* 1024 processors, the width of cpu_set_t */
#define JOB_OWN_THREADS 6

/* The state of a PE. The PE writes it, except for JOB_PE_DEAD, which usually oshrun writes. */
enum job_pe_state {
    JOB_PE_LAUNCHED = 0, /* the process runs but has not called shmem_init, and need not call it */
    JOB_PE_JOINED,       /* inside shmem_init */
    JOB_PE_RUNNING,      /* after shmem_init */
    JOB_PE_FINALIZING,   /* inside the last shmem_finalize */
    JOB_PE_FINALIZED,    /* after shmem_finalize: the end of the process does not matter */
    JOB_PE_DEAD,         /* ended between shmem_init and the end of shmem_finalize, in a job that outlives it */
};

/* A PE that is about to end writes out its buffered output (flush.c). */
enum { JOB_FLUSHING = 1, JOB_FLUSHED };

/* Why the job ends. job.end holds this, the job's exit code and the PE that ends the job; the first PE to end the job
 * sets all three together (job_end_word). */
enum job_end {
    JOB_END_NONE = 0,
    JOB_END_GLOBAL_EXIT, /* shmem_global_exit, with the job's exit code: oshrun prints nothing */
    JOB_END_ERROR,       /* an error that the PE has explained on stderr: oshrun prints nothing */
};

/* The network that connects the nodes of SHMEM_NODES (tools/oshrun/network.c). */
enum job_network {
    JOB_NETWORK_UNKNOWN = 0, /* oshrun has seen no SHMEM_NODES */
    JOB_NETWORK_OWN,         /* in a network namespace of the job's own */
    JOB_NETWORK_HOST,        /* the machine's network: a setting requests it, or oshrun has printed why it is used */
};

/* Values of for_pe in a wait that is not for one particular PE. */
enum {
    JOB_FOR_ANY = -1,
    JOB_FOR_MEETING = -2, /* all PEs that have not arrived at the barrier (src/wait/meeting.c) */
    JOB_FOR_HOLDER = -3,  /* the holder of the wanted lock */
};

/* A collective in which each PE waits for all. number is twice its sequence number among the collectives of these PEs,
 * plus 1 if it moves data. size is 0 outside a collective; stride is 0 if the PEs are listed. */
struct job_members {
    int32_t start, stride, size;
    uint64_t number;
};

/* A collective of the coarray library: its team, and a bit for each of its PEs if they are not strided. */
struct job_list {
    uint64_t team, bits[JOB_LISTED / 64];
};

/* What a PE is doing, for `oshrun --watch` and SIGQUIT. A PE writes it only after a wait has finished its spinning, so
 * the fast path does not pay for it. since_ns is written last and cleared first. A reader may see a text that is partly
 * rewritten. */
struct job_wait {
    _Atomic uint32_t taken;    /* a thread uses this struct; waits of the PE's other threads are not shown */
    _Atomic uint64_t since_ns; /* CLOCK_MONOTONIC; 0: not waiting */
    _Atomic int32_t for_pe;    /* the PE waited for, or JOB_FOR_... */
    struct job_members members; /* size not 0: the PE waits for members that have not arrived, instead of for_pe */
    struct job_list list;
    _Atomic uint32_t number;   /* changes with each wait that is shown, and when the network makes progress in a wait */
    _Atomic uint32_t turns;    /* approximate number of checks of the condition, in all waits shown */
    _Atomic int32_t unsure;    /* the wait may end even if for_pe's program is stuck: it does not prove a deadlock */
    char routine[60];          /* "shmem_barrier_all" */
    _Atomic uint32_t tells;    /* the PE polls job.asked, so it will reply to a request */
    _Atomic uint32_t told;     /* `place` is the reply to the request that made job.asked this value */
    char place[180];           /* "at ring.c:12 in main", or empty */
};

/* The PE record, on cache lines of its own. */
struct job_pe {
    _Alignas(128) _Atomic int32_t state; /* enum job_pe_state */
    _Atomic int32_t pid;                 /* the process that called shmem_init; oshrun's child may be a wrapper */
    _Atomic uint64_t process;            /* pid combined with the process's start time (claim.c) */
    _Atomic uint64_t static_size;        /* bytes of the executable's symmetric globals and statics */
    _Atomic uint64_t heap_size;          /* bytes of symmetric heap */
    _Atomic uint64_t program_dev, program_ino; /* only PEs with the same executable have corresponding statics */
    _Atomic int32_t debug;                /* SHMEM_DEBUG is set: if one PE sets it, it is on for all */
    _Atomic int32_t map_failed;          /* could not map memory at the address tried */
    _Atomic int32_t agrees;              /* the PE has found the same error as the PE in job.speaker */
    _Atomic int32_t flushed;             /* the job ends: JOB_FLUSHING or JOB_FLUSHED (flush.c) */
    _Atomic uint64_t cpus[JOB_CPU_WORDS]; /* processors on which the PE may run (job_count_cpus) */
    _Atomic uint64_t scheduling;         /* its scheduling group (cgroup.h), if it may share a processor */
    _Atomic uint32_t meetings;           /* barriers of the job file at which it has arrived (src/wait/meeting.c) */
    _Atomic uint32_t stage;              /* last stage reached, counted over all barriers of src/net/state.c */
    _Atomic int32_t waits_on;            /* the processor, plus 1, on which the PE last began to wait;
                                            0 after a wait, if not oversubscribed */
    struct job_wait wait;
    _Atomic uint64_t wanted, held[JOB_LOCKS_HELD]; /* locks, by their offsets in symmetric memory; 0: none */
    _Atomic int32_t own_threads[JOB_OWN_THREADS]; /* threads of Copal and of the network library; 0: unused */

    /* The futex on which the PE's threads sleep, and the addresses whose change wakes them (src/wait/wait.h).
     * asleep_to is 0 while no thread sleeps, so a writer need not read asleep_from. */
    _Alignas(128) _Atomic uint32_t doorbell; /* futex word, incremented to wake this PE */
    _Atomic uint32_t asleep;                 /* number of its threads that sleep or are about to */
    _Atomic uintptr_t asleep_from, asleep_to;

    /* If oversubscribed, the word for which the PE waits, or 0, and the value with which the wait goes on. Peers on the
     * PE's processor read them. */
    _Alignas(128) _Atomic uintptr_t awaits;
    _Atomic uint64_t awaits_not;
};

struct job {
    uint64_t magic;
    uint32_t version;
    int32_t n_pes;  /* number of PEs with a record in this file */
    pid_t launcher; /* oshrun's process, 0 for a program started without it */

    _Atomic uint32_t asked; /* number of requests by oshrun for the source lines of the waiting PEs */

    int32_t network;  /* enum job_network */
    int32_t outlives; /* the death of a PE after shmem_init does not end the job */

    _Atomic uint64_t end; /* 0, or a job_end_word */

    /* The job's first error: a hash of the message (speak.c); the PE that has printed it, plus 1, or 0 before. */
    _Atomic uint64_t sentence;
    _Atomic uint32_t speaker;

    _Atomic int32_t far_dead_count; /* used entries of far_dead, the dead PEs of other nodes; the last may still be 0 */
    _Atomic int32_t far_dead[JOB_FAR_DEAD]; /* a PE plus 1 */

    _Alignas(128) _Atomic uint32_t alerts;  /* number of alerts so far (shmemx_alerts) */
    _Alignas(128) _Atomic uint32_t meeting; /* futex word of barriers: changes when waiting PEs are to check again */

    _Alignas(128) struct job_pe pe[]; /* n_pes records */
};

static inline uint64_t job_end_word(enum job_end why, int code, int pe)
{
    return (uint64_t)why | (uint64_t)(code & 0xff) << 8 | (uint64_t)pe << 32;
}
static inline int job_end_code(uint64_t word)
{
    return (int)(word >> 8 & 0xff);
}

/* Counts an alert and wakes every PE that sleeps in the library. alert.c and nameless.c are also part of oshrun. */
void job_alert(struct job *job);

/* A new file without a name, or -1 and errno. *folder is NULL for a memfd. If the system refuses memfds, *folder is the
 * folder of the file. */
int nameless_file(const char **folder);

/* Bytes of struct job for n_pes PEs; the offset of the PEs' endpoint addresses if SHMEM_NODES splits the job
 * (src/boot/nodes.c); and the offset of the symmetric memory in the job file (a multiple of 2 MiB). */
static inline size_t job_bytes(int n_pes)
{
    return sizeof(struct job) + (size_t)n_pes * sizeof(struct job_pe);
}
enum { JOB_CARD_BYTES = 2048 }; /* UCX needs some 90 bytes for each InfiniBand NIC, 30 for each network interface */
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
