/* Groups from the inside: who is where.
 *
 * A collective runs on a group: PEs start, start + stride, ... (a list where they are not so placed), and a symmetric
 * work area for signals. Every team is such a group, because splits of strided teams are strided teams, and its work
 * area lasts; an active set's is the user's pSync. One implementation of each algorithm serves both. Who leads a node,
 * and how many nodes there are, is arithmetic: no PE keeps a list. */
#ifndef SHCOLL_GROUP_H
#define SHCOLL_GROUP_H

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

/* PE k of the job is on node k / node_size: PEs are placed in blocks of equal size, the last one perhaps smaller.
 * Where they are not, node_size is 1, and nothing is gained or lost by two levels.  So who is where is arithmetic, and
 * no PE keeps a list of the others. */
struct shcoll_placement {
    int node_size;
    int processors; /* of PE 0's machine */
    int sharing;    /* so many PEs, from PE 0 on, are on that machine: one node, or several */
    bool crowded;   /* which are more than processors: few changes of processes beat few rounds */
    double emulated_byte; /* seconds of one that is loaded or stored by address, where time is emulated; else 0 */
};
extern struct shcoll_placement shcoll_placement;

/* Nodes share processors, and these are too few: a message between nodes is their work, all of it. */
static inline bool nodes_share(void)
{
    return shcoll_placement.crowded && shcoll_placement.sharing > shcoll_placement.node_size;
}

/* A two-level algorithm works on parts of the group, which are groups too, with flags of their own. */
enum shcoll_part { PART_WHOLE, PART_NODE, PART_LEADERS };

/* The members on this member's node; the first members of all nodes, for one of these to call.  Not for shcoll_sync: a
 * part has no count of syncs that its members share. */
struct shcoll_group shcoll_part_node(const struct shcoll_group *g);
struct shcoll_group shcoll_part_leaders(const struct shcoll_group *g);

/* Lane i is the i-th members of all nodes, so lane 0 the leaders.  There are as many lanes as the smallest node has
 * members. A member is in one lane at most: the flags of leaders are its lane's. */
int shcoll_lanes(const struct shcoll_group *g);
struct shcoll_group shcoll_part_lane(const struct shcoll_group *g, int lane);

/* Of the group's nodes, which are counted from 0: the one where a member is, and the first member (the leader) on
 * one. */
int shcoll_node_of(const struct shcoll_group *g, int position);
int shcoll_leader_of(const struct shcoll_group *g, int node);

/* The PE at a position where that is not arithmetic: of members in a list, and of leaders. */
int shcoll_pe_at(const struct shcoll_group *g, int position);

static inline int pe_of(const struct shcoll_group *g, int position)
{
    return SHCOLL_LIKELY(!g->is_indirect) ? g->start + position * g->stride : shcoll_pe_at(g, position);
}

/* So many members from a position on. */
static inline struct shcoll_group members_from(const struct shcoll_group *g, int position, int size)
{
    struct shcoll_group part = *g;
    part.start += position * part.stride;
    part.pes = part.pes ? part.pes + position : NULL;
    part.size = size;
    part.me -= position;
    return part;
}

/* Whether the group is on several nodes, with several of its members on one of them at least. */
static inline bool has_two_levels(const struct shcoll_group *g)
{
    const int nodes = shcoll_node_of(g, g->size - 1) + 1;
    return nodes > 1 && nodes < g->size;
}

/* The positions before and after: distance is less than the size of the group. */
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

/* Bytes of another member have been, or will be, loaded or stored where they are.  Where time is emulated nobody else
 * sees that; so it takes what its cache lines do, as a put's or get's bytes. */
void shcoll_charge(size_t bytes);
static inline void charge(size_t bytes)
{
    if (!SHCOLL_LIKELY(shcoll_placement.emulated_byte == 0))
        shcoll_charge(bytes);
}

/* bytes at sym on a member, to be read: where they are if they can be loaded, else in buffer. */
static inline const void *view(const struct shcoll_group *g, const void *sym, size_t bytes, int position, void *buffer)
{
    const int pe = pe_of(g, position);
    const void *p = shmem_ptr(sym, pe);
    if (!p && bytes)
        shmem_getmem(buffer, sym, bytes, pe);
    if (p && position != g->me)
        charge(bytes);
    return p ? p : buffer;
}

/* What is worked on at a time: a few of them fit in the first-level cache. */
#define BLOCK_BYTES SHCOLL_ELEMENT_BYTES

/* Ends the job with a sentence. */
_Noreturn void shcoll_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
