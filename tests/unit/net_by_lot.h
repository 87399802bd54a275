/* The worst network that provider.h allows. Operations under way are a list from which progress takes random steps:
 * a message or a put leaves its source, and arrives, in either order; flushes, gets and replies complete at any
 * time. Only the guarantees of provider.h hold: messages to a peer arrive in order, and a flush completes after the
 * puts before it; if the network keeps order, puts and messages arrive in the order in which they were begun. The test
 * sets the probability of each kind of step, down to zero.
 *
 * The peers' memory is in this process, which also executes their messages. */
#pragma once

#include "net/serve.h"
#include "net_alone.h"

enum { PES = 4, BYTES = 1 << 18, MESSAGE = 512 };

static _Alignas(64) unsigned char memory[PES][BYTES];

static uint64_t lot_state;
static unsigned lot(unsigned n)
{
    lot_state = lot_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(lot_state >> 33) % n;
}

static struct provider_endpoint to[PES], back[PES]; /* from this process to others, and back */
static struct port theirs[PES];
static struct provider_endpoint *endpoint_of(int pe) { return &to[pe]; }

enum kind { MESSAGE_OUT, PUT, GET, FLUSH, REPLY, CALL, KINDS }; /* CALL: a peer runs functions */
struct under_way {
    enum kind kind;
    int pe;
    bool left, arrived; /* its source may be reused, and done has been called; it is at its target */
    bool cancelled;
    const void *from;   /* the copy, once it has left */
    void *at;
    size_t bytes;
    provider_done *done;
    void *arg;
};
static struct under_way list[1024]; /* pending operations in the order of posting */
static size_t n_list, most_sends;
static bool in_order; /* the network keeps order */
static unsigned odds[KINDS][2]; /* of leaving (or of a single step), and of arriving */

static void leave(struct under_way *it, bool tell)
{
    void *copy = malloc(it->bytes + 1);
    memcpy(copy, it->from, it->bytes);
    it->from = copy;
    it->left = true;
    if (tell)
        it->done(it->arg, false);
}

static bool post(struct under_way it, bool at_once)
{
    CHECK(n_list < sizeof list / sizeof *list, "more operations are pending than the list holds");
    list[n_list++] = it;
    if (at_once)
        leave(&list[n_list - 1], false);
    return at_once;
}

/* Whether something of this kind, for the same peer, has been posted before and not arrived. */
static bool is_behind(const struct under_way *it, enum kind kind)
{
    for (const struct under_way *other = list; other < it; other++)
        if (other->kind == kind && other->pe == it->pe && !other->arrived && !other->cancelled)
            return true;
    return false;
}

static bool may_arrive(const struct under_way *it)
{
    if (in_order)
        return !it->arrived && !is_behind(it, MESSAGE_OUT) && !is_behind(it, PUT);
    return !it->arrived && (it->kind == PUT || !is_behind(it, MESSAGE_OUT));
}

static unsigned odds_of(const struct under_way *it, bool arriving)
{
    if (it->cancelled)
        return arriving ? 0 : 1000;
    switch (it->kind) {
    case MESSAGE_OUT:
    case PUT:
        return (arriving ? may_arrive(it) : !it->left) ? odds[it->kind][arriving] : 0;
    case FLUSH:
        return arriving || is_behind(it, PUT) ? 0 : odds[FLUSH][0];
    case REPLY:
        return arriving || is_behind(it, REPLY) ? 0 : odds[REPLY][0];
    default:
        return arriving ? 0 : odds[GET][0];
    }
}

static void take_out(const struct under_way *it)
{
    if (it->left)
        free((void *)(uintptr_t)it->from);
    const size_t i = (size_t)(it - list);
    memmove(list + i, list + i + 1, (--n_list - i) * sizeof *list);
}

static void (*after_each_step)(void);

static void arrive(struct under_way *it)
{
    it->arrived = true;
    if (it->kind == PUT) {
        memcpy(it->at, it->from, it->bytes);
    } else {
        unsigned char data[MESSAGE];
        const size_t bytes = it->bytes;
        memcpy(data, it->from, bytes); /* because the target may post its reply */
        self.pe = it->pe;
        calls->message(&theirs[self.pe], data, bytes, &back[self.pe]);
        self.pe = 0;
    }
}

/* Operations with a single step. */
static void happen(const struct under_way *which)
{
    const struct under_way it = *which;
    unsigned char data[MESSAGE];
    if (it.kind == GET)
        memcpy(it.at, it.from, it.bytes);
    if (it.kind == REPLY)
        memcpy(data, it.from, it.bytes);
    take_out(which);
    if (it.kind == REPLY)
        calls->message(&net_port, data, it.bytes, NULL);
    else
        it.done(it.arg, it.cancelled);
}

