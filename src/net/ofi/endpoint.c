#include "net/ofi/ofi.h"

#include "net/endpoints.h"

#include <stdlib.h>
#include <string.h>

static struct provider_endpoint *make(struct provider_port *port, const struct ofi_address *to, const char **why)
{
    struct provider_endpoint *endpoint = calloc(1, sizeof *endpoint);
    if (!endpoint) {
        *why = "no memory";
        return NULL;
    }
    endpoint->port = port;
    endpoint->id = to->id;
    endpoint->secret = to->secret;
    operations_begin(&endpoint->queue);
    operations_begin(&endpoint->under_way);
    operations_begin(&endpoint->flushes);
    const int n = fi_av_insert(port->av, to->name, 1, &endpoint->address, 0, NULL);
    if (n != 1) {
        free(endpoint);
        *why = ofi_why("fi_av_insert", n < 0 ? n : -FI_EADDRNOTAVAIL);
        return NULL;
    }
    endpoint_add(port, endpoint);
    return endpoint;
}

struct provider_endpoint *ofi_connect(struct provider_port *port, const void *address, size_t bytes, const char **why)
{
    struct ofi_address *to = malloc(bytes); /* aligned */
    if (!to || bytes != port->own_bytes) {
        free(to);
        *why = "no memory, or the address is of another network: set FI_PROVIDER to the same on all hosts";
        return NULL;
    }
    memcpy(to, address, bytes);
    struct provider_endpoint *endpoint = endpoint_find(port, to->id);
    if (!endpoint || endpoint->is_broken)
        endpoint = make(port, to, why);
    free(to);
    return endpoint;
}

static void drop_early(struct provider_endpoint *endpoint)
{
    for (struct slot *s = endpoint->early, *next; s; s = next) {
        next = s->next;
        slot_give_back(endpoint->port, s);
    }
    endpoint->early = NULL;
}

void ofi_disconnect(struct provider_port *port, struct provider_endpoint *endpoint)
{
    operation_break(endpoint, "it has been closed");
    if (endpoint->said_hello && !endpoint->is_told)
        return; /* the net may reply to it until the next progress reports the break */
    drop_early(endpoint);
    endpoint_remove(port, endpoint);
    for (struct provider_endpoint **at = &port->stuck; *at; at = &(*at)->next_stuck)
        if (*at == endpoint) {
            *at = endpoint->next_stuck;
            break;
        }
    if (!endpoint_find(port, endpoint->id)) /* endpoints with the same address share libfabric's entry */
        fi_av_remove(port->av, &endpoint->address, 1, 0);
    free(endpoint);
}

void endpoint_free_all(struct provider_port *port)
{
    for (size_t i = 0; i < port->n_chains; i++)
        for (struct provider_endpoint *e = port->chain[i], *next; e; e = next) {
            next = e->next;
            operation_break(e, "its port has been closed");
            free(e);
        }
    free(port->chain);
}
