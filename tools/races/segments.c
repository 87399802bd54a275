/* The accesses and the ordering of each statement of a coarray program, by the rules of Fortran 2018, 11.6.
 *
 * An image executes its statements in order, so all accesses are its PE's own, without agents. Image control statements
 * end its segment. In statements of a team, each image publishes its clock and joins all clocks; in SYNC IMAGES it does
 * this with each named image. EVENT POST releases to the image that waits for the event, UNLOCK to the next holder. An
 * atomic subroutine is not an image control statement: an image that sees its result knows the segments before the
 * current segment, which begins at the last SYNC MEMORY. A collective subroutine orders nothing. */
#include "races/access.h"
#include "races/block.h"
#include "races/calls.h"
#include "races/report.h"

const bool copal_tap_each_block = true;

static uint32_t site_of_statement(const struct tap_call *c)
{
    return site_of(c->caller, c->routine);
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

/* If the addresses of blocks are unknown, only the first block is checked. */
struct blocks {
    const char *object;
    ptrdiff_t step;
    const ptrdiff_t *at;
};

static struct blocks dest_of(const struct tap_call *c)
{
    return (struct blocks){c->dest, c->dest_step, c->dest_at};
}

static struct blocks source_of(const struct tap_call *c)
{
    return (struct blocks){c->source, c->source_step, c->source_at};
}

static size_t number_of(const struct tap_call *c, struct blocks b)
{
    return b.step || b.at ? c->count : c->count > 0;
}

static const char *block_of(struct blocks b, size_t i)
{
    return b.object + (b.at ? b.at[i] : (ptrdiff_t)i * b.step);
}

static void look_at_own(const struct tap_call *c, struct blocks b, enum access kind)
{
    const struct doer d = actor_pe();
    for (size_t i = 0; i < number_of(c, b) && b.object; i++)
        access_local(block_of(b, i), c->bytes, kind, &d, site_of_statement(c));
}

static void look_at_other(const struct tap_call *c, struct blocks b, enum access kind)
{
    const struct doer d = actor_pe();
    size_t offset;
    for (size_t i = 0; i < number_of(c, b); i++)
        if (map_remote(block_of(b, i), c->bytes, c->pe, &offset))
            access_symmetric(offset, c->bytes, kind, &d, site_of_statement(c));
}

static void put(struct tap_call *c)
{
    site_statement = site_of_statement(c);
    look_at_own(c, source_of(c), ACCESS_READ);
    look_at_other(c, dest_of(c), ACCESS_WRITE);
}

static void get(struct tap_call *c)
{
    site_statement = site_of_statement(c);
    look_at_other(c, source_of(c), ACCESS_READ);
    look_at_own(c, dest_of(c), ACCESS_WRITE);
}

static void collective(struct tap_call *c)
{
    look_at_own(c, dest_of(c), ACCESS_WRITE);
}

/* --- order between two images ------------------------------------------------------------------------------------- */

static void tell_word(const void *word, int pe)
{
    size_t offset;
    if (map_remote(word, 1, pe, &offset))
        actor_release(offset, AGENT_LOCAL, SHMEM_CTX_DEFAULT, 0);
}

static void learn_word(const void *word, int pe)
{
    size_t offset;
    if (map_remote(word, 1, pe, &offset))
        actor_acquire(offset);
}

static void atomic(struct tap_call *c)
{
    size_t offset;
    const bool writes = c->flags & TAP_WRITES;
    look_at_other(c, dest_of(c), ACCESS_ATOMIC | (writes ? ACCESS_WRITE : ACCESS_READ));
    if (writes && map_remote(c->dest, c->bytes, c->pe, &offset))
        actor_release_segment(offset);
}

static void after_atomic(struct tap_call *c)
{
    if (c->flags & TAP_READS)
        learn_word(c->dest, c->pe);
}

static void event_post(struct tap_call *c)
{
    tell_word(c->signal, c->pe);
    actor_begin_segment();
}

static void after_event_wait(struct tap_call *c)
{
    learn_word(c->source, map.me);
    actor_begin_segment();
}

static void after_lock(struct tap_call *c)
{
    if (c->found == 0)
        learn_word(c->dest, c->pe);
    actor_begin_segment();
}

static void unlock(struct tap_call *c)
{
    tell_word(c->dest, c->pe);
    actor_begin_segment();
}

/* --- order between all images of a team --------------------------------------------------------------------------- */

/* Stores key and number of the synchronization in `own` and `began`, for the end of the call. */
static void meet(struct tap_call *c)
{
    c->own = board_hash((uintptr_t)c->team) | 1;
    c->began = meeting_next(c->own);
    actor_tell(c->own, (uint32_t)c->began);
}

static void part(struct tap_call *c)
{
    actor_learn(c->own, (uint32_t)c->began);
    actor_begin_segment();
}

/* A synchronization of two images is a synchronization of a group of two. */
static uint64_t pair_key(int pe)
{
    const int low = pe < map.me ? pe : map.me, high = pe < map.me ? map.me : pe;
    return board_hash((uint64_t)low << 32 | (unsigned)high) | 1;
}

static bool is_another(int pe)
{
    return pe >= 0 && pe != map.me;
}

static void meet_images(struct tap_call *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (is_another(c->pes[i]))
            actor_tell(pair_key(c->pes[i]), meeting_next(pair_key(c->pes[i])));
}

static void part_from_images(struct tap_call *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (is_another(c->pes[i]))
            actor_learn(pair_key(c->pes[i]), meeting_last(pair_key(c->pes[i])));
    actor_begin_segment();
}

static void sync_memory(struct tap_call *c)
{
    (void)c;
    actor_begin_segment();
}

/* --- coarrays ----------------------------------------------------------------------------------------------------- */

/* Earlier accesses of that memory are ordered by the statements that free it and allocate it. */
static void after_allocate(struct tap_call *c)
{
    part(c);
    if (c->result)
        block_add(c->result, c->bytes * c->count, c->flags & TAP_STATIC ? 0 : site_of_statement(c));
}

static void deallocate(struct tap_call *c)
{
    meet(c);
    if (c->dest)
        block_remove(c->dest);
}

static const struct {
    void (*before)(struct tap_call *c), (*after)(struct tap_call *c);
} rules[TAP_KINDS] = {
    [TAP_PUT] = {put, NULL},
    [TAP_GET] = {get, NULL},
    [TAP_ATOMIC] = {atomic, after_atomic},
    [TAP_SIGNAL] = {event_post, NULL},
    [TAP_WAIT] = {NULL, after_event_wait},
    [TAP_LOCK] = {NULL, after_lock},
    [TAP_TEST_LOCK] = {NULL, after_lock},
    [TAP_UNLOCK] = {unlock, NULL},
    [TAP_QUIET] = {sync_memory, NULL},
    [TAP_BARRIER] = {meet, part},
    [TAP_TEAM_SPLIT] = {meet, part},
    [TAP_SYNC_IMAGES] = {meet_images, part_from_images},
    [TAP_BROADCAST] = {collective, NULL},
    [TAP_REDUCE] = {collective, NULL},
    [TAP_ALLOC] = {meet, after_allocate},
    [TAP_FREE] = {deallocate, part},
};

/* Statements that complete the image's OpenSHMEM operations on the default context, as shmem_quiet does. */
static const bool completes[TAP_KINDS] = {
    [TAP_SIGNAL] = true, [TAP_UNLOCK] = true, [TAP_QUIET] = true, [TAP_BARRIER] = true,
    [TAP_TEAM_SPLIT] = true, [TAP_SYNC_IMAGES] = true, [TAP_ALLOC] = true, [TAP_FREE] = true,
};

void segments_before(struct tap_call *c)
{
    report_images = true;
    site_statement = 0; /* if an image has failed, the last statement may not have ended */
    if (completes[c->kind]) {
        actor_quiet(SHMEM_CTX_DEFAULT);
        pending_end(SHMEM_CTX_DEFAULT, -1);
    }
    if (rules[c->kind].before)
        rules[c->kind].before(c);
}

void segments_after(struct tap_call *c)
{
    site_statement = 0;
    map_learn_heap(c->result); /* of the initialization: malloc uses it before the first coarray is allocated */
    if (rules[c->kind].after)
        rules[c->kind].after(c);
}
