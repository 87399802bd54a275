/* timeout: 180 */
/* A random program against a model: random_model [OPERATIONS [SEED]].
 *
 * Every PE runs its part of the program that model.h makes from the seed, and plays all parts on a model of all memory.
 * What is fetched is compared with the model at once, what memory holds at the end of each phase.  Operations of one PE
 * that touch the same bytes are kept in order by fence or quiet, as the specification asks for, and by nothing more. */
#include "model.h"

enum { PHASE_OPS = 200, SLOTS = 32, MAX_PENDING = 2 * SLOTS };

static int me;
static shmem_ctx_t ctxs[CTXS];

/* Local buffers of operations since the last quiet: what nonblocking ones read from and write to, and what the latter
 * must find there. */
static struct slot {
    _Alignas(16) unsigned char buffer[LOCAL_BYTES], expected[LOCAL_BYTES];
    struct op op;
    int number;
    bool fetches;
} slots[SLOTS];
static int used_slots;

/* What has been touched since the last quiet. */
static struct pending {
    int object, target, ctx;
    size_t begin, end;
    bool fetches, writes, commutes;
} pending[MAX_PENDING];
static int n_pending;

static void check_slot(const struct slot *slot)
{
    if (memcmp(slot->buffer, slot->expected, LOCAL_BYTES) == 0)
        return;
    size_t i = 0;
    while (slot->buffer[i] == slot->expected[i])
        i++;
    char text[300];
    describe(&slot->op, me, slot->number, text, sizeof text);
    CHECK(false, "%s: byte %zu of what was fetched is %#x, not %#x", text, i, slot->buffer[i], slot->expected[i]);
}

static void quiet_all(void)
{
    shmem_quiet();
    for (int c = 1; c < CTXS; c++)
        shmem_ctx_quiet(ctxs[c]);
    for (int s = 0; s < used_slots; s++)
        if (slots[s].fetches)
            check_slot(&slots[s]);
    used_slots = n_pending = 0;
}

static bool op_fetches(const struct op *op)
{
    return is_get(op) || (is_amo(op) && amo_rows[op->row].fetches);
}

static bool op_writes(const struct op *op)
{
    return !is_get(op) && !(is_amo(op) && amo_rows[op->row].kind == FETCH);
}

/* Before `now` is issued: order it after whatever it could overtake. */
static void order_after_pending(const struct pending *now)
{
    bool fence = false, quiet = n_pending + 2 > MAX_PENDING || used_slots == SLOTS;
    for (int i = 0; i < n_pending; i++) {
        const struct pending *p = &pending[i];
        const bool overlap = p->object == now->object && p->target == now->target && p->begin < now->end &&
                             now->begin < p->end;
        if (!overlap || !(p->writes || now->writes) || (p->commutes && now->commutes))
            continue;
        if (p->fetches || now->fetches || p->ctx != now->ctx)
            quiet = true;
        else
            fence = true;
    }
    if (quiet)
        quiet_all();
    else if (fence)
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
    const struct rma_row *row = &rma_rows[op->row];
    const shmem_ctx_t ctx = ctxs[op->ctx];
    unsigned char *there = objects[op->object].memory + op->at;
    uint64_t *signal = op->sig_object < 0 ? NULL : (uint64_t *)(void *)(objects[op->sig_object].memory + op->sig_at);
    const ptrdiff_t far = (ptrdiff_t)op->remote_stride, near = (ptrdiff_t)op->local_stride;
    const size_t n = op->bsize * op->nblocks;
    const int pe = op->target;
    switch (op->kind) {
    case PUT: row->put(ctx, there, local, n, pe); break;
    case PUT_NBI: row->put_nbi(ctx, there, local, n, pe); break;
    case IPUT: row->iput(ctx, there, local, far, near, n, pe); break;
    case IBPUT: row->ibput(ctx, there, local, far, near, op->bsize, op->nblocks, pe); break;
    case P: row->p(ctx, there, local, pe); break;
    case PUT_SIGNAL: row->put_signal(ctx, there, local, n, signal, op->value, op->sig_op, pe); break;
    case PUT_SIGNAL_NBI: row->put_signal_nbi(ctx, there, local, n, signal, op->value, op->sig_op, pe); break;
    case GET: row->get(ctx, local, there, n, pe); break;
    case GET_NBI: row->get_nbi(ctx, local, there, n, pe); break;
    case IGET: row->iget(ctx, local, there, near, far, n, pe); break;
    case IBGET: row->ibget(ctx, local, there, near, far, op->bsize, op->nblocks, pe); break;
    case G: row->g(ctx, local, there, pe); break;
    default: break;
    }
}

