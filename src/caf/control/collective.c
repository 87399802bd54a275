/* Collective subroutines: co_broadcast, co_sum, co_min, co_max, co_reduce.
 *
 * SHCOLL's collectives work on symmetric memory, a collective subroutine on any variable.  Small data, and data that
 * other images cannot access (on a stack, on another node), pass through stages: chunks of symmetric memory that the
 * team owns and uses one after the other.  If all stages are local, images read larger chunks directly from the stage
 * of the image that has the data.  Still larger data that the others can load (malloc's memory, coarrays, static
 * variables) stay in place, and the others receive their address.
 *
 * A section that is not contiguous is packed into a buffer. */
#include "collective.h"
#include "../memory/heap.h"
#include "image.h"
#include "reduction.h"
#include "sync.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = CAF_STAGES, STAGE_BYTES = 32 << 10, FEW_BYTES = 1 << 10 };

/* NEAR_: from these sizes on, images read another image's stage, because SHCOLL's algorithms would wait for all readers
 * or move more data (src/shcoll/tuned.c). DIRECT_: from these sizes on, it pays to send addresses and to synchronize
 * once more. */
enum { NEAR_BROADCAST_BYTES = 513, NEAR_REDUCTION_BYTES = 257 };
enum { DIRECT_BROADCAST_BYTES = 16 << 10, DIRECT_REDUCTION_BYTES = 16 << 10, DIRECT_IN_PAIR_BYTES = 1 << 10 };

/* --- stages ------------------------------------------------------------------------------------------------------- */

/* A member puts into stages of members that may not have entered the subroutine yet.  A stage is reused after STAGES -
 * 1 others, and only when all members have finished with the subroutine that last used it: a member counts the stages
 * that it has taken, and those that all members are known to have finished with (`done`).  SHCOLL's reductions,
 * fcollect and sync return after all members have entered, so the earlier stages are done.  A broadcast may return at
 * its root before another member has entered, but a member that has received its data knows that the root has entered.
 * Therefore, after STAGES broadcasts in a row, a sync is needed only if some member, other than the next root, was not
 * the root of any of the last STAGES - 1. Two stages suffice for correctness; more stages need fewer syncs.
 *
 * All teams but the initial one share a part of the heap.  A member still in a child team may have coarrays where this
 * team's stages will lie, and a member that returns late from DEALLOCATE may still read the coarray there.  The first
 * stage therefore waits until all members are back, as if all stages were in use. */
static void staging_begin(struct caf_team *t)
{
    struct caf_staging *s = &t->staging;
    s->memory = caf_heap_allocate(STAGES * (size_t)STAGE_BYTES);
    if (!s->memory)
        caf_fatal("no memory for collective subroutines' data; increase the symmetric heap "
                  "(SHMEM_SYMMETRIC_SIZE)");
    s->done = 0;
    memset(s->rooted, 0, sizeof s->rooted);
    /* MUTANT stages where members have coarrays: const bool waits = false; */
    const bool waits = t->has_deallocated || (t->depth > 0 && t->formed);
    s->taken = waits ? STAGES : 0;
    s->is_near = true;
    for (int i = 0; i < t->n; i++)
        s->is_near &= caf_near(caf_position_pe(t, i), s->memory) != NULL;
    s->checks = false;
    caf_get_bytes(caf_position_pe(t, 0), &s->checks, &caf_public->debug, sizeof s->checks);
}

void caf_staging_end(struct caf_team *t)
{
    caf_heap_free(t->staging.memory);
    t->staging.memory = NULL;
}

/* All members have finished with the stages taken so far. */
static void sync_stages(struct caf_team *t)
{
    shcoll_sync(&t->group);
    t->staging.done = t->staging.taken;
}

/* Called after an operation of SHCOLL other than a broadcast: all members have entered it, so earlier stages are
 * done. */
static void note_synchronized(struct caf_team *t)
{
    t->staging.done = t->staging.taken - 1;
}

/* All members compute the same `done`, because all know the roots. The next root does not count: it has finished with
 * all earlier stages when it enters its broadcast, in which no other member writes to its stage. */
static void note_roots(struct caf_team *t, int next)
{
    struct caf_staging *s = &t->staging;
    uint64_t done = t->n <= STAGES ? s->taken : 0;
    for (int i = 0; i < t->n && done; i++)
        if (i != next && s->rooted[i] < done) /* MUTANT each member has been a root: i != next => false */
            done = s->rooted[i];
    if (done > s->done)
        s->done = done;
}

