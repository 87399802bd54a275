/* Nests by puts and gets: the methods of the thesis (4.4), its future work, and the choice among them.
 *
 * The environment variable CAF_STRIDED selects one, for local images too, to compare them:
 *   naive   a put for each element (Algorithm 1)
 *   iput    shmem_iput along the first dimension, or Copal's put of blocks (Algorithm 2)
 *   2dim    shmem_iput along the first or the second dimension, whichever has more elements (2dim_strided)
 *   matrix  a put for each contiguous run (the matrix orientation)
 *   direct  loads and stores if the image is local, otherwise auto
 *   auto    loads and stores if the image is local; otherwise the cheapest method by number of calls, bytes moved and
 *           cache lines touched: one put or get if that side is contiguous, one get of the enclosing range if the
 *           elements are dense in it, iput, or a put for each run; with <shmemx.h>, puts and gets of blocks of any size
 *           and steps, many of which share a message
 * Gets use the corresponding methods. If the local side, or a conversion, does not suit the method, the local side is
 * packed in chunks. */
#include "far.h"
#include "move.h"
#include "order.h"

#include <errno.h>
#include <stdlib.h>

enum {
    LINE = 64,
    PAGE = 4096,
    PIECE = 256 << 10, /* bytes of a packed chunk: fits the second-level cache */
    CALL = 2048,       /* bytes that a network moves in the time of one small operation */
    RECORD = 128,      /* the same for a small operation that shares a message */
    MANY = 1024,       /* a small operation pays if its blocks have this many bytes */
    SOME = 64,         /* the same if the outer loop steps by whole pages (enough) */
};

enum caf_strided caf_strided;

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* A get is complete after the next quiet. */
static void copy_run(const struct caf_nest *n, void *context, char *to, const char *from)
{
    const struct caf_far *far = context;
    if (far->side == CAF_TO_SIDE)
        caf_put_far(far->pe, to, from, n->size);
    else
        shmem_getmem_nbi(to, from, n->size, far->pe);
}

/* size is 1, 2, 4, 8 or 16. With Copal, the elements may share a message with later puts. */
static void copy_strided(const struct caf_far *far, char *to, const char *from, ptrdiff_t to_stride,
                         ptrdiff_t from_stride, size_t count, size_t size)
{
#if CAF_HAVE_BLOCKS
    typedef void blocks(void *, const void *, ptrdiff_t, ptrdiff_t, size_t, size_t, int);
    blocks *const call = far->side == CAF_FROM_SIDE ? shmemx_get_blocks_nbi : shmemx_put_blocks;
    call(to, from, to_stride * (ptrdiff_t)size, from_stride * (ptrdiff_t)size, size, count, far->pe);
#else
    typedef void strided(void *, const void *, ptrdiff_t, ptrdiff_t, size_t, int);
    static strided *const calls[2][5] = {
        {shmem_iput8, shmem_iput16, shmem_iput32, shmem_iput64, shmem_iput128},
        {shmem_iget8, shmem_iget16, shmem_iget32, shmem_iget64, shmem_iget128},
    };
    calls[far->side == CAF_FROM_SIDE][__builtin_ctzll(size)](to, from, to_stride, from_stride, count, far->pe);
#endif
}

/* Algorithm 2: an element of a size that iput does not support is moved in several parts. */
static void copy_line(const struct caf_nest *n, void *context, char *to, const char *from)
{
    const struct caf_loop *l = &n->loop[0];
    size_t rest = n->size, unit = 16;
    while (rest > 0) {
        const ptrdiff_t u = (ptrdiff_t)unit;
        if (unit > rest || l->to_step % u || l->from_step % u) {
            unit /= 2;
            continue;
        }
        copy_strided(context, to, from, l->to_step / u, l->from_step / u, l->count, unit);
        to += unit;
        from += unit;
        rest -= unit;
    }
}

static size_t calls_of_line(const struct caf_nest *n, const struct caf_loop *l)
{
    size_t calls = 0;
    for (size_t rest = n->size, unit = 16; rest > 0; unit /= 2)
        if (l->to_step % (ptrdiff_t)unit == 0 && l->from_step % (ptrdiff_t)unit == 0) {
            calls += rest / unit;
            rest %= unit;
        }
    return calls;
}

