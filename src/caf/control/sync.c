/* SYNC ALL, SYNC TEAM, SYNC IMAGES, SYNC MEMORY, and the synchronization of a team after members have ended.
 *
 * When a team loses an image, the others abandon a synchronization in progress, and a collective subroutine that the
 * image left undone.  From then on each member reads the progress that every member publishes, which needs no
 * cooperation.  A member that has completed a synchronization, or sees that all have entered it, confirms this to
 * members on other nodes.  Collective subroutines on the team return STAT_FAILED_IMAGE.
 *
 * Only members on its node see whether a failed image completed its part of a collective subroutine.  The others
 * abandon the subroutine, and notify all members, because a member may wait for data that these others pass on. */
#include "sync.h"
#include "../access/held.h"
#include "../memory/heap.h"
#include "attempt.h"
#include "image.h"
#include "meeting.h"

#include <stdlib.h>

/* --- teams -------------------------------------------------------------------------------------------------------- */

static struct caf_progress progress_of(const struct caf_team *t, int pe)
{
    struct caf_progress there = {0}; /* stays 0 for a dead PE on another node */
    const struct caf_progress *near = (void *)caf_near(pe, t->progress);
    if (near) {
        there.met = __atomic_load_n(&near->met, __ATOMIC_ACQUIRE);
        there.missed = __atomic_load_n(&near->missed, __ATOMIC_ACQUIRE);
        there.begun = __atomic_load_n(&near->begun, __ATOMIC_ACQUIRE);
        there.left = __atomic_load_n(&near->left, __ATOMIC_ACQUIRE);
        there.collectives_done = __atomic_load_n(&near->collectives_done, __ATOMIC_ACQUIRE);
    } else {
        shmem_getmem(&there, t->progress, sizeof there, pe);
    }
    return there;
}

static bool has_begun(const struct caf_progress *p, uint64_t number)
{
    return p->begun >= number;
}

static bool has_done(const struct caf_progress *p, uint64_t number)
{
    return p->collectives_done >= number;
}

/* Reports a member that has ended without taking part in the operation: a stopped one, otherwise a failed one (Fortran
 * 2018, 11.6.11 and 16.6). A member may end after it took part, or after it received the same status. If all have taken
 * part, as far as this image sees, members of other nodes could not see that a failed one did: it is reported. */
static int say_missing(const char *statement, const struct caf_team *t,
                       bool (*took_part)(const struct caf_progress *, uint64_t), uint64_t number)
{
    int status = CAF_OK, missing = 0, failed = 0;
    for (int i = 0; i < t->n && status != CAF_STAT_STOPPED_IMAGE; i++) {
        const int pe = caf_position_pe(t, i), state = caf_pe_state(pe);
        if (state == CAF_OK || state == status)
            continue;
        if (state == CAF_STAT_FAILED_IMAGE)
            failed = pe;
        const struct caf_progress there = progress_of(t, pe);
        /* MUTANT the missing member: took_part(&there, number) => false */
        if (took_part(&there, number))
            continue;
        status = state;
        missing = pe;
    }
    return caf_say_ended(statement, status ? missing : failed, status ? status : CAF_STAT_FAILED_IMAGE);
}

/* Whether a member has abandoned the collective operation or an earlier one. A later one does not matter: that member
 * has completed this one. */
static bool is_abandoned(const struct caf_team *t, uint64_t number)
{
    const uint64_t first = __atomic_load_n(&t->progress->abandoned, __ATOMIC_ACQUIRE);
    return first && first <= number; /* MUTANT later abandoned collectives: first <= number => true */
}

/* 0: no number yet. */
static void lower_to(uint64_t *word, uint64_t number, int pe)
{
    uint64_t is = 0, was;
    do {
        was = is;
        is = shmem_ulong_atomic_compare_swap(word, was, number, pe);
    } while (is != was && is > number);
}

/* Notifies all members that this one has abandoned a collective operation. */
static void tell_abandoned(const struct caf_team *t, uint64_t number)
{
    if (is_abandoned(t, number))
        return; /* another member notifies all; if it fails meanwhile, the operation is hopeless for that reason */
    for (int i = 0; i < t->n; i++)
        lower_to(&t->progress->abandoned, number, caf_position_pe(t, i));
    caf_alert();
}

