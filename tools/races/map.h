/* The symmetric memory of all PEs, as each process sees it: the window, which all map at one address
 * (src/node/mapping.c), and the program's own statics, which are elsewhere and also count as a part of the window.
 * /proc/self/maps, which lists the job file by its inode, and shmem_ptr give the addresses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
    uintptr_t window, statics; /* addresses */
    size_t bytes, statics_bytes; /* 0 before shmem_init: then no address is symmetric */
    size_t statics_at;           /* offset of this PE's statics in the window */
    size_t heap_at;              /* offset of its heap, once it is known */
    int me, n_pes;
    ptrdiff_t statics_stride, heap_stride; /* from one PE to the next; 0: not known yet */
};
extern struct map map __attribute__((visibility("hidden")));

void map_remember_job(void); /* before shmem_init, which removes COPAL_JOB */
bool map_read(int me, int n_pes); /* after shmem_init */
void map_learn_heap(void *block); /* a block that the program or its library has allocated, or NULL */

static inline bool map_offset(const volatile void *address, size_t *offset)
{
    *offset = (uintptr_t)address - map.window;
    if (*offset < map.bytes)
        return true;
    *offset = (uintptr_t)address - map.statics;
    if (*offset >= map.statics_bytes)
        return false;
    *offset += map.statics_at;
    return true;
}

/* The key of an object that PEs or this PE's threads synchronize by: its offset, or a value that is no offset. */
static inline uint64_t map_key(const volatile void *object)
{
    size_t offset;
    return map_offset(object, &offset) ? offset : (uint64_t)(map.me + 1) << 48 ^ (uintptr_t)object;
}

static inline bool map_is_mine(size_t offset)
{
    return offset - map.statics_at < map.statics_bytes || offset - map.heap_at < (size_t)map.heap_stride;
}

int map_owner(size_t offset, bool *is_static);

/* The address that this PE's program uses for the corresponding object. */
void *map_mine(size_t offset);

/* The offset of PE pe's object that corresponds to this PE's; false: it does not exist, and the library refuses it. */
bool map_remote(const void *mine, size_t bytes, int pe, size_t *offset);
