/* The coarray runtime, as the dialects of compilers see it.
 *
 * It knows images, teams, coarrays and sections of arrays, and no compiler: a dialect (src/caf/gfortran/) turns its
 * compiler's descriptors into what is declared here.  It is written on <shmem.h> and SHCOLL, for any OpenSHMEM from 1.4
 * on; Copal's own also lets it learn of images that have died (<shmemx.h>).
 *
 * Conventions.  Images count from 1 as in Fortran where a parameter is called image; PEs, and positions in a team, from
 * 0.  An address in a coarray is this image's own: the corresponding one on another image is found from it (but see
 * foreign in struct caf_section).  Functions that can fail as Fortran's stat= knows it return a value of enum caf_stat,
 * and leave a sentence for errmsg= in caf_message(); what stat= cannot express ends the job with a sentence
 * (caf_fatal).  A team may be NULL where a function only asks about it: the current team.
 *
 * The files of the core, each of which uses only those before it (scripts/check-layers); this header declares what a
 * dialect may call of them, and one of the same name what the others in the core may:
 *
 *   library                the OpenSHMEM that it is compiled for, and whether the program calls it too
 *   access/reach           memory of other images by the addresses that they themselves use
 *   access/atoms           atomic operations on memory that is near
 *   error, settings        sentences and the end of a job; what is set in the environment
 *   memory/arena, heap     the program's own malloc on symmetric memory; the symmetric memory of coarrays
 *   memory/lent            blocks that one image allocates, and another frees
 *   access/nearby, order, held, bytes    what is near; the order of far transfers; puts that are held back
 *   access/call            functions that other images run
 *   access/convert, nest, move, far, section     coindexed assignments (nest.h)
 *   control/attempt        waits that end when an image does
 *   control/team, image    a team's structure; what an image publishes, and which have ended
 *   control/atomic, event, lock_word, lock_there, lock
 *   control/meeting        how all images meet where there are few nodes
 *   control/sync           how a team does
 *   control/coarray, reduction, collective
 *   control/formation, change_team    FORM TEAM, CHANGE TEAM, END TEAM
 *   control/init           begin and end */
#ifndef COPAL_CAF_H
#define COPAL_CAF_H

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

/* The values of ISO_FORTRAN_ENV in gfortran, but for CAF_STAT_UNLOCKED and CAF_STAT_ERROR. */
enum caf_stat {
    CAF_OK = 0,
    CAF_STAT_LOCKED = 1,             /* STAT_LOCKED: lock of a lock that this image holds */
    CAF_STAT_LOCKED_OTHER_IMAGE = 2, /* unlock of a lock that another image holds */
    CAF_STAT_UNLOCKED = 3,           /* unlock of a lock that nobody holds; not gfortran's 0: see lock.c */
    CAF_STAT_ERROR = 4,              /* everything without a name of its own: memory exhausted, bad argument */
    CAF_STAT_STOPPED_IMAGE = 6000,
    CAF_STAT_FAILED_IMAGE = 6001,
    CAF_STAT_UNLOCKED_FAILED_IMAGE = 6002, /* the lock's holder has failed; now it is this image's */
};

/* Leaves the sentence, returns stat. */
int caf_say(int stat, const char *format, ...) __attribute__((format(printf, 2, 3), cold));
const char *caf_message(void);

/* The end of every statement that may have stat= and errmsg=: hands the status over, or, where the program has no
 * stat=, ends the job with the sentence.  errmsg may be NULL; it is padded with blanks, and only written if stat is not
 * CAF_OK. */
void caf_report_slowly(int status, int *stat, char *errmsg, size_t errmsg_len);
static inline void caf_report(int status, int *stat, char *errmsg, size_t errmsg_len)
{
    if (CAF_UNLIKELY(status != CAF_OK || stat))
        caf_report_slowly(status, stat, errmsg, errmsg_len);
}

/* "copal: image 2: SENTENCE" on stderr, and the job ends with exit code 1. */
_Noreturn void caf_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* --- beginning and end (init.c) ----------------------------------------------------------------------------------- */

/* Idempotent: coarrays are registered by constructors, before the main program starts. */
void caf_init(void);

/* For a dialect's constructor: ends a program that calls the same entry of another coarray library (only.c). */
void caf_refuse_other_library(const char *entry);

