/* SHCOLL: the collectives of OpenSHMEM, with many algorithms, on top of any OpenSHMEM from 1.4 on.
 *
 * A collective runs on a group.  A group has members (the PEs start, start + stride, ... of the job, or any PEs in any
 * order) and a symmetric work area, in which they signal each other. shcoll_group_create makes a group; other functions
 * make it from a list of PEs, a team, or an active set and its pSync.  The rules are those of OpenSHMEM (1.6, section
 * 9.10): dest and source are symmetric; dest is ready on every member before any member calls; source is ready on the
 * calling member; all members pass the same sizes (in collect, each its own); and threads use a group one after the
 * other.
 *
 *     shcoll_init();
 *     struct shcoll_group *all = shcoll_group_create(0, 1, shmem_n_pes());
 *     shcoll_reduce(all, sums, values, n, SHCOLL_OP(SUM, double));
 *
 * All members choose the same algorithm for a call, by its size, the group, and the placement of the PEs.  A request in
 * the environment (SHCOLL_REDUCE=rabenseifner:shmem_ptr) has priority, then a tuning table, then a cost model.
 * docs/shcoll.md lists the algorithms, and explains how to select, tune and add one.
 *
 * An error in a call or a setting ends the job with one sentence. */
#ifndef SHCOLL_H
#define SHCOLL_H

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* --- groups ------------------------------------------------------------------------------------------------------- */

/* A pSync is a symmetric array of this number of longs, zero before its first use.  As in OpenSHMEM, it is zero again
 * when a collective returns, and may be reused when all members have returned (after shcoll_sync, immediately). */
#define SHCOLL_SYNC_SIZE 160
#define SHCOLL_SYNC_VALUE 0L

/* A permanent group has a symmetric work area of this number of bytes, aligned to 64, zero before its first use. */
#define SHCOLL_WORK_BYTES ((size_t)56 << 10)

/* An OpenSHMEM that is built on SHCOLL sets the first six fields; the others are initially zero.  Programs use the
 * functions below. */
struct shcoll_group {
    int start, stride, size;
    int me;         /* the calling PE's position; -1 outside */
    uint64_t *work; /* symmetric: a work area, or a pSync */
    bool is_pSync;
    unsigned char part;       /* of a two-level algorithm (group.h) */
    unsigned short lane;
    bool is_indirect;         /* the member at a position is not PE start + position * stride */
    struct shcoll_plan *plan; /* the choices for groups of this shape */
    uint64_t number;          /* counts the group's synchronizing operations; the same on all members */
    uint64_t syncs;           /* counts syncs among them; with a pSync, this and the next counters are unused */
    uint64_t broadcasts;
    uint64_t synchronized;    /* `number` at the last broadcast or small scan */
    uint64_t slots;           /* counts reductions in slots */
    const int *pes;           /* the members, if they are not strided; else NULL */
    int first_run, run;       /* number of members on the first node, and on each further node */
};

/* Reads the settings, determines the placement of PEs on nodes, and agrees on both.  All PEs call it, after shmem_init.
 * Does nothing in Copal, where shmem_init has done this. */
void shcoll_init(void);

/* A group of PEs start, start + stride, ..., size of them.  All PEs of the job call it with the same arguments,
 * because it allocates symmetric memory; me is -1 on PEs outside the group.  All PEs of the job end it by
 * shcoll_group_free. */
struct shcoll_group *shcoll_group_create(int start, int stride, int size);
void shcoll_group_free(struct shcoll_group *g);

/* A group on a work area that the caller provides, without communication: a pSync, or an area of
 * SHCOLL_WORK_BYTES. */
struct shcoll_group shcoll_group_on(int start, int stride, int size, void *work, bool is_pSync);

/* The same for `size` different PEs in any order, on an area of SHCOLL_WORK_BYTES.  me is the calling PE's position in
 * pes, or -1 outside.  pes is the same on all members, and must exist as long as the group.  The caller zeroes work on
 * all members before any member calls a collective. */