/* The next stage, for a broadcast from `root`, or for an operation of all members (-1). */
static char *next_stage(struct caf_team *t, int root)
{
    struct caf_staging *s = &t->staging;
    if (CAF_UNLIKELY(s->taken - s->done == STAGES))
        note_roots(t, root);
    if (CAF_UNLIKELY(s->taken - s->done == STAGES))
        sync_stages(t); /* MUTANT stages are free */
    if (root >= 0 && root < STAGES)
        s->rooted[root] = s->taken;
    return s->memory + s->taken++ % STAGES * STAGE_BYTES;
}

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* One call; its data are contiguous. */
struct operand {
    const char *statement;
    struct caf_team *team;
    const struct caf_section *section;
    char *data;
    size_t bytes;
    int root; /* position; -1: none */
    struct shcoll_op op;
    bool is_exposed; /* others write to this image's data, or to `large` */
    char *large;     /* symmetric, for an element that is too large for SHCOLL; or NULL */
    char *theirs;    /* on the first member: a copy of another member's element */
    void *buffer; /* of a section that is not contiguous: `few` or allocated memory */
    _Alignas(64) char few[FEW_BYTES];
};

static struct caf_section packed(const struct operand *o)
{
    struct caf_section s = *o->section;
    s.base = o->data;
    s.foreign = false;
    ptrdiff_t step = (ptrdiff_t)s.size;
    for (int i = 0; i < s.rank; i++) {
        s.dim[i].step = step;
        step *= (ptrdiff_t)s.dim[i].count;
    }
    return s;
}

/* Ends the job even with stat=: the others may be waiting for this image in the same subroutine. */
static void check_allocated(const char *statement, const struct caf_section *a)
{
    if (CAF_UNLIKELY(!a->base))
        caf_fatal("%s: the argument, or an allocatable component of it, is not allocated; allocate it on all images, "
                  "with the same shape", statement);
}

static void operand_begin(struct operand *o, const char *statement, const struct caf_section *a, int root_image,
                          bool is_read)
{
    o->statement = statement;
    o->team = caf_current;
    o->section = a;
    o->root = root_image - 1;
    o->data = a->base;
    o->bytes = a->size;
    o->buffer = o->large = NULL;
    o->is_exposed = false;
    bool contiguous = true;
    for (int i = 0; i < a->rank; i++) {
        contiguous &= a->dim[i].count == 1 || a->dim[i].step == (ptrdiff_t)o->bytes;
        o->bytes *= a->dim[i].count;
    }
    if (!o->team->staging.memory)
        staging_begin(o->team);
    if (contiguous || o->bytes == 0)
        return;
    o->buffer = o->bytes <= FEW_BYTES ? o->few : malloc(o->bytes);
    if (!o->buffer)
        caf_fatal("%s: no memory for a copy of %zu bytes", statement, o->bytes);
    o->data = o->buffer;
    const struct caf_section s = packed(o);
    if (is_read)
        caf_get(caf_my_pe, &s, a);
}

static void operand_end(struct operand *o, bool is_written)
{
    if (!o->buffer)
        return;
    const struct caf_section s = packed(o);
    if (is_written)
        caf_put(caf_my_pe, o->section, &s);
    if (o->buffer != o->few)
        free(o->buffer);
}

/* The data's address, or 0 if the others cannot load from it. If one local member can, all can. */
static uint64_t address_of(const struct operand *o)
{
    const struct caf_team *t = o->team;
    const int pe = caf_position_pe(t, t->me ? 0 : 1);
    /* Open MPI's shmem_ptr ends the job for an address that is not symmetric. */
    if (!t->staging.is_near || !shmem_addr_accessible(o->data, pe))
        return 0;
    return caf_near(pe, o->data) && caf_near(pe, o->data + o->bytes - 1) ? (uintptr_t)o->data : 0;
}

static char *member_data(const struct operand *o, int position, uint64_t address)
{
    char *theirs = (char *)(uintptr_t)address;
    return position == o->team->me ? theirs : caf_reach_pointer(caf_position_pe(o->team, position), theirs);
}

static char *member_stage(const struct caf_team *t, int position, const char *stage)
{
    return caf_near(caf_position_pe(t, position), stage);
}

/* --- a chunk of a broadcast --------------------------------------------------------------------------------------- */

/* If the others can read the root's stage, SHCOLL broadcasts only the first word, as the signal. */
static void broadcast_piece(const struct operand *o, char *data, size_t bytes)
{
    struct caf_team *t = o->team;
    const bool is_near = bytes >= NEAR_BROADCAST_BYTES && t->staging.is_near;
    char *stage = next_stage(t, o->root);
    if (t->me == o->root)
        memcpy(stage, data, bytes);
    shcoll_broadcast(&t->group, stage, stage, is_near ? sizeof(uint64_t) : bytes, o->root);
    if (t->me != o->root)
        memcpy(data, is_near ? member_stage(t, o->root, stage) : stage, bytes);
}

