/* What the files of the coarray core share: how it begins, what each image publishes, the team's structure, which
 * images have ended, waits that an image's end interrupts, the managed heap, the order of transfers.
 *
 * One library for each generation of a compiler's interface holds the core, its own copy of SHCOLL, and the dialect:
 * the same names have other signatures in other generations. Where there is no <shmemx.h> the core does without: ended
 * images are not known, and allocations are not served from symmetric memory, which Open MPI unmaps in shmem_finalize
 * while malloc is still in use. */
#ifndef COPAL_CAF_CORE_H
#define COPAL_CAF_CORE_H

#include "caf.h"
#include "memory/arena.h"

#include <shcoll.h>

/* --- the beginning ------------------------------------------------------------------------------------------------ */

/* Called once, in this order, by caf_init. */
void caf_heap_begin(void);
void caf_transfers_begin(void); /* reads the settings */
void caf_images_begin(void);
void caf_teams_begin(void); /* the initial team; after shcoll_init */
void caf_sync_begin(void);
void caf_locks_begin(void);

/* --- what is set in the environment (settings.c) ------------------------------------------------------------------ */

enum caf_setting {
#define SETTING(NAME, ...) SETTING_##NAME,
#include "settings.def"
#undef SETTING
    CAF_SETTINGS
};

/* Which of the words that are allowed, from 0; another one ends the job. */
int caf_setting(enum caf_setting s);

/* Whether this image is to answer SHMEM_INFO, and its answer. */
bool caf_info_wanted(void);
void caf_print_settings(void);

/* --- what an image publishes -------------------------------------------------------------------------------------- */

enum caf_state { CAF_RUNNING = 0, CAF_STOPPED, CAF_FAILED };

/* One per image, symmetric; written by its owner, read by all. */
struct caf_public {
    uint64_t never;         /* stays 0: for a wait that only the end of an image ends */
    int state;              /* enum caf_state */
    long spoken;            /* on PE 0: an image has said why the job ends; long, for Open MPI 4 swaps 8 bytes */
    uint64_t random;        /* on PE 0: drawn for the job */
    struct caf_about about; /* for addresses found in its memory */
};
extern struct caf_public *caf_public;

/* --- teams -------------------------------------------------------------------------------------------------------- */

/* How far an image has come in its team's synchronizations, and in its collective subroutines: for the others to see,
 * should it end.  They are counted apart, since a collective subroutine may fail on one image and succeed on another
 * (the root of a broadcast waits for nobody): one of them may then call it once more before it meets the others.
 * Symmetric. */
struct caf_progress {
    uint64_t begun;       /* synchronizations; the numbers of the last */
    uint64_t met, missed; /* to which all members are known to have come; after which this is not known here */
    uint64_t collectives_done;
    uint64_t refused[2]; /* the number of a synchronization that a member has refused, written by it; in turns, for that
                            member may be an operation ahead */
    uint64_t decided;    /* the number of the synchronization after which this image knew who is left (team.c) */
};

/* Symmetric memory that the data of collective subroutines go through, in stages used in turn (collective.c).  taken
 * are the stages taken so far, by all members alike; with the first `done` of them all members have done. */
struct caf_staging {
    char *memory; /* NULL: not yet needed */
    uint64_t taken, done;
    bool is_near; /* every member's memory is a load away */
};

/* Of formations: those of which this image has news to tell, and those that no variable of any image stands for. */
enum formation_queue { FORMATION_NEWS, FORMATION_IDLE, FORMATION_QUEUES };

/* Table I of the teams paper, but for what SHCOLL's group keeps: the sets of images on a node and of leaders, flags,
 * parity and sense. */
struct caf_team {
    caf_team_name name;
    struct caf_team *parent;
    int64_t number;
    int depth;      /* 0: the initial team */
    int me, n;      /* this image's position, -1: it is no member; how many */
    const int *pes; /* position to PE; NULL: they are the same (initial team) */
    struct shcoll_group group;
    int only_other; /* the PE of the other of two members, whose signal in a synchronization comes after what it has put
                       here; else -1: with more, some could leave, and look at what a third has yet to get */
    struct caf_progress *progress; /* symmetric, beside the group's work area */
    uint64_t syncs, collectives;   /* begun by this image */
    uint64_t allocated;            /* bytes, and one, of what the next synchronization is to agree on; or 0 */
    bool deallocates;              /* the members have met for the next DEALLOCATE, with that status */
    int deallocate_status;

    uint32_t alerts_seen; /* of the job's alerts, when lost was last computed */
    int lost;             /* CAF_OK, or what an ended member means: STAT_FAILED_IMAGE before STAT_STOPPED_IMAGE */

    struct caf_coarray *coarrays;    /* established in it, newest first: END TEAM frees them */
    struct caf_formation *formation; /* the FORM TEAM it comes from; NULL: the initial team */
    void *formed, *formed_by_number; /* trees of the formations in it (formation.c) */
    struct caf_formation_queue {
        struct caf_formation *first, *last;
        size_t length;
    } queues[FORMATION_QUEUES];
    struct wish *wishes;             /* symmetric: where FORM TEAM gathers what the images ask for (team.c) */
    int64_t *news;                   /* and what they last told of formations */
    struct caf_staging staging;
};

/* It is the current team from now on. */
void caf_enter_team(struct caf_team *t);

/* END TEAM: frees the coarrays established in the team; all members have met. */
void caf_coarrays_end(struct caf_team *t);

/* Likewise: ends what has been formed in it. */
void caf_formations_end(struct caf_team *t);

/* Likewise: frees what the team's collective subroutines have used. */
void caf_staging_end(struct caf_team *t);

