/* The structure of a team of images. */
#pragma once

#include "../caf.h"

#include <shcoll.h>

/* This image's progress in its team's synchronizations and collective subroutines; others read it if a member has
 * ended.  Symmetric.  The two are counted separately: a collective subroutine may fail on one image and succeed on
 * another (the root of a broadcast waits for no member), so one image may call it once more before the next
 * synchronization.
 *
 * Bounds: while this image is in synchronization k, another member may be in k + 1, and none is in k + 2.  The numbers
 * only grow, and readers test for "at least k", so one word is enough.  This image tests whether `refused` equals k
 * between synchronizations k and k + 1; another member may already have refused k + 1, so `refused` has two words. */
struct caf_progress {
    uint64_t begun;       /* the number of the last synchronization that this image has begun */
    uint64_t met, missed; /* the last that all members have certainly entered; the last that one may have missed */
    uint64_t left;        /* the last that this image abandoned because a member had ended */
    uint64_t collectives_done;
    uint64_t abandoned;  /* the first collective operation that any member has abandoned; 0: none */
    uint64_t refused[2]; /* number of the last synchronization that a member has refused, odd and even */
    uint64_t decided;    /* the last synchronization after which this image knew the survivors (change_team.c) */
};

/* Symmetric memory for the data of collective subroutines, in stages that are used one after the other (collective.c).
 * taken counts the stages taken so far, equally on all members; all members have finished with the first `done` of
 * them. */
enum { CAF_STAGES = 8 };
struct caf_staging {
    char *memory; /* NULL: not yet allocated */
    uint64_t taken, done;
    uint64_t rooted[CAF_STAGES]; /* of each of the first members: `taken` before its last broadcast as the root */
    bool is_near; /* all members' memory is local */
    bool checks;  /* SHMEM_DEBUG: check that the members' calls agree */
};

/* Queues of formations: those whose news this image has yet to send; those that no variable on any image names. */
enum caf_formation_queues { CAF_FORMATION_NEWS, CAF_FORMATION_IDLE, CAF_FORMATION_QUEUES };

/* A team: Table I of the teams paper, except images per node, leaders, flags, parity and sense, which SHCOLL has. */
struct caf_team {
    caf_team_name name;
    struct caf_team *parent;
    int64_t number;
    int depth;      /* 0: the initial team */
    int me, n;      /* this image's position, or -1 if it is no member; number of members */
    const int *pes; /* position to PE; NULL: the identity (initial team) */
    struct shcoll_group group;
    int only_other; /* the PE of the other member of a team of two: its signal in a synchronization follows its puts to
                       this image. -1 in other teams: a member could return and read before a third one's puts arrive */
    struct caf_progress *progress; /* symmetric, behind the group's work area */
    uint64_t syncs, collectives;   /* numbers of those that this image has begun */
    uint64_t allocated;            /* bytes + 1 that the next synchronization checks for agreement; or 0 */
    unsigned stays;                /* number of constructs executed in this team after a failed CHANGE TEAM */
    bool has_deallocated;          /* a late member may still be reading a record in memory that is free here */
    bool deallocates;              /* the synchronization of the next DEALLOCATE is done, with deallocate_status */
    int deallocate_status;

    uint32_t alerts_seen; /* value of caf_alerts when lost was last computed */
    bool lost;            /* whether a member has ended */

    struct caf_coarray *coarrays;    /* allocated in the team, newest first: END TEAM frees them */
    struct caf_formation *formation; /* the FORM TEAM that formed the team; NULL: the initial team */
    void *formed, *formed_by_number; /* trees of the formations in the team (formation.c) */
    struct caf_formation_queue {
        struct caf_formation *first, *last;
        size_t length;
    } queues[CAF_FORMATION_QUEUES];
    struct caf_wish *wishes;         /* symmetric: gathers the wishes in FORM TEAM (change_team.c) */
    int64_t *news;                   /* the images' last news of formations */
    struct caf_staging staging;
};

static inline int caf_position_pe(const struct caf_team *t, int position)
{
    return t->pes ? t->pes[position] : position;
}