/* --- SHMEM_DEBUG -------------------------------------------------------------------------------------------------- */

/* The arguments that must agree on all members. */
struct call {
    char statement[16];
    size_t elements, size;
    int type, kind, root;
};

static struct call call_of(const struct operand *o)
{
    const struct caf_section *a = o->section;
    struct call c;
    memset(&c, 0, sizeof c); /* also the padding: calls are compared as bytes */
    snprintf(c.statement, sizeof c.statement, "%s", o->statement);
    c.elements = a->size ? o->bytes / a->size : 0;
    c.size = a->size;
    c.type = (int)a->type;
    c.kind = a->type == CAF_CHARACTER || a->type == CAF_DERIVED ? 0 : a->kind;
    c.root = o->root;
    return c;
}

/* "4 elements of integer(4), result_image 2" */
static void describe(char *text, size_t bytes, const struct call *c)
{
    static const char *const types[] = {"", "integer", "logical", "real", "complex", "a derived type", "character"};
    char kind[24] = "", root[32] = "";
    if (c->kind)
        snprintf(kind, sizeof kind, "(%d)", c->kind);
    else
        snprintf(kind, sizeof kind, " of %zu bytes", c->size);
    if (c->root >= 0)
        snprintf(root, sizeof root, ", %s %d", strcmp(c->statement, "co_broadcast") ? "result_image" : "source_image",
                 c->root + 1);
    snprintf(text, bytes, "%zu elements of %s%s%s", c->elements,
             c->type <= CAF_CHARACTER ? types[c->type] : types[0], kind, root);
}

/* Compares the first member's call with this one. Shapes may differ if the number of elements agrees. */
static void check_agreement(const struct operand *o)
{
    struct operand of_first = {.team = o->team, .root = 0};
    const struct call mine = call_of(o);
    struct call first = mine;
    char here[100], there[100];
    broadcast_piece(&of_first, (char *)&first, sizeof first);
    if (memcmp(&mine, &first, sizeof mine) == 0)
        return;
    describe(here, sizeof here, &mine);
    describe(there, sizeof there, &first);
    caf_fatal("%s: of %s here, and %s of %s on image %d%s; all images of a team must make the same call",
              o->statement, here, first.statement, there, caf_position_pe(o->team, 0) + 1, caf_of_initial_team());
}

static bool is_joint(const struct operand *o)
{
    return o->bytes || CAF_UNLIKELY(o->team->staging.checks);
}

/* --- co_broadcast ------------------------------------------------------------------------------------------------- */

static bool broadcast_directly(const struct operand *o)
{
    uint64_t address = o->team->me == o->root ? address_of(o) : 0;
    broadcast_piece(o, (char *)&address, sizeof address);
    if (!address)
        return false;
    if (o->team->me != o->root)
        memcpy(o->data, member_data(o, o->root, address), o->bytes);
    sync_stages(o->team); /* MUTANT direct broadcasts are read */
    return true;
}

static void broadcast(void *context)
{
    const struct operand *o = context;
    if (CAF_UNLIKELY(o->team->staging.checks))
        check_agreement(o);
    if (o->bytes >= DIRECT_BROADCAST_BYTES && broadcast_directly(o))
        return;
    for (size_t at = 0; at < o->bytes; at += STAGE_BYTES)
        broadcast_piece(o, o->data + at, o->bytes - at < STAGE_BYTES ? o->bytes - at : STAGE_BYTES);
}

int caf_co_broadcast(const struct caf_section *a, int source_image)
{
    struct caf_team *t = caf_current;
    if (source_image < 1 || source_image > t->n)
        return caf_say(CAF_STAT_ERROR, "co_broadcast: source_image is %d, allowed are 1 to %d%s", source_image,
                       t->n, caf_alone());
    if (t->n == 1)
        return CAF_OK;
    struct operand o;
    const bool is_root = t->me == source_image - 1;
    check_allocated("co_broadcast", a);
    operand_begin(&o, "co_broadcast", a, source_image, is_root);
    const int status = is_joint(&o) ? caf_collective(o.statement, t, false, broadcast, &o) : CAF_OK;
    operand_end(&o, !is_root && status == CAF_OK);
    return status;
}

/* --- reductions --------------------------------------------------------------------------------------------------- */

static void combine(const struct shcoll_op *op, void *into, const void *from, size_t n)
{
    if (op->combine)
        op->combine(into, from, n);
    else
        op->combine_with(op->context, into, from, n);
}

