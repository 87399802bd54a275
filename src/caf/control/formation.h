/* Formations: what FORM TEAM has made, and how long that lasts. */
#ifndef COPAL_CAF_FORMATION_H
#define COPAL_CAF_FORMATION_H

#include "team.h"

/* What an image asks for. */
struct caf_wish {
    int64_t number;
    int64_t new_index; /* or CAF_ANY_INDEX; CAF_WISH_LOST: of an image that has ended */
    int64_t news;      /* a formation of this parent that no variable of the image stands for any more; negative: one
                          does after all; 0: none */
};
static const int64_t CAF_ANY_INDEX = INT64_MIN, CAF_WISH_LOST = INT64_MIN + 1;

/* A FORM TEAM.  What the images asked for gives its teams, the siblings too, without further talk. */
struct caf_formation {
    int64_t number;          /* among those of its parent; the same on all images */
    uint64_t hash;           /* of the wishes */
    struct caf_wish *wishes; /* of the parent's images, by position */
    struct caf_team *parent, *mine;
    struct caf_team **teams; /* of all numbers asked for so far; NULL-terminated */
    void *work;              /* symmetric: the team's flags and progress */

    struct caf_team_variable *variables; /* of this image that stand for a team of it */
    bool is_told;                        /* that there is none: this image's last news of it */
    int n_told;                          /* as of so many images */
    struct {
        bool is_in;
        struct caf_formation *next, *previous;
    } in[CAF_FORMATION_QUEUES]; /* of the parent's queues */
};

/* The formation in which these wishes have been granted before, or NULL. */
struct caf_formation *caf_formation_known(const struct caf_team *parent, const struct caf_wish *wishes);

/* A new one.  All images of the parent take memory at once, though they need not be in the same team: so it stays the
 * same on all.  NULL: there is none. */
struct caf_formation *caf_formation_new(struct caf_team *parent, const struct caf_wish *wishes);
void caf_formation_end(struct caf_formation *f);

/* END TEAM: ends what has been formed in the team; all members have met. */
void caf_formations_end(struct caf_team *t);

/* The variable stands for a team of f from now on, and for no other. */
void caf_formation_hold(struct caf_formation *f, const void *variable);

/* What this image's next wish has to tell. */
int64_t caf_formation_news(struct caf_team *parent);

/* Notes what the wishes of all tell, which others may overwrite after the next synchronization. */
void caf_formation_listen(struct caf_team *parent, const struct caf_wish *wishes);

/* All have come to that, and formed (or NULL) has come of the wishes: ends what nobody can be in any more. */
void caf_formation_heard(struct caf_team *parent, struct caf_formation *formed);

/* The record of a sibling. */
struct caf_team *caf_formation_team(struct caf_formation *f, int64_t number);

/* Gives a new team a name by which it is found. */
void caf_formation_name(struct caf_team *t);

/* Of a team's structure, when its group has been made: its flags and progress lie in work (CAF_TEAM_BYTES), cleared. */
enum { CAF_PROGRESS_BYTES = 64, CAF_TEAM_BYTES = (int)SHCOLL_WORK_BYTES + CAF_PROGRESS_BYTES };
void caf_formation_set_work(struct caf_team *t, char *work);

#endif
