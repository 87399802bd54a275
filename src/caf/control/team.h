/* The structure of a team of images, which all of control/ works on. */
#ifndef COPAL_CAF_TEAM_H
#define COPAL_CAF_TEAM_H

#include "../caf.h"

#include <shcoll.h>

/* How far an image has come in its team's synchronizations, and in its collective subroutines: for the others to see,
 * should it end.  They are counted apart, since a collective subroutine may fail on one image and succeed on another
 * (the root of a broadcast waits for nobody): one of them may then call it once more before it meets the others.
 * Symmetric.
 *
 * How far ahead: while this image is in synchronization k another member may be in k + 1, and none is in k + 2.  The
 * numbers only grow, and readers ask whether they are at least k: one word is enough.  Of `refused` this image asks
 * whether it is k, after synchronization k and before it begins k + 1; another member may have refused k + 1 by then:
 * two words are enough. */
struct caf_progress {
    uint64_t begun;       /* synchronizations; the numbers of the last */
    uint64_t met, missed; /* to which all members are known to have come; after which this is not known here */
    uint64_t left;        /* before it was through */
    uint64_t collectives_done;
    uint64_t refused[2]; /* the number of a synchronization that a member has refused, written by it; by turns */
    uint64_t decided;    /* the number of the synchronization after which this image knew who is left (change_team.c) */
};

/* Symmetric memory that the data of collective subroutines go through, in stages used in turn (collective.c).  taken
 * are the stages taken so far, by all members alike; with the first `done` of them all members have done. */
struct caf_staging {
    char *memory; /* NULL: not yet needed */
    uint64_t taken, done;
    bool is_near; /* every member's memory is a load away */
    bool checks;  /* SHMEM_DEBUG: that the members' calls agree */
};

/* Of formations: those of which this image has news to tell, and those that no variable of any image stands for. */
enum caf_formation_queues { CAF_FORMATION_NEWS, CAF_FORMATION_IDLE, CAF_FORMATION_QUEUES };

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
    unsigned stays;                /* constructs that are executed in it for want of their team */
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
    } queues[CAF_FORMATION_QUEUES];
    struct caf_wish *wishes;         /* symmetric: where FORM TEAM gathers what the images ask for (change_team.c) */
    int64_t *news;                   /* and what they last told of formations */
    struct caf_staging staging;
};

static inline int caf_position_pe(const struct caf_team *t, int position)
{
    return t->pes ? t->pes[position] : position;
}

#endif
