/* What a program may do a hundred thousand times leaves nothing behind: contexts, contexts that their team takes along, splits. */
/* pes: 1 2 4 */
/* timeout: 120 */
#include <shmem.h>
#include <stdbool.h>
#include <unistd.h>

#include "../check.h"

enum { WARM = 1000, TURNS = 100000, MOST_GROWTH = 512 << 10 };

static int me, n_pes;

/* Bytes that this process has in memory. */
static long resident(void)
{
    long size = 0, pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    CHECK(statm && fscanf(statm, "%ld %ld", &size, &pages) == 2, "/proc/self/statm cannot be read");
    if (statm)
        fclose(statm);
    return pages * sysconf(_SC_PAGESIZE);
}

static void create_context(int turn)
{
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(turn % 2 ? SHMEM_CTX_PRIVATE : 0, &ctx) == 0, "turn %d: no context", turn);
    shmem_ctx_destroy(ctx);
}

static shmem_team_t half(int turn)
{
    shmem_team_t team;
    const int size = (n_pes + 1) / 2;
    const int failed = shmem_team_split_strided(SHMEM_TEAM_WORLD, turn % 2 ? 0 : n_pes - size, 1, size, NULL, 0, &team);
    const bool mine = turn % 2 ? me < size : me >= n_pes - size;
    CHECK(!failed && (team != SHMEM_TEAM_INVALID) == mine, "turn %d: no team", turn);
    return team;
}

static void split(int turn)
{
    shmem_team_destroy(half(turn));
}

static void split_with_contexts(int turn)
{
    static shmem_ctx_t kept;
    shmem_ctx_t ctx[3];
    shmem_team_t team = half(turn), of_kept;
    if (turn == 0)
        shmem_ctx_create(0, &kept);
    for (int i = 0; i < 3 && team != SHMEM_TEAM_INVALID; i++)
        CHECK(shmem_team_create_ctx(team, 0, &ctx[i]) == 0, "turn %d: no context on the team", turn);
    if (team != SHMEM_TEAM_INVALID)
        shmem_ctx_destroy(ctx[1]);
    shmem_team_destroy(team);
    CHECK(shmem_ctx_get_team(kept, &of_kept) == 0 && of_kept == SHMEM_TEAM_WORLD, "turn %d: the world's context is gone", turn);
}

static void repeat(const char *what, void (*body)(int turn), int turns)
{
    long before = 0;
    for (int turn = 0; turn < turns; turn++) {
        if (turn == WARM)
            before = resident();
        body(turn);
    }
    const long grown = resident() - before;
    CHECK(grown <= MOST_GROWTH, "%s: after %d turns %ld KiB more in memory", what, turns, grown >> 10);
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    repeat("contexts", create_context, TURNS);
    repeat("splits", split, TURNS);
    repeat("splits with contexts", split_with_contexts, TURNS / 4);
    const int result = check_result();
    shmem_finalize();
    return result;
}
