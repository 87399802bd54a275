/* The coarray runtime, as the compilers' ABI layers see it.
 *
 * The core knows images, teams, coarrays and sections of arrays, but no compiler: an ABI layer (src/caf/gfortran/)
 * turns its compiler's descriptors into what this header declares.  The core needs <shmem.h> of any OpenSHMEM from 1.4
 * on, and SHCOLL; with Copal's OpenSHMEM it also detects images that have died (<shmemx.h>).
 *
 * Conventions.  A parameter named image is a number from 1 on, as in Fortran; PEs and positions in a team begin at 0.
 * An address in a coarray is this image's own; the core computes the corresponding address on another image (but see
 * foreign in struct caf_section).  A function that can fail in the sense of stat= returns a value of enum caf_stat and
 * stores a sentence for errmsg=, which caf_message() returns; for any other error caf_fatal ends the job.  A function
 * that only queries a team takes NULL for the current team.
 *
 * These are the files of the core; each uses only the files above it (scripts/check-layers).  This header declares what
 * an ABI layer may call; a file's own header declares what the other files of the core may call:
 *
 *   library                the OpenSHMEM below, and whether the program calls it directly
 *   access/reach           memory of other images, at the addresses that those images use
 *   access/atoms           atomic operations on local memory
 *   error, settings        error messages and the end of a job; the environment variables
 *   memory/arena, heap     malloc on symmetric memory; the symmetric memory of coarrays
 *   memory/lent            blocks that one image allocates and another image frees
 *   access/nearby, order, held, bytes    which memory is local; the order of remote transfers; puts that are held back
 *   access/call            functions that other images run
 *   access/convert, nest, move, far, section     coindexed assignments (nest.h)
 *   control/attempt        waits that end when an image ends
 *   control/team, image    a team's structure; what an image publishes, and which images have ended
 *   control/atomic, event, lock_word, lock_there, lock
 *   control/meeting        the barrier of all images on two or three nodes
 *   control/sync           the synchronization of a team
 *   control/coarray, reduction, collective
 *   control/formation, change_team    FORM TEAM, CHANGE TEAM, END TEAM
 *   control/init           start and end of an image */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "access/reach.h"
#include "library.h"
#include "memory/arena.h"

#define CAF_LIKELY(x) __builtin_expect(!!(x), 1)
#define CAF_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* --- status and errors (error.c) ---------------------------------------------------------------------------------- */

/* The values of gfortran's ISO_FORTRAN_ENV, except CAF_STAT_UNLOCKED and CAF_STAT_ERROR. */
enum caf_stat {
    CAF_OK = 0,
    CAF_STAT_LOCKED = 1,             /* STAT_LOCKED: LOCK of a lock that this image holds */
    CAF_STAT_LOCKED_OTHER_IMAGE = 2, /* UNLOCK of a lock that another image holds */
    CAF_STAT_UNLOCKED = 3,           /* UNLOCK of a free lock; in gfortran 0: see lock.c */
    CAF_STAT_ERROR = 4,              /* all other errors: memory exhausted, bad argument */
    CAF_STAT_STOPPED_IMAGE = 6000,
    CAF_STAT_FAILED_IMAGE = 6001,
    CAF_STAT_UNLOCKED_FAILED_IMAGE = 6002, /* the lock's holder has failed; this image holds it now */
};

