/* pes: 1 2 4 */
/* Coindexed assignments: random sections of all types and kinds, by puts, gets, and copies from one image to another,
 * with every method, near and far. The test compares them with a model that copies element by element. It compares
 * whole areas, so that it also detects a byte written beside a section.
 *
 * usage: core_sections [cases [seed]]
 *        core_sections large              (sections of more than 2 GiB; wants 12 GiB of memory per image) */
#include "caf/access/far.h"
#include "caf/access/order.h"
#include "caf/memory/heap.h"
#include "check.h"

#include <string.h>

__extension__ typedef __int128 int128;
__extension__ typedef __float128 float128;

enum { SMALL = 48 << 10, BIG = 1 << 20, MARGIN = 64 };

static int me, n_pes;
static size_t area = SMALL; /* bytes of the area with sections and their surroundings */
static char *models[2], *own[2]; /* areas: the expected contents, and this image's contents */
static char *symmetric[2];       /* a part for every image that uses it */
static struct { char **of; } hidden[2]; /* parts in memory that is not symmetric: the address on each PE */

/* --- random sections ---------------------------------------------------------------------------------------------- */

static uint64_t state;

static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}

static size_t below(size_t n)
{
    return (size_t)(random_bits() >> 20) % n;
}

static void fill(char *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 8)
        memcpy(p + i, &(uint64_t){random_bits()}, 8);
}

struct type {
    enum caf_type type;
    int kind;
    size_t size;
};
static const struct type numbers[] = {
    {CAF_INTEGER, 1, 1}, {CAF_INTEGER, 2, 2}, {CAF_INTEGER, 4, 4}, {CAF_INTEGER, 8, 8}, {CAF_INTEGER, 16, 16},
    {CAF_REAL, 4, 4}, {CAF_REAL, 8, 8}, {CAF_REAL, 10, 16}, {CAF_REAL, 16, 16},
    {CAF_COMPLEX, 4, 8}, {CAF_COMPLEX, 8, 16}, {CAF_COMPLEX, 10, 32}, {CAF_COMPLEX, 16, 32},
};
static const struct type logicals[] = {
    {CAF_LOGICAL, 1, 1}, {CAF_LOGICAL, 2, 2}, {CAF_LOGICAL, 4, 4}, {CAF_LOGICAL, 8, 8}, {CAF_LOGICAL, 16, 16},
};
static const struct type same[] = {
    {CAF_INTEGER, 1, 1}, {CAF_INTEGER, 2, 2}, {CAF_INTEGER, 4, 4}, {CAF_REAL, 8, 8}, {CAF_COMPLEX, 8, 16},
    {CAF_DERIVED, 0, 3}, {CAF_DERIVED, 0, 12}, {CAF_DERIVED, 0, 24}, {CAF_DERIVED, 0, 40}, {CAF_DERIVED, 0, 100},
    {CAF_CHARACTER, 1, 7}, {CAF_CHARACTER, 4, 20}, {CAF_CHARACTER, 1, 0},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers, LOGICALS = sizeof logicals / sizeof *logicals,
       SAME = sizeof same / sizeof *same, PAIRS = NUMBERS * NUMBERS };

/* All pairs of number types one after the other, interleaved with the other types. */
static void choose_types(long number, struct type *to, struct type *from)
{
    switch (number % 4) {
    case 0:
        *to = numbers[(number / 4) % NUMBERS];
        *from = numbers[(number / 4 / NUMBERS) % NUMBERS];
        break;
    case 1:
        *to = logicals[below(LOGICALS)];
        *from = logicals[below(LOGICALS)];
        break;
    case 2:
        *to = (struct type){CAF_CHARACTER, below(2) ? 1 : 4, below(12)};
        *from = (struct type){CAF_CHARACTER, below(2) ? 1 : 4, below(12)};
        to->size *= (size_t)to->kind;
        from->size *= (size_t)from->kind;
        break;
    default:
        *to = *from = same[below(SAME)];
        break;
    }
}

/* A section with those counts somewhere in the area. The dimensions of its array are in any order in memory, with gaps
 * and steps of either sign, or with index vectors, in which a stored element occurs once.  False: it does not fit. */
