/* Groups, for algorithms: the PE and the node of each member.
 *
 * A collective runs on a group: PEs start, start + stride, ... (or a list), and a symmetric work area for signals.
 * Every team is such a group, because splits of strided teams are strided teams, and its work area lasts; the work area
 * of an active set is the user's pSync. One implementation of each algorithm serves both. The leader of a node and the
 * number of nodes are computed: no PE keeps a list. */
#pragma once

#define COPAL_NO_GENERICS
#include <shmem.h>
#include <shcoll.h>

#include <string.h>

/* Whether this OpenSHMEM has put-with-signal and teams. */
#define SHCOLL_HAVE_1_5 (SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5)

#if defined(__GNUC__)
#define SHCOLL_LIKELY(x) __builtin_expect(!!(x), 1)
#else
#define SHCOLL_LIKELY(x) (x)
#endif

/* --- placement ---------------------------------------------------------------------------------------------------- */

/* PE k of the job is on node k / node_size: PEs are placed in blocks of equal size, the last one perhaps smaller. For
 * any other placement, node_size is 1, and algorithms in two levels are as fast as the others. */
struct shcoll_placement {
    int node_size;
    int processors; /* of PE 0's machine */
    int sharing;    /* number of PEs, from PE 0 on, that are on that machine: one node, or several */
    bool crowded;   /* sharing > processors: few context switches matter more than few rounds */
    bool emulated;  /* time is emulated */
    int ring_shift; /* in the ring (flags.h), 2^ring_shift flags share a room */
};
extern struct shcoll_placement shcoll_placement;

/* Whether nodes share processors that are oversubscribed: messages between nodes then cost only processor time. */
static inline bool nodes_share(void)
{
    return shcoll_placement.crowded && shcoll_placement.sharing > shcoll_placement.node_size;
}

/* A two-level algorithm works on parts of the group, which are groups too, with flags of their own. */
enum shcoll_part { PART_WHOLE, PART_NODE, PART_LEADERS };

/* The members on this member's node; the leaders, which are the first members of all nodes (only leaders may call
 * this). shcoll_sync accepts no part, because the members of a part have no common count of syncs. */
struct shcoll_group shcoll_part_node(const struct shcoll_group *g);
struct shcoll_group shcoll_part_leaders(const struct shcoll_group *g);

/* Lane i has the i-th member of each node; lane 0 has the leaders. The number of lanes is the number of members on the
 * smallest node. A member is in one lane at most, so lanes use the leaders' flags. */
int shcoll_lanes(const struct shcoll_group *g);
struct shcoll_group shcoll_part_lane(const struct shcoll_group *g, int lane);

/* The node of a member, counted from 0 within the group, and the first member (the leader) of a node. */
int shcoll_node_of(const struct shcoll_group *g, int position);
int shcoll_leader_of(const struct shcoll_group *g, int node);

/* The PE at a position in groups without a stride: members in a list, and leaders. */
int shcoll_pe_at(const struct shcoll_group *g, int position);

static inline int pe_of(const struct shcoll_group *g, int position)
{
    return SHCOLL_LIKELY(!g->is_indirect) ? g->start + position * g->stride : shcoll_pe_at(g, position);
}

/* The part of the group that has `size` members from a position on. */
static inline struct shcoll_group members_from(const struct shcoll_group *g, int position, int size)
{
    struct shcoll_group part = *g;
    part.start += position * part.stride;
    part.pes = part.pes ? part.pes + position : NULL;
    part.size = size;
    part.me -= position;
    return part;
}

/* Whether the group is on several nodes, at least one of which has several of its members. */
static inline bool has_two_levels(const struct shcoll_group *g)
{
    const int nodes = shcoll_node_of(g, g->size - 1) + 1;
    return nodes > 1 && nodes < g->size;
}

/* The positions at a distance before or after this member's position; distance is less than the size of the group. */
static inline int position_after(const struct shcoll_group *g, int distance)
{
    const int position = g->me + distance;
    return position < g->size ? position : position - g->size;
}

static inline int position_before(const struct shcoll_group *g, int distance)
{
    const int position = g->me - distance;
    return position >= 0 ? position : position + g->size;
}

/* Called when this PE loads or stores bytes of PE pe in place. In emulated time, loads and stores take no time; this
 * call adds the time of these bytes. */
void shcoll_charge(const void *sym, size_t bytes, int pe, bool store);
static inline void charge_load(const void *sym, size_t bytes, int pe)
{
    if (!SHCOLL_LIKELY(!shcoll_placement.emulated))
        shcoll_charge(sym, bytes, pe, false);
}

static inline void charge_store(const void *sym, size_t bytes, int pe)
{
    if (!SHCOLL_LIKELY(!shcoll_placement.emulated))
        shcoll_charge(sym, bytes, pe, true);
}

/* Returns a member's bytes at sym, for reading: in place if they can be loaded, else a copy in buffer. */
static inline const void *view(const struct shcoll_group *g, const void *sym, size_t bytes, int position, void *buffer)
{
    const int pe = pe_of(g, position);
    const void *p = shmem_ptr(sym, pe);
    if (!p && bytes)
        shmem_getmem(buffer, sym, bytes, pe);
    if (p && position != g->me)
        charge_load(sym, bytes, pe);
    return p ? p : buffer;
}

enum { LINE = 64 }; /* bytes of a cache line */

/* The size of a working block: a few of them fit in the first-level cache. */
#define BLOCK_BYTES SHCOLL_ELEMENT_BYTES

_Noreturn void shcoll_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
