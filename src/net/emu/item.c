#include "item.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static _Noreturn void no_memory(void)
{
    fputs("Copal: no memory for an operation of the emulated network; the job cannot go on\n", stderr);
    abort();
}

struct item *item_begin(struct provider_endpoint *to, enum item_kind kind, provider_done *call, void *arg)
{
    struct provider_port *port = to->port;
    struct item *it = port->spare;
    if (it)
        port->spare = it->next;
    else if (!(it = malloc(sizeof *it)))
        no_memory();
    *it = (struct item){.to = to, .kind = kind, .call = call, .arg = arg};
    *port->last = it;
    port->last = &it->next;
    port->operations++;
    return it;
}

void item_take(struct item *it)
{
    char *copy = malloc(it->bytes + 1);
    if (!copy)
        no_memory();
    memcpy(copy, it->source, it->bytes);
    it->source = copy;
    it->taken = true;
    it->to->port->n_copies++;
}

void item_tell(struct item *it)
{
    it->done = true;
    if (it->call)
        it->call(it->arg, it->failed);
}

void item_end(struct provider_port *port, struct item **link)
{
    struct item *it = *link;
    *link = it->next;
    if (port->last == &it->next)
        port->last = link;
    if (it->taken) {
        free((void *)(uintptr_t)it->source);
        port->n_copies--;
    }
    it->next = port->spare;
    port->spare = it;
}

void item_fail_all(const struct provider_endpoint *endpoint)
{
    for (struct item *it = endpoint->port->first; it; it = it->next)
        if (it->to == endpoint)
            it->failed = true;
}

bool item_puts_before(const struct item *flush)
{
    if (!flush->to->put)
        return false;
    const struct item *it = flush->to->port->first;
    while (it != flush && !(it->to == flush->to && it->kind == ITEM_PUT && !it->landed))
        it = it->next;
    return it != flush;
}

/* Disarms only after ringing, as this process may be killed in between.  A receiver that arms again stays armed. */
void item_ring(const struct provider_port *port, struct inbox *in)
{
    uint32_t armed = atomic_load(&in->armed);
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const socklen_t bytes = (socklen_t)in->bell_bytes;
    if (!armed || bytes < sizeof name.sun_family || bytes > sizeof in->bell)
        return;
    memcpy(&name, in->bell, bytes);
    /* If the receiver's socket is full, earlier bytes wake the receiver. */
    sendto(port->bell, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&name, bytes);
    atomic_compare_exchange_strong(&in->armed, &armed, 0);
}

bool item_send(struct item *it, unsigned capacity, uint64_t arrives)
{
    struct provider_endpoint *to = it->to;
    struct inbox *in = emu_inbox(to->to);
    const struct inbox_message m = {.from = to->port->number,
                                    .from_life = to->port->life,
                                    .to_life = to->life,
                                    .bytes = (uint32_t)it->bytes,
                                    .with_reply = it->with_reply,
                                    .goodbye = it->goodbye,
                                    .arrives = arrives,
                                    .number = it->number,
                                    .data = it->source};
    if (!inbox_put(in, emu.fabric.message_most, capacity, &m))
        return false;
    it->landed = true;
    to->landed++;
    item_ring(to->port, in);
    return true;
}

void item_free_all(struct provider_port *port)
{
    while (port->first)
        item_end(port, &port->first);
    for (struct item *it = port->spare, *next; it; it = next) {
        next = it->next;
        free(it);
    }
    port->spare = NULL;
}
