/* Reductions and scans by parts: every member does one part of the vector for everybody, reading the others' parts
 * where they are and writing the results straight into every dest (Namashivayam et al. 2014, section 5.2, carried on):
 * each element is read once and written once.  Operands are combined in the order of the members. */
#include "reduce.h"

/* Member i's result goes out only after member i's source has been read: dest may be source. */
static void scan_block(struct shcoll_group *g, char *dest, const char *source, size_t bytes, const struct shcoll_op *op,
                       bool exclusive)
{
    _Alignas(64) char total[BLOCK_BYTES], before[BLOCK_BYTES], buffer[BLOCK_BYTES];
    memset(before, 0, bytes); /* what an exclusive sum is at the first member */
    for (int i = 0; i < g->size; i++) {
        const void *value = view(g, source, bytes, i, buffer);
        if (i == 0)
            memcpy(total, value, bytes);
        else
            op->combine(total, value, bytes / op->size);
        shmem_putmem(dest, exclusive ? before : total, bytes, pe_of(g, i));
        memcpy(before, total, bytes);
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
        scan_block(g, (char *)c->dest + at, (const char *)c->source + at, bytes, c->op, c->exclusive);
    }
    meet(g);
}

/* Two syncs; between them each reads its part from all, and writes it to all. */
double shcoll_in_parts_cost(const struct shcoll_cost *m)
{
    const double others = m->size - 1, part = m->bytes / m->size, sharing = m->nodes > 1 ? m->per_node : 1;
    return 2 * cost_sync(m) + others * (cost_read(m, others, part, sharing) + part * m->gamma) +
           cost_fan(m, others, others, part * sharing);
}
