/* Teams (9.4).
 *
 * A new team gets a position in the table that is free on all members of its parent. An AND of the members' bitmaps
 * finds it; one word is enough if one of the first 64 positions is free. With SHMEM_THREAD_MULTIPLE a second reduction
 * checks that no other thread has taken it. Each member clears the team's work area before the split's last sync. */
#include "shmem/api.h"
#include "shmem/groups.h"
#include "shmem/debug.h"

#include "job/cgroup.h"
#include "time/virtual.h"

#include <pthread.h>
#include <string.h>

/* A bit for each free position. No team has position 0: its bit is set if the thread level excludes concurrent calls on
 * this PE, so no other thread can take a position during a split. */
enum { WORDS = TEAMS / 64, IS_ALONE = 1 };
static uint64_t is_free[WORDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects is_free: threads may split teams concurrently */
_Static_assert(sizeof is_free <= SHCOLL_SCRATCH_BYTES, "the bits fit in the scratch");

size_t teams_work_bytes(void)
{
    return TEAMS * SHCOLL_WORK_BYTES;
}

static uint64_t *work_of(int index)
{
    return (uint64_t *)(node.heap + (size_t)index * SHCOLL_WORK_BYTES);
}

static void begin(int index, shmem_team_t handle, int start, int stride, int size, int me)
{
    struct team *t = &teams[index];
    t->handle = handle;
    t->contexts = 0;
    t->group = (struct shcoll_group){.start = start, .stride = stride, .size = size, .me = me, .work = work_of(index)};
}

/* PE 0 publishes SHCOLL's settings in the work area of position 0, which no team has. In emulated time each PE has a
 * processor of its own. */
void teams_publish_settings(void)
{
    shcoll_settings_write(work_of(0), self.node_size, virtual_begun() ? INT_MAX : cgroup_processors(self.processors));
}

void teams_read_settings(void)
{
    shcoll_settings_read(work_of(0), virtual_begun() ? self.n_pes : net_sharing());
}

uint64_t teams_least(uint64_t value)
{
    struct shcoll_group *world = &team_find(SHMEM_TEAM_WORLD, "shmem_init")->group;
    uint64_t *least = shcoll_scratch(world);
    *least = value;
    shcoll_reduce(world, least, least, 1, SHCOLL_OP(MIN, uint64_t));
    return *least;
}

void teams_begin(void)
{
    for (int i = 0; i < TEAMS; i++)
        teams[i].handle = SHMEM_TEAM_INVALID;
    memset(is_free, 0xff, sizeof is_free);
    is_free[0] ^= 1 << 1 | 1 << 2 | (thread_level == SHMEM_THREAD_MULTIPLE ? IS_ALONE : 0);
    memset(work_of(1), 0, SHCOLL_WORK_BYTES);
    memset(work_of(2), 0, SHCOLL_WORK_BYTES);
    begin(1, SHMEM_TEAM_WORLD, 0, 1, node.n_pes, node.me);
    begin(2, SHMEM_TEAM_SHARED, node.first, 1, node.n_near, node.me - node.first);
}

API(int, team_my_pe, (shmem_team_t team))
{
    return team == SHMEM_TEAM_INVALID ? -1 : team_find(team, ROUTINE)->group.me;
}

API(int, team_n_pes, (shmem_team_t team))
{
    return team == SHMEM_TEAM_INVALID ? -1 : team_find(team, ROUTINE)->group.size;
}

static void check_mask(long config_mask, const void *config, const char *routine)
{
    if (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS)
        job_fatal(routine, "argument config_mask is %#lx, allowed are 0 and SHMEM_TEAM_NUM_CONTEXTS", config_mask);
    if (config_mask && !config)
        job_fatal(routine, "argument config is a null pointer with a config_mask of %#lx", config_mask);
}

API(int, team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config))
{
    check_initialized(ROUTINE);
    if (team == SHMEM_TEAM_INVALID)
        return 1;
    const struct team *t = team_find(team, ROUTINE);
    check_mask(config_mask, config, ROUTINE);
    if (config_mask & SHMEM_TEAM_NUM_CONTEXTS)
        config->num_contexts = t->config.num_contexts;
    return 0;
}

