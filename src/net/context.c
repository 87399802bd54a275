/* Contexts: operations that have been started and are not complete, and the waits for them.
 *
 * A port's contexts share its messages, so when a peer has executed records, it has done so for all contexts.  Each
 * context has a bit.  The default context and the library's own have one each; any other context gets the bit that the
 * fewest contexts have.  A peer remembers the bits of the contexts that have sent it records since the last FLUSH.
 * port.flushing counts, for each bit, the FLUSHes without a reply.  A quiet therefore flushes only the peers that its
 * context has used.  A context that shares its bit may wait for another context's flush, but never misses its own. */
#include "net/context.h"

#include "wait/wait.h"
#include "net/hold.h"
#include "net/message.h"
#include "net/ports.h"
#include "net/progress.h"
#include "net/thread.h"

#include <stdlib.h>

struct net_context net_context_default = {.port = &net_port, .bit = 1};
static struct net_context library = {.port = &net_port, .bit = 2, .number = 1};
struct net_context *net_default = &net_context_default, *net_library = &library;

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list, which begins with net_default */
static unsigned users[64]; /* how many contexts have each bit */

static unsigned least_used_bit(void)
{
    unsigned least = 2;
    for (unsigned i = least + 1; i < 64; i++)
        if (users[i] < users[least])
            least = i;
    return least;
}

struct net_context *net_context_open(bool alone)
{
    struct net_context *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->port = alone ? ports_take() : &net_port;
    pthread_mutex_lock(&list_lock);
    c->number = least_used_bit();
    c->bit = (uint64_t)1 << c->number;
    users[c->number]++;
    c->link = &net_context_default.next;
    c->next = *c->link;
    if (c->next)
        c->next->link = &c->next;
    *c->link = c;
    pthread_mutex_unlock(&list_lock);
    return c;
}

void net_context_close(struct net_context *c)
{
    net_quiet(c); /* MUTANT close completes */
    pthread_mutex_lock(&list_lock);
    *c->link = c->next;
    if (c->next)
        c->next->link = c->link;
    users[c->number]--;
    pthread_mutex_unlock(&list_lock);
    ports_give(c->port);
    free(c);
}

void context_end_all(void)
{
    for (struct net_context *c = net_context_default.next, *next; c; c = next) {
        next = c->next;
        users[c->number]--;
        free(c);
    }
    net_context_default.next = NULL;
}

void net_context_batch(struct net_context *c, bool batch)
{
    c->batch = batch;
    if (!batch) {
        port_lock(c->port);
        message_send_all(c->port);
        port_unlock(c->port);
    }
}

/* --- operations and waits ----------------------------------------------------------------------------------------- */

struct op *context_begin(struct net_context *c, struct peer *peer, enum net_mode mode, struct op *here)
{
    struct port *port = c->port;
    struct op *op = here;
    /* MUTANT answers are bounded */
    while (mode != NET_BLOCKING &&
           UNLIKELY(atomic_load_explicit(&c->pending, memory_order_relaxed) >= net_tune.asked))
        progress_pause(port);
    progress_room(port); /* last, as the turns of the loop above may have sent messages */
    if (mode == NET_BLOCKING) {
        *op = (struct op){.port = port, .left = 1};
    } else {
        op = op_new(port);
        op->pending = &c->pending; /* MUTANT nonblocking counts */
        atomic_fetch_add_explicit(&c->pending, 1, memory_order_relaxed); /* MUTANT nonblocking counts */
        atomic_store_explicit(&c->used, true, memory_order_relaxed); /* MUTANT nonblocking is used */
        if (UNLIKELY(port != &net_port))
            thread_kick(port);
    }
    op->held = true;
    op_owe(op, peer);
    return op;
}

bool context_request(struct net_context *c, struct peer *peer, enum record_kind kind, uint64_t about, void *reply,
                     size_t bytes, const char *routine)
{
    struct op here;
    port_lock(c->port);
    struct op *op = context_begin(c, peer, NET_BLOCKING, &here);
    op->dest = reply;
    op->room = bytes;
    op_ask(op);
    ((struct args_token *)(record_ask(peer, kind, about, sizeof(struct args_token)) + 1))->token = op->token;
    op_end(op);
    message_send(peer);
    port_unlock(c->port);
    op_wait(op, peer->pe, routine);
    return !op->error;
}

static void context_wait(struct net_context *c, const char *routine)
{
    struct wait w = {.routine = routine, .for_pe = -1, .stays = true, .by_library = true};
    struct port *const before = port_await(c->port);
    /* MUTANT quiet waits for operations: atomic_load_explicit(&c->pending, memory_order_acquire) => false */
    /* MUTANT quiet waits for flushes: while (atomic_load_explicit(&c->pending, memory_order_acquire)) wait_turn(&w); */
    while (atomic_load_explicit(&c->pending, memory_order_acquire) ||
           atomic_load_explicit(&c->port->flushing[c->number], memory_order_acquire))
        wait_turn(&w);
    wait_end(&w);
    port_awaited = before;
}

