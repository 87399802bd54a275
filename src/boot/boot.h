/* How the PEs of a job that spans nodes meet before they can communicate: a card from each, and a fence.
 *
 * Four ways: PMIx, where srun, mpirun or prterun started the job; PMI-1, where MPICH's or Intel's mpiexec or srun
 * --mpi=pmi2 did; MPI, where the program has begun it before (modules, <libdir>/copal/libcopal-pmix.so, -pmi.so and
 * -mpi.so, which export copal_boot); and the job file of oshrun, where SHMEM_NODES cuts a job on one machine into nodes
 * for tests (nodes.c). */
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

/* What a PE tells all others: how to reach it. */
enum { BOOT_CARD_BYTES = JOB_CARD_BYTES - 8 };

/* Where this process is. A node's PEs are numbered consecutively: where a launcher places ranks otherwise, each run of
 * consecutive ranks on a host counts as a node. */
struct boot_layout {
    int pe, n_pes;      /* in the job */
    int first, n_local; /* of the node */
    int node_size;      /* n_local if all nodes have as many PEs (the last perhaps fewer), else 1: on all PEs */
    char launcher[64];  /* "srun (PMIx 4.2.2)": for people */
};

struct boot {
    uint32_t version; /* BOOT_VERSION */

    /* Joins. NULL, or a sentence that says why that failed. The member is NULL where nothing is to be done. */
    const char *(*begin)(struct boot_layout *layout);

    /* A descriptor of the node's job file: the first PE of the node passes its own, the others -1; returns one that is
     * open on the same file, or -1 and *why. */
    int (*share_file)(int fd, const char **why);

    void (*publish)(const void *card, size_t bytes); /* at most BOOT_CARD_BYTES; before a fence */
    void (*fence)(const char *routine);              /* all PEs of the job meet */

    /* The card of a PE, after a fence: bytes, or 0 and *why. */
    size_t (*lookup)(int pe, void *card, size_t room, const char **why);

    const char *(*host)(int pe, char *text, size_t room); /* the name of its host */

    /* Ends the job, on all nodes; returns if the launcher leaves that to the exit of this process. */
    void (*abort)(int code, const char *text);

    /* shmem_finalize begins: ends the job with a sentence if the PEs cannot meet any more, before one waits for others
     * that find that, too. NULL where they always can. */
    void (*finalizes)(const char *routine);

    /* This process has finished: the launcher is not to take its end for an error. begin may follow again. */
    void (*end)(void);

    /* For a job that outlives deaths, after the last fence: the launcher, too, is not to end it when a PE has died
     * (Slurm would). lookup, abort and end work as before. NULL where there are no such jobs, which begin sees to. */
    void (*outlive)(void);

    /* Watches the PEs of the job by what the launcher and the kernel know: calls died, from a thread of its own, when a
     * PE has ended without unwatch or end, or its host cannot be reached any more; why is a clause for people ("its
     * process, 71 on host n2, has ended", "its host n2 cannot be reached any more").  One or a few PEs are told, not
     * all; two may be told the same. died(this PE) says that the launcher is gone: nobody will end this process.
     * unwatch, before the end, is what tells an orderly end from a death; died must not call it. */
    void (*watch)(void (*died)(int pe, const char *why));
    void (*unwatch)(void);
};

extern const struct boot *boot; /* NULL: a job of one node, started by oshrun or alone */
extern const struct boot boot_file; /* nodes.c */

/* Whether SHMEM_NODES cuts a job of n_pes PEs, this one being pe, into nodes ("3", or "3+1" for nodes of 3 PEs and 1):
 * then *layout says how.  Ends the job with a sentence if its value makes no sense. */
bool boot_file_wanted(struct boot_layout *layout, int pe, int n_pes);

/* Joins the job that a launcher started, or makes a job of one PE. Ends the process with a sentence if it cannot. */
void boot_join(void);

/* All PEs of the job meet, but for the dead; used at start-up and at the end, never on a fast path. */
void boot_barrier(const char *routine);

#endif
