/* What a tool is told of each call of the program: the profile (tools/profile) and the race detector (tools/races) use
 * it.
 *
 * A tool is one library that oshrun preloads, or LD_PRELOAD does: the objects of this folder, which define every
 * shmem_ name on the pshmem_ one of the same name (OpenSHMEM 10), and the tool's own, which define tap_before and
 * tap_after.  The library's own calls are bound inside it and never come here.
 *
 * Coarrays come by the same two functions: oshrun has such a program find libraries of coarrays that tell of its
 * statements (caf/).  What these call of shmem_ meanwhile, and SHCOLL of the program's, is inside a call already and is
 * not told. */
#ifndef COPAL_TAP_H
#define COPAL_TAP_H

#define COPAL_NO_GENERICS
#include <pshmem.h>

#include <stdbool.h>

enum tap_kind {
    TAP_PUT, TAP_GET, TAP_ATOMIC, /* dest is what an atomic changes or reads */
    TAP_SIGNAL,                   /* a signal without data */
    TAP_WAIT, TAP_TEST,
    TAP_FENCE, TAP_QUIET,
    TAP_BARRIER, TAP_SYNC, /* a barrier completes what was sent, a sync does not */
    TAP_SYNC_IMAGES,       /* with the count images in pes, among which the own one may be */
    TAP_BROADCAST, TAP_COLLECT, TAP_FCOLLECT, TAP_ALLTOALL, TAP_REDUCE, TAP_SCAN,
    TAP_LOCK, TAP_TEST_LOCK, TAP_UNLOCK,
    TAP_ALLOC, TAP_REALLOC, TAP_FREE,
    TAP_TEAM_SPLIT, TAP_TEAM_DESTROY, TAP_CONTEXT_CREATE, TAP_CONTEXT_DESTROY,
    TAP_POINTER,                     /* shmem_ptr: dest is what was asked for, result the answer */
    TAP_INIT, TAP_FINALIZE, TAP_EXIT,
    TAP_CONTROL,                     /* shmem_pcontrol: value is the level */
    TAP_QUERY,                       /* nothing moves and nobody waits */
    TAP_KINDS
};

enum tap_flags {
    TAP_NONBLOCKING = 1, /* complete at the next quiet of its context */
    TAP_READS = 2,       /* an atomic that fetches */
    TAP_WRITES = 4,      /* an atomic that stores */
    TAP_ANY = 8,         /* wait or test of an array: one of its elements is enough; the result is in found */
    TAP_SOME = 16,       /* the same for some: their indices are in indices, their number in found */
    TAP_VECTOR = 32,     /* wait or test against values[i] instead of value */
    TAP_PE_QUIET = 64,   /* a quiet for the count PEs in pes alone, as ctx numbers them */
    TAP_STATEMENT = 128, /* of a coarray program: routine is the statement, as "put" or "sync all" */
    TAP_STATIC = 256,    /* a coarray that is allocated before the program begins, by no statement of it */
};

/* An access is of count blocks of `bytes` bytes each, from one to the next dest_step and source_step bytes; contiguous
 * data have steps of `bytes`.  Of blocks at other distances the step is 0, and dest_at and source_at say how far behind
 * dest and source each one is; where these are NULL too, only the first is known.  What a call has not is 0, and pe is
 * -1.  PEs are those of the world, and -1 where the program has named one that is not there. */
struct tap_call {
    const char *routine; /* "shmem_int_put" */
    void *caller;        /* to where in the program it returns */
    enum tap_kind kind;
    unsigned flags; /* of enum tap_flags */
    int pe;
    int root; /* of a broadcast */

    void *dest;
    const void *source;
    size_t bytes, count;
    ptrdiff_t dest_step, source_step;
    const ptrdiff_t *dest_at, *source_at;

    shmem_ctx_t ctx;
    shmem_team_t team;       /* 0 for an active set; of a statement a number that all images of the team have */
    int start, stride, size; /* PEs of a collective: start, start + stride, ... */
    const void *fetch;       /* where a nonblocking atomic leaves what it fetches */

    uint64_t *signal; /* of a put with signal, or a signal: its address, which dest is not */
    int operation;    /* SHMEM_SIGNAL_..., or SHMEM_CMP_... of wait and test */
    uint64_t value;   /* sent to a signal, compared with, stored or added by an atomic: as its type has it in memory */
    const void *values;
    const int *status;     /* of wait and test: elements not to look at */
    const size_t *indices; /* of TAP_SOME */
    const int *pes;

    /* For tap_after. */
    void *result; /* memory that was allocated, or a pointer */
    size_t found; /* an index or a number of indices; what a test or a collective returned */

    unsigned depth; /* of the calls that a statement of coarrays is in */

    uint64_t began; /* the tool's own, from tap_before to tap_after */
    uint64_t own;
};

/* The tool's.  Called on the thread that calls; outside other calls alone, but for TAP_INIT, TAP_FINALIZE and TAP_EXIT.
 * tap_before(TAP_INIT) comes before the library is there, tap_after(TAP_FINALIZE) when it is gone, tap_after(TAP_EXIT)
 * never. */
void tap_before(struct tap_call *call);
void tap_after(struct tap_call *call);

/* --- for who tells ------------------------------------------------------------------------------------------------ */

/* How deep this thread is in calls that are told of: only the outermost is. */
extern __thread unsigned tap_depth __attribute__((tls_model("initial-exec"), visibility("hidden")));

static inline void tap_enter(struct tap_call *call)
{
    if (tap_depth++ == 0)
        tap_before(call);
}

static inline void tap_leave(struct tap_call *call)
{
    if (--tap_depth == 0)
        tap_after(call);
}

/* The same for the tapped libraries of coarrays, which find them in the tool that is preloaded (statement.c). */
void copal_tap_enter(struct tap_call *call);
void copal_tap_leave(struct tap_call *call);

/* Defined by a tool that wants dest_at and source_at of statements of coarrays, which take time to find out. */
extern const bool copal_tap_each_block __attribute__((visibility("default")));

/* The tool's, if it wants to know: SHCOLL has chosen an algorithm on this thread (shmemx.h: shmemx_tell_algorithms).
 * The tapped libraries, which have SHCOLL for themselves, tell it so as well. */
void copal_tap_algorithm(const char *collective, const char *algorithm, size_t bytes)
    __attribute__((visibility("default")));

/* --- teams and contexts (groups.c) -------------------------------------------------------------------------------- */

struct tap_group {
    uintptr_t handle;
    int start, stride, size; /* size is 0: no such team or context is known */
    bool of_shared;          /* SHMEM_TEAM_SHARED's, or of a team split from it: an atomicity domain of its own (3.2) */
};
void tap_groups_begin(void); /* after each initialization */
struct tap_group tap_team(shmem_team_t team);
struct tap_group tap_context(shmem_ctx_t ctx);

/* The world's number of PE pe of a context, or -1. */
static inline int tap_pe(shmem_ctx_t ctx, int pe)
{
    if (__builtin_expect(ctx == SHMEM_CTX_DEFAULT, 1))
        return pe;
    const struct tap_group g = tap_context(ctx);
    return pe >= 0 && pe < g.size ? g.start + pe * g.stride : -1;
}

#endif
