/* The random programs of random_model.c and ../net/soak.c: the objects, the operations of each PE on them, and the
 * effect of the operations on a model of all PEs' memory. A program depends on its seed alone, so every PE can compute
 * the parts of all other PEs.
 *
 * A program is a sequence of phases. In each phase every object has one of three roles:
 *   OWN     it has one region for each PE, on each PE; a PE writes and reads only its own region, on any PE;
 *   FROZEN  all PEs read, no PE writes;
 *   SHARED  words that all PEs update by atomics; all updates of one word in a phase commute.
 * The contents of memory at the end of a phase therefore do not depend on the order of the PEs. */
#pragma once

#include "../api/amo.h"
#include "../api/rma_rows.h"
#include "../random.h"

enum { MAX_PES = 16, OBJECTS = 12, STATIC_OBJECTS = 2, MAX_REGION = 512, CTXS = 4, LARGE_REGION = 8192 };

enum role { OWN, FROZEN, SHARED };

struct object {
    unsigned char *memory;           /* symmetric; null: none */
    size_t region;                   /* bytes, a multiple of 16; the object has one region for each PE */
    unsigned char *model[MAX_PES];   /* what the object holds on each PE */
};

/* Element i of block b is remote element b * remote_stride + i, and local element b * local_stride + i. */
struct op {
    enum kind kind;
    int row, object, target, ctx;
    size_t at, bsize, nblocks, remote_stride, local_stride; /* at: in bytes, in the object */
    uint64_t data, value, cond;
    bool match; /* the compare-and-swap must succeed */
    int sig_object, sig_op;
    size_t sig_at;
};

static struct object objects[OBJECTS];
static int n_pes, phase;

static inline size_t below(uint64_t *state, size_t n)
{
    return next(state) % n;
}

static inline size_t object_size(const struct object *object)
{
    return object->region * (size_t)n_pes;
}

static inline enum role role_of(int object)
{
    return (enum role[]){OWN, OWN, FROZEN, SHARED}[(object + phase) % 4];
}

/* An object with this role, other than `not`, or -1. */
static inline int pick_object(uint64_t *rng, enum role role, int not)
{
    const int first = (int)below(rng, OBJECTS);
    for (int k = 0; k < OBJECTS; k++) {
        const int object = (first + k) % OBJECTS;
        if (objects[object].memory && role_of(object) == role && object != not)
            return object;
    }
    return -1;
}

/* The offset of a PE's region in an OWN object, which changes from phase to phase. */
static inline size_t own_region(int object, int pe)
{
    return (size_t)((pe + phase + object) % n_pes) * objects[object].region;
}

/* How the word at `at` of a SHARED object is updated in this phase: the kind of operation and its bytes. */
static inline enum amo_kind shared_kind(int object, size_t at, size_t *size)
{
    uint64_t state = (uint64_t)object << 40 ^ (uint64_t)phase << 20 ^ at;
    const uint64_t hash = next(&state);
    *size = hash & 1 ? 4 : 8;
    return (enum amo_kind[]){ADD, AND, OR, XOR}[hash >> 1 & 3];
}

static inline int pick_amo_row(uint64_t *rng, enum amo_kind kind, size_t size)
{
    for (size_t row = below(rng, AMO_ROWS);; row = (row + 1) % AMO_ROWS) {
        const enum amo_kind k = amo_rows[row].kind == INC ? ADD : amo_rows[row].kind;
        if (k == kind && amo_rows[row].elem.size == size)
            return (int)row;
    }
}

/* A word for a signal: one that all PEs add to, or one in the PE's own region of an object without the op's data. */
static inline bool pick_signal(uint64_t *rng, struct op *op, int source)
{
    if (below(rng, 2)) {
        op->sig_object = pick_object(rng, SHARED, -1);
        op->sig_op = SHMEM_SIGNAL_ADD;
        const size_t words = op->sig_object < 0 ? 0 : object_size(&objects[op->sig_object]) / 8;
        for (size_t k = 0, word = words ? below(rng, words) : 0; k < words; k++, word = (word + 1) % words) {
            size_t size;
            op->sig_at = word * 8;
            if (shared_kind(op->sig_object, op->sig_at, &size) == ADD && size == 8)
                return true;
        }
    }
    op->sig_object = pick_object(rng, OWN, op->object);
    op->sig_op = below(rng, 2) ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET;
    if (op->sig_object < 0)
        return false;
    op->sig_at = own_region(op->sig_object, source) + 8 * below(rng, objects[op->sig_object].region / 8);
    return true;
}

