/* Waits that end when they have become hopeless. */
#ifndef COPAL_CAF_ATTEMPT_H
#define COPAL_CAF_ATTEMPT_H

#include "../library.h"

#include <stdbool.h>
#include <stdint.h>

/* What the library is to call (init.c) when an alert is raised, and to ask (image.c) what this image waits for. */
void caf_on_alert(void);
#if CAF_HAVE_ALERTS
const char *caf_name_wait(shmemx_wait *wait);
#endif

/* Instead of the PE that is waited for: it could be any; it is one that SHCOLL knows, or in an operation that nobody
 * leaves before all have come, every member (context is a struct caf_operation for both); whoever posts an event; the
 * holder of a lock, which caf_lock_holder finds by context; all images (context is an int, their number). */
enum { CAF_ANYBODY = -1, CAF_COLLECTIVE = -2, CAF_ALL_MEMBERS = -3, CAF_POSTER = -4, CAF_HOLDER = -5, CAF_ALL = -6 };

/* The PE that holds a lock, and whether it still does: to look at a lock of another node would be a call. */
extern int (*caf_lock_holder)(const void *lock, bool *is_sure);

/* A collective operation of a team. */
struct caf_operation {
    const char *statement;
    struct caf_team *team;
    uint64_t number;
    void (*body)(void *); /* NULL: it is a synchronization */
    void *context;
    uint64_t word, heard; /* of a synchronization */
    bool meets;           /* which is one by caf_meeting */
};

/* Runs body(context), whose waits are OpenSHMEM's or SHCOLL's.  When an image ends meanwhile, or has ended before a
 * wait becomes long, and hopeless(context) says so, body is left where it is and the result is false.  What body was
 * working on is then as an interrupted collective leaves it: use it no more. */
bool caf_attempt(const char *statement, int pe, void (*body)(void *), bool (*hopeless)(void *), void *context);

/* Waits until *word (symmetric, of this image) >= least; false if hopeless(context). */
bool caf_wait_for(const char *statement, int pe, uint64_t *word, uint64_t least, bool (*hopeless)(void *),
                  void *context);

/* Gives the processor to another image, for a microsecond.  But a process that computes keeps it for milliseconds: for
 * a while after that this does nothing and is false, and the caller had better sleep. */
bool caf_give_away(void);

/* A pause in a loop that polls other images: the processor is given away after the first few turns. */
void caf_pause(unsigned *turns);

#endif
