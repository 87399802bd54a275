/* The parameters of the cost model, measured between PE 0 and PE 1. */
#include "job.h"

enum { LINE_WORDS = 8, MESSAGES = 9, PAYLOAD = 64 << 10, EXCHANGES = 200, WARM = 20 };

static uint64_t flags[MESSAGES * LINE_WORDS];

enum kind { STORES, COUNTED };

/* This PE's turn: sends a payload, and several flags behind it. */
static void send(uint64_t number, int to, int messages, enum kind kind, char *payload, const char *from, size_t bytes)
{
    if (bytes)
        shmem_putmem(payload, from, bytes, to);
    shmem_fence();
    for (int i = 0; i < messages; i++)
        if (kind == COUNTED)
            shmem_uint64_atomic_inc(&flags[i * LINE_WORDS], to);
        else
            shmem_uint64_p(&flags[i * LINE_WORDS], number, to);
}

static void receive(uint64_t number, int messages)
{
    for (int i = 0; i < messages; i++)
        shmem_uint64_wait_until(&flags[i * LINE_WORDS], SHMEM_CMP_GE, number);
}

/* Seconds for one direction. */
static double one_way(int messages, enum kind kind, char *payload, const char *from, size_t bytes)
{
    const int me = shmem_my_pe();
    double start = 0;
    memset(flags, 0, sizeof flags);
    shmem_barrier_all();
    for (uint64_t number = 1; number <= WARM + EXCHANGES && me < 2; number++) {
        if (number == WARM + 1)
            start = now();
        if (me == 0)
            send(number, 1, messages, kind, payload, from, bytes);
        receive(number, messages);
        if (me == 1)
            send(number, 0, messages, kind, payload, from, bytes);
    }
    const double seconds = (now() - start) / (2 * EXCHANGES);
    shmem_barrier_all();
    return seconds;
}

static double combining(double *into, const double *from)
{
    const size_t n = PAYLOAD / sizeof *into;
    const double start = now();
    for (int i = 0; i < EXCHANGES; i++)
        SHCOLL_OP(SUM, double)->combine(into, from, n);
    return (now() - start) / EXCHANGES / PAYLOAD;
}

/* Keeps the minimum, which is undisturbed: differences of minima are meaningful, differences of medians much less. */
static void keep_least(double *least, double seconds)
{
    *least = seconds < *least ? seconds : *least;
}

static void print(const char *name, double seconds)
{
    if (shmem_my_pe() == 0)
        printf("parameter %s %.3g\n", name, seconds > 0 ? seconds : 0);
}

static void measure_links(int rounds)
{
    char *payload = symmetric(PAYLOAD), *from = symmetric(PAYLOAD);
    double one = 1, many = 1, loaded = 1, counted = 1, gamma = 1;
    for (int i = 0; i < rounds; i++) {
        keep_least(&one, one_way(1, STORES, NULL, NULL, 0));
        keep_least(&many, one_way(MESSAGES, STORES, NULL, NULL, 0));
        keep_least(&loaded, one_way(1, STORES, payload, from, PAYLOAD));
        keep_least(&counted, one_way(1, COUNTED, NULL, NULL, 0));
        keep_least(&gamma, combining((double *)(void *)payload, (const double *)(const void *)from));
    }
    print("node.alpha", one);
    print("node.gap", (many - one) / (MESSAGES - 1));
    print("node.beta", (loaded - one) / PAYLOAD);
    print("atomic", counted - one);
    print("gamma", gamma);
}

/* Oversubscribed PEs: a token passes from PE to PE; its receiver first needs a processor, which takes longer with more
 * PEs. */
static void measure_crowded(int rounds)
{
    const int me = shmem_my_pe(), n = shmem_n_pes();
    double least = 1;
    for (int i = 0; i < rounds; i++) {
        flags[0] = 0;
        shmem_barrier_all();
        const double start = now();
        for (uint64_t number = 1; number <= EXCHANGES; number++) {
            if (me != 0)
                receive(number, 1);
            send(number, (me + 1) % n, 1, STORES, NULL, NULL, 0);
            if (me == 0)
                receive(number, 1);
        }
        keep_least(&least, (now() - start) / EXCHANGES / n / n);
        shmem_barrier_all();
    }
    print("crowded_alpha", least);
}

void measure_parameters(int rounds)
{
    if (shcoll_placement.crowded)
        measure_crowded(rounds);
    else
        measure_links(rounds);
}
