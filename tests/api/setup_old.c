/* The names of the first specifications: start_pes (more than once, and no shmem_finalize), _my_pe, _num_pes, and the
 * headers in mpp/. */
#include <mpp/shmem.h>
#include "../check.h"

static long inbox;

int main(void)
{
    start_pes(0);
    start_pes(3); /* no effect */
    CHECK(_my_pe() == shmem_my_pe(), "_my_pe says %d", _my_pe());
    CHECK(_num_pes() == shmem_n_pes(), "_num_pes says %d", _num_pes());
    int me = _my_pe(), n = _num_pes();
    shmem_long_p(&inbox, me + 1, (me + 1) % n);
    shmem_barrier_all();
    CHECK(inbox == (me + n - 1) % n + 1, "neighbour put %ld", inbox);
    CHECK(_SHMEM_MAJOR_VERSION == SHMEM_MAJOR_VERSION && _SHMEM_MINOR_VERSION == SHMEM_MINOR_VERSION, "version");
    return check_result();
}
