/* Puts that are held back: small puts to other nodes, and functions posted there, if the current team's
 * synchronizations send them (control/meeting.h).  They count as outstanding. Before any other access to remote memory,
 * and if a segment ends without a synchronization of the team, this image sends them itself. */
#pragma once

#include "order.h"

/* The puts that an image holds, one after the other; symmetric. Images of its node read them in a synchronization. */
enum { CAF_HELD_MOST = 16 << 10 };
struct caf_held {
    size_t bytes;
    _Alignas(16) char at[CAF_HELD_MOST];
};
struct caf_held_put {
    _Alignas(16) uint64_t place; /* offset in the managed heap; for a function, its number */
    int32_t pe, from;
    uint32_t bytes;              /* size of the data that follow, padded to a multiple of this struct */
    bool is_call;
};
extern CAF_HIDDEN struct caf_held *caf_held; /* NULL: puts are never held */
extern size_t caf_held_most;

static inline struct caf_held_put *caf_held_next(const struct caf_held_put *p)
{
    return (void *)((char *)(uintptr_t)(p + 1) + (p->bytes + sizeof *p - 1) / sizeof *p * sizeof *p);
}

void caf_release_slowly(void); /* the slow path of caf_release */

/* Sends all held puts. If puts is set, small puts are held from now on; this ends when this image has to send them
 * itself. */
void caf_hold(bool puts);

/* False: the put is not held, and the caller must make it. */
bool caf_hold_put(int pe, const void *sym, const void *from, size_t bytes);
bool caf_hold_call(int pe, uint32_t number, const struct iovec *args, size_t n);

/* Executes a held put, of any image, to an image of this node; that image waits in the synchronization. */
void caf_make_held(struct caf_held_put *p);

/* The stand-in for a posted function (caf_register_stand_in). */
extern CAF_HIDDEN struct caf_stand_in {
    uint32_t number;
    void (*run)(int from, int pe, void *args, size_t bytes);
} caf_stand_in;

/* Called after a synchronization has executed the held puts. */
void caf_held_are_made(void);
