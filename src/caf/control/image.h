/* What an image publishes, its current team, and which other images have ended. */
#pragma once

#include "team.h"

enum caf_state { CAF_RUNNING = 0, CAF_STOPPED, CAF_FAILED };

/* One per image, symmetric; written by its owner, read by all images. */
struct caf_public {
    uint64_t never;         /* stays 0: for a wait that only the end of an image can end */
    int state;              /* enum caf_state */
    long spoken;            /* error.h */
    uint64_t random;        /* on PE 0: random number of the job */
    bool debug;             /* SHMEM_DEBUG; collective subroutines use the value of the team's first image */
    struct caf_about about; /* for accesses at this image's own addresses */
};
extern struct caf_public *caf_public;

/* Called once, by caf_init, after caf_heap_begin. */
void caf_images_begin(void);

void caf_enter_team(struct caf_team *t);

/* Whether the PE at *pe has stopped or failed, so that a wait for it alone is hopeless. */
bool caf_has_ended(void *pe);

/* Updates the team's `lost` and returns it. */
bool caf_team_lost_slowly(struct caf_team *t);
static inline bool caf_team_lost(struct caf_team *t)
{
    return CAF_LIKELY(*caf_alerts == t->alerts_seen) ? t->lost : caf_team_lost_slowly(t);
}

/* Publishes this image's state; caf_alert makes the waits of all images check it. */
void caf_publish_state(enum caf_state state);
void caf_alert(void);
