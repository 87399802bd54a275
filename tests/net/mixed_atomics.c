/* All atomics are in one atomicity domain: PEs of the same node and of other nodes update every word at the same time,
 * by all kinds of atomics and by signals. Sums must be exact, and each fetched value must be consistent with all
 * updates. usage: mixed_atomics [ROUNDS] */
#include "../api/fill.h"
#include "../random.h"

enum { MAX_PES = 16, LARGE = 20000, TICKETS = 1 << 17 };

static struct words {
    uint64_t sum, chain, bits, count;
    uint32_t sum32, bits32;
    uint64_t tickets;
} words;
static uint32_t taken_bits[TICKETS / 32];
static unsigned char payload[LARGE], landing[MAX_PES][LARGE];

/* What this PE has done to each PE's words: additions (64 and 32 bits), increments by compare-and-swap, tickets drawn;
 * given: the values that it has swapped in, minus the values that it got for them. all: the sums over all PEs. */
static uint64_t added[MAX_PES], added32[MAX_PES], counted[MAX_PES], drawn[MAX_PES], given[MAX_PES];
static uint64_t all[5][MAX_PES], mine[5][MAX_PES];
static uint64_t my_bits[MAX_PES], last_sum[MAX_PES];
static uint32_t my_bits32[MAX_PES];
static int me, n_pes;

/* Checks that a fetched value contains all completed additions of this PE. */
static void check_sum(uint64_t fetched, int pe, uint64_t value, const char *how)
{
    CHECK(fetched >= last_sum[pe], "%s on PE %d fetches %lu after %lu", how, pe, (long)fetched, (long)last_sum[pe]);
    last_sum[pe] = fetched + value;
}

static void add(uint64_t *rng, int pe)
{
    const uint64_t value = next(rng) % 1000;
    static uint64_t later;
    switch (next(rng) % 9) {
    case 0: shmem_uint64_atomic_add(&words.sum, value, pe); break;
    case 1: shmem_uint64_atomic_inc(&words.sum, pe), added[pe] += 1 - value; break;
    case 2: check_sum(shmem_uint64_atomic_fetch_add(&words.sum, value, pe), pe, value, "fetch_add"); break;
    case 3: check_sum(shmem_uint64_atomic_fetch_inc(&words.sum, pe), pe, 1, "fetch_inc"), added[pe] += 1 - value; break;
    case 4: shmem_signal_add(&words.sum, value, pe); break;
    case 5: shmem_putmem_signal(landing[me], payload, next(rng) % 100, &words.sum, value, SHMEM_SIGNAL_ADD, pe); break;
    case 6:
        shmem_putmem_signal(landing[me], payload, next(rng) % LARGE, &words.sum, value, SHMEM_SIGNAL_ADD, pe);
        break;
    case 7:
        shmem_putmem_signal_nbi(landing[me], payload, next(rng) % LARGE, &words.sum, value, SHMEM_SIGNAL_ADD, pe);
        break;
    case 8:
        shmem_uint64_atomic_fetch_add_nbi(&later, &words.sum, value, pe);
        shmem_quiet();
        check_sum(later, pe, value, "fetch_add_nbi");
        break;
    }
    added[pe] += value;
}

static void add32(uint64_t *rng, int pe)
{
    const uint32_t value = (uint32_t)next(rng);
    if (value & 1)
        shmem_uint32_atomic_add(&words.sum32, value, pe);
    else
        shmem_uint32_atomic_fetch_add(&words.sum32, value, pe);
    added32[pe] += value;
}

/* Adds 1 by compare-and-swap. */
static void count(int pe)
{
    uint64_t seen = shmem_uint64_atomic_fetch(&words.count, pe), before;
    while ((before = shmem_uint64_atomic_compare_swap(&words.count, seen, seen + 1, pe)) != seen)
        seen = before;
    counted[pe]++;
}

/* Each swap returns the value that the swap before it has stored. Therefore the values stored, minus the values
 * returned, add up to the word's last value. */
static void swap(uint64_t *rng, int pe)
{
    const uint64_t value = next(rng);
    given[pe] += value - shmem_uint64_atomic_swap(&words.chain, value, pe);
}

/* Draws a ticket, a number that no other draw returns, and sets the ticket's bit. */
static void draw(int pe)
{
    const uint64_t ticket = shmem_uint64_atomic_fetch_inc(&words.tickets, pe);
    drawn[pe]++;
    if (ticket >= TICKETS)
        return;
    const uint32_t bit = (uint32_t)1 << ticket % 32;
    const uint32_t before = shmem_uint32_atomic_fetch_or(&taken_bits[ticket / 32], bit, pe);
    CHECK(!(before & bit), "ticket %lu of PE %d was drawn twice", (long)ticket, pe);
}

