/* The synchronization of a team, also after members have ended. */
#pragma once

#include "team.h"

/* Called once, by caf_init: the counters of SYNC IMAGES. */
void caf_sync_begin(void);

/* Runs body(context), a collective operation of team t, unless the end of a member makes it hopeless; counts it in
 * t->progress. Returns CAF_OK, or the ended member's status with a message that begins with statement. is_for_all: no
 * member completes the operation before all have entered it. */
int caf_collective(const char *statement, struct caf_team *t, bool is_for_all, void (*body)(void *), void *context);

/* Called after a failed collective operation that writes to this image's memory: waits until all have left it. */
void caf_await_leaving(const struct caf_team *t);

/* Called before this image fails: sends its last completed synchronizations to all members of its teams. */
void caf_tell_met(const struct caf_team *t);

/* Completes this image's segment, synchronizes team t, and counts this in t->progress. If members have ended, the
 * others still synchronize. Sends word to the next member; *heard is the previous member's, 0 if unknown. */
int caf_meet(const char *statement, struct caf_team *t, uint64_t word, uint64_t *heard);

/* For an allocation that must succeed on all images or none: an image that cannot do it calls caf_refuse before a
 * synchronization, and all members check caf_refused after it. */
void caf_refuse(const struct caf_team *t);
bool caf_refused(const struct caf_team *t);

/* The number of SYNC IMAGES with several images; global for a test. */
extern uint64_t caf_lists;

/* SYNC ALL of a team's images; messages name the given statement. */
int caf_sync_as(const char *statement, struct caf_team *t);
