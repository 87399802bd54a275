/* Runs the random programs of model.h on memory and on the model, and compares them.
 *
 * Every PE runs its part of the program that model.h makes from the seed, and applies all parts to a model of all
 * memory. Fetched data is compared with the model immediately, the contents of memory at the end of each phase.
 * Operations of one PE on the same bytes are ordered by fence or quiet, as the specification requires, and by
 * nothing else. */
#pragma once

#include "model.h"

enum { PHASE_OPS = 200, SLOTS = 32, MAX_PENDING = 2 * SLOTS };

static int me;
static shmem_ctx_t ctxs[CTXS];
static bool idle[MAX_PES];         /* PEs that do nothing in this phase */
static void (*beside)(int number); /* if not null, called after each operation of this PE */
static uint64_t choices = 1;       /* random decisions that do not affect the model */
static int lasting = OBJECTS;       /* objects from this one on stay allocated */

/* Buffers of operations that no quiet has completed yet, and the data that gets must return. */
static struct slot {
    unsigned char *buffer, *expected; /* null: the slot is free */
    size_t bytes;
    struct op op;
    int number;
    bool fetches;
} slots[SLOTS];

/* The bytes accessed since the last quiet. */
static struct pending {
    int object, target, ctx;
    size_t begin, end;
    bool fetches, writes, commutes;
} pending[MAX_PENDING];
static int n_pending;

static void check_slot(const struct slot *slot)
{
    if (memcmp(slot->buffer, slot->expected, slot->bytes) == 0)
        return;
    size_t i = 0;
    while (slot->buffer[i] == slot->expected[i])
        i++;
    char text[300];
    describe(&slot->op, me, slot->number, text, sizeof text);
    CHECK(false, "%s: byte %zu of the fetched data is %#x, not %#x", text, i, slot->buffer[i], slot->expected[i]);
}

static void release(struct slot *slot)
{
    free(slot->buffer);
    free(slot->expected);
    slot->buffer = slot->expected = NULL;
}

static bool is_of(const struct op *op, int ctx, int target)
{
    return (ctx < 0 || op->ctx == ctx) && (target < 0 || op->target == target);
}

/* Releases the slots of operations on this context (-1: any) to this PE, which are complete. */
static void completed(int ctx, int target)
{
    int left = 0;
    for (int i = 0; i < n_pending; i++)
        if ((ctx >= 0 && pending[i].ctx != ctx) || (target >= 0 && pending[i].target != target))
            pending[left++] = pending[i];
    n_pending = left;
    for (struct slot *slot = slots; slot < slots + SLOTS; slot++)
        if (slot->buffer && is_of(&slot->op, ctx, target)) {
            if (slot->fetches)
                check_slot(slot);
            release(slot);
        }
}

static void quiet_all(void)
{
    shmem_quiet();
    for (int c = 1; c < CTXS; c++)
        shmem_ctx_quiet(ctxs[c]);
    completed(-1, -1);
}

/* Completes a context's operations on a PE, and possibly further operations. */
static void quiet_some(int ctx, int target)
{
    switch (below(&choices, 3)) {
    case 0:
        quiet_all();
        break;
    case 1:
        shmem_ctx_quiet(ctxs[ctx]);
        completed(ctx, -1);
        break;
    case 2:
        shmem_ctx_pe_quiet(ctxs[ctx], &target, 1);
        completed(ctx, target);
        break;
    }
}

static bool op_fetches(const struct op *op)
{
    return is_get(op) || (is_amo(op) && amo_rows[op->row].fetches);
}

static bool op_writes(const struct op *op)
{
    return !is_get(op) && !(is_amo(op) && amo_rows[op->row].kind == FETCH);
}

/* Called before `now` is issued: orders it after all operations that it could overtake. */
static void order_after_pending(const struct pending *now)
{
    bool fence = false;
    if (n_pending + 2 > MAX_PENDING)
        quiet_all();
    for (int i = 0; i < n_pending; i++) {
        const struct pending *p = &pending[i];
        const bool overlap = p->object == now->object && p->target == now->target && p->begin < now->end &&
                             now->begin < p->end;
        if (!overlap || !(p->writes || now->writes) || (p->commutes && now->commutes))
            continue;
        if (p->fetches || now->fetches || p->ctx != now->ctx) {
            quiet_some(p->ctx, p->target);
            i = -1; /* restarts at the first remaining slot */
            fence = false;
        } else {
            fence = true;
        }
    }
    if (fence)
        shmem_ctx_fence(ctxs[now->ctx]);
}

