/* Groups: creation, parts, and the nodes of the members. */
#include "group.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Thread_local int shcoll_awaited_pe;
struct shcoll_placement shcoll_placement = {.node_size = 1};

/* Copal's function; other OpenSHMEMs do not have it. */
void shmemx_backtrace(void) __attribute__((weak));

/* Prints by one write, because other PEs may print at the same time. */
void shcoll_fatal(const char *format, ...)
{
    char text[2048];
    va_list arguments;
    const int used = snprintf(text, sizeof text, "copal: PE %d: shcoll: ", shmem_my_pe());
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used - 1, format, arguments);
    va_end(arguments);
    strcat(text, "\n");
    fputs(text, stderr);
    if (shmemx_backtrace)
        shmemx_backtrace();
    shmem_global_exit(1);
    abort(); /* not reached */
}

/* Copal's function; without it, no time is emulated. */
void shmemx_access(const void *sym, size_t bytes, int pe, int store) __attribute__((weak));

void shcoll_charge(const void *sym, size_t bytes, int pe, bool store)
{
    shmemx_access(sym, bytes, pe, store);
}

/* --- making ------------------------------------------------------------------------------------------------------- */

struct shcoll_group shcoll_group_on(int start, int stride, int size, void *work, bool is_pSync)
{
    const int distance = shmem_my_pe() - start;
    const bool member = distance % stride == 0 && distance / stride >= 0 && distance / stride < size;
    return (struct shcoll_group){.start = start, .stride = stride, .size = size, .me = member ? distance / stride : -1,
                                 .work = work, .is_pSync = is_pSync};
}

/* Whether the members of the list are strided, so that arithmetic gives their PEs. */
static bool are_strided(const int *pes, int size)
{
    for (int i = 2; i < size; i++)
        if (pes[i] - pes[i - 1] != pes[1] - pes[0])
            return false;
    return true;
}

/* Consecutive members on one node are a run. If all runs between the first and the last have equal length, and the last
 * is not longer, the runs are the group's nodes; otherwise each member counts as a node of its own. */
static void find_runs(struct shcoll_group *g)
{
    const int node_size = shcoll_placement.node_size;
    int first = 0, run = 0;
    for (int from = 0, to; from < g->size; from = to) {
        for (to = from + 1; to < g->size && g->pes[to] / node_size == g->pes[from] / node_size;)
            to++;
        if (from == 0)
            first = to;
        else if (run == 0)
            run = to - from;
        else if (to - from > run || (to - from < run && to < g->size))
            first = run = 1, to = g->size;
    }
    g->first_run = first;
    g->run = run;
}

struct shcoll_group shcoll_group_on_pes(const int *pes, int size, int me, void *work)
{
    const int n_pes = shmem_n_pes(), my_pe = shmem_my_pe();
    if (size < 1 || size > n_pes || me < -1 || me >= size)
        shcoll_fatal(
            "shcoll_group_on_pes: arguments size and me are %d and %d, allowed are sizes from 1 to %d, and positions "
            "from -1 to size - 1",
            size, me, n_pes);
    for (int i = 0; i < size; i++)
        if (pes[i] < 0 || pes[i] >= n_pes || (pes[i] == my_pe) != (i == me))
            shcoll_fatal(
                "shcoll_group_on_pes: argument pes holds PE %d at position %d and me is %d, allowed are PEs from 0 to "
                "%d, and the calling PE at position me alone",
                pes[i], i, me, n_pes - 1);
    struct shcoll_group g = {.start = pes[0], .stride = size > 1 ? pes[1] - pes[0] : 1, .size = size, .me = me,
                             .work = work};
    if (!are_strided(pes, size)) {
        g.is_indirect = true;
        g.pes = pes;
        find_runs(&g);
    }
    return g;
}

#if SHCOLL_HAVE_1_5
struct shcoll_group shcoll_group_on_team(shmem_team_t team, void *work)
{
    const int size = shmem_team_n_pes(team), start = shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD);
    const int stride = size > 1 ? shmem_team_translate_pe(team, 1, SHMEM_TEAM_WORLD) - start : 1;
    for (int i = 0; i < size; i++) {
        const int pe = shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);
        if (pe != start + i * stride)
            shcoll_fatal("shcoll_group_on_team: member %d of the team is PE %d, allowed are PEs %d apart, so %d", i, pe,
                         stride, start + i * stride);
    }
    return shcoll_group_on(start, stride, size, work, false);
}
#endif

