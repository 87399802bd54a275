/* Errors about an address, a length or a PE, which end the job. */
#include "node/node.h"
#include "job/backtrace.h"
#include "boot/boot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *node_alone(void)
{
    const bool is_alone = node.n_pes == 1 && !self.job->launcher && !boot;
    return is_alone ? "; the program was started without oshrun, and so is a job of one PE" : "";
}

_Noreturn void node_not_initialized(const char *routine)
{
    if (!self.job)
        backtrace_prepare();
    if (job_is_child())
        job_fatal(routine, "called in a child process that fork made, which is not a PE");
    job_fatal(routine, self.job ? "called after shmem_finalize" : "called before shmem_init");
}

/* Describes an address outside symmetric memory, by the kernel's list of mappings. */
static void describe_private(uintptr_t at, char *text, size_t size)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    snprintf(text, size, "no memory at all");
    while (maps && fgets(line, sizeof line, maps)) {
        uintptr_t from, to;
        int name = 0;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %*s %n", &from, &to, &name) < 2 || at < from ||
            at >= to)
            continue;
        line[strcspn(line, "\n")] = 0;
        if (strstr(line, "[stack]"))
            snprintf(text, size, "a variable on the stack; make it static, or take it from shmem_malloc");
        else if (strstr(line, "[heap]"))
            snprintf(text, size, "memory from malloc; take it from shmem_malloc");
        else if (name && line[name] == '/')
            snprintf(text, size, "a variable or constant in %s", line + name);
        else
            snprintf(text, size, "private memory (from malloc or mmap, or a thread's stack)");
        break;
    }
    if (maps)
        fclose(maps);
}

static void describe(uintptr_t at, size_t len, char *text, size_t size)
{
    size_t in_heap = at - node.user, start, bytes;
    if (at >= node.user && in_heap < node.heap_size) {
        switch (alloc_find(node.blocks, in_heap, &start, &bytes)) {
        case ALLOC_LIVE:
            bytes -= node.debug ? RED_ZONE : 0;
            snprintf(text, size,
                     "%zu bytes into a block of %zu bytes of the symmetric heap, so that a length of %zu runs "
                     "past its end",
                     in_heap - start, bytes, len);
            return;
        case ALLOC_FREED:
            snprintf(text, size, "in a block of the symmetric heap that has been freed");
            return;
        case ALLOC_NEVER:
            snprintf(text, size, "in the symmetric heap, but was never allocated");
            return;
        }
    }
    if (at - node.heap < node.own_size) {
        snprintf(text, size, "below the symmetric heap, in memory of the library itself");
        return;
    }
    if (at - node.data < node.data_used) {
        snprintf(text, size,
                 "a global or static variable, but a length of %zu bytes runs past the end of the program's data", len);
        return;
    }
    for (int pe = node.first; pe < node.first + node.n_near; pe++) {
        uintptr_t heap = node.heap + (uintptr_t)((pe - node.me) * node.heap_stride);
        uintptr_t data = node.data_window + (uintptr_t)(pe * node.data_stride);
        if (at - heap < (uintptr_t)node.heap_stride || at - data < (uintptr_t)node.data_stride) {
            snprintf(text, size,
                     "memory of PE %d as shmem_ptr gives it; a symmetric address is an address of the caller's own "
                     "object",
                     pe);
            return;
        }
    }
    describe_private(at, text, size);
}

void check_block(const char *arg, const void *sym, size_t len, int pe, const char *routine)
{
    const size_t at = (uintptr_t)sym - node.user;
    if (at >= node.heap_size) /* statics, or the library's own memory */
        return;
    size_t start, bytes;
    pthread_mutex_lock(&node_blocks_lock);
    const bool good = alloc_find(node.blocks, at, &start, &bytes) == ALLOC_LIVE && at - start + len <= bytes - RED_ZONE;
    pthread_mutex_unlock(&node_blocks_lock);
    if (!good)
        reach_failed(arg, sym, len, pe, routine);
}

_Noreturn void reach_failed(const char *arg, const void *sym, size_t len, int pe, const char *routine)
{
    if (node.n_pes == 0)
        node_not_initialized(routine);
    if (pe < 0 || pe >= node.n_pes)
        job_fatal(routine, "argument pe is %d, allowed are 0 to %d%s", pe, node.n_pes - 1, node_alone());
    if (!sym)
        job_fatal(routine, "argument %s is a null pointer with a length of %zu bytes, allowed is a symmetric address",
                  arg, len);
    uintptr_t at = (uintptr_t)sym;
    if (at - node.data < node.data_used && len <= node.data_used - (at - node.data))
        job_fatal(routine,
                  "argument %s is %p, a global or static variable that PE %d does not have, because that PE runs "
                  "another program", arg, sym, pe);
    char what[600];
    describe(at, len, what, sizeof what);
    job_fatal(routine, "argument %s is %p, which is not symmetric (PE %d, %zu bytes): it is %s", arg, sym, pe, len,
              what);
}