/* Every member computes the whole result from the stages, in the order of the members: all get the same bits. */
static void reduce_near(const struct operand *o, char *stage, char *data, size_t bytes)
{
    struct caf_team *t = o->team;
    memcpy(stage, data, bytes);
    shcoll_sync(&t->group); /* MUTANT near data is there */
    note_synchronized(t);
    if (t->me != 0)
        memcpy(data, member_stage(t, 0, stage), bytes);
    for (int i = 1; i < t->n; i++)
        combine(&o->op, data, member_stage(t, i, stage), bytes / o->op.size);
}

/* For a pair with one root: the root reads the other member's stage, and the other member waits for no image. */
static void reduce_for_one(const struct operand *o, char *stage, char *data, size_t bytes)
{
    struct caf_team *t = o->team;
    const int other = 1 - o->root;
    if (t->me == other)
        memcpy(stage, data, bytes);
    shcoll_broadcast(&t->group, stage, stage, sizeof(uint64_t), other);
    if (t->me == other)
        return;
    const char *theirs = member_stage(t, other, stage);
    if (other == 1) {
        combine(&o->op, data, theirs, bytes / o->op.size);
        return;
    }
    memcpy(stage, theirs, bytes);
    combine(&o->op, stage, data, bytes / o->op.size);
    memcpy(data, stage, bytes);
}

/* In a pair the least data move if each member that needs the result computes it. If both need a large result, each
 * computes one half (SHCOLL). */
static bool is_reduced_near(const struct operand *o, size_t bytes)
{
    return o->team->n == 2 && o->team->staging.is_near && bytes >= NEAR_REDUCTION_BYTES &&
           (o->root >= 0 || bytes < DIRECT_IN_PAIR_BYTES);
}

static void reduce_piece(const struct operand *o, char *data, size_t bytes)
{
    struct caf_team *t = o->team;
    char *stage = next_stage(t, -1);
    const size_t n = bytes / o->op.size;
    if (is_reduced_near(o, bytes)) {
        (o->root < 0 ? reduce_near : reduce_for_one)(o, stage, data, bytes);
        return;
    }
    memcpy(stage, data, bytes);
    if (o->root < 0)
        shcoll_reduce(&t->group, stage, stage, n, &o->op);
    else
        shcoll_reduce_to(&t->group, stage, stage, n, &o->op, o->root);
    note_synchronized(t);
    if (o->root < 0 || o->root == t->me)
        memcpy(data, stage, bytes);
}

/* Reduces elements from to to - 1 of all members and stores the result at all of them. */
static void reduce_range(const struct operand *o, const uint64_t *addresses, size_t from, size_t to)
{
    _Alignas(64) char total[SHCOLL_ELEMENT_BYTES];
    const int n = o->team->n;
    const size_t block = sizeof total / o->op.size;
    for (size_t i = from; i < to; i += block) {
        const size_t count = to - i < block ? to - i : block, at = i * o->op.size, bytes = count * o->op.size;
        memcpy(total, member_data(o, 0, addresses[0]) + at, bytes);
        for (int j = 1; j < n; j++)
            combine(&o->op, total, member_data(o, j, addresses[j]) + at, count);
        for (int j = 0; j < n; j++)
            if (o->root < 0 || o->root == j)
                memcpy(member_data(o, j, addresses[j]) + at, total, bytes);
    }
}

/* Each member reduces a part of the data for all. Data that the others cannot access go to a stage, if they fit. */
static bool reduce_directly(struct operand *o)
{
    struct caf_team *t = o->team;
    const size_t members = (size_t)t->n, me = (size_t)t->me, n = o->bytes / o->op.size;
    char *stage = next_stage(t, -1);
    uint64_t *addresses = (uint64_t *)(void *)next_stage(t, -1), *mine = &addresses[members];
    *mine = address_of(o);
    const bool is_staged = *mine == 0 && o->bytes <= STAGE_BYTES;
    if (is_staged) {
        memcpy(stage, o->data, o->bytes);
        *mine = (uintptr_t)stage;
    }
    o->is_exposed = true;
    shcoll_fcollect(&t->group, addresses, mine, sizeof *mine);
    note_synchronized(t);
    for (int i = 0; i < t->n; i++)
        if (!addresses[i])
            return false;
    const size_t line = o->op.size < 64 ? 64 / o->op.size : 1, part = (n / members + line) / line * line;
    const size_t from = part * me < n ? part * me : n, to = part < n - from ? from + part : n;
    reduce_range(o, addresses, from, to);
    sync_stages(t); /* MUTANT direct reductions are done */
    if (is_staged && (o->root < 0 || o->root == t->me))
        memcpy(o->data, stage, o->bytes);
    return true;
}