static void remember(const struct op *op)
{
    const bool shared_signal = op->sig_object >= 0 && role_of(op->sig_object) == SHARED;
    const struct pending touched[2] = {
        {op->object, op->target, op->ctx, op->at, op->at + op_span(op), op_fetches(op), op_writes(op),
         op->kind == AMO_SHARED},
        {op->sig_object, op->target, op->ctx, op->sig_at, op->sig_at + 8, false, true, shared_signal}};
    const int n = op->sig_object >= 0 ? 2 : 1;
    for (int i = 0; i < n; i++)
        order_after_pending(&touched[i]);
    for (int i = 0; i < n; i++)
        pending[n_pending++] = touched[i];
}

static void issue_amo(const struct op *op, unsigned char *local)
{
    const struct amo_row *row = &amo_rows[op->row];
    _Alignas(8) unsigned char value[8], cond[8];
    store_word(value, row->elem.size, op->value);
    store_word(cond, row->elem.size, op->cond);
    const struct amo amo = {ctxs[op->ctx], local, objects[op->object].memory + op->at, value, cond, op->target};
    row->ctx_call(&amo);
}

static void issue_copy(const struct op *op, unsigned char *local)
{
    const struct place on = {.ctx = ctxs[op->ctx]};
    unsigned char *there = objects[op->object].memory + op->at;
    uint64_t *signal = op->sig_object < 0 ? NULL : (uint64_t *)(void *)(objects[op->sig_object].memory + op->sig_at);
    const ptrdiff_t far = (ptrdiff_t)op->remote_stride, near = (ptrdiff_t)op->local_stride;
    const bool get = is_get(op);
    const struct rma call = {get ? local : there, get ? there : local, get ? near : far, get ? far : near,
                             op->bsize, op->nblocks, signal, op->value, op->sig_op, op->target};
    rma_rows[op->row].call[op->kind](&on, &call);
}

static struct slot *free_slot(const struct op *op)
{
    struct slot *slot = slots;
    while (slot < slots + SLOTS && slot->buffer)
        slot++;
    if (slot == slots + SLOTS) {
        quiet_all();
        slot = slots;
    }
    slot->bytes = op_local_bytes(op);
    slot->buffer = malloc(slot->bytes);
    slot->expected = malloc(slot->bytes);
    CHECK(slot->buffer && slot->expected, "no memory for %zu bytes", slot->bytes);
    if (!slot->buffer || !slot->expected)
        shmem_global_exit(1);
    memset(slot->buffer, 0xa5, slot->bytes);
    return slot;
}

/* Executes an operation of this PE, on memory and on the model. */
static void run(struct op *op, int number)
{
    if (op->kind == NOTHING)
        return;
    remember(op);
    struct slot *slot = free_slot(op);
    if (!is_get(op) && !is_amo(op))
        fill_local(op, slot->buffer);
    memcpy(slot->expected, slot->buffer, slot->bytes);
    apply(op, slot->expected);
    (is_amo(op) ? issue_amo : issue_copy)(op, slot->buffer);
    slot->op = *op;
    slot->number = number;
    slot->fetches = op_fetches(op) && op->kind != AMO_SHARED; /* the result depends on other PEs' operations */
    const bool later = op->kind == PUT_NBI || op->kind == PUT_SIGNAL_NBI || op->kind == GET_NBI ||
                       (is_amo(op) && amo_rows[op->row].nbi);
    if (later)
        return;
    if (slot->fetches)
        check_slot(slot);
    memset(slot->buffer, 0x5a, slot->bytes); /* if the library reads the buffer late, it sends wrong bytes */
    release(slot);
}

static uint64_t stream(uint64_t seed, int pe)
{
    uint64_t state = seed ^ (uint64_t)phase << 32 ^ (uint64_t)pe << 8;
    return next(&state);
}

static void play_part_of(int pe, uint64_t seed)
{
    uint64_t rng = stream(seed, pe);
    for (int i = 0; i < PHASE_OPS && !idle[pe]; i++) {
        struct op op = generate(&rng, pe);
        if (pe == me) {
            run(&op, i);
            if (beside)
                beside(i);
        } else if (op.kind != NOTHING && op_writes(&op)) {
            unsigned char *local = malloc(op_local_bytes(&op));
            if (op.kind < GET)
                fill_local(&op, local);
            apply(&op, local);
            free(local);
        }
    }
}

