/* The default size of the heap: as large as possible, because untouched pages use no memory. */
#include "node/size.h"
#include "job/cgroup.h"
#include "job/self.h"
#include "job/settings.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define HEAP_WATCHED (64 * MIB)     /* under Valgrind */
#define HEAP_SANITIZED (1024 * MIB) /* under ThreadSanitizer */
#define HEAP_POOR MIB               /* a smaller heap gets a message */

/* Defined in a program that was compiled with -fsanitize=thread. */
extern void __tsan_init(void) __attribute__((weak));

bool thread_sanitized(void)
{
    return __tsan_init != NULL;
}

/* Valgrind preloads its own libraries, but not into a program that the watched program starts without Valgrind. */
static bool under_valgrind(void)
{
    const char *preloaded = setting_text(SETTING_LD_PRELOAD);
    return preloaded && strstr(preloaded, "vgpreload_");
}

static void narrow(struct default_heap *heap, size_t bytes, const char *from)
{
    if (bytes < heap->bytes)
        *heap = (struct default_heap){bytes, from};
}

/* The free space if the job file is in /dev/shm or on a disk; a memfd has no such bound. */
static size_t room_in_file(void)
{
    struct statvfs at;
    return fstatvfs(self.fd, &at) == 0 && at.f_blocks > 0 ? (size_t)at.f_bavail * at.f_frsize : SIZE_MAX;
}

/* The memory of this machine, or the limit of a container or batch system. */
static void narrow_to_memory(struct default_heap *heap)
{
    narrow(heap, (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE), "the machine's memory");
    const struct cgroup group = cgroup_find(CGROUP_LIST, CGROUP_MOUNT, "memory");
    narrow(heap, cgroup_limit(&group), "the control group");
}

/* Half of a limit: the other half is the program's. */
static size_t half_of_limit(int which)
{
    struct rlimit limit;
    return getrlimit(which, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur / 2 : SIZE_MAX;
}

/* The heap is small under Valgrind, because Valgrind's search for leaks reads, and thereby allocates, all reachable
 * memory. */
struct default_heap default_heap(size_t others, size_t span_most)
{
    const struct default_heap limits[] = {
        {span_most / 5 * 4, "the address space"}, /* the rest is for alignment */
        {half_of_limit(RLIMIT_AS), "ulimit -v"},
        {half_of_limit(RLIMIT_FSIZE), "ulimit -f"},
    };
    const size_t seats = (size_t)self.job->n_pes;
    struct default_heap heap = {SIZE_MAX, NULL};
    if (self.pe == self.first) /* reads files; one PE is enough, because the least heap counts */
        narrow_to_memory(&heap);
    narrow(&heap, room_in_file() / seats, "room for the job file");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        narrow(&heap, limits[i].bytes / seats > others ? limits[i].bytes / seats - others : 0, limits[i].from);
    if (thread_sanitized())
        narrow(&heap, HEAP_SANITIZED, "ThreadSanitizer");
    if (under_valgrind())
        narrow(&heap, HEAP_WATCHED, "Valgrind");
    return heap;
}

/* Address space of this process beside the symmetric memory. */
static size_t program_space(size_t symmetric_all)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f && fscanf(f, "%lu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    const size_t all = pages * (size_t)sysconf(_SC_PAGESIZE);
    return all > symmetric_all ? all - symmetric_all : 0;
}

/* Narrows the heap to a PE's share of `all` without `taken`, less `others`: to four fifths of that, because alignment
 * may take an eighth of a heap before it and an eighth behind it. */
static void narrow_to_share(struct default_heap *heap, size_t all, size_t taken, size_t others, const char *from)
{
    const size_t share = (all > taken ? all - taken : 0) / (size_t)self.job->n_pes;
    if (all != SIZE_MAX)
        narrow(heap, share > others ? (share - others) / 5 * 4 : 0, from);
}

static size_t whole_limit(int which)
{
    struct rlimit limit;
    return getrlimit(which, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : SIZE_MAX;
}

struct default_heap largest_heap(size_t others, size_t span_heap, size_t symmetric_all)
{
    struct default_heap memory = {SIZE_MAX, NULL}, heap = {span_heap, "the address space"};
    narrow_to_memory(&memory);
    narrow_to_share(&heap, memory.bytes, 0, 0, memory.from); /* programs use memory, too */
    narrow_to_share(&heap, whole_limit(RLIMIT_AS), program_space(symmetric_all), others, "ulimit -v");
    narrow_to_share(&heap, whole_limit(RLIMIT_FSIZE), 0, others, "ulimit -f");
    return heap;
}

void say_default_heap(size_t heap)
{
    if (heap < HEAP_POOR)
        job_say("shmem_init",
                "the symmetric heap has only %zu KiB, because the limits on address space and files (ulimit "
                "-v, ulimit -f) allow no more for %d PEs on this node; raise the limits, or start fewer PEs",
                heap / 1024, self.job->n_pes);
    else if (under_valgrind())
        job_say("shmem_init",
                "the symmetric heap has %zu MiB, because Valgrind would read, and so allocate, all of a large one; "
                "set SHMEM_SYMMETRIC_SIZE for more",
                heap / MIB);
}
