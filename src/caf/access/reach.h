/* From an address as it was found in another PE's memory, in a pointer or an allocatable component, to that memory: by
 * a load where the PE's heap or statics hold it, by a system call where nothing but the PE itself knows it (its stack,
 * the statics of its libraries, memory of another allocator), or by a message to it if it is on another node.
 *
 * PEs are those of the world, from 0. */
#ifndef COPAL_CAF_REACH_H
#define COPAL_CAF_REACH_H

#include "../library.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/* --- addresses that are loads and stores -------------------------------------------------------------------------- */

/* What each image tells the others of itself; in symmetric memory. */
struct caf_about {
    uint64_t host;       /* in which the process number means something */
    int64_t pid;
    uintptr_t heap;      /* the managed heap, as this image sees it */
    uintptr_t statics;   /* from the executable's first writable page on */
    size_t statics_size;
};

/* about: symmetric memory for this; [heap, heap + bytes): the managed heap, of which the arena is a part.  A barrier
 * must follow before anybody reaches for anybody. False: no memory. */
bool caf_reach_begin(struct caf_about *about, void *heap, size_t bytes);

/* What is known of a PE. Until it is asked, heap is an address that no program has. */
struct caf_peer {
    _Atomic uintptr_t heap; /* stored last: whoever sees it sees the rest */
    uintptr_t window;       /* its heap, mapped here, of this image the heap itself; or 0 */
    uintptr_t statics;
    size_t statics_size;
    pid_t pid;
    bool same_host; /* the kernel copies */
};

struct caf_reach {
    struct caf_peer *peers;
    uintptr_t heap; /* mine */
    size_t bytes;   /* of it */
};
extern CAF_HIDDEN struct caf_reach caf_reach;

void *caf_reach_symmetric_slowly(int pe, const void *theirs);
void *caf_reach_pointer_slowly(int pe, const void *theirs);

/* My symmetric address of what PE pe calls theirs: what shmem_put, shmem_get and shmem_ptr want. NULL if it is not
 * symmetric: then see caf_reach_read. */
static inline void *caf_reach_symmetric(int pe, const void *theirs)
{
    const uintptr_t heap = atomic_load_explicit(&caf_reach.peers[pe].heap, memory_order_acquire);
    const uintptr_t in_heap = (uintptr_t)theirs - heap;
    return in_heap < caf_reach.bytes ? (void *)(caf_reach.heap + in_heap) : caf_reach_symmetric_slowly(pe, theirs);
}

/* Where in my own address space it is, as shmem_ptr would say; NULL if it is not mapped here.  At once: NULL too if
 * that takes a call to find out. */
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

/* What is called before an image of another node is asked, since what this one has put may still be here; or NULL. */
extern CAF_HIDDEN void (*caf_reach_before)(void);

/* --- everything else ---------------------------------------------------------------------------------------------- */

/* Copies between my memory and PE pe's, wherever theirs is in its address space.  On false errno says why:
 * ESRCH        it has ended
 * EFAULT       it has no such memory (or may not write to it); what comes before has been copied
 * EHOSTUNREACH it is on another node, and the OpenSHMEM does not help (Copal does)
 * EPERM, ENOSYS, ... the kernel does not let us
 * and caf_reach_explain makes a sentence of it. */
bool caf_reach_read(int pe, void *into, const void *theirs, size_t bytes);
bool caf_reach_write(int pe, void *theirs, const void *from, size_t bytes);

/* The same for sections: the runs of one, in its order, collected for as few system calls as can be. On the caller's
 * stack (33 KiB). Between begin and end nothing is sure to have been copied.  Reading runs of ascending addresses that
 * are not far apart costs 60 ns for each, anything else 200 ns. */
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

/* One sentence, without full stop and newline, on why an access failed with that errno. */
void caf_reach_explain(char *text, size_t size, int pe, const void *theirs, size_t bytes, int error);

#endif