/* Normal termination: this image is a stopped image from now on; returns when all images have stopped or failed.  The
 * process may end after that. */
void caf_finalize(void);

_Noreturn void caf_stop(int code);       /* STOP: normal termination with an exit code */
_Noreturn void caf_error_stop(int code); /* ERROR STOP: ends all images at once */
_Noreturn void caf_fail_image(void);

/* --- images (image.c) --------------------------------------------------------------------------------------------- */

struct caf_team;
extern struct caf_team *caf_current; /* the current team */

/* Its images, for accesses in line: image i is PE pes[i - 1], or i - 1 where pes is NULL. */
extern struct caf_images {
    int n, me; /* how many; which is this one */
    const int *pes;
} caf_images CAF_HIDDEN;

int caf_this_image(const struct caf_team *team);
int caf_num_images(const struct caf_team *team);

/* What a sentence about an image that does not exist adds if nothing has started more than one; or "". */
const char *caf_alone(void) __attribute__((cold));

/* The PE of an image of a team.  -1 and a sentence if there is no such image. */
int caf_pe(const struct caf_team *team, int image);

/* A number drawn at the start of the job, the same on all images. */
uint64_t caf_job_random(void);

/* A counter that changes when an image stops or fails; where the OpenSHMEM has no such thing it is always 0. */
extern CAF_HIDDEN const volatile uint32_t *caf_alerts;

/* The state of a PE: CAF_OK, CAF_STAT_STOPPED_IMAGE or CAF_STAT_FAILED_IMAGE. */
int caf_pe_state(int pe);

/* Sentences number images as in the initial team, by PE, and say so in any other.  What follows "image 3" there: "" or
 * " of the initial team"; and "image index 3", which counts in the current team. */
const char *caf_of_initial_team(void);
const char *caf_of_current_team(void);

/* "STATEMENT: image 3 has failed", or has stopped: status says which, and is returned. */
int caf_say_ended(const char *statement, int pe, int status);

/* CAF_OK, CAF_STAT_STOPPED_IMAGE or CAF_STAT_FAILED_IMAGE. */
int caf_image_status(const struct caf_team *team, int image);

/* The team's images with that status, ascending, into images (room for all of the team); returns how many. */
int caf_images_with_status(const struct caf_team *team, int status, int *images);

/* --- coarrays (coarray.c) ----------------------------------------------------------------------------------------- */

struct caf_coarray {
    char *base;             /* this image's part, at the address corresponding to the other images' */
    size_t bytes;
    struct caf_team *team;  /* in which it was established */
    struct caf_coarray *next, *previous; /* of the team's coarrays, freed at END TEAM */
    bool is_alias;          /* maps another coarray's memory (CHANGE TEAM with association) */
    bool is_critical;       /* the lock of a CRITICAL construct */
    void *shape;            /* the dialect's, freed with the record; or NULL */
    void *descriptor;       /* the rest is the dialect's too: the program's variable */
    size_t token_distance;  /* from there to its token */
    size_t element_bytes;
    size_t character_bytes; /* of an element, if the coarray is of type CHARACTER; else 0 */
    bool has_components;    /* it is of a derived type: there may be */
    bool owns_components;   /* allocatable ones, which end with it */
};

/* ALLOCATE of a coarray in the current team: collective, synchronizes all its images.  Memory is aligned to 64 bytes;
 * zeroed if zeroed.  On CAF_STAT_ERROR (memory exhausted on one image) no image has it. */
int caf_allocate(size_t bytes, bool zeroed, struct caf_coarray **coarray);

/* The same in two halves, where memory that is exhausted ends the job: the first without any other image; the second
 * synchronizes all, and agrees on the bytes, for one or more of the first.  Between them no image looks at
 * another's. */
struct caf_coarray *caf_allocate_ahead(size_t bytes, bool zeroed);
int caf_sync_allocated(void);

/* The same without synchronization, for coarrays that exist before the main program starts: zeroed, never freed. */
struct caf_coarray *caf_allocate_static(size_t bytes);

/* DEALLOCATE: collective, synchronizes all images of the team before anything is freed.  CAF_STAT_ERROR: it is not, for
 * it was allocated in another team; with any other status it is. */
int caf_deallocate(struct caf_coarray *coarray);

/* Its synchronization, where something is freed before the coarray: the next caf_deallocate in this team does without.
 */
