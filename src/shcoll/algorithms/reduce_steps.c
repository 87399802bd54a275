/* Reductions: the steps that algorithms share.
 *
 * dest is ready on every member before any member enters, so it holds the partial results: no algorithm needs a work
 * array. A member's source is its first partial result, and may be read after the member has entered. */
#include "reduce_blocks.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

const void *shcoll_look(const struct shcoll_group *g, enum shcoll_form form, const void *sym, size_t bytes,
                        int position, void *buffer)
{
    if (form == FORM_PTR)
        return view(g, sym, bytes, position, buffer);
    if (bytes)
        shmem_getmem(buffer, sym, bytes, pe_of(g, position));
    return buffer;
}

/* Writes into a member's memory: by a put, or with FORM_PTR by stores if that is possible. */
static void store(const struct shcoll_group *g, enum shcoll_form form, void *sym, const void *data, size_t bytes,
                  int position)
{
    const int pe = pe_of(g, position);
    void *p = position == g->me ? sym : form == FORM_PTR ? shmem_ptr(sym, pe) : NULL;
    if (!p && bytes)
        shmem_putmem(sym, data, bytes, pe); /* only to other PEs: no flag follows that orders a put to itself */
    if (!p || !bytes)
        return;
    memcpy(p, data, bytes);
    if (position != g->me)
        charge_store(sym, bytes, pe);
}

static char *at_element(const struct shcoll_call *c, size_t i)
{
    return (char *)c->dest + i * c->size;
}

/* into may be mine; buffer has space for all bytes, and may contain theirs. */
static void merge_block(const struct shcoll_op *op, char *into, const char *mine, const char *theirs, bool theirs_first,
                        size_t bytes, char *buffer)
{
    const size_t n = bytes / op->size;
    if (!theirs_first) {
        if (into != mine)
            memcpy(into, mine, bytes);
        combine(op, into, theirs, n);
    } else if (into != mine) {
        memcpy(into, theirs, bytes);
        combine(op, into, mine, n);
    } else {
        if (theirs != buffer)
            memcpy(buffer, theirs, bytes);
        combine(op, buffer, mine, n);
        memcpy(into, buffer, bytes);
    }
}

/* A block from another node takes a round trip. Such blocks are larger, and the next block travels while this member
 * combines one. */
enum { FAR_BLOCK = 64 << 10 };

static void merge_far(const struct shcoll_group *g, const struct shcoll_call *c, struct merge m)
{
    _Alignas(LINE) char buffers[2][FAR_BLOCK];
    const size_t block = FAR_BLOCK / c->size;
    const int pe = pe_of(g, m.with);
    size_t n = m.range.to - m.range.from < block ? m.range.to - m.range.from : block, next;
    if (n)
        shmem_getmem(buffers[0], (const char *)m.theirs + m.range.from * c->size, n * c->size, pe);
    for (size_t i = m.range.from, turn = 0; i < m.range.to; i += n, n = next, turn = 1 - turn) {
        const size_t at = i * c->size, left = m.range.to - i - n;
        next = left < block ? left : block;
        if (next)
            shmem_getmem_nbi(buffers[1 - turn], (const char *)m.theirs + (i + n) * c->size, next * c->size, pe);
        merge_block(c->op, (char *)c->dest + at, (const char *)m.mine + at, buffers[turn], m.with < g->me, n * c->size,
                    buffers[turn]);
        if (next)
            shmem_quiet(); /* MUTANT far operands are waited for */
    }
}

static bool is_far(const struct shcoll_group *g, const void *sym, int position)
{
    return !shmem_ptr(sym, pe_of(g, position));
}

void shcoll_merge(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, struct merge m)
{
    if (is_far(g, m.theirs, m.with)) {
        merge_far(g, c, m);
        if (m.both)
            store(g, FORM_PUT, at_element(c, m.range.from), at_element(c, m.range.from),
                  (m.range.to - m.range.from) * c->size, m.with);
        return;
    }
    _Alignas(LINE) char buffer[BLOCK_BYTES];
    const size_t block = block_of(c);
    for (size_t i = m.range.from; i < m.range.to; i += block) {
        const size_t at = i * c->size, bytes = (m.range.to - i < block ? m.range.to - i : block) * c->size;
        char *into = (char *)c->dest + at;
        const void *theirs = shcoll_look(g, form, (const char *)m.theirs + at, bytes, m.with, buffer);
        merge_block(c->op, into, (const char *)m.mine + at, theirs, m.with < g->me, bytes, buffer);
        if (m.both)
            store(g, form, into, into, bytes, m.with);
    }
}

