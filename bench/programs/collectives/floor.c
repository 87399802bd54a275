/* The floor of the collectives: bare processes on one mapping. The program has a barrier every few calls.
 *
 * Short data: a PE writes it to a slot (struct letter), with a flag in the same cache lines; the others wait for the
 * flag and read.  No writer waits for a reader, since a slot is written again only after the barrier at a window's end.
 * Long data has two methods; in each row the faster one counts.  `pull` reads the others' sources and signals when it
 * is done.  `push` writes the others' destinations, which are ready before any call, and signals when they are filled.
 * For sums, each PE pulls all sources, or pushes a range of elements: it reads its range once from every source and
 * writes the result once to every destination. */
#include "../../timing/pes.h"
#include "sweep.h"

enum { LETTER_WORDS = 31, LETTERS = 2 * WINDOW, BLOCK_WORDS = 512, BLOCK = BLOCK_WORDS * 8 };

struct letter {
    _Alignas(256) _Atomic uint64_t turn;
    uint64_t words[LETTER_WORDS];
};

static struct letter *letters; /* symmetric */
static bool push;

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- common parts -------------------------------------------------------------------------------------- */

static bool fits_letter(size_t bytes)
{
    return bytes <= sizeof letters->words;
}

static uint64_t send_letter(const void *words, size_t bytes)
{
    uint64_t turn = ++floor_self.collectives;
    struct letter *mine = &letters[turn % LETTERS];
    memcpy(mine->words, words, bytes);
    atomic_store_explicit(&mine->turn, turn, memory_order_release);
    return turn;
}

static const uint64_t *read_letter(int pe, uint64_t turn)
{
    struct letter *theirs = floor_at(&letters[turn % LETTERS], pe);
    floor_await(&theirs->turn, turn);
    return theirs->words;
}

/* The PE whose number is i higher, cyclically: each PE begins with a different target. */
static int after_me(int i)
{
    int pe = bench.pe + i;
    return pe < bench.pes ? pe : pe - bench.pes;
}

static void await_all_ready(uint64_t turn)
{
    for (int i = 1; i < bench.pes; i++)
        floor_await(&floor_self.shared->pe[after_me(i)].ready, turn);
}

static void finish(uint64_t turn)
{
    floor_finish(turn);
    floor_await_all_done(turn);
}

/* Writes a block to the same offset on all PEs, and reads it from memory once. */
static void push_to_all(void *dest, const void *source, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += BLOCK)
        for (int i = 0; i < bench.pes; i++)
            memcpy((char *)floor_at(dest, after_me(i)) + at, (const char *)source + at, min_size(BLOCK, bytes - at));
}

/* --- barrier, broadcast, collects --------------------------------------------------------------------------------- */

CALL(barrier, shmem_barrier_all())

static void broadcast(const struct call *c)
{
    if (fits_letter(c->bytes)) {
        if (bench.pe == c->root)
            send_letter(c->source, c->bytes);
        else
            memcpy(c->dest, read_letter(c->root, ++floor_self.collectives), c->bytes);
    } else if (!push) {
        floor_broadcast(c->dest, c->source, c->bytes, c->root, 0);
    } else if (bench.pe == c->root) {
        for (int i = 1; i < bench.pes; i++)
            memcpy(floor_at(c->dest, after_me(i)), c->source, c->bytes);
        floor_announce();
    } else {
        floor_await(&floor_self.shared->pe[c->root].ready, ++floor_self.collectives);
    }
}

static void fcollect(const struct call *c)
{
    char *dest = c->dest;
    if (fits_letter(c->bytes)) {
        uint64_t turn = send_letter(c->source, c->bytes);
        for (int i = 0; i < bench.pes; i++)
            memcpy(dest + (size_t)after_me(i) * c->bytes, read_letter(after_me(i), turn), c->bytes);
    } else if (!push) {
        shmem_fcollectmem(SHMEM_TEAM_WORLD, dest, c->source, c->bytes);
    } else {
        push_to_all(dest + (size_t)bench.pe * c->bytes, c->source, c->bytes);
        await_all_ready(floor_announce());
    }
}

/* PEs do not know the others' lengths: a slot has the length, and the data if it fits. */
static void collect(const struct call *c)
{
    uint64_t words[LETTER_WORDS];
    size_t mine = contribution(bench.pe, c->bytes), at = 0, my_place = 0;
    bool short_ones = fits_letter(c->bytes + 8);
    words[0] = mine;
    memcpy(words + 1, c->source, short_ones ? mine : 0);
    uint64_t turn = send_letter(words, short_ones ? mine + 8 : 8);
    for (int pe = 0; pe < bench.pes; pe++) {
        const uint64_t *letter = read_letter(pe, turn);
        void *place = (char *)c->dest + at;
        if (short_ones)
            memcpy(place, letter + 1, letter[0]);
        else if (!push)
            memcpy(place, floor_at(c->source, pe), letter[0]);
        my_place = pe == bench.pe ? at : my_place;
        at += letter[0];
    }
    if (!short_ones && push) {
        push_to_all((char *)c->dest + my_place, c->source, mine);
        await_all_ready(floor_announce());
    } else if (!short_ones) {
        finish(++floor_self.collectives);
    }
}

