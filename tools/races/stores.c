/* The functions that gcc, clang and gfortran call for loads and stores with -fsanitize=thread. The compilers' own
 * runtime is not linked (tools/oshcc). Without oshrun --races, no address is symmetric, and they do nothing. */
#include "races/access.h"
#include "races/copies.h"
#include "races/real.h"

#pragma GCC visibility push(default)

/* The names are the compilers'. */
#define LOOK(N, BYTES, KIND) void __tsan_##N(void *at) { access_store(at, BYTES, KIND, HERE); }
#define LOOK_BOTH(N, BYTES) LOOK(read##N, BYTES, ACCESS_READ) LOOK(write##N, BYTES, ACCESS_WRITE) \
    LOOK(read_write##N, BYTES, ACCESS_WRITE)
#define LOOK_ALL(BYTES) LOOK_BOTH(BYTES, BYTES) LOOK(volatile_read##BYTES, BYTES, ACCESS_READ) \
    LOOK(volatile_write##BYTES, BYTES, ACCESS_WRITE) LOOK_UNALIGNED(BYTES)
#define LOOK_UNALIGNED(BYTES) LOOK(unaligned_read##BYTES, BYTES, ACCESS_READ) \
    LOOK(unaligned_write##BYTES, BYTES, ACCESS_WRITE) LOOK(unaligned_read_write##BYTES, BYTES, ACCESS_WRITE) \
    LOOK(unaligned_volatile_read##BYTES, BYTES, ACCESS_READ) LOOK(unaligned_volatile_write##BYTES, BYTES, ACCESS_WRITE)
LOOK_ALL(1)
LOOK_ALL(2)
LOOK_ALL(4)
LOOK_ALL(8)
LOOK_ALL(16)

LOOK(vptr_read, sizeof(void *), ACCESS_READ)

void __tsan_vptr_update(void **at, void *value)
{
    if (*at != value) /* a destructor stores the same value again */
        access_store(at, sizeof value, ACCESS_WRITE, HERE);
}

void __tsan_read_range(void *at, size_t bytes)
{
    access_range(at, bytes, ACCESS_READ, HERE);
}

void __tsan_write_range(void *at, size_t bytes)
{
    access_range(at, bytes, ACCESS_WRITE, HERE);
}

void __tsan_init(void)
{
    copies_look_at(HERE);
}

void __tsan_func_entry(void *caller)
{
    (void)caller;
}
void __tsan_func_exit(void) {}