/* --- flushes ------------------------------------------------------------------------------------------------------ */

static struct op *flush_op(struct peer *peer, uint64_t *contexts)
{
    struct port *port = peer->port;
    struct op *op = op_new(port);
    op->contexts = *contexts;
    *contexts = 0;
    for (uint64_t bits = op->contexts; bits; bits &= bits - 1)
        atomic_fetch_add_explicit(&port->flushing[__builtin_ctzll(bits)], 1, memory_order_relaxed);
    return op;
}

void context_flush(struct peer *peer)
{
    if (!peer->unacked)
        return;
    struct record *r = record_ask(peer, RECORD_FLUSH, 0, sizeof(struct args_token));
    struct op *op = flush_op(peer, &peer->unacked);
    op_owe(op, peer);
    ((struct args_token *)(r + 1))->token = op->token;
}

static void flush_puts(struct peer *peer)
{
    if (!peer->endpoint)
        peer->put = 0;
    if (!peer->put)
        return;
    struct op *op = flush_op(peer, &peer->put);
    op->of_provider = true; /* MUTANT flush is the provider's */
    op_owe(op, peer);
    if (net_provider->flush(peer->endpoint, op_provided, op)) /* MUTANT flush of puts: op_provided(op, false); */
        op_provided(op, false);
}

/* Starts completing these contexts' operations at all peers, and sends all held records.  Deferred puts are started
 * first, since nothing may change the list of peers during the loop. */
static void flush_all(struct port *port, uint64_t contexts)
{
    op_begin_later(port); /* MUTANT quiet begins deferred puts */
    for (struct peer **at = &port->open, *peer; (peer = *at);) {
        if (peer->unacked & contexts) /* MUTANT quiet flushes records */
            context_flush(peer);
        if (peer->put & contexts) /* MUTANT quiet flushes puts */
            flush_puts(peer);
        if (peer->unacked | peer->put) { /* MUTANT peers of other contexts stay: peer->unacked | peer->put => false */
            at = &peer->next_open;
        } else {
            *at = peer->next_open;
            peer->is_open = false;
        }
    }
    message_send_all(port); /* MUTANT quiet sends */
}

/* Whether the operation must be complete before the signal. Records to the signal's peer are only in order. */
static bool precedes(const struct net_context *c, const struct op *op, const struct op *signal)
{
    if (op->peer == signal->peer && !op->of_provider)
        return false;
    return op != signal && ((op->contexts & c->bit) || op->context == c);
}

/* The signal waits for earlier deferred signals, which wait for all operations before them. A peer's newest operations
 * are first in its list, so the search ends at a waiting signal. Thousands of signals may wait. */
void context_defer(struct net_context *c, struct op *signal)
{
    struct port *port = c->port;
    signal->waits = 1;
    op_begin_later(port);
    for (struct peer *peer = port->open; peer; peer = peer->next_open) {
        const bool ordered = peer == signal->peer && context_keeps_order(peer);
        if (peer != signal->peer && (peer->unacked & c->bit)) /* MUTANT a deferred signal flushes records */
            context_flush(peer);
        if ((peer->put & c->bit) && !ordered) /* MUTANT a deferred signal flushes puts */
            flush_puts(peer);
    }
    message_send_all(port);
    for (struct peer *peer = port->connected; peer; peer = peer->next_connected)
        for (struct op *op = peer->owed; op; op = op->waits && op != signal ? NULL : op->next)
            if (!op->then && precedes(c, op, signal)) {
                op->then = signal;
                signal->waits++;
            }
    op_released(signal);
}

/* --- order and completion ----------------------------------------------------------------------------------------- */

bool context_expects_quiet(struct net_context *c)
{
    if (c->started < 2 && ++c->started == 2)
        c->expects_quiet = false;
    return c->expects_quiet;
}

void context_post(struct net_context *c, struct peer *peer, enum net_mode mode)
{
    context_sent(c, peer); /* MUTANT records are noted */
    const bool delayed = mode == NET_DELAYED || c->batch, quiet_next = !delayed && context_expects_quiet(c);
    const bool held = delayed || (mode == NET_NBI ? !quiet_next : hold_put(peer));
    if (quiet_next)
        context_flush(peer); /* its reply is then on its way when the quiet begins */
    if (held) {
        /* The end of the segment or the next quiet usually sends a delayed put. */
        if (mode == NET_DELAYED)
            thread_kick_later(c->port);
        else
            thread_kick(c->port);
        return;
    }
    hold_send_put(peer);
    if (UNLIKELY(c->port != &net_port))
        thread_kick(c->port); /* some messages may not have been sent */
}