void caf_deallocate_ahead(void);

/* Whether this is the record of a coarray that is allocated; and the record of the coarray whose memory begins there,
 * or NULL.  Any address will do. */
bool caf_is_coarray(const void *record);
struct caf_coarray *caf_coarray_at(void *base);

/* Whether that is the lock of a CRITICAL construct: for what users read. */
static inline bool caf_is_critical(void *lock)
{
    const struct caf_coarray *c = caf_coarray_at(lock);
    return c && c->is_critical;
}
static inline const char *caf_lock_statement(void *lock, const char *statement)
{
    return caf_is_critical(lock) ? "critical" : statement;
}

/* Of the coarrays established in the current team, then in its parent and so on, newest first, the first for which
 * is(c, what); or NULL. */
struct caf_coarray *caf_coarray_find(bool (*is)(const struct caf_coarray *c, const void *what), const void *what);

/* Whether p lies in the managed heap, but for what malloc was given. */
bool caf_heap_holds(const void *p);

/* --- memory of components (memory/lent.c) ------------------------------------------------------------------------- */

/* Whether the other images of the node reach what malloc gives. */
extern CAF_HIDDEN bool caf_malloc_is_shared;

/* As malloc, but where they reach it if such memory can be had. */
static inline void *caf_malloc(size_t bytes)
{
    void *p = malloc(bytes);
    return CAF_LIKELY(caf_arena_holds(p) || !caf_malloc_is_shared) ? p : caf_arena_instead(p, bytes);
}

/* Memory of this image for objects that others see, which every image of the node may give back.  NULL:
 * exhausted, or not begun. */
void *caf_lend(size_t bytes);

/* Frees what is lent, by whomever, or comes from another image's malloc; false if it is neither. */
bool caf_give_back(void *p);
void caf_take_back(void); /* frees what others have given back to this image */

/* How much was lent; 0: it is not lent. */
size_t caf_lent_bytes(void *p);

/* The PE in whose managed heap that is, mapped here at the same address; -1: none. */
int caf_heap_owner(const void *p);

/* All heaps of the node, and whether that is in one but not what this image's malloc has given. */
extern struct caf_heaps {
    uintptr_t from;
    size_t bytes;
} caf_heaps CAF_HIDDEN;
static inline bool caf_is_not_mine(const void *p)
{
    return CAF_UNLIKELY((uintptr_t)p - caf_heaps.from < caf_heaps.bytes) && !caf_arena_holds(p);
}

/* The dialect's, or NULL: called for every allocatable coarray before its memory is freed, by DEALLOCATE or END TEAM.
 */
extern void (*caf_coarray_ended)(struct caf_coarray *coarray);

/* --- synchronization (sync.c) ------------------------------------------------------------------------------------- */

int caf_sync_all(void);
int caf_sync_team(struct caf_team *team);
int caf_sync_images(int n, const int *images); /* n < 0: all images of the current team */
int caf_sync_memory(void);

/* --- teams (team.c) ----------------------------------------------------------------------------------------------- */

/* What a variable of TEAM_TYPE holds: no other team gets the same name.  Programs copy such variables, and use them
 * undefined or after the team has ended. */
typedef uint64_t caf_team_name;

/* NULL if there is no team of that name.  The others are for statements, where the variable may be a copy: caf_team_in
 * for the variable itself, and the team stays as long as one stands for it; caf_team_used where the compiler hands over
 * no more than its value, and the team stays as long as it is among the last of those. */
struct caf_team *caf_team_named(caf_team_name name);
struct caf_team *caf_team_in(const caf_team_name *variable);
struct caf_team *caf_team_used(caf_team_name name);

enum caf_team_level { CAF_INITIAL_TEAM, CAF_PARENT_TEAM, CAF_CURRENT_TEAM };

/* FORM TEAM in the current team.  new_index is NULL where the program gives none.  Where images of the current team
 * have ended the teams are formed of the others, and the status says so.  The teams last until the current one ends, or
 * until no variable stands for one of them on any image. */
int caf_form_team(int64_t number, const int *new_index, caf_team_name *variable);
int caf_change_team(struct caf_team *team);
int caf_end_team(void);

/* After CHANGE TEAM has been refused, where the compiler has its construct executed all the same: that is in the
 * current team, and its END TEAM ends none. */
