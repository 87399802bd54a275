/* put, get, put_nbi and get_nbi: every type, every size and mem, with and without a context, to and from every PE,
 * in static and heap memory. */
#include "fill.h"

typedef void copy_fn(void *dest, const void *source, size_t nelems, int pe);
typedef void ctx_copy_fn(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);

struct row {
    struct elem elem;
    bool nbi;
    copy_fn *put, *get;
    ctx_copy_fn *ctx_put, *ctx_get;
};

#define ARGS void *dest, const void *source, size_t nelems, int pe
#define PUT(T, N) static void put_##N(ARGS) { shmem_##N##_put(dest, source, nelems, pe); }
#define GET(T, N) static void get_##N(ARGS) { shmem_##N##_get(dest, source, nelems, pe); }
#define CTX_PUT(T, N) static void ctx_put_##N(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_##N##_put(ctx, dest, source, nelems, pe); }
#define CTX_GET(T, N) static void ctx_get_##N(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_##N##_get(ctx, dest, source, nelems, pe); }
COPAL_TYPES_RMA(PUT)
COPAL_TYPES_RMA(GET)
COPAL_TYPES_RMA(CTX_PUT)
COPAL_TYPES_RMA(CTX_GET)

#define PUT_NBI(T, N) static void put_nbi_##N(ARGS) { shmem_##N##_put_nbi(dest, source, nelems, pe); }
#define GET_NBI(T, N) static void get_nbi_##N(ARGS) { shmem_##N##_get_nbi(dest, source, nelems, pe); }
#define CTX_PUT_NBI(T, N) static void ctx_put_nbi_##N(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_##N##_put_nbi(ctx, dest, source, nelems, pe); }
#define CTX_GET_NBI(T, N) static void ctx_get_nbi_##N(shmem_ctx_t ctx, ARGS) \
    { shmem_ctx_##N##_get_nbi(ctx, dest, source, nelems, pe); }
COPAL_TYPES_RMA(PUT_NBI)
COPAL_TYPES_RMA(GET_NBI)
COPAL_TYPES_RMA(CTX_PUT_NBI)
COPAL_TYPES_RMA(CTX_GET_NBI)

#define ROW(T, N) {ELEM(T, N), false, put_##N, get_##N, ctx_put_##N, ctx_get_##N},
#define ROW_NBI(T, N) {ELEM(T, N), true, put_nbi_##N, get_nbi_##N, ctx_put_nbi_##N, ctx_get_nbi_##N},
#define SIZE_ROW(B) {SIZE_ELEM(B), false, shmem_put##B, shmem_get##B, shmem_ctx_put##B, shmem_ctx_get##B},
#define SIZE_ROW_NBI(B) \
    {SIZE_ELEM(B), true, shmem_put##B##_nbi, shmem_get##B##_nbi, shmem_ctx_put##B##_nbi, shmem_ctx_get##B##_nbi},

static const struct row rows[] = {
    COPAL_TYPES_RMA(ROW)
    COPAL_TYPES_RMA(ROW_NBI)
    COPAL_SIZES(SIZE_ROW)
    COPAL_SIZES(SIZE_ROW_NBI)
    {MEM_ELEM, false, shmem_putmem, shmem_getmem, shmem_ctx_putmem, shmem_ctx_getmem},
    {MEM_ELEM, true, shmem_putmem_nbi, shmem_getmem_nbi, shmem_ctx_putmem_nbi, shmem_ctx_getmem_nbi},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Each PE has a slot for each other: a guard element, up to MOST elements, a guard element. */
enum { MAX_PES = 16, MOST = 12, SLOT = MOST + 2, BACKGROUND = 9999 };
typedef char memory[MAX_PES * SLOT * ELEM_MAX];
static _Alignas(ELEM_MAX) memory static_memory[2];

static int me, n_pes;

static void call_put(const struct row *row, const struct place *place, void *dest, const void *source, size_t n, int pe)
{
    if (place->plain)
        row->put(dest, source, n, pe);
    else
        row->ctx_put(place->ctx, dest, source, n, pe_in(place, pe));
}

static void call_get(const struct row *row, const struct place *place, void *dest, const void *source, size_t n, int pe)
{
    if (place->plain)
        row->get(dest, source, n, pe);
    else
        row->ctx_get(place->ctx, dest, source, n, pe_in(place, pe));
}

static void *elem_at(const struct elem *e, void *array, size_t i)
{
    return (char *)array + i * e->size;
}

static void set_background(const struct elem *e, void *array)
{
    for (size_t i = 0; i < (size_t)n_pes * SLOT; i++)
        set_elem(e, array, i, pattern(me, i, BACKGROUND));
}

/* What slot `slot` must hold: `count` elements of pattern_to(from, to) between untouched background. */
static void check_slot(const struct row *row, const char *what, const struct place *place, const void *array, int slot,
                       size_t count, int from, int to, unsigned salt)
{
    for (size_t k = 0; k < SLOT; k++) {
        const size_t i = (size_t)slot * SLOT + k;
        const bool data = k >= 1 && k <= count;
        const uint64_t expected = data ? pattern_to(from, to, k, salt) : pattern(me, i, BACKGROUND);
        CHECK(elem_is(&row->elem, array, i, expected), "%s%s of %zu x %s from PE %d to PE %d on %s: element %zu",
              what, row->nbi ? "_nbi" : "", count, row->elem.name, from, to, place->name, k);
    }
}

static void try_put(const struct row *row, const struct place *place, void *dest, size_t count, unsigned salt)
{
    _Alignas(ELEM_MAX) memory source;
    for (int k = 0; k < n_pes; k++) {
        const int pe = (me + k) % n_pes;
        void *from = elem_at(&row->elem, source, (size_t)pe * SLOT);
        for (size_t i = 0; i < SLOT; i++)
            set_elem(&row->elem, from, i, pattern_to(me, pe, i, salt));
        call_put(row, place, elem_at(&row->elem, dest, (size_t)me * SLOT), from, 0, pe);
        call_put(row, place, elem_at(&row->elem, dest, (size_t)me * SLOT + 1), elem_at(&row->elem, from, 1), count, pe);
        if (!row->nbi) /* source may be reused at once */
            memset(from, 0x5a, SLOT * row->elem.size);
    }
    shmem_ctx_quiet(place->ctx);
}

static void try_get(const struct row *row, const struct place *place, const void *source, size_t count, unsigned salt)
{
    _Alignas(ELEM_MAX) memory dest;
    set_background(&row->elem, dest);
    for (int pe = 0; pe < n_pes; pe++) {
        void *to = elem_at(&row->elem, dest, (size_t)pe * SLOT);
        const void *from = (const char *)source + ((size_t)me * SLOT + 1) * row->elem.size;
        call_get(row, place, to, from, 0, pe);
        call_get(row, place, elem_at(&row->elem, to, 1), from, count, pe);
    }
    if (row->nbi)
        shmem_ctx_quiet(place->ctx);
    for (int pe = 0; pe < n_pes; pe++)
        check_slot(row, "get", place, dest, pe, count, pe, me, salt);
}

/* One row in one place.  Puts go to dest; gets read source, which every PE fills with one slot for each reader. */
static void try_row(const struct row *row, const struct place *place, void *dest, void *source, unsigned salt)
{
    const size_t count = 1 + salt * 5 % MOST;
    set_background(&row->elem, dest);
    for (int reader = 0; reader < n_pes; reader++)
        for (size_t k = 0; k < SLOT; k++)
            set_elem(&row->elem, source, (size_t)reader * SLOT + k, pattern_to(me, reader, k, salt));
    shmem_barrier_all();
    try_put(row, place, dest, count, salt);
    try_get(row, place, source, count, salt);
    shmem_barrier_all();
    for (int from = 0; from < n_pes; from++)
        check_slot(row, "put", place, dest, from, count, from, me, salt);
    /* No barrier here: the next row's first one keeps its puts out until all have checked. */
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
    if (n_pes > MAX_PES || !heap)
        shmem_global_exit(1);
    for (unsigned r = 0; r < ROWS; r++)
        for (unsigned p = 0; p < PLACES; p++) {
            memory *memories = (r + p) % 2 ? heap : static_memory;
            try_row(&rows[r], &places[p], memories[0], memories[1], r * PLACES + p);
        }
    shmem_free(heap);
    close_places(places);
    shmem_finalize();
    return check_result();
}
