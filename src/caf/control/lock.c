/* LOCK, UNLOCK and CRITICAL.
 *
 * The locks are those of Mellor-Crummey and Scott (thesis, section 4.5), with three changes.
 *
 * 1. In the thesis the lock variable holds a packed pointer to the queue entry of the last waiting image.  An image
 * never waits for two locks, so one entry per image is enough, and the image's number replaces the pointer.  The 64
 * bits hold 21 bits each for holder, first and last, and a flag: the lock itself shows whether an image holds it,
 * nothing is allocated, and a free lock is acquired and released by one compare-and-swap each.
 *
 * 2. The first waiting image polls the lock variable itself if it is local: passing the lock on then moves one cache
 * line instead of three.  All others wait at their own entries.
 *
 * 3. Every change of the queue is a compare-and-swap of the whole word.  Before an image enters, it notes its
 * predecessor in memory of the image that owns the lock, because a failed image's memory may be gone.  At whatever
 * instruction an image dies, the word and the notes determine its position, and the next image takes that position: in
 * the queue, or as the holder, with STAT_UNLOCKED_FAILED_IMAGE.  The other signals (bell, next) only save reads.
 *
 *   0                    free
 *   holder, 0, 0         held
 *   holder, first, 0     one image waits
 *   holder, first, last  more images wait; their notes give those between first and last
 *   holder, 0, last      briefly: the former first image holds the lock and has yet to name the new first
 *   0, first, last       released: the first image, which is awake or has been signalled, or a later image may take it
 *
 * Fortran promises no order.  While the lock passes to the first waiting image it is idle: a cache line moves, and on
 * oversubscribed processors a context switch is needed.  A released lock is therefore free for any running image.  An
 * image that takes it before the first waiting image counts this in the first image's note, while it holds the lock.
 * The first image gets the lock after CAF_LOCK_PASSES passes, or earlier if it runs and has often enough seen the count
 * change.  Between nodes the lock always passes to the first image, because a retry is a round trip.
 *
 * Reading a remote word is a round trip too, so an image avoids it if it knows the word: swaps return what they find, a
 * sleeping image is not woken when it becomes the first, and an image that enters informs its predecessor whether it
 * will sleep.  For a remote lock, the processor of the image that owns it performs LOCK and UNLOCK, notes and bell
 * included (lock_there.c).
 *
 * In gfortran STAT_UNLOCKED is 0, so a program could not detect a wrong UNLOCK; this library returns
 * CAF_STAT_UNLOCKED, 3. */
#include "lock.h"
#include "../access/order.h"
#include "../memory/heap.h"
#include "attempt.h"
#include "lock_there.h"

#include <unistd.h>

/* --- notes -------------------------------------------------------------------------------------------------------- */

/* Symmetric; one per image, on cache lines of its own: the owner polls the first line while others write the second.
 *
 * All locks use the same note, one after the other.  After a late bell the image reads the word and waits again.
 * `next` is written once, by the successor, and an image that has a successor reads `next` before it leaves the queue
 * (bring_up_next). An image that leaves because the lock's image failed does not: it may later mistake a late `next`
 * for a new one. */
struct note {
    uint64_t bell;    /* set by another image: read the lock's word */
    uint64_t next;    /* set by the successor: its number, and NEXT_SLEEPS if the successor cannot poll the word */
    _Alignas(64) uint64_t passed; /* how often others took the lock while the owner was the first waiting image */
};
static struct note *note;
#define NEXT_SLEEPS ((uint64_t)1 << IMAGE_BITS) /* not the top bit: Open MPI's waits compare signed words */

/* Symmetric, by PE. */
static struct lock_entry *queue;

static uint64_t me, my_before, my_passes; /* my_before: the noted predecessor; my_passes: note->passed as last read */
static bool one_node; /* every image can poll every lock */
static unsigned stood_back, spins; /* spins: reads of the word before the first waiting image sleeps */
enum { POLITE = 100 };  /* pauses of the first image after it was passed, before it reads again */
enum { PATIENCE = 20 };  /* calls of stand_back before the first image demands the lock */

/* A lock, as seen by this image. */
struct lock {
    int pe;
    uint64_t *word;
    uint64_t *near; /* the word, if it can be polled here; or NULL */
    const char *statement; /* for messages; "lock" becomes "critical" before any wait */
    uint64_t seen;         /* the word when this image began to wait */
};