/* The last operation on a byte of this PE, in the model's order. */
static void name_culprit(int object, size_t at, uint64_t seed)
{
    char text[300] = "no operation of this phase";
    for (int pe = 0; pe < n_pes; pe++) {
        uint64_t rng = stream(seed, pe);
        for (int i = 0; i < PHASE_OPS && !idle[pe]; i++) {
            const struct op op = generate(&rng, pe);
            const bool data = op.kind != NOTHING && op.object == object && at >= op.at && at < op.at + op_span(&op);
            const bool signal = op.sig_object == object && at >= op.sig_at && at < op.sig_at + 8;
            if (op.kind != NOTHING && op.target == me && op_writes(&op) && (data || signal))
                describe(&op, pe, i, text, sizeof text);
        }
    }
    CHECK(false, "phase %d, object %d, byte %zu is %#x, not %#x; last touched by: %s", phase, object, at,
          objects[object].memory[at], objects[object].model[me][at], text);
}

static void compare(uint64_t seed)
{
    for (int o = 0; o < OBJECTS; o++) {
        if (!objects[o].memory || memcmp(objects[o].memory, objects[o].model[me], object_size(&objects[o])) == 0)
            continue;
        size_t i = 0;
        while (objects[o].memory[i] == objects[o].model[me][i])
            i++;
        name_culprit(o, i, seed);
    }
}

/* Fills an object from byte `from` on, with values that differ for each PE. */
static void fill_object(struct object *object, size_t from)
{
    for (int pe = 0; pe < n_pes; pe++) {
        unsigned char *model = object->model[pe] = realloc(object->model[pe], object_size(object));
        CHECK(model != NULL, "no memory for the model");
        if (!model)
            shmem_global_exit(1);
        for (size_t i = from; i < object_size(object); i++)
            model[i] = (unsigned char)(pattern(pe, i, (unsigned)phase) >> 16);
    }
    memcpy(object->memory + from, object->model[me] + from, object_size(object) - from);
}

static void allocate(uint64_t *rng, struct object *object)
{
    object->region = 16 * (1 + below(rng, MAX_REGION / 16));
    const size_t alignment = (size_t)16 << below(rng, 8);
    const int how = (int)below(rng, 4);
    void *memory = NULL;
    switch (how) {
    case 0: memory = shmem_malloc(object_size(object)); break;
    case 1: memory = shmem_calloc(object->region, (size_t)n_pes); break;
    case 2: memory = shmem_align(alignment, object_size(object)); break;
    case 3: memory = shmem_malloc_with_hints(object_size(object), SHMEM_MALLOC_ATOMICS_REMOTE); break;
    }
    CHECK(memory != NULL, "phase %d: allocation of %zu bytes failed", phase, object_size(object));
    if (!memory)
        shmem_global_exit(1);
    object->memory = memory;
    for (size_t i = 0; how == 1 && i < object_size(object); i++)
        CHECK(object->memory[i] == 0, "phase %d: shmem_calloc gave a byte that is not 0", phase);
    CHECK((uintptr_t)memory % (how == 2 ? alignment : 16) == 0, "phase %d: %p is not aligned", phase, memory);
    fill_object(object, 0);
}

static void reallocate(uint64_t *rng, struct object *object)
{
    const size_t before = object_size(object);
    object->region = 16 * (1 + below(rng, MAX_REGION / 16));
    object->memory = shmem_realloc(object->memory, object_size(object));
    CHECK(object->memory != NULL, "phase %d: shmem_realloc to %zu bytes failed", phase, object_size(object));
    if (!object->memory)
        shmem_global_exit(1);
    const size_t kept = before < object_size(object) ? before : object_size(object);
    CHECK(memcmp(object->memory, object->model[me], kept) == 0, "phase %d: shmem_realloc lost data", phase);
    fill_object(object, kept);
}

/* Called between phases: allocates, frees or resizes an object. */
static void change_objects(uint64_t seed)
{
    uint64_t rng = stream(seed, MAX_PES);
    struct object *object = &objects[STATIC_OBJECTS + below(&rng, (size_t)(lasting - STATIC_OBJECTS))];
    if (!object->memory) {
        allocate(&rng, object);
    } else if (below(&rng, 2)) {
        reallocate(&rng, object);
    } else if (below(&rng, 3) == 0) {
        shmem_free(object->memory);
        object->memory = NULL;
    }
}
