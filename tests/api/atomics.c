/* Every atomic of every type, with and without a context, from every PE on every PE, on static and heap memory. */
#include "amo_once.h"

static _Alignas(8) amo_memory static_memory;

int main(void)
{
    shmem_init();
    struct place places[PLACES];
    open_places(places);
    char (*heap)[2 * MAX_PES * 8] = shmem_malloc(sizeof static_memory);
    CHECK(heap != NULL, "shmem_malloc of %zu bytes failed", sizeof static_memory);
    _Static_assert((int)AMO_ROWS <= (int)MAX_ROWS, "amo_memory is too small");
    if (shmem_n_pes() > MAX_PES || !heap)
        shmem_global_exit(1);
    for (int p = 0; p < PLACES; p++) {
        amo_once(amo_rows, AMO_ROWS, &places[p], static_memory);
        amo_once(amo_rows, AMO_ROWS, &places[p], heap);
    }
    shmem_free(heap);
    close_places(places);
    shmem_finalize();
    return check_result();
}
