/* pes: 2 4 */
/* args: check */
/* A random permutation: each PE throws its numbers like darts at a board with twice as many slots. A dart that hits a
 * taken slot is thrown again. The numbers on the board, in the order of slots, are the permutation. Plain: a blocking
 * compare-and-swap for each dart. Nonblocking: rounds, each with a nonblocking compare-and-swap for each remaining dart
 * and one quiet. Buffers: the program collects darts for the PE whose part of the board they hit, and that PE returns
 * the darts that hit taken slots. */
#include "irregular.h"

static long *board; /* symmetric; 0: free, otherwise a number plus 1 */
static long *left, *before; /* numbers still to be thrown, and the old value of each slot that was hit */
static uint64_t state;

static long board_words(void)
{
    return 2 * irregular_elements;
}

static long number(long i)
{
    return i * bench.pes + bench.pe;
}

static long throw_dart(void)
{
    return (long)(irregular_random(&state) % (uint64_t)(board_words() * bench.pes));
}

static void clear(void)
{
    memset(board, 0, (size_t)board_words() * sizeof *board);
    shmem_barrier_all();
}

static void plain(void)
{
    clear();
    for (long i = 0; i < irregular_elements;) {
        const long at = throw_dart();
        if (shmem_long_atomic_compare_swap(&board[irregular_place(at)], 0, number(i) + 1, irregular_owner(at)) == 0)
            i++;
    }
    shmem_barrier_all();
}

#if BENCH_HAS_1_5
static void nbi(void)
{
    clear();
    long many = irregular_elements;
    for (long i = 0; i < many; i++)
        left[i] = number(i);
    while (many > 0) {
        for (long i = 0; i < many; i++) {
            const long at = throw_dart();
            shmem_long_atomic_compare_swap_nbi(&before[i], &board[irregular_place(at)], 0, left[i] + 1,
                                               irregular_owner(at));
        }
        shmem_quiet();
        long still = 0;
        for (long i = 0; i < many; i++)
            if (before[i] != 0)
                left[still++] = left[i];
        many = still;
    }
    shmem_barrier_all();
}
#endif

/* Handles the darts that have arrived from PE `from`, and returns those that hit a taken slot. */
static void take_darts(int from)
{
    const struct irregular_buffer *b = buffers_from(from);
    for (long k = 0; k < b->n; k++) {
        long *const at = &board[b->item[k][0]];
        if (*at == 0)
            *at = b->item[k][1] + 1;
        else
            buffers_add(from, 0, b->item[k][1]);
    }
}

static void buffers(void)
{
    clear();
    long many = irregular_elements;
    for (long i = 0; i < many; i++)
        left[i] = number(i);
    for (bool any = true; any;) {
        for (bool room = true; many > 0 && room; many -= room) {
            const long at = throw_dart();
            room = buffers_add(irregular_owner(at), irregular_place(at), left[many - 1]);
        }
        any = buffers_exchange(many > 0);
        for (int pe = 0; pe < bench.pes; pe++)
            take_darts(pe);
        any |= buffers_exchange(false);
        for (int pe = 0; pe < bench.pes; pe++) {
            const struct irregular_buffer *b = buffers_from(pe);
            for (long k = 0; k < b->n; k++)
                left[many++] = b->item[k][1];
        }
    }
}

/* Checks that each number is on the board once. */
static void row(const char *name, void (*solve)(void))
{
    static long *seen;
    if (!seen)
        seen = pes_alloc((size_t)irregular_elements * sizeof *seen);
    memset(seen, 0, (size_t)irregular_elements * sizeof *seen);
    state = (uint64_t)bench.pe * 7919 + 1;
    bench.agree(0, 0);
    irregular_measure(name, solve);
    for (long i = 0; i < board_words(); i++)
        if (board[i] > 0)
            shmem_long_atomic_inc(&seen[irregular_place(board[i] - 1)], irregular_owner(board[i] - 1));
    bench.agree(0, 0);
    for (long i = 0; i < irregular_elements; i++)
        bench_expect(name, (size_t)i, (uint64_t)seen[i], 1);
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    irregular_start(argc, argv);
    buffers_start();
    const size_t bytes = (size_t)irregular_elements * sizeof(long);
    board = pes_alloc(2 * bytes);
    left = bench_alloc(bytes);
    before = bench_alloc(bytes);
    row("permutation_plain", plain);
#if BENCH_HAS_1_5
    row("permutation_nbi", nbi);
#endif
    row("permutation_buffers", buffers);
    return pes_end();
}