/* Stores the sentence for caf_message and returns stat. */
int caf_say(int stat, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
const char *caf_message(void);

/* Called at the end of every statement that may have stat= and errmsg=. Stores the status; if stat is NULL, an error
 * ends the job with the sentence. errmsg may be NULL; it is written only on an error, and padded with blanks. */
void caf_report_slowly(int status, int *stat, char *errmsg, size_t errmsg_len);
static inline void caf_report(int status, int *stat, char *errmsg, size_t errmsg_len)
{
    if (CAF_UNLIKELY(status != CAF_OK || stat))
        caf_report_slowly(status, stat, errmsg, errmsg_len);
}

/* Prints "copal: image 2: SENTENCE" on stderr and ends the job with exit code 1. */
_Noreturn void caf_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* --- beginning and end (init.c) ----------------------------------------------------------------------------------- */

/* Idempotent: constructors register coarrays before the main program starts. */
void caf_init(void);

/* For an ABI layer's constructor: ends the program if a second coarray library defines this entry too (only.c). */
void caf_refuse_other_library(const char *entry);

/* Normal termination: this image becomes a stopped image. Returns when all images have stopped or failed. */
void caf_finalize(void);

_Noreturn void caf_stop(int code);       /* STOP: normal termination with an exit code */
_Noreturn void caf_error_stop(int code); /* ERROR STOP: ends all images immediately, with a nonzero code */
_Noreturn void caf_fail_image(void);

/* --- images (image.c) --------------------------------------------------------------------------------------------- */

struct caf_team;
extern struct caf_team *caf_current;

/* The images of the current team, for inlined accesses: image i is PE pes[i - 1], or PE i - 1 if pes is NULL. */
extern struct caf_images {
    int n, me; /* number of images; this image */
    const int *pes;
} caf_images CAF_HIDDEN;

int caf_this_image(const struct caf_team *team);
int caf_num_images(const struct caf_team *team);

/* If the program was started without a launcher: the end of a message about a nonexistent image; otherwise "". */
const char *caf_alone(void) __attribute__((cold));

/* The PE of a team's image. -1 and a sentence if the team has no such image. */
int caf_pe(const struct caf_team *team, int image);

/* A random number, the same on all images of the job. */
uint64_t caf_job_random(void);

/* A counter that changes when an image stops or fails; always 0 if the OpenSHMEM has no alerts. */
extern CAF_HIDDEN const volatile uint32_t *caf_alerts;

/* The state of a PE: CAF_OK, CAF_STAT_STOPPED_IMAGE or CAF_STAT_FAILED_IMAGE. */
int caf_pe_state(int pe);

/* Messages number images as in the initial team. In any other team, the first returns " of the initial team",
 * to follow "image 3"; the second " of the current team", to follow an index in that team. Otherwise "". */
const char *caf_of_initial_team(void);
const char *caf_of_current_team(void);

/* Stores "STATEMENT: image 3 has failed" (or "has stopped", by status) and returns status. */
int caf_say_ended(const char *statement, int pe, int status);

int caf_image_status(const struct caf_team *team, int image);

/* Stores the team's images with this status, ascending; images has space for the whole team. Returns their number. */
int caf_images_with_status(const struct caf_team *team, int status, int *images);

/* --- coarrays (coarray.c) ----------------------------------------------------------------------------------------- */

struct caf_coarray {
    char *base;             /* this image's part; its address corresponds to the addresses of the other parts */
    size_t bytes;
    struct caf_team *team;  /* the team that was current at ALLOCATE */
    struct caf_coarray *next, *previous; /* the team's list; END TEAM frees its coarrays */
    bool is_alias;          /* maps another coarray's memory (CHANGE TEAM, ASSOCIATE) */
    bool is_critical;       /* the lock of a CRITICAL construct */
    void *shape;            /* data of the ABI layer, freed with the record; or NULL */
    void *descriptor;       /* the program's variable; this and the next members belong to the ABI layer */
    size_t token_distance;  /* from the descriptor to its token */
    size_t element_bytes;
    size_t character_bytes; /* bytes of one character, if the type is CHARACTER; otherwise 0 */
    bool has_components;    /* of derived type, so it may have allocatable components */
    bool owns_components;   /* its end frees its allocatable components */
};

/* ALLOCATE of a coarray in the current team: collective, synchronizes the team. Memory is aligned to 64 bytes, and
 * cleared if zeroed. On CAF_STAT_ERROR (memory exhausted on one image) no image has the coarray. */
int caf_allocate(size_t bytes, bool zeroed, struct caf_coarray **coarray);

/* The same in two steps; exhausted memory ends the job. The first step, which may be repeated, involves no other image.
 * The second synchronizes the team and compares the sizes; until then no image accesses another's part. */
struct caf_coarray *caf_allocate_ahead(size_t bytes, bool zeroed);
int caf_sync_allocated(void);

/* The same without synchronization, for coarrays that exist before the main program starts: zeroed, never freed. */
struct caf_coarray *caf_allocate_static(size_t bytes);

/* DEALLOCATE: collective, synchronizes the team before it frees anything. CAF_STAT_ERROR: the coarray was allocated in
 * another team, and stays allocated. With any other status the coarray is freed. */
int caf_deallocate(struct caf_coarray *coarray);

/* Makes the synchronization of the next caf_deallocate now, for a caller that frees something before it calls
 * caf_deallocate. */
void caf_deallocate_ahead(void);

/* Whether an allocated coarray has this record; the record of the coarray at base, or NULL. Any address is allowed. */
bool caf_is_coarray(const void *record);
struct caf_coarray *caf_coarray_at(void *base);

/* Whether lock belongs to a CRITICAL construct: messages name that statement. */
static inline bool caf_is_critical(void *lock)
{
    const struct caf_coarray *c = caf_coarray_at(lock);
    return c && c->is_critical;
}
static inline const char *caf_lock_statement(void *lock, const char *statement)
{
    return caf_is_critical(lock) ? "critical" : statement;
}

/* Searches the current team's coarrays, its parent's and so on, newest first, for one with is(c, what); or NULL. */
struct caf_coarray *caf_coarray_find(bool (*is)(const struct caf_coarray *c, const void *what), const void *what);

/* Whether p lies in the managed heap, outside the part that serves malloc. */
bool caf_heap_holds(const void *p);

/* --- memory of components (memory/lent.c) ------------------------------------------------------------------------- */

/* Whether the other images of the node can access what malloc returns. */
extern CAF_HIDDEN bool caf_malloc_is_shared;

/* Like malloc, but prefers memory that the other images of the node can access. */
static inline void *caf_malloc(size_t bytes)
{
    void *p = malloc(bytes);
    return CAF_LIKELY(caf_arena_holds(p) || !caf_malloc_is_shared) ? p : caf_arena_instead(p, bytes);
}

/* Allocates memory of this image that any image of the node may free. NULL: exhausted, or not initialized. */
void *caf_lend(size_t bytes);

/* Frees a block from any image's caf_lend or from another image's malloc; false if p is none of these. */
bool caf_give_back(void *p);
void caf_take_back(void); /* frees what others have returned to this image */

/* The size of a block from caf_lend; 0 if p is no such block. */
size_t caf_lent_bytes(void *p);

/* The PE whose managed heap contains p, if that heap is mapped here at the same address; otherwise -1. */
int caf_heap_owner(const void *p);

/* The address range of the node's heaps. caf_is_not_mine: whether p lies in this range, but not in the part of a heap
 * that serves this image's malloc. */
extern struct caf_heaps {
    uintptr_t from;
    size_t bytes;
} caf_heaps CAF_HIDDEN;
static inline bool caf_is_not_mine(const void *p)
{
    return CAF_UNLIKELY((uintptr_t)p - caf_heaps.from < caf_heaps.bytes) && !caf_arena_holds(p);
}

/* Set by the ABI layer, or NULL: called when the current team has changed, and when a statement reports an image that
 * has ended. */
extern void (*caf_accesses_change)(void);

/* Set by the ABI layer, or NULL: called before DEALLOCATE or END TEAM frees an allocatable coarray. */
extern void (*caf_coarray_ended)(struct caf_coarray *coarray);

/* --- synchronization (sync.c) ------------------------------------------------------------------------------------- */

int caf_sync_all(void);
int caf_sync_team(struct caf_team *team);
int caf_sync_images(int n, const int *images); /* n < 0: all images of the current team */
int caf_sync_memory(void);

/* --- teams (team.c) ----------------------------------------------------------------------------------------------- */

/* The value of a TEAM_TYPE variable; each team has its own. Programs copy such variables, or use undefined ones. */
typedef uint64_t caf_team_name;

/* NULL if no team has this name. caf_team_named is for internal use. A statement uses caf_team_in if it has the address
 * of the variable, which may be a copy: the variable then keeps the team alive. If the compiler passes only the value,
 * the statement uses caf_team_used: the team lives while it is among the most recently used teams. */
struct caf_team *caf_team_named(caf_team_name name);
struct caf_team *caf_team_in(const caf_team_name *variable);
struct caf_team *caf_team_used(caf_team_name name);

enum caf_team_level { CAF_INITIAL_TEAM, CAF_PARENT_TEAM, CAF_CURRENT_TEAM };

/* FORM TEAM in the current team; new_index may be NULL. If images have ended, the others form the teams and the status
 * reports it. The teams last until the current team ends, or until no variable on any image names one of them. */
int caf_form_team(int64_t number, const int *new_index, caf_team_name *variable);
int caf_change_team(struct caf_team *team);
int caf_end_team(void);

/* Called after a failed CHANGE TEAM whose construct is executed nevertheless: the END TEAM then ends no team. */
void caf_stay_in_team(void);

struct caf_team *caf_get_team(enum caf_team_level level);
caf_team_name caf_name_of_team(const struct caf_team *team);
int64_t caf_team_number(const struct caf_team *team); /* -1: the initial team */

/* CHANGE TEAM (t, name[*] => coarray), ASSOCIATE (name => coarray(3:5)): a second record of the coarray, or of its part
 * that begins at an address, in the current team. */
struct caf_coarray *caf_associate(const struct caf_coarray *coarray, char *part, void *name);

/* The team with this number among the teams of the FORM TEAM that formed the current team; this image need not be a
 * member. -1: the initial team. NULL and a sentence if no such team exists. */
struct caf_team *caf_sibling_team(int64_t number);

/* --- access to other images' data (bytes.c, section.c, convert.c) ------------------------------------------------- */

enum { CAF_RANK = 15 };
enum caf_type { CAF_INTEGER = 1, CAF_LOGICAL, CAF_REAL, CAF_COMPLEX, CAF_DERIVED, CAF_CHARACTER };

/* Elements in array element order. The element with subscripts i, j, ... (from 0) lies at base + i * dim[0].step + j *
 * dim[1].step + ...; in a dimension with an index vector, vector[i] replaces i. */
struct caf_dim {
    size_t count;
    ptrdiff_t step;          /* bytes */
    const ptrdiff_t *vector; /* NULL: none */
};
struct caf_section {
    char *base;
    enum caf_type type;
    int kind;     /* bytes of an INTEGER, LOGICAL, REAL (10 for REAL(10)), part of a COMPLEX, or character */
    size_t size;  /* bytes of an element; of a CHARACTER, kind times length */
    int rank;     /* 0: a scalar */
    struct caf_dim dim[CAF_RANK];
    bool foreign; /* base is an address in the owning PE's address space, outside symmetric memory (a pointer
                     component's target on its stack): accessed through the operating system */
};

extern CAF_HIDDEN int caf_my_pe;
extern bool caf_peers_are_far; /* CAF_NEAR=0 */

/* This image's managed heap, and the distance to each local PE's heap. bytes: 0 if OpenSHMEM emulates time. */
extern struct caf_nearby {
    uintptr_t from;
    size_t bytes;
    ptrdiff_t *distance; /* by PE */
} caf_nearby CAF_HIDDEN;
#define CAF_NOT_NEAR PTRDIFF_MIN

/* Like caf_near (below), without a call; NULL does not mean that the memory is remote. */
static inline char *caf_near_at_once(int pe, const void *sym)
{
    if (CAF_UNLIKELY((uintptr_t)sym - caf_nearby.from >= caf_nearby.bytes))
        return NULL;
    const ptrdiff_t distance = caf_nearby.distance[pe];
    return CAF_LIKELY(distance != CAF_NOT_NEAR) ? (char *)(uintptr_t)sym + distance : NULL;
}

/* The address here of pe's memory at sym, or NULL if an access needs puts and gets. This image's own memory keeps the
 * program's address: shmem_ptr may return a second mapping, which would hide overlaps. */
char *caf_near_slowly(int pe, const void *sym);
static inline char *caf_near(int pe, const void *sym)
{
    char *near = caf_near_at_once(pe, sym);
    return CAF_LIKELY(near != NULL) ? near : caf_near_slowly(pe, sym);
}

/* Contiguous bytes. sym is this image's address corresponding to pe's data. A get reads, and a put overwrites, this
 * image's earlier puts. caf_get_bytes returns whether it sent a request; if pe has failed the reply is missing. */
void caf_put_bytes(int pe, void *sym, const void *from, size_t bytes);
bool caf_get_bytes(int pe, void *to, const void *sym, size_t bytes);

/* to = from, element by element, as Fortran's intrinsic assignment: converts if types, kinds or lengths differ; a
 * scalar from fills all of to; to and from may overlap. If the shapes differ, apart from extents of 1, the job ends. */
void caf_put(int pe, const struct caf_section *to, const struct caf_section *from);
bool caf_get(int pe, const struct caf_section *to, const struct caf_section *from);
void caf_put_get(int to_pe, const struct caf_section *to, int from_pe, const struct caf_section *from);

/* --- functions run by another image's processor (call.c) ---------------------------------------------------------- */

/* A call runs a function at an image on another node, whose memory this process cannot load and store. <shmemx.h>
 * states what a function may do, where it runs, and what a reply contains. The functions of an image run one after the
 * other, in parallel with the program or within its waits. A function may call malloc and free but nothing of
 * OpenSHMEM; of this header it may use only caf_notify and what works on its image's own memory (caf_put and caf_get
 * with pe caf_my_pe). */

/* Each image registers every function before it communicates (a constructor may do this). */
void caf_register(uint32_t number, caf_function function);

/* At most one function has a stand-in: any image on the target's node may run it while the target waits. */
void caf_register_stand_in(uint32_t number, void (*run)(int from, int pe, void *args, size_t bytes));

/* Each registered function sets this while it runs; it may then call caf_fatal. */
extern _Thread_local bool caf_is_called;

/* Whether this image can make calls to pe: pe's memory is not mapped here, and the OpenSHMEM supports calls. Without
 * calls, only caf_reach_read and caf_reach_write access memory that is not mapped. For mapped memory, caf_reach_pointer
 * returns an address, even if CAF_NEAR=0. */
bool caf_can_call(int pe);

/* Acts as a get: the function sees all that this image has put to pe before. CAF_OK, or CAF_STAT_FAILED_IMAGE if pe has
 * failed before it replied; receive may have been called in that case. */
int caf_call(int pe, uint32_t number, const struct iovec *args, size_t n, caf_receiver receive, void *context);

/* Acts as a put: returns when args may be reused. The function runs after this image's earlier puts to pe, before its
 * later accesses to pe, and before the segment ends. If pe has failed the post has no effect and no error. A function
 * with a stand-in may be deferred to the end of the segment; use caf_post_now for flags that others poll. */
void caf_post(int pe, uint32_t number, const struct iovec *args, size_t n);
void caf_post_now(int pe, uint32_t number, const struct iovec *args, size_t n);

/* For a function: stores value in word at pe, and wakes pe if it waits for the word. */
void caf_notify(int pe, uint64_t *word, uint64_t value);

/* --- locks, events, atomics (lock.c, event.c, atomic.c) ----------------------------------------------------------- */

enum { CAF_LOCK_BYTES = 8, CAF_EVENT_BYTES = 8 };

/* If acquired is NULL, waits; otherwise does not wait, and sets *acquired to whether this image took the lock. */
int caf_lock(int pe, void *lock, bool *acquired);
int caf_unlock(int pe, void *lock);

int caf_event_post(int pe, void *event);
int caf_event_wait(void *event, int64_t until_count); /* event: of this image */
int caf_event_query(int pe, const void *event, int64_t *count);

enum caf_atomic_op { CAF_ADD = 1, CAF_AND, CAF_OR, CAF_XOR }; /* as gfortran numbers them */
const char *caf_atomic_name(enum caf_atomic_op op, const void *old); /* name of the Fortran subroutine */

/* Words of 1, 2, 4 or 8 bytes; value, old, compare and new_value have the same size. old may be NULL. */
int caf_atomic_define_slowly(int pe, void *atom, int bytes, const void *value);
int caf_atomic_ref_slowly(int pe, const void *atom, int bytes, void *value);
int caf_atomic_op_slowly(int pe, void *atom, int bytes, enum caf_atomic_op op, const void *value, void *old);
#include "access/atoms.h" /* caf_atomic_define, caf_atomic_ref, caf_atomic_op */
int caf_atomic_cas(int pe, void *atom, int bytes, const void *compare, const void *new_value, void *old);

/* --- collective subroutines (collective.c) ------------------------------------------------------------------------ */

enum caf_reduction { CAF_CO_SUM, CAF_CO_MIN, CAF_CO_MAX };

/* They run on the current team. a is this image's argument and result: any section without index vectors, of the same
 * type and shape on all images. result_image 0: all get the result, with the same bits; otherwise a is undefined on
 * others. */
int caf_co_broadcast(const struct caf_section *a, int source_image);
int caf_co_reduce_intrinsic(enum caf_reduction op, const struct caf_section *a, int result_image);

/* into = f(into, from) for each of n contiguous elements. */
typedef void caf_combine(void *context, void *into, const void *from, size_t n);
int caf_co_reduce(const struct caf_section *a, caf_combine *f, void *context, int result_image);