/* Bytes of an operation on a large object: around the limits between a transport's protocols, or of any magnitude. */
static inline size_t pick_bytes(uint64_t *rng, size_t most)
{
    static const size_t limits[] = {64, 256, 1024, 2048, 4096, 8192, 65536, 262144, 1048576};
    size_t bytes = limits[below(rng, sizeof limits / sizeof *limits)] - 64 + below(rng, 129);
    if (below(rng, 2)) {
        const size_t magnitude = (size_t)1 << below(rng, 21);
        bytes = magnitude + below(rng, magnitude + 1);
    }
    return bytes < most ? bytes : most;
}

/* Many blocks of a large object, small or with sizes around a limit. */
static inline void pick_many_blocks(uint64_t *rng, struct op *op, size_t elements, size_t size)
{
    if (op->kind == IBPUT || op->kind == IBGET)
        op->bsize = 1 + below(rng, below(rng, 4) ? 8 : 4096 / size);
    op->bsize = op->bsize < elements ? op->bsize : elements;
    op->remote_stride = op->bsize + below(rng, below(rng, 2) ? 4 : 50);
    op->local_stride = op->bsize + below(rng, 4);
    const size_t fit = (elements - op->bsize) / op->remote_stride + 1;
    op->nblocks = pick_bytes(rng, (size_t)1 << 18) / (op->bsize * size);
    op->nblocks = op->nblocks < fit ? op->nblocks : fit;
}

/* The number of elements, their blocks, and their place in the len bytes from base on. */
static inline void pick_elements(uint64_t *rng, struct op *op, size_t base, size_t len, size_t size)
{
    const size_t elements = len / size;
    const bool strided = op->kind == IPUT || op->kind == IGET, blocks = op->kind == IBPUT || op->kind == IBGET;
    op->bsize = op->nblocks = op->remote_stride = op->local_stride = 1;
    if ((strided || blocks) && len > LARGE_REGION) {
        pick_many_blocks(rng, op, elements, size);
    } else if (strided || blocks) {
        op->bsize = blocks ? 1 + below(rng, 4) : 1;
        op->bsize = op->bsize < elements ? op->bsize : elements;
        op->remote_stride = op->bsize + below(rng, 4);
        op->local_stride = op->bsize + below(rng, 4);
        op->nblocks = below(rng, 9);
        while (op->nblocks > 1 && (op->nblocks - 1) * op->remote_stride + op->bsize > elements)
            op->nblocks--;
    } else if (op->kind != P && op->kind != G && op->kind != AMO_OWN && len > LARGE_REGION) {
        op->bsize = pick_bytes(rng, len) / size;
    } else if (op->kind != P && op->kind != G && op->kind != AMO_OWN) {
        const size_t most = (size_t)1 << below(rng, 7);
        op->bsize = below(rng, 1 + (most < elements ? most : elements));
    }
    const size_t span = op->nblocks ? (op->nblocks - 1) * op->remote_stride + op->bsize : 0;
    op->at = base + size * below(rng, elements - span + 1);
}

/* The next operation of PE source. */
static inline struct op generate(uint64_t *rng, int source)
{
    struct op op = {.kind = (enum kind)below(rng, KINDS), .sig_object = -1};
    op.target = (int)below(rng, (size_t)n_pes);
    op.ctx = (int)below(rng, CTXS);
    op.data = next(rng);
    op.value = next(rng);
    op.match = below(rng, 2);
    const bool reads = op.kind >= GET && op.kind <= G;
    const enum role role = op.kind == AMO_SHARED ? SHARED : reads && below(rng, 2) ? FROZEN : OWN;
    op.object = pick_object(rng, role, -1);
    if (op.object < 0) {
        op.kind = NOTHING;
        return op;
    }
    const struct object *object = &objects[op.object];
    const size_t base = role == OWN ? own_region(op.object, source) : 0;
    const size_t len = role == OWN ? object->region : object_size(object);
    if (op.kind == AMO_SHARED) {
        size_t size;
        op.at = 8 * below(rng, below(rng, 2) ? 2 : len / 8); /* some words are used more often */
        const enum amo_kind kind = shared_kind(op.object, op.at, &size);
        op.row = pick_amo_row(rng, kind, size);
        op.bsize = op.nblocks = op.remote_stride = op.local_stride = 1;
    } else if (op.kind == AMO_OWN) {
        op.row = (int)below(rng, AMO_ROWS);
        pick_elements(rng, &op, base, len, amo_rows[op.row].elem.size);
    } else {
        do /* of a long double only the value is sent, and its padding would differ from the model */
            op.row = (int)below(rng, RMA_ROWS);
        while (!rma_rows[op.row].call[op.kind] || strcmp(rma_rows[op.row].elem.name, "longdouble") == 0);
        pick_elements(rng, &op, base, len, rma_rows[op.row].elem.size);
    }
    if ((op.kind == PUT_SIGNAL || op.kind == PUT_SIGNAL_NBI) && !pick_signal(rng, &op, source))
        op.kind = PUT;
    return op;
}

