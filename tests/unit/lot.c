/* sources: src/net/emu/lot.c */
/* The random choices of networks in disorder: in most of them, PEs pause after few events, each PE at different
 * moments. A seed always gives the same choices; without the pauses, all other choices are the same. */
#include "net/emu/lot.h"
#include "check.h"

enum { SEEDS = 40, EVENTS = 20000, MOST_NS = 5000000 };

static uint64_t pauses(uint64_t seed, int pe)
{
    uint64_t all = 0;
    unsigned n = 0;
    lot_begin(seed, pe);
    for (int i = 0; i < EVENTS; i++) {
        const unsigned ns = lot_pause();
        CHECK(ns < MOST_NS, "a pause of %u ns", ns);
        all = all * 31 + ns;
        n += ns != 0;
    }
    CHECK(n < EVENTS / 100, "seed %d: %u pauses in %d events", (int)seed, n, EVENTS);
    return all;
}

int main(void)
{
    int late = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const uint64_t first = pauses(seed, 0), second = pauses(seed, 1);
        CHECK(pauses(seed, 0) == first, "seed %d draws other pauses now", (int)seed);
        CHECK((first == 0) == (second == 0), "seed %d has pauses on one PE alone", (int)seed);
        CHECK(!first || first != second, "seed %d has the same pauses on all PEs", (int)seed);
        late += first != 0;
        const unsigned after = lot(1000);
        lot_begin(seed, 0);
        CHECK(lot(1000) == after, "seed %d: pauses change other draws", (int)seed);
    }
    CHECK(late > SEEDS / 2 && late < SEEDS, "%d of %d networks have PEs that are late", late, SEEDS);
    return check_result();
}
