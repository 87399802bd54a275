/* shmem_init_thread: each of the four levels is granted. */
#include <shmem.h>
#include "../check.h"

_Static_assert(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED && SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED &&
               SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE, "thread levels increase");

static int sum, one = 1;

int main(void)
{
    static const int levels[] = {SHMEM_THREAD_SINGLE, SHMEM_THREAD_MULTIPLE, SHMEM_THREAD_FUNNELED,
                                 SHMEM_THREAD_SERIALIZED};
    for (int i = 0; i < 4; i++) {
        int provided = -1, now = -2;
        CHECK(shmem_init_thread(levels[i], &provided) == 0, "init_thread of level %d", levels[i]);
        CHECK(provided >= levels[i] && provided <= SHMEM_THREAD_MULTIPLE, "asked for level %d, got %d", levels[i],
              provided);
        shmem_query_thread(&now);
        CHECK(now == provided, "query_thread says %d, init_thread %d", now, provided);
        CHECK(shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1) == 0 && sum == shmem_n_pes(), "sum %d", sum);
        shmem_finalize();
    }
    return check_result();
}
