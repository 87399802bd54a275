/* Barriers and syncs on the world, on teams and on active sets. No PE may leave before all have entered, and a barrier
 * must complete the puts before it. */
#include "coll_set.h"
#include "coll_team.h"

enum { MAX_PES = 1024, PHASES = 12 };

static long arrived;          /* the last phase that this PE has entered */
static long inbox[MAX_PES];   /* inbox[k]: the phase that PE k has put here */

/* Enters `phase`, sometimes late; other PEs can read the phase before the synchronization. */
static void come(long phase, int shape)
{
    dawdle(value((uint64_t)(phase * 100 + shape), shmem_my_pe(), 1), (unsigned)(3 * shmem_n_pes()), 300);
    shmem_long_atomic_set(&arrived, phase, shmem_my_pe());
}

/* Puts to every member; the barrier must complete these puts. */
static void put_phase(const int *pes, int n, long phase)
{
    for (int k = 0; k < n; k++)
        shmem_long_put_nbi(&inbox[shmem_my_pe()], &phase, 1, pes[k]);
}

/* Checks that all have entered; checks only two members, because all would take n * n reads. */
static void check_arrived(const int *pes, int n, long phase, const char *what)
{
    for (int j = 0; j < 2; j++) {
        int pe = pes[(value((uint64_t)phase, shmem_my_pe(), (size_t)j)) % (uint64_t)n];
        long there = shmem_long_atomic_fetch(&arrived, pe);
        CHECK(there >= phase, "%s: PE %d left in phase %ld, PE %d was in %ld", what, shmem_my_pe(), phase, pe, there);
    }
}

static void check_inbox(const int *pes, int n, long phase, const char *what)
{
    for (int k = 0; k < n; k++) {
        long got = shmem_long_atomic_fetch(&inbox[pes[k]], shmem_my_pe());
        CHECK(got >= phase, "%s: put of phase %ld by PE %d had not arrived, found %ld", what, phase, pes[k], got);
    }
}

static void whole_world(const int *pes, int n)
{
    for (long phase = 1; phase <= PHASES; phase++) {
        come(2 * phase, 0);
        put_phase(pes, n, 2 * phase);
        shmem_barrier_all();
        check_arrived(pes, n, 2 * phase, "barrier_all");
        check_inbox(pes, n, 2 * phase, "barrier_all");
        come(2 * phase + 1, 0);
        shmem_sync_all();
        check_arrived(pes, n, 2 * phase + 1, "sync_all");
    }
}

static void team(const struct shape *s, int number)
{
    int pes[MAX_PES];
    for (int k = 0; k < s->size; k++)
        pes[k] = shape_pe(s, k);
    for (long phase = 1; s->me >= 0 && phase <= PHASES; phase++) {
        long at = 1000L * (number + 1) + phase;
        come(at, number);
        CHECK(shmem_team_sync(s->team) == 0, "team_sync on %s", s->name);
        check_arrived(pes, s->size, at, s->name);
    }
}

/* barrier and sync may use one pSync repeatedly, as long as the set is the same. */
static void active_set(const struct shape *s, int number)
{
    int pes[MAX_PES];
    for (int k = 0; k < s->size; k++)
        pes[k] = shape_pe(s, k);
    for (long phase = 1; s->me >= 0 && phase <= PHASES; phase++) {
        long at = 100000L * (number + 1) + 2 * phase;
        come(at, number);
        put_phase(pes, s->size, at);
        shmem_barrier(s->start, log_stride(s), s->size, psyncs[0]);
        check_arrived(pes, s->size, at, "barrier");
        check_inbox(pes, s->size, at, "barrier");
        come(at + 1, number);
        shmem_sync(s->start, log_stride(s), s->size, psyncs[1]);
        check_arrived(pes, s->size, at + 1, "sync");
    }
    shmem_barrier_all();
    psync_check(psyncs[0], "barrier");
    psync_check(psyncs[1], "sync");
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    int n_pes = shmem_n_pes(), pes[MAX_PES];
    for (int k = 0; k < n_pes; k++)
        pes[k] = k;
    whole_world(pes, n_pes);

    struct shape shapes[MAX_SHAPES];
    int n_shapes = shapes_make(shapes);
    for (int i = 0; i < n_shapes; i++) {
        shmem_barrier_all();
        team(&shapes[i], i);
    }
    struct shape sets[MAX_SETS];
    int n_sets = sets_make(sets);
    for (int i = 0; i < n_sets; i++)
        active_set(&sets[i], i);

    shmem_barrier_all();
    for (int i = 0; i < 500; i++) /* many calls, with nothing between them */
        i % 3 ? shmem_barrier_all() : shmem_sync_all();
    shapes_destroy(shapes, n_shapes);
    shmem_finalize();
    return check_result();
}
