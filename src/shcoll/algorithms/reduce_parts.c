/* Reductions and scans by parts: each member computes one part of the result for all. It reads that part of all sources
 * in place, and writes the result into every dest (an extension of Namashivayam et al. 2014, section 5.2). Each element
 * is read once and written once. Operands are combined in the order of the members. */
#include "reduce.h"

/* dest may be source: a member's value is read, or kept in buffer, before its result is written. */
static void inclusive_block(struct shcoll_group *g, char *dest, const char *source, size_t bytes,
                            const struct shcoll_op *op)
{
    _Alignas(LINE) char total[BLOCK_BYTES], buffer[BLOCK_BYTES];
    for (int i = 0; i < g->size; i++) {
        const void *value = view(g, source, bytes, i, buffer);
        if (i == 0)
            memcpy(total, value, bytes);
        else
            combine(op, total, value, bytes / op->size);
        if (i > 0 || dest != source)
            shmem_putmem(dest, total, bytes, pe_of(g, i));
    }
}

/* The last member's value is not needed. */
static void exclusive_block(struct shcoll_group *g, char *dest, const char *source, size_t bytes,
                            const struct shcoll_op *op)
{
    _Alignas(LINE) char total[BLOCK_BYTES], buffer[BLOCK_BYTES];
    memset(total, 0, bytes); /* the result of the first member */
    for (int i = 0; i < g->size; i++) {
        const void *value = i + 1 < g->size ? view(g, source, bytes, i, buffer) : NULL;
        if (value && value != buffer && dest == source)
            value = memcpy(buffer, value, bytes);
        shmem_putmem(dest, total, bytes, pe_of(g, i));
        if (value && i == 0)
            memcpy(total, value, bytes);
        else if (value)
            combine(op, total, value, bytes / op->size);
    }
}

void shcoll_reduce_in_parts(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)k;
    shcoll_sync(g); /* every source is ready */
    shcoll_reduce_range(g, c, form, part_of(whole_of(c), g->size, g->me, c->size));
    meet(g);
}

void shcoll_scan_in_parts(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    const struct range mine = part_of(whole_of(c), g->size, g->me, c->size);
    const size_t block = block_of(c);
    shcoll_sync(g);
    for (size_t i = mine.from; i < mine.to; i += block) {
        const size_t bytes = (mine.to - i < block ? mine.to - i : block) * c->size, at = i * c->size;
        (c->exclusive ? exclusive_block : inclusive_block)(g, (char *)c->dest + at, (const char *)c->source + at, bytes,
                                                           c->op);
    }
    meet(g);
}

/* Two syncs; between them each member reads its part from all, and writes the result to all. */
double shcoll_in_parts_cost(const struct shcoll_cost *m)
{
    const double part = m->bytes < LINE ? m->bytes : cost_larger(m->bytes / m->size, LINE);
    const double distant = m->nodes > 1 ? m->size - m->per_node : 0, others = m->size - 1 - distant;
    const double sharing = m->nodes > 1 ? m->per_node : 1;
    const double blocks = part > BLOCK_BYTES ? cost_floor((part + BLOCK_BYTES - 1) / BLOCK_BYTES) : 1;
    const double block = part / blocks;
    const bool by_adapter = block > COST_PUT; /* a fence waits until all puts by the NIC have arrived */
    const double put = m->net.gap + block * (by_adapter ? m->net.beta : m->copy);
    /* All members read from the first member first, then from the next. */
    return cost_sync(m) + cost_meet(m, distant) + cost_shared_read(m, m->size - 1, part) +
           (m->size - 1) * part * m->gamma + others * (m->turn + part * m->node.beta + cost_near(m, part, false).busy) +
           distant * (blocks * (cost_get_far(m, block, sharing) + put) + (by_adapter ? 2 * m->net.alpha : 0));
}
