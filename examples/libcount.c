/* build: oshcc -shared -fPIC libcount.c -o libcount.so */
/* run: oshrun -n 4 env LD_PRELOAD=./libcount.so ./struct */
/* prints: PE 0 called shmem_putmem 1 times for 56 bytes */
/* A profiling library: counts the calls of shmem_putmem in an unmodified program, and reports them at its end.
 * shmem_pcontrol(0) in the program switches the counting off, shmem_pcontrol(1) on again. */
#include <pshmem.h>
#include <shmem.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_size_t calls, total_bytes;
static atomic_int level = 1;

void shmem_putmem(void *dest, const void *source, size_t bytes, int pe)
{
    if (level > 0) {
        calls++;
        total_bytes += bytes;
    }
    pshmem_putmem(dest, source, bytes, pe);
}

void shmem_pcontrol(int new_level, ...)
{
    level = new_level;
}

void shmem_finalize(void)
{
    printf("PE %d called shmem_putmem %zu times for %zu bytes\n", pshmem_my_pe(), (size_t)calls,
            (size_t)total_bytes);
    pshmem_finalize();
}
