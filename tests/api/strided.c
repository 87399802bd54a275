/* iput, iget, ibput and ibget: every type and size, with and without a context, between all pairs of PEs, for strides
 * and block sizes that differ on the two sides.  All strides count elements from one block's start to the next's. */
#include "fill.h"

typedef void block_fn(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,
                      int pe);
typedef void ctx_block_fn(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                          size_t nblocks, int pe);

struct row {
    struct elem elem;
    bool blocks; /* ibput and ibget; otherwise iput and iget, for which bsize is always 1 */
    block_fn *put, *get;
    ctx_block_fn *ctx_put, *ctx_get;
};

#define ARGS void *d, const void *s, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t n, int pe
#define IB_PUT(T, N) static void ib_put_##N(ARGS) { shmem_##N##_ibput(d, s, dst, sst, bsize, n, pe); }
#define IB_GET(T, N) static void ib_get_##N(ARGS) { shmem_##N##_ibget(d, s, dst, sst, bsize, n, pe); }
#define CTX_IB_PUT(T, N) static void ctx_ib_put_##N(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_##N##_ibput(ctx, d, s, dst, sst, bsize, n, pe); }
#define CTX_IB_GET(T, N) static void ctx_ib_get_##N(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_##N##_ibget(ctx, d, s, dst, sst, bsize, n, pe); }
COPAL_TYPES_RMA(IB_PUT)
COPAL_TYPES_RMA(IB_GET)
COPAL_TYPES_RMA(CTX_IB_PUT)
COPAL_TYPES_RMA(CTX_IB_GET)

#define I_PUT(T, N) static void i_put_##N(ARGS) { shmem_##N##_iput(d, s, dst, sst, bsize * n, pe); }
#define I_GET(T, N) static void i_get_##N(ARGS) { shmem_##N##_iget(d, s, dst, sst, bsize * n, pe); }
#define CTX_I_PUT(T, N) static void ctx_i_put_##N(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_##N##_iput(ctx, d, s, dst, sst, bsize * n, pe); }
#define CTX_I_GET(T, N) static void ctx_i_get_##N(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_##N##_iget(ctx, d, s, dst, sst, bsize * n, pe); }
COPAL_TYPES_RMA(I_PUT)
COPAL_TYPES_RMA(I_GET)
COPAL_TYPES_RMA(CTX_I_PUT)
COPAL_TYPES_RMA(CTX_I_GET)

#define I_PUT_SIZE(B) static void i_put_##B(ARGS) { shmem_iput##B(d, s, dst, sst, bsize * n, pe); }
#define I_GET_SIZE(B) static void i_get_##B(ARGS) { shmem_iget##B(d, s, dst, sst, bsize * n, pe); }
#define CTX_I_PUT_SIZE(B) static void ctx_i_put_##B(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_iput##B(ctx, d, s, dst, sst, bsize * n, pe); }
#define CTX_I_GET_SIZE(B) static void ctx_i_get_##B(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_iget##B(ctx, d, s, dst, sst, bsize * n, pe); }
COPAL_SIZES(I_PUT_SIZE)
COPAL_SIZES(I_GET_SIZE)
COPAL_SIZES(CTX_I_PUT_SIZE)
COPAL_SIZES(CTX_I_GET_SIZE)

#define I_ROW(T, N) {ELEM(T, N), false, i_put_##N, i_get_##N, ctx_i_put_##N, ctx_i_get_##N},
#define IB_ROW(T, N) {ELEM(T, N), true, ib_put_##N, ib_get_##N, ctx_ib_put_##N, ctx_ib_get_##N},
#define I_SIZE_ROW(B) {SIZE_ELEM(B), false, i_put_##B, i_get_##B, ctx_i_put_##B, ctx_i_get_##B},
#define IB_SIZE_ROW(B) {SIZE_ELEM(B), true, shmem_ibput##B, shmem_ibget##B, shmem_ctx_ibput##B, shmem_ctx_ibget##B},
static const struct row rows[] = {
    COPAL_TYPES_RMA(I_ROW)
    COPAL_SIZES(I_SIZE_ROW)
    COPAL_TYPES_RMA(IB_ROW)
    COPAL_SIZES(IB_SIZE_ROW)
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const struct shape {
    size_t bsize, nblocks;
    ptrdiff_t dst, sst;
} shapes[] = {
    {1, 5, 1, 1}, {1, 5, 1, 2}, {1, 5, 1, 3}, {1, 5, 1, 7}, {1, 5, 2, 1}, {1, 5, 2, 2}, {1, 5, 2, 3}, {1, 5, 2, 7},
    {1, 5, 3, 1}, {1, 5, 3, 2}, {1, 5, 3, 3}, {1, 5, 3, 7}, {1, 5, 7, 1}, {1, 5, 7, 2}, {1, 5, 7, 3}, {1, 5, 7, 7},
    {1, 0, 2, 3}, {1, 1, 7, 3}, /* iput and iget go to here; the rest is for blocks */
    {2, 5, 2, 2}, {2, 5, 2, 3}, {2, 5, 3, 2}, {3, 4, 3, 7}, {3, 4, 7, 3}, {5, 3, 6, 9}, {4, 1, 9, 4}, {7, 3, 11, 8},
    {3, 0, 3, 4}, {0, 3, 1, 2},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0], I_SHAPES = 18 };

