/* Prints the contents that a core dump of this process would have, by the kernel's /proc/self/smaps; or dumps core.
 *
 *     core look          prints whether it has a block of the heap, a static, the next PE's block, and untouched heap
 *     core dump FOLDER   PE 1 dumps core into FOLDER */
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "../check.h"

enum { WORDS = 1 << 20 };
static uint64_t in_static[1000];

/* Whether the flags of p's mapping include "dd", which excludes the mapping from core dumps. */
static bool kept_in(const void *p)
{
    FILE *f = fopen("/proc/self/smaps", "r");
    char line[400];
    uintptr_t from = 0, to = 0, at;
    bool in = false;
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lx-%lx", &at, &to) == 2)
            from = at;
        else if (strncmp(line, "VmFlags:", 8) == 0 && (uintptr_t)p >= from && (uintptr_t)p < to)
            in = !strstr(line, " dd");
    }
    if (f)
        fclose(f);
    return in;
}

int main(int argc, char **argv)
{
    shmem_init();
    const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    uint64_t *first = shmem_malloc(WORDS * sizeof *first), *block = shmem_malloc(WORDS * sizeof *block);
    for (int i = 0; i < WORDS; i++)
        block[i] = 0x6b6f6f6c68657265 + (uint64_t)me;
    in_static[999] = 1;
    shmem_barrier_all();
    if (argc == 2) {
        printf("block %d%d static %d peer %d untouched %d\n", kept_in(first), kept_in(&block[WORDS - 1]),
               kept_in(&in_static[999]), kept_in(shmem_ptr(block, next)), kept_in((char *)block + ((size_t)64 << 20)));
        shmem_finalize();
        return 0;
    }
    if (me == 1 && chdir(argv[2]) == 0)
        *(volatile int *)(uintptr_t)(argc == 99) = 0; /* a null pointer */
    shmem_barrier_all();
    return 1;
}
