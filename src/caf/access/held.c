#include "held.h"
#include "../memory/heap.h"

#include <string.h>

struct caf_held *caf_held;
size_t caf_held_most;
struct caf_stand_in caf_stand_in;
static size_t room; /* bytes that may be held; 0: puts are not held */

void caf_post_now(int pe, uint32_t number, const struct iovec *args, size_t n)
{
    caf_release();
    caf_note_call(pe); /* MUTANT a call may change anything */
#if CAF_HAVE_CALLS
    shmemx_post(pe, number, args, n);
#else
    (void)number, (void)args, (void)n;
#endif
}

void caf_hold(bool puts)
{
    caf_release();
    room = puts && caf_held ? caf_held_most : 0;
}

void caf_release_slowly(void)
{
    const size_t bytes = caf_held->bytes;
    caf_held->bytes = 0;
    caf_release_held = NULL;
    room = 0;
    const struct caf_held_put *const end = (void *)(caf_held->at + bytes);
    for (struct caf_held_put *p = (void *)caf_held->at; p < end; p = caf_held_next(p)) {
        if (p->is_call) {
            caf_post_now(p->pe, (uint32_t)p->place, &(struct iovec){p + 1, p->bytes}, 1);
        } else {
            caf_before_put(p->pe, caf_heap + p->place, p->bytes, p->bytes);
            caf_put_far(p->pe, caf_heap + p->place, p + 1, p->bytes);
        }
    }
}

static bool hold(struct caf_held_put put, const struct iovec *pieces, size_t n)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += pieces[i].iov_len;
    if (bytes > room)
        return false;
    struct caf_held_put *p = (void *)(caf_held->at + caf_held->bytes);
    put.bytes = (uint32_t)bytes;
    put.from = caf_my_pe;
    const size_t end = (size_t)((char *)caf_held_next(&put) - (char *)&put) + caf_held->bytes;
    if (end > room)
        return false;
    *p = put;
    char *to = (char *)(p + 1);
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].iov_len)
            memcpy(to, pieces[i].iov_base, pieces[i].iov_len);
        to += pieces[i].iov_len;
    }
    caf_held->bytes = end;
    caf_release_held = caf_release_slowly;
    caf_note_held(put.pe);
    return true;
}

/* Up to 8 bytes are not held: another image may poll them as a flag, although the standard guarantees nothing. */
bool caf_hold_put(int pe, const void *sym, const void *from, size_t bytes)
{
    const uintptr_t place = (uintptr_t)sym - (uintptr_t)caf_heap;
    return room && bytes > sizeof(uint64_t) && place < caf_heap_bytes &&
           hold((struct caf_held_put){.place = place, .pe = pe},
                &(struct iovec){(void *)(uintptr_t)from, bytes}, 1);
}

bool caf_hold_call(int pe, uint32_t number, const struct iovec *args, size_t n)
{
    return room && caf_stand_in.number == number &&
           hold((struct caf_held_put){.place = number, .pe = pe, .is_call = true}, args, n);
}

void caf_make_held(struct caf_held_put *p)
{
    if (p->is_call)
        caf_stand_in.run(p->from, p->pe, p + 1, p->bytes);
    else
        memcpy(caf_near(p->pe, caf_heap + p->place), p + 1, p->bytes);
}

void caf_held_are_made(void)
{
    caf_held->bytes = 0;
    caf_release_held = NULL;
    caf_note_made();
}
