/* Small reductions and scans: recursive doubling, each message and its signal in one slot of the receiver's work area or
 * pSync (Namashivayam et al. 2014, section 5.1.2).  Operands are combined in the order of the members.
 *
 * A slot is a number and the data behind it: what is small is one cache line, and one transfer.  There is a slot for each
 * round, one for the vector of the member that shares one's rank, and one for the result that it gets back; so the fewer the
 * members, the larger the slots.  A vector that does not fit goes in pieces.
 *
 * A scan sends what a reduction sends.  A member listens to higher ranks too, of which its result needs nothing: so a scan
 * synchronizes as a reduction does, and both may share the slots.
 *
 * There are two sets of slots, for the pieces in turn.  A member writes to a slot for piece i + 2 only after it has heard from
 * that slot's owner in piece i + 1, and the owner was done with the slot of piece i before: two sets are enough. */
#include "block.h"
#include "reduce.h"

void *shcoll_scratch(struct shcoll_group *g)
{
    return (char *)g->work + SHCOLL_WORK_BYTES - SHCOLL_SCRATCH_BYTES;
}

struct slot {
    uint64_t number; /* of the piece */
    _Alignas(16) char data[];
};

struct slots {
    const struct shcoll_group *group;
    char *at;
    size_t bytes; /* of a slot */
    int count;    /* in a set */
    uint64_t number;
};

static struct slots slots_of(const struct shcoll_group *g, const struct ranks *r)
{
    const int rounds = __builtin_ctz((unsigned)r->count), count = rounds + (r->count < r->size ? 2 : 0);
    if (!g->is_pSync)
        return (struct slots){.group = g, .at = (char *)g->work + SLOTS_AT, .count = count, .number = g->slots,
                              .bytes = SLOTS_BYTES / 2 / (unsigned)count / LINE * LINE};
    const uintptr_t from = ((uintptr_t)g->work + 15) / 16 * 16, to = (uintptr_t)(g->work + SHCOLL_SYNC_SIZE);
    return (struct slots){.group = g, .at = (char *)from, .count = count,
                          .bytes = (unsigned)(to - from) / 2 / (unsigned)count / 16 * 16};
}

static struct slot *slot_at(const struct slots *s, int i)
{
    return (struct slot *)(s->at + s->bytes * (size_t)((int)(s->number % 2) * s->count + i));
}

static void send_slot(const struct slots *s, int i, const void *data, size_t bytes, int position)
{
    struct slot *slot = slot_at(s, i);
    const int pe = pe_of(s->group, position);
    if (bytes)
        shmem_putmem(slot->data, data, bytes, pe);
    fence();
    shmem_uint64_p(&slot->number, s->number, pe);
}

/* The slot's owner may change the data. */
static void *receive_slot(const struct slots *s, int i, int from)
{
    struct slot *slot = slot_at(s, i);
    wait_for_member(s->group, from);
    shmem_uint64_wait_until(&slot->number, SHMEM_CMP_EQ, s->number);
    return slot->data;
}

/* A reduction's piece.  The result of the rounds so far is in dest, or in the slot that it was computed in. */
static void reduce_piece(const struct slots *s, const struct ranks *r, const struct shcoll_call *c, const struct block *b)
{
    const struct shcoll_op *op = c->op;
    const int me = s->group->me, lower = position_of(r, r->me), in = s->count - 2, out = s->count - 1;
    if (me != lower) {
        send_slot(s, in, b->source, b->bytes, lower);
        memcpy(b->dest, receive_slot(s, out, lower), b->bytes);
        return;
    }
    const bool shared = is_shared(r, r->me);
    const char *mine = b->source;
    if (shared) {
        if (b->dest != b->source)
            memcpy(b->dest, b->source, b->bytes);
        op->combine(b->dest, receive_slot(s, in, lower + 1), b->n);
        mine = b->dest;
    }
    for (int distance = 1, round = 0; distance < r->count; distance *= 2, round++) {
        const int partner = r->me ^ distance, position = position_of(r, partner);
        send_slot(s, round, mine, b->bytes, position);
        char *theirs = receive_slot(s, round, position);
        if (partner < r->me) {
            op->combine(theirs, mine, b->n);
            mine = theirs;
        } else {
            if (mine != b->dest)
                memcpy(b->dest, mine, b->bytes);
            op->combine(b->dest, theirs, b->n);
            mine = b->dest;
        }
    }
    if (shared)
        send_slot(s, out, mine, b->bytes, lower + 1);
    if (mine != b->dest)
        memcpy(b->dest, mine, b->bytes);
}