static bool place(struct caf_section *s, struct type t, int rank, const size_t *counts, char *around, bool once,
                  ptrdiff_t (*vectors)[64])
{
    size_t stride = t.size + (below(3) == 0 ? below(3) * 4 : 0);
    int order[CAF_RANK];
    const bool transposed = below(area == SMALL ? 4 : 2) == 0;
    *s = (struct caf_section){.type = t.type, .kind = t.kind, .size = t.size, .rank = rank};
    for (int i = 0; i < rank; i++) {
        order[i] = i;
        if (transposed) {
            const int j = (int)below((size_t)i + 1);
            order[i] = order[j];
            order[j] = i;
        }
    }
    ptrdiff_t start = 0;
    for (int i = 0; i < rank; i++) {
        struct caf_dim *d = &s->dim[order[i]];
        const size_t count = counts[order[i]], step = below(2) ? 1 : 1 + below(3);
        const size_t extent = (count ? (count - 1) * step : 0) + 1 + (below(3) == 0 ? below(3) : 0);
        d->count = count;
        d->step = (ptrdiff_t)(stride * step);
        if (below(area == SMALL ? 5 : 20) == 0 && count <= 64) {
            d->vector = vectors[order[i]];
            for (size_t k = 0; k < count; k++)
                vectors[order[i]][k] = once ? (ptrdiff_t)k : (ptrdiff_t)below(count);
            for (size_t k = count; once && k-- > 1;) {
                const size_t other = below(k + 1);
                const ptrdiff_t v = vectors[order[i]][k];
                vectors[order[i]][k] = vectors[order[i]][other];
                vectors[order[i]][other] = v;
            }
        } else if (below(3) == 0) {
            start += (ptrdiff_t)(count ? count - 1 : 0) * d->step;
            d->step = -d->step;
        }
        stride *= extent;
        if (stride > area - 2 * MARGIN)
            return false;
    }
    const size_t room = area - 2 * MARGIN - stride - t.size;
    s->base = around + MARGIN + start + below(room + 1) / 4 * 4;
    return stride + t.size <= area - 2 * MARGIN;
}

static char *element(const struct caf_section *s, size_t number)
{
    char *p = s->base;
    for (int i = 0; i < s->rank; i++) {
        const struct caf_dim *d = &s->dim[i];
        const size_t k = number % d->count;
        p += (d->vector ? d->vector[k] : (ptrdiff_t)k) * d->step;
        number /= d->count;
    }
    return p;
}

static size_t elements(const struct caf_section *s)
{
    size_t n = 1;
    for (int i = 0; i < s->rank; i++)
        n *= s->dim[i].count;
    return n;
}

/* --- assignment, one element at a time ---------------------------------------------------------------------------- */

static void store_integer(char *p, int kind, int128 x)
{
    memcpy(p, &x, (size_t)kind);
}

static int128 load_integer(const char *p, int kind)
{
    int128 x = 0;
    memcpy((char *)&x + 16 - kind, p, (size_t)kind);
    return x >> (8 * (16 - kind));
}

static void store_real(char *p, int kind, float128 x)
{
    const float x4 = (float)x;
    const double x8 = (double)x;
    const long double x10 = (long double)x;
    memcpy(p, kind == 4 ? (const void *)&x4 : kind == 8 ? (const void *)&x8 : kind == 10 ? (const void *)&x10 : &x,
           kind == 10 ? 16 : (size_t)kind);
}

static float128 load_real(const char *p, int kind)
{
    float x4;
    double x8;
    long double x10;
    float128 x16;
    switch (kind) {
    case 4: memcpy(&x4, p, 4); return x4;
    case 8: memcpy(&x8, p, 8); return x8;
    case 10: memcpy(&x10, p, 16); return x10;
    default: memcpy(&x16, p, 16); return x16;
    }
}

static void assign_characters(char *to, struct type t, const char *from, struct type f)
{
    for (size_t i = 0; i < t.size / (size_t)t.kind; i++) {
        uint32_t c = ' ';
        if (i < f.size / (size_t)f.kind) {
            c = 0;
            memcpy(&c, from + i * (size_t)f.kind, (size_t)f.kind);
        }
        if (t.kind == 1 && c > 255)
            c = '?';
        memcpy(to + i * (size_t)t.kind, &c, (size_t)t.kind);
    }
}

static bool is_integer(struct type t)
{
    return t.type == CAF_INTEGER || t.type == CAF_LOGICAL;
}

