/* Shared by the programs of irregular access: elements distributed cyclically over PEs, numbers that depend on the PE,
 * and buffers, one for each target PE, for programs that aggregate elements themselves.
 *
 * An operation of a row is the whole problem, `irregular_elements` on each PE; its result is the time per element. */
#pragma once

#include "../../timing/pes.h"

static long irregular_elements; /* number of elements on each PE */

static inline void irregular_start(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    irregular_elements = bench.check ? 1 << 10 : bench.emulated ? 1 << 8 : 1 << 15;
    bench.messages = (int)irregular_elements;
    bench.batch_us = 1; /* one operation is long enough */
}

static inline uint64_t irregular_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Generates n numbers smaller than `below`, which are always the same for the same PE. */
static inline void irregular_indices(long *to, long n, long below, int pe)
{
    uint64_t state = (uint64_t)pe * 1000003 + 17;
    for (long i = 0; i < n; i++)
        to[i] = (long)(irregular_random(&state) % (uint64_t)below);
}

static inline int irregular_owner(long index)
{
    return (int)(index % bench.pes);
}

static inline long irregular_place(long index)
{
    return index / bench.pes;
}

static void (*irregular_solve)(void);

static void irregular_turns(long n, size_t bytes)
{
    (void)bytes;
    for (long turn = 0; turn < n; turn++)
        irregular_solve();
}

/* Measures the whole problem as one operation. */
static inline void irregular_measure(const char *row, void (*solve)(void))
{
    irregular_solve = solve;
    measure(row, 8, irregular_turns);
}

/* --- buffers ------------------------------------------------------------------------------------------------------ */

/* Each PE has a buffer for each PE. If a buffer is full, all PEs exchange their buffers and then read the data that has
 * arrived; they repeat this until no PE has data left.  Two sets of incoming buffers alternate, because a PE that still
 * reads is at most one exchange behind. */
enum { BUFFER_ITEMS = 512, BUFFER_WORDS = 2 };

struct irregular_buffer {
    long n;
    long more; /* the sender has, or may have later, data for some PE */
    long item[BUFFER_ITEMS][BUFFER_WORDS];
};

static struct irregular_buffer *irregular_out; /* private: one for each PE */
static struct irregular_buffer *irregular_in;  /* symmetric: two for each PE */
static int irregular_set;

static inline void buffers_start(void)
{
    irregular_out = bench_alloc((size_t)bench.pes * sizeof *irregular_out);
    irregular_in = pes_alloc(2 * (size_t)bench.pes * sizeof *irregular_in);
}

/* False: the buffer is full, and the item must wait until all PEs have exchanged. */
static inline bool buffers_add(int pe, long first, long second)
{
    struct irregular_buffer *b = &irregular_out[pe];
    if (b->n == BUFFER_ITEMS)
        return false;
    b->item[b->n][0] = first;
    b->item[b->n++][1] = second;
    return true;
}

/* Collective, with the same result on all PEs.  False: no PE had data, and no PE will have any. */
static inline bool buffers_exchange(bool more)
{
    struct irregular_buffer *const in = irregular_in + irregular_set * bench.pes;
    for (int pe = 0; pe < bench.pes; pe++)
        more |= irregular_out[pe].n > 0;
    for (int pe = 0; pe < bench.pes; pe++) {
        struct irregular_buffer *b = &irregular_out[pe];
        b->more = more;
        shmem_putmem(&in[bench.pe], b, offsetof(struct irregular_buffer, item) + (size_t)b->n * sizeof b->item[0], pe);
    }
    shmem_barrier_all();
    bool any = false;
    for (int pe = 0; pe < bench.pes; pe++) {
        irregular_out[pe].n = 0;
        any |= in[pe].more != 0;
    }
    irregular_set = 1 - irregular_set;
    return any;
}

/* The buffer that arrived in the last exchange. */
static inline const struct irregular_buffer *buffers_from(int pe)
{
    return &irregular_in[(1 - irregular_set) * bench.pes + pe];
}
