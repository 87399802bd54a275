#include "buckets.h"

#include <string.h>

void buckets_count(struct buckets *b, const uint32_t *key, int64_t count)
{
    memset(b->counts, 0, (size_t)b->n * sizeof *b->counts);
    for (int64_t i = 0; i < count; i++)
        b->counts[key[i] >> b->shift]++;
}

/* Every PE but the last takes buckets until it and the PEs before it have their share of the keys: at most one bucket
 * more than the share. */
void buckets_assign(struct buckets *b)
{
    int64_t before = 0;
    int pe = 0;
    b->n_received = b->n_lesser = 0;
    b->first_key = b->end_key = 0;
    for (int i = 0; i < b->n; i++) {
        while (pe < b->n_pes - 1 && before >= b->n_keys / b->n_pes * (pe + 1))
            pe++;
        b->owner[i] = pe;
        if (pe < b->me)
            b->n_lesser += b->totals[i];
        if (pe == b->me) {
            if (b->end_key == 0)
                b->first_key = (uint32_t)i << b->shift;
            b->end_key = (uint32_t)(i + 1) << b->shift;
            b->n_received += b->totals[i];
        }
        before += b->totals[i];
    }
}

/* A PE receives at most its share, one bucket, and the few keys that an iteration changes. */
int64_t buckets_most_received(const struct buckets *b)
{
    int64_t largest = 0;
    for (int i = 0; i < b->n; i++)
        largest = b->totals[i] > largest ? b->totals[i] : largest;
    return b->n_keys / b->n_pes + b->n_keys % b->n_pes + largest + 2 * ITERATIONS;
}

void buckets_send_counts(const struct buckets *b, int64_t *send_count)
{
    memset(send_count, 0, (size_t)b->n_pes * sizeof *send_count);
    for (int i = 0; i < b->n; i++)
        send_count[b->owner[i]] += b->counts[i];
}
