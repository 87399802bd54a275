/* SHCOLL: the collectives of OpenSHMEM, every algorithm of them, on top of any OpenSHMEM from 1.4 on.
 *
 * A collective runs on a group: PEs start, start + stride, ... of the job, or any others in any order, and a symmetric
 * work area in which they signal each other.  A group is made by shcoll_group_create, from a list of PEs, from a team,
 * or from an active set and its pSync.  As in OpenSHMEM itself (1.6, section 9.10): dest and source are symmetric, dest
 * is ready on every member before any member calls, source is ready on the calling member, all members pass the same
 * sizes (collect: each its own), and one group is used by one thread at a time.
 *
 *     shcoll_init();
 *     struct shcoll_group *all = shcoll_group_create(0, 1, shmem_n_pes());
 *     shcoll_reduce(all, sums, values, n, SHCOLL_OP(SUM, double));
 *
 * Which algorithm a call takes is chosen by size, group and placement, the same on every PE: by a request in the
 * environment (SHCOLL_REDUCE=rabenseifner:shmem_ptr), else by a tuning table, else by a cost model.  docs/shcoll.md
 * lists the algorithms and says how to pick, tune and add one.
 *
 * Whatever is wrong with a call or a setting ends the job with one sentence. */
#ifndef SHCOLL_H
#define SHCOLL_H

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- groups ------------------------------------------------------------------------------------------------------- */

/* A pSync is an array of so many longs, symmetric and zero before its first use.  As with OpenSHMEM's own, it is zero
 * again when a collective returns, and may be used again when all members have returned (at once for shcoll_sync). */
#define SHCOLL_SYNC_SIZE 160
#define SHCOLL_SYNC_VALUE 0L

/* A group that lasts has a work area of so many bytes, symmetric, aligned to 64, zero before its first use. */
#define SHCOLL_WORK_BYTES ((size_t)40 << 10)

/* The first six fields are set by those who build OpenSHMEM on SHCOLL, the others start as zero; everybody else uses
 * the functions below. */
struct shcoll_group {
    int start, stride, size;
    int me;         /* the calling PE's position; -1 outside */
    uint64_t *work; /* symmetric: a work area, or a pSync */
    bool is_pSync;
    unsigned char part;       /* of a two-level algorithm (group.h) */
    unsigned short lane;
    bool is_indirect;         /* the member at a position is not PE start + position * stride */
    struct shcoll_plan *plan; /* what is chosen in groups of this shape */
    uint64_t number;          /* of the group's synchronizing operations, the same on all members */
    uint64_t syncs;           /* of syncs among them; unused with a pSync, as are those that follow */
    uint64_t broadcasts;
    uint64_t synchronized;    /* number as it was after half a ring of broadcasts */
    uint64_t slots;           /* of reductions in slots */
    const int *pes;           /* the members, where they are not strided; else NULL */
    int first_run, run;       /* of them, on the first node, and on each that follows */
};

/* Reads the settings, finds out how the PEs are placed on nodes and agrees on both; all PEs call it, after
 * shmem_init. */
void shcoll_init(void);

/* A group of PEs start, start + stride, ..., size of them.  All PEs of the job call it, with the same numbers, for it
 * allocates symmetric memory; me is -1 on PEs outside the group.  All PEs of the job end it by shcoll_group_free. */
struct shcoll_group *shcoll_group_create(int start, int stride, int size);
void shcoll_group_free(struct shcoll_group *g);

/* A group on a work area of the caller's, without communication: a pSync, or an area of SHCOLL_WORK_BYTES. */
struct shcoll_group shcoll_group_on(int start, int stride, int size, void *work, bool is_pSync);

/* The same for size different PEs in any order, on an area of SHCOLL_WORK_BYTES.  me is the calling PE's position in
 * pes, -1 outside.  pes is the same on all members, and stays as long as the group does.  work is zero on all members
 * before any of them calls a collective: that is for the caller to see to. */
struct shcoll_group shcoll_group_on_pes(const int *pes, int size, int me, void *work);

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
/* The same for the members of a team, whose PEs must be strided, as those of
 * all teams are that were split off the world by shmem_team_split_strided and shmem_team_split_2d. */
struct shcoll_group shcoll_group_on_team(shmem_team_t team, void *work);
#endif

/* The active set (PE_start, logPE_stride, PE_size); cheap enough to be made for each call. */
static inline struct shcoll_group shcoll_active_set(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    return shcoll_group_on(PE_start, 1 << logPE_stride, PE_size, pSync, true);
}

/* --- operations of reductions ------------------------------------------------------------------------------------- */

/* into[i] = into[i] OP from[i].  A user's own operation is such a struct too; it must be associative.  Where combine is
 * NULL, combine_with does the same, and is handed the context: a function that is known only at run time, say. */