void caf_stay_in_team(void);

struct caf_team *caf_get_team(enum caf_team_level level);
caf_team_name caf_name_of_team(const struct caf_team *team);
int64_t caf_team_number(const struct caf_team *team); /* -1: the initial team */

/* CHANGE TEAM (t, alias[*] => coarray): the coarray under another record, established in the current team. */
struct caf_coarray *caf_associate(const struct caf_coarray *coarray);

/* The team of that number among those formed with the current team (a sibling, or the current team), of whose members
 * this image need not be one; -1: the initial team.  NULL and a sentence if there is none. */
struct caf_team *caf_sibling_team(int64_t number);

/* --- access to other images' data (bytes.c, section.c, convert.c) ------------------------------------------------- */

enum { CAF_RANK = 15 };
enum caf_type { CAF_INTEGER = 1, CAF_LOGICAL, CAF_REAL, CAF_COMPLEX, CAF_DERIVED, CAF_CHARACTER };

/* Elements in array element order: that of subscripts i, j, ... (from 0) lies at
 * base + i * dim[0].step + j * dim[1].step + ...; with an index vector, subscript i of that dimension stands for
 * vector[i] instead. */
struct caf_dim {
    size_t count;
    ptrdiff_t step;          /* bytes */
    const ptrdiff_t *vector; /* NULL: none */
};
struct caf_section {
    char *base;
    enum caf_type type;
    int kind;     /* bytes of an INTEGER, LOGICAL, REAL or a COMPLEX's parts (10 for REAL(10)); of a character */
    size_t size;  /* bytes of an element; of a CHARACTER, kind times its length */
    int rank;     /* 0: a scalar */
    struct caf_dim dim[CAF_RANK];
    bool foreign; /* base is an address as the PE that owns the data has it, outside what is symmetric (a pointer
                     component's target on its stack): reached through the operating system */
};

/* The address in this process of pe's memory at sym, or NULL if it takes OpenSHMEM's puts and gets.  This image's own
 * memory is found where the program sees it: shmem_ptr may know a second address of it, which would hide that ranges
 * overlap. */
extern CAF_HIDDEN int caf_my_pe;
extern bool caf_peers_are_far; /* CAF_NEAR=0 */

/* The managed heap, of which all coarrays are, and how far from it lies each PE's that is near; no bytes where time is
 * emulated, for then each look at another's memory must be told to the OpenSHMEM. */
extern struct caf_nearby {
    uintptr_t from;
    size_t bytes;
    ptrdiff_t *distance; /* by PE */
} caf_nearby CAF_HIDDEN;
#define CAF_NOT_NEAR PTRDIFF_MIN

/* Without a call; NULL does not say that it is far. */
static inline char *caf_near_at_once(int pe, const void *sym)
{
    if (CAF_UNLIKELY((uintptr_t)sym - caf_nearby.from >= caf_nearby.bytes))
        return NULL;
    const ptrdiff_t distance = caf_nearby.distance[pe];
    return CAF_LIKELY(distance != CAF_NOT_NEAR) ? (char *)(uintptr_t)sym + distance : NULL;
}

char *caf_near_slowly(int pe, const void *sym);
static inline char *caf_near(int pe, const void *sym)
{
    char *near = caf_near_at_once(pe, sym);
    return CAF_LIKELY(near != NULL) ? near : caf_near_slowly(pe, sym);
}

/* Contiguous bytes.  sym is this image's address corresponding to the data on pe.  A get sees, and a put comes after,
 * all that this image has put there before.  Of a get: whether it took a message, which may have brought nothing if pe
 * has failed meanwhile. */
void caf_put_bytes(int pe, void *sym, const void *from, size_t bytes);
bool caf_get_bytes(int pe, void *to, const void *sym, size_t bytes);

/* to = from, element by element, as Fortran's intrinsic assignment has it: converted if types, kinds or lengths differ;
 * a scalar from fills all of to.  Right also where to and from overlap.  Shapes that differ, but for extents of 1, end
 * the job. */
void caf_put(int pe, const struct caf_section *to, const struct caf_section *from);
bool caf_get(int pe, const struct caf_section *to, const struct caf_section *from);
void caf_put_get(int to_pe, const struct caf_section *to, int from_pe, const struct caf_section *from);

