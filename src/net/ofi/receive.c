#include "net/ofi/ofi.h"

#include "net/endpoints.h"

void receive_post(struct provider_port *port, struct slot *slot)
{
    if (fi_recv(port->ep, &slot->head, sizeof slot->head + SLOT_DATA, NULL, FI_ADDR_UNSPEC,
                &slot->posted.context) == 0)
        return;
    slot->next = port->unposted;
    port->unposted = slot;
}

/* While no slot is posted, libfabric keeps the messages, here or at the sender. */
void receive_start(struct provider_port *port)
{
    const size_t room = ofi_info->rx_attr->size;
    for (size_t i = 0; i < RECEIVES_POSTED && i < room; i++)
        receive_post(port, slot_take(port));
}

void receive_again(struct provider_port *port)
{
    struct slot *all = port->unposted;
    port->unposted = NULL;
    for (struct slot *s = all, *next; s; s = next) {
        next = s->next;
        receive_post(port, s);
    }
}

/* --- order -------------------------------------------------------------------------------------------------------- */

static void keep(struct slot **list, struct slot *slot)
{
    slot->next = *list;
    *list = slot;
}

static struct slot *take_early(struct provider_endpoint *endpoint)
{
    for (struct slot **at = &endpoint->early, *s; (s = *at); at = &s->next)
        if (s->head.number == endpoint->received) {
            *at = s->next;
            return s;
        }
    return NULL;
}

static void hand_on(struct provider_endpoint *endpoint, struct slot *slot)
{
    struct provider_port *port = endpoint->port;
    endpoint->received++;
    if (slot->head.kind == MESSAGE_SILENT || slot->head.kind == MESSAGE_ASKS)
        port->upcalls->message(port->user, slot->data, slot->bytes,
                               slot->head.kind == MESSAGE_ASKS ? endpoint : NULL);
}

/* Delivers the sender's next message, and the messages that have overtaken it. */
static void hand_on_all(struct provider_endpoint *endpoint, struct slot *slot)
{
    hand_on(endpoint, slot);
    for (struct slot *s; !endpoint->is_broken && (s = take_early(endpoint));) {
        hand_on(endpoint, s);
        slot_give_back(endpoint->port, s);
    }
}

static void stranger_said_hello(struct provider_endpoint *endpoint)
{
    for (struct slot **at = &endpoint->port->strangers, *s; (s = *at);) {
        if (s->head.from != endpoint->id) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        keep(&endpoint->early, s);
    }
}

/* True: the slot has been kept, so do not post it again. */
static bool take_in(struct provider_port *port, struct slot *slot)
{
    struct provider_endpoint *endpoint = endpoint_find(port, slot->head.from);
    const char *why;
    if (endpoint && endpoint->is_broken)
        return false; /* the peer counts as dead */
    if (slot->head.kind == MESSAGE_HELLO) {
        if (!(endpoint = ofi_connect(port, slot->data, slot->bytes, &why)))
            return false;
        endpoint->said_hello = true;
        stranger_said_hello(endpoint);
    }
    if (!endpoint || !endpoint->said_hello) {
        keep(&port->strangers, slot);
        return true;
    }
    if (slot->head.number != endpoint->received) {
        keep(&endpoint->early, slot);
        return true;
    }
    hand_on_all(endpoint, slot);
    return false;
}

void receive_came(struct provider_port *port, struct slot *slot, size_t bytes)
{
    if (!port->upcalls) { /* the port is being closed */
        receive_post(port, slot);
        return;
    }
    slot->bytes = bytes - sizeof slot->head;
    const bool known = bytes >= sizeof slot->head && secret_is(&port->own->secret, &slot->head.secret);
    if (!known && port->upcalls->stranger)
        port->upcalls->stranger(port->user);
    const bool kept = known && take_in(port, slot);
    receive_post(port, kept ? slot_take(port) : slot);
}