/* For elements that are too large for SHCOLL: the first member gets them one by one and broadcasts the result. */
static void reduce_large(struct operand *o)
{
    struct caf_team *t = o->team;
    const size_t size = o->op.size;
    o->is_exposed = true;
    for (size_t at = 0; at < o->bytes; at += size) {
        memcpy(o->large, o->data + at, size);
        shcoll_sync(&t->group); /* MUTANT large elements are there */
        for (int j = 1; j < t->n && t->me == 0; j++) {
            caf_get_bytes(caf_position_pe(t, j), o->theirs, o->large, size);
            combine(&o->op, o->large, o->theirs, 1);
        }
        shcoll_broadcast(&t->group, o->large, o->large, size, 0);
        memcpy(o->data + at, o->large, size);
    }
    sync_stages(t); /* MUTANT large elements are freed last */
}

static void reduce(void *context)
{
    struct operand *o = context;
    if (CAF_UNLIKELY(o->team->staging.checks)) {
        check_agreement(o);
        if (!o->bytes)
            return;
    }
    const size_t piece = STAGE_BYTES / o->op.size * o->op.size;
    const bool has_addresses = o->team->staging.is_near && ((size_t)o->team->n + 1) * sizeof(uint64_t) <= STAGE_BYTES;
    /* In a pair with one root a stage is faster, because the other member need not wait. */
    const size_t directly_from = o->team->n == 2 && o->root < 0 ? DIRECT_IN_PAIR_BYTES : DIRECT_REDUCTION_BYTES;
    if (o->large) {
        reduce_large(o);
        return;
    }
    if (o->bytes >= directly_from && has_addresses && reduce_directly(o))
        return;
    for (size_t at = 0; at < o->bytes; at += piece)
        reduce_piece(o, o->data + at, o->bytes - at < piece ? o->bytes - at : piece);
}

static int check_result_image(const char *statement, int result_image)
{
    if (result_image >= 0 && result_image <= caf_current->n)
        return CAF_OK;
    return caf_say(CAF_STAT_ERROR, "%s: result_image is %d, allowed are 1 to %d%s", statement, result_image,
                   caf_current->n, caf_alone());
}

static void large_begin(struct operand *o)
{
    o->large = caf_heap_allocate(o->op.size);
    o->theirs = o->team->me == 0 ? malloc(o->op.size) : NULL;
    if (!o->large || (o->team->me == 0 && !o->theirs))
        caf_fatal("%s: no memory for an element of %zu bytes; increase the symmetric heap "
                  "(SHMEM_SYMMETRIC_SIZE)", o->statement, o->op.size);
}

static int reduce_as(const char *statement, const struct caf_section *a, const struct shcoll_op *op, int result_image)
{
    struct caf_team *t = caf_current;
    if (t->n == 1)
        return CAF_OK;
    struct operand o;
    operand_begin(&o, statement, a, result_image, true);
    o.op = *op;
    if (o.bytes && op->size > SHCOLL_ELEMENT_BYTES)
        large_begin(&o);
    const int status = is_joint(&o) ? caf_collective(statement, t, o.root < 0, reduce, &o) : CAF_OK;
    if (status && o.is_exposed)
        caf_await_leaving(t);
    operand_end(&o, status == CAF_OK && (o.root < 0 || o.root == t->me));
    if (o.large) {
        caf_heap_free(o.large);
        free(o.theirs);
    }
    return status;
}

int caf_co_reduce_intrinsic(enum caf_reduction reduction, const struct caf_section *a, int result_image)
{
    static const char *const statements[] = {[CAF_CO_SUM] = "co_sum", [CAF_CO_MIN] = "co_min", [CAF_CO_MAX] = "co_max"};
    struct shcoll_op op;
    const int status = check_result_image(statements[reduction], result_image);
    if (status)
        return status;
    check_allocated(statements[reduction], a);
    if (!caf_reduction_find(&op, reduction, a))
        return caf_say(CAF_STAT_ERROR, "%s: of type %d and kind %d, allowed are %s", statements[reduction],
                       (int)a->type, a->kind, reduction == CAF_CO_SUM ? "numbers" : "integers, reals and characters");
    return reduce_as(statements[reduction], a, &op, result_image);
}

int caf_co_reduce(const struct caf_section *a, caf_combine *f, void *context, int result_image)
{
    const struct shcoll_op op = {.size = a->size, .combine_with = f, .context = context};
    const int status = check_result_image("co_reduce", result_image);
    check_allocated("co_reduce", a);
    return status ? status : reduce_as("co_reduce", a, &op, result_image);
}
