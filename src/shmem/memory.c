/* Memory management (9.3). The allocators of all PEs execute the same calls in the same order, so blocks are symmetric
 * without an exchange of addresses. The PEs compare their arguments to report errors of the program. */
#include "shmem/api.h"
#include "shmem/groups.h"
#include "node/size.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What the PEs must agree on: a size; a block, by its offset; or a size and an alignment of 2^(what - ALIGNED). */
enum { SIZE = 1, BLOCK, ALIGNED };

/* A barrier in which every PE also sends its value to the next PE: if all neighbours agree, all PEs do. */
static void barrier_agreeing(const char *arg, unsigned what, uint64_t value, const char *routine)
{
    struct shcoll_group *world = &team_find(SHMEM_TEAM_WORLD, routine)->group;
    const uint64_t most = UINT64_MAX >> 8; /* more than any heap, and therefore refused on all PEs */
    enter(routine);
    enter_together(world, JUST_SYNC);
    if (UNLIKELY(node.debug)) {
        debug_agree(world, routine, NULL, 0);
        debug_synchronized();
    }
    quiet_before_sync(); /* MUTANT allocation is a barrier */
    const uint64_t said = (value < most ? value : most) << 8 | what, told = shcoll_sync_telling(world, said);
    leave();
    if (LIKELY(told == said))
        return;
    const unsigned other = told & 0xff; /* 0: the sender is in another kind of routine */
    const int before = (node.me + node.n_pes - 1) % node.n_pes;
    if (other == what)
        job_fatal(routine,
                  "argument %s is %" PRIu64 " on PE %d and %" PRIu64 " on PE %d, allowed is the same on all PEs", arg,
                  value, node.me, told >> 8, before);
    if (what >= ALIGNED && other >= ALIGNED)
        job_fatal(routine, "argument alignment is %zu on PE %d and %zu on PE %d, allowed is the same on all PEs",
                  (size_t)1 << (what - ALIGNED), node.me, (size_t)1 << (other - ALIGNED), before);
    job_fatal(routine, "PE %d is in another routine, allowed is the same one on all PEs", before);
}

static void heap_changed(const char *routine)
{
    if (UNLIKELY(alloc_starved(node.blocks))) /* from now on, the PEs' heaps would differ */
        job_fatal(routine, "no memory for the records of the symmetric heap");
    node_use_heap(alloc_top(node.blocks));
}

static char *block_at(size_t offset)
{
    return (char *)node.user + offset;
}

static size_t largest_block(void)
{
    pthread_mutex_lock(&node_blocks_lock);
    const size_t largest = alloc_largest(node.blocks), red = node.debug ? RED_ZONE : 0;
    pthread_mutex_unlock(&node_blocks_lock);
    return largest > red ? largest - red : 0;
}

void shmemx_heap_advice(size_t mib, char *text, size_t room)
{
    const struct default_heap most = node_largest_heap();
    if (mib <= most.bytes >> 20)
        snprintf(text, room, "SHMEM_SYMMETRIC_SIZE=%zum would do", mib);
    else
        snprintf(text, room,
                 "each PE would need a heap of %zu MiB, and for %d PE%s on this node %s allows %zu MiB each", mib,
                 self.job->n_pes, self.job->n_pes == 1 ? "" : "s", most.from, most.bytes >> 20);
}

/* One PE prints a warning, once: most programs do not check the result, and fail later. */
static void say_exhausted(size_t size, const char *routine)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (node.me != 0 || atomic_flag_test_and_set(&said))
        return;
    const size_t mib = 1 << 20, largest = largest_block(), others = node.heap_size - largest;
    /* Adds in MiB, since a sum in bytes might wrap around. */
    const size_t enough = size / mib + others / mib + (size % mib + others % mib) / mib + 1;
    char advice[200];
    shmemx_heap_advice(enough, advice, sizeof advice);
    job_say(routine, "the symmetric heap is exhausted: %zu bytes are requested, the largest free block of its %zu has "
            "%zu; %s", size, node.heap_size, largest, advice);
}

static void say_unaligned(size_t alignment, const char *routine)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    if (node.me == 0 && !atomic_flag_test_and_set(&said))
        job_say(routine, "argument alignment is %zu, in a symmetric heap of %zu bytes allowed are up to %zu: an eighth "
                "of the heap (SHMEM_SYMMETRIC_SIZE), and at most 1 GiB", alignment, node.heap_size,
                node_alignment_most());
}

/* The new block; or NULL on all PEs, and no change of the heap, if there is no space. */
static void *take(size_t size, size_t align, const char *routine)
{
    size_t offset = ALLOC_NONE;
    if (align > node_alignment_most()) {
        say_unaligned(align, routine);
        return NULL;
    }
    pthread_mutex_lock(&node_blocks_lock);
    if (size <= node.heap_size) { /* otherwise the sum below might wrap around */
        offset = alloc_take(node.blocks, size + (node.debug ? RED_ZONE : 0), align);
        heap_changed(routine);
    }
    pthread_mutex_unlock(&node_blocks_lock);
    if (offset == ALLOC_NONE) {
        say_exhausted(size, routine);
        return NULL;
    }
    if (node.debug)
        debug_paint(block_at(offset), size);
    return block_at(offset);
}

