/* Teams of every shape, for the tests of team collectives. */
#pragma once

#include "coll.h"
#include "near.h"

enum { MAX_SHAPES = 9 };

static inline void shape_check(const struct shape *s)
{
    int member = -1;
    for (int k = 0; k < s->size; k++)
        if (shape_pe(s, k) == shmem_my_pe())
            member = k;
    CHECK(s->me == member, "team %s: this is PE %d of it, expected %d", s->name, s->me, member);
    CHECK(member < 0 || shmem_team_n_pes(s->team) == s->size, "team %s: %d PEs, expected %d", s->name,
          shmem_team_n_pes(s->team), s->size);
}

static inline struct shape shape_of(const char *name, shmem_team_t team, int start, int stride, int size)
{
    struct shape s = {name, team, start, stride, size, team == SHMEM_TEAM_INVALID ? -1 : shmem_team_my_pe(team)};
    shape_check(&s);
    return s;
}

static inline struct shape shape_split(const char *name, int start, int stride, int size)
{
    shmem_team_t team = SHMEM_TEAM_INVALID;
    int rc = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, NULL, 0, &team);
    CHECK(rc == 0, "split %s: start %d stride %d size %d returned %d", name, start, stride, size, rc);
    return shape_of(name, team, start, stride, size);
}

/* The odd PEs of the PEs 1, 3, 5, ...: a split of a team that lacks some PEs. */
static inline struct shape shape_nested(const struct shape *odd)
{
    shmem_team_t team = SHMEM_TEAM_INVALID;
    int size = odd->size / 2;
    if (odd->me >= 0)
        CHECK(shmem_team_split_strided(odd->team, 1, 2, size, NULL, 0, &team) == 0, "nested split");
    return shape_of("nested", team, odd->start + odd->stride, 2 * odd->stride, size);
}

/* Collective over all PEs; returns the number of shapes.  Shapes that need another number of PEs are left out. */
static inline int shapes_make(struct shape s[MAX_SHAPES])
{
    int n_pes = shmem_n_pes(), n = 0;
    s[n++] = shape_of("world", SHMEM_TEAM_WORLD, 0, 1, n_pes);
    struct near near = near_pes();
    if (near_is_even()) /* otherwise the teams of this shape would execute different numbers of barriers */
        s[n++] = shape_of("shared", SHMEM_TEAM_SHARED, near.first, 1, near.n);
    s[n++] = shape_split("single", n_pes / 2, 0, 1);
    s[n++] = shape_split("even", 0, 2, (n_pes + 1) / 2);
    s[n++] = shape_split("reverse", n_pes - 1, -1, n_pes);
    if (n_pes > 1)
        s[n++] = shape_split("odd", 1, 2, n_pes / 2);
    if (n_pes > 3) {
        s[n] = shape_nested(&s[n - 1]);
        n++;
        s[n++] = shape_split("third from 1", 1, 3, (n_pes + 1) / 3);
    }
    if (n_pes > 4)
        s[n++] = shape_split("upper part", n_pes / 2, 1, n_pes - n_pes / 2);
    return n;
}

static inline void shapes_destroy(struct shape s[], int n)
{
    for (int i = 2; i < n; i++)
        if (s[i].me >= 0)
            shmem_team_destroy(s[i].team);
}