/* Between nodes, if no operand is in dest: each of two members puts the operands of the other's half into the other's
 * dest, and may then put its half of the result. It puts pieces, and combines one piece while others travel. */
enum { PIECE_BYTES = 256 << 10 };

static size_t end_of_piece(const struct shcoll_call *c, size_t from, size_t end)
{
    const size_t piece = PIECE_BYTES / c->size;
    return end - from < piece ? end : from + piece;
}

/* Puts a piece of a vector; returns where the next one begins. */
static size_t give_piece(const struct shcoll_group *g, const struct shcoll_call *c, int flag, const void *vector,
                         size_t from, size_t end, int position)
{
    const size_t next = end_of_piece(c, from, end);
    if (from < end)
        deliver(g, FORM_SIGNAL, flag, position, at_element(c, from), (const char *)vector + from * c->size,
                (next - from) * c->size);
    return next;
}

static void combine_with_dest(const struct shcoll_call *c, const void *mine, bool mine_first, size_t from, size_t end)
{
    const size_t block = block_of(c);
    for (size_t i = from, n; i < end; i += n) {
        n = end - i < block ? end - i : block;
        (mine_first ? combine_before : combine)(c->op, at_element(c, i), (const char *)mine + i * c->size, n);
    }
}

/* Puts the operands of the other member's range into that member's dest, and combines the operands of this member's
 * range; signals each piece of the result that it returns. */
static void swap_by_puts(const struct shcoll_group *g, const struct shcoll_call *c, int round, struct merge m,
                         struct range theirs, bool returns)
{
    size_t given = give_piece(g, c, FLAG_DATA, m.mine, theirs.from, theirs.to, m.with);
    for (size_t i = m.range.from, next; i < m.range.to; i = next) {
        next = end_of_piece(c, i, m.range.to);
        expect(g, FLAG_DATA, m.with, 1);
        given = give_piece(g, c, FLAG_DATA, m.mine, given, theirs.to, m.with);
        combine_with_dest(c, m.mine, g->me < m.with, i, next);
        if (returns)
            give_piece(g, c, FLAG_DONE + round, c->dest, i, m.range.to, m.with);
    }
    while (given < theirs.to)
        given = give_piece(g, c, FLAG_DATA, m.mine, given, theirs.to, m.with);
}

static bool has_dest_free(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                          struct merge m)
{
    return form != FORM_PTR && m.mine == c->source && m.theirs == c->source && c->source != c->dest &&
        is_far(g, c->source, m.with);
}

void shcoll_swap(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int round,
                 struct merge m, struct range theirs)
{
    notify(g, FLAG_READY + round, m.with);
    expect(g, FLAG_READY + round, m.with, 1);
    if (has_dest_free(g, c, form, m))
        swap_by_puts(g, c, round, m, theirs, false);
    else
        shcoll_merge(g, c, form, m);
}

static void exchange_by_puts(const struct shcoll_group *g, const struct shcoll_call *c, int round, struct merge m)
{
    const bool lower = g->me < m.with;
    const struct range theirs = part_of(m.range, 2, lower, c->size);
    m.range = part_of(m.range, 2, !lower, c->size);
    notify(g, FLAG_READY + round, m.with);
    expect(g, FLAG_READY + round, m.with, 1);
    swap_by_puts(g, c, round, m, theirs, true);
    uint64_t pieces = 0;
    for (size_t i = theirs.from; i < theirs.to; i = end_of_piece(c, i, theirs.to))
        pieces++;
    expect(g, FLAG_DONE + round, m.with, pieces);
}

void shcoll_exchange(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int round,
                     struct merge m)
{
    if (has_dest_free(g, c, form, m)) {
        exchange_by_puts(g, c, round, m);
        return;
    }
    const bool lower = g->me < m.with, computes = form != FORM_PTR || lower, is_read = form != FORM_PTR || !lower;
    if (is_read)
        notify(g, FLAG_READY + round, m.with);
    if (computes) {
        if (form != FORM_PTR)
            m.range = part_of(m.range, 2, !lower, c->size);
        const bool gives = form != FORM_PTR; /* sends data and flag together */
        m.both = !gives;
        expect(g, FLAG_READY + round, m.with, 1);
        shcoll_merge(g, c, form, m);
        if (gives)
            shcoll_give(g, c, form, m.range, FLAG_DONE + round, m.with);
        else
            notify(g, FLAG_DONE + round, m.with);
    }
    if (is_read)
        expect(g, FLAG_DONE + round, m.with, 1);
}

