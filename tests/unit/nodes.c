/* sources: src/shcoll/group/group.c */
/* The members of a group on each node, and the node's leader: arithmetic, against iteration over the members. */
#include "../../src/shcoll/group/group.h"
#include "../check.h"

#include <stdlib.h>

/* OpenSHMEM's names that group.c needs. Only the first is called: no group here signals. */
static int my_pe;
int shmem_my_pe(void) { return my_pe; }
int shmem_n_pes(void) { abort(); }
void shmem_global_exit(int status) { exit(status); }
void *shmem_align(size_t alignment, size_t size) { (void)alignment, (void)size; abort(); }
void shmem_free(void *ptr) { (void)ptr; abort(); }
void shmem_barrier_all(void) { abort(); }
int shmem_team_n_pes(shmem_team_t team) { (void)team; abort(); }
int shmem_team_translate_pe(shmem_team_t from, int pe, shmem_team_t to) { (void)from, (void)pe, (void)to; abort(); }

static const char *group_text(const struct shcoll_group *g)
{
    static char text[100];
    snprintf(text, sizeof text, "nodes of %d, start %d stride %d size %d me %d", shcoll_placement.node_size, g->start,
             g->stride, g->size, g->me);
    return text;
}

/* Nodes found by iteration: the node of each member, and the leader of each node. */
struct walked {
    int node, leader, next_leader, nodes;
};

static struct walked walk(const struct shcoll_group *g, int position)
{
    struct walked w = {.next_leader = g->size};
    int node = 0, block = -1;
    for (int i = 0; i < g->size; i++) {
        const int at = (g->start + i * g->stride) / shcoll_placement.node_size;
        if (block >= 0 && at != block) {
            node++;
            if (i <= position)
                w.leader = i;
            else if (w.next_leader == g->size)
                w.next_leader = i;
        }
        block = at;
        if (i == position)
            w.node = node;
    }
    w.nodes = node + 1;
    return w;
}

static void check_parts(const struct shcoll_group *g, const struct walked *w)
{
    const struct shcoll_group node = shcoll_part_node(g), leaders = shcoll_part_leaders(g);
    CHECK(node.part == PART_NODE && node.me == g->me - w->leader && node.size == w->next_leader - w->leader,
          "%s: member %d of %d on its node, not %d of %d", group_text(g), node.me, node.size, g->me - w->leader,
          w->next_leader - w->leader);
    for (int i = 0; i < node.size; i++)
        CHECK(pe_of(&node, i) == pe_of(g, w->leader + i), "%s: PE %d on the node, not %d", group_text(g),
              pe_of(&node, i), pe_of(g, w->leader + i));
    CHECK(leaders.part == PART_LEADERS && leaders.me == w->node && leaders.size == w->nodes,
          "%s: leader %d of %d, not %d of %d", group_text(g), leaders.me, leaders.size, w->node, w->nodes);
    CHECK(pe_of(&leaders, leaders.me) == pe_of(g, w->leader), "%s: the leader is PE %d, not %d", group_text(g),
          pe_of(&leaders, leaders.me), pe_of(g, w->leader));
}

static void check_member(struct shcoll_group g, int me)
{
    const struct walked w = walk(&g, me);
    g.me = me;
    CHECK(shcoll_node_of(&g, me) == w.node, "%s: on node %d, not %d", group_text(&g), shcoll_node_of(&g, me), w.node);
    CHECK(shcoll_leader_of(&g, w.node) == w.leader, "%s: node %d is led by %d, not %d", group_text(&g), w.node,
          shcoll_leader_of(&g, w.node), w.leader);
    check_parts(&g, &w);
}

/* Each PE's index in the group, also for PEs outside the group. */
static void check_membership(int start, int stride, int size, int n_pes)
{
    int members = 0;
    for (my_pe = 0; my_pe < n_pes; my_pe++) {
        const struct shcoll_group g = shcoll_group_on(start, stride, size, NULL, false);
        int position = -1;
        for (int i = 0; i < size; i++)
            if (start + i * stride == my_pe)
                position = i;
        CHECK(g.me == position, "%s: PE %d is at %d, not %d", group_text(&g), my_pe, g.me, position);
        members += g.me >= 0;
    }
    CHECK(members == size, "start %d stride %d size %d: %d members", start, stride, size, members);
}

static void small_groups(void)
{
    enum { PES = 24, LARGEST_STRIDE = 11 };
    for (int start = 0; start < PES; start++)
        for (int stride = -LARGEST_STRIDE; stride <= LARGEST_STRIDE; stride++)
            for (int size = 1; stride && size <= PES; size++) {
                const int last = start + (size - 1) * stride;
                if (last < 0 || last >= PES)
                    break;
                check_membership(start, stride, size, PES);
                const struct shcoll_group g = {.start = start, .stride = stride, .size = size};
                for (int node_size = 1; node_size <= PES + 1; node_size++) {
                    shcoll_placement.node_size = node_size;
                    for (int me = 0; me < size; me++)
                        check_member(g, me);
                }
            }
}

/* Up to 2^30 PEs: products that do not fit in an int.  Nodes are walked by leaders. */
static void large_groups(void)
{
    static const int node_sizes[] = {1, 3, 64, 1000, 1 << 20}, strides[] = {1, 2, 63, 64, 65, 1000, 1023};
    for (size_t i = 0; i < sizeof node_sizes / sizeof node_sizes[0]; i++)
        for (size_t j = 0; j < 2 * sizeof strides / sizeof strides[0]; j++) {
            const int stride = j % 2 ? -strides[j / 2] : strides[j / 2], size = (1 << 30) / strides[j / 2];
            const int start = stride > 0 ? 5 : (size - 1) * -stride + 5;
            struct shcoll_group g = {.start = start, .stride = stride, .size = size};
            shcoll_placement.node_size = node_sizes[i];
            const int nodes = shcoll_node_of(&g, size - 1) + 1;
            for (int node = nodes - 1; node >= 0; node -= 1 + nodes / 1000) {
                const int leader = shcoll_leader_of(&g, node);
                g.me = leader;
                CHECK(leader >= 0 && leader < size && shcoll_node_of(&g, leader) == node, "%s: leads node %d, not %d",
                      group_text(&g), shcoll_node_of(&g, leader), node);
                CHECK(leader == 0 || shcoll_node_of(&g, leader - 1) == node - 1, "%s: not the first on node %d",
                      group_text(&g), node);
                CHECK(leader == 0 || pe_of(&g, leader) / node_sizes[i] != pe_of(&g, leader - 1) / node_sizes[i],
                      "%s: on the node of the one before", group_text(&g));
            }
        }
}

int main(void)
{
    small_groups();
    large_groups();
    return check_result();
}
