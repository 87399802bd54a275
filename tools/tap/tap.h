/* The data of each call of the program, for a tool: the profile (tools/profile) and the race detector (tools/races).
 *
 * A tool is one library, which oshrun or LD_PRELOAD loads. It consists of the objects of this folder, which define
 * every shmem_ name by the pshmem_ name (OpenSHMEM 10), and of the tool's own, which define tap_before and tap_after.
 * libshmem's calls of its own functions are bound inside it and are not reported.
 *
 * Coarray statements use the same two functions: oshrun makes the program load coarray libraries that report its
 * statements (caf/). Their own shmem_ calls, and SHCOLL's, are inside another call and are not reported. */
#pragma once

#define COPAL_NO_GENERICS
#include <pshmem.h>

#include <stdbool.h>

enum tap_kind {
    TAP_PUT, TAP_GET, TAP_ATOMIC, /* dest is the object that an atomic changes or reads */
    TAP_SIGNAL,                   /* a signal without data */
    TAP_WAIT, TAP_TEST,
    TAP_FENCE, TAP_QUIET,
    TAP_BARRIER, TAP_SYNC, /* a barrier completes pending operations, a sync does not */
    TAP_SYNC_IMAGES,       /* pes has count images, which may include the calling image */
    TAP_BROADCAST, TAP_COLLECT, TAP_FCOLLECT, TAP_ALLTOALL, TAP_REDUCE, TAP_SCAN,
    TAP_LOCK, TAP_TEST_LOCK, TAP_UNLOCK,
    TAP_ALLOC, TAP_REALLOC, TAP_FREE,
    TAP_TEAM_SPLIT, TAP_TEAM_DESTROY, TAP_CONTEXT_CREATE, TAP_CONTEXT_DESTROY,
    TAP_POINTER,                     /* shmem_ptr: dest is the argument, result the pointer */
    TAP_INIT, TAP_FINALIZE, TAP_EXIT,
    TAP_CONTROL,                     /* shmem_pcontrol: value is the level */
    TAP_QUERY,                       /* no data moves and no PE waits */
    TAP_KINDS
};

enum tap_flags {
    TAP_NONBLOCKING = 1, /* complete at the next quiet of its context */
    TAP_READS = 2,       /* an atomic that fetches */
    TAP_WRITES = 4,      /* an atomic that stores */
    TAP_ANY = 8,         /* wait or test of an array: one of its elements is enough; the result is in found */
    TAP_SOME = 16,       /* the same, with all elements found: indices has their indices, found their number */
    TAP_VECTOR = 32,     /* wait or test against values[i] instead of value */
    TAP_PE_QUIET = 64,   /* a quiet only for the count PEs in pes, as ctx numbers them */
    TAP_STATEMENT = 128, /* a coarray statement: routine is its name, such as "put" or "sync all" */
    TAP_STATIC = 256,    /* a coarray that is allocated before the program begins, without a statement */
};

/* An access has count blocks of `bytes` bytes each, at distances of dest_step and source_step bytes; contiguous data
 * have steps of `bytes`. If the distances vary the step is 0, and dest_at and source_at contain the offset of each
 * block from dest and source; if these are NULL too, only the first block is known. Unused fields are 0, an unused pe
 * is -1. PEs are numbers of the world; a PE that does not exist is -1. */
struct tap_call {
    const char *routine; /* "shmem_int_put" */
    void *caller;        /* the return address in the program */
    enum tap_kind kind;
    unsigned flags; /* of enum tap_flags */
    int pe;
    int root; /* root of a broadcast */

    void *dest;
    const void *source;
    size_t bytes, count;
    ptrdiff_t dest_step, source_step;
    const ptrdiff_t *dest_at, *source_at;

    shmem_ctx_t ctx;
    shmem_team_t team;       /* 0 for an active set; for a statement, the same number on all images of the team */
    int start, stride, size; /* PEs of a collective: start, start + stride, ... */
    const void *fetch;       /* the destination of a nonblocking atomic's fetched value */

    uint64_t *signal; /* address of the signal, in a put with signal or a signal without data */
    int operation;    /* SHMEM_SIGNAL_..., or SHMEM_CMP_... of wait and test */
    uint64_t value;   /* sent to a signal, compared, stored or added by an atomic: its representation in memory */
    const void *values;
    const int *status;     /* wait and test: elements to ignore */
    const size_t *indices; /* with TAP_SOME */
    const int *pes;

    /* Set for tap_after. */
    void *result; /* memory that was allocated, or a pointer */
    size_t found; /* an index or a number of indices; what a test or a collective returned */

    unsigned depth; /* nesting depth of the calls around a statement of coarrays */

    uint64_t began; /* for the tool's own data, from tap_before to tap_after */
    uint64_t own;
};

/* Defined by the tool. Called on the calling thread, only for outermost calls, except TAP_INIT, TAP_FINALIZE and
 * TAP_EXIT. tap_before(TAP_INIT) precedes the library's start, tap_after(TAP_FINALIZE) follows its end,
 * tap_after(TAP_EXIT) is never called. */
void tap_before(struct tap_call *call);
void tap_after(struct tap_call *call);

/* --- for the reporting functions ---------------------------------------------------------------------------------- */

/* This thread's depth in reported calls: only the outermost call is reported. */
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

/* The same for the tapped coarray libraries, which find these functions in the preloaded tool (statement.c). */
void copal_tap_enter(struct tap_call *call);
void copal_tap_leave(struct tap_call *call);

/* Defined by a tool that uses dest_at and source_at of coarray statements, which take time to compute. */
extern const bool copal_tap_each_block __attribute__((visibility("default")));

/* Optional in a tool: SHCOLL has chosen an algorithm on this thread (shmemx.h: shmemx_tell_algorithms). The tapped
 * libraries, which contain their own SHCOLL, report it as well. */
void copal_tap_algorithm(const char *collective, const char *algorithm, size_t bytes)
    __attribute__((visibility("default")));

/* --- teams and contexts (groups.c) -------------------------------------------------------------------------------- */

struct tap_group {
    uintptr_t handle;
    int start, stride, size; /* size 0: unknown team or context */
    int twin; /* distinguishes teams with the same PEs, on all of them: 0 for SHMEM_TEAM_WORLD */
    bool of_shared;          /* of SHMEM_TEAM_SHARED or a team split from it, an atomicity domain of its own (3.2) */
};
void tap_groups_begin(void); /* after each initialization */
struct tap_group tap_team(shmem_team_t team);
struct tap_group tap_context(shmem_ctx_t ctx);

/* The number in the world of a context's PE pe, or -1. */
static inline int tap_pe(shmem_ctx_t ctx, int pe)
{
    if (__builtin_expect(ctx == SHMEM_CTX_DEFAULT, 1))
        return pe;
    const struct tap_group g = tap_context(ctx);
    return pe >= 0 && pe < g.size ? g.start + pe * g.stride : -1;
}