void context_ask(struct net_context *c, struct peer *peer, enum net_mode mode)
{
    const bool held = mode == NET_NBI && (c->batch || !context_expects_quiet(c));
    if (held)
        thread_kick_later(c->port); /* MUTANT a request is sent while the PE computes */
    else
        hold_send(peer);
}

/* Records for context_expects_quiet how many operations this quiet follows. */
static void note_quiet(struct net_context *c)
{
    if (c->started)
        c->expects_quiet = c->started == 1;
    c->started = c->posts = 0;
}

/* Returns the number of the fence that the quiet completes.  Until it ends, other threads' puts wait for records. */
static uint32_t start_quiet(struct net_context *c)
{
    port_lock(c->port);
    /* MUTANT quiet is counted first */
    atomic_fetch_add_explicit(&c->settling, 1, memory_order_relaxed); /* MUTANT quiet is counted */
    const uint32_t fenced = atomic_load_explicit(&c->fenced, memory_order_relaxed);
    /* MUTANT fence outlives a quiet: + c->fenced = 0; */
    atomic_store_explicit(&c->has_puts, false, memory_order_release);
    atomic_store_explicit(&c->has_unordered, false, memory_order_relaxed);
    atomic_store_explicit(&c->used, false, memory_order_release);
    note_quiet(c);
    thread_note_wait(c->port);
    /* MUTANT quiet is counted first: + atomic_fetch_add_explicit(&c->settling, 1, memory_order_relaxed); */
    flush_all(c->port, c->bit);
    port_unlock(c->port);
    return fenced;
}

static void end_quiet(struct net_context *c, uint32_t fenced)
{
    context_wait(c, "shmem_quiet"); /* MUTANT quiet waits */
    if (fenced)
        /* MUTANT fence of a later time: c->fenced = 0; */
        atomic_compare_exchange_strong_explicit(&c->fenced, &fenced, 0, memory_order_relaxed, memory_order_relaxed);
    atomic_fetch_sub_explicit(&c->settling, 1, memory_order_release); /* MUTANT quiet is counted */
}

/* True: nothing is outstanding, as the context is unused since the last quiet, and no thread is in quiet or fence. */
static bool is_quiet(const struct net_context *c)
{
    /* MUTANT in use is not quiet: !atomic_load_explicit(&c->used, memory_order_acquire) => true */
    return !atomic_load_explicit(&c->used, memory_order_acquire) &&
        !atomic_load_explicit(&c->settling, memory_order_acquire); /* MUTANT settling is not quiet: true; */
}

void net_quiet(struct net_context *c)
{
    if (!is_quiet(c))
        end_quiet(c, start_quiet(c));
    else if (UNLIKELY(net.polls))
        net_progress();
}

void net_quiet_all(void)
{
    pthread_mutex_lock(&list_lock); /* no longjmp leaves these waits */
    /* MUTANT barrier completes all contexts: c->next => NULL */
    for (struct net_context *c = net_default; c; c = c->next)
        if ((c->started_quiet = !is_quiet(c)))
            c->completes = start_quiet(c);
    for (struct net_context *c = net_default; c; c = c->next)
        if (c->started_quiet)
            /* MUTANT barrier waits: atomic_fetch_sub_explicit(&c->settling, 1, memory_order_release); */
            end_quiet(c, c->completes);
    pthread_mutex_unlock(&list_lock);
}

/* Records arrive in order.  The provider's puts must be complete before any operation after the fence, unless the
 * provider keeps order. */
void net_fence(struct net_context *c)
{
    const bool used = atomic_load_explicit(&c->used, memory_order_acquire);
    const bool has_puts = atomic_load_explicit(&c->has_puts, memory_order_acquire);
    bool settling = atomic_load_explicit(&c->settling, memory_order_acquire);
    port_count(&c->port->fences); /* MUTANT a fence ends a burst */
    if (used && (settling || !atomic_load_explicit(&c->fenced, memory_order_relaxed))) /* MUTANT fence is noted */
        atomic_store_explicit(&c->fenced, atomic_fetch_add_explicit(&c->fences, 2, memory_order_relaxed) + 1,
                              memory_order_relaxed);
    if (UNLIKELY(net.polls))
        net_progress();
    if (!has_puts && !settling) /* MUTANT fence waits while another completes: !settling => true */
        return;
    port_lock(c->port);
    /* Another thread may have requested the flush of these puts since the first check. */
    settling = atomic_load_explicit(&c->settling, memory_order_relaxed); /* MUTANT fence checks again */
    atomic_fetch_add_explicit(&c->settling, 1, memory_order_relaxed); /* MUTANT fence is counted */
    atomic_store_explicit(&c->has_puts, false, memory_order_release);
    op_begin_later(c->port); /* MUTANT fence begins deferred puts */
    /* A flush that another context has begun, and a NIC's atomics, leave no bit in peer->put. */
    const bool waits = atomic_exchange_explicit(&c->has_unordered, false, memory_order_relaxed) || settling;
    for (struct peer *peer = c->port->open; peer; peer = peer->next_open) /* MUTANT fence flushes puts */
        if ((peer->put & c->bit) && !context_keeps_order(peer))
            flush_puts(peer);
    port_unlock(c->port);
    if (waits)
        context_wait(c, "shmem_fence"); /* MUTANT fence waits */
    atomic_fetch_sub_explicit(&c->settling, 1, memory_order_release); /* MUTANT fence is counted */
}

