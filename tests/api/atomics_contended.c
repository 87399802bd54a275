/* All PEs use one element at the same time, by every atomic of every type: no update may be lost, torn or counted
 * twice. atomics_contended [ROUNDS, an odd number] */
#include "amo.h"

enum { MAX_PES = 16, ROUNDS = 75, TICKETS = MAX_PES * ROUNDS };
static int rounds = ROUNDS; /* odd: a bit that each round toggles is set in the end */

/* On the row's home PE: the contended element, how often each ticket was fetched, and the PEs' results. */
static _Alignas(8) char target[AMO_ROWS][8];
static int taken[AMO_ROWS][TICKETS];
static uint64_t put_in[AMO_ROWS], got_out[AMO_ROWS];

static int me, n_pes;

static int home_of(unsigned r)
{
    return (int)r % n_pes;
}

/* The values are small, so that every type, also floating point, holds them and their sums exactly. */
static uint64_t initial(enum amo_kind kind)
{
    return kind == AND ? 0x7fffffff : kind == INC || kind == ADD ? 5 : 0;
}

static uint64_t token(int pe, int round)
{
    return 1 + (uint64_t)(pe * rounds) + (uint64_t)round;
}

/* The small non-negative integer in the element at `at`; a large number if it has another value. */
static uint64_t small_value(const struct elem *e, const void *at)
{
    const uint64_t none = (uint64_t)1 << 63;
    double value = 0;
    if (e->equal == equal_float)
        value = (double)*(const float *)at;
    else if (e->equal == equal_double)
        value = *(const double *)at;
    else
        return e->size == 4 ? *(const uint32_t *)at : *(const uint64_t *)at;
    return value >= 0 && value < 1e6 && value == (double)(uint64_t)value ? (uint64_t)value : none;
}

static bool is_token(const struct elem *e, const void *at)
{
    const uint64_t value = small_value(e, at);
    return value <= token(n_pes - 1, rounds - 1);
}

/* One complete atomic, alternately with and without a context. */
static void issue(unsigned r, int round, uint64_t value, uint64_t cond, void *fetch)
{
    const struct amo_row *row = &amo_rows[r];
    _Alignas(8) char v[8], c[8];
    set_elem(&row->elem, v, 0, value);
    set_elem(&row->elem, c, 0, cond);
    const struct amo amo = {SHMEM_CTX_DEFAULT, fetch, target[r], v, c, home_of(r)};
    (round % 2 ? row->ctx_call : row->call)(&amo);
    if (row->nbi)
        shmem_quiet();
}

static void take_ticket(unsigned r, uint64_t ticket)
{
    CHECK(ticket < (uint64_t)(n_pes * rounds), "%s of %s fetched a value never there", amo_rows[r].name,
          amo_rows[r].elem.name);
    if (ticket < (uint64_t)(n_pes * rounds))
        shmem_int_atomic_inc(&taken[r][ticket], home_of(r));
}

static void count(unsigned r, int round)
{
    _Alignas(8) char fetched[8];
    issue(r, round, 1, 0, fetched);
    if (amo_rows[r].fetches)
        take_ticket(r, small_value(&amo_rows[r].elem, fetched) - initial(amo_rows[r].kind));
}

static void count_by_compare_swap(unsigned r, int round)
{
    _Alignas(8) char fetched[8];
    uint64_t guess = 0;
    for (;;) {
        issue(r, round, guess + 1, guess, fetched);
        const uint64_t found = small_value(&amo_rows[r].elem, fetched);
        if (found == guess)
            break;
        guess = found;
    }
    take_ticket(r, guess);
}

/* Exactly one later swap returns each value that a swap stores, unless the value is the last one. */
static void swap(unsigned r, int round)
{
    _Alignas(8) char fetched[8];
    issue(r, round, token(me, round), 0, fetched);
    CHECK(is_token(&amo_rows[r].elem, fetched), "%s of %s fetched a value never there", amo_rows[r].name,
          amo_rows[r].elem.name);
    shmem_uint64_atomic_add(&put_in[r], token(me, round), home_of(r));
    shmem_uint64_atomic_add(&got_out[r], small_value(&amo_rows[r].elem, fetched), home_of(r));
}