static void assign(char *to, struct type t, const char *from, struct type f)
{
    if (t.type == f.type && t.kind == f.kind && t.size == f.size) {
        memcpy(to, from, t.size);
    } else if (t.type == CAF_CHARACTER) {
        assign_characters(to, t, from, f);
    } else if (is_integer(t)) {
        store_integer(to, t.kind, is_integer(f) ? load_integer(from, f.kind) : (int128)load_real(from, f.kind));
    } else {
        if (is_integer(f)) { /* rounded once, from the integer itself */
            const int128 x = load_integer(from, f.kind);
            const float x4 = (float)x;
            const double x8 = (double)x;
            const long double x10 = (long double)x;
            store_real(to, t.kind, t.kind == 4 ? x4 : t.kind == 8 ? x8 : t.kind == 10 ? x10 : (float128)x);
        } else {
            store_real(to, t.kind, load_real(from, f.kind));
        }
        if (t.type == CAF_COMPLEX)
            store_real(to + t.size / 2, t.kind, f.type == CAF_COMPLEX ? load_real(from + f.size / 2, f.kind) : 0);
    }
}

/* Values for which the conversion is defined: reals that fit, with a fraction; valid logicals. */
static void set_element(char *p, struct type f, struct type t)
{
    const int bits = t.type == CAF_INTEGER ? 8 * t.kind - 2 : 90;
    if (f.type == CAF_LOGICAL) {
        store_integer(p, f.kind, random_bits() >> 63);
    } else if (f.type == CAF_CHARACTER) {
        for (size_t i = 0; f.kind == 4 && i < f.size; i += 4)
            memcpy(p + i, &(uint32_t){(uint32_t)random_bits() >> (below(2) ? 24 : 4)}, 4);
    } else if (f.type == CAF_REAL || f.type == CAF_COMPLEX) {
        const size_t parts = f.type == CAF_COMPLEX ? 2 : 1;
        for (size_t i = 0; i < parts; i++) {
            float128 x = (float128)(int64_t)random_bits() / ((int64_t)1 << 62);
            for (size_t k = below((size_t)bits + 1); k > 0; k--)
                x *= 2;
            store_real(p + i * f.size / 2, f.kind, x / 2);
        }
    }
}

/* --- a case ------------------------------------------------------------------------------------------------------- */

enum way { PUT, GET, PUT_GET, WAYS };

/* The expected contents of an area, and the address of the real one. */
struct place {
    int pe;
    char *area;
    bool foreign;
    char *model;
};

struct test {
    enum way way;
    struct type t, f;
    struct place to_place, from_place;
    struct caf_section to, from; /* in the models */
    ptrdiff_t to_vectors[CAF_RANK][64], from_vectors[CAF_RANK][64];
};

static bool choose_sections(struct test *c)
{
    size_t counts[CAF_RANK], total = 1;
    const int rank = (int)(area == SMALL ? below(8) : 1 + below(4));
    for (int i = 0; i < rank; i++) {
        const size_t most = rank == 1 ? 600 : rank == 2 ? 50 : rank <= 4 ? 9 : 4, more = area == SMALL ? 1 : 6;
        counts[i] = below(9) == 0 ? 1 : below(60) == 0 ? 0 : 1 + below(most * more);
        total *= counts[i];
    }
    if (total * (c->t.size > c->f.size ? c->t.size : c->f.size) > area / 2)
        return false;
    const int from_rank = below(8) == 0 ? 0 : rank;
    return place(&c->to, c->t, rank, counts, c->to_place.model, true, c->to_vectors) &&
           place(&c->from, c->f, from_rank, counts, c->from_place.model, false, c->from_vectors);
}

/* The data on another image is in the part of that image's memory which only this image uses. */
static struct place choose_place(int pe, int which, bool foreign)
{
    struct place p = {.pe = pe, .model = models[which]};
    p.foreign = foreign;
    p.area = (foreign ? hidden[which].of[pe] : symmetric[which]) + (size_t)me * BIG;
    return p;
}

static struct place own_place(int which)
{
    return (struct place){.pe = me, .model = models[which], .area = own[which]};
}

static void choose_places(struct test *c)
{
    const int pe = (int)below((size_t)n_pes), other = (int)below((size_t)n_pes);
    const bool foreign = below(6) == 0;
    c->way = (enum way)below(WAYS);
    c->to_place = c->way == GET ? own_place(0) : choose_place(pe, 0, foreign);
    c->from_place = c->way == PUT ? own_place(1) : choose_place(other, 1, foreign);
    if (below(4) == 0) { /* one area for both sections, so that they overlap */
        if (c->way != PUT_GET)
            c->to_place = choose_place(me, 0, foreign);
        c->from_place = c->to_place;
    }
}

