#include "net/ofi/ofi.h"

#include <stdio.h>
#include <string.h>

#define CONNECT_TIME 10000000000 /* ns */

static bool refuse(struct provider_endpoint *endpoint, provider_done *done, void *arg)
{
    operation_tell_later(endpoint->port, done, arg, true);
    return false;
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

static struct slot *fill(struct provider_endpoint *endpoint, enum message_kind kind, const void *data, size_t bytes)
{
    struct slot *slot = slot_take(endpoint->port);
    slot->head = (struct message_head){.secret = endpoint->secret, .from = endpoint->port->own->id,
                                       .number = endpoint->sent++, .kind = (uint32_t)kind};
    if (bytes)
        memcpy(slot->data, data, bytes);
    return slot;
}

static void post(struct provider_endpoint *endpoint, struct slot *slot, size_t bytes, provider_done *done, void *arg)
{
    struct operation *o = operation_take(endpoint, OPERATION_SEND, done, arg);
    o->slot = slot;
    o->bytes = sizeof slot->head + bytes;
    operation_begin(o);
}

/* Sends the peer this port's address, in the first message of the sequence. */
static void introduce(struct provider_endpoint *endpoint)
{
    const struct provider_port *port = endpoint->port;
    endpoint->introduced = true;
    post(endpoint, fill(endpoint, MESSAGE_HELLO, port->own, port->own_bytes), port->own_bytes, NULL, NULL);
}

/* libfabric copies a small message, and reports it only if it is lost (move_lost). */
static bool inject(struct provider_endpoint *endpoint, struct slot *slot, size_t bytes)
{
    const size_t all = sizeof slot->head + bytes;
    if (all > ofi_info->tx_attr->inject_size || endpoint->queue.first ||
        fi_inject(endpoint->port->ep, &slot->head, all, endpoint->address) != 0)
        return false;
    slot_give_back(endpoint->port, slot);
    return true;
}

bool ofi_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg)
{
    if (!endpoint->introduced && !endpoint->is_broken)
        introduce(endpoint);
    if (endpoint->is_broken)
        return refuse(endpoint, done, arg);
    struct slot *slot = fill(endpoint, with_reply ? MESSAGE_ASKS : MESSAGE_SILENT, data, bytes);
    if (inject(endpoint, slot, bytes))
        return true;
    post(endpoint, slot, bytes, done, arg);
    return false;
}

/* A posted operation detects a dead peer, too, so no probe is needed.  If operations are queued and none is posted,
 * libfabric's provider has refused them. A provider may try to connect for ever and refuse all operations meanwhile, so
 * the endpoint breaks after CONNECT_TIME. */
void move_probe(struct provider_endpoint *endpoint, int64_t now)
{
    if (endpoint->is_broken || endpoint->under_way.first)
        return;
    if (!endpoint->queue.first) {
        if (endpoint->introduced)
            post(endpoint, fill(endpoint, MESSAGE_PROBE, NULL, 0), 0, NULL, NULL);
        else
            introduce(endpoint);
    } else if (!endpoint->refused) {
        endpoint->refused = now;
    } else if (now - endpoint->refused > CONNECT_TIME) {
        operation_break(endpoint, "it cannot be connected to");
    }
}

/* --- lost messages ------------------------------------------------------------------------------------------------ */

void move_break_all(struct provider_port *port, const char *why)
{
    for (size_t i = 0; i < port->n_chains; i++)
        for (struct provider_endpoint *e = port->chain[i]; e; e = e->next)
            operation_break(e, why);
}

static void ask_all(struct provider_port *port);

/* If all probes succeed, all peers are alive, but one would wait for the lost message for ever: all endpoints break. */
static void answered(void *arg, bool failed)
{
    struct provider_port *port = arg;
    char why[120];
    (void)failed;
    if (--port->asked)
        return;
    if (port->asks_again) {
        ask_all(port);
    } else if (!port->has_broken) {
        snprintf(why, sizeof why, "a message to it or to another PE has been lost: %s", fi_strerror(port->lost));
        move_break_all(port, why);
    }
}

/* Probes all peers, by messages whose completion libfabric reports. */
static void ask_all(struct provider_port *port)
{
    port->asks_again = false;
    port->asked = 1; /* until all probes have been posted */
    for (size_t i = 0; i < port->n_chains; i++)
        for (struct provider_endpoint *e = port->chain[i]; e; e = e->next)
            if (e->introduced && !e->is_broken) {
                port->asked++;
                post(e, fill(e, MESSAGE_PROBE, NULL, 0), 0, answered, port);
            }
    answered(port, false);
}

void move_lost(struct provider_port *port, int error)
{
    port->lost = error;
    port->asks_again = true;
    if (!port->asked)
        ask_all(port);
}

/* --- remote memory ------------------------------------------------------------------------------------------------ */

static bool move(struct provider_endpoint *endpoint, enum operation_kind kind, uint64_t remote,
                 const struct provider_key *key, const void *local, size_t bytes, provider_done *done, void *arg)
{
    if (!bytes)
        return true;
    if (endpoint->is_broken)
        return refuse(endpoint, done, arg);
    struct operation *o = operation_take(endpoint, kind, done, arg);
    o->local = local;
    o->remote = remote - key->base;
    o->key = key->key;
    o->bytes = bytes;
    operation_begin(o);
    return false;
}

bool ofi_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg)
{
    return move(endpoint, OPERATION_PUT, remote, key, source, bytes, done, arg);
}

bool ofi_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg)
{
    return move(endpoint, OPERATION_GET, remote, key, dest, bytes, done, arg);
}

bool ofi_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg)
{
    if (endpoint->is_broken)
        return refuse(endpoint, done, arg);
    if (!endpoint->puts)
        return true;
    operation_await_puts(operation_take(endpoint, OPERATION_FLUSH, done, arg));
    return false;
}