/* --- functions run by another image's processor (call.c) ---------------------------------------------------------- */

/* For what has to be done where the data are, by images whose memory cannot be loaded and stored here: those of other
 * nodes.  What a function may do, where it runs, and what a reply consists of, <shmemx.h> says: it may run beside the
 * program or within any of its waits, one at a time; it may call malloc and free, and nothing of OpenSHMEM, so nothing
 * that is declared here but what works on this image's own memory alone (caf_put and caf_get with pe caf_my_pe). */

/* Each image registers it, before it communicates (a constructor will do). */
void caf_register(uint32_t number, caf_function function);

/* Of one function, at most: an image of the other's node may run it, on the other's memory, where that one waits. */
void caf_register_stand_in(uint32_t number, void (*run)(int from, int pe, void *args, size_t bytes));

/* Such a function sets it while it runs, so that caf_fatal may be called there. */
extern _Thread_local bool caf_is_called;

/* Whether pe is one to call: its memory is not mapped here, and the OpenSHMEM calls functions (CAF_HAVE_CALLS).  Where
 * it does not, nothing but caf_reach_read and caf_reach_write is to be had.  An image that is not to be called is
 * reached by caf_reach_pointer, even with CAF_NEAR=0. */
bool caf_can_call(int pe);

/* A get: the function sees all that this image has put to pe before.  CAF_OK, or CAF_STAT_FAILED_IMAGE: pe has failed,
 * before it has replied; receive may or may not have been called then. */
int caf_call(int pe, uint32_t number, const struct iovec *args, size_t n, caf_receiver receive, void *context);

/* A put: returns when args may be reused; the function runs after all that this image has put to pe before, and before
 * what this image does to pe afterwards.  It has been run at the end of the segment.  Of an image that has failed
 * nothing is heard, as with caf_put.  What a function with a stand-in does may have to wait for that end; not so by
 * caf_post_now, for what others may watch. */
void caf_post(int pe, uint32_t number, const struct iovec *args, size_t n);
void caf_post_now(int pe, uint32_t number, const struct iovec *args, size_t n);

/* --- locks, events, atomics (lock.c, event.c, atomic.c) ----------------------------------------------------------- */

enum { CAF_LOCK_BYTES = 8, CAF_EVENT_BYTES = 8 };

/* acquired NULL: waits; else *acquired tells whether the lock was free, without waiting. */
int caf_lock(int pe, void *lock, bool *acquired);
int caf_unlock(int pe, void *lock);

int caf_event_post(int pe, void *event);
int caf_event_wait(void *event, int64_t until_count); /* one of this image's */
int caf_event_query(int pe, const void *event, int64_t *count);

enum caf_atomic_op { CAF_ADD = 1, CAF_AND, CAF_OR, CAF_XOR }; /* as gfortran numbers them */
const char *caf_atomic_name(enum caf_atomic_op op, const void *old); /* of the subroutine that does it */

/* Words of 1, 2, 4 or 8 bytes; value, old and the rest are of that size.  old NULL: not wanted. */
int caf_atomic_define_slowly(int pe, void *atom, int bytes, const void *value);
int caf_atomic_ref_slowly(int pe, const void *atom, int bytes, void *value);
int caf_atomic_op_slowly(int pe, void *atom, int bytes, enum caf_atomic_op op, const void *value, void *old);
#include "access/atoms.h" /* caf_atomic_define, caf_atomic_ref, caf_atomic_op */
int caf_atomic_cas(int pe, void *atom, int bytes, const void *compare, const void *new_value, void *old);

/* --- collective subroutines (collective.c) ------------------------------------------------------------------------ */

enum caf_reduction { CAF_CO_SUM, CAF_CO_MIN, CAF_CO_MAX };

/* On the current team.  a is this image's argument and result, any section without index vectors, of the same type and
 * shape on all images.  result_image 0: all; else what the others have in a is undefined.  A result has the same bits
 * on all. */
int caf_co_broadcast(const struct caf_section *a, int source_image);
int caf_co_reduce_intrinsic(enum caf_reduction op, const struct caf_section *a, int result_image);

/* into = f(into, from) for each of n elements, which follow one another. */
typedef void caf_combine(void *context, void *into, const void *from, size_t n);
int caf_co_reduce(const struct caf_section *a, caf_combine *f, void *context, int result_image);

#endif