static void set_up(const struct place *p)
{
    if (p->foreign)
        CHECK(caf_reach_write(p->pe, p->area, p->model, area), "PE %d", p->pe);
    else if (p->area == own[0] || p->area == own[1])
        memcpy(p->area, p->model, area);
    else
        shmem_putmem(p->area, p->model, area, p->pe);
}

/* Compares the area with its model. The get must return the data of earlier puts, because coindexed accesses rely on
 * this order. */
static bool is_as_it_should_be(const struct place *p, const struct caf_section *s)
{
    static char seen[BIG];
    if (p->foreign)
        CHECK(caf_reach_read(p->pe, seen, p->area, area), "PE %d", p->pe);
    else
        caf_get_bytes(p->pe, seen, p->area, area);
    /* Six bytes of a REAL(10) are padding. */
    for (size_t i = 0; s->kind == 10 && i < elements(s); i++)
        for (char *part = element(s, i), *end = part + s->size; part < end; part += 16)
            memcpy(part + 10, seen + (part + 10 - p->model), 6);
    return memcmp(seen, p->model, area) == 0;
}

/* The whole right-hand side is evaluated before the first element is stored. */
static void compute(struct test *c)
{
    const size_t n = elements(&c->to);
    char *values = malloc(n * c->t.size + 1);
    for (size_t i = 0; i < n; i++)
        assign(values + i * c->t.size, c->t, element(&c->from, c->from.rank ? i : 0), c->f);
    for (size_t i = 0; i < n; i++)
        memcpy(element(&c->to, i), values + i * c->t.size, c->t.size);
    free(values);
}

static struct caf_section real(const struct caf_section *s, const struct place *p)
{
    struct caf_section r = *s;
    r.base = p->area + (s->base - p->model);
    r.foreign = p->foreign;
    return r;
}

