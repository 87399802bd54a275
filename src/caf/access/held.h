/* Puts that are held back.
 *
 * Small ones to other nodes, and functions posted there, where the current team's synchronizations take them along
 * (control/meeting.h).  They are outstanding as others are, and go by themselves before anything else is done to far
 * memory, and at each other end of a segment. */
#ifndef COPAL_CAF_HELD_H
#define COPAL_CAF_HELD_H

#include "order.h"

/* What an image holds, one after the other; symmetric, and read by images of its node in a synchronization. */
enum { CAF_HELD_MOST = 16 << 10 };
struct caf_held {
    size_t bytes;
    _Alignas(16) char at[CAF_HELD_MOST];
};
struct caf_held_put {
    _Alignas(16) uint64_t place; /* in the managed heap; of a function its number */
    int32_t pe, from;
    uint32_t bytes;              /* which follow, padded to the size of this */
    bool is_call;
};
extern CAF_HIDDEN struct caf_held *caf_held; /* NULL: nothing ever is */
extern size_t caf_held_most;

static inline struct caf_held_put *caf_held_next(const struct caf_held_put *p)
{
    return (void *)((char *)(uintptr_t)(p + 1) + (p->bytes + sizeof *p - 1) / sizeof *p * sizeof *p);
}

void caf_release_slowly(void); /* caf_release, where there is something, or there may be */

/* Whether puts are held from now on, until some have gone by themselves. */
void caf_hold(bool puts);

/* False: it is not, and made as ever. */
bool caf_hold_put(int pe, const void *sym, const void *from, size_t bytes);
bool caf_hold_call(int pe, uint32_t number, const struct iovec *args, size_t n);

/* Makes one of them, of any image, on an image of this node that waits in the synchronization. */
void caf_make_held(struct caf_held_put *p);

/* Who runs a function where the image that it was posted to would (caf_register_stand_in). */
extern CAF_HIDDEN struct caf_stand_in {
    uint32_t number;
    void (*run)(int from, int pe, void *args, size_t bytes);
} caf_stand_in;

/* A synchronization has made what was held. */
void caf_held_are_made(void);

#endif
