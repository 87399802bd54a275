/* fence, quiet and pe_quiet, with and without a context: litmus tests of every pair of store and ordering call. */
#include "litmus.h"

enum { ROUNDS = 10000, FEWER = ROUNDS / 5, MANY_PES = 4 };

/* With more PEs than cores, few PEs run at the same time; between nodes, most of a round's 40 us is the network's time,
 * in which stores cannot change their order. In both cases fewer rounds suffice. */
static long rounds(void)
{
    return shmem_n_pes() > MANY_PES || shmem_team_n_pes(SHMEM_TEAM_SHARED) < shmem_n_pes() ? FEWER : ROUNDS;
}

int main(void)
{
    shmem_init();
    long *seen = shmem_malloc((ROUNDS + 1) * sizeof *seen);
    shmem_ctx_t ctx;
    const int failed = shmem_ctx_create(0, &ctx);
    CHECK(seen && !failed, "could not allocate %zu bytes and create a context", (ROUNDS + 1) * sizeof *seen);
    if (check_failures)
        shmem_global_exit(1);
    litmus_all(ctx, rounds(), seen, 1);
    shmem_ctx_destroy(ctx);
    shmem_free(seen);
    shmem_finalize();
    return check_result();
}
