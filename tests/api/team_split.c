/* shmem_team_split_strided: positive, negative and zero strides, from the world, the shared team and nested teams;
 * numbers and translation in both directions; arguments that are refused. */
#include "coll_team.h"

#include <limits.h>

/* A team of `parent` (whose PE k is world PE first + k * step), compared member by member. */
static void split_of(shmem_team_t parent, int first, int step, int parent_size, int start, int stride, int size)
{
    shmem_team_t team = (shmem_team_t)&team; /* a value that a split must overwrite on every PE */
    int rc = shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team), me = -1;
    CHECK(rc == 0, "start %d stride %d size %d of %d returned %d", start, stride, size, parent_size, rc);
    for (int k = 0; k < size; k++)
        if (first + (start + k * stride) * step == shmem_my_pe())
            me = k;
    CHECK((team != SHMEM_TEAM_INVALID) == (me >= 0), "PE %d, which is %s member, has %s handle", shmem_my_pe(),
          me >= 0 ? "a" : "no", me >= 0 ? "no" : "a");
    CHECK(shmem_team_my_pe(team) == me, "PE %d is %d, expected %d", shmem_my_pe(), shmem_team_my_pe(team), me);
    CHECK(shmem_team_n_pes(team) == (me < 0 ? -1 : size), "size %d, expected %d", shmem_team_n_pes(team), size);
    if (me < 0)
        return;
    for (int k = 0; k < size; k++) {
        int in_parent = start + k * stride, world = first + in_parent * step;
        CHECK(shmem_team_translate_pe(team, k, SHMEM_TEAM_WORLD) == world, "PE %d to the world", k);
        CHECK(shmem_team_translate_pe(team, k, parent) == in_parent, "PE %d to the parent", k);
        CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, world, team) == k, "PE %d from the world", world);
    }
    int members = 0;
    for (int p = 0; p < parent_size; p++) {
        int k = shmem_team_translate_pe(parent, p, team);
        members += k >= 0;
        CHECK(k == -1 || start + k * stride == p, "PE %d of the parent is translated to %d", p, k);
    }
    CHECK(members == size, "%d PEs of the parent translate, expected %d", members, size);
    CHECK(shmem_team_translate_pe(team, size, SHMEM_TEAM_WORLD) == -1, "a PE past the end translates");
    CHECK(shmem_team_translate_pe(team, -1, SHMEM_TEAM_WORLD) == -1, "PE -1 translates");

    static int sum, one = 1;
    shmem_team_sync(team); /* sum is ready on all PEs: no PE reads the sum of the previous team */
    CHECK(shmem_int_sum_reduce(team, &sum, &one, 1) == 0 && sum == size, "sum of ones is %d of %d", sum, size);
    shmem_team_destroy(team);
}

/* Every stride from -3 to 3, from each possible start, with the maximum size. */
static void splits_of(shmem_team_t parent, int first, int step, int n)
{
    for (int stride = -3; stride <= 3; stride++)
        for (int offset = 0; offset < 3 && offset < n; offset++) {
            int start = stride < 0 ? n - 1 - offset : offset;
            int most = stride == 0 ? 1 : (n - 1 - offset) / abs(stride) + 1;
            split_of(parent, first, step, n, start, stride, most);
            if (most > 2)
                split_of(parent, first, step, n, start, stride, most - 1);
        }
}

static void refused(shmem_team_t parent, int start, int stride, int size)
{
    shmem_team_t team = (shmem_team_t)&team;
    int rc = shmem_team_split_strided(parent, start, stride, size, NULL, 0, &team);
    CHECK(rc != 0, "start %d stride %d size %d was accepted", start, stride, size);
    CHECK(team == SHMEM_TEAM_INVALID, "start %d stride %d size %d left a handle", start, stride, size);
}

static void translate_invalid(void)
{
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_WORLD) == -1, "from the invalid team");
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_INVALID) == -1, "to the invalid team");
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, shmem_n_pes(), SHMEM_TEAM_SHARED) == -1, "past the world");
    const struct near near = near_pes();
    for (int k = 0; k < shmem_n_pes(); k++) {
        int shared = k >= near.first && k < near.first + near.n ? k - near.first : -1;
        CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, k, SHMEM_TEAM_SHARED) == shared,
              "world PE %d to the shared team", k);
    }
}

int main(void)
{
    shmem_init();
    int n = shmem_n_pes();
    CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == shmem_my_pe(), "number in the world");
    CHECK(shmem_team_n_pes(SHMEM_TEAM_WORLD) == n, "size of the world");
    const struct near near = near_pes();
    CHECK(shmem_team_my_pe(SHMEM_TEAM_SHARED) == shmem_my_pe() - near.first, "number in the shared team");
    CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) == near.n, "size of the shared team");
    CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1, "number in the invalid team");
    CHECK(shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1, "size of the invalid team");
    translate_invalid();

    splits_of(SHMEM_TEAM_WORLD, 0, 1, n);
    split_of(SHMEM_TEAM_SHARED, near.first, 1, near.n, 0, 1, near.n);
    split_of(SHMEM_TEAM_SHARED, near.first, 1, near.n, near.n - 1, -1, near.n);
    struct shape even = shape_split("even", 0, 2, (n + 1) / 2), reverse = shape_split("reverse", n - 1, -1, n);
    if (even.me >= 0)
        splits_of(even.team, 0, 2, even.size);
    splits_of(reverse.team, n - 1, -1, n);

    /* a team of one PE has no stride, even if it times the parent's stride overflows an int */
    split_of(SHMEM_TEAM_WORLD, 0, 1, n, n - 1, 1 << 30, 1);
    if (even.me >= 0)
        split_of(even.team, 0, 2, even.size, 0, INT_MIN, 1);

    refused(SHMEM_TEAM_INVALID, 0, 1, 1);
    refused(SHMEM_TEAM_WORLD, 0, 1, n + 1);
    refused(SHMEM_TEAM_WORLD, n, 1, 1);
    refused(SHMEM_TEAM_WORLD, -1, 1, 1);
    refused(SHMEM_TEAM_WORLD, 0, 1, 0);
    refused(SHMEM_TEAM_WORLD, 0, 1, -1);
    refused(SHMEM_TEAM_WORLD, 0, -1, 2);
    refused(SHMEM_TEAM_WORLD, 0, n, 2);
    refused(SHMEM_TEAM_WORLD, 0, 0, 2);
    refused(SHMEM_TEAM_WORLD, 0, 1 << 30, 5); /* the last PE's number overflows an int */
    split_of(SHMEM_TEAM_WORLD, 0, 1, n, 0, 1, n); /* the errors have no further effects */

    if (even.me >= 0)
        shmem_team_destroy(even.team);
    shmem_team_destroy(reverse.team);
    shmem_finalize();
    return check_result();
}