static struct lock lock_at(int pe, void *word)
{
    return (struct lock){pe, word, CAF_DIRECT_ATOMICS ? (void *)caf_near_at_once(pe, word) : NULL, "lock", 0};
}

static int awaited_holder(const void *lock, bool *is_sure)
{
    const struct lock *l = lock;
    return (int)holder_of((*is_sure = l->near) ? __atomic_load_n(l->near, __ATOMIC_RELAXED) : l->seen) - 1;
}

void caf_locks_begin(void)
{
    const size_t n = (size_t)shmem_n_pes();
    note = caf_heap_allocate(sizeof *note);
    queue = caf_heap_allocate(n * sizeof *queue);
    if (!note || !queue)
        caf_fatal("start: no memory for an image's entry in the queue of a lock");
    *note = (struct note){0};
    for (size_t i = 0; i < n; i++)
        queue[i] = (struct lock_entry){0};
    caf_lock_there_begin(queue, &note->bell);
    caf_lock_holder = awaited_holder;
    me = (uint64_t)caf_my_pe + 1;
    int near = 0;
    for (int pe = 0; pe < (int)n; pe++)
        near += caf_near_at_once(pe, note) != NULL;
    one_node = CAF_DIRECT_ATOMICS && near == (int)n;
    spins = near > sysconf(_SC_NPROCESSORS_ONLN) ? 0 : 1000;
}

static uint64_t name_of(const struct lock *l)
{
    const uint64_t words = ((uintptr_t)l->word - (uintptr_t)caf_heap) / CAF_LOCK_BYTES;
    return (uint64_t)(l->pe + 1) << (64 - IMAGE_BITS) | (words & (UINT64_MAX >> IMAGE_BITS));
}

static uint64_t swap_if(const struct lock *l, uint64_t is, uint64_t word)
{
    return shmem_ulong_atomic_compare_swap(l->word, is, word, l->pe);
}

/* Changes the word if it is *word, and returns whether it was. Afterwards *word is the current word. */
static bool change(const struct lock *l, uint64_t *word, uint64_t to)
{
    const uint64_t was = *word, is = swap_if(l, was, to);
    *word = is == was ? to : is;
    return is == was;
}

