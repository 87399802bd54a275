/* fence, quiet and pe_quiet, with and without a context: litmus tests of every pair of store and ordering call. */
#include "litmus.h"

enum { ROUNDS = 10000, MANY_PES = 4 /* from more on, few run at one time: fewer rounds show as much */ };

int main(void)
{
    shmem_init();
    long *seen = shmem_malloc((ROUNDS + 1) * sizeof *seen);
    shmem_ctx_t ctx;
    const int failed = shmem_ctx_create(0, &ctx);
    CHECK(seen && !failed, "could not allocate %zu bytes and create a context", (ROUNDS + 1) * sizeof *seen);
    if (check_failures)
        shmem_global_exit(1);
    litmus_all(ctx, shmem_n_pes() > MANY_PES ? ROUNDS / 5 : ROUNDS, seen);
    shmem_ctx_destroy(ctx);
    shmem_free(seen);
    shmem_finalize();
    return check_result();
}
