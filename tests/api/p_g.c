/* p and g: every type, with and without a context, to and from every PE, in static and heap memory. */
#include "fill.h"

typedef void p_fn(void *dest, const void *value, int pe);
typedef void g_fn(void *value, const void *source, int pe);
typedef void ctx_p_fn(shmem_ctx_t ctx, void *dest, const void *value, int pe);
typedef void ctx_g_fn(shmem_ctx_t ctx, void *value, const void *source, int pe);

struct row {
    struct elem elem;
    p_fn *p;
    g_fn *g;
    ctx_p_fn *ctx_p;
    ctx_g_fn *ctx_g;
};

#define P(T, N) static void p_##N(void *dest, const void *value, int pe) { shmem_##N##_p(dest, *(const T *)value, pe); }
#define G(T, N) static void g_##N(void *value, const void *source, int pe) { *(T *)value = shmem_##N##_g(source, pe); }
#define CTX_P(T, N) static void ctx_p_##N(shmem_ctx_t ctx, void *dest, const void *value, int pe) \
    { shmem_ctx_##N##_p(ctx, dest, *(const T *)value, pe); }
#define CTX_G(T, N) static void ctx_g_##N(shmem_ctx_t ctx, void *value, const void *source, int pe) \
    { *(T *)value = shmem_ctx_##N##_g(ctx, source, pe); }
COPAL_TYPES_RMA(P)
COPAL_TYPES_RMA(G)
COPAL_TYPES_RMA(CTX_P)
COPAL_TYPES_RMA(CTX_G)

#define ROW(T, N) {ELEM(T, N), p_##N, g_##N, ctx_p_##N, ctx_g_##N},
static const struct row rows[] = {COPAL_TYPES_RMA(ROW)};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* A row has two elements for each PE: the even one is written, the odd one must stay as it is. */
enum { MAX_PES = 16, BACKGROUND = 9999 };
typedef char memory[ROWS][2 * MAX_PES * ELEM_MAX];
static _Alignas(ELEM_MAX) memory static_dest, static_source;

static int me, n_pes;

static void *elem_at(const struct elem *e, void *array, size_t i)
{
    return (char *)array + i * e->size;
}

static void write_all(const struct place *place, char (*dest)[2 * MAX_PES * ELEM_MAX])
{
    for (unsigned r = 0; r < ROWS; r++)
        for (int k = 0; k < n_pes; k++) {
            const int pe = (me + k) % n_pes;
            _Alignas(ELEM_MAX) char value[ELEM_MAX];
            set_elem(&rows[r].elem, value, 0, pattern_to(me, pe, r, 0));
            void *to = elem_at(&rows[r].elem, dest[r], 2 * (size_t)me);
            if (place->plain)
                rows[r].p(to, value, pe);
            else
                rows[r].ctx_p(place->ctx, to, value, pe_in(place, pe));
        }
    shmem_ctx_quiet(place->ctx);
}

static void read_all(const struct place *place, char (*source)[2 * MAX_PES * ELEM_MAX])
{
    for (unsigned r = 0; r < ROWS; r++)
        for (int pe = 0; pe < n_pes; pe++) {
            _Alignas(ELEM_MAX) char value[ELEM_MAX] = {0};
            const void *from = elem_at(&rows[r].elem, source[r], 2 * (size_t)me);
            if (place->plain)
                rows[r].g(value, from, pe);
            else
                rows[r].ctx_g(place->ctx, value, from, pe_in(place, pe));
            CHECK(elem_is(&rows[r].elem, value, 0, pattern_to(pe, me, r, 1)), "g of %s from PE %d on %s is wrong",
                  rows[r].elem.name, pe, place->name);
        }
}

static void check_written(const struct place *place, char (*dest)[2 * MAX_PES * ELEM_MAX])
{
    for (unsigned r = 0; r < ROWS; r++)
        for (int pe = 0; pe < n_pes; pe++) {
            const size_t at = 2 * (size_t)pe;
            CHECK(elem_is(&rows[r].elem, dest[r], at, pattern_to(pe, me, r, 0)), "p of %s from PE %d on %s is wrong",
                  rows[r].elem.name, pe, place->name);
            CHECK(elem_is(&rows[r].elem, dest[r], at + 1, pattern(me, at, BACKGROUND)),
                  "p of %s from PE %d on %s has changed the next element", rows[r].elem.name, pe, place->name);
        }
}

static void try_place(const struct place *place, char (*dest)[2 * MAX_PES * ELEM_MAX],
                      char (*source)[2 * MAX_PES * ELEM_MAX])
{
    for (unsigned r = 0; r < ROWS; r++)
        for (int pe = 0; pe < n_pes; pe++) {
            const size_t at = 2 * (size_t)pe;
            set_elem(&rows[r].elem, dest[r], at, pattern(me, at, BACKGROUND));
            set_elem(&rows[r].elem, dest[r], at + 1, pattern(me, at, BACKGROUND));
            set_elem(&rows[r].elem, source[r], at, pattern_to(me, pe, r, 1));
            set_elem(&rows[r].elem, source[r], at + 1, pattern(me, at, BACKGROUND));
        }
    shmem_barrier_all();
    write_all(place, dest);
    read_all(place, source);
    shmem_barrier_all();
    check_written(place, dest);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    struct place places[PLACES];
    open_places(places);
    char (*heap_dest)[2 * MAX_PES * ELEM_MAX] = shmem_malloc(sizeof static_dest);
    char (*heap_source)[2 * MAX_PES * ELEM_MAX] = shmem_malloc(sizeof static_source);
    CHECK(heap_dest && heap_source, "shmem_malloc of %zu bytes failed", sizeof static_dest);
    if (n_pes > MAX_PES || check_failures)
        shmem_global_exit(1);
    for (int p = 0; p < PLACES; p++) {
        try_place(&places[p], static_dest, static_source);
        try_place(&places[p], heap_dest, heap_source);
    }
    shmem_free(heap_source);
    shmem_free(heap_dest);
    close_places(places);
    shmem_finalize();
    return check_result();
}
