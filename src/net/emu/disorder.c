#include "item.h"

#include "common/clock.h"

#include <string.h>
#include <time.h>

enum {
    COPIES_MOST = 64, /* most items with a copy of their data; limits the memory */
    PIECES_MOST = 32,
    LINE = 64,        /* segments end at cache lines of the remote memory, as a NIC's writes do */
};

void disorder_pause(void)
{
    const unsigned ns = lot_pause();
    if (ns)
        nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
}

/* The offset of the remote address within a cache line. */
static size_t skew_of(const struct item *it)
{
    return (uintptr_t)(it->kind == ITEM_PUT ? it->to_memory : it->source) % LINE;
}

static void cut(struct item *it)
{
    const size_t span = skew_of(it) + it->bytes, lines = (span + LINE - 1) / LINE;
    const size_t wanted = 1 + lot((unsigned)(lines < PIECES_MOST ? lines : PIECES_MOST));
    it->piece = (lines + wanted - 1) / wanted * LINE;
    const size_t n = (span + it->piece - 1) / it->piece;
    it->pieces = n < PIECES_MOST ? (1u << n) - 1 : UINT32_MAX;
}

static void move_piece(struct item *it)
{
    unsigned k = lot(PIECES_MOST);
    while (!(it->pieces & 1u << k))
        k = (k + 1) % PIECES_MOST;
    it->pieces &= ~(1u << k);
    const size_t skew = skew_of(it), from = k ? k * it->piece - skew : 0, to = (k + 1) * it->piece - skew;
    memcpy(it->to_memory + from, it->source + from, (to < it->bytes ? to : it->bytes) - from);
}

bool disorder_begin(struct item *it)
{
    const uint64_t now = clock_told();
    const bool is_put = it->kind == ITEM_PUT, is_message = it->kind == ITEM_MESSAGE;
    if (it->kind == ITEM_GET || (is_put && it->bytes)) {
        cut(it);
        it->land = lot_draw(is_put ? LOT_PUT_LANDS : LOT_GET_READS, now);
    }
    if (it->kind == ITEM_ATOMIC)
        it->land = lot_draw(LOT_GET_READS, now);
    if (is_message)
        it->land = lot_draw(LOT_MESSAGE_LANDS, now);
    if (is_message || is_put) {
        it->take = lot_draw(is_put ? LOT_PUT_TAKEN : LOT_MESSAGE_TAKEN, now);
        if (!it->take.turns && it->to->port->n_copies < COPIES_MOST) {
            item_take(it);
            return it->done = true;
        }
    }
    return false;
}

static bool land(struct item *it, uint64_t now)
{
    switch (it->kind) {
    case ITEM_MESSAGE:
        return it->number == it->to->landed && item_send(it, lot_capacity(INBOX_SLOTS), 0);
    case ITEM_FLUSH:
        it->landed = !item_puts_before(it);
        return it->landed;
    case ITEM_ATOMIC:
        it->landed = atomic_execute(it);
        return it->landed;
    default:
        if (it->pieces)
            move_piece(it);
        it->landed = !it->pieces;
        if (it->landed && it->kind == ITEM_PUT)
            it->to->put--;
        if (!it->landed)
            it->land = lot_draw(it->kind == ITEM_PUT ? LOT_PUT_LANDS : LOT_GET_READS, now);
        return true;
    }
}

bool disorder_step(struct item *it, uint64_t now)
{
    if (it->failed) {
        if (!it->done)
            item_tell(it);
        return true;
    }
    bool any = false;
    const bool may_take = it->kind <= ITEM_PUT && !it->done && !it->taken && !it->landed;
    if (may_take && lot_over(&it->take, now) && it->to->port->n_copies < COPIES_MOST) {
        item_take(it);
        it->tell = lot_draw(LOT_DONE, now);
        any = true;
    }
    if (!it->landed && lot_over(&it->land, now) && land(it, now)) {
        if (it->landed && !it->taken)
            it->tell = lot_draw(it->kind == ITEM_FLUSH ? LOT_FLUSHED : LOT_DONE, now);
        any = true;
    }
    if (!it->done && (it->taken || it->landed) && lot_over(&it->tell, now)) {
        item_tell(it);
        any = true;
    }
    return any;
}
