/* The times at which this PE enters and leaves collectives. Each PE numbers the collectives of each group of PEs, so
 * that copal-profile can find the last PE to arrive. If the table is full, about half of the entries are removed, and
 * from then on only one in arrivals_every collectives is recorded (piece_records). */
#include "profile/record/record.h"

#include <stdlib.h>

struct arrival *arrivals;
uint32_t arrivals_n, arrivals_every = 1;
static uint32_t room;

enum { GROUPS = 64 }; /* teams and active sets with separate numbers */
static struct {
    int32_t start, stride, size;
    uint64_t sequence;
} groups[GROUPS];

void arrivals_begin(int n_pes)
{
    enum { MOST = 1 << 14, LEAST = 1 << 9, OF_ALL = 1 << 22 };
    room = (uint32_t)(OF_ALL / n_pes > MOST ? MOST : OF_ALL / n_pes < LEAST ? LEAST : OF_ALL / n_pes);
    arrivals = calloc(room, sizeof *arrivals);
}

static uint64_t *sequence_of(const struct tap_call *call)
{
    for (int i = 0; i < GROUPS; i++) {
        if (groups[i].size == 0) {
            groups[i].start = call->start;
            groups[i].stride = call->stride;
            groups[i].size = call->size;
        }
        if (groups[i].size == call->size && groups[i].start == call->start && groups[i].stride == call->stride)
            return &groups[i].sequence;
    }
    return NULL;
}

static void thin(void)
{
    uint32_t kept = 0;
    arrivals_every *= 2;
    for (uint32_t i = 0; i < arrivals_n; i++)
        if (piece_records(arrivals[i].is.sequence, arrivals_every))
            arrivals[kept++] = arrivals[i];
    arrivals_n = kept;
}

void arrival_note(const struct tap_call *call, const struct site *site, size_t bytes, uint64_t now)
{
    uint64_t *const sequence = call->size > 1 && arrivals ? sequence_of(call) : NULL;
    if (!sequence)
        return;
    const uint64_t number = (*sequence)++;
    while (arrivals_n == room && piece_records(number, arrivals_every))
        thin();
    if (!piece_records(number, arrivals_every))
        return;
    const int root = call->kind == TAP_BROADCAST ? call->start + call->root * call->stride : -1;
    arrivals[arrivals_n++] = (struct arrival){
        .is = {call->start, call->stride, call->size, root, number, 0, 0, site->number, bits_of(bytes)},
        .entered = call->began, .left = now};
}