static inline int caf_position_pe(const struct caf_team *t, int position)
{
    return t->pes ? t->pes[position] : position;
}

/* --- ended images (image.c) --------------------------------------------------------------------------------------- */

/* Whether the PE at *pe has stopped or failed: a wait for that one alone is hopeless then. */
bool caf_has_ended(void *pe);

/* The team's lost, up to date. */
int caf_team_lost_slowly(struct caf_team *t);
static inline int caf_team_lost(struct caf_team *t)
{
    return CAF_LIKELY(*caf_alerts == t->alerts_seen) ? t->lost : caf_team_lost_slowly(t);
}

/* As caf_say_ended, for the first member that has that status. */
int caf_say_lost(const char *statement, const struct caf_team *t, int status);

/* Makes this image's state known to all, and has every wait look at it. */
void caf_publish_state(enum caf_state state);

/* --- waits that end when they have become hopeless (attempt.c) ---------------------------------------------------- */

/* What the library is to call (image.c) when an alert is raised, and to ask what this image waits for. */
void caf_on_alert(void);
const char *caf_name_wait(int *pe);

/* Instead of the PE that is waited for: it could be any; it is one that SHCOLL knows. */
enum { CAF_ANYBODY = -1, CAF_COLLECTIVE = -2 };

/* Runs body(context), whose waits are OpenSHMEM's or SHCOLL's.  When an image ends meanwhile, or has ended before a
 * wait becomes long, and hopeless(context) says so, body is left where it is and the result is false.  What body was
 * working on is then as an interrupted collective leaves it: use it no more. */
bool caf_attempt(const char *statement, int pe, void (*body)(void *), bool (*hopeless)(void *), void *context);

/* Waits until *word (symmetric, of this image) >= least; false if hopeless(context). */
bool caf_wait_for(const char *statement, int pe, uint64_t *word, uint64_t least, bool (*hopeless)(void *),
                  void *context);

/* A collective operation of team t, counted in its progress: body(context) runs as long as no end of a member makes it
 * hopeless.  The result is CAF_OK or what that end means, with a sentence that begins with statement. */
int caf_collective(const char *statement, struct caf_team *t, void (*body)(void *), void *context);

/* After a collective operation in which others write to this image's memory has failed here: returns when no member is
 * in it any more. */
void caf_await_leaving(const struct caf_team *t);

/* This image is about to fail, and its memory may be out of reach then: that it has come to the last
 * synchronizations of its teams is told to all members. */
void caf_tell_met(const struct caf_team *t);

/* A synchronization of team t, counted likewise, which completes this image's segment.  Where members have ended the
 * others meet all the same.  word is told to the next member; *heard is what the previous one told, 0 if nothing. */
int caf_meet(const char *statement, struct caf_team *t, uint64_t word, uint64_t *heard);

/* What one image cannot do none may do: before a synchronization it tells all members, and after it they ask. */
void caf_refuse(const struct caf_team *t);
bool caf_refused(const struct caf_team *t);

/* So many SYNC IMAGES with a list of several images; for a test, which cannot wait until they are many. */
extern uint64_t caf_lists;

/* SYNC ALL of a team's images, under the name of that statement. */
int caf_sync_as(const char *statement, struct caf_team *t);

/* A pause in a loop that polls other images: the processor is given away after the first few turns. */
void caf_pause(unsigned *turns);

/* --- the managed heap (heap.c) ------------------------------------------------------------------------------------ */

extern char *caf_heap;
extern size_t caf_heap_bytes;

/* Memory of this image alone, which the others reach too; aligned to 64 bytes.  NULL: exhausted. */
void *caf_heap_allocate_alone(size_t bytes);

/* Symmetric memory for the current team; aligned to 64 bytes.  All members of the team make the same calls in the same
 * order, and so get corresponding addresses without talking.  NULL: exhausted. */
void *caf_heap_allocate(size_t bytes);
void caf_heap_free(void *memory);

/* With how many MiB of SHMEM_SYMMETRIC_SIZE there would be room for so many bytes more. */
size_t caf_heap_advice(size_t bytes);

/* Whether what was allocated there begins at that address. */
bool caf_heap_begins(const void *memory);

/* --- transfers (transfer.c) --------------------------------------------------------------------------------------- */

/* Far memory.  What this image does to one place happens in order: each access to pe is announced before it is made,
 * with where the first and the last of its bytes lie, `range` bytes from sym on, and how many it moves.  It then waits
 * for what must be complete before.  Direct stores are never outstanding. */
void caf_before_get(int pe, const void *sym, size_t range, size_t bytes);
void caf_before_put(int pe, const void *sym, size_t range, size_t bytes);
void caf_complete_puts(void);

/* An event has been posted there: the post is complete when puts are. */
void caf_note_post(int pe);

/* A put so announced. On return from may be reused; others may see it when puts have been completed. */
static inline void caf_put_far(int pe, void *sym, const void *from, size_t bytes)
{
#if CAF_HAVE_BLOCKS
    shmemx_put_blocks(sym, from, 0, 0, bytes, 1, pe);
#else
    shmem_putmem(sym, from, bytes, pe);
#endif
}

/* Up to how many bytes far accesses to one PE happen in the order of their calls; 0 where the OpenSHMEM does not
 * say. */
extern size_t caf_in_order;

/* Before this image tells others that it has come: what it has put is there first.  Near stores need order alone, which
 * SHCOLL and OpenSHMEM see to for those that they make, and a fence for the others. */
void caf_complete_segment(void);

/* The same where only pe is told, and by nothing but a put, a signal or an atomic operation of this image on its
 * memory: what has been put to pe alone need not be complete, but in order. */
void caf_complete_segment_for(int pe);

#endif
