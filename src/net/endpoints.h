/* A table of a port's endpoints, hashed by the number of the remote port.  The providers UCX and libfabric use it:
 * their struct provider_port has chain, n_chains, n_endpoints and broken, and their struct provider_endpoint has id,
 * next and next_broken. */
#pragma once

#include <stdlib.h>

/* False: no memory. */
static inline bool endpoints_begin(struct provider_port *port)
{
    port->n_chains = 16;
    port->chain = calloc(port->n_chains, sizeof *port->chain);
    return port->chain;
}

static inline struct provider_endpoint **endpoints_chain(const struct provider_port *port, uint64_t id)
{
    return &port->chain[id & (port->n_chains - 1)];
}

/* The latest endpoint to that port, as a broken endpoint may have a successor; or NULL. */
static inline struct provider_endpoint *endpoint_find(const struct provider_port *port, uint64_t id)
{
    struct provider_endpoint *e = *endpoints_chain(port, id);
    while (e && e->id != id)
        e = e->next;
    return e;
}

/* Doubles the number of chains, and keeps the order within each. */
static inline void endpoints_grow(struct provider_port *port)
{
    const size_t n = port->n_chains;
    struct provider_endpoint **old = port->chain, **more = calloc(2 * n, sizeof *more);
    if (!more)
        return; /* the chains get longer */
    port->chain = more;
    port->n_chains = 2 * n;
    for (size_t i = 0; i < n; i++) {
        struct provider_endpoint **last[2] = {&more[i], &more[i + n]};
        for (struct provider_endpoint *e = old[i]; e; e = e->next) {
            const bool upper = e->id & n;
            *last[upper] = e;
            last[upper] = &e->next;
        }
        *last[0] = *last[1] = NULL;
    }
    free(old);
}

static inline void endpoint_add(struct provider_port *port, struct provider_endpoint *endpoint)
{
    if (port->n_endpoints++ == port->n_chains)
        endpoints_grow(port);
    endpoint->next = *endpoints_chain(port, endpoint->id);
    *endpoints_chain(port, endpoint->id) = endpoint;
}

/* Removes the endpoint from its chain, and from the list of broken endpoints that have not been reported. */
static inline void endpoint_remove(struct provider_port *port, struct provider_endpoint *endpoint)
{
    struct provider_endpoint **at = endpoints_chain(port, endpoint->id);
    while (*at != endpoint)
        at = &(*at)->next;
    *at = endpoint->next;
    port->n_endpoints--;
    for (at = &port->broken; *at; at = &(*at)->next_broken)
        if (*at == endpoint) {
            *at = endpoint->next_broken;
            break;
        }
}
