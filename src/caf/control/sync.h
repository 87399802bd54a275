/* The synchronization of a team, also after members have ended. */
#ifndef COPAL_CAF_SYNC_H
#define COPAL_CAF_SYNC_H

#include "team.h"

/* Called once, by caf_init: the counters of SYNC IMAGES. */
void caf_sync_begin(void);

/* A collective operation of team t, counted in its progress: runs body(context) unless the end of a member makes it
 * hopeless. Returns CAF_OK, or the status of the ended member with a sentence that begins with statement. is_for_all:
 * no member completes the operation before all have entered it. */
int caf_collective(const char *statement, struct caf_team *t, bool is_for_all, void (*body)(void *), void *context);

/* After a collective operation in which other images write to this image's memory has failed here: returns when no
 * member is still in that operation. */
void caf_await_leaving(const struct caf_team *t);

/* Before this image fails: sends all members the number of its last completed synchronization in each team, because its
 * own memory may become inaccessible. */
void caf_tell_met(const struct caf_team *t);

/* A synchronization of team t, counted in its progress; completes this image's segment. If members have ended the
 * others still synchronize. word goes to the next member; *heard is the word of the previous member, or 0 if none
 * arrived. */
int caf_meet(const char *statement, struct caf_team *t, uint64_t word, uint64_t *heard);

/* For an allocation that must succeed on all images or none: an image that cannot do it calls caf_refuse before a
 * synchronization, and all members check caf_refused after it. */
void caf_refuse(const struct caf_team *t);
bool caf_refused(const struct caf_team *t);

/* The number of SYNC IMAGES with a list of several images; a test sets it. */
extern uint64_t caf_lists;

/* SYNC ALL of a team's images; messages name the given statement. */
int caf_sync_as(const char *statement, struct caf_team *t);

#endif
