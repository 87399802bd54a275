/* LOCK and UNLOCK of a lock on another node: LOCK is one message and one reply, however many images contend; UNLOCK is
 * one message if this image knows that it holds the lock.  The owner's processor wakes the next image.
 *
 * A remote swap assumes the word of a round trip ago.  If k images enter together, one swap succeeds and the others
 * retry, k * k / 2 swaps in all, and these delay the release by the holder.  The owner's processor therefore performs
 * the swap, and the notes that must precede it. */
#include "lock_there.h"

#include "../access/order.h"
#include "../memory/heap.h"

#include <string.h>

enum { LOCK_CALL = 0x6c6f636b };

struct request {
    uint64_t place; /* offset of the word in the heap */
    uint64_t name;  /* the lock's name, to acquire it; 0: release */
};

static struct lock_entry *entries;
static uint64_t *bell;

/* The last remote lock that this image has acquired and not released; NULL: none. */
static struct {
    int pe;
    uint64_t *word;
} held;

static void note(uint64_t *where, uint64_t value)
{
    __atomic_store_n(where, value, __ATOMIC_RELAXED);
}

static void called(int pe, void *args, size_t bytes, caf_reply *reply)
{
    (void)bytes;
    struct request r;
    memcpy(&r, args, sizeof r);
    uint64_t *word = (void *)(caf_heap + r.place), is = __atomic_load_n(word, __ATOMIC_RELAXED), to;
    const uint64_t image = (uint64_t)pe + 1;
    do {
        if ((holder_of(is) == image) == (r.name != 0))
            break;
        to = r.name ? entered(is, image, FIRST_SLEEPS) : handed_on(is);
        if (r.name) {
            note(&entries[pe].waiting, holder_of(to) == image ? 0 : r.name);
            note(&entries[pe].before, end_of(is));
        }
    } while (!__atomic_compare_exchange_n(word, &is, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    if (!r.name && holder_of(is) == image && is & FIRST_SLEEPS)
        caf_notify((int)first_of(is) - 1, bell, 1); /* MUTANT the owner rings the bell */
    if (!reply)
        return;
    memcpy(reply->head, &is, sizeof is);
    reply->head_bytes = sizeof is;
}

static void *receive(void *was, void *head, size_t head_bytes, size_t bytes)
{
    (void)bytes;
    memcpy(was, head, head_bytes);
    return NULL;
}

int caf_lock_there(int pe, uint64_t *word, uint64_t name, uint64_t *was)
{
    struct request r = {(uint64_t)((char *)word - caf_heap), name};
    return caf_call(pe, LOCK_CALL, &(struct iovec){&r, sizeof r}, 1, receive, was);
}

void caf_note_held_there(int pe, uint64_t *word)
{
    held.pe = pe;
    held.word = word;
}

bool caf_unlock_there(int pe, uint64_t *word)
{
    /* MUTANT unlocking knows the holder: held.pe != pe => false */
    if (held.word != word || held.pe != pe || *caf_alerts)
        return false;
    held.word = NULL;
#if CAF_HAVE_CALLS
    struct request r = {(uint64_t)((char *)word - caf_heap), 0};
    shmemx_post(pe, LOCK_CALL, &(struct iovec){&r, sizeof r}, 1);
    shmem_signal_add(&entries[caf_my_pe].waiting, 0, pe); /* sent immediately, in one message with the post */
    caf_note_post(pe, word); /* MUTANT an unlock is noted */
#endif
    return true;
}

void caf_lock_there_begin(struct lock_entry *queue, uint64_t *my_bell)
{
    entries = queue;
    bell = my_bell;
    caf_register(LOCK_CALL, called);
}
