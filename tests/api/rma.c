/* put, get, put_nbi, get_nbi, iput, iget, ibput, ibget, p and g: with each type, each size and mem; with and without a
 * context; between all pairs of PEs; in static and heap memory; with equal and different strides on the two sides.
 * A stride is the distance between the starts of two consecutive blocks, in elements. */
#include "rma_rows.h"

static const struct shape {
    size_t bsize, nblocks;
    ptrdiff_t dst, sst;
} shapes[] = {
    {0, 1, 1, 1}, {4, 1, 4, 4}, {12, 1, 12, 12}, {29, 1, 29, 29}, {1, 1, 1, 1}, /* contiguous shapes, for put and get */
    {1, 5, 1, 1}, {1, 5, 1, 2}, {1, 5, 1, 3}, {1, 5, 1, 7}, {1, 5, 2, 1}, {1, 5, 2, 2}, {1, 5, 2, 3}, {1, 5, 2, 7},
    {1, 5, 3, 1}, {1, 5, 3, 2}, {1, 5, 3, 3}, {1, 5, 3, 7}, {1, 5, 7, 1}, {1, 5, 7, 2}, {1, 5, 7, 3}, {1, 5, 7, 7},
    {1, 0, 2, 3}, {1, 1, 7, 3}, /* iput and iget end here; ibput and ibget also use all shapes below */
    {2, 5, 2, 2}, {2, 5, 2, 3}, {2, 5, 3, 2}, {3, 4, 3, 7}, {3, 4, 7, 3}, {5, 3, 6, 9}, {4, 1, 9, 4}, {7, 3, 11, 8},
    {3, 0, 3, 4}, {0, 3, 1, 2},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* A put and a get that are tried together, for the shapes from first to end - 1. */
static const struct both {
    enum kind put, get;
    unsigned first, end;
    bool nbi;
} both[] = {
    {P, G, 4, 5, false},
    {PUT, GET, 0, 5, false},
    {PUT_NBI, GET_NBI, 0, 5, true},
    {IPUT, IGET, 5, 23, false},
    {IBPUT, IBGET, 5, SHAPES, false},
};

/* Each shape has its own span in source and dest: a guard element, then at most 30 elements. */
enum { SPAN = 32, BACKGROUND = 9999 };
typedef char memory[SHAPES * SPAN * ELEM_MAX];
static _Alignas(ELEM_MAX) memory static_memory[2];

static int me, n_pes;

/* Makes one call for each shape: from the shape's span of source to the same span of dest. */
static void move_all(const struct rma_row *row, const struct both *b, enum kind kind, const struct place *place,
                     char *dest, char *source, int pe)
{
    const size_t size = row->elem.size;
    for (unsigned h = b->first; h < b->end; h++) {
        const struct shape *s = &shapes[h];
        const struct rma call = {.dest = dest + (h * SPAN + 1) * size, .source = source + (h * SPAN + 1) * size,
                                 .dst = s->dst, .sst = s->sst, .bsize = s->bsize, .nblocks = s->nblocks, .pe = pe};
        row->call[kind](place, &call);
        if (kind == b->put && !b->nbi) /* the source may be reused on return */
            memset(source + (h * SPAN + 1) * size, 0x5a, (SPAN - 1) * size);
    }
    if (kind == b->put || b->nbi)
        shmem_ctx_quiet(place->ctx);
}

/* Element k of a span must hold element j of block b if k - 1 = b * dst + j; its source is element b * sst + j. All
 * other elements must be unchanged. */
static void check_shape(const struct rma_row *row, enum kind kind, const struct place *place, const char *dest,
                        unsigned h, int from, unsigned salt)
{
    const struct shape *s = &shapes[h];
    for (size_t k = 0; k < SPAN; k++) {
        uint64_t expected = pattern(me, h * SPAN + k, BACKGROUND);
        const size_t dst = (size_t)s->dst, sst = (size_t)s->sst;
        const size_t b = k > 0 ? (k - 1) / dst : s->nblocks, j = k > 0 ? (k - 1) % dst : 0;
        if (b < s->nblocks && j < s->bsize)
            expected = pattern_to(from, me, h * SPAN + 1 + b * sst + j, salt);
        CHECK(elem_is(&row->elem, dest, h * SPAN + k, expected),
              "%s of %s, %zu blocks of %zu, strides %td and %td, from PE %d to PE %d on %s: element %zu",
              kind_names[kind], row->elem.name, s->nblocks, s->bsize, s->dst, s->sst, from, me, place->name, k);
    }
}

static void fill(const struct elem *e, char *array, int from, int to, unsigned salt)
{
    for (size_t i = 0; i < SHAPES * SPAN; i++)
        set_elem(e, array, i, to < 0 ? pattern(from, i, salt) : pattern_to(from, to, i, salt));
}

/* Puts go to the PE `distance` to the right; gets read from the PE `distance` to the left. */
static void try_row(const struct rma_row *row, const struct both *b, const struct place *place, char *dest,
                    char *source, unsigned salt)
{
    const int distance = (int)(salt % (unsigned)n_pes);
    const int right = (me + distance) % n_pes, left = (me + n_pes - distance) % n_pes;
    _Alignas(ELEM_MAX) memory put_from, get_to;
    fill(&row->elem, put_from, me, right, salt);
    fill(&row->elem, source, me, right, salt);
    fill(&row->elem, dest, me, -1, BACKGROUND);
    fill(&row->elem, get_to, me, -1, BACKGROUND);
    shmem_barrier_all();
    move_all(row, b, b->put, place, dest, put_from, right);
    move_all(row, b, b->get, place, get_to, source, left);
    shmem_barrier_all();
    for (unsigned h = b->first; h < b->end; h++) {
        check_shape(row, b->put, place, dest, h, left, salt);
        check_shape(row, b->get, place, get_to, h, left, salt);
    }
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    struct place places[PLACES];
    open_places(places);
    memory *heap = shmem_malloc(2 * sizeof(memory));
    CHECK(heap != NULL, "shmem_malloc of %zu bytes failed", 2 * sizeof(memory));
    if (!heap)
        shmem_global_exit(1);
    unsigned salt = 0;
    for (unsigned b = 0; b < sizeof both / sizeof both[0]; b++)
        for (unsigned r = 0; r < RMA_ROWS; r++)
            for (unsigned p = 0; p < PLACES && rma_rows[r].call[both[b].put]; p++, salt++) {
                memory *memories = (r + p) % 2 ? heap : static_memory;
                try_row(&rma_rows[r], &both[b], &places[p], memories[0], memories[1], salt);
            }
    shmem_free(heap);
    close_places(places);
    shmem_finalize();
    return check_result();
}