/* A collective subroutine is hopeless if a member has ended before it completed its part, or if a member has abandoned
 * it. A synchronization is hopeless if any member has ended: others may have to abandon it, and then all must
 * (meet_survivors). */
static bool is_hopeless(void *context)
{
    const struct caf_operation *o = context;
    /* If this image knows that a member has abandoned it, but not yet which member has ended, it waits for that. */
    /* MUTANT an abandoned collective is left: const bool abandoned = false; */
    const bool abandoned = is_abandoned(o->team, o->number);
    for (int i = 0; i < o->team->n; i++) {
        const int pe = caf_position_pe(o->team, i);
        if (!caf_pe_state(pe))
            continue;
        if (!o->body || abandoned || progress_of(o->team, pe).collectives_done < o->number)
            return true;
    }
    return false;
}

/* False: this image has abandoned the operation. SHCOLL's flags of the team are then of no use any more, even if the
 * ended member has not raised its alert yet. */
static bool goes_through(struct caf_operation *o, int awaited, void (*body)(void *))
{
    if (CAF_LIKELY(caf_attempt(o->statement, awaited, body, is_hopeless, o)))
        return true;
    o->team->lost = true; /* MUTANT an abandoned team is lost */
    return false;
}

static void run_body(void *context)
{
    const struct caf_operation *o = context;
    o->body(o->context);
}

int caf_collective(const char *statement, struct caf_team *t, bool is_for_all, void (*body)(void *), void *context)
{
    struct caf_operation o = {.statement = statement, .team = t, .number = ++t->collectives, .body = body,
                              .context = context};
    /* The ended member may have completed its part of this operation: the root of a broadcast does not wait. */
    const bool is_in_vain = CAF_UNLIKELY(caf_team_lost(t)) && is_hopeless(&o);
    const int awaited = is_for_all ? CAF_ALL_MEMBERS : CAF_COLLECTIVE;
    const bool went_through = !is_in_vain && goes_through(&o, awaited, run_body);
    if (CAF_UNLIKELY(!went_through))
        tell_abandoned(t, o.number); /* MUTANT members hear of an abandoned collective */
    __atomic_store_n(&t->progress->collectives_done, o.number, __ATOMIC_RELEASE);
    return CAF_LIKELY(went_through) ? CAF_OK : say_missing(statement, t, has_done, o.number);
}

void caf_await_leaving(const struct caf_team *t)
{
    for (int i = 0; i < t->n; i++) {
        const int pe = caf_position_pe(t, i);
        unsigned turns = 0;
        while (caf_pe_state(pe) == CAF_OK && progress_of(t, pe).collectives_done < t->collectives)
            caf_pause(&turns);
    }
}

static void sync_telling(void *context)
{
    struct caf_operation *o = context;
    /* MUTANT SYNC ALL waits: o->heard = 0; */
    o->heard = o->meets ? caf_meeting(o->word) : shcoll_sync_telling(&o->team->group, o->word);
}

/* The next segment's quiet must not request acknowledgements of this synchronization's messages. */
static void sync_between_nodes(void *context)
{
#if CAF_HAVE_BLOCKS
    const struct caf_operation *o = context;
    shmemx_begin_collective(o->statement);
    sync_telling(context);
    shmemx_end_collective();
#else
    sync_telling(context);
#endif
}

static bool is_out(const struct caf_progress *p, uint64_t number)
{
    return p->met >= number || p->left >= number;
}

static bool has_decided(const struct caf_progress *p, uint64_t number)
{
    return p->met >= number || p->missed >= number;
}

/* Waits until is_there holds for all members that have not ended. */
static void await_survivors(const struct caf_team *t, bool (*is_there)(const struct caf_progress *, uint64_t),
                            uint64_t number)
{
    for (int i = 0; i < t->n; i++) {
        const int pe = caf_position_pe(t, i);
        unsigned turns = 0;
        struct caf_progress there = progress_of(t, pe);
        while (!is_there(&there, number) && caf_pe_state(pe) == CAF_OK) {
            caf_pause(&turns);
            there = progress_of(t, pe);
        }
    }
}

/* Whether every member has entered the synchronization: the progress of all shows it, or some member has completed it.
 * The progress of a failed image on another node is invisible here. */
static bool have_all_come(const struct caf_team *t, uint64_t number)
{
    bool all = true, any = false;
    for (int i = 0; i < t->n; i++) {
        const struct caf_progress there = progress_of(t, caf_position_pe(t, i));
        all &= there.begun >= number;
        any |= there.met >= number;
    }
    return all || any;
}

