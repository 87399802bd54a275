/* Which provider moves bytes between nodes: the one that SHMEM_NET names, or by default
 *
 *   UCX,        if its module loads and finds a network;
 *   libfabric,  if UCX does not, or if the machine has a device that only libfabric drives:
 *               Slingshot, EFA, Omni-Path.
 *
 * copal-info uses this choice too. */
#pragma once

#include "net/provider.h"

enum net_choice { NET_AUTO, NET_UCX, NET_OFI, NET_EMU }; /* in the order of SHMEM_NET's values */

enum { CHOICE_WHY = 800 };

struct net_chosen {
    const struct provider *provider; /* NULL: none can be used */
    enum net_choice which;
    bool by_itself;
    char why[CHOICE_WHY]; /* the reason for the choice, or for having none */
};

/* The symbol in that module, or NULL and the reason. */
typedef void *choice_load(const char *module, const char *symbol, const char **why);

struct net_chosen net_choose(enum net_choice which, choice_load *load, struct provider_start start);
