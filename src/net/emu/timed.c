#include "item.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRY_AGAIN = 1000000 };   /* ps until a full inbox or a busy NIC is tried again */

static int port_of(int pe)
{
    return fabric_port(&emu.fabric, emu.job.node[pe], emu.seat[pe]);
}

static struct fabric_times move(int from, int to, size_t bytes, uint64_t at)
{
    return fabric_move(&emu.fabric, emu.servers, port_of(from), port_of(to), bytes, at);
}

static enum fabric_kind kind_of(const struct item *it)
{
    return it->kind == ITEM_MESSAGE ? FABRIC_MESSAGE : it->kind == ITEM_PUT ? FABRIC_PUT : FABRIC_GET;
}

void timed_begin(struct item *it)
{
    if (it->kind != ITEM_FLUSH)
        emu.job.clock->spend(fabric_overhead_send(&emu.fabric, kind_of(it), it->bytes));
    it->due = emu.job.clock->now();
    emu.job.clock->wake(emu.job.pe, it->due);
}

/* How long the receiver's processor is busy with a message.  The receiver is woken only at the end of that time, since
 * each turn of a PE costs real time. */
static uint64_t time_to_take(size_t bytes)
{
    return fabric_overhead_receive(&emu.fabric, FABRIC_MESSAGE, bytes);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The message is put into the target's inbox before its emulated time of arrival. */
static bool step_message(struct item *it, uint64_t clock)
{
    struct provider_endpoint *to = it->to;
    const int capacity = emu.fabric.queue < INBOX_SLOTS ? emu.fabric.queue : INBOX_SLOTS;
    if (it->landed) {
        item_tell(it);
        return true;
    }
    if (it->number != to->landed)
        return false;
    if (!it->injected) {
        const struct fabric_times t = move(emu.job.pe, to->pe, it->bytes, it->due);
        it->injected = true;
        it->arrives = later(t.arrives, to->last_arrival);
        it->due = t.left;
    }
    it->arrives = later(it->arrives, clock);
    if (!item_send(it, (unsigned)capacity, it->arrives)) {
        emu.job.clock->wake(to->pe, clock);
        it->due = clock + TRY_AGAIN;
        return false;
    }
    to->last_arrival = it->arrives;
    emu.job.clock->wake(to->pe, it->arrives + time_to_take(it->bytes));
    return true;
}

static bool step_put(struct item *it, uint64_t clock)
{
    if (!it->injected) {
        const struct fabric_times t = move(emu.job.pe, it->to->pe, it->bytes, it->due);
        it->injected = true;
        it->arrives = t.arrives;
        it->due = t.left;
        item_take(it);
    } else if (!it->done) {
        it->due = it->arrives;
        item_tell(it);
    } else {
        memcpy(it->to_memory, it->source, it->bytes);
        it->landed = true;
        it->to->put--;
        it->to->last_put = later(it->to->last_put, it->arrives);
        emu.job.clock->wake(it->to->pe, clock);
    }
    return true;
}

static bool step_get(struct item *it)
{
    if (it->landed) {
        item_tell(it);
    } else if (!it->injected) {
        it->injected = true;
        it->due = move(emu.job.pe, it->to->pe, 0, it->due).arrives;
    } else {
        const struct fabric_times t = move(it->to->pe, emu.job.pe, it->bytes, it->due);
        memcpy(it->to_memory, it->source, it->bytes);
        it->landed = true;
        it->due = t.arrives + fabric_overhead_receive(&emu.fabric, FABRIC_GET, it->bytes);
    }
    return true;
}

/* The target's NIC executes one atomic after the other; each takes effect at its end. */
static bool step_atomic(struct item *it, uint64_t clock)
{
    const int pe = it->to->pe;
    if (it->landed) {
        item_tell(it);
    } else if (!it->injected) {
        it->injected = true;
        it->due = move(emu.job.pe, pe, it->bytes, it->due).arrives;
    } else if (!it->served) {
        it->served = true;
        it->due = fabric_atomic(&emu.fabric, emu.servers, port_of(pe), it->due);
    } else if (atomic_execute(it)) {
        it->landed = true;
        it->due = move(pe, emu.job.pe, it->bytes, it->due).arrives;
        emu.job.clock->wake(pe, clock);
    } else {
        it->due = clock + TRY_AGAIN;
    }
    return true;
}

static bool step_flush(struct item *it)
{
    struct provider_endpoint *to = it->to;
    if (it->landed) {
        item_tell(it);
        return true;
    }
    if (item_puts_before(it))
        return false;
    it->landed = true;
    if (to->last_put)
        it->due = later(it->due, to->last_put + fabric_latency(&emu.fabric, port_of(to->pe), port_of(emu.job.pe)) +
                                     fabric_overhead_receive(&emu.fabric, FABRIC_PUT, 0));
    return true;
}

static bool step(struct item *it, uint64_t clock)
{
    switch (it->kind) {
    case ITEM_MESSAGE: return step_message(it, clock);
    case ITEM_PUT: return step_put(it, clock);
    case ITEM_GET: return step_get(it);
    case ITEM_FLUSH: return step_flush(it);
    case ITEM_ATOMIC: return step_atomic(it, clock);
    }
    return false;
}

bool timed_step(struct item *it, uint64_t clock)
{
    bool any = false;
    if (it->failed && !it->done) {
        item_tell(it);
        any = true;
    }
    while (!it->failed && !item_over(it) && it->due <= clock && step(it, clock))
        any = true;
    return any;
}

/* --- arrivals ----------------------------------------------------------------------------------------------------- */

/* The order of the heap: the earliest arrival first. */
static bool is_before(const struct inbox_message *a, const struct inbox_message *b)
{
    if (a->arrives != b->arrives)
        return a->arrives < b->arrives;
    return a->from != b->from ? a->from < b->from : a->number < b->number;
}

static void swap(struct inbox_message *a, struct inbox_message *b)
{
    const struct inbox_message was = *a;
    *a = *b;
    *b = was;
}

static bool add(struct provider_port *port, const struct inbox_message *m)
{
    if (!port->arrivals && !(port->arrivals = calloc((size_t)emu.fabric.queue, sizeof *port->arrivals)))
        return false;
    void *copy = malloc(m->bytes + 1);
    if (!copy)
        return false;
    struct inbox_message *heap = port->arrivals;
    int at = port->n_arrivals++;
    heap[at] = *m;
    heap[at].data = memcpy(copy, m->data, m->bytes);
    for (; at && is_before(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2)
        swap(&heap[at], &heap[(at - 1) / 2]);
    return true;
}

static struct inbox_message take_first(struct provider_port *port)
{
    struct inbox_message *heap = port->arrivals, first = heap[0];
    heap[0] = heap[--port->n_arrivals];
    for (int at = 0, child; (child = 2 * at + 1) < port->n_arrivals; at = child) {
        if (child + 1 < port->n_arrivals && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &heap[at]))
            break;
        swap(&heap[at], &heap[child]);
    }
    return first;
}

static void sort_inbox(struct provider_port *port)
{
    struct inbox_message m;
    struct inbox *in = emu_inbox(port->number);
    while (port->n_arrivals < emu.fabric.queue && receive_first(port, &m) && add(port, &m))
        inbox_drop(in, emu.fabric.message_most);
}

/* The time at which the processor, which receives one message after the other, has received the first. */
static uint64_t first_ready(const struct provider_port *port)
{
    const struct inbox_message *first = &port->arrivals[0];
    return later(port->served, first->arrives) + time_to_take(first->bytes);
}

bool timed_receive(struct provider_port *port, uint64_t clock)
{
    bool any = false;
    sort_inbox(port);
    while (port->n_arrivals && first_ready(port) <= clock && port->upcalls) {
        port->served = first_ready(port);
        const struct inbox_message m = take_first(port);
        receive_tell(port, &m);
        free((void *)(uintptr_t)m.data);
        sort_inbox(port);
        any = true;
    }
    return any;
}

/* The completion of a message is no event: it is reported at the next event, unless the PE waits for space. */
uint64_t timed_next(const struct provider_port *port)
{
    uint64_t next = port->n_arrivals ? first_ready(port) : UINT64_MAX, left = UINT64_MAX;
    size_t messages = 0;
    for (const struct item *it = port->first; it; it = it->next) {
        const bool is_message = it->kind == ITEM_MESSAGE;
        const bool waits_for_another = !it->landed &&
            (it->kind == ITEM_FLUSH || (is_message && it->number != it->to->landed));
        uint64_t *const at = is_message && it->landed ? &left : &next;
        messages += is_message;
        if (it->due < *at && !waits_for_another)
            *at = it->due;
    }
    return messages < *emu.job.sends || next < left ? next : left;
}

void timed_forget(struct provider_port *port)
{
    while (port->n_arrivals)
        free((void *)(uintptr_t)take_first(port).data);
    free(port->arrivals);
    port->arrivals = NULL;
}

void timed_report(void)
{
    const uint64_t now = emu.job.clock->clock();
    const struct fabric_counts c = fabric_counts(&emu.fabric, emu.servers);
    const double part = now ? 100.0 / (double)now : 0;
    char adapter[40] = "", link[80] = "";
    if (emu.fabric.adapters > 1)
        snprintf(adapter, sizeof adapter, " %d", c.port % emu.fabric.adapters);
    if (c.busiest_link)
        snprintf(link, sizeof link, "; busiest link between switches: %.1f %%", part * (double)c.busiest_link);
    fprintf(stderr,
            "copal: emulated network %s, %d nodes, %d PEs: %.9f s\n"
            "copal: %lu messages, %lu bytes; busiest adapter: node %d's%s, %s, %.1f %% of the time%s\n",
            emu.fabric.name, emu.job.n_nodes, emu.job.n_pes, (double)now * 1e-12, c.messages, c.bytes,
            c.port / emu.fabric.adapters, adapter, c.receiving ? "receiving" : "sending", part * (double)c.busy, link);
}
