/* The bootstrap of a job that spans nodes: each PE publishes its endpoint address, and a fence follows.
 *
 * Three bootstraps are modules that export copal_boot (<libdir>/copal/libcopal-pmix.so, -pmi.so and -mpi.so): PMIx, if
 * srun, mpirun or prterun started the job; PMI-1, if MPICH's or Intel's mpiexec, srun --mpi=pmi2 or flux run did; MPI,
 * if the program has initialized it before. The fourth is oshrun's job file, if SHMEM_NODES splits a job on one machine
 * into nodes for tests (nodes.c). */
#pragma once

#include "common/secret.h"
#include "job/job.h"
#include "job/settings.h"

#include <stdbool.h>

#define BOOT_VERSION 6
#define BOOT_SYMBOL "copal_boot"

/* srun, mpirun or prterun started this process as a PE. */
static inline bool boot_by_pmix(void)
{
    return setting_text(SETTING_PMIX_RANK) && setting_text(SETTING_PMIX_NAMESPACE) && setting_is_pe();
}

/* mpiexec, srun --mpi=pmi2 or flux run started this process as a PE. */
static inline bool boot_by_pmi(void)
{
    return setting_text(SETTING_PMI_FD) && setting_text(SETTING_PMI_RANK) && setting_text(SETTING_PMI_SIZE) &&
           setting_is_pe();
}

/* The most bytes of an endpoint address. */
enum { BOOT_CARD_BYTES = JOB_CARD_BYTES - 8 };

/* The position of this process. A node's PEs are numbered consecutively: if a launcher places ranks otherwise, each run
 * of consecutive ranks on a host counts as a node. */
struct boot_layout {
    int pe, n_pes;      /* this PE; PEs of the job */
    int first, n_local; /* first PE, PEs of this node */
    int node_size;      /* PEs on each node (the last may have fewer), or 1 if nodes differ */
    char launcher[64];  /* "srun (PMIx 4.2.2)": for messages */
};

struct boot {
    uint32_t version; /* BOOT_VERSION */

    /* Joins the job. Returns NULL, or a sentence that says why this failed. The pointer is NULL if there is nothing to
     * do. */
    const char *(*begin)(struct boot_layout *layout);

    /* Shares the node's job file: the first PE of the node passes its descriptor, the other PEs -1. Returns a
     * descriptor of the same file, or -1 and *why. */
    int (*share_file)(int fd, const char **why);

    void (*publish)(const void *card, size_t bytes); /* the endpoint address, at most BOOT_CARD_BYTES; before a fence */
    void (*fence)(const char *routine);              /* a barrier of all PEs of the job */

    /* Gets a PE's endpoint address, after a fence: returns its size in bytes, or 0 and *why. */
    size_t (*lookup)(int pe, void *card, size_t room, const char **why);

    const char *(*host)(int pe, char *text, size_t room); /* the name of the PE's host */

    /* Ends the job, on all nodes; returns if the launcher leaves that to the exit of this process. */
    void (*abort)(int code, const char *text);

    /* Called when shmem_finalize begins: if the PEs can no longer synchronize, ends the job with a message, before a PE
     * waits in a barrier. NULL if a barrier is always possible. */
    void (*finalizes)(const char *routine);

    /* Leaves the job, so that the launcher accepts the exit of this process. begin may be called again. Or NULL. */
    void (*end)(void);

    /* For a job that outlives deaths, after the last fence: keeps the launcher from ending the job after a death (Slurm
     * would). lookup, abort and end work as before. NULL if this is not supported; begin then refuses such jobs. */
    void (*outlive)(void);

    /* Starts the failure detector. It calls died, from a thread of its own, when a PE has ended without unwatch or end,
     * or when its host cannot be reached any more; why is a clause for a message ("its process, 71 on host n2, has
     * ended", "its host n2 cannot be reached any more"). Only one or a few PEs detect a death. died(this PE) means that
     * the launcher has ended, so nothing else will end this process. A PE calls unwatch before an orderly end; died
     * must not call it. Both are NULL if something else detects deaths. */
    void (*watch)(void (*died)(int pe, const char *why));
    void (*unwatch)(void);
};

extern const struct boot *boot; /* NULL: a job of one node, started by oshrun or alone */
extern const struct boot boot_file; /* nodes.c */

/* Whether SHMEM_NODES splits a job of n_pes PEs into nodes ("3", or "3+1" for nodes of 3 PEs and 1); if so, fills in
 * *layout for PE pe. Ends the job with a message if the value is not allowed. */
bool boot_file_wanted(struct boot_layout *layout, int pe, int n_pes);

/* Joins the job that a launcher started, or makes a job of one PE. Ends the process with a message on failure. */
void boot_join(void);

/* A barrier of all living PEs of the job, at start-up and at the end. */
void boot_barrier(const char *routine);