/* --- one peer ----------------------------------------------------------------------------------------------------- */

static bool owes(struct net_context *c, struct peer *peer)
{
    port_lock(c->port);
    bool any = false;
    for (const struct op *op = peer->owed; op && !any; op = op->next)
        /* MUTANT one peer's operations: op->pending == &c->pending => false */
        /* MUTANT one peer's flushes: op->contexts & c->bit => false */
        any = op->pending == &c->pending || (op->contexts & c->bit);
    port_unlock(c->port);
    return any;
}

static void start_peer_quiet(struct net_context *c, struct peer *peer)
{
    op_begin_later(c->port); /* MUTANT one peer's puts begin */
    if (peer->unacked & c->bit) /* MUTANT one peer's records */
        context_flush(peer);
    if (peer->put & c->bit) /* MUTANT one peer's puts */
        flush_puts(peer);
    message_send(peer); /* MUTANT one peer is sent to */
}

static void end_peer_quiet(struct net_context *c, struct peer *peer)
{
    struct wait w = {.routine = "shmem_pe_quiet", .for_pe = peer->pe, .stays = true, .by_library = true};
    struct port *const before = port_await(c->port);
    while (owes(c, peer)) /* MUTANT one peer is waited for */
        wait_turn(&w);
    wait_end(&w);
    port_awaited = before;
}

void context_complete(struct net_context *c, struct peer *peer)
{
    port_lock(c->port);
    start_peer_quiet(c, peer);
    port_unlock(c->port);
    end_peer_quiet(c, peer); /* MUTANT fenced puts wait */
}

void context_order(struct net_context *c, struct peer *peer)
{
    if (LIKELY(!atomic_load_explicit(&c->fenced, memory_order_relaxed)))
        return;
    port_lock(c->port);
    /* Calls are sent by net_port, and the peer queues records of this PE's other ports behind them, too. */
    /* MUTANT fenced puts follow calls: !peer->called => true */
    const bool ordered = context_keeps_order(peer) && !peer->called && c->port == &net_port;
    if (ordered)
        message_send(peer); /* MUTANT fenced records are sent */
    port_unlock(c->port);
    if (!ordered)
        context_complete(c, peer);
}

/* Also true if another thread waits for the flush of this context's puts, or a deferred signal waits for its data. */
static bool has_puts_at(struct net_context *c, struct peer *peer)
{
    port_lock(c->port);
    bool any = peer->put & c->bit; /* MUTANT a call comes after puts: peer->put & c->bit => false */
    for (const struct op *op = peer->owed; op && !any; op = op->next)
        /* MUTANT a call comes after flushes: op->contexts & c->bit => false */
        /* MUTANT a call comes after deferred puts: op->context == c => false */
        any = op->of_provider && ((op->contexts & c->bit) || op->context == c);
    port_unlock(c->port);
    return any;
}

void context_complete_puts(struct net_context *c, struct peer *peer)
{
    /* MUTANT a call looks for puts: atomic_load_explicit(&c->has_puts, memory_order_acquire) => false */
    const bool any = atomic_load_explicit(&c->has_puts, memory_order_acquire) ||
        atomic_load_explicit(&c->settling, memory_order_acquire); /* MUTANT a call looks for settling: false; */
    if (UNLIKELY(any) && has_puts_at(c, peer))
        context_complete(c, peer);
}

static struct peer *connected_peer(struct net_context *c, int pe)
{
    return __atomic_load_n(&c->port->peers[pe], __ATOMIC_ACQUIRE);
}

void net_start_quiet_pe(struct net_context *c, int pe)
{
    struct peer *peer = connected_peer(c, pe);
    if (!peer)
        return;
    port_lock(c->port);
    note_quiet(c);
    start_peer_quiet(c, peer);
    port_unlock(c->port);
}

void net_end_quiet_pe(struct net_context *c, int pe)
{
    struct peer *peer = connected_peer(c, pe);
    if (peer)
        end_peer_quiet(c, peer);
}
