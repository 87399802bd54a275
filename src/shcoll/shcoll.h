/* SHCOLL: collectives on the public OpenSHMEM API.
 *
 * A collective runs on a group: PEs start, start + stride, ... and a symmetric work area in which they signal each other.
 * Sizes are in bytes, roots and ranks are positions in the group.  Arguments have been checked by the caller.
 * What the specification says of buffers is used: dest is ready on every PE before any PE calls, source is ready on the
 * calling PE only (1.6, section 9.10). */
#ifndef SHCOLL_H
#define SHCOLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two kinds of work area.  A team's is SHCOLL_WORK_BYTES, zero at the beginning, and stays with the team: a signal there
 * is the number of the operation, stored and never taken back.  An active set's is the pSync that the user passes, whose
 * words must be zero again on return: a signal there is an increment, taken back by its receiver (flags.h). */
#define SHCOLL_WORK_BYTES ((size_t)32 << 10)

struct shcoll_group {
    int start, stride, size;
    int me;          /* the calling PE's position */
    uint64_t *work;  /* symmetric */
    bool is_pSync;
    bool crowded;    /* more PEs than processors: few hand-overs beat few rounds */
    uint64_t syncs;      /* how many of each the group has done, the same on all members; unused with a pSync */
    uint64_t broadcasts;
    uint64_t reductions;
};

/* A reduction: into[i] = into[i] OP from[i]. */
struct shcoll_op {
    size_t size; /* bytes of an element */
    void (*combine)(void *restrict into, const void *restrict from, size_t n);
};

enum shcoll_scan { SHCOLL_REDUCE, SHCOLL_INSCAN, SHCOLL_EXSCAN };

/* The PE that this thread's collective waits for, -1 when it could be any: for whoever explains a hang. */
extern _Thread_local int shcoll_awaited_pe __attribute__((tls_model("initial-exec")));

void shcoll_sync(struct shcoll_group *g);

/* A sync in which every member also tells the next one a word; returns what the one before has told, or 0 from one that is
 * in an ordinary sync. Not with a pSync. */
uint64_t shcoll_sync_telling(struct shcoll_group *g, uint64_t word);

void shcoll_broadcast(struct shcoll_group *g, void *dest, const void *source, size_t bytes, int root);
void shcoll_fcollect(struct shcoll_group *g, void *dest, const void *source, size_t bytes);
void shcoll_collect(struct shcoll_group *g, void *dest, const void *source, size_t bytes);
void shcoll_alltoall(struct shcoll_group *g, void *dest, const void *source, size_t bytes);
void shcoll_alltoalls(struct shcoll_group *g, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,
                      size_t size);
void shcoll_reduce(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op);
void shcoll_scan(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op,
                 enum shcoll_scan kind);

/* Symmetric scratch in a team's work area, free for the team's owner between collectives. */
#define SHCOLL_SCRATCH_BYTES ((size_t)1 << 10)
void *shcoll_scratch(struct shcoll_group *g);

/* The combining functions, one for each operation and type of the specification (ops.c). */
#include "shcoll/ops.h"

#endif
