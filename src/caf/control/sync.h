/* How the members of a team meet, be it that some have ended. */
#ifndef COPAL_CAF_SYNC_H
#define COPAL_CAF_SYNC_H

#include "team.h"

/* Called once, by caf_init: the counters of SYNC IMAGES. */
void caf_sync_begin(void);

/* A collective operation of team t, counted in its progress: body(context) runs as long as no end of a member makes it
 * hopeless.  The result is CAF_OK or what that end means, with a sentence that begins with statement.  is_for_all: no
 * member is through with it before all have come. */
int caf_collective(const char *statement, struct caf_team *t, bool is_for_all, void (*body)(void *), void *context);

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

#endif
