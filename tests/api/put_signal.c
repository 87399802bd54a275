/* put_signal and put_signal_nbi: every type, every size and mem, set and add, with and without a context. A PE that
 * sees the signal must see the data, without other synchronization. */
#include "rma_rows.h"

/* For each type, the blocking routine, then the nonblocking one. */
enum { ROWS = 2 * RMA_ROWS };

/* Each row has a slot (a guard element, up to MOST, a guard) and a signal; if the data is in the heap, the signal is
 * in static memory, and vice versa. */
enum { MOST = 30, SLOT = MOST + 2, BACKGROUND = 9999, SIGNAL = 7777 };
struct memory {
    _Alignas(ELEM_MAX) char data[ROWS][SLOT * ELEM_MAX];
    uint64_t signal[ROWS];
};
static struct memory static_memory;

static int me, n_pes;

/* Every seventh row sends only the signal, without data. */
static size_t count_of(unsigned r, unsigned salt)
{
    return r % 7 == 6 ? 0 : 1 + (r * 5 + salt) % MOST;
}

static int op_of(unsigned r, unsigned salt)
{
    return (r / 2 + salt) % 2 ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET;
}

static uint64_t signal_before(int pe, unsigned r, unsigned salt)
{
    return pattern(pe, r + 1, SIGNAL + salt);
}

static uint64_t signal_sent(int from, int to, unsigned r, unsigned salt)
{
    return pattern_to(from, to, r + 1, SIGNAL + 1 + salt);
}

static void send(unsigned r, const struct place *place, char *data, uint64_t *signal, char *source, int to,
                 unsigned salt)
{
    const struct rma_row *row = &rma_rows[r / 2];
    const size_t n = count_of(r, salt);
    const uint64_t value = signal_sent(me, to, r, salt);
    for (size_t i = 0; i < SLOT; i++)
        set_elem(&row->elem, source, i, pattern_to(me, to, i, salt * ROWS + r));
    const struct rma call = {.dest = data + row->elem.size, .source = source + row->elem.size, .bsize = n, .nblocks = 1,
                             .sig_addr = signal, .signal = value, .sig_op = op_of(r, salt), .pe = to};
    row->call[r % 2 ? PUT_SIGNAL_NBI : PUT_SIGNAL](place, &call);
    if (r % 2 == 0) /* the source may be reused immediately */
        memset(source, 0x5a, SLOT * row->elem.size);
}

static void receive(unsigned r, const struct place *place, const char *data, uint64_t *signal, int from, unsigned salt)
{
    const struct rma_row *row = &rma_rows[r / 2];
    const size_t n = count_of(r, salt);
    const bool add = op_of(r, salt) == SHMEM_SIGNAL_ADD;
    const uint64_t expected = signal_sent(from, me, r, salt) + (add ? signal_before(me, r, salt) : 0);
    const uint64_t got = shmem_signal_wait_until(signal, SHMEM_CMP_EQ, expected);
    CHECK(got == expected, "shmem_signal_wait_until returned %#llx", (unsigned long long)got);
    for (size_t k = 0; k < SLOT; k++) {
        const bool sent = k >= 1 && k <= n;
        const uint64_t value = sent ? pattern_to(from, me, k, salt * ROWS + r) : pattern(me, k, BACKGROUND);
        CHECK(elem_is(&row->elem, data, k, value), "put_signal%s (%s) of %zu x %s from PE %d on %s: element %zu",
              r % 2 ? "_nbi" : "", add ? "add" : "set", n, row->elem.name, from, place->name, k);
    }
}

static void try_place(const struct place *place, struct memory *data, struct memory *signals, unsigned salt)
{
    static _Alignas(ELEM_MAX) char source[ROWS][SLOT * ELEM_MAX];
    const int distance = (int)(salt % (unsigned)n_pes);
    const int right = (me + distance) % n_pes, left = (me + n_pes - distance) % n_pes;
    for (unsigned r = 0; r < ROWS; r++) {
        signals->signal[r] = signal_before(me, r, salt);
        for (size_t k = 0; k < SLOT; k++)
            set_elem(&rma_rows[r / 2].elem, data->data[r], k, pattern(me, k, BACKGROUND));
    }
    /* Half of the PEs send everything and then check; the others check while they send. */
    shmem_barrier_all();
    for (unsigned r = 0; r < ROWS; r++) {
        send(r, place, data->data[r], &signals->signal[r], source[r], right, salt);
        if (me % 2)
            continue;
        shmem_ctx_quiet(place->ctx);
        receive(r, place, data->data[r], &signals->signal[r], left, salt);
    }
    shmem_ctx_quiet(place->ctx);
    for (unsigned r = 0; r < ROWS && me % 2; r++)
        receive(r, place, data->data[r], &signals->signal[r], left, salt);
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    struct place places[PLACES];
    open_places(places);
    struct memory *heap = shmem_malloc(sizeof *heap);
    CHECK(heap != NULL, "shmem_malloc of %zu bytes failed", sizeof *heap);
    if (!heap)
        shmem_global_exit(1);
    unsigned salt = 0;
    for (int distance = 0; distance < 4; distance++)
        for (int p = 0; p < PLACES; p++, salt++) {
            try_place(&places[p], heap, &static_memory, 2 * salt);
            try_place(&places[p], &static_memory, heap, 2 * salt + 1);
        }
    shmem_free(heap);
    close_places(places);
    shmem_finalize();
    return check_result();
}
