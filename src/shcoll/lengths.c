/* What the members of a collect bring, and where it goes. */
#include "collect.h"

struct shcoll_place shcoll_piece(const struct shcoll_group *g, const struct shcoll_call *c, int position)
{
    if (!c->lengths)
        return (struct shcoll_place){(size_t)position * c->n, c->n};
    size_t offset = 0;
    for (int i = 0; i < position; i++)
        offset += shmem_uint64_g(c->lengths, pe_of(g, i));
    return (struct shcoll_place){offset, shmem_uint64_g(c->lengths, pe_of(g, position))};
}

void shcoll_lengths(struct shcoll_group *g, struct shcoll_call *c)
{
    g->number++;
    uint64_t *mine = value_place(g, 0);
    *mine = c->n;
    c->lengths = mine;
    meet(g);
    const struct shcoll_place last = shcoll_piece(g, c, g->size - 1);
    c->offset = shcoll_piece(g, c, g->me).offset;
    c->total = last.offset + last.bytes;
}

void shcoll_lengths_end(struct shcoll_group *g, const struct shcoll_call *c)
{
    if (!g->is_pSync)
        return;
    shcoll_sync(g); /* nobody looks any more */
    shmem_uint64_p((uint64_t *)c->lengths, 0, pe_of(g, g->me));
}
