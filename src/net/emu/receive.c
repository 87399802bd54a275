#include "item.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { GOODBYES = 1000 }; /* attempts to notify a peer that its connection has broken */

struct provider_endpoint *receive_new_endpoint(struct provider_port *port, int to, uint32_t life)
{
    struct provider_endpoint *e = malloc(sizeof *e);
    if (!e)
        return NULL;
    *e = (struct provider_endpoint){
        .next = port->endpoints, .port = port, .pe = to / emu.ports, .to = to, .life = life};
    port->endpoints = port->of[to] = e;
    return e;
}

void receive_break(struct provider_endpoint *endpoint, const char *why)
{
    if (endpoint->broken)
        return;
    endpoint->broken = why;
    endpoint->port->any_broken = true;
    item_fail_all(endpoint);
}

bool receive_lives(int port)
{
    const pid_t pid = emu_inbox(port)->pid;
    return pid > 0 && (kill(pid, 0) == 0 || errno != ESRCH);
}

/* Why the peer is gone; NULL: it is there. */
static const char *why_gone(const struct provider_endpoint *e)
{
    if (emu_inbox(e->to)->life != e->life)
        return "its port is closed";
    return receive_lives(e->to) ? NULL : "its process has ended";
}

void receive_look(struct provider_port *port)
{
    for (struct provider_endpoint *e = port->endpoints; e; e = e->next) {
        const char *why = e->broken ? NULL : why_gone(e);
        if (why)
            receive_break(e, why);
    }
}

void receive_say_broken(struct provider_endpoint *endpoint)
{
    struct item goodbye = {.to = endpoint, .goodbye = true, .source = ""};
    for (int tries = 0; tries < GOODBYES && !why_gone(endpoint) && !item_send(&goodbye, INBOX_SLOTS, 0); tries++)
        usleep(100);
}

bool receive_tell_broken(struct provider_port *port)
{
    if (!port->any_broken)
        return false;
    port->any_broken = false;
    for (struct provider_endpoint *e = port->endpoints; e; e = e->next)
        if (e->broken && !e->told) {
            e->told = true;
            if (port->upcalls)
                port->upcalls->broken(port->user, e, e->broken);
        }
    return true;
}

static bool is_port(int number)
{
    return number >= 0 && number < emu.job.n_pes * emu.ports;
}

/* Skips incomplete messages of dead senders, and invalid messages, which a program's stray store may have written. */
bool receive_first(struct provider_port *port, struct inbox_message *m)
{
    struct inbox *in = emu_inbox(port->number);
    int claimant;
    for (;;) {
        switch (inbox_first(in, emu.fabric.message_most, m, &claimant)) {
        case INBOX_EMPTY: return false;
        case INBOX_FULL:
            /* MUTANT an emulated message has a sender: return true; */
            if (is_port(m->from) && m->bytes <= emu.fabric.message_most)
                return true;
            break;
        case INBOX_BUSY:
            if (++port->busy_turns < 64)
                return false;
            port->busy_turns = 0;
            /* MUTANT a claimant is a port: is_port(claimant) => true */
            if (is_port(claimant) && receive_lives(claimant))
                return false;
        }
        inbox_drop(in, emu.fabric.message_most);
    }
}

void receive_tell(struct provider_port *port, const struct inbox_message *m)
{
    struct provider_endpoint *from = NULL;
    /* MUTANT an earlier life gets nothing: m->to_life != port->life => false */
    if (m->to_life != port->life || !port->upcalls)
        return;
    if (m->with_reply || m->goodbye) {
        from = port->of[m->from];
        if (!from || from->life != m->from_life)
            from = receive_new_endpoint(port, m->from, m->from_life);
        if (!from)
            return;
    }
    if (from && from->broken) { /* the peer is dead or has reconnected: notify it of the break */
        if (!m->goodbye)
            receive_say_broken(from);
        return;
    }
    if (m->goodbye) {
        receive_break(from, "its peer has found it broken");
        return;
    }
    port->upcalls->message(port->user, m->data, m->bytes, from);
}