static inline bool swap_near(uint64_t *near, uint64_t *is, uint64_t word)
{
    return __atomic_compare_exchange_n(near, is, word, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static inline uint64_t swap_at_once(const struct lock *l, uint64_t is, uint64_t word)
{
    if (CAF_UNLIKELY(!l->near))
        return swap_if(l, is, word);
    swap_near(l->near, &is, word);
    return is;
}

static uint64_t look_at(const struct lock *l)
{
    return shmem_ulong_atomic_fetch(l->word, l->pe);
}

static void ring(uint64_t image)
{
    if (image)
        shmem_uint64_p(&note->bell, 1, (int)image - 1);
}

static int state_of(uint64_t image)
{
    return image && *caf_alerts ? caf_pe_state((int)image - 1) : CAF_OK;
}

static bool has_failed(uint64_t image)
{
    return state_of(image) == CAF_STAT_FAILED_IMAGE;
}

/* The predecessor of `image`; 0: none, or the memory of the lock is gone. */
static uint64_t before(const struct lock *l, uint64_t image)
{
    return image ? shmem_ulong_atomic_fetch(&queue[image - 1].before, l->pe) : 0;
}

/* This put is ordered before the later swaps, and travels in one message with the next swap. (An OpenSHMEM that does
 * not keep this order has no alerts either, so no image reads the notes.) */
static void note_at_lock(const struct lock *l, uint64_t *word, uint64_t value)
{
    caf_put_far(l->pe, word, &value, sizeof value);
}

/* A lock of CRITICAL belongs to no image. On one node its memory outlives the image, so all images go on using it. */
static bool is_gone(const struct lock *l)
{
    return has_failed((uint64_t)l->pe + 1) && !(one_node && caf_is_critical(l->word));
}

/* LOCK's status after it has taken over from a failed image: CAF_OK if that image's own LOCK was not complete. */
static int status_of_takeover(const struct lock *l, uint64_t from)
{
    if (shmem_ulong_atomic_fetch(&queue[from - 1].waiting, l->pe) == name_of(l))
        return CAF_OK;
    return caf_say(CAF_STAT_UNLOCKED_FAILED_IMAGE, "%s: image %d, which held the lock on image %d%s, has failed; this "
                   "image has the lock now", l->statement, (int)from, l->pe + 1, caf_of_initial_team());
}

/* --- passing ------------------------------------------------------------------------------------------------------ */

/* The count of passes over the first waiting image; NULL if it must not be passed. */
static uint64_t *passes_of(const struct lock *l, uint64_t first)
{
    return l->near ? (void *)caf_near_at_once((int)first - 1, &note->passed) : NULL;
}

/* The last local lock that this image acquired or released, and the resulting word. near: NULL if the word was 0. */
static struct {
    uint64_t *near, word;
} used;

static inline uint64_t expected(const struct lock *l, uint64_t holder)
{
    return l->near && l->near == used.near && holder_of(used.word) == holder ? used.word : holder;
}

static inline void leave_as(const struct lock *l, uint64_t word)
{
    used.near = word ? l->near : NULL;
    used.word = word;
}

/* The word of a local lock, for one swap. NULL: take the slow path, also if `used` shows that a swap would fail. */
static inline uint64_t *quick_word(int pe, void *lock)
{
    uint64_t *near = CAF_DIRECT_ATOMICS && *caf_alerts == 0 ? (void *)caf_near_at_once(pe, lock) : NULL;
    return CAF_LIKELY(near != used.near) ? near : NULL;
}

/* The word after release: free for any running image, or held by the first waiting image. */
static uint64_t given_back(const struct lock *l, uint64_t word)
{
    const uint64_t first = first_of(word), *passed = first ? passes_of(l, first) : NULL;
    /* MUTANT a passed image is served: __atomic_load_n(passed, __ATOMIC_RELAXED) < CAF_LOCK_PASSES => true */
    if (passed && __atomic_load_n(passed, __ATOMIC_RELAXED) < CAF_LOCK_PASSES)
        return pack(0, first, last_of(word));
    return handed_on(word);
}

/* The image that passes others runs in a loop and has the word in its cache. Letting it continue costs the first image
 * little; competing for each pass moves the cache line every time. */
static bool is_passed(void)
{
    return __atomic_load_n(&note->passed, __ATOMIC_RELAXED) != my_passes;
}

static void stand_back(void)
{
    if (++stood_back >= PATIENCE) /* repeated, because the counting image may overwrite it */
        __atomic_store_n(&note->passed, CAF_LOCK_PASSES, __ATOMIC_RELAXED);
    my_passes = __atomic_load_n(&note->passed, __ATOMIC_RELAXED);
    for (unsigned pauses = 0; pauses < POLITE; pauses++)
        caf_pause_briefly();
}

/* Takes the lock if no image holds it, even if images wait; otherwise *word is the current word. */
static bool pass(const struct lock *l, uint64_t *word)
{
    uint64_t is = expected(l, 0);
    do {
        *word = is;
        uint64_t *passed = NULL;
        if (CAF_UNLIKELY(is) && (holder_of(is) || !(passed = passes_of(l, first_of(is)))))
            return false;
        is = swap_at_once(l, is, is | me);
        if (is == *word && passed) /* MUTANT passes are counted */
            __atomic_store_n(passed, *passed + 1, __ATOMIC_RELAXED);
    } while (is != *word);
    leave_as(l, is | me);
    return true;
}

/* --- the queue ---------------------------------------------------------------------------------------------------- */

/* The successor of this image, found in the notes of the waiting images. 0: the memory of the lock is gone. */
static uint64_t find_next(const struct lock *l)
{
    uint64_t image = last_of(look_at(l));
    for (uint64_t b; image && (b = before(l, image)) != me; image = b)
        ;
    return image;
}

/* The successor entered the queue and failed before it could set `next`. */
static bool next_has_failed(void *lock)
{
    return is_gone(lock) || has_failed(find_next(lock));
}

/* Makes the successor the first waiting image. must_look: signals it in any case, as perhaps no other image will. */
static void bring_up_next(struct lock *l, uint64_t word, bool must_look)
{
    const bool was_told = caf_wait_for(l->statement, CAF_ANYBODY, &note->next, 1, next_has_failed, l);
    const uint64_t told = was_told ? note->next : find_next(l), next = told & IMAGE_MASK;
    const uint64_t sleeps = next && !must_look && (told & NEXT_SLEEPS || spins == 0) ? FIRST_SLEEPS : 0;
    while (!change(l, &word, pack(holder_of(word), next, last_of(word)) | sleeps)) /* MUTANT next sleeps: sleeps => 0 */
        ;
    if (!sleeps)
        ring(next);
}

/* This image, the first in the queue, gives up waiting. */
static void leave(struct lock *l, uint64_t word)
{
    while (last_of(word) == 0)
        if (change(l, &word, pack(holder_of(word), 0, 0)))
            return;
    bring_up_next(l, word, true);
}

/* Called before a read of the word or a swap: any later change rings the bell again. */
static void clear_bell(void)
{
    __atomic_store_n(&note->bell, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* MUTANT the bell is seen cleared */
}

static uint64_t sleeps_as_first(const struct lock *l)
{
    return l->near ? 0 : FIRST_SLEEPS;
}

static void prepare_to_enter(void)
{
    clear_bell(); /* MUTANT the bell is cleared before the line */
    note->next = stood_back = 0;
    __atomic_store_n(&note->passed, my_passes = 0, __ATOMIC_RELAXED);
}

/* end: the image that was last before this one entered. */
static void tell_end(const struct lock *l, uint64_t end)
{
    my_before = end; /* MUTANT the bell is cleared before the line: my_before = end; clear_bell(); */
    if (end)
        shmem_uint64_p(&note->next, me | (l->near ? 0 : NEXT_SLEEPS), (int)end - 1);
}

/* Enters the queue, or takes the lock if it is free by now; returns the resulting word. */
static uint64_t enter(const struct lock *l, uint64_t word)
{
    uint64_t end;
    prepare_to_enter();
    note_at_lock(l, &queue[me - 1].waiting, name_of(l));
    do {
        end = end_of(word);
        note_at_lock(l, &queue[me - 1].before, end);
    } while (!change(l, &word, entered(word, me, sleeps_as_first(l))));
    tell_end(l, end);
    return word;
}

/* What to do after reading the word. GO_ON: continue with *word, which is current. */
enum turn { WAIT, LOOK_AGAIN, GO_ON, GO_IN, GO_AWAY };

/* Whether a stopped image stays the holder. It may have unlocked before it stopped. Or its UNLOCK failed because the
 * image that owns the lock, on another node, had failed: this image then waits until it detects that failure too. */
static bool stays_so(const struct lock *l, uint64_t word)
{
    const uint64_t home = (uint64_t)l->pe + 1;
    const int holder = (int)holder_of(word) - 1;
    unsigned pauses = 0;
    while (shmem_uint64_g(&queue[l->pe].failed, holder) && !has_failed(home)) /* MUTANT news of the lock */
        caf_pause(&pauses);
    return !is_gone(l) && look_at(l) == word;
}

/* For the first in the queue: takes over from a failed holder, gives up if the holder has stopped. The word is older
 * than the holder's state. */
static enum turn turn_of_first(struct lock *l, uint64_t *now, int *status)
{
    const uint64_t word = *now, holder = holder_of(word), last = last_of(word);
    const int state = state_of(holder);
    if (is_passed()) {
        stand_back();
        return LOOK_AGAIN;
    }
    if (!holder) {
        change(l, now, pack(me, 0, last));
        return GO_ON;
    }
    if (state == CAF_STAT_STOPPED_IMAGE) {
        if (!stays_so(l, word))
            return LOOK_AGAIN;
        leave(l, word);
        *status = caf_say(state, "%s: image %d, which holds the lock on image %d%s, has stopped", l->statement,
                          (int)holder, l->pe + 1, caf_of_initial_team());
        return GO_AWAY;
    }
    if (state == CAF_STAT_FAILED_IMAGE) {
        const int takeover = status_of_takeover(l, holder);
        if (takeover)
            note_at_lock(l, &queue[me - 1].waiting, 0); /* if this image fails too, it must count as holder */
        if (change(l, now, pack(me, 0, last)))
            *status = takeover;
        return GO_ON;
    }
    if (word & FIRST_SLEEPS)
        return WAIT;
    for (unsigned i = 0; l->near && i < spins; i++)
        if (__atomic_load_n(l->near, __ATOMIC_ACQUIRE) != word || is_passed())
            return LOOK_AGAIN;
    return change(l, now, word | FIRST_SLEEPS) ? WAIT : GO_ON;
}

/* For an image further back: takes the position of a failed image before it. */
static enum turn turn_of_other(const struct lock *l, uint64_t *now, int *status)
{
    const uint64_t word = *now, holder = holder_of(word), first = first_of(word), last = last_of(word);
    uint64_t image = my_before;
    while (image != first && image != holder && has_failed(image))
        image = before(l, image);
    if (!has_failed(image))
        return WAIT;
    const int takeover = first ? CAF_OK : status_of_takeover(l, holder);
    const uint64_t moved_up = first ? pack(holder, me, last) : pack(me, 0, last == me ? 0 : last);
    if (change(l, now, moved_up))
        *status = takeover;
    return GO_ON;
}

static enum turn take_turn(struct lock *l, uint64_t *word, int *status)
{
    if (holder_of(*word) == me) {
        if (!first_of(*word) && last_of(*word))
            bring_up_next(l, *word, false);
        return GO_IN;
    }
    return first_of(*word) == me ? turn_of_first(l, word, status) : turn_of_other(l, word, status);
}

/* Ends the wait for the bell if the image that should ring may have ended. */
static bool must_look(void *lock)
{
    const uint64_t word = look_at(lock), holder = holder_of(word);
    const bool first = first_of(word) == me, rung = first && !(word & FIRST_SLEEPS);
    return holder == me || rung || is_gone(lock) || state_of(first ? holder : my_before) != CAF_OK;
}

static int home_has_failed(const struct lock *l, const char *statement)
{
    queue[l->pe].failed = 1;
    return caf_say(CAF_STAT_FAILED_IMAGE, "%s: image %d%s, which owns the lock, has failed",
                   caf_lock_statement(l->word, statement), l->pe + 1, caf_of_initial_team());
}

/* The lock of a stopped image remains usable: CRITICAL uses one. */
static int home_status(const struct lock *l, const char *statement)
{
    return CAF_UNLIKELY(is_gone(l)) ? home_has_failed(l, statement) : CAF_OK;
}

/* Requires that this image has entered the queue. */
static int wait_in_line(struct lock *l, uint64_t word)
{
    int status = CAF_OK;
    unsigned pauses = 0;
    for (;;) {
        const int gone = home_status(l, "lock");
        if (CAF_UNLIKELY(gone)) {
            status = gone;
            break;
        }
        const enum turn turn = take_turn(l, &word, &status);
        if (turn == GO_IN || turn == GO_AWAY) /* MUTANT LOCK waits: if (turn != LOOK_AGAIN) break; */
            break;
        l->seen = word;
        if (turn == WAIT && !caf_wait_for(l->statement, CAF_HOLDER, &note->bell, 1, must_look, l))
            caf_pause(&pauses);
        if (turn != GO_ON) {
            clear_bell(); /* MUTANT the bell is cleared first */
            word = look_at(l); /* MUTANT the bell is cleared first: word = look_at(l); clear_bell(); */
        }
    }
    shmem_uint64_p(&queue[me - 1].waiting, 0, l->pe);
    return status;
}

/* --- the statements ----------------------------------------------------------------------------------------------- */

/* Whether all images in the queue have failed. */
static bool is_abandoned(const struct lock *l, uint64_t word)
{
    const uint64_t holder = holder_of(word), first = first_of(word);
    bool abandoned = has_failed(holder) && (!first || has_failed(first));
    for (uint64_t i = last_of(word); abandoned && i && i != first && i != holder; i = before(l, i))
        abandoned = has_failed(i);
    return abandoned;
}

static int held_already(const struct lock *l)
{
    return caf_say(CAF_STAT_LOCKED, "%s: this image holds the lock on image %d%s already", l->statement, l->pe + 1,
                   caf_of_initial_team());
}

/* The lock is held, or images wait. */
static int lock_slowly(struct lock *l, uint64_t word, bool *acquired)
{
    l->statement = caf_lock_statement(l->word, "lock");
    if (holder_of(word) == me)
        return held_already(l);
    if (!acquired)
        return wait_in_line(l, enter(l, word));
    if (!is_abandoned(l, word)) {
        caf_serve();
        return CAF_OK;
    }
    const int status = status_of_takeover(l, holder_of(word));
    *acquired = swap_if(l, word, pack(me, 0, 0)) == word;
    return *acquired ? status : CAF_OK;
}

/* LOCK performed by the owning image's processor. */
static int lock_there(struct lock *l)
{
    uint64_t was;
    int status = CAF_OK;
    prepare_to_enter();
    if (caf_lock_there(l->pe, l->word, name_of(l), &was) != CAF_OK)
        return home_has_failed(l, "lock");
    if (was) {
        l->statement = caf_lock_statement(l->word, "lock");
        if (holder_of(was) == me)
            return held_already(l);
        tell_end(l, end_of(was));
        status = wait_in_line(l, entered(was, me, sleeps_as_first(l)));
    }
    if (status == CAF_OK)
        caf_note_held_there(l->pe, l->word);
    return status;
}

/* Whether the owning image's processor changes the word for this image. */
static bool is_changed_there(const struct lock *l)
{
    return !l->near && caf_can_call(l->pe);
}

/* Not inlined: saving registers before a locked instruction would delay it. */
__attribute__((noinline)) static int lock_by_any_means(int pe, void *lock, bool *acquired)
{
    struct lock l = lock_at(pe, lock);
    if (acquired)
        *acquired = false;
    const int status = home_status(&l, "lock");
    if (CAF_UNLIKELY(status))
        return status;
    caf_complete_segment_for(pe); /* UNLOCK would do so, but then other images would wait for the lock longer */
    uint64_t word;
    if (!acquired && is_changed_there(&l))
        return lock_there(&l);
    if (CAF_UNLIKELY(!pass(&l, &word)))
        return lock_slowly(&l, word, acquired);
    const int gone = home_status(&l, "lock"); /* the image may have failed meanwhile */
    if (acquired)
        *acquired = gone == CAF_OK;
    return gone;
}

int caf_lock(int pe, void *lock, bool *acquired)
{
    uint64_t *near = quick_word(pe, lock), word = 0;
    if (CAF_UNLIKELY(!near || caf_puts_outstanding() || !swap_near(near, &word, me)))
        return lock_by_any_means(pe, lock, acquired);
    if (acquired)
        *acquired = true;
    return CAF_OK;
}

static int not_mine(uint64_t word, int pe)
{
    const uint64_t holder = holder_of(word);
    if (holder && !has_failed(holder))
        return caf_say(CAF_STAT_LOCKED_OTHER_IMAGE, "unlock: image %d holds the lock on image %d%s", (int)holder,
                       pe + 1, caf_of_initial_team());
    return caf_say(CAF_STAT_UNLOCKED, "unlock: no image holds the lock on image %d%s", pe + 1, caf_of_initial_team());
}

__attribute__((noinline)) static int unlock_by_any_means(int pe, void *lock)
{
    caf_complete_segment_for(pe); /* MUTANT UNLOCK ends a segment */
    const struct lock l = lock_at(pe, lock);
    uint64_t word = expected(&l, me), left = word, is = word;
    const bool there = is_changed_there(&l);
    if (there && caf_unlock_there(pe, lock))
        return CAF_OK;
    if (there && caf_lock_there(pe, lock, 0, &is) != CAF_OK)
        return home_has_failed(&l, "unlock");
    while (!there && (is = swap_at_once(&l, word, left = given_back(&l, word))) != word && holder_of(is) == me)
        word = is;
    if (holder_of(is) != me) {
        const int gone = home_status(&l, "unlock");
        return gone ? gone : not_mine(is, pe);
    }
    leave_as(&l, left);
    if (!there && word & FIRST_SLEEPS)
        ring(first_of(word));
    return home_status(&l, "unlock");
}

int caf_unlock(int pe, void *lock)
{
    uint64_t *near = quick_word(pe, lock), word = me;
    if (CAF_UNLIKELY(!near || caf_puts_outstanding() || !swap_near(near, &word, 0)))
        return unlock_by_any_means(pe, lock);
    return CAF_OK;
}