static inline bool is_amo(const struct op *op)
{
    return op->kind == AMO_OWN || op->kind == AMO_SHARED;
}

static inline bool is_get(const struct op *op)
{
    return op->kind >= GET && op->kind <= G;
}

static inline size_t op_elem_size(const struct op *op)
{
    return is_amo(op) ? amo_rows[op->row].elem.size : rma_rows[op->row].elem.size;
}

/* Bytes from the first to past the last remote element. */
static inline size_t op_span(const struct op *op)
{
    return op->nblocks ? ((op->nblocks - 1) * op->remote_stride + op->bsize) * op_elem_size(op) : 0;
}

/* The size of the local buffer: whole words, and another word that no operation may change. */
static inline size_t op_local_bytes(const struct op *op)
{
    return ((op->nblocks * op->local_stride + op->bsize) * op_elem_size(op) + 7) / 8 * 8 + 8;
}

static inline uint64_t load_word(const void *at, size_t size)
{
    uint32_t narrow;
    uint64_t word;
    if (size == 8)
        return memcpy(&word, at, 8), word;
    return memcpy(&narrow, at, 4), narrow;
}

static inline void store_word(void *at, size_t size, uint64_t word)
{
    const uint32_t narrow = (uint32_t)word;
    memcpy(at, size == 8 ? (const void *)&word : &narrow, size);
}

/* The data that a put sends. */
static inline void fill_local(const struct op *op, unsigned char *local)
{
    uint64_t state = op->data;
    for (size_t i = 0; i < op_local_bytes(op) / 8 - 1; i++) {
        const uint64_t word = next(&state);
        memcpy(local + 8 * i, &word, 8);
    }
}

/* Applies op to the model. For puts, local is the data sent; for operations that fetch, it becomes the fetched data.
 * The condition of a compare-and-swap, op->cond, is chosen here, because it may have to be the current value. */
static inline void apply(struct op *op, unsigned char *local)
{
    if (op->kind == NOTHING)
        return;
    unsigned char *model = objects[op->object].model[op->target] + op->at;
    const size_t size = op_elem_size(op);
    if (is_amo(op)) {
        const uint64_t before = load_word(model, size);
        op->cond = op->match ? before : before + 1;
        store_word(local, size, before);
        store_word(model, size, amo_result(amo_rows[op->row].kind, before, op->value, op->cond));
        return;
    }
    for (size_t b = 0; b < op->nblocks; b++) {
        unsigned char *remote = model + b * op->remote_stride * size, *mine = local + b * op->local_stride * size;
        memcpy(is_get(op) ? mine : remote, is_get(op) ? remote : mine, op->bsize * size);
    }
    if (op->sig_object >= 0) {
        unsigned char *signal = objects[op->sig_object].model[op->target] + op->sig_at;
        store_word(signal, 8, op->value + (op->sig_op == SHMEM_SIGNAL_ADD ? load_word(signal, 8) : 0));
    }
}

static inline void describe(const struct op *op, int source, int number, char *text, size_t size)
{
    int n = snprintf(text, size, "phase %d, PE %d, operation %d: ", phase, source, number);
    if (is_amo(op))
        n += snprintf(text + n, size - (size_t)n, "%s_atomic_%s", amo_rows[op->row].elem.name, amo_rows[op->row].name);
    else
        n += snprintf(text + n, size - (size_t)n, "%s (%s), %zu x %zu elements, strides %zu there, %zu here",
                      kind_names[op->kind], rma_rows[op->row].elem.name, op->nblocks, op->bsize, op->remote_stride,
                      op->local_stride);
    n += snprintf(text + n, size - (size_t)n, ", on PE %d, object %d at %zu, context %d", op->target, op->object,
                  op->at, op->ctx);
    if (op->sig_object >= 0)
        snprintf(text + n, size - (size_t)n, ", signal %s at object %d at %zu",
                 op->sig_op == SHMEM_SIGNAL_ADD ? "add" : "set", op->sig_object, op->sig_at);
}
