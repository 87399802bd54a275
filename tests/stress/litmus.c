/* pes: 2 4 7 */
/* timeout: 300 */
/* The litmus tests of tests/api/ordering.c, for longer: litmus [ROUNDS [REPEATS]]. */
#include "../api/litmus.h"

int main(int argc, char **argv)
{
    const long rounds = argc > 1 ? atol(argv[1]) : 30000;
    const int repeats = argc > 2 ? atoi(argv[2]) : 1;
    shmem_init();
    long *seen = shmem_malloc(((size_t)rounds + 1) * sizeof *seen);
    shmem_ctx_t ctx;
    const int failed = shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
    CHECK(seen && !failed, "could not allocate %zu bytes and create a context", ((size_t)rounds + 1) * sizeof *seen);
    if (check_failures)
        shmem_global_exit(1);
    for (int i = 0; i < repeats; i++)
        litmus_all(ctx, rounds, seen);
    shmem_ctx_destroy(ctx);
    shmem_free(seen);
    shmem_finalize();
    return check_result();
}
