/* How ports are connected: the links that a message uses, and the number of switches on its path.
 *
 * crossbar: one switch, to which all ports are attached.
 *
 * fat-tree radix=R oversubscription=O: two levels of switches of R ports.  R O / (1 + O) ports of a leaf, rounded down,
 * are for NICs; each other port leads to another switch of the upper level, which is connected to all leaves.  Routing
 * is static: all messages to one port use the same uplink of a leaf, port modulo uplinks.
 *
 * dragonfly groups=G routers=A ports=P links=L: G groups of A routers with P NICs each.  All routers of a group have
 * links to each other; two groups have L links, assigned to the routers round-robin.  Routing is minimal: at most one
 * link to the router that has link number (target port modulo L) to the other group, this link, and at most one link in
 * that group.
 *
 * A link leads in one direction; the opposite direction is another link. */
#pragma once

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

/* A path: its links, in order.  Links are numbered from 0. */
enum { TOPOLOGY_MOST_LINKS = 3 };
struct topology_way {
    int switches;
    int links;
    int link[TOPOLOGY_MOST_LINKS];
};
struct topology_way topology_way(const struct topology *t, int from_port, int to_port);

/* The number of links that the ports in use can reach. */
int topology_links(const struct topology *t);

/* The largest number of ports; a crossbar has no limit. */
long topology_room(const struct topology *t);