/* --- methods ------------------------------------------------------------------------------------------------------ */

static ptrdiff_t far_step(const struct caf_nest *n, enum caf_side side, int i)
{
    return side == CAF_TO_SIDE ? n->loop[i].to_step : n->loop[i].from_step;
}

/* iput needs strides of at least 1. */
static bool can_be_base(const struct caf_nest *n, int i)
{
    const struct caf_loop *l = &n->loop[i];
    return i < n->rank && !caf_has_vector(l) && l->to_step > 0 && l->from_step > 0;
}

/* The loop for iput; -1: none. The longer of the first two makes fewer calls. If k elements of the first share a cache
 * line, the second is chosen only if it is more than k times as long. */
static int base_dimension(const struct caf_nest *n, enum caf_side side, enum caf_strided method)
{
    if (!can_be_base(n, 0))
        return method != CAF_STRIDED_IPUT && can_be_base(n, 1) ? 1 : -1;
    if (method == CAF_STRIDED_IPUT || !can_be_base(n, 1))
        return 0;
    const size_t step = (size_t)far_step(n, side, 0);
    const size_t in_a_line = method == CAF_STRIDED_AUTO && step < LINE ? LINE / step : 1;
    return n->loop[1].count > n->loop[0].count * in_a_line ? 1 : 0;
}