/* The offset and size of the block that starts at ptr; anything else ends the job. */
static size_t find(const void *ptr, size_t *size, const char *routine)
{
    size_t start = 0, at = (uintptr_t)ptr - node.user;
    switch (alloc_find(node.blocks, at, &start, size)) {
    case ALLOC_LIVE:
        if (at != start)
            job_fatal(routine, "argument ptr is %p, which is %zu bytes into a block, allowed is the block's address %p",
                      ptr, at - start, (void *)block_at(start));
        break;
    case ALLOC_FREED:
        job_fatal(routine, "argument ptr is %p, which has been freed already", ptr);
    case ALLOC_NEVER:
        job_fatal(routine, "argument ptr is %p, which the symmetric heap never allocated", ptr);
    }
    if (node.debug) {
        *size -= RED_ZONE;
        debug_check_paint(ptr, *size, routine);
    }
    return at;
}

static void give(size_t offset, const char *routine)
{
    pthread_mutex_lock(&node_blocks_lock);
    alloc_give(node.blocks, offset);
    heap_changed(routine);
    pthread_mutex_unlock(&node_blocks_lock);
}

static void *allocate(size_t size, size_t align, unsigned what, const char *routine)
{
    check_initialized(routine);
    if (size == 0) /* no action, and no barrier */
        return NULL;
    void *block = take(size, align, routine);
    barrier_agreeing("size", what, size, routine);
    return block;
}

API(void *, malloc, (size_t size))
{
    return allocate(size, 16, SIZE, ROUTINE);
}

API(void *, malloc_with_hints, (size_t size, long hints))
{
    (void)hints; /* unknown hints are allowed too: no hint changes what a program can do with the memory */
    return allocate(size, 16, SIZE, ROUTINE);
}

/* The specification allows powers of two that are multiples of sizeof(void *). Programs pass others, which other
 * implementations round up. */
API(void *, align, (size_t alignment, size_t size))
{
    size_t power = sizeof(void *);
    unsigned what = ALIGNED + 3;
    check_initialized(ROUTINE);
    if (alignment == 0)
        job_fatal(ROUTINE, "argument alignment is 0, allowed are powers of two from %zu on", power);
    for (; power < alignment && power < SIZE_MAX / 2; what++)
        power *= 2;
    if (UNLIKELY(node.debug) && power != alignment)
        job_say(ROUTINE, "argument alignment is %zu, the specification allows powers of two from %zu on: the block is "
                "aligned to %zu", alignment, sizeof(void *), power);
    return allocate(size, power, what, ROUTINE);
}

API(void *, calloc, (size_t count, size_t size))
{
    size_t bytes;
    check_initialized(ROUTINE);
    if (count == 0 || size == 0)
        return NULL;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    void *block = take(bytes, 16, ROUTINE);
    if (block)
        memset(block, 0, bytes);
    barrier_agreeing("count * size", SIZE, bytes, ROUTINE);
    return block;
}

static void release(void *ptr, const char *routine)
{
    size_t size, offset = find(ptr, &size, routine);
    barrier_agreeing("ptr", BLOCK, offset, routine); /* after this, no PE uses the block */
    give(offset, routine);
}

API(void, free, (void *ptr))
{
    check_initialized(ROUTINE);
    if (ptr)
        release(ptr, ROUTINE);
}

API(void *, realloc, (void *ptr, size_t size))
{
    check_initialized(ROUTINE);
    if (!ptr)
        return allocate(size, 16, SIZE, ROUTINE);
    if (size == 0) {
        release(ptr, ROUTINE);
        return NULL;
    }
    size_t old_size, offset = find(ptr, &old_size, ROUTINE);
    barrier_agreeing("ptr", BLOCK, offset, ROUTINE);

    pthread_mutex_lock(&node_blocks_lock);
    const bool in_place = size <= node.heap_size && /* otherwise the sum below might wrap around */
                          alloc_resize(node.blocks, offset, size + (node.debug ? RED_ZONE : 0)) == 0;
    heap_changed(ROUTINE);
    pthread_mutex_unlock(&node_blocks_lock);
    void *block = in_place ? ptr : take(size, 16, ROUTINE);
    if (in_place && node.debug)
        debug_paint(ptr, size);
    if (block && !in_place) {
        memcpy(block, ptr, old_size < size ? old_size : size);
        give(offset, ROUTINE);
    }
    barrier_agreeing("size", SIZE, size, ROUTINE);
    return block;
}

size_t shmemx_largest_block(void)
{
    check_initialized(ROUTINE);
    return largest_block();
}
