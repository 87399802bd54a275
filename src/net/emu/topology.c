#include "topology.h"

#include <limits.h>

static int ceiling(int a, int b)
{
    return (a + b - 1) / b;
}

static struct topology_way fat_tree_way(const struct topology *t, int from_leaf, int to_leaf, int to)
{
    const int leaves = ceiling(t->ports, t->down), spine = to % t->up;
    return (struct topology_way){
        .switches = 3, .links = 2, .link = {from_leaf * t->up + spine, (leaves + to_leaf) * t->up + spine}};
}

static int groups_in_use(const struct topology *t)
{
    return ceiling(t->ports, t->routers * t->per_router);
}

static void add_link(struct topology_way *way, int link)
{
    way->link[way->links++] = link;
    way->switches++;
}

/* The link from router a to router b of group g.  Links within groups have the lowest numbers. */
static int local_link(const struct topology *t, int g, int a, int b)
{
    return (g * t->routers + a) * t->routers + b;
}

static struct topology_way dragonfly_way(const struct topology *t, int from_router, int to_router, int to)
{
    struct topology_way way = {.switches = 1};
    const int from_group = from_router / t->routers, to_group = to_router / t->routers, groups = groups_in_use(t);
    int at = from_router % t->routers;
    const int end = to_router % t->routers;
    if (from_group != to_group) {
        const int k = to % t->links;
        const int way_out = (to_group * t->links + k) % t->routers, way_in = (from_group * t->links + k) % t->routers;
        if (at != way_out)
            add_link(&way, local_link(t, from_group, at, way_out));
        add_link(&way, groups * t->routers * t->routers + (from_group * groups + to_group) * t->links + k);
        at = way_in;
    }
    if (at != end)
        add_link(&way, local_link(t, to_group, at, end));
    return way;
}

struct topology_way topology_way(const struct topology *t, int from_port, int to_port)
{
    if (from_port == to_port)
        return (struct topology_way){0};
    if (t->kind != TOPOLOGY_CROSSBAR) {
        const int per_switch = t->kind == TOPOLOGY_FAT_TREE ? t->down : t->per_router;
        const int from = from_port / per_switch, to = to_port / per_switch;
        if (from != to)
            return t->kind == TOPOLOGY_FAT_TREE ? fat_tree_way(t, from, to, to_port)
                                                : dragonfly_way(t, from, to, to_port);
    }
    return (struct topology_way){.switches = 1};
}

int topology_links(const struct topology *t)
{
    if (t->kind == TOPOLOGY_FAT_TREE)
        return 2 * ceiling(t->ports, t->down) * t->up;
    const int groups = t->kind == TOPOLOGY_DRAGONFLY ? groups_in_use(t) : 0;
    return groups * (t->routers * t->routers + groups * t->links);
}

long topology_room(const struct topology *t)
{
    switch (t->kind) {
    case TOPOLOGY_FAT_TREE:
        return (long)t->radix * t->down;
    case TOPOLOGY_DRAGONFLY:
        return (long)t->groups * t->routers * t->per_router;
    default:
        return LONG_MAX;
    }
}
