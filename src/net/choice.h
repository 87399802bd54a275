/* Which provider moves bytes between nodes: the one that SHMEM_NET names, or by itself
 *
 *   UCX,        where its module loads and finds a network;
 *   libfabric,  where UCX does not, and where there is a device that UCX has no driver for and libfabric has:
 *               Slingshot, EFA, Omni-Path.
 *
 * copal-info chooses by this too. */
#ifndef COPAL_NET_CHOICE_H
#define COPAL_NET_CHOICE_H

#include "net/provider.h"

enum net_choice { NET_AUTO, NET_UCX, NET_OFI, NET_EMU }; /* by the words of SHMEM_NET */

enum { CHOICE_WHY = 800 };

struct net_chosen {
    const struct provider *provider; /* NULL: there is none */
    enum net_choice which;
    bool by_itself;
    char why[CHOICE_WHY]; /* it is this one, or there is none */
};

/* The symbol in that module, or NULL and why. */
typedef void *choice_load(const char *module, const char *symbol, const char **why);

/* Loads it, and begins it. */
struct net_chosen net_choose(enum net_choice which, choice_load *load, struct provider_start start);

#endif