struct shcoll_op {
    size_t size; /* bytes of an element, at most SHCOLL_ELEMENT_BYTES */
    void (*combine)(void *into, const void *from, size_t n); /* arrays that do not overlap */
    bool exact;   /* the result does not depend on how operands are grouped: not so for floating-point sums */
    bool ordered; /* a OP b is not b OP a */
    void (*combine_with)(void *context, void *into, const void *from, size_t n);
    void *context;
};
#define SHCOLL_ELEMENT_BYTES 8192

enum shcoll_op_name { SHCOLL_AND, SHCOLL_OR, SHCOLL_XOR, SHCOLL_MAX, SHCOLL_MIN, SHCOLL_SUM, SHCOLL_PROD, SHCOLL_OPS };
enum shcoll_type {
    SHCOLL_INT8, SHCOLL_INT16, SHCOLL_INT32, SHCOLL_INT64, SHCOLL_UINT8, SHCOLL_UINT16, SHCOLL_UINT32, SHCOLL_UINT64,
    SHCOLL_FLOAT, SHCOLL_DOUBLE, SHCOLL_LONG_DOUBLE, SHCOLL_COMPLEX_FLOAT, SHCOLL_COMPLEX_DOUBLE, SHCOLL_TYPES,
};

/* The operations of the specification; those without a meaning (the AND of two doubles) have size 0. */
extern const struct shcoll_op shcoll_ops[SHCOLL_OPS][SHCOLL_TYPES];

#ifndef __cplusplus
/* The enum shcoll_type of a C type. */
#define SHCOLL_TYPE(T) _Generic((T){0}, float: SHCOLL_FLOAT, double: SHCOLL_DOUBLE, long double: SHCOLL_LONG_DOUBLE, \
    float _Complex: SHCOLL_COMPLEX_FLOAT, double _Complex: SHCOLL_COMPLEX_DOUBLE, \
    char: (char)-1 > 0 ? SHCOLL_UINT8 : SHCOLL_INT8, signed char: SHCOLL_INT8, unsigned char: SHCOLL_UINT8, \
    short: SHCOLL_INT16, unsigned short: SHCOLL_UINT16, int: SHCOLL_INT32, unsigned: SHCOLL_UINT32, \
    long: sizeof(long) == 8 ? SHCOLL_INT64 : SHCOLL_INT32, \
    unsigned long: sizeof(long) == 8 ? SHCOLL_UINT64 : SHCOLL_UINT32, \
    long long: SHCOLL_INT64, unsigned long long: SHCOLL_UINT64)

/* SHCOLL_OP(SUM, double), SHCOLL_OP(MAX, unsigned char), ...: a pointer to a struct shcoll_op. */
#define SHCOLL_OP(OP, T) (&shcoll_ops[SHCOLL_##OP][SHCOLL_TYPE(T)])
#endif

/* --- collectives -------------------------------------------------------------------------------------------------- */

/* Until all members have called; barrier also completes what this PE has put before. */
void shcoll_sync(struct shcoll_group *g);
void shcoll_barrier(struct shcoll_group *g);

/* bytes of the root's source to every member's dest; root is a position.  With a pSync the root's own dest is left
 * alone, as the specification wants it of active sets. */
void shcoll_broadcast(struct shcoll_group *g, void *dest, const void *source, size_t bytes, int root);

/* The members' sources one behind the other: the same number of bytes from each (fcollect), or any (collect). */
void shcoll_fcollect(struct shcoll_group *g, void *dest, const void *source, size_t bytes);
void shcoll_collect(struct shcoll_group *g, void *dest, const void *source, size_t bytes);

/* Block j of member i's source becomes block i of member j's dest.  alltoalls: blocks of n elements of size bytes,
 * which lie dst and sst elements apart. */
void shcoll_alltoall(struct shcoll_group *g, void *dest, const void *source, size_t bytes);
void shcoll_alltoalls(struct shcoll_group *g, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,
                      size_t size);

/* dest[i] = source[i] of member 0 OP source[i] of member 1 OP ...; of all members, of those up to the calling one
 * (inscan), or of those before it (exscan; zero bytes at the first).  dest may be source.  The result of a reduction
 * has the same bits on all members. */
void shcoll_reduce(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op);

/* The same where only the member at position root needs the result: what the dests of the others hold then is
 * undefined, though they must have room for it. */
void shcoll_reduce_to(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op,
                      int root);

void shcoll_inscan(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op);
void shcoll_exscan(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op);

/* --- algorithms by name ------------------------------------------------------------------------------------------- */

enum shcoll_collective {
    SHCOLL_SYNC, SHCOLL_BROADCAST, SHCOLL_FCOLLECT, SHCOLL_COLLECT, SHCOLL_ALLTOALL, SHCOLL_ALLTOALLS, SHCOLL_REDUCE,
    SHCOLL_INSCAN, SHCOLL_EXSCAN, SHCOLL_COLLECTIVES,
};
extern const char *const shcoll_collective_names[SHCOLL_COLLECTIVES]; /* "sync", "broadcast", ... */