/* Each shape has a span of its own in source and dest: a guard element, then at most 30. */
enum { SPAN = 32, BACKGROUND = 9999 };
typedef char memory[SHAPES * SPAN * ELEM_MAX];
static _Alignas(ELEM_MAX) memory static_memory[2];

static int me, n_pes;

static unsigned shapes_of(const struct row *row)
{
    return row->blocks ? SHAPES : I_SHAPES;
}

static char *elem_at(const struct elem *e, char *array, size_t i)
{
    return array + i * e->size;
}

static void put_all(const struct row *row, const struct place *place, char *dest, char *source, int to)
{
    for (unsigned h = 0; h < shapes_of(row); h++) {
        const struct shape *s = &shapes[h];
        void *d = elem_at(&row->elem, dest, h * SPAN + 1);
        char *from = elem_at(&row->elem, source, h * SPAN + 1);
        if (place->plain)
            row->put(d, from, s->dst, s->sst, s->bsize, s->nblocks, to);
        else
            row->ctx_put(place->ctx, d, from, s->dst, s->sst, s->bsize, s->nblocks, pe_in(place, to));
        memset(from, 0x5a, (SPAN - 1) * row->elem.size); /* the source may be reused at once */
    }
    shmem_ctx_quiet(place->ctx);
}

static void get_all(const struct row *row, const struct place *place, char *dest, char *source, int from)
{
    for (unsigned h = 0; h < shapes_of(row); h++) {
        const struct shape *s = &shapes[h];
        void *d = elem_at(&row->elem, dest, h * SPAN + 1);
        const void *there = elem_at(&row->elem, source, h * SPAN + 1);
        if (place->plain)
            row->get(d, there, s->dst, s->sst, s->bsize, s->nblocks, from);
        else
            row->ctx_get(place->ctx, d, there, s->dst, s->sst, s->bsize, s->nblocks, pe_in(place, from));
    }
}

/* Element k of a span holds element j of block b exactly when k - 1 = b * dst + j; it came from b * sst + j. */
static void check_shape(const struct row *row, const char *what, const struct place *place, const char *dest,
                        unsigned h, int from, int to, unsigned salt)
{
    const struct shape *s = &shapes[h];
    for (size_t k = 0; k < SPAN; k++) {
        uint64_t expected = pattern(me, h * SPAN + k, BACKGROUND);
        const size_t dst = (size_t)s->dst, sst = (size_t)s->sst;
        const size_t b = k > 0 ? (k - 1) / dst : s->nblocks;
        const size_t j = k > 0 ? (k - 1) % dst : 0;
        if (b < s->nblocks && j < s->bsize)
            expected = pattern_to(from, to, h * SPAN + 1 + b * sst + j, salt);
        CHECK(elem_is(&row->elem, dest, h * SPAN + k, expected),
              "i%s%s %s, %zu blocks of %zu, strides %td and %td, from PE %d to PE %d on %s: element %zu",
              row->blocks ? "b" : "", what, row->elem.name, s->nblocks, s->bsize, s->dst, s->sst, from, to,
              place->name, k);
    }
}

static void fill(const struct elem *e, char *array, int from, int to, unsigned salt)
{
    for (size_t i = 0; i < SHAPES * SPAN; i++)
        set_elem(e, array, i, pattern_to(from, to, i, salt));
}

static void set_background(const struct elem *e, char *array)
{
    for (size_t i = 0; i < SHAPES * SPAN; i++)
        set_elem(e, array, i, pattern(me, i, BACKGROUND));
}

/* Puts go to the PE at this distance on one side, gets come from the other side. */
static void try_row(const struct row *row, const struct place *place, char *dest, char *source, unsigned salt)
{
    const int distance = (int)(salt % (unsigned)n_pes);
    const int right = (me + distance) % n_pes, left = (me + n_pes - distance) % n_pes;
    _Alignas(ELEM_MAX) memory put_from, get_to;
    fill(&row->elem, put_from, me, right, salt);
    fill(&row->elem, source, me, right, salt);
    set_background(&row->elem, dest);
    set_background(&row->elem, get_to);
    shmem_barrier_all();
    put_all(row, place, dest, put_from, right);
    get_all(row, place, get_to, source, left);
    shmem_barrier_all();
    for (unsigned h = 0; h < shapes_of(row); h++) {
        check_shape(row, "put", place, dest, h, left, me, salt);
        check_shape(row, "get", place, get_to, h, left, me, salt);
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
    for (unsigned r = 0; r < ROWS; r++)
        for (unsigned p = 0; p < PLACES; p++, salt++) {
            memory *memories = (r + p) % 2 ? heap : static_memory;
            try_row(&rows[r], &places[p], memories[0], memories[1], salt);
        }
    shmem_free(heap);
    close_places(places);
    shmem_finalize();
    return check_result();
}
