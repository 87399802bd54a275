#include "net/ucx/ucx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *ucx_allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        fputs("Copal: no memory for an operation of the network; the job cannot go on\n", stderr);
        abort();
    }
    return memory;
}

struct operation *ucx_take(struct provider_port *port, provider_done *done, void *arg)
{
    struct operation *o = port->spare;
    if (o)
        port->spare = o->next;
    else
        o = ucx_allocate(sizeof *o);
    *o = (struct operation){.port = port, .done = done, .arg = arg};
    return o;
}

void ucx_give_back(struct operation *o)
{
    o->next = o->port->spare;
    o->port->spare = o;
}

void ucx_tell_later(struct operation *o, bool failed)
{
    o->failed = failed;
    o->next = NULL;
    *o->port->finished.last = o;
    o->port->finished.last = &o->next;
}

void ucx_finish(struct operation *o, bool failed)
{
    if (!o->port->in_progress) {
        ucx_tell_later(o, failed);
        return;
    }
    provider_done *done = o->done;
    void *arg = o->arg;
    ucx_give_back(o);
    done(arg, failed);
}

bool ucx_refuse(struct provider_endpoint *endpoint, provider_done *done, void *arg)
{
    ucx_tell_later(ucx_take(endpoint->port, done, arg), true);
    return false;
}

bool ucx_tell_finished(struct provider_port *port)
{
    bool any = false;
    struct operation *o;
    while ((o = port->finished.first)) {
        port->finished.first = o->next;
        if (!o->next)
            port->finished.last = &port->finished.first;
        ucx_finish(o, o->failed);
        any = true;
    }
    return any;
}

static struct awaited *one_more(struct provider_port *port)
{
    if (port->n_awaited == port->room_awaited) {
        const uint32_t room = port->room_awaited ? 2 * port->room_awaited : 16;
        struct awaited **more = ucx_allocate(room * sizeof *more);
        if (port->n_awaited)
            memcpy(more, port->awaited, port->n_awaited * sizeof *more);
        free(port->awaited);
        port->awaited = more;
        port->room_awaited = room;
    }
    struct awaited *a = ucx_allocate(sizeof *a);
    port->awaited[port->n_awaited++] = a;
    a->number = port->n_awaited;
    return a;
}

struct awaited *ucx_awaited(const struct provider_port *port, uint64_t number, uint64_t token)
{
    struct awaited *a = number - 1 < port->n_awaited ? port->awaited[number - 1] : NULL;
    return a && token && a->token == token ? a : NULL;
}

struct awaited *ucx_await(struct provider_port *port, struct awaited_list *list, struct operation *o)
{
    struct awaited *a = port->spare_awaited;
    if (a)
        port->spare_awaited = a->next;
    else
        a = one_more(port);
    *a = (struct awaited){.list = list, .port = port, .operation = o, .number = a->number, .token = ++port->tokens};
    *list->last = a;
    list->last = &a->next;
    return a;
}

void ucx_end_await(struct awaited *a)
{
    struct awaited **at = &a->list->first;
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    if (a->list->last == &a->next)
        a->list->last = at;
    a->token = 0;
    a->next = a->port->spare_awaited;
    a->port->spare_awaited = a;
}

static void fail_list(struct awaited_list *list)
{
    struct awaited *a;
    while ((a = list->first)) {
        if (a->operation)
            ucx_tell_later(a->operation, true);
        ucx_end_await(a);
    }
}

void ucx_fail_awaited(struct provider_endpoint *endpoint)
{
    fail_list(&endpoint->puts);
    fail_list(&endpoint->gets);
}

bool ucx_enter(struct provider_port *port)
{
    bool was = port->in_progress;
    port->in_progress = false;
    return was;
}

void ucx_leave(struct provider_port *port, bool was)
{
    port->in_progress = was;
}