/* The set rows store values; the later fetch rows read the same elements, and must return only whole values. */
static void set(unsigned r, int round)
{
    _Alignas(8) char fetched[8];
    issue(r, round, token(me, round), 0, fetched);
}

static void fetch(unsigned r, int round)
{
    _Alignas(8) char fetched[8];
    for (unsigned s = 0; s < AMO_ROWS && amo_rows[s].kind == SET; s++)
        if (strcmp(amo_rows[s].elem.name, amo_rows[r].elem.name) == 0) {
            const struct amo amo = {SHMEM_CTX_DEFAULT, fetched, target[s], NULL, NULL, home_of(s)};
            (round % 2 ? amo_rows[r].ctx_call : amo_rows[r].call)(&amo);
            shmem_quiet();
            CHECK(is_token(&amo_rows[r].elem, fetched), "%s of %s saw a value never set", amo_rows[r].name,
                  amo_rows[r].elem.name);
        }
}

/* Each PE owns a bit, so it knows the bit's previous value. */
static void bits(unsigned r, int round)
{
    const struct amo_row *row = &amo_rows[r];
    const uint32_t mine = (uint32_t)1 << me;
    _Alignas(8) char fetched[8] = {0};
    issue(r, round, row->kind == AND ? 0x7fffffff & ~mine : mine, 0, fetched);
    const uint64_t old = small_value(&row->elem, fetched);
    const bool expected = row->kind == AND ? round == 0 : row->kind == OR ? round > 0 : round % 2;
    if (row->fetches)
        CHECK(!!(old & mine) == expected, "%s of %s fetched %#llx in round %d", row->name, row->elem.name,
              (unsigned long long)old, round);
}

static void work(unsigned r, int round)
{
    switch (amo_rows[r].kind) {
    case SET: set(r, round); break;
    case FETCH: fetch(r, round); break;
    case SWAP: swap(r, round); break;
    case CSWAP: count_by_compare_swap(r, round); break;
    case INC: case ADD: count(r, round); break;
    case AND: case OR: case XOR: bits(r, round); break;
    }
}

static void check_end(unsigned r)
{
    const struct amo_row *row = &amo_rows[r];
    const uint64_t total = (uint64_t)(n_pes * rounds), all_bits = ((uint64_t)1 << n_pes) - 1;
    uint64_t expected = 0;
    switch (row->kind) {
    case FETCH: break;
    case SET: CHECK(is_token(&row->elem, target[r]), "set of %s left a value never set", row->elem.name); return;
    case SWAP: expected = put_in[r] - got_out[r]; break;
    case CSWAP: case INC: case ADD: expected = initial(row->kind) + total; break;
    case AND: expected = 0x7fffffff & ~all_bits; break;
    case OR: case XOR: expected = all_bits; break;
    }
    CHECK(elem_is(&row->elem, target[r], 0, expected), "%s of %s by all PEs: the final value is not %#llx", row->name,
          row->elem.name, (unsigned long long)expected);
    const bool tickets = row->kind == CSWAP || (row->fetches && (row->kind == INC || row->kind == ADD));
    for (uint64_t t = 0; tickets && t < total; t++)
        CHECK(taken[r][t] == 1, "%s of %s: value %llu was fetched %d times", row->name, row->elem.name,
              (unsigned long long)(initial(row->kind) + t), taken[r][t]);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        rounds = atoi(argv[1]);
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    if (n_pes > MAX_PES)
        shmem_global_exit(1);
    for (unsigned r = 0; r < AMO_ROWS; r++)
        set_elem(&amo_rows[r].elem, target[r], 0, initial(amo_rows[r].kind));
    shmem_barrier_all();
    for (unsigned r = 0; r < AMO_ROWS; r++) {
        for (int round = 0; round < rounds; round++)
            work(r, round);
        shmem_sync_all(); /* all PEs begin with the next element together */
    }
    shmem_barrier_all();
    for (unsigned r = 0; r < AMO_ROWS; r++)
        if (home_of(r) == me)
            check_end(r);
    shmem_finalize();
    return check_result();
}
