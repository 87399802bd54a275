/* Formations: the teams that one FORM TEAM has made, and their lifetime. */
#pragma once

#include "team.h"

/* What an image requests in FORM TEAM. */
struct caf_wish {
    int64_t number;
    int64_t new_index; /* or CAF_ANY_INDEX; CAF_WISH_LOST: the image has ended */
    int64_t news;      /* a formation of this parent that no variable of the image names any more; negative: a
                          variable names it again; 0: none */
};
static const int64_t CAF_ANY_INDEX = INT64_MIN, CAF_WISH_LOST = INT64_MIN + 1;

/* One FORM TEAM. The wishes determine all of its teams, siblings included, without further communication. */
struct caf_formation {
    int64_t number;          /* counted within the parent; the same on all images */
    uint64_t hash;           /* hash of the wishes */
    struct caf_wish *wishes; /* the wishes of the parent's images, by position */
    struct caf_team *parent, *mine;
    struct caf_team **teams; /* the teams used so far, of any number; NULL-terminated */
    void *work;              /* symmetric: the team's flags and progress */

    struct caf_team_variable *variables; /* this image's variables that name one of its teams */
    bool is_told;                        /* this image's last news: it has no such variable */
    int n_told;                          /* number of images with this last news */
    struct {
        bool is_in;
        struct caf_formation *next, *previous; /* links in the parent's queues */
    } in[CAF_FORMATION_QUEUES]; /* by queue */
};

/* The formation of an earlier FORM TEAM with the same wishes, or NULL. */
struct caf_formation *caf_formation_known(const struct caf_team *parent, const struct caf_wish *wishes);

/* A new formation. All images of the parent allocate together, so their heaps stay equal. NULL: memory exhausted. */
struct caf_formation *caf_formation_new(struct caf_team *parent, const struct caf_wish *wishes);
void caf_formation_end(struct caf_formation *f);

/* END TEAM: ends all formations of the team; all members have synchronized. */
void caf_formations_end(struct caf_team *t);

/* From now on the variable names a team of f, and no other team. */
void caf_formation_hold(struct caf_formation *f, const void *variable);

/* The news that this image sends in its next wish. */
int64_t caf_formation_news(struct caf_team *parent);

/* Records the news of all wishes; the next FORM TEAM may overwrite the wishes after its synchronization. */
void caf_formation_listen(struct caf_team *parent, const struct caf_wish *wishes);

/* All images have recorded the news; the wishes formed `formed` (or NULL). Ends formations that no image can use. */
void caf_formation_heard(struct caf_team *parent, struct caf_formation *formed);

struct caf_team *caf_formation_team(struct caf_formation *f, int64_t number);

/* Gives a new team its name and registers it. */
void caf_formation_name(struct caf_team *t);

/* Completes a team whose SHCOLL group exists: its flags and progress lie in work (CAF_TEAM_BYTES), which is cleared. */
enum { CAF_PROGRESS_BYTES = 128, CAF_TEAM_BYTES = (int)SHCOLL_WORK_BYTES + CAF_PROGRESS_BYTES };
void caf_formation_set_work(struct caf_team *t, char *work);
