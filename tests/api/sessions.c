/* Sessions are hints: with any options, started twice, stopped twice, on any context, data sent within a session
 * arrives, and fence and quiet keep their guarantees. */
#include "fill.h"

enum { OPS = 200, MAX_PES = 16 };
static uint64_t table[MAX_PES * OPS];
static uint64_t sums[OPS];
static uint64_t flag;
static int me, n_pes;

static void start(shmem_ctx_t ctx, int how)
{
    const shmem_ctx_session_config_t config = {.total_ops = OPS}, wrong = {.total_ops = 1};
    switch (how) {
    case 0: shmem_ctx_session_start(ctx, 0, NULL, 0); break;
    case 1: shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0); break;
    case 2: shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS); break;
    case 3: /* a second start adds options; a wrong hint changes no result */
        shmem_ctx_session_start(ctx, 0, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &wrong, SHMEM_CTX_SESSION_TOTAL_OPS);
        break;
    }
}

static void try_session(const struct place *place, int how, unsigned salt)
{
    const int right = (me + 1) % n_pes, left = (me + n_pes - 1) % n_pes, to = pe_in(place, right);
    memset(table, 0, sizeof table);
    memset(sums, 0, sizeof sums);
    flag = 0;
    uint64_t source[OPS], back[OPS];
    for (size_t i = 0; i < OPS; i++)
        source[i] = pattern_to(me, right, i, salt);
    shmem_barrier_all();
    start(place->ctx, how);
    for (size_t i = 0; i < OPS; i++) {
        uint64_t *dest = &table[(size_t)me * OPS + i];
        if (i % 3 == 0)
            shmem_ctx_uint64_p(place->ctx, dest, source[i], to);
        else if (i % 3 == 1)
            shmem_ctx_uint64_put_nbi(place->ctx, dest, &source[i], 1, to);
        else
            shmem_ctx_uint64_atomic_set(place->ctx, dest, source[i], to);
        for (int pe = 0; pe < n_pes; pe++)
            shmem_ctx_uint64_atomic_add(place->ctx, &sums[i], source[i], pe);
    }
    shmem_ctx_uint64_get(place->ctx, back, table, 0, to); /* zero elements, within the session */
    shmem_ctx_fence(place->ctx);
    shmem_ctx_uint64_p(place->ctx, &flag, 1, to);
    shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1);
    for (size_t i = 0; i < OPS; i++)
        CHECK(table[(size_t)left * OPS + i] == pattern_to(left, me, i, salt), "start %d on %s: element %zu", how,
              place->name, i);
    shmem_ctx_quiet(place->ctx);
    shmem_ctx_uint64_get(place->ctx, back, &table[me * OPS], OPS, to);
    CHECK(memcmp(back, source, sizeof back) == 0, "start %d on %s: get after quiet", how, place->name);
    shmem_ctx_session_stop(place->ctx);
    shmem_ctx_session_stop(place->ctx); /* has no effect */
    shmem_barrier_all();
    for (size_t i = 0; i < OPS; i++) {
        uint64_t expected = 0;
        for (int pe = 0; pe < n_pes; pe++)
            expected += pattern_to(pe, (pe + 1) % n_pes, i, salt);
        CHECK(sums[i] == expected, "start %d on %s: sum %zu", how, place->name, i);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    if (n_pes > MAX_PES)
        shmem_global_exit(1);
    struct place places[PLACES];
    open_places(places);
    shmem_ctx_session_start(SHMEM_CTX_INVALID, SHMEM_CTX_SESSION_BATCH, NULL, 0); /* does nothing */
    for (int p = 1; p < PLACES; p++)
        for (int how = 0; how < 4; how++)
            try_session(&places[p], how, (unsigned)(p * 4 + how));
    close_places(places);
    shmem_finalize();
    return check_result();
}