#define BITS(T, N, WORD, STATE, SHIFT) static void N(uint64_t *rng, int pe) \
    { T own = (T)(next(rng) & 15) << (SHIFT), all_own = (T)15 << (SHIFT), had = 0; \
      N##_once(rng, pe, own, all_own, &had, &(WORD), &(STATE)[pe]); }

/* Four bits of each word belong to this PE: it must fetch them as it has set them, while other PEs change other
 * bits. */
#define BITS_ONCE(T, N, F) static void N##_once(uint64_t *rng, int pe, T own, T all_own, T *had, T *word, T *state) \
    { bool fetches = true; static T later; T result = *state; \
      switch (next(rng) % 9) { \
      case 0: *had = shmem_##F##_atomic_fetch_or(word, own, pe), result |= own; break; \
      case 1: *had = shmem_##F##_atomic_fetch_and(word, (T)~own, pe), result &= (T)~own; break; \
      case 2: *had = shmem_##F##_atomic_fetch_xor(word, own, pe), result ^= own; break; \
      case 3: shmem_##F##_atomic_or(word, own, pe), result |= own, fetches = false; break; \
      case 4: shmem_##F##_atomic_and(word, (T)~own, pe), result &= (T)~own, fetches = false; break; \
      case 5: shmem_##F##_atomic_xor(word, own, pe), result ^= own, fetches = false; break; \
      case 6: shmem_##F##_atomic_fetch_or_nbi(&later, word, own, pe), shmem_quiet(), *had = later, result |= own; \
              break; \
      case 7: shmem_##F##_atomic_fetch_xor_nbi(&later, word, own, pe), shmem_quiet(), *had = later, result ^= own; \
              break; \
      case 8: *had = shmem_##F##_atomic_fetch(word, pe); break; } \
      if (!fetches) \
          shmem_quiet(); /* an atomic that fetches may overtake one that does not */ \
      CHECK(!fetches || (*had & all_own) == *state, #F ": on PE %d, this PE's bits are %#lx, not %#lx", pe, \
            (long)(*had & all_own), (long)*state); \
      *state = result; }
BITS_ONCE(uint64_t, bits64, uint64)
BITS_ONCE(uint32_t, bits32, uint32)
BITS(uint64_t, bits64, words.bits, my_bits, 4 * me)
BITS(uint32_t, bits32, words.bits32, my_bits32, 4 * (me % 8))

static void total(int row, const uint64_t *values)
{
    memcpy(mine[row], values, sizeof mine[row]);
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, all[row], mine[row], MAX_PES);
}

static void check_totals(void)
{
    total(0, added);
    total(1, added32);
    total(2, counted);
    total(3, given);
    total(4, drawn);
    CHECK(words.sum == all[0][me], "the sum is %lu, not %lu", (long)words.sum, (long)all[0][me]);
    CHECK(words.sum32 == (uint32_t)all[1][me], "the sum of 32 bits is %u, not %u", words.sum32, (uint32_t)all[1][me]);
    CHECK(words.count == all[2][me], "by compare-and-swap %lu is counted, not %lu", (long)words.count,
          (long)all[2][me]);
    CHECK(words.chain == all[3][me], "the swapped word is %lu, not %lu", (long)words.chain,
          (long)all[3][me]);
    CHECK(words.tickets == all[4][me], "%lu tickets were drawn, not %lu", (long)words.tickets, (long)all[4][me]);
    for (uint64_t i = 0; i < words.tickets && i < TICKETS; i++)
        CHECK(taken_bits[i / 32] >> i % 32 & 1, "ticket %lu was not drawn", (long)i);
}

int main(int argc, char **argv)
{
    const long rounds = argc > 1 ? atol(argv[1]) : 5000;
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    CHECK(n_pes <= MAX_PES, "%d PEs", n_pes);
    if (check_failures)
        shmem_global_exit(1);
    uint64_t rng = (uint64_t)me * 99 + 1;
    memset(payload, me, sizeof payload);
    shmem_barrier_all();
    for (long round = 0; round < rounds; round++) {
        const int pe = next(&rng) % 3 ? (int)(next(&rng) % (uint64_t)n_pes) : 0; /* most operations are to PE 0 */
        switch (next(&rng) % 7) {
        case 0: add32(&rng, pe); break;
        case 1: count(pe); break;
        case 2: swap(&rng, pe); break;
        case 3: draw(pe); break;
        case 4: bits64(&rng, pe); break;
        case 5: if (n_pes <= 8) bits32(&rng, pe); break;
        default: add(&rng, pe); break;
        }
    }
    shmem_barrier_all();
    check_totals();
    for (int pe = 0; pe < n_pes; pe++) {
        const uint64_t bits = shmem_uint64_atomic_fetch(&words.bits, pe) >> 4 * me & 15;
        CHECK(bits == my_bits[pe] >> 4 * me, "at the end, this PE's bits on PE %d are %lx", pe, (long)bits);
    }
    shmem_finalize();
    return check_result();
}
