/* Groups: how they are made, their parts, and who is on which node. */
#include "choose.h"
#include "flags.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Thread_local int shcoll_awaited_pe;
struct shcoll_placement shcoll_placement = {.node_size = 1};

/* In one piece: other PEs may have the same to say at the same time. */
void shcoll_fatal(const char *format, ...)
{
    char text[2048];
    va_list arguments;
    const int used = snprintf(text, sizeof text, "PE %d: shcoll: ", shmem_my_pe());
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used - 1, format, arguments);
    va_end(arguments);
    strcat(text, "\n");
    fputs(text, stderr);
    shmem_global_exit(1);
    abort(); /* not reached */
}

/* --- making ----------------------------------------------------------------------------------------------------------- */

struct shcoll_group shcoll_group_on(int start, int stride, int size, void *work, bool is_pSync)
{
    const int distance = shmem_my_pe() - start;
    const bool member = distance % stride == 0 && distance / stride >= 0 && distance / stride < size;
    return (struct shcoll_group){.start = start, .stride = stride, .size = size, .me = member ? distance / stride : -1,
                                 .work = work, .is_pSync = is_pSync};
}

#if SHCOLL_HAVE_1_5
struct shcoll_group shcoll_group_on_team(shmem_team_t team, void *work)
{
    const int size = shmem_team_n_pes(team), start = shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD);
    const int stride = size > 1 ? shmem_team_translate_pe(team, 1, SHMEM_TEAM_WORLD) - start : 1;
    for (int i = 0; i < size; i++) {
        const int pe = shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);
        if (pe != start + i * stride)
            shcoll_fatal("shcoll_group_on_team: member %d of the team is PE %d, allowed are PEs %d apart, so %d", i, pe, stride,
                         start + i * stride);
    }
    return shcoll_group_on(start, stride, size, work, false);
}
#endif

struct shcoll_group *shcoll_group_create(int start, int stride, int size)
{
    const int n_pes = shmem_n_pes();
    const long long last = start + (long long)(size - 1) * stride;
    if (size < 1 || stride == 0 || start < 0 || start >= n_pes || last < 0 || last >= n_pes)
        shcoll_fatal("shcoll_group_create: arguments start, stride and size are %d, %d and %d, allowed are PEs from 0 to %d",
                     start, stride, size, n_pes - 1);
    char *work = shmem_align(LINE, SHCOLL_WORK_BYTES);
    struct shcoll_group *g = malloc(sizeof *g);
    if (!work || !g)
        shcoll_fatal("shcoll_group_create: no memory for a work area of %zu bytes; a larger symmetric heap would have it",
                     SHCOLL_WORK_BYTES);
    memset(work, 0, SHCOLL_WORK_BYTES);
    *g = shcoll_group_on(start, stride, size, work, false);
    shmem_barrier_all(); /* no member signals in a work area that its owner has yet to clear */
    return g;
}

void shcoll_group_free(struct shcoll_group *g)
{
    shmem_barrier_all(); /* a member that has left the last collective may be ahead of one that still signals */
    shmem_free(g->work);
    free(g);
}

/* --- nodes and parts -------------------------------------------------------------------------------------------------- */

/* The node, counted in the job, of the member at position. */
static int64_t world_node(const struct shcoll_group *g, int position)
{
    return (g->start + (int64_t)position * g->stride) / shcoll_placement.node_size;
}

/* At such a stride no two members are in one block of PEs. */
static bool alone_on_nodes(const struct shcoll_group *g)
{
    return g->stride >= shcoll_placement.node_size || -g->stride >= shcoll_placement.node_size;
}

int shcoll_node_of(const struct shcoll_group *g, int position)
{
    if (alone_on_nodes(g))
        return position;
    const int64_t nodes = world_node(g, position) - world_node(g, 0);
    return (int)(nodes < 0 ? -nodes : nodes);
}

int shcoll_leader_of(const struct shcoll_group *g, int node)
{
    if (node == 0 || alone_on_nodes(g))
        return node;
    /* How many PEs it is from the start to the node's nearest PE, in the direction of the stride. */
    const int64_t block = shcoll_placement.node_size, first = world_node(g, 0);
    if (g->stride > 0)
        return (int)(((first + node) * block - g->start + g->stride - 1) / g->stride);
    return (int)((g->start - ((first - node) * block + block - 1) - g->stride - 1) / -g->stride);
}

struct shcoll_group shcoll_part_node(const struct shcoll_group *g)
{
    const int node = shcoll_node_of(g, g->me), leader = shcoll_leader_of(g, node);
    const int last_node = shcoll_node_of(g, g->size - 1);
    struct shcoll_group part = *g;
    part.part = PART_NODE;
    part.start = pe_of(g, leader);
    part.size = (node < last_node ? shcoll_leader_of(g, node + 1) : g->size) - leader;
    part.me = g->me - leader;
    return part;
}

struct shcoll_group shcoll_part_leaders(const struct shcoll_group *g)
{
    struct shcoll_group part = *g;
    part.part = PART_LEADERS;
    part.size = shcoll_node_of(g, g->size - 1) + 1;
    part.me = shcoll_node_of(g, g->me);
    return part;
}