/* One call: n elements of size bytes; what a collective does not have stays zero. */
struct shcoll_call {
    void *dest;
    const void *source;
    size_t n, size;
    int root;                   /* broadcast; reduce to_root */
    ptrdiff_t dst, sst;         /* alltoalls */
    const struct shcoll_op *op; /* reductions and scans */
    bool exclusive;             /* scans */
    bool to_root;               /* reduce: only the root needs the result */
    size_t offset, total;       /* collect: filled in by shcoll_run, as is the next */
    const uint64_t *lengths;
};

struct shcoll_algorithm;

/* An algorithm, and the radix k where it is a tree. */
struct shcoll_choice {
    const struct shcoll_algorithm *algorithm; /* NULL: none */
    int k;
};

/* Algorithm number i of a collective in its table, with its usual radix; .algorithm is NULL behind the last. */
struct shcoll_choice shcoll_algorithm_number(enum shcoll_collective collective, int i);

/* The algorithm of that name, as in "ring", "knomial:signal" or "knomial:signal:4"; without a form, the first. */
struct shcoll_choice shcoll_find(enum shcoll_collective collective, const char *name);

/* What the chooser takes for bytes (a member's piece; a reduction's vector) in the group. */
struct shcoll_choice shcoll_chosen(struct shcoll_group *g, enum shcoll_collective collective, size_t bytes);

/* "knomial:signal:4" into text, which is at least SHCOLL_NAME_BYTES long; returns text. */
#define SHCOLL_NAME_BYTES 64
const char *shcoll_name(struct shcoll_choice choice, char *text);

/* For tools: from now on, whenever this PE chooses an algorithm, whom is told before it runs, by the thread that calls:
 * collective is a name as in shcoll_collective_names, algorithm what shcoll_name makes, which is gone when whom
 * returns, bytes what shcoll_chosen means by it.  NULL: nobody is told any more.  No collective is to run meanwhile. */
typedef void (*shcoll_told)(const char *collective, const char *algorithm, size_t bytes);
void shcoll_tell(shcoll_told whom);

/* NULL if the algorithm can do the call in the group; else a sentence that says why not, and names one that can, in
 * text, which is at least SHCOLL_SENTENCE_BYTES long. */
#define SHCOLL_SENTENCE_BYTES 320
const char *shcoll_refuses(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *call,
                           char *text);

/* Does the call by that algorithm; ends the job with the sentence of shcoll_refuses if it cannot. */
void shcoll_run(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *call);

/* --- for those who build OpenSHMEM on SHCOLL ---------------------------------------------------------------------- */

/* shcoll_init in two halves without communication: PE 0 writes the settings into area (SHCOLL_WORK_BYTES, symmetric),
 * all PEs synchronize, all PEs read them.  node_size is how many PEs share a node, PE k being on node k / node_size;
 * processors, how many there are for PE 0 and those who share them with it: sharing PEs, from PE 0 on, which are its
 * node's, or those of several nodes that are one machine.  All PEs say the same. */
void shcoll_settings_write(void *area, int node_size, int processors);
void shcoll_settings_read(void *area, int sharing);

/* Variable i of the environment that PE 0 reads, for an OpenSHMEM that lists them; value is NULL if it is not set. */
struct shcoll_setting {
    const char *name, *value, *allowed, *usual, *help;
};
bool shcoll_setting(int i, struct shcoll_setting *setting); /* false behind the last */

/* A sync in which every member also tells the next one a word; returns what the one before has told, or 0 from one that
 * is in an ordinary sync.  Not with a pSync. */
uint64_t shcoll_sync_telling(struct shcoll_group *g, uint64_t word);

/* Whether the group is two members whose sync is a signal each way.  Then what a member has put to the other one is
 * there when that one leaves the sync if a fence is made before it; otherwise that takes a quiet. */
bool shcoll_sync_is_paired(struct shcoll_group *g);

/* Before a lasting work area is zeroed for another group: returns when no member reads this one's any more.  All
 * members call it.  It synchronizes where the last collective but broadcasts was a collect that left lengths to be
 * read. */
void shcoll_group_end(struct shcoll_group *g);

/* Symmetric scratch in a lasting group's work area, free for the group's owner between collectives. */
#define SHCOLL_SCRATCH_BYTES ((size_t)1 << 10)
void *shcoll_scratch(struct shcoll_group *g);

/* The PE that this thread's collective waits for, -1 when it could be any: for whoever explains a hang. */
#ifndef __cplusplus
extern _Thread_local int shcoll_awaited_pe __attribute__((tls_model("initial-exec")));
#endif

/* Writes to standard output which algorithm each collective and size takes in the group. */
void shcoll_print_choices(struct shcoll_group *g);

#ifdef __cplusplus
}
#endif

#endif
