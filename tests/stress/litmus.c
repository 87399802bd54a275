/* pes: 2 4 7 */
/* The litmus tests of tests/api/ordering.c, for longer. Between nodes a round takes some milliseconds if the network
 * is made slow. usage: litmus [ROUNDS [REPEATS]] */
#include "../api/litmus.h"

enum { MOST_TRIES = 40 };

int main(int argc, char **argv)
{
    const int repeats = argc > 2 ? atoi(argv[2]) : 1;
    shmem_init();
    const bool is_one_node = shmem_team_n_pes(SHMEM_TEAM_SHARED) == shmem_n_pes();
    const long rounds = argc > 1 ? atol(argv[1]) : is_one_node ? 30000 : 3000;
    long *seen = shmem_malloc(((size_t)rounds + 1) * sizeof *seen);
    shmem_ctx_t ctx;
    const int failed = shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
    CHECK(seen && !failed, "could not allocate %zu bytes and create a context", ((size_t)rounds + 1) * sizeof *seen);
    if (check_failures)
        shmem_global_exit(1);
    for (int i = 0; i < repeats; i++)
        litmus_all(ctx, rounds, seen, is_one_node ? MOST_TRIES : 1);
    shmem_ctx_destroy(ctx);
    shmem_free(seen);
    shmem_finalize();
    return check_result();
}
