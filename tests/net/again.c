/* A script runs this program twice in a job that outlives its PEs. In the second program, too, no PE leaves
 * shmem_finalize before all have entered it. */
#include <shmem.h>
#include <unistd.h>

#include "../check.h"

static long value;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    value = 1000 + me;
    shmem_barrier_all();
    if (me == n - 1) {
        usleep(300000); /* late */
        for (int pe = 0; pe < n; pe++) {
            const long got = shmem_long_g(&value, pe);
            CHECK(got == 1000 + pe, "%ld of PE %d, which is in shmem_finalize", got, pe);
        }
    }
    shmem_finalize();
    return check_result();
}
