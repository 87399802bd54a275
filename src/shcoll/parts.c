/* Reductions and scans by parts: every member does one part of the vector for everybody, reading the others' parts where
 * they are and writing the results straight into every dest (Namashivayam et al. 2014, section 5.2, carried on): each
 * element is read once and written once.  Operands are combined in the order of the members. */
#include "flags.h"
#include "reduce.h"

static void reduce_block(struct shcoll_group *g, char *dest, const char *source, size_t bytes, const struct shcoll_op *op)
{
    _Alignas(64) char total[BLOCK_BYTES], buffer[BLOCK_BYTES];
    memcpy(total, view(g, source, bytes, 0, buffer), bytes);
    for (int i = 1; i < g->size; i++)
        op->combine(total, view(g, source, bytes, i, buffer), bytes / op->size);
    for (int i = 0; i < g->size; i++)
        shmem_putmem(dest, total, bytes, pe_of(g, i));
}

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

/* Of the vector, this member's part, block by block.  Parts end on cache lines: no two members write to one line. */
static void by_parts(struct shcoll_group *g, const struct shcoll_call *c, bool scan)
{
    const size_t line = c->size < LINE ? LINE / c->size : 1, size = (size_t)g->size, n = c->n;
    const size_t part = (n / size + (n % size != 0) + line - 1) / line * line;
    const size_t block = BLOCK_BYTES / c->size ? BLOCK_BYTES / c->size : 1;
    const size_t from = part * (size_t)g->me < n ? part * (size_t)g->me : n, to = part < n - from ? from + part : n;
    meet(g); /* every source is ready */
    for (size_t i = from; i < to; i += block) {
        const size_t bytes = (to - i < block ? to - i : block) * c->size, at = i * c->size;
        if (scan)
            scan_block(g, (char *)c->dest + at, (const char *)c->source + at, bytes, c->op, c->exclusive);
        else
            reduce_block(g, (char *)c->dest + at, (const char *)c->source + at, bytes, c->op);
    }
    meet(g);
}

void shcoll_reduce_in_parts(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    by_parts(g, c, false);
}

void shcoll_scan_in_parts(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int k)
{
    (void)form, (void)k;
    by_parts(g, c, true);
}

double shcoll_in_parts_cost(const struct shcoll_cost *m)
{
    return 2 * cost_sync(m) + 2 * cost_fan(m, m->size - 1, m->size - 1, m->bytes / m->size) + m->bytes * m->gamma;
}