/* The position in the group of PE pe of the world, or -1. */
static int position_of(const struct shcoll_group *g, int pe)
{
    const int distance = pe - g->start;
    if (distance % g->stride != 0)
        return -1;
    const int position = distance / g->stride;
    return position >= 0 && position < g->size ? position : -1;
}

API(int, team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team))
{
    check_initialized(ROUTINE);
    if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID)
        return -1;
    const struct shcoll_group *from = &team_find(src_team, ROUTINE)->group, *to = &team_find(dest_team, ROUTINE)->group;
    if (src_pe < 0 || src_pe >= from->size)
        return -1;
    return position_of(to, from->start + src_pe * from->stride);
}

/* --- splits ------------------------------------------------------------------------------------------------------- */

static uint64_t bit_of(int index)
{
    return (uint64_t)1 << index % 64;
}

static bool take(int index)
{
    pthread_mutex_lock(&lock);
    const bool was_free = is_free[index / 64] & bit_of(index);
    is_free[index / 64] &= ~bit_of(index);
    pthread_mutex_unlock(&lock);
    return was_free;
}

static void give(int index)
{
    pthread_mutex_lock(&lock);
    is_free[index / 64] |= bit_of(index);
    pthread_mutex_unlock(&lock);
}

/* ANDs the first words of is_free of all members of the parent, into common. */
static void agree(struct shcoll_group *parent, uint64_t *common, size_t words)
{
    pthread_mutex_lock(&lock);
    memcpy(common, is_free, words * sizeof *common);
    pthread_mutex_unlock(&lock);
    shcoll_reduce(parent, common, common, words, SHCOLL_OP(AND, uint64_t));
}

/* A free position in the first `words` words, searched cyclically from word `from` on, or -1. */
static int first_free(const uint64_t *common, size_t words, size_t from)
{
    for (size_t i = 0; i < words; i++) {
        const size_t at = (from + i) % words;
        const uint64_t bits = at ? common[at] : common[0] & ~(uint64_t)IS_ALONE;
        if (bits)
            return (int)(at * 64) + __builtin_ctzll(bits);
    }
    return -1;
}

/* Takes one position on all members of the parent, or returns -1. Usually one of the first 64 is free, which needs a
 * reduction of eight bytes. If a thread that splits another team has taken it on some members meanwhile, all members
 * release it and continue from a word that depends on the team. */
static int take_on_all(const struct team *team, struct shcoll_group *parent)
{
    uint64_t *common = shcoll_scratch(parent);
    for (size_t words = 1, from = 0, attempt = 0;; words = WORDS) {
        agree(parent, common, words);
        const bool all_alone = common[0] & IS_ALONE;
        const int index = first_free(common, words, from);
        if (index < 0 && words == WORDS)
            return -1;
        if (index < 0)
            continue;
        const bool mine = take(index);
        if (all_alone)
            return index;
        *common = mine;
        shcoll_reduce(parent, common, common, 1, SHCOLL_OP(AND, uint64_t));
        if (*common)
            return index;
        if (mine)
            give(index);
        from = ((size_t)(team - teams) * 2654435761u + attempt++ * 40503u) >> 8;
    }
}