/* --- alltoall ----------------------------------------------------------------------------------------------------- */

/* Copies block `from` of one array to block `to` of another. */
static void copy_block(void *dest, int to, const void *source, int from, size_t bytes, size_t stride)
{
    uint64_t *d = (uint64_t *)dest + (size_t)to * bytes / 8 * stride;
    const uint64_t *s = (const uint64_t *)source + (size_t)from * bytes / 8 * stride;
    if (stride == 1)
        memcpy(d, s, bytes);
    else
        for (size_t i = 0; i < bytes / 8 * STRIDE; i++) /* masked vector stores, if the machine has them */
            if (i % STRIDE == 0)
                d[i] = s[i];
}

static void exchange(const struct call *c, size_t stride)
{
    size_t whole = c->bytes * stride * (size_t)bench.pes;
    bool in_letter = fits_letter(whole);
    uint64_t turn = in_letter ? send_letter(c->source, whole) : push ? 0 : floor_announce();
    for (int i = 0; i < bench.pes; i++) {
        int pe = after_me(i);
        if (in_letter)
            copy_block(c->dest, pe, read_letter(pe, turn), bench.pe, c->bytes, stride);
        else if (push)
            copy_block(floor_at(c->dest, pe), bench.pe, c->source, pe, c->bytes, stride);
        else
            copy_block(c->dest, pe, floor_source(c->source, pe, turn), bench.pe, c->bytes, stride);
    }
    if (!in_letter && push)
        await_all_ready(floor_announce());
    else if (!in_letter)
        finish(turn);
}

CALL(alltoall, exchange(c, 1))
CALL(alltoalls, exchange(c, STRIDE))

/* --- sums --------------------------------------------------------------------------------------------------------- */

/* dest = the sum of the sources of PEs 0 .. pes - 1, block by block, so that partial sums stay in the first cache. */
static void add_up(double *dest, const double *const *sources, int pes, size_t words)
{
    for (size_t at = 0; at < words; at += BLOCK_WORDS) {
        size_t n = min_size(BLOCK_WORDS, words - at);
        if (pes > 0)
            memcpy(dest + at, sources[0] + at, n * sizeof *dest);
        for (int pe = 1; pe < pes; pe++)
            floor_add(dest + at, sources[pe] + at, n);
    }
}

/* Sums this PE's range of elements, and writes each result to the PEs that need it. */
static void share_out(const struct call *c, int kind)
{
    double sum[BLOCK_WORDS];
    size_t words = c->bytes / 8, pes = (size_t)bench.pes, share = (words / 8 + pes - 1) / pes * 8;
    size_t end = min_size(words, share * ((size_t)bench.pe + 1));
    for (size_t at = share * (size_t)bench.pe; at < end; at += BLOCK_WORDS) {
        size_t n = min_size(BLOCK_WORDS, end - at);
        for (int pe = 0; pe < bench.pes; pe++) {
            const double *source = (const double *)floor_at(c->source, pe) + at;
            double *result = (double *)floor_at(c->dest, pe) + at;
            if (kind == EXSCAN && pe > 0)
                memcpy(result, sum, n * sizeof *sum);
            if (pe == 0)
                memcpy(sum, source, n * sizeof *sum);
            else
                floor_add(sum, source, n);
            if (kind == INSCAN)
                memcpy(result, sum, n * sizeof *sum);
        }
        for (int i = 0; i < bench.pes && kind == SUM; i++)
            memcpy((double *)floor_at(c->dest, after_me(i)) + at, sum, n * sizeof *sum);
    }
}

static void add_all(const struct call *c, int kind)
{
    const double *sources[FLOOR_MAX_PES];
    int pes = kind == SUM ? bench.pes : kind == INSCAN ? bench.pe + 1 : bench.pe;
    if (fits_letter(c->bytes)) {
        uint64_t turn = send_letter(c->source, c->bytes);
        for (int pe = 0; pe < pes; pe++)
            sources[pe] = (const double *)read_letter(pe, turn);
        for (size_t i = 0; i < c->bytes / 8 && pes > 0; i++) {
            double total = sources[0][i];
            for (int pe = 1; pe < pes; pe++)
                total += sources[pe][i];
            ((double *)c->dest)[i] = total;
        }
        return;
    }
    uint64_t turn = floor_announce();
    if (push) {
        await_all_ready(turn);
        share_out(c, kind);
    } else {
        for (int pe = 0; pe < pes; pe++)
            sources[pe] = floor_source(c->source, pe, turn);
        add_up(c->dest, sources, pes, c->bytes / 8);
    }
    finish(turn);
}

CALL(sum, add_all(c, SUM))
CALL(inscan, add_all(c, INSCAN))
CALL(exscan, add_all(c, EXSCAN))

static const struct contestant self = {
    .alloc = pes_alloc,
    .barrier = shmem_barrier_all,
    .calls = {barrier, broadcast, sum, fcollect, collect, alltoall, alltoalls, inscan, exscan},
};

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    push = argc > 3 && strcmp(argv[3], "push") == 0;
    letters = pes_alloc(LETTERS * sizeof *letters);
    run_sweep(&self, argc, argv);
    return pes_end();
}
