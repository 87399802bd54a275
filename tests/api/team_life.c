/* Creation and destruction of teams: configurations, contexts on teams, a thousand teams one after the other, many
 * teams at the same time; memory must not grow. */
#include <limits.h>
#include <unistd.h>
#include "coll_team.h"

static void config(void)
{
    shmem_team_config_t want = {3}, got = {-1};
    shmem_team_t team;
    int n = shmem_n_pes();
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &want, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0, "config");
    CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got) == 0, "get_config");
    CHECK(got.num_contexts == 3, "num_contexts is %d, expected 3", got.num_contexts);
    got.num_contexts = -7;
    CHECK(shmem_team_get_config(team, 0, &got) == 0, "get_config with mask 0");
    CHECK(got.num_contexts == -7, "mask 0 wrote num_contexts %d", got.num_contexts);
    CHECK(shmem_team_get_config(team, 0, NULL) == 0, "get_config with mask 0 and NULL");
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &got) != 0, "config of the invalid team");
    CHECK(got.num_contexts == -7, "get_config of the invalid team wrote num_contexts");

    shmem_ctx_t ctx[3] = {SHMEM_CTX_DEFAULT};
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx[0]) != 0, "a context on the invalid team");
    CHECK(ctx[0] == SHMEM_CTX_INVALID, "a refused context left a handle");
    static long slot[3];
    for (int i = 0; i < 3; i++)
        CHECK(shmem_team_create_ctx(team, 0, &ctx[i]) == 0, "context %d of 3", i);
    shmem_team_sync(team);
    int right = (shmem_my_pe() + 1) % n;
    for (int i = 0; i < 3; i++)
        shmem_ctx_long_p(ctx[i], &slot[i], 10 * shmem_my_pe() + i + 1, right);
    for (int i = 0; i < 3; i++)
        shmem_ctx_quiet(ctx[i]);
    shmem_team_sync(team);
    for (int i = 0; i < 3; i++)
        CHECK(slot[i] == 10 * ((shmem_my_pe() + n - 1) % n) + i + 1, "the put on context %d stored %ld", i, slot[i]);
    shmem_team_destroy(team); /* also destroys the team's contexts */
}

/* A reused handle must be a new team: each team has other members than the previous team. */
static void again_and_again(int times)
{
    int n = shmem_n_pes();
    static long sum, mine;
    for (int i = 0; i < times; i++) {
        int start = i % n, size = (n - start + 1) / 2;
        shmem_team_t team;
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, 2, size, NULL, 0, &team) == 0, "team number %d", i);
        if (team == SHMEM_TEAM_INVALID)
            continue;
        mine = i + shmem_team_my_pe(team);
        shmem_long_sum_reduce(team, &sum, &mine, 1);
        long expected = (long)size * i + size * (size - 1) / 2;
        CHECK(sum == expected, "team number %d: sum %ld, expected %ld", i, sum, expected);
        shmem_team_destroy(team);
    }
}

/* Teams are destroyed in another order than created, and others are created in the gaps. */
static void many_at_once(void)
{
    enum { MANY = 40 };
    shmem_team_t team[MANY];
    int n = shmem_n_pes();
    static long sum[MANY], one = 1;
    for (int i = 0; i < MANY; i++)
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, i % n, 1, n - i % n, NULL, 0, &team[i]) == 0, "team %d", i);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MANY; i++)
            if (team[i] != SHMEM_TEAM_INVALID)
                shmem_long_sum_reduce(team[i], &sum[i], &one, 1);
        for (int i = 0; i < MANY; i++)
            CHECK(team[i] == SHMEM_TEAM_INVALID || sum[i] == n - i % n, "team %d has %ld PEs", i, sum[i]);
        for (int i = 0; i < MANY; i += 3) {
            if (team[i] != SHMEM_TEAM_INVALID)
                shmem_team_destroy(team[i]);
            CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, i % n, 1, n - i % n, NULL, 0, &team[i]) == 0,
                  "team %d once more", i);
        }
    }
    for (int i = MANY - 1; i >= 0; i--)
        if (team[i] != SHMEM_TEAM_INVALID)
            shmem_team_destroy(team[i]);
}

/* Creates the maximum number of teams; one more is refused on every PE, without other effects. */
static void all_there_are(void)
{
    enum { MOST = 10000 };
    static shmem_team_t team[MOST];
    static int made, least, most, sum, one = 1;
    int n = shmem_n_pes();
    while (made < MOST && shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team[made]) == 0)
        made++;
    CHECK(made == MOST || team[made] == SHMEM_TEAM_INVALID, "a refused split left a handle");
    shmem_int_min_reduce(SHMEM_TEAM_WORLD, &least, &made, 1);
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &most, &made, 1);
    CHECK(least == most && made >= 100, "between %d and %d teams", least, most);
    shmem_int_sum_reduce(team[made - 1], &sum, &one, 1);
    CHECK(sum == n, "the last team has %d PEs", sum);
    for (int i = 0; i < made; i++)
        shmem_team_destroy(team[i]);
    for (int i = 0; i < 3; i++)
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team[i]) == 0, "a team after all");
    for (int i = 0; i < 3; i++)
        shmem_team_destroy(team[i]);
}

/* Pages of memory in use by this process. */
static long resident(void)
{
    long size = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &size, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages;
}

int main(void)
{
    shmem_init();
    config();
    many_at_once();
    shmem_team_destroy(SHMEM_TEAM_INVALID); /* does nothing */
    int times = shmem_n_pes() <= 4 ? 1000 : 4000 / shmem_n_pes();
    again_and_again(times / 2);
    /* A leak takes pages in every round. If a PE runs further ahead than before, it uses further work areas, which take
     * pages, too, but not in every round. Therefore the least growth of a round counts. */
    long least = LONG_MAX;
    for (int round = 0; round < 4; round++) {
        long before = resident();
        again_and_again(times);
        long grown = (resident() - before) * sysconf(_SC_PAGESIZE);
        least = grown < least ? grown : least;
    }
    CHECK(least < times * 512, "%d teams made and destroyed left %ld bytes in use", times, least);
    if (shmem_n_pes() <= 2)
        all_there_are();
    shmem_finalize();
    return check_result();
}
