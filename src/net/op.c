/* An alert's handler may leave other waits by longjmp, but not the wait for an operation: the reply would be stored in
 * a stack frame that no longer exists.  This wait ends anyway: the peer replies, even while it computes, or dies. */
#include "net/op.h"

#include "wait/wait.h"

#include <errno.h>
#include <stdlib.h>

struct op *op_new(struct port *port)
{
    struct op *op = port->free_ops;
    if (op)
        port->free_ops = op->next;
    else if (!(op = malloc(sizeof *op)))
        job_fatal("the network", "no memory for an operation on another node");
    *op = (struct op){.port = port, .pooled = true, .left = 1};
    return op;
}

/* --- tokens ------------------------------------------------------------------------------------------------------- */

/* A token has an index into this table in its lower half, and the number of the entry's uses in its upper half.  A
 * received token is therefore never used as an address, and a late reply never matches another operation. */
struct op_name {
    struct op *op; /* NULL: free */
    uint32_t uses, next_free;
};

static void more_names(struct port *port)
{
    const uint32_t n = port->n_names ? 2 * port->n_names : 64;
    struct op_name *names = realloc(port->names, n * sizeof *names);
    if (!names)
        job_fatal("the network", "no memory for a table of %u operations on other nodes", n);
    for (uint32_t i = n; i-- > port->n_names;) {
        names[i] = (struct op_name){.next_free = port->free_name};
        port->free_name = i + 1;
    }
    port->names = names;
    port->n_names = n;
}

static void give_name(struct op *op)
{
    struct port *port = op->port;
    if (UNLIKELY(!port->free_name))
        more_names(port);
    const uint32_t at = port->free_name - 1;
    struct op_name *name = &port->names[at];
    port->free_name = name->next_free;
    name->op = op;
    name->uses += 1 + (name->uses == UINT32_MAX); /* no token is 0 */
    op->token = (uint64_t)name->uses << 32 | at;
}

static void take_name(const struct op *op)
{
    struct port *port = op->port;
    struct op_name *name = &port->names[(uint32_t)op->token];
    name->op = NULL;
    name->next_free = port->free_name;
    port->free_name = (uint32_t)op->token + 1;
}

struct op *op_asked(const struct port *port, int pe, uint64_t token)
{
    const uint32_t at = (uint32_t)token;
    struct op *op = at < port->n_names ? port->names[at].op : NULL;
    return op && op->token == token && op->peer->pe == pe ? op : NULL;
}

/* --- outstanding replies ------------------------------------------------------------------------------------------ */

void op_owe(struct op *op, struct peer *peer)
{
    give_name(op);
    op->peer = peer;
    op->next = peer->owed;
    op->link = &peer->owed;
    if (op->next)
        op->next->link = &op->next;
    peer->owed = op;
    if (UNLIKELY(peer->dead) && !op->of_provider) /* MUTANT operations begun at a dead peer */
        op_fail(op);
}

void op_end(struct op *op)
{
    op->held = false;
    if (UNLIKELY(op->error == EHOSTDOWN) && !op->of_provider) /* MUTANT requests to the dead */
        atomic_store_explicit(&op->left, 1, memory_order_relaxed); /* the requests get no reply */
    op_answered(op);
}

static void unlink_op(struct op *op)
{
    *op->link = op->next;
    if (op->next)
        op->next->link = op->link;
}

void op_answered(struct op *op)
{
    /* MUTANT all answers are waited for: const uint32_t left = 0; */
    const uint32_t left = atomic_load_explicit(&op->left, memory_order_relaxed) - 1;
    if (left) {
        atomic_store_explicit(&op->left, left, memory_order_relaxed);
        return;
    }
    unlink_op(op);
    take_name(op);
    struct port *port = op->port;
    if (UNLIKELY(op->then != NULL))
        op_released(op->then); /* MUTANT a deferred signal is sent */
    for (uint64_t bits = op->contexts; bits; bits &= bits - 1)
        atomic_fetch_sub_explicit(&port->flushing[__builtin_ctzll(bits)], 1, memory_order_release);
    if (op->pending)
        atomic_fetch_sub_explicit(op->pending, 1, memory_order_release);
    if (op->moves)
        port->moving -= op->moves;
    if (op->pooled) {
        op->next = port->free_ops;
        port->free_ops = op;
    } else {
        atomic_store_explicit(&op->left, 0, memory_order_release); /* the waiter may return now */
    }
    wake(self.pe, op, sizeof *op); /* uses only the address: op may be in use again */
}

void op_fail(struct op *op)
{
    op->error = EHOSTDOWN;
    atomic_store_explicit(&op->left, 1, memory_order_relaxed);
    if (!op->held) /* MUTANT an operation is held: op_answered(op); */
        op_answered(op);
}

void op_provided(void *arg, bool failed)
{
    struct op *op = arg;
    if (failed)
        op->error = EIO;
    op_answered(op);
}

void op_later(struct op *op, void (*begin)(struct op *))
{
    struct port *port = op->port;
    op->begin = begin;
    op->next_later = NULL; /* MUTANT deferred operations begin in order: op->next_later = port->later; */
    /* MUTANT deferred operations begin in order: port->later = op; */
    *(port->later ? port->last_later : &port->later) = op;
    port->last_later = &op->next_later; /* MUTANT deferred operations begin in order */
}

void op_begin_later(struct port *port)
{
    for (struct op *op; (op = port->later);) {
        port->later = op->next_later;
        op->begin(op);
    }
}

/* The next turn of progress begins the signal: the caller may be a loop over the peer's operations. */
void op_released(struct op *signal)
{
    if (--signal->waits == 0) /* MUTANT a deferred signal waits: --signal->waits == 0 => --signal->waits >= 0 */
        op_later(signal, signal->begin);
}

void op_wait(struct op *op, int pe, const char *routine)
{
    struct wait w = {.routine = routine, .for_pe = pe, .from = (uintptr_t)op, .to = (uintptr_t)(op + 1), .stays = true,
                     .by_library = true};
    struct port *const before = port_await(op->port);
    while (atomic_load_explicit(&op->left, memory_order_acquire)) /* MUTANT an operation is waited for */
        wait_turn(&w);
    wait_end(&w);
    port_awaited = before;
}

void op_free_all(struct port *port)
{
    for (struct op *op = port->free_ops, *next; op; op = next) {
        next = op->next;
        free(op);
    }
    port->free_ops = NULL;
    free(port->names);
    port->names = NULL;
    port->n_names = port->free_name = 0;
}