/* In auto, iput pays if it makes fewer calls and the elements are no longer than a cache line. */
static bool pays(const struct caf_nest *n, int base)
{
    return n->size <= LINE && calls_of_line(n, &n->loop[base]) < n->loop[base].count;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static bool is_in_few_sets(ptrdiff_t step)
{
    return step != 0 && step % PAGE == 0;
}

/* Bytes that the inner loop should have. Fewer are enough if the outer loop steps by whole pages: its elements evict
 * each other from the caches, which costs a put up to 16 ns each; another operation costs 36 ns. */
static size_t enough(const struct caf_loop *outer)
{
    return is_in_few_sets(outer->to_step) || is_in_few_sets(outer->from_step) ? SOME : MANY;
}

/* The loop for one put or get of blocks: the innermost, unless it has an index vector or too little data; or -1. */
static int block_dimension(const struct caf_nest *n)
{
    int base = -1;
    for (int i = 0; i < n->rank; i++) {
        const struct caf_loop *l = &n->loop[i], *b = &n->loop[base < 0 ? i : base];
        if (!caf_has_vector(l) && (base < 0 || (l->count > b->count && b->count * n->size < enough(l))))
            base = i;
    }
    return base;
}

#if CAF_HAVE_BLOCKS
static void copy_blocks(const struct caf_nest *n, void *context, char *to, const char *from)
{
    const struct caf_far *far = context;
    const struct caf_loop *l = &n->loop[0];
    if (far->side == CAF_TO_SIDE)
        shmemx_put_blocks(to, from, l->to_step, l->from_step, n->size, l->count, far->pe);
    else
        shmemx_get_blocks_nbi(to, from, l->to_step, l->from_step, n->size, l->count, far->pe);
}

static caf_row *const by_blocks = copy_blocks;
#else
static caf_row *const by_blocks = NULL;
#endif

/* --- calls of either kind ----------------------------------------------------------------------------------------- */

/* Used for memory that OpenSHMEM does not reach. Merges consecutive runs, also across small gaps. */
static void collect_run(const struct caf_nest *n, void *context, char *to, const char *from)
{
    struct caf_runs *runs = context;
    caf_runs_add(runs, runs->write ? (char *)(uintptr_t)from : to, runs->write ? to : from, n->size);
}

static void call_kernel(const struct caf_far *far, const struct caf_nest *n)
{
    struct caf_runs runs;
    const char *low, *high;
    char why[256];
    caf_runs_begin(&runs, far->pe, far->side == CAF_TO_SIDE);
    caf_nest_walk(n, 0, collect_run, &runs);
    if (caf_runs_end(&runs))
        return;
    const int error = errno;
    if (error == ESRCH)
        return; /* the caller of a get reads the state; a put is lost, as it is at a failed image in a coarray */
    caf_nest_range(n, far->side, &low, &high);
    caf_reach_explain(why, sizeof why, far->pe, low, (size_t)(high - low), error);
    caf_fatal("coindexed assignment: %s", why);
}

/* A nest without conversion, by calls that take its local side in place. */
static void call(const struct caf_far *far, struct caf_nest *n, enum caf_strided method)
{
    if (far->foreign) {
        call_kernel(far, n);
        return;
    }
    const bool by_iput = method == CAF_STRIDED_IPUT || method == CAF_STRIDED_2DIM || method == CAF_STRIDED_AUTO;
    const bool in_blocks = method == CAF_STRIDED_AUTO && by_blocks;
    const int base = in_blocks ? block_dimension(n) : by_iput ? base_dimension(n, far->side, method) : -1;
    if (base >= 0 && (method != CAF_STRIDED_AUTO || in_blocks || pays(n, base))) {
        const struct caf_loop l = n->loop[base];
        n->loop[base] = n->loop[0];
        n->loop[0] = l;
        caf_nest_walk(n, 1, in_blocks ? by_blocks : copy_line, (void *)(uintptr_t)far);
    } else {
        caf_nest_walk(n, 0, copy_run, (void *)(uintptr_t)far);
    }
    if (far->side == CAF_FROM_SIDE)
        shmem_quiet(); /* MUTANT gets are waited for */
}

/* The methods of the thesis keep a section's loops; the others merge contiguous ones. */
static void prepare(struct caf_nest *n, enum caf_side side, enum caf_strided method)
{
    if (method == CAF_STRIDED_MATRIX || method == CAF_STRIDED_AUTO)
        caf_nest_tidy(n, side);
    else
        caf_nest_face(n, side);
}

/* --- chunks ------------------------------------------------------------------------------------------------------- */

/* Bytes of a contiguous run on this side. */
static size_t run_of(const struct caf_nest *n, enum caf_side side)
{
    size_t run = n->size;
    for (int i = 0; i < n->rank && far_step(n, side, i) == (ptrdiff_t)run; i++) {
        if (side == CAF_TO_SIDE ? n->loop[i].to_vector : n->loop[i].from_vector)
            break;
        run *= n->loop[i].count;
    }
    return run;
}

/* Whether to pack the local side first: because data that is contiguous on the remote side is scattered on the local
 * side, or because the local side does not suit iput. */
static bool wants_packing(const struct caf_nest *n, const struct caf_far *far, enum caf_strided method)
{
    if (n->conversion.run)
        return true;
    if (method == CAF_STRIDED_AUTO && by_blocks) /* the library packs small blocks itself */
        return n->size < CALL && run_of(n, far->side) > caf_in_order;
    switch (method) {
    case CAF_STRIDED_IPUT: return !can_be_base(n, 0);
    case CAF_STRIDED_2DIM: return !can_be_base(n, 0) || (n->rank > 1 && !can_be_base(n, 1));
    case CAF_STRIDED_AUTO:
        return n->size < CALL && (run_of(n, far->side) > n->size || !can_be_base(n, 0));
    default: return false;
    }
}

/* Gets the whole range from the first element to the last, and picks the elements from it. */
static bool get_enclosing(const struct caf_far *far, struct caf_nest *n)
{
    const char *low, *high;
    caf_nest_range(n, CAF_FROM_SIDE, &low, &high);
    const size_t range = (size_t)(high - low), wanted = caf_nest_bytes(n, CAF_FROM_SIDE);
    const int base = by_blocks ? block_dimension(n) : -1;
    size_t calls = 1;
    for (int i = 0; i < n->rank; i++)
        calls *= i == base ? 1 : n->loop[i].count;
    if (range > 16 * PIECE || range >= wanted + (calls - 1) * (by_blocks ? RECORD : CALL))
        return false;
    char *copy = caf_nest_buffer(range);
    const struct caf_nest all = {.size = range};
    caf_before_get(far->pe, low, range, range); /* MUTANT the enclosing range is a larger get */
    copy_run(&all, (void *)(uintptr_t)far, copy, low);
    shmem_quiet(); /* MUTANT the enclosing range is waited for */
    n->from = copy + (n->from - low);
    caf_nest_tidy(n, CAF_BOTH_SIDES);
    caf_move(n);
    free(copy);
    return true;
}

static void move_piece(const struct caf_far *far, struct caf_nest *n, enum caf_strided method)
{
    if (method == CAF_STRIDED_AUTO && far->side == CAF_FROM_SIDE && n->rank > 0 && get_enclosing(far, n))
        return;
    if (!wants_packing(n, far, method)) {
        call(far, n, method);
        return;
    }
    const bool put = far->side == CAF_TO_SIDE;
    struct caf_nest in, out, *distant = put ? &out : &in, *local = put ? &in : &out;
    char *packed = caf_nest_buffer(caf_nest_bytes(n, far->side));
    caf_nest_through(n, packed, far->side, &in, &out);
    prepare(distant, far->side, method);
    caf_nest_tidy(local, CAF_BOTH_SIDES);
    if (put)
        caf_move(local);
    call(far, distant, method);
    if (!put)
        caf_move(local);
    free(packed);
}

static void move_pieces(const struct caf_far *far, struct caf_nest *n, enum caf_strided method)
{
    int outermost = n->rank - 1;
    while (outermost >= 0 && n->loop[outermost].count == 1)
        outermost--;
    const bool is_packed = wants_packing(n, far, method);
    if (outermost < 0 || caf_nest_bytes(n, far->side) <= PIECE ||
        (method == CAF_STRIDED_AUTO && by_blocks && !is_packed)) {
        move_piece(far, n, method);
        return;
    }
    struct caf_nest half;
    const size_t count = n->loop[outermost].count, first = count / 2;
    caf_nest_cut(&half, n, outermost, 0, first);
    move_pieces(far, &half, method);
    caf_nest_cut(&half, n, outermost, first, count - first);
    move_pieces(far, &half, method);
}

/* --- assignments -------------------------------------------------------------------------------------------------- */

/* A remote scalar assigned to all local elements: one get. */
static void get_scalar(const struct caf_far *far, struct caf_nest *n)
{
    struct caf_nest one = {.size = n->conversion.run ? n->conversion.from_size : n->size};
    char *copy = caf_nest_buffer(one.size);
    one.to = copy;
    one.from = n->from;
    call(far, &one, CAF_STRIDED_NAIVE);
    n->from = copy;
    caf_nest_tidy(n, CAF_BOTH_SIDES);
    caf_move(n);
    free(copy);
}

static bool is_scalar(const struct caf_nest *n)
{
    for (int i = 0; i < n->rank; i++)
        if (n->loop[i].from_step != 0)
            return false;
    return n->rank > 0;
}

static void keep_order(const struct caf_far *far, const struct caf_nest *n)
{
    const char *low, *high;
    caf_nest_range(n, far->side, &low, &high);
    const size_t range = (size_t)(high - low), bytes = caf_nest_bytes(n, far->side);
    far->side == CAF_TO_SIDE ? caf_before_put(far->pe, low, range, bytes) : caf_before_get(far->pe, low, range, bytes);
}

void caf_move_far(const struct caf_far *far, struct caf_nest *n)
{
    const enum caf_strided method = far->foreign                        ? CAF_STRIDED_MATRIX
                                    : caf_strided == CAF_STRIDED_DIRECT ? CAF_STRIDED_AUTO
                                                                        : caf_strided;
    const bool put = far->side == CAF_TO_SIDE;
    if (!far->foreign)
        keep_order(far, n); /* MUTANT sections keep order */
    if (!put && is_scalar(n)) {
        get_scalar(far, n);
        return;
    }
    prepare(n, far->side, method);
    if (n->rank == 0 && !n->conversion.run)
        call(far, n, method);
    else
        move_pieces(far, n, method);
    if (put && !far->foreign && caf_near(far->pe, n->to))
        /* MUTANT puts by calls to near memory */
        caf_complete_puts(); /* the next access may be a load or a store, which does not wait for puts */
}