struct shcoll_group *shcoll_group_create(int start, int stride, int size)
{
    const int n_pes = shmem_n_pes();
    const long long last = start + (long long)(size - 1) * stride;
    if (size < 1 || stride == 0 || start < 0 || start >= n_pes || last < 0 || last >= n_pes)
        shcoll_fatal(
            "shcoll_group_create: arguments start, stride and size are %d, %d and %d, allowed are PEs from 0 to %d",
            start, stride, size, n_pes - 1);
    char *work = shmem_align(LINE, SHCOLL_WORK_BYTES);
    struct shcoll_group *g = malloc(sizeof *g);
    if (!work || !g)
        shcoll_fatal(
            "shcoll_group_create: no memory for a work area of %zu bytes; increase the symmetric heap",
            SHCOLL_WORK_BYTES);
    memset(work, 0, SHCOLL_WORK_BYTES);
    *g = shcoll_group_on(start, stride, size, work, false);
    /* MUTANT a cleared work area */
    shmem_barrier_all(); /* no member may signal before all have cleared their work areas */
    return g;
}

void shcoll_group_free(struct shcoll_group *g)
{
    /* MUTANT a freed work area */
    shmem_barrier_all(); /* a member may have left the last collective while another member still signals in it */
    shmem_free(g->work);
    free(g);
}

/* --- nodes and parts ---------------------------------------------------------------------------------------------- */

/* The job's number of the node on which the member at `position` is. */
static int64_t world_node(const struct shcoll_group *g, int position)
{
    return (g->start + (int64_t)position * g->stride) / shcoll_placement.node_size;
}

/* Whether the stride leaves at most one member in each block of PEs. */
static bool alone_on_nodes(const struct shcoll_group *g)
{
    return g->stride >= shcoll_placement.node_size || -g->stride >= shcoll_placement.node_size;
}

int shcoll_node_of(const struct shcoll_group *g, int position)
{
    if (g->pes)
        return position < g->first_run ? 0 : 1 + (position - g->first_run) / g->run;
    if (alone_on_nodes(g))
        return position;
    const int64_t nodes = world_node(g, position) - world_node(g, 0);
    return (int)(nodes < 0 ? -nodes : nodes);
}

int shcoll_leader_of(const struct shcoll_group *g, int node)
{
    if (node == 0 || (!g->pes && alone_on_nodes(g)))
        return node;
    if (g->pes)
        return g->first_run + (node - 1) * g->run;
    /* The distance in PEs from the start to the node's nearest PE, in the direction of the stride. */
    const int64_t block = shcoll_placement.node_size, first = world_node(g, 0);
    if (g->stride > 0)
        return (int)(((first + node) * block - g->start + g->stride - 1) / g->stride);
    return (int)((g->start - ((first - node) * block + block - 1) - g->stride - 1) / -g->stride);
}

struct shcoll_group shcoll_part_node(const struct shcoll_group *g)
{
    const int node = shcoll_node_of(g, g->me), leader = shcoll_leader_of(g, node);
    const int last_node = shcoll_node_of(g, g->size - 1);
    const int end = node < last_node ? shcoll_leader_of(g, node + 1) : g->size;
    struct shcoll_group part = members_from(g, leader, end - leader);
    part.part = PART_NODE;
    return part;
}

struct shcoll_group shcoll_part_lane(const struct shcoll_group *g, int lane)
{
    struct shcoll_group part = *g;
    part.part = PART_LEADERS;
    part.lane = (unsigned short)lane;
    part.is_indirect = true;
    part.size = shcoll_node_of(g, g->size - 1) + 1;
    part.me = shcoll_node_of(g, g->me);
    return part;
}

struct shcoll_group shcoll_part_leaders(const struct shcoll_group *g)
{
    return shcoll_part_lane(g, 0);
}

int shcoll_lanes(const struct shcoll_group *g)
{
    enum { MOST_LANES = 1 << 12 };
    const int last = shcoll_node_of(g, g->size - 1), stride = g->stride < 0 ? -g->stride : g->stride;
    const int on_last = g->size - shcoll_leader_of(g, last);
    int lanes = on_last < MOST_LANES ? on_last : MOST_LANES;
    if (last == 0)
        return lanes;
    const int on_first = shcoll_leader_of(g, 1);
    lanes = on_first < lanes ? on_first : lanes;
    if (last == 1)
        return lanes;
    /* All nodes between the first and the last have at least this many members. */
    const int between = g->pes ? g->run : stride < shcoll_placement.node_size ? shcoll_placement.node_size / stride : 1;
    return between < lanes ? between : lanes;
}

int shcoll_pe_at(const struct shcoll_group *g, int position)
{
    if (g->part == PART_LEADERS)
        position = shcoll_leader_of(g, position) + g->lane;
    return g->pes ? g->pes[position] : g->start + position * g->stride;
}