/* One operation of mine, on memory and on the model. */
static void run(struct op *op, int number)
{
    if (op->kind == NOTHING)
        return;
    remember(op);
    struct slot *slot = &slots[used_slots++];
    memset(slot->buffer, 0xa5, LOCAL_BYTES);
    if (!is_get(op) && !is_amo(op))
        fill_local(op, slot->buffer);
    memcpy(slot->expected, slot->buffer, LOCAL_BYTES);
    apply(op, slot->expected);
    (is_amo(op) ? issue_amo : issue_copy)(op, slot->buffer);
    slot->op = *op;
    slot->number = number;
    slot->fetches = op_fetches(op) && op->kind != AMO_SHARED; /* what came before from others is not known */
    const bool later = op->kind == PUT_NBI || op->kind == PUT_SIGNAL_NBI || op->kind == GET_NBI ||
                       (is_amo(op) && amo_rows[op->row].nbi);
    if (slot->fetches && !later)
        check_slot(slot);
    if (!later)
        used_slots--; /* the buffer is used again: whoever still reads it sends something else */
}

static uint64_t stream(uint64_t seed, int pe)
{
    uint64_t state = seed ^ (uint64_t)phase << 32 ^ (uint64_t)pe << 8;
    return next(&state);
}

static void play_part_of(int pe, uint64_t seed)
{
    unsigned char local[LOCAL_BYTES];
    uint64_t rng = stream(seed, pe);
    for (int i = 0; i < PHASE_OPS; i++) {
        struct op op = generate(&rng, pe);
        if (pe == me) {
            run(&op, i);
        } else {
            if (op.kind < GET)
                fill_local(&op, local);
            apply(&op, local);
        }
    }
}

/* The operation that touched a byte of mine last, by the model's order. */
static void name_culprit(int object, size_t at, uint64_t seed)
{
    char text[300] = "no operation of this phase";
    for (int pe = 0; pe < n_pes; pe++) {
        uint64_t rng = stream(seed, pe);
        for (int i = 0; i < PHASE_OPS; i++) {
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

/* Fills an object from byte `from` on, each PE's with values of its own. */
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

/* Between phases: one object comes, goes or changes size. */
static void change_objects(uint64_t seed)
{
    uint64_t rng = stream(seed, MAX_PES);
    struct object *object = &objects[STATIC_OBJECTS + below(&rng, OBJECTS - STATIC_OBJECTS)];
    if (!object->memory) {
        allocate(&rng, object);
    } else if (below(&rng, 2)) {
        reallocate(&rng, object);
    } else if (below(&rng, 3) == 0) {
        shmem_free(object->memory);
        object->memory = NULL;
    }
}

/* All operations of all PEs are complete: by the barrier, or told by signals. */
static void meet(void)
{
    static uint64_t arrived, expected;
    quiet_all();
    if (phase % 3) {
        shmem_barrier_all();
        return;
    }
    for (int k = 1; k <= n_pes; k++)
        shmem_signal_add(&arrived, 1, (me + k) % n_pes);
    expected += (uint64_t)n_pes;
    shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, expected);
}

int main(int argc, char **argv)
{
    static _Alignas(64) unsigned char memory[STATIC_OBJECTS][MAX_PES * 256];
    const long operations = argc > 1 ? atol(argv[1]) : 300000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 20241101;
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    ctxs[0] = SHMEM_CTX_DEFAULT;
    int failed = shmem_ctx_create(0, &ctxs[1]) + shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctxs[2]);
    failed += shmem_ctx_create(SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE, &ctxs[3]);
    CHECK(n_pes <= MAX_PES && !failed, "%d PEs, or no contexts", n_pes);
    if (check_failures)
        shmem_global_exit(1);
    for (int o = 0; o < STATIC_OBJECTS; o++) {
        objects[o] = (struct object){.memory = memory[o], .region = 256};
        fill_object(&objects[o], 0);
    }
    const int phases = (int)(operations / PHASE_OPS / n_pes) + 1;
    for (phase = 0; phase < phases && !check_failures; phase++) {
        change_objects(seed);
        shmem_barrier_all();
        for (int k = 0; k < n_pes; k++)
            play_part_of((me + k) % n_pes, seed);
        meet();
        compare(seed);
        shmem_barrier_all(); /* nobody starts the next phase before all have compared */
        if (check_failures)
            fprintf(stderr, "PE %d: random_model %ld %llu has gone wrong in phase %d\n", me, operations,
                    (unsigned long long)seed, phase);
    }
    if (me == 0)
        printf("seed %llu: %d phases of %d operations on each of %d PEs\n", (unsigned long long)seed, phase, PHASE_OPS,
               n_pes);
    if (check_failures)
        shmem_global_exit(1); /* the others do not know */
    for (int c = 1; c < CTXS; c++)
        shmem_ctx_destroy(ctxs[c]);
    shmem_finalize();
    return check_result();
}
