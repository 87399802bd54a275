#include "net/progress.h"

#include "time/virtual.h"
#include "wait/wait.h"
#include "net/failure.h"
#include "net/message.h"
#include "net/net.h"
#include "net/serve.h"

bool progress_poll(struct port *port)
{
    if (UNLIKELY(port->later))
        op_begin_later(port);
    if (port->dirty)
        message_send_all(port);
    const bool any = serve_has_room(port) && net_provider->progress(port->provider);
    if (UNLIKELY(port->later))
        op_begin_later(port); /* deferred signals, for which peers may wait */
    if (UNLIKELY(port->doomed || port->alerts != self.job->alerts))
        failure_look(port);
    if (UNLIKELY(net_failure_known))
        failure_due();
    return (UNLIKELY(port->waiting) && serve_waiting(port)) || any;
}

void progress_pause(struct port *port)
{
    port->driven++;
    port->turns++;
    const bool any = progress_poll(port), give = port->calling; /* give: the lock, to a thread that runs a function */
    if (give)
        port_unlock(port);
    if (UNLIKELY(virtual_on) && !any)
        virtual_wait(NULL);
    else if (give || !any)
        wait_give_away();
    if (give)
        port_lock(port);
}

/* If another thread has the lock, that thread makes progress. */
static bool try(struct port *port)
{
    if (pthread_mutex_trylock(&port->lock) != 0)
        return false;
    const bool any = progress_poll(port);
    port_unlock(port);
    if (UNLIKELY(net_failure_news))
        failure_tell();
    return any;
}

static bool turn(struct port *port)
{
    port_count(&port->driven);
    port_count(&port->turns);
    if (port->goes_on)
        port->goes_on();
    port_count(&port->pauses); /* MUTANT a wait ends a burst */
    if (UNLIKELY(atomic_load_explicit(&port->urged, memory_order_relaxed)))
        port->urged = false;
    return try(port);
}

/* Used in emulated time, in which any port may have an event due. */
static bool turn_of_all(void)
{
    bool any = false;
    virtual_turn();
    for (struct port *port = &net_port; port; port = port->next)
        any |= turn(port);
    return any;
}

/* A thread that waits for a reply at a port of its own also serves net_port, but not in each turn: serving net_port
 * does not speed up the reply, and threads would contend for it. */
bool progress_hook(void)
{
    if (UNLIKELY(virtual_threads))
        return turn_of_all();
    enum { TURNS = 4 };
    static _Thread_local unsigned turns;
    struct port *const own = port_awaited;
    if (LIKELY(!own || own == &net_port))
        return turn(&net_port);
    return turn(own) || (++turns % TURNS == 0 && turn(&net_port));
}

void net_progress(void)
{
    progress_hook();
}

void progress_room(struct port *port)
{
    while (UNLIKELY(port->sends >= net_tune.sends)) /* MUTANT messages are bounded */
        progress_pause(port);
}

bool progress_piece(struct op *op, struct peer *peer)
{
    /* MUTANT pieces are bounded */
    while (atomic_load_explicit(&op->left, memory_order_relaxed) > net_tune.pieces && !op->error)
        progress_pause(op->port);
    progress_room(op->port);
    return peer->endpoint && !op->error;
}

void net_asked(void)
{
    net_progress();
    if (virtual_on)
        virtual_poll();
}
