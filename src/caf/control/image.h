/* What an image publishes, its current team, and which of the others have ended. */
#ifndef COPAL_CAF_IMAGE_H
#define COPAL_CAF_IMAGE_H

#include "team.h"

enum caf_state { CAF_RUNNING = 0, CAF_STOPPED, CAF_FAILED };

/* One per image, symmetric; written by its owner, read by all. */
struct caf_public {
    uint64_t never;         /* stays 0: for a wait that only the end of an image ends */
    int state;              /* enum caf_state */
    long spoken;            /* error.h */
    uint64_t random;        /* on PE 0: drawn for the job */
    bool debug;             /* SHMEM_DEBUG; for collective subroutines that on a team's first image counts */
    struct caf_about about; /* for addresses found in its memory */
};
extern struct caf_public *caf_public;

/* Called once, by caf_init, after the managed heap's. */
void caf_images_begin(void);

/* It is the current team from now on. */
void caf_enter_team(struct caf_team *t);

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

/* Whoever looks sees this image's state from now on; an alert has every wait look. */
void caf_publish_state(enum caf_state state);
void caf_alert(void);

#endif
