/* Connects to peers on first use, by the contact information that they have published. */
#include "net/peer.h"

#include "boot/boot.h"
#include "net/card.h"
#include "net/tune.h"

#include <stdlib.h>

static _Noreturn void cannot_reach(int pe, const char *why)
{
    char host[256] = "?";
    job_fatal("the network", "cannot reach PE %d on %s: %s", pe, boot->host(pe, host, sizeof host), why);
}

static bool open_peer(struct peer *peer, const unsigned char *packed, size_t bytes, const char **why)
{
    struct card card;
    *why = "its contact information is damaged, or of another network: set SHMEM_NET, SHMEM_NET_TUNE and "
           "SHMEM_NET_ATOMICS to the same values on all hosts";
    if (!card_read(&card, packed, bytes))
        return false;
    peer->heap = card.heap;
    peer->data = card.data;
    peer->same_program = card.same_program;
    peer->endpoint = net_provider->connect(peer->port->provider, card.address, card.address_bytes, why);
    if (!peer->endpoint)
        return false;
    if (card.heap_key && !(peer->heap_key = net_provider->key_open(peer->endpoint, card.heap_key, why)))
        return false;
    return !card.data_key || (peer->data_key = net_provider->key_open(peer->endpoint, card.data_key, why));
}

struct peer *peer_connect(struct port *port, int pe)
{
    _Alignas(8) unsigned char packed[BOOT_CARD_BYTES];
    const char *why = "it has published nothing";
    const bool dead = job_state_of(pe) == JOB_PE_DEAD;
    const size_t bytes = dead ? 0 : boot->lookup(pe, packed, sizeof packed, &why); /* may take long: without the lock */
    port_lock(port);
    struct peer *peer = port->peers[pe];
    if (!peer) {
        peer = calloc(1, sizeof *peer);
        if (!peer)
            job_fatal("the network", "no memory for the connection to PE %d", pe);
        peer->port = port;
        peer->pe = pe;
        peer->dead = dead;
        if (!dead && (!bytes || !open_peer(peer, packed, bytes, &why)))
            cannot_reach(pe, why);
        peer->next_connected = port->connected;
        port->connected = peer;
        port->stats.connections++;
        port->stats.peer_bytes += sizeof *peer;
        __atomic_store_n(&port->peers[pe], peer, __ATOMIC_RELEASE);
    }
    port_unlock(port);
    return peer;
}

void peer_take_key(struct peer *peer, unsigned piece, const void *packed)
{
    const char *why = "no memory for its keys";
    if (!peer->more_keys)
        peer->more_keys = calloc(REGION_PIECES, sizeof(struct provider_key *));
    if (peer->more_keys && !peer->more_keys[piece]) /* else another thread has opened the key */
        peer->more_keys[piece] = net_provider->key_open(peer->endpoint, packed, &why);
    if (!peer->more_keys || !peer->more_keys[piece])
        cannot_reach(peer->pe, why);
}

bool peer_same_program(int pe)
{
    const struct peer *peer = peer_of(&net_port, pe);
    return peer->same_program || peer->dead;
}

void peer_close_keys(struct peer *peer)
{
    if (peer->heap_key)
        net_provider->key_close(peer->heap_key);
    if (peer->data_key)
        net_provider->key_close(peer->data_key);
    for (unsigned i = 0; peer->more_keys && i < REGION_PIECES; i++)
        if (peer->more_keys[i])
            net_provider->key_close(peer->more_keys[i]);
    free(peer->more_keys);
    peer->heap_key = peer->data_key = NULL;
    peer->more_keys = NULL;
}

void peer_forget_all(struct port *port)
{
    for (struct peer *peer = port->connected, *next; peer; peer = next) {
        next = peer->next_connected;
        peer_close_keys(peer);
        free(peer);
    }
    port->connected = port->dirty = port->open = NULL;
}