/* A member that has completed knows that all held puts have been made; making them again would overwrite later stores.
 * If no member has completed, and none will, this image sends its held puts itself. */
static void settle_held(const struct caf_team *t, uint64_t number)
{
    bool any_met = false;
    await_survivors(t, is_out, number);
    for (int i = 0; i < t->n; i++)
        any_met |= progress_of(t, caf_position_pe(t, i)).met >= number;
    if (any_met)
        caf_held_are_made();
    else
        caf_complete_segment();
}

/* Every member reads all progress: slow, but it needs no cooperation. A member that ended after it had entered the
 * synchronization is not missing. All members reach the same result, because none has begun a later synchronization. */
static int meet_survivors(const char *statement, struct caf_team *t, uint64_t number)
{
    await_survivors(t, has_begun, number);
    if (!have_all_come(t, number)) {
        __atomic_store_n(&t->progress->missed, number, __ATOMIC_RELEASE);
        await_survivors(t, has_decided, number);
        if (!have_all_come(t, number))
            return say_missing(statement, t, has_begun, number);
    }
    return CAF_OK;
}

void caf_tell_met(const struct caf_team *t)
{
    for (; t; t = t->parent) {
        shmem_fence(); /* the puts below then do not wait to be combined */
        for (int i = 0; i < t->n; i++)
            shmem_uint64_p(&t->progress->met, t->progress->met, caf_position_pe(t, i));
    }
}

int caf_meet(const char *statement, struct caf_team *t, uint64_t word, uint64_t *heard)
{
    const bool meets = CAF_UNLIKELY(caf_meets) && t->depth == 0 && !caf_team_lost(t);
    if (meets)
        caf_complete_others();
    else if (t->only_other < 0)
        caf_complete_segment(); /* MUTANT SYNC ALL ends a segment */
    else
        caf_complete_segment_for(t->only_other); /* MUTANT SYNC ALL of two ends a segment */
    struct caf_operation o = {.statement = statement, .team = t, .number = ++t->syncs, .word = word,
                              .meets = meets};
    const bool holds = meets && caf_held->bytes; /* then `begun` is published only after the held puts are made */
    void (*const body)(void *) = CAF_UNLIKELY(caf_spans_nodes()) ? sync_between_nodes : sync_telling;
    int status = CAF_OK;
    if (CAF_LIKELY(!holds))
        __atomic_store_n(&t->progress->begun, o.number, __ATOMIC_RELEASE);
    if (CAF_UNLIKELY(caf_team_lost(t)) || CAF_UNLIKELY(!goes_through(&o, CAF_ALL_MEMBERS, body))) {
        o.heard = 0;
        __atomic_store_n(&t->progress->left, o.number, __ATOMIC_RELEASE);
        if (holds)
            settle_held(t, o.number);
        __atomic_store_n(&t->progress->begun, o.number, __ATOMIC_RELEASE);
        status = meet_survivors(statement, t, o.number);
    } else if (CAF_UNLIKELY(meets)) {
        if (holds)
            caf_held_are_made();
        caf_hold(true);
        __atomic_store_n(&t->progress->begun, o.number, __ATOMIC_RELEASE);
    }
    __atomic_store_n(status == CAF_OK ? &t->progress->met : &t->progress->missed, o.number, __ATOMIC_RELEASE);
    *heard = o.heard;
    return status;
}

void caf_refuse(const struct caf_team *t)
{
    const uint64_t next = t->syncs + 1;
    for (int i = 0; i < t->n; i++)
        shmem_uint64_p(&t->progress->refused[next & 1], next, caf_position_pe(t, i));
    shmem_quiet(); /* MUTANT refusals arrive first */
}

bool caf_refused(const struct caf_team *t)
{
    return CAF_UNLIKELY(__atomic_load_n(&t->progress->refused[t->syncs & 1], __ATOMIC_ACQUIRE) == t->syncs);
}

int caf_sync_as(const char *statement, struct caf_team *t)
{
    uint64_t heard;
    return caf_meet(statement, t, 0, &heard);
}

int caf_sync_team(struct caf_team *t)
{
    if (!t || t->me < 0)
        return caf_say(CAF_STAT_ERROR, "sync team: the team is none of this image's");
    return caf_sync_as("sync team", t);
}

