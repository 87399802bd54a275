/* The synchronization of a team, also after members have ended. */
#pragma once

#include "team.h"

/* Called once, by caf_init: the counters of SYNC IMAGES. */
void caf_sync_begin(void);

/* A collective operation of team t, counted in its progress: runs body(context) unless the end of a member makes it
 * hopeless. Returns CAF_OK, or the status of the ended member with a sentence that begins with statement. is_for_all:
 * no member completes the operation before all have entered it. */
int caf_collective(const char *statement, struct caf_team *t, bool is_for_all, void (*body)(void *), void *context);

/* Called after a failed collective operation that writes to this image's memory: waits until all have left it. */
void caf_await_leaving(const struct caf_team *t);

/* Called before this image fails: sends its last completed synchronizations to all members of its teams. */
void caf_tell_met(const struct caf_team *t);

/* A synchronization of team t, counted in its progress; completes this image's segment. If members have ended the
 * others still synchronize. word goes to the next member; *heard is that of the previous one, or 0. */
int caf_meet(const char *statement, struct caf_team *t, uint64_t word, uint64_t *heard);

/* For an allocation that must succeed on all images or none: an image that cannot do it calls caf_refuse before a
 * synchronization, and all members check caf_refused after it. */
void caf_refuse(const struct caf_team *t);
bool caf_refused(const struct caf_team *t);

/* The number of SYNC IMAGES with a list of several images; a test sets it. */
extern uint64_t caf_lists;

/* SYNC ALL of a team's images; messages name the given statement. */
int caf_sync_as(const char *statement, struct caf_team *t);
