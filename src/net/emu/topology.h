/* How ports are connected: which links a message takes, and how many switches it goes through.
 *
 * crossbar: one switch, on which each port has its place.
 *
 * fat-tree radix=R oversubscription=O: two levels of switches of R ports.  A leaf has R O / (1 + O) of them for
 * adapters, rounded down, and the rest up, each to a switch of its own of the upper level, which leads to all leaves.
 * Messages to one port go up by the same link of a leaf, whoever sends them: port modulo uplinks (static routing).
 *
 * dragonfly groups=G routers=A ports=P links=L: G groups of A routers with P adapters each.  Within a group each router
 * has a link to each; between two groups there are L links, dealt out to the routers in turn.  Minimal routing: at most
 * one link to the router that has the link to the other group (port modulo links says which), that one, and one there.
 *
 * A link leads one way; that back is another. */
#ifndef COPAL_EMU_TOPOLOGY_H
#define COPAL_EMU_TOPOLOGY_H

#include <stddef.h>

enum topology_kind { TOPOLOGY_CROSSBAR, TOPOLOGY_FAT_TREE, TOPOLOGY_DRAGONFLY };

struct topology {
    enum topology_kind kind;
    int ports; /* in use: nodes times adapters */

    int radix; /* of a fat tree's switches */
    double oversubscription;
    int down, up; /* a leaf's ports */

    int groups, routers, per_router, links; /* of a dragonfly; links: between two groups */
};

/* The links in their order, by number from 0. */
enum { TOPOLOGY_MOST_LINKS = 3 };
struct topology_way {
    int switches;
    int links;
    int link[TOPOLOGY_MOST_LINKS];
};
struct topology_way topology_way(const struct topology *t, int from_port, int to_port);

/* Links that ports in use can reach. */
int topology_links(const struct topology *t);

/* Ports that there is room for; no number is too large for a crossbar. */
long topology_room(const struct topology *t);

#endif