int caf_sync_all(void)
{
    return caf_sync_as("sync all", caf_current);
}

int caf_sync_memory(void)
{
    caf_complete_puts(); /* MUTANT SYNC MEMORY completes */
    /* MUTANT SYNC MEMORY here */
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* the program may synchronize by its own atomic variables */
    return CAF_OK;
}

/* --- images ------------------------------------------------------------------------------------------------------- */

/* By PE, how often this image and the other have synchronized pairwise; each sends its number to the other's arrived[].
 * Image A waits only for B's number, and B sends it before it waits for A's. Therefore A may send its next number
 * before B has read the last number, but not the number after the next. The numbers only grow, and an image waits for a
 * number or a greater one. Therefore one word per image is enough if A's numbers arrive in order. A fence ensures this
 * if small puts are unordered. */
static uint64_t *arrived; /* symmetric; by PE */
static uint64_t *come;    /* by PE: the numbers sent */
static uint64_t *listed;  /* by PE: the last SYNC IMAGES whose list contained the PE */
uint64_t caf_lists;

void caf_sync_begin(void)
{
    const size_t n = (size_t)shmem_n_pes();
    arrived = caf_heap_allocate(n * sizeof *arrived);
    come = calloc(n, sizeof *come);
    listed = calloc(n, sizeof *listed);
    if (!arrived || !come || !listed)
        caf_fatal("start: no memory for the counters of sync images");
    for (size_t i = 0; i < n; i++)
        arrived[i] = 0;
}

static int meet_one(int pe)
{
    uint64_t *word = &arrived[pe];
    if (CAF_LIKELY(__atomic_load_n(word, __ATOMIC_ACQUIRE) >= come[pe]) ||
        caf_wait_for("sync images", pe, word, come[pe], caf_has_ended, &pe))
        return CAF_OK;
    return caf_pe_state(pe);
}

static void come_to(int pe)
{
    shmem_uint64_p(&arrived[caf_my_pe], ++come[pe], pe);
}

static int check_list(int n, const int *images)
{
    caf_lists++;
    for (int i = 0; i < n; i++) {
        const int pe = caf_pe(NULL, images[i]);
        if (pe < 0)
            return caf_say(CAF_STAT_ERROR, "sync images: image index %d%s in the list, allowed are 1 to %d%s",
                           images[i], caf_of_current_team(), caf_current->n, caf_alone());
        if (listed[pe] == caf_lists)
            return caf_say(CAF_STAT_ERROR, "sync images: image %d%s is twice in the list", images[i],
                           caf_of_current_team());
        listed[pe] = caf_lists;
    }
    return CAF_OK;
}

int caf_sync_images(int n, const int *images)
{
    const struct caf_team *t = caf_current;
    const int me = caf_my_pe, all = n < 0;
    if (n > 1 || (n == 1 && (images[0] < 1 || images[0] > t->n))) {
        const int status = check_list(n, images);
        if (status)
            return status;
    }
    const int count = all ? t->n : n;
    if (CAF_UNLIKELY(caf_in_order < sizeof *arrived)) /* MUTANT SYNC IMAGES numbers arrive in order */
        shmem_fence();
    if (count == 1)
        /* MUTANT SYNC IMAGES with one ends a segment */
        caf_complete_segment_for(caf_position_pe(t, all ? 0 : images[0] - 1));
    else
        caf_complete_segment(); /* MUTANT SYNC IMAGES ends a segment */
    for (int i = 0; i < count; i++) {
        const int pe = caf_position_pe(t, all ? i : images[i] - 1);
        if (pe != me)
            come_to(pe);
    }
    /* Reports a stopped image in preference to a failed one (Fortran 2018, 11.6.11). */
    int status = CAF_OK, ended = 0;
    for (int i = 0; i < count; i++) {
        const int pe = caf_position_pe(t, all ? i : images[i] - 1);
        const int one = pe == me ? CAF_OK : meet_one(pe); /* MUTANT SYNC IMAGES waits: const int one = CAF_OK; */
        if (CAF_UNLIKELY(one != CAF_OK) && (status == CAF_OK || one < status)) {
            status = one;
            ended = pe;
        }
    }
    return CAF_LIKELY(status == CAF_OK) ? CAF_OK : caf_say_ended("sync images", ended, status);
}
