#include "reach.h"
#include "../../common/kernel.h"
#include "../library.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

struct caf_reach caf_reach;

static struct caf_about *published; /* symmetric copy of own */
static struct caf_about own;
static int me;

/* An address in the kernel's half of the address space, so no program's address lies within a heap's size of it. */
#define NOWHERE ((uintptr_t)1 << (8 * sizeof(uintptr_t) - 1))

/* --- peers -------------------------------------------------------------------------------------------------------- */

#if !CAF_HAVE_BLOCKS
/* A number that is equal for processes of one kernel and one PID namespace. */
static uint64_t host_identity(void)
{
    char text[128];
    const ssize_t n = readlink("/proc/self/ns/pid", text, sizeof text);
    const uint64_t h = hash_bytes(kernel_identity(), text, n > 0 ? (size_t)n : 0);
    return gethostname(text, sizeof text) == 0 ? hash_bytes(h, text, strnlen(text, sizeof text)) : h;
}
#endif

/* The executable is the first object in the list. */
static int find_statics(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct caf_about *about = arg;
    uintptr_t end = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        const uintptr_t from = info->dlpi_addr + p->p_vaddr;
        if (!end)
            about->statics = from;
        end = from + p->p_memsz;
    }
    about->statics_size = end - about->statics;
    return 1;
}

bool caf_reach_begin(struct caf_about *about, void *heap, size_t bytes)
{
    const size_t n_pes = (size_t)shmem_n_pes();
    struct caf_peer *peers = malloc(n_pes * sizeof *peers);
    if (!peers)
        return false;
    for (size_t pe = 0; pe < n_pes; pe++)
        peers[pe] = (struct caf_peer){.heap = NOWHERE};
    me = shmem_my_pe();
    caf_reach = (struct caf_reach){peers, (uintptr_t)heap, bytes};
    own = (struct caf_about){.pid = getpid(), .heap = (uintptr_t)heap};
#if !CAF_HAVE_BLOCKS
    own.host = host_identity();
#endif
    dl_iterate_phdr(find_statics, &own);
    *about = own;
    published = about;
#ifdef PR_SET_PTRACER
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* otherwise Yama permits parent processes only */
#endif
    return true;
}

/* pe's managed heap in this address space; 0 if it is not mapped, or not contiguous. */
static uintptr_t window_of(int pe)
{
    const uintptr_t first = (uintptr_t)shmem_ptr((void *)caf_reach.heap, pe);
    const uintptr_t last = (uintptr_t)shmem_ptr((void *)(caf_reach.heap + caf_reach.bytes - 1), pe);
    return first && last - first == caf_reach.bytes - 1 ? first : 0;
}