static void run_case(long number)
{
    static struct test c;
    static const char *const ways[] = {"put", "get", "put_get"};
    choose_types(number, &c.t, &c.f);
    choose_places(&c);
    while (!choose_sections(&c))
        continue;
    fill(models[0], area);
    fill(models[1], area);
    for (size_t i = 0; i < elements(&c.from) && elements(&c.to) > 0; i++)
        set_element(element(&c.from, i), c.f, c.t);
    set_up(&c.to_place);
    set_up(&c.from_place);
    shmem_quiet();
    compute(&c);
    const struct caf_section to = real(&c.to, &c.to_place), from = real(&c.from, &c.from_place);
    switch (c.way) {
    case PUT: caf_put(c.to_place.pe, &to, &from); break;
    case GET: caf_get(c.from_place.pe, &to, &from); break;
    default: caf_put_get(c.to_place.pe, &to, c.from_place.pe, &from); break;
    }
    const bool right = is_as_it_should_be(&c.to_place, &c.to) && is_as_it_should_be(&c.from_place, &c.from);
    CHECK(right, "case %ld, %s to %d from %d, method %d, %s%s, rank %d and %d, type %d kind %d size %zu to type %d "
          "kind %d size %zu", number, ways[c.way], c.to_place.pe, c.from_place.pe, (int)caf_strided,
          caf_peers_are_far ? "far" : "near", to.foreign ? ", foreign" : "", to.rank, from.rank, (int)from.type,
          from.kind, from.size, (int)to.type, to.kind, to.size);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* Several accesses without synchronization between them. */
static void test_order(void)
{
    const int pe = (me + 1) % n_pes;
    uint64_t *word = (uint64_t *)(void *)(symmetric[0] + (size_t)me * BIG), seen;
    for (uint64_t i = 1; i <= 200; i++) {
        const uint64_t first = ~i, second = i << 40 | (uint64_t)me;
        uint64_t all[32];
        caf_put_bytes(pe, word, &first, sizeof first);
        caf_put_bytes(pe, word, &second, sizeof second);
        caf_get_bytes(pe, &seen, word, sizeof seen);
        CHECK(seen == second, "PE %d: %#llx", pe, (unsigned long long)seen);
        const struct caf_section one = {.base = (char *)&first, .type = CAF_INTEGER, .kind = 8, .size = 8};
        struct caf_section many = one;
        many.base = (char *)(word + 1);
        many.rank = 1;
        many.dim[0] = (struct caf_dim){.count = 16, .step = 16};
        caf_put(pe, &many, &one);
        caf_put_bytes(pe, word + 1, &second, sizeof second);
        caf_get_bytes(pe, all, word + 1, sizeof all);
        CHECK(all[0] == second && all[2] == first && all[30] == first, "PE %d", pe);
    }
    caf_complete_puts();
}

/* --- large sections ----------------------------------------------------------------------------------------------- */

static int test_large(void)
{
    const size_t rows = 70000, columns = 32768; /* 2.1 GiB */
    const int pe = (me + 1) % n_pes;
    unsigned char *far = shmem_malloc(rows * columns), *near = malloc(2 * rows * columns);
    CHECK(far && near, "no memory");
    if (!far || !near)
        return check_result();
    struct caf_section to = {.base = (char *)far, .type = CAF_INTEGER, .kind = 1, .size = 1, .rank = 2}, from = to;
    to.dim[0] = (struct caf_dim){.count = columns, .step = 1};
    to.dim[1] = (struct caf_dim){.count = rows, .step = (ptrdiff_t)columns};
    from.base = (char *)near + 2 * rows * columns - 2;
    from.dim[0] = (struct caf_dim){.count = columns, .step = -2};
    from.dim[1] = (struct caf_dim){.count = rows, .step = -2 * (ptrdiff_t)columns};
    for (size_t i = 0; i < rows * columns; i++)
        near[2 * i] = (unsigned char)((i * 0x9e3779b97f4a7c15 >> 33) + (size_t)me);
    caf_put(pe, &to, &from);
    caf_complete_puts();
    shmem_barrier_all();
    const size_t last = rows * columns - 1;
    const int from_pe = (me + n_pes - 1) % n_pes;
    size_t wrong = 0;
    for (size_t i = 0; i <= last; i++)
        wrong += far[i] != (unsigned char)(((last - i) * 0x9e3779b97f4a7c15 >> 33) + (size_t)from_pe);
    CHECK(wrong == 0, "put: %zu elements", wrong);
    memset(near, 0xa5, 2 * rows * columns);
    shmem_barrier_all();
    caf_get(pe, &from, &to);
    wrong = 0;
    for (size_t i = 0; i <= last; i++)
        wrong += near[2 * i] != (unsigned char)((i * 0x9e3779b97f4a7c15 >> 33) + (size_t)me) || near[2 * i + 1] != 0xa5;
    CHECK(wrong == 0, "get: %zu elements", wrong);
    return check_result();
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static void begin(void)
{
    for (int i = 0; i < 2; i++) {
        models[i] = malloc(BIG);
        own[i] = malloc(BIG);
        symmetric[i] = caf_heap_allocate((size_t)n_pes * BIG);
        hidden[i].of = caf_heap_allocate((size_t)n_pes * sizeof(char *));
        char *here = aligned_alloc(64, (size_t)n_pes * BIG);
        for (int pe = 0; pe < n_pes; pe++)
            shmem_putmem(&hidden[i].of[me], &here, sizeof here, pe);
    }
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    caf_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    state = 0x1234567 + (argc > 2 ? strtoull(argv[2], NULL, 10) : 0) * 977 + (uint64_t)me * 0x9e3779b97f4a7c15;
    if (argc > 1 && strcmp(argv[1], "large") == 0) {
        const int result = test_large();
        caf_finalize();
        return result;
    }
    const long cases = argc > 1 ? strtol(argv[1], NULL, 10) : 16 * PAIRS;
    begin();
    for (long i = 0; i < cases; i++) {
        area = i % 16 / 4 == 3 && i % 3 == 0 ? BIG : SMALL; /* big areas need tiles and chunks */
        caf_strided = (enum caf_strided)(i / 4 % (CAF_STRIDED_MATRIX + 1));
        caf_peers_are_far = below(3) > 0;
        run_case(i);
        caf_complete_puts();
    }
    caf_strided = CAF_STRIDED_AUTO;
    for (int far = 0; far < 2; far++) {
        caf_peers_are_far = far;
        test_order();
    }
    shmem_barrier_all();
    caf_finalize();
    return check_result();
}
