/* pes: 1 4 */
/* shmem_init does not touch static memory that the program has not touched. */
#include "fill.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MIB = 1 << 20, SIZE = 256 * MIB, PAGES = SIZE / 4096 };
static char big[SIZE], before = 'b';

static long faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static bool kernel_tells(void)
{
    uint64_t entry;
    const int pagemap = open("/proc/self/pagemap", O_RDONLY);
    const bool tells = pread(pagemap, &entry, sizeof entry, 0) == sizeof entry;
    close(pagemap);
    return tells;
}

int main(void)
{
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); /* otherwise one fault would touch 512 pages */
    big[100 * MIB] = 'x';
    const long at_start = faults();
    shmem_init();
    const long in_init = faults() - at_start;
    if (kernel_tells())
        CHECK(in_init < PAGES / 4, "%ld page faults in shmem_init, for %d untouched pages", in_init, PAGES);
    else
        printf("skipped: /proc/self/pagemap, by which untouched pages are known, cannot be read here\n");
    const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    CHECK(big[100 * MIB] == 'x' && big[100 * MIB - 1] == 0 && big[0] == 0 && before == 'b', "a static has changed");
    shmem_char_p(&big[200 * MIB], (char)(me + 1), next);
    shmem_barrier_all();
    CHECK(big[200 * MIB] == (me + shmem_n_pes() - 1) % shmem_n_pes() + 1, "a put stored %d", big[200 * MIB]);
    shmem_finalize();
    return check_result();
}