void shcoll_give(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, struct range r,
                 int flag, int position)
{
    char *at = at_element(c, r.from);
    if (form != FORM_PTR) {
        deliver(g, FORM_SIGNAL, flag, position, at, at, (r.to - r.from) * c->size);
        return;
    }
    store(g, form, at, at, (r.to - r.from) * c->size, position);
    notify(g, flag, position);
}

void shcoll_spread(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form)
{
    const int reach = binomial_reach(g);
    if (g->me > 0)
        expect(g, FLAG_DATA, g->me - reach, 1);
    for (int d = reach / 2; d >= 1; d /= 2)
        if (g->me + d < g->size)
            shcoll_give(g, c, form, whole_of(c), FLAG_DATA, g->me + d);
}

/* Copies by streaming stores, if the processor has them: they bypass the caches and do not read the lines they
 * overwrite. */
static void stream(char *to, const char *from, size_t bytes)
{
    size_t i = 0;
#if defined(__SSE2__)
    i = -(uintptr_t)to % 16 < bytes ? -(uintptr_t)to % 16 : bytes;
    memcpy(to, from, i);
    for (; bytes - i >= 16; i += 16)
        _mm_stream_si128((__m128i *)(void *)(to + i), _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
    /* MUTANT streamed stores */
    _mm_sfence(); /* a flag that follows is an ordinary store, and would overtake them */
#endif
    memcpy(to + i, from + i, bytes - i);
}

/* From 16 MiB on, streaming takes half to two thirds of the time; below, it gains nothing. Reductions in place do not
 * stream: the lines to be written have just been read and are in a cache. */
static bool shall_stream(const struct shcoll_call *c)
{
    return call_bytes(c) >= (size_t)16 << 20 && c->dest != c->source;
}

void shcoll_reduce_range(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                         struct range r)
{
    _Alignas(LINE) char total[BLOCK_BYTES], buffer[BLOCK_BYTES];
    const size_t block = block_of(c);
    const bool streams = form == FORM_PTR && shall_stream(c);
    for (size_t i = r.from; i < r.to; i += block) {
        const size_t at = i * c->size, n = r.to - i < block ? r.to - i : block, bytes = n * c->size;
        const char *source = (const char *)c->source + at;
        char *dest = (char *)c->dest + at;
        memcpy(total, shcoll_look(g, form, source, bytes, 0, buffer), bytes);
        for (int j = 1; j < g->size; j++)
            combine(c->op, total, shcoll_look(g, form, source, bytes, j, buffer), n);
        for (int j = 1; j <= g->size; j++) { /* its own dest last: only the other dests are in other caches */
            const int position = position_after(g, j % g->size);
            if (c->to_root && position != c->root)
                continue;
            char *to = streams ? shmem_ptr(dest, pe_of(g, position)) : NULL;
            if (to && position != g->me)
                charge_store(dest, bytes, pe_of(g, position));
            if (to)
                stream(to, total, bytes);
            else
                store(g, form, dest, total, bytes, position);
        }
    }
}

void shcoll_reduce_on_ranks(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                            ranks_function *reduce)
{
    enum { FLAG_SHARING = FLAG_READY + ROUNDS - 1 }; /* free: if members share ranks, the last round is unused */
    const struct ranks r = ranks_of(g);
    const int lower = position_of(&r, r.me);
    if (g->size == 1)
        copy_source(c);
    if (g->me != lower) {
        notify(g, FLAG_SHARING, lower);
        expect(g, FLAG_DATA, lower, 1);
        return;
    }
    const bool shared = is_shared(&r, r.me);
    if (shared) {
        expect(g, FLAG_SHARING, lower + 1, 1);
        shcoll_merge(g, c, form, (struct merge){.with = lower + 1, .mine = c->source, .theirs = c->source,
                                                .range = whole_of(c)});
    }
    reduce(g, c, form, &r);
    if (shared)
        shcoll_give(g, c, form, whole_of(c), FLAG_DATA, lower + 1);
}

double shcoll_sharing_cost(const struct shcoll_cost *m)
{
    double count = 1;
    while (count * 2 <= m->size)
        count *= 2;
    return count == m->size ? 0 : cost_message(m, 1, 0, true) + cost_read(m, 1, m->bytes, 1) + m->bytes * m->gamma +
                                  cost_message(m, 1, m->bytes, true);
}