static struct caf_peer *meet(int pe)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct caf_peer *peer = &caf_reach.peers[pe];
    if (atomic_load_explicit(&peer->heap, memory_order_acquire) != NOWHERE)
        return peer;
    pthread_mutex_lock(&lock);
    if (atomic_load_explicit(&peer->heap, memory_order_relaxed) == NOWHERE) {
        struct caf_about about;
        shmem_getmem(&about, published, sizeof about, pe);
        peer->window = pe == me ? caf_reach.heap : window_of(pe);
        peer->statics = about.statics;
        peer->statics_size = about.statics_size;
        peer->pid = (pid_t)about.pid;
        peer->same_host = CAF_HAVE_BLOCKS ? peer->window != 0 : about.host == own.host;
        atomic_store_explicit(&peer->heap, about.heap, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return peer;
}

void *caf_reach_symmetric_slowly(int pe, const void *theirs)
{
    const struct caf_peer *peer = meet(pe);
    const uintptr_t in_heap = (uintptr_t)theirs - peer->heap, in_statics = (uintptr_t)theirs - peer->statics;
    if (in_heap < caf_reach.bytes)
        return (void *)(caf_reach.heap + in_heap);
    if (in_statics >= peer->statics_size || peer->statics_size != own.statics_size)
        return NULL;
    void *counterpart = (void *)(own.statics + in_statics);
    return shmem_addr_accessible(counterpart, pe) ? counterpart : NULL;
}

void *caf_reach_pointer_slowly(int pe, const void *theirs)
{
    void *symmetric = caf_reach_symmetric_slowly(pe, theirs);
    return symmetric ? shmem_ptr(symmetric, pe) : NULL;
}

/* --- by system call ----------------------------------------------------------------------------------------------- */

/* Removes the first bytes from a list. */
static void advance(struct iovec **list, int *n, size_t bytes)
{
    while (*n && bytes >= (*list)->iov_len) {
        bytes -= (*list)->iov_len;
        ++*list;
        --*n;
    }
    if (bytes) {
        (*list)->iov_base = (char *)(*list)->iov_base + bytes;
        (*list)->iov_len -= bytes;
    }
}

static bool fail(struct caf_runs *runs, int error)
{
    runs->failed = true;
    runs->error = errno = error;
    return false;
}

void (*caf_reach_before)(void);

/* Copies by the kernel or, for another node of Copal, by a request to the image. */
static ssize_t copy_some(const struct caf_runs *runs, const struct iovec *mine, size_t n_mine,
                         const struct iovec *theirs, size_t n_theirs)
{
    const struct caf_peer *peer = meet(runs->pe);
#if CAF_HAVE_BLOCKS
    if (!peer->same_host && caf_reach_before)
        caf_reach_before();
    return runs->write ? shmemx_writev(runs->pe, mine, n_mine, theirs, n_theirs)
                       : shmemx_readv(runs->pe, mine, n_mine, theirs, n_theirs);
#else
    if (peer->same_host)
        return runs->write ? process_vm_writev(peer->pid, mine, n_mine, theirs, n_theirs, 0)
                           : process_vm_readv(peer->pid, mine, n_mine, theirs, n_theirs, 0);
    errno = EHOSTUNREACH;
    return -1;
#endif
}

/* The kernel knows of the end of a process before the launcher has reported it. */
static int await_report(int pe)
{
#if CAF_HAVE_ALERTS
    for (int ms = 0; ms < 5000; ms++) {
        if (shmemx_pe_state(pe) == SHMEMX_PE_DEAD && *shmemx_alerts())
            return ESRCH;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
#else
    (void)pe;
#endif
    return EHOSTDOWN;
}

/* The kernel copies at most 2 GiB per call, and stops before an unmapped page. */
static bool flush(struct caf_runs *runs)
{
    struct iovec *mine = runs->mine, *theirs = runs->theirs;
    int n_mine = runs->n_mine, n_theirs = runs->n_theirs;
    runs->n_mine = runs->n_theirs = 0;
    while (n_mine && n_theirs) {
        const ssize_t n = copy_some(runs, mine, (size_t)n_mine, theirs, (size_t)n_theirs);
        if (n <= 0)
            return fail(runs, n == 0 ? EFAULT : errno == ESRCH ? await_report(runs->pe) : errno);
        advance(&mine, &n_mine, (size_t)n);
        advance(&theirs, &n_theirs, (size_t)n);
    }
    return true;
}

/* The two lists may be split differently: a contiguous buffer for a strided section is one entry. */
static int append(struct iovec *list, int n, void *at, size_t bytes)
{
    if (n && (char *)list[n - 1].iov_base + list[n - 1].iov_len == (char *)at)
        list[n - 1].iov_len += bytes;
    else
        list[n++] = (struct iovec){at, bytes};
    return n;
}

/* A run costs the kernel 200 ns, a byte 0.1 ns: small gaps are read and dropped, which touches no additional page. */
static void read_through_gap(struct caf_runs *runs, const void *next)
{
    struct iovec *last = &runs->theirs[runs->n_theirs - 1];
    const size_t gap = (uintptr_t)next - ((uintptr_t)last->iov_base + last->iov_len);
    if (gap == 0 || gap > sizeof runs->dropped)
        return;
    last->iov_len += gap;
    runs->mine[runs->n_mine++] = (struct iovec){runs->dropped, gap};
}

void caf_runs_begin(struct caf_runs *runs, int pe, bool write)
{
    runs->pe = pe;
    runs->write = write;
    runs->failed = false;
    runs->n_mine = runs->n_theirs = 0;
}

bool caf_runs_add(struct caf_runs *runs, void *mine, const void *theirs, size_t bytes)
{
    if (runs->failed)
        return fail(runs, runs->error);
    if (!bytes)
        return true;
    void *remote = (void *)(uintptr_t)theirs; /* written only if runs->write */
    if (runs->pe == me) {
        memmove(runs->write ? remote : mine, runs->write ? mine : remote, bytes);
        return true;
    }
    if ((runs->n_mine >= CAF_RUNS - 1 || runs->n_theirs == CAF_RUNS) && !flush(runs))
        return false;
    if (!runs->write && runs->n_theirs)
        read_through_gap(runs, remote);
    runs->n_mine = append(runs->mine, runs->n_mine, mine, bytes);
    runs->n_theirs = append(runs->theirs, runs->n_theirs, remote, bytes);
    return true;
}

bool caf_runs_end(struct caf_runs *runs)
{
    return runs->failed ? fail(runs, runs->error) : flush(runs);
}

static bool move(int pe, bool write, void *mine, const void *theirs, size_t bytes)
{
    struct caf_runs runs;
    caf_runs_begin(&runs, pe, write);
    return caf_runs_add(&runs, mine, theirs, bytes) && caf_runs_end(&runs);
}

bool caf_reach_read(int pe, void *into, const void *theirs, size_t bytes)
{
    return move(pe, false, into, theirs, bytes);
}

bool caf_reach_write(int pe, void *theirs, const void *from, size_t bytes)
{
    return move(pe, true, (void *)(uintptr_t)from, theirs, bytes);
}

void caf_reach_explain(char *text, size_t size, int pe, const void *theirs, size_t bytes, int error)
{
    const int image = pe + 1;
    if (error == ESRCH)
        snprintf(text, size, "image %d has failed", image);
    else if (error == EHOSTDOWN)
        snprintf(text, size, "image %d has ended, or is in another PID namespace", image);
    else if (error == EFAULT)
        snprintf(text, size, "image %d has no accessible memory of %zu bytes at %p, where its pointer component points",
                 image, bytes, theirs);
    else if (error == EHOSTUNREACH)
        snprintf(text, size, "image %d is on another node, and what its pointer component points to, at %p, is neither "
                 "a coarray nor allocated", image, theirs);
    else
        snprintf(text, size, "the kernel refuses access to memory of image %d at %p, which is neither a coarray nor "
                 "allocated (%s): allow process_vm_readv (kernel.yama.ptrace_scope, the container's seccomp profile)",
                 image, theirs, strerror(error));
}