static void step(struct under_way *it, bool arriving)
{
    const bool in_two = !it->cancelled && (it->kind == MESSAGE_OUT || it->kind == PUT);
    if (!in_two) {
        happen(it);
        return;
    }
    if (arriving)
        arrive(it);
    else
        leave(it, true);
    for (it = list; it < list + n_list; it++) /* the list may have grown */
        if (it->left && it->arrived) {
            take_out(it);
            break;
        }
}

static void run_calls(int pe)
{
    self.pe = pe;
    port_lock(&theirs[pe]);
    serve_waiting(&theirs[pe]);
    port_unlock(&theirs[pe]);
    self.pe = 0;
}

static bool progress(struct provider_port *port)
{
    (void)port;
    unsigned all = 0, calls_at[PES] = {0};
    for (int pe = 1; pe < PES; pe++)
        all += calls_at[pe] = theirs[pe].waiting ? odds[CALL][0] : 0;
    for (size_t i = 0; i < 2 * n_list; i++)
        all += odds_of(&list[i / 2], i % 2);
    if (!all)
        return false;
    unsigned drawn = lot(all);
    for (int pe = 1; pe < PES; drawn -= calls_at[pe++])
        if (drawn < calls_at[pe]) {
            run_calls(pe);
            after_each_step();
            return true;
        }
    for (size_t i = 0; i < 2 * n_list; i++) {
        const unsigned odd = odds_of(&list[i / 2], i % 2);
        if (drawn < odd) {
            step(&list[i / 2], i % 2);
            break;
        }
        drawn -= odd;
    }
    after_each_step();
    return true;
}

static bool send(struct provider_endpoint *way, const void *data, size_t bytes, bool with_reply, provider_done *done,
                 void *arg)
{
    (void)with_reply;
    if (way >= back && way < back + PES)
        return post((struct under_way){REPLY, .pe = self.pe, .from = data, .bytes = bytes}, true);
    most_sends = net_port.sends > most_sends ? net_port.sends : most_sends;
    return post((struct under_way){MESSAGE_OUT, .pe = way->pe, .from = data, .bytes = bytes, .done = done, .arg = arg},
                lot(4) == 0);
}

static void *at_peer(const struct provider_endpoint *way, uint64_t remote)
{
    return memory[way->pe] + (remote - (uintptr_t)memory[0]);
}

static bool put(struct provider_endpoint *way, uint64_t remote, struct provider_key *key, const void *source,
                size_t bytes, provider_done *done, void *arg)
{
    (void)key;
    return post((struct under_way){PUT, .pe = way->pe, .from = source, .at = at_peer(way, remote), .bytes = bytes,
                                   .done = done,
                                   .arg = arg}, lot(4) == 0);
}

static bool put_message(struct provider_endpoint *way, uint64_t remote, const void *source, size_t bytes,
                        const void *message, size_t message_bytes, provider_done *done, void *arg)
{
    CHECK(in_order && message_bytes <= PROVIDER_BEHIND, "%zu bytes are sent behind a put", message_bytes);
    const bool left = put(way, remote, NULL, source, bytes, done, arg);
    post((struct under_way){MESSAGE_OUT, .pe = way->pe, .from = message, .bytes = message_bytes}, true);
    return left;
}

static bool get(struct provider_endpoint *way, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
                provider_done *done, void *arg)
{
    (void)key;
    return post((struct under_way){GET, .pe = way->pe, .from = at_peer(way, remote), .at = dest, .bytes = bytes,
                                   .done = done,
                                   .arg = arg}, false);
}

static bool flush(struct provider_endpoint *way, provider_done *done, void *arg)
{
    return post((struct under_way){FLUSH, .pe = way->pe, .done = done, .arg = arg}, false);
}

static bool keeps_order(struct provider_endpoint *way)
{
    (void)way;
    return in_order;
}

static void disconnect(struct provider_port *port, struct provider_endpoint *way)
{
    (void)port;
    for (size_t i = n_list; i-- > 0;)
        if (list[i].pe == way->pe && list[i].kind != REPLY) {
            if (list[i].left && list[i].done && list[i].kind != GET)
                take_out(&list[i]); /* its done has been called, or need not be */
            else
                list[i].cancelled = true;
        }
}

static void start_network(const char *limits, void (*look)(void))
{
    fake.send = send;
    fake.put = put;
    fake.put_message = put_message;
    fake.get = get;
    fake.flush = flush;
    fake.progress = progress;
    fake.disconnect = disconnect;
    fake.keeps_order = keeps_order;
    after_each_step = look;
    static struct peer *nobody[PES]; /* a reply to a PE that has requested nothing is discarded */
    for (int pe = 0; pe < PES; pe++)
        theirs[pe].peers = nobody;
    start_net(PES, memory[0], BYTES, MESSAGE, limits);
}

static void end_network(void)
{
    net_stop();
    for (int pe = 0; pe < PES; pe++) {
        serve_end(&theirs[pe]);
        buffer_free_all(&theirs[pe]);
    }
    free(self.job);
}