/* A scan's piece.  What comes before a member is what it hears from lower ranks, the nearest first. */
static void scan_piece(const struct slots *s, const struct ranks *r, const struct shcoll_call *c, const struct block *b)
{
    const int me = s->group->me, lower = position_of(r, r->me), in = s->count - 2, out = s->count - 1;
    if (me != lower) {
        send_slot(s, in, b->source, b->bytes, lower);
        memcpy(b->dest, receive_slot(s, out, lower), b->bytes);
        return;
    }
    const bool shared = is_shared(r, r->me);
    _Alignas(LINE) char mine[BLOCK_BYTES];
    struct run before;
    before.any = false;
    memcpy(mine, b->source, b->bytes);
    const void *higher = shared ? receive_slot(s, in, lower + 1) : NULL;
    if (shared)
        c->op->combine(mine, higher, b->n);
    for (int distance = 1, round = 0; distance < r->count; distance *= 2, round++) {
        const int partner = r->me ^ distance, position = position_of(r, partner);
        send_slot(s, round, mine, b->bytes, position);
        const void *theirs = receive_slot(s, round, position);
        if (partner > r->me) {
            c->op->combine(mine, theirs, b->n);
        } else {
            combine_before(c->op, mine, theirs, b->n);
            run_prepend(&before, c->op, theirs, b->n);
        }
    }
    memcpy(mine, b->source, b->bytes);
    if (!c->exclusive)
        run_append(&before, c->op, mine, b->n);
    run_copy(b->dest, &before, b->bytes);
    if (shared) {
        run_append(&before, c->op, c->exclusive ? mine : higher, b->n);
        send_slot(s, out, before.data, b->bytes, lower + 1);
    }
}

typedef void piece_function(const struct slots *s, const struct ranks *r, const struct shcoll_call *c,
                            const struct block *b);

/* False if a slot has no room even for one element. */
static inline bool by_pieces(struct shcoll_group *g, const struct shcoll_call *c, piece_function *piece)
{
    const struct ranks r = ranks_of(g);
    struct slots s = slots_of(g, &r);
    const size_t room = s.bytes > sizeof(struct slot) ? (s.bytes - sizeof(struct slot)) / c->size : 0;
    if (room == 0)
        return false;
    size_t i = 0;
    do { /* zero elements as well: nobody returns before all have called */
        struct block b = block_at(c, i, room < block_of(c) ? room : block_of(c));
        s.number++;
        piece(&s, &r, c, &b);
        i += b.n;
    } while (i < c->n);
    if (g->is_pSync)
        memset(s.at, 0, s.bytes * 2 * (size_t)s.count);
    else
        g->slots = s.number;
    return true;
}

void shcoll_reduce_in_slots(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form;
    if (g->size == 1)
        copy_source(c);
    else if (!by_pieces(g, c, reduce_piece))
        shcoll_reduce_doubling(g, c, FORM_GET, k);
}

void shcoll_scan_in_slots(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form;
    if (g->size == 1 || !by_pieces(g, c, scan_piece))
        shcoll_scan_doubling(g, c, FORM_PUT, k);
}

double shcoll_reduce_in_slots_cost(const struct shcoll_cost *m)
{
    double total = 0;
    for (double distance = 1; distance < m->size; distance *= 2)
        total += cost_message(m, distance, m->bytes) + m->bytes * m->gamma;
    return total;
}

/* A line of a slot goes to the writer's cache and back.  Both what comes before and what all have so far are combined in
 * order, which takes as long again in copies.  Long vectors pay for each piece. */
double shcoll_scan_in_slots_cost(const struct shcoll_cost *m)
{
    const double rounds = cost_rounds(m->size, 2), pieces = m->bytes * rounds * 2 / SLOTS_BYTES;
    double total = 0;
    for (double distance = 1; distance < m->size; distance *= 2)
        total += cost_message(m, distance, 2 * m->bytes) + 4 * m->bytes * m->gamma +
                 (pieces > 1 ? (pieces - 1) * cost_message(m, distance, 0) : 0);
    return total;
}
