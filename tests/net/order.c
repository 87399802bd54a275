/* Checks the order that fence, put-with-signal and quiet guarantee between nodes: a PE that sees the flag also sees
 * the data.
 *
 *     order [ROUNDS]
 *
 * Each PE sends to a PE of another node and to one that may be on its own node, with other sizes and routines in
 * each round. The receivers confirm by the same routines that the data was right before the PE sends more.
 * SHMEM_NET_TUNE moves the sizes at which the library changes its protocol. */
#include <sched.h>

#include "../api/fill.h"
#include "../random.h"

enum { MAX_PES = 16, WAYS = 2, PARTS = 3, MOST = 300000 };

/* For each sender to this PE. flag is in the heap, which has one address in a process. Statics have two addresses, and
 * the thread sanitizer does not know that a store through one of them ends a wait on the other. */
static uint64_t *flag, told[WAYS];
static unsigned char *area[WAYS], *source;
static int me, n_pes;

/* The data of a round is computed from the sender and the round. */
static uint64_t begin_round(int from, int way, long round)
{
    return (uint64_t)from << 40 ^ (uint64_t)way << 32 ^ (uint64_t)round;
}

static size_t amount(uint64_t *rng)
{
    static const size_t limits[] = {1, 8, 100, 2048, 4096, 8192, 65536, 262144};
    const size_t limit = limits[next(rng) % 8];
    return next(rng) % 4 ? limit - (limit > 50) * 40 + next(rng) % 80 : next(rng) % MOST;
}

static void send_flag(uint64_t *rng, uint64_t *to, long round, int pe)
{
    static uint64_t value[MAX_PES];
    value[pe] = (uint64_t)round;
    switch (next(rng) % 7) {
    case 0: shmem_uint64_p(to, value[pe], pe); break;
    case 1: shmem_putmem(to, &value[pe], 8, pe); break;
    case 2: shmem_putmem_nbi(to, &value[pe], 8, pe); break;
    case 3: shmem_uint64_atomic_set(to, value[pe], pe); break;
    case 4: shmem_uint64_atomic_inc(to, pe); break;
    case 5: shmem_signal_set(to, value[pe], pe); break;
    case 6: shmem_uint64_atomic_fetch_add(to, 1, pe); break;
    }
}

static void put_part(uint64_t *rng, int way, int part, size_t bytes, int pe)
{
    unsigned char *to = area[way] + (size_t)part * MOST, *from = source + ((size_t)way * PARTS + (size_t)part) * MOST;
    fill(from, bytes, next(rng));
    const size_t n = bytes / 8;
    switch (next(rng) % 4) {
    case 0: shmem_putmem(to, from, bytes, pe); break;
    case 1: shmem_putmem_nbi(to, from, bytes, pe); break;
    case 2: /* whole blocks, and then the rest */
        shmem_uint64_ibput((uint64_t *)(void *)to, (uint64_t *)(void *)from, 3, 3, 3, n / 3, pe);
        shmem_putmem(to + n / 3 * 24, from + n / 3 * 24, bytes - n / 3 * 24, pe);
        break;
    case 3:
        shmem_putmem_nbi(to, from, bytes / 2, pe);
        shmem_putmem(to + bytes / 2, from + bytes / 2, bytes - bytes / 2, pe);
        break;
    }
}

static void send(int way, long round, int pe)
{
    uint64_t rng = begin_round(me, way, round);
    const int parts = 1 + (int)(next(&rng) % PARTS), how = (int)(next(&rng) % 4);
    size_t bytes[PARTS];
    for (int part = 0; part < parts; part++) {
        bytes[part] = amount(&rng);
        uint64_t stream = next(&rng);
        if (part + 1 < parts || how > 1)
            put_part(&stream, way, part, bytes[part], pe);
    }
    const int last = parts - 1;
    if (how > 1) {
        if (how == 2)
            shmem_fence();
        else
            shmem_quiet();
        send_flag(&rng, &flag[way], round, pe);
        return;
    }
    /* the last part accompanies the flag; a fence orders the other parts before it */
    unsigned char *to = area[way] + (size_t)last * MOST, *from = source + ((size_t)way * PARTS + (size_t)last) * MOST;
    uint64_t again = begin_round(me, way, round);
    next(&again), next(&again);
    uint64_t stream = 0;
    for (int part = 0; part < parts; part++)
        amount(&again), stream = next(&again);
    fill(from, bytes[last], next(&stream));
    shmem_fence();
    if (how == 0)
        shmem_putmem_signal(to, from, bytes[last], &flag[way], (uint64_t)round, SHMEM_SIGNAL_SET, pe);
    else
        shmem_putmem_signal_nbi(to, from, bytes[last], &flag[way], 1, SHMEM_SIGNAL_ADD, pe);
}

static void await(uint64_t *word, long round)
{
    switch (round % 4) {
    case 0: shmem_uint64_wait_until(word, SHMEM_CMP_EQ, (uint64_t)round); break;
    case 1: shmem_signal_wait_until(word, SHMEM_CMP_EQ, (uint64_t)round); break;
    case 2:
        while (!shmem_uint64_test(word, SHMEM_CMP_EQ, (uint64_t)round))
            sched_yield();
        break;
    case 3:
        while (shmem_uint64_atomic_fetch(word, me) != (uint64_t)round)
            sched_yield();
        break;
    }
}

static void receive(int way, long round, int from)
{
    static unsigned char expected[MOST];
    await(&flag[way], round);
    uint64_t rng = begin_round(from, way, round);
    const int parts = 1 + (int)(next(&rng) % PARTS);
    next(&rng);
    for (int part = 0; part < parts; part++) {
        const size_t bytes = amount(&rng);
        uint64_t stream = next(&rng);
        fill(expected, bytes, next(&stream));
        const unsigned char *got = area[way] + (size_t)part * MOST;
        size_t i = 0;
        while (i < bytes && got[i] == expected[i])
            i++;
        CHECK(i == bytes, "round %ld: byte %zu of %zu from PE %d, part %d of %d, is not there", round, i, bytes, from,
              part + 1, parts);
    }
    shmem_uint64_p(&told[way], (uint64_t)round, from);
}

int main(int argc, char **argv)
{
    const long rounds = argc > 1 ? atol(argv[1]) : 1000;
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    const int step[WAYS] = {1, n_pes / 2};
    flag = shmem_calloc(WAYS, sizeof *flag);
    source = malloc((size_t)WAYS * PARTS * MOST);
    for (int way = 0; way < WAYS; way++)
        area[way] = shmem_malloc((size_t)PARTS * MOST);
    CHECK(source && area[0] && area[1] && n_pes <= MAX_PES, "no memory, or %d PEs", n_pes);
    if (check_failures)
        shmem_global_exit(1);
    shmem_barrier_all();
    for (long round = 1; round <= rounds; round++) {
        for (int way = 0; way < WAYS; way++)
            send(way, round, (me + step[way]) % n_pes);
        for (int way = 0; way < WAYS; way++)
            receive(way, round, (me + n_pes - step[way]) % n_pes);
        for (int way = 0; way < WAYS; way++)
            shmem_uint64_wait_until(&told[way], SHMEM_CMP_GE, (uint64_t)round);
        shmem_quiet(); /* the program changes the sent data from here on */
        if (check_failures)
            shmem_global_exit(1);
    }
    shmem_finalize();
    return check_result();
}
