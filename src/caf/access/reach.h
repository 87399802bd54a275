/* Access to another PE's memory by an address that was read there, in a pointer or an allocatable component: by a load
 * if the PE's heap or statics contain it; by a system call if only the PE itself maps it (its stack, statics of its
 * libraries, memory of another allocator); by a request to the PE if it is on another node.
 *
 * PEs are those of the world, from 0. */
#pragma once

#include "../library.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/* --- addresses for loads and stores ------------------------------------------------------------------------------- */

/* What each image publishes of itself, in symmetric memory. */
struct caf_about {
    uint64_t host;       /* identifies the host, within which pid is unique */
    int64_t pid;
    uintptr_t heap;      /* address of the managed heap on this image */
    uintptr_t statics;   /* from the executable's first writable page */
    size_t statics_size;
};

/* about: symmetric; [heap, heap + bytes): the managed heap. A barrier precedes any access. False: memory exhausted. */
bool caf_reach_begin(struct caf_about *about, void *heap, size_t bytes);

/* A PE's data. Before the first access heap is an address that no program has. */
struct caf_peer {
    _Atomic uintptr_t heap; /* stored last: a thread that reads it may read the rest */
    uintptr_t window;       /* address here of the PE's heap (this image: the heap itself); or 0 */
    uintptr_t statics;
    size_t statics_size;
    pid_t pid;
    bool same_host; /* the kernel can copy its memory */
};

struct caf_reach {
    struct caf_peer *peers;
    uintptr_t heap; /* this image's */
    size_t bytes;   /* size of the heap */
};
extern CAF_HIDDEN struct caf_reach caf_reach;

void *caf_reach_symmetric_slowly(int pe, const void *theirs);
void *caf_reach_pointer_slowly(int pe, const void *theirs);

/* This image's symmetric address for PE pe's address theirs, as shmem_put needs it; NULL: not symmetric. */
static inline void *caf_reach_symmetric(int pe, const void *theirs)
{
    const uintptr_t heap = atomic_load_explicit(&caf_reach.peers[pe].heap, memory_order_acquire);
    const uintptr_t in_heap = (uintptr_t)theirs - heap;
    return in_heap < caf_reach.bytes ? (void *)(caf_reach.heap + in_heap) : caf_reach_symmetric_slowly(pe, theirs);
}

/* The address here of PE pe's memory at theirs, or NULL if it is not mapped. at_once: also NULL if a call is needed. */
static inline void *caf_reach_pointer_at_once(int pe, const void *theirs)
{
    const uintptr_t heap = atomic_load_explicit(&caf_reach.peers[pe].heap, memory_order_acquire);
    const uintptr_t in_heap = (uintptr_t)theirs - heap, window = caf_reach.peers[pe].window;
    return in_heap < caf_reach.bytes && window ? (void *)(window + in_heap) : NULL;
}
static inline void *caf_reach_pointer(int pe, const void *theirs)
{
    void *here = caf_reach_pointer_at_once(pe, theirs);
    return here ? here : caf_reach_pointer_slowly(pe, theirs);
}

/* Called, if not NULL, before a request to an image of another node: this image may still hold puts to that image. */
extern CAF_HIDDEN void (*caf_reach_before)(void);

/* --- all other memory --------------------------------------------------------------------------------------------- */

/* Copies between this image's memory and PE pe's, wherever theirs is in pe's address space. If this fails, errno is:
 *   ESRCH         pe has failed, and its state shows this
 *   EHOSTDOWN     the kernel does not find pe's process, but its state does not show a failure
 *   EFAULT        unmapped or read-only memory of pe; the bytes before it have been copied
 *   EHOSTUNREACH  pe is on another node, and the OpenSHMEM cannot access it (Copal can)
 *   EPERM, ...    the kernel refuses
 * caf_reach_explain turns errno into a sentence. */
bool caf_reach_read(int pe, void *into, const void *theirs, size_t bytes);
bool caf_reach_write(int pe, void *theirs, const void *from, size_t bytes);

/* The same for a section: collects its runs, in order, for few system calls. The object takes 33 KiB. The data are
 * complete after caf_runs_end. Reading ascending runs with small gaps costs 60 ns each, any other run 200 ns. */
enum { CAF_RUNS = 1024, CAF_GAP = 1024 }; /* the kernel's limit */
struct caf_runs {
    int pe;
    bool write;
    bool failed;
    int error;
    int n_mine, n_theirs;
    struct iovec mine[CAF_RUNS], theirs[CAF_RUNS];
    char dropped[CAF_GAP];
};
void caf_runs_begin(struct caf_runs *runs, int pe, bool write);
bool caf_runs_add(struct caf_runs *runs, void *mine, const void *theirs, size_t bytes);
bool caf_runs_end(struct caf_runs *runs);

/* One sentence, without full stop and newline: why an access failed with this errno. */
void caf_reach_explain(char *text, size_t size, int pe, const void *theirs, size_t bytes, int error);
