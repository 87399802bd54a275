/* The bootstrap of a job that spans nodes: each PE publishes its endpoint address, and a fence follows.
 *
 * There are four: PMIx, if srun, mpirun or prterun started the job; PMI-1, if MPICH's or Intel's mpiexec, srun
 * --mpi=pmi2 or flux run did; MPI, if the program has initialized it before (modules, <libdir>/copal/libcopal-pmix.so,
 * -pmi.so and -mpi.so, which export copal_boot); and oshrun's job file, if SHMEM_NODES splits a job on one machine into
 * nodes for tests (nodes.c). */
#ifndef COPAL_BOOT_H
#define COPAL_BOOT_H

#include "common/secret.h"
#include "job/job.h"
#include "job/settings.h"

#include <stdbool.h>

#define BOOT_VERSION 5
#define BOOT_SYMBOL "copal_boot"

/* srun, mpirun or prterun started this process as a PE. */
static inline bool boot_by_pmix(void)
{
    return setting_text(SETTING_PMIX_RANK) && setting_text(SETTING_PMIX_NAMESPACE) && setting_is_pe();
}

/* mpiexec, or srun --mpi=pmi2, did. */
static inline bool boot_by_pmi(void)
{
    return setting_text(SETTING_PMI_FD) && setting_text(SETTING_PMI_RANK) && setting_text(SETTING_PMI_SIZE) &&
           setting_is_pe();
}

/* The longest endpoint address. */
enum { BOOT_CARD_BYTES = JOB_CARD_BYTES - 8 };

/* The position of this process. A node's PEs are numbered consecutively: if a launcher places ranks otherwise, each run
 * of consecutive ranks on a host counts as a node. */
struct boot_layout {
    int pe, n_pes;      /* in the job */
    int first, n_local; /* of the node */
    int node_size;      /* n_local if all nodes have as many PEs (the last perhaps fewer), else 1: on all PEs */
    char launcher[64];  /* "srun (PMIx 4.2.2)": for messages */
};

struct boot {
    uint32_t version; /* BOOT_VERSION */

    /* Joins. NULL, or a sentence that says why that failed. The member is NULL if there is nothing to do. */
    const char *(*begin)(struct boot_layout *layout);

    /* Shares the node's job file: the first PE of the node passes its descriptor, the other PEs -1. Returns a
     * descriptor of the same file, or -1 and *why. */
    int (*share_file)(int fd, const char **why);

    void (*publish)(const void *card, size_t bytes); /* the endpoint address, at most BOOT_CARD_BYTES; before a fence */
    void (*fence)(const char *routine);              /* a barrier of all PEs of the job */

    /* The endpoint address of a PE, after a fence: bytes, or 0 and *why. */
    size_t (*lookup)(int pe, void *card, size_t room, const char **why);

    const char *(*host)(int pe, char *text, size_t room); /* the name of its host */

    /* Ends the job, on all nodes; returns if the launcher leaves that to the exit of this process. */
    void (*abort)(int code, const char *text);

    /* shmem_finalize begins: ends the job with a sentence if no barrier of the PEs is possible any more, before a PE
     * waits in one. NULL if a barrier is always possible. */
    void (*finalizes)(const char *routine);

    /* This process has finished: the launcher must not take its end for an error. begin may follow again. */
    void (*end)(void);

    /* For a job that outlives deaths, after the last fence: keeps the launcher from ending the job after a death (Slurm
     * would). lookup, abort and end work as before. NULL if there are no such jobs; begin then refuses them. */
    void (*outlive)(void);

    /* Starts the failure detector. It calls died, from a thread of its own, when a PE has ended without unwatch or end,
     * or when its host cannot be reached any more; why is a clause for a message ("its process, 71 on host n2, has
     * ended", "its host n2 cannot be reached any more"). One or a few PEs detect a death, not all; two may detect the
     * same. died(this PE) says that the launcher has ended, so nothing else will end this process. A PE calls unwatch
     * before an orderly end; died must not call it. */
    void (*watch)(void (*died)(int pe, const char *why));
    void (*unwatch)(void);
};

extern const struct boot *boot; /* NULL: a job of one node, started by oshrun or alone */
extern const struct boot boot_file; /* nodes.c */

/* Whether SHMEM_NODES splits a job of n_pes PEs into nodes ("3", or "3+1" for nodes of 3 PEs and 1); if so, fills in
 * *layout for PE pe. Ends the job with a sentence if the value is not allowed. */
bool boot_file_wanted(struct boot_layout *layout, int pe, int n_pes);

/* Joins the job that a launcher started, or makes a job of one PE. Ends the process with a sentence on failure. */
void boot_join(void);

/* A barrier of all living PEs of the job, at start-up and at the end. */
void boot_barrier(const char *routine);

#endif