struct shcoll_group shcoll_group_on_pes(const int *pes, int size, int me, void *work);

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
/* The same for the members of a team.  Its PEs must be strided, as in all teams of shmem_team_split_strided and
 * shmem_team_split_2d. */
struct shcoll_group shcoll_group_on_team(shmem_team_t team, void *work);
#endif

/* The group of an active set (PE_start, logPE_stride, PE_size); it is cheap enough to make it for each call. */
static inline struct shcoll_group shcoll_active_set(int PE_start, int logPE_stride, int PE_size, long *pSync)
{
    return shcoll_group_on(PE_start, 1 << logPE_stride, PE_size, pSync, true);
}

/* --- operations of reductions ------------------------------------------------------------------------------------- */

/* into[i] = into[i] OP from[i].  A program's own operation must be associative.  If combine is NULL, combine_with is
 * called instead, with the context as its first argument.  The context can be a function that is known only at run
 * time. */
struct shcoll_op {
    size_t size; /* bytes of an element, at most SHCOLL_ELEMENT_BYTES */
    void (*combine)(void *into, const void *from, size_t n); /* arrays that do not overlap */
    bool exact;   /* the grouping of operands does not change the result (it does for floating-point sums) */
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

/* Wait until all members have called; barrier also completes this PE's earlier puts. */
void shcoll_sync(struct shcoll_group *g);
void shcoll_barrier(struct shcoll_group *g);

/* Copies `bytes` bytes of the root's source to every member's dest; root is a position.  With a pSync the root's own
 * dest is unchanged, as the specification requires for active sets. */
void shcoll_broadcast(struct shcoll_group *g, void *dest, const void *source, size_t bytes, int root);

/* Concatenates the members' sources: the same number of bytes from each (fcollect), or any number (collect). */
void shcoll_fcollect(struct shcoll_group *g, void *dest, const void *source, size_t bytes);
void shcoll_collect(struct shcoll_group *g, void *dest, const void *source, size_t bytes);

/* Block j of member i's source becomes block i of member j's dest.  alltoalls: blocks of n elements of size bytes,
 * which are dst and sst elements apart. */
void shcoll_alltoall(struct shcoll_group *g, void *dest, const void *source, size_t bytes);
void shcoll_alltoalls(struct shcoll_group *g, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n,
                      size_t size);

/* dest[i] = source[i] of member 0 OP source[i] of member 1 OP ..., over all members (reduce), those up to the calling
 * member (inscan), or those before it (exscan; zero bytes on member 0).  dest may be source.  The result of a reduction
 * has the same bits on all members. */
void shcoll_reduce(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op);

/* The same if only the member at position root needs the result.  The dest of the other members must have the full
 * size, and has undefined contents afterwards. */
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

/* One call: n elements of size bytes; fields that a collective does not use are zero. */
struct shcoll_call {
    void *dest;
    const void *source;
    size_t n, size;
    int root;                   /* broadcast; reduce to_root */
    ptrdiff_t dst, sst;         /* alltoalls */
    const struct shcoll_op *op; /* reductions and scans */
    bool exclusive;             /* scans */
    bool to_root;               /* reduce: only the root needs the result */
    size_t offset, total;       /* collect: shcoll_run sets these and lengths */
    const uint64_t *lengths;
};

struct shcoll_algorithm;

/* An algorithm, and the radix k if it is a tree. */
struct shcoll_choice {
    const struct shcoll_algorithm *algorithm; /* NULL: none */
    int k;
};

/* Algorithm number i of a collective in its table, with its usual radix; .algorithm is NULL after the last. */
struct shcoll_choice shcoll_algorithm_number(enum shcoll_collective collective, int i);

/* The algorithm of that name, as in "ring", "knomial:signal" or "knomial:signal:4"; without a form, its first one. */
struct shcoll_choice shcoll_find(enum shcoll_collective collective, const char *name);

/* The chooser's algorithm for bytes (of a member's part; of a reduction's vector) in the group. */
struct shcoll_choice shcoll_chosen(struct shcoll_group *g, enum shcoll_collective collective, size_t bytes);

/* "knomial:signal:4" into text, which is at least SHCOLL_NAME_BYTES long; returns text. */
#define SHCOLL_NAME_BYTES 64
const char *shcoll_name(struct shcoll_choice choice, char *text);

/* For tools. After this call, a thread of this PE that chooses an algorithm calls *whom before the algorithm runs.
 * collective is a name of shcoll_collective_names, algorithm is a text of shcoll_name, which is valid until *whom
 * returns, and bytes is as in shcoll_chosen.  NULL ends this.  No collective may run during shcoll_tell. */
typedef void (*shcoll_told)(const char *collective, const char *algorithm, size_t bytes);
void shcoll_tell(shcoll_told whom);

/* Returns NULL if the algorithm supports the call in the group.  Otherwise it writes a sentence to text, which is at
 * least SHCOLL_SENTENCE_BYTES long, and returns text: the reason, and the name of an algorithm that supports the
 * call. */
#define SHCOLL_SENTENCE_BYTES 320
const char *shcoll_refuses(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *call,
                           char *text);

/* Executes the call by that algorithm; if the algorithm does not support it, ends the job with the sentence of
 * shcoll_refuses. */
void shcoll_run(struct shcoll_choice choice, struct shcoll_group *g, const struct shcoll_call *call);

/* --- for an OpenSHMEM built on SHCOLL ----------------------------------------------------------------------------- */

/* The two halves of shcoll_init, without communication: PE 0 writes the settings to area (SHCOLL_WORK_BYTES,
 * symmetric), then all PEs synchronize, then all PEs read the settings. node_size is the number of PEs of a node: PE k
 * is on node k / node_size. processors is the number of processors of PE 0's node; if several nodes share a machine, of
 * this machine. sharing is the number of PEs that share these processors; they begin with PE 0.  All PEs pass the same
 * values. */
void shcoll_settings_write(void *area, int node_size, int processors);
void shcoll_settings_read(void *area, int sharing);

/* Environment variable i that PE 0 reads, for an OpenSHMEM that lists them; value is NULL if it is not set. */
struct shcoll_setting {
    const char *name, *value, *allowed, *usual, *help;
};
bool shcoll_setting(int i, struct shcoll_setting *setting); /* false after the last */

/* A sync in which each member also sends a word to the next member.  Returns the word of the previous member, or 0
 * if that member is in an ordinary sync.  The group must not have a pSync. */
uint64_t shcoll_sync_telling(struct shcoll_group *g, uint64_t word);

/* Whether the group has two members, whose sync is a signal in each direction.  If puts must arrive before the other
 * members leave a sync: if this function returns true, a fence before the sync suffices, otherwise a quiet is
 * necessary. */
bool shcoll_sync_is_paired(struct shcoll_group *g);

/* All members call this before a permanent work area is zeroed for another group.  It returns when no member
 * accesses this member's area any more: it waits until members have acknowledged this member's broadcasts.  If the last
 * collective other than broadcasts was a collect, it synchronizes, because other members may still read the lengths. */
void shcoll_group_end(struct shcoll_group *g);

/* Symmetric scratch memory in a permanent group's work area, for the group's owner between collectives. */
#define SHCOLL_SCRATCH_BYTES ((size_t)1 << 10)
void *shcoll_scratch(struct shcoll_group *g);

/* The PE for which this thread's collective waits; -1: it may be any PE.  For reports of hangs. */
#ifndef __cplusplus
extern _Thread_local int shcoll_awaited_pe __attribute__((tls_model("initial-exec")));
#endif

/* Prints to standard output which algorithm each collective and size uses in the group. */
void shcoll_print_choices(struct shcoll_group *g);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
