/* Waits that end early when they have become hopeless, because an image that must act has ended. */
#pragma once

#include "../library.h"

#include <stdbool.h>
#include <stdint.h>

/* Handlers for the library (init.c, image.c): one for alerts, one that names what this image waits for. */
void caf_on_alert(void);
#if CAF_HAVE_ALERTS
const char *caf_name_wait(shmemx_wait *wait);
#endif

/* Values for pe if a wait is not for one known PE. COLLECTIVE: the PE that SHCOLL waits for. ALL_MEMBERS: an operation
 * that no member leaves early (context of both: struct caf_operation). POSTER: the image that posts an event. HOLDER:
 * caf_lock_holder finds it. ALL: all images (context: int, their number). */
enum { CAF_ANYBODY = -1, CAF_COLLECTIVE = -2, CAF_ALL_MEMBERS = -3, CAF_POSTER = -4, CAF_HOLDER = -5, CAF_ALL = -6 };

/* The PE that holds a lock. *is_sure: the word was read now; false for a remote lock, whose last seen word is used. */
extern int (*caf_lock_holder)(const void *lock, bool *is_sure);

/* A collective operation of a team. */
struct caf_operation {
    const char *statement;
    struct caf_team *team;
    uint64_t number;
    void (*body)(void *); /* NULL: a synchronization */
    void *context;
    uint64_t word, heard; /* of a synchronization: word sent to the next member, word received */
    bool meets;           /* synchronizes by caf_meeting */
};

/* Runs body(context), which waits inside OpenSHMEM or SHCOLL. When an image ends, or when a wait becomes long after
 * an image has ended, caf_attempt checks hopeless(context); if that holds, caf_attempt abandons body and returns false.
 * Do not use the data of body again. */
bool caf_attempt(const char *statement, int pe, void (*body)(void *), bool (*hopeless)(void *), void *context);

/* Waits until *word (symmetric, of this image) >= least; false if hopeless(context). */
bool caf_wait_for(const char *statement, int pe, uint64_t *word, uint64_t least, bool (*hopeless)(void *),
                  void *context);

/* Yields the processor to another image, for about a microsecond. If another process then keeps the processor for
 * milliseconds, the next calls do nothing and return false; the caller should then sleep instead. */
bool caf_give_away(void);

/* Serves images of other nodes if no thread does (SHMEM_PROGRESS=none): an awaited image may need this one. */
void caf_serve(void);

/* A pause in a loop that polls other images: spins first, then yields, then sleeps; also serves. */
void caf_pause(unsigned *turns);

/* A pause of some tens of nanoseconds. */
static inline void caf_pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}