/* Creates the team of start, stride, size (numbers in parent) on its members; collective over parent. */
static int split(struct team *parent, int start, int stride, int size, const shmem_team_config_t *config, long mask,
                 shmem_team_t *new_team, const char *routine)
{
    struct shcoll_group *p = &parent->group;
    enter(routine);
    enter_together(p, WITH_DATA);
    const int index = take_on_all(parent, p);
    leave();
    if (index < 0)
        return 1;
    const struct shcoll_group triplet = {
        .start = p->start + start * p->stride, .stride = stride * p->stride, .size = size};
    const int me = position_of(&triplet, node.me);
    if (me >= 0) {
        struct team *t = &teams[index];
        memset(work_of(index), 0, SHCOLL_WORK_BYTES);
        t->uses++;
        begin(index, (shmem_team_t)((uintptr_t)t->uses * TEAMS + (uintptr_t)index), triplet.start, triplet.stride, size,
              me);
        t->config = mask & SHMEM_TEAM_NUM_CONTEXTS ? *config : (shmem_team_config_t){0};
        *new_team = t->handle;
    } else {
        give(index);
    }
    quiet_here(); /* MUTANT cleared work areas are seen */
    enter(routine);
    enter_together(p, JUST_SYNC);
    /* MUTANT cleared work areas */
    shcoll_sync(p); /* no member may signal before all have cleared their work areas */
    leave();
    return 0;
}

API(int, team_split_strided, (shmem_team_t parent_team, int start, int stride, int size,
                              const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team))
{
    check_initialized(ROUTINE);
    *new_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID)
        return 1;
    struct team *parent = team_find(parent_team, ROUTINE);
    check_mask(config_mask, config, ROUTINE);
    const int n = parent->group.size;
    const int64_t last = (int64_t)start + (int64_t)stride * (size - 1);
    if (node.debug)
        debug_agree(&parent->group, ROUTINE, (struct debug_argument[]){
            {"start", (uint64_t)start}, {"stride", (uint64_t)stride}, {"size", (uint64_t)size}}, 3);
    if (size < 1 || start < 0 || start >= n || last < 0 || last >= n || (stride == 0 && size != 1))
        return 1;
    return split(parent, start, size > 1 ? stride : 1, size, config, config_mask, new_team, ROUTINE);
}

API(int, team_split_2d, (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
                         shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask,
                         shmem_team_t *yaxis_team))
{
    check_initialized(ROUTINE);
    *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID)
        return 1;
    struct team *parent = team_find(parent_team, ROUTINE);
    check_mask(xaxis_mask, xaxis_config, ROUTINE);
    check_mask(yaxis_mask, yaxis_config, ROUTINE);
    if (node.debug)
        debug_agree(&parent->group, ROUTINE, (struct debug_argument[]){{"xrange", (uint64_t)xrange}}, 1);
    if (xrange < 1)
        return 1;
    /* Rows of xrange PEs, the last one possibly shorter; each PE splits off its own row and column. The rows are
     * disjoint, so they share one position in the table; the columns share another position. */
    const int n = parent->group.size, width = xrange < n ? xrange : n, me = parent->group.me;
    const int x = me % width, row = me - x;
    const int row_size = row + width <= n ? width : n - row;
    const int column_size = (n - x + width - 1) / width;
    if (split(parent, row, 1, row_size, xaxis_config, xaxis_mask, xaxis_team, ROUTINE))
        return 1;
    if (split(parent, x, width, column_size, yaxis_config, yaxis_mask, yaxis_team, ROUTINE)) {
        pshmem_team_destroy(*xaxis_team);
        *xaxis_team = SHMEM_TEAM_INVALID;
        return 1;
    }
    return 0;
}

API(void, team_destroy, (shmem_team_t team))
{
    check_initialized(ROUTINE);
    if (team == SHMEM_TEAM_INVALID)
        return;
    struct team *t = team_find(team, ROUTINE);
    if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED)
        job_fatal(ROUTINE, "argument team is %s, allowed is a team that a split made",
                  team == SHMEM_TEAM_WORLD ? "SHMEM_TEAM_WORLD" : "SHMEM_TEAM_SHARED");
    contexts_end_of_team(t, ROUTINE);
    enter(ROUTINE);
    enter_together(&t->group, JUST_SYNC);
    shcoll_group_end(&t->group);
    leave();
    t->handle = SHMEM_TEAM_INVALID;
    give((int)(t - teams));
}
