/* Calls that programs make although the specification does not allow them: an alignment that is no power of two, and
 * one shmem_finalize too many. */
#include <shmem.h>
#include <stdint.h>

int main(void)
{
    shmem_init();
    void *p = shmem_align(63, 100);
    const int good = p && (uintptr_t)p % 64 == 0;
    shmem_free(p);
    shmem_finalize();
    shmem_finalize();
    return !good;
}
