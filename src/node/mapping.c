/* Maps the symmetric memory of all PEs of the node at the same addresses in each of them.
 *
 * After struct job, the job file has PE 0's statics, PE 1's, ...; then PE 0's heap segment, PE 1's, ... One mmap maps
 * all of it. The file is sparse: untouched memory costs only address space, so the default heap is as large as the
 * machine's memory.
 *
 * The address must be free in all PEs: they try a base with MAP_FIXED_NOREPLACE, synchronize, and continue with the
 * next base if any PE has failed (map_everywhere).
 *
 * Heap: all PEs run the same allocator on the same calls, so they exchange no addresses. The barrier of an allocation
 * compares the sizes; different sizes end the job with a message. All heaps are as large as the smallest, also between
 * nodes (node_shrink_heap). RLIMIT_AS and RLIMIT_FSIZE bound the default size (size.c); they must allow the library's
 * own 224 MiB of address space for each PE.
 *
 * Statics: the executable's writable pages, except those that relocation made read-only, are copied into the job file,
 * which is then mapped in their place. The program sees its variables as before, and peers see them too. They
 * correspond only between PEs that run the same executable. If a thread stores to statics while shmem_init runs, the
 * store may be lost. */
#include "node/node.h"
#include "node/size.h"
#include "job/settings.h"
#include "wait/meeting.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define SEGMENT_UNIT (2 * MIB) /* segments are multiples of it, so that huge pages fit */
#define ALIGNMENT_MOST ((size_t)1 << 30) /* largest alignment of a block; every base below is a multiple of it */
#define ALIGNMENT_SHARE 8                /* a block's alignment is at most the heap's size divided by this */
#define CORE_STEP (64 * MIB)   /* freed memory that may stay in core dumps */
enum { PAGES_AT_ONCE = 512 };

/* Addresses that are usually free: above the shadow of AddressSanitizer, below position-independent executables. The
 * last three are for kernels with 39 bits of address space, and for ThreadSanitizer: with it, programs can map memory
 * only below SANITIZED_END. */
static const uintptr_t bases[] = {0x200000000000, 0x300000000000, 0x400000000000,
                                  0x1000000000, 0x2000000000, 0x3000000000};
#define SPAN_MOST ((size_t)16 << 40)
#define SANITIZED_END ((uintptr_t)0x8000000000)
#define SANITIZED_SPAN ((size_t)400 << 30)

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* --- statics ------------------------------------------------------------------------------------------------------ */

/* Finds the executable's pages that stay writable: PT_LOAD segments without the part that relocation made read-only.
 * The executable is listed first. */
static int find_statics(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    (void)arg;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t read_only_to = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_GNU_RELRO)
            read_only_to = (info->dlpi_addr + p->p_vaddr + p->p_memsz) & ~(page - 1);
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        uintptr_t from = (info->dlpi_addr + p->p_vaddr) & ~(page - 1);
        uintptr_t to = round_up(info->dlpi_addr + p->p_vaddr + p->p_memsz, page);
        const uintptr_t bss = round_up(info->dlpi_addr + p->p_vaddr + p->p_filesz, page);
        if (from < read_only_to && read_only_to <= to)
            from = read_only_to;
        if (from < to && node.n_spans == SPANS)
            job_fatal("shmem_init", "the program has more than %d writable segments", SPANS);
        if (from < to)
            node.spans[node.n_spans++] = (struct span){from, to, bss}; /* ELF lists them in the order of addresses */
    }
    return 1;
}

/* A program that loaded the library by dlopen has no symmetric statics, because its threads may be using them while
 * they move. If the program is linked with the library, also through another library, dlsym finds shmem_init in the
 * program's scope. */
static struct span statics(void)
{
    void *program = dlopen(NULL, RTLD_LAZY);
    if (program && dlsym(program, "shmem_init"))
        dl_iterate_phdr(find_statics, NULL);
    if (program)
        dlclose(program);
    if (node.n_spans == 0)
        return (struct span){.from = 0};
    return (struct span){.from = node.spans[0].from, .to = node.spans[node.n_spans - 1].to};
}

__attribute__((no_sanitize("address", "thread", "undefined"))) static bool all_zero(const void *page, size_t n)
{
    const uint64_t *word = page;
    for (size_t i = 0; i < n / sizeof *word; i++)
        if (word[i])
            return false;
    return true;
}

/* Gets from the kernel which of n pages have never been written or read; on failure, all count as touched. Reading an
 * untouched page costs a page fault: half a second for 3 GiB of them. */
static void find_untouched(int pagemap, uintptr_t at, size_t page, size_t n, bool untouched[])
{
    const uint64_t present_or_swapped = UINT64_C(3) << 62;
    uint64_t entries[PAGES_AT_ONCE];
    const ssize_t got = pread(pagemap, entries, n * sizeof *entries, (off_t)(at / page * sizeof *entries));
    for (size_t i = 0; i < n; i++)
        untouched[i] = got == (ssize_t)(n * sizeof *entries) && !(entries[i] & present_or_swapped);
}

/* Copies the pages of a span that are not zero. */
static void copy_span(char *copy, struct span s, int pagemap)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    bool untouched[PAGES_AT_ONCE];
    for (uintptr_t at = s.from, piece; at < s.to; at += piece * page) {
        piece = (s.to - at) / page < PAGES_AT_ONCE ? (s.to - at) / page : PAGES_AT_ONCE;
        find_untouched(pagemap, at, page, piece, untouched);
        for (size_t i = 0; i < piece; i++) {
            const void *from = (const void *)(at + i * page);
            if (!(untouched[i] && (uintptr_t)from >= s.bss) && !all_zero(from, page))
                copy_unwatched(copy + ((uintptr_t)from - s.from), from, page);
        }
    }
}

/* Moves the statics into the job file in place: copy what is not zero, then map the file's pages over the originals. */
static void share_statics(struct span data)
{
    const int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    char *copy = (char *)node.data_window + node.me * node.data_stride;
    const off_t file_at = (off_t)node.data_at;
    for (int i = 0; i < node.n_spans; i++) {
        const struct span s = node.spans[i];
        copy_span(copy + (s.from - data.from), s, pagemap);
        if (mmap((void *)s.from, s.to - s.from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, self.fd,
                 file_at + (off_t)(s.from - data.from)) == MAP_FAILED)
            job_fatal("shmem_init", "cannot share the program's global and static variables: %s", strerror(errno));
    }
    close(pagemap);
    node.data = data.from;
    node.data_used = data.to - data.from;
}

/* --- heaps -------------------------------------------------------------------------------------------------------- */

/* Maps bytes of the job file at the first base that is free in every process. */
static uintptr_t map_everywhere(size_t bytes, size_t own_size)
{
    struct job_pe *pe = self.job->pe;
    int error = 0;
    for (int32_t attempt = 0; attempt < (int32_t)(sizeof bases / sizeof *bases); attempt++) {
        void *want = (void *)bases[attempt], *got = MAP_FAILED;
        if (thread_sanitized() && bases[attempt] + bytes > SANITIZED_END)
            errno = ENOMEM; /* mmap would end the program */
        else
            got = mmap(want, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, self.fd,
                       (off_t)job_data_offset(self.job->n_pes));
        if (got != want) {
            error = got == MAP_FAILED ? errno : EEXIST;
            job_seat(self.pe)->map_failed = attempt + 1;
        }
        meeting_here("shmem_init");
        bool everywhere = true; /* if a PE has failed at a later base already, this base was not free in some PE */
        for (int i = 0; i < self.job->n_pes; i++)
            everywhere = everywhere && pe[i].map_failed <= attempt;
        if (everywhere)
            return (uintptr_t)got;
        if (got != MAP_FAILED)
            munmap(got, bytes);
    }
    job_fatal("shmem_init",
              "cannot map %zu MiB of symmetric memory for %d PEs%s%s; %zu MiB for each PE are the library's own: "
              "start fewer PEs, raise the limit on address space (ulimit -v), or set SHMEM_SYMMETRIC_SIZE to less",
              bytes / MIB, self.job->n_pes, error ? ": " : "", error ? strerror(error) : "", own_size / MIB);
}

/* Ignores SIGXFSZ, which would end the program without a message if the file exceeds the limit on file sizes. */
static int grow_file(size_t bytes)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGXFSZ, &ignore, &before);
    const int failed = ftruncate(self.fd, (off_t)bytes);
    const int error = errno;
    sigaction(SIGXFSZ, &before, NULL);
    errno = error;
    return failed;
}

/* The user's heap begins at a multiple of this on every PE, so an aligned offset is an aligned address on all PEs. It
 * depends only on the heap's size, and does not decrease as the size grows: nodes agree after node_shrink_heap, too. */
static size_t alignment_of_heap(size_t heap)
{
    size_t alignment = SEGMENT_UNIT;
    while (alignment < ALIGNMENT_MOST && 2 * alignment <= heap / ALIGNMENT_SHARE)
        alignment *= 2;
    return alignment;
}

size_t node_alignment_most(void)
{
    return alignment_of_heap(node.heap_size);
}

/* If one job file holds several nodes, unmaps the memory of other nodes' PEs. */
static void unmap_far(uintptr_t from, size_t stride)
{
    munmap((void *)from, (size_t)(self.first - self.first_seat) * stride);
    const int behind = self.first + self.n_near - self.first_seat;
    munmap((void *)(from + (size_t)behind * stride), (size_t)(self.job->n_pes - behind) * stride);
}

/* The offset of the first heap segment, behind the statics. */
static size_t first_segment(size_t data_all, size_t own_size, size_t alignment)
{
    return round_up(data_all + own_size, alignment) - own_size;
}

/* The bytes of address space for each heap, even with the largest alignment. */
static size_t span_heap(size_t data_all, size_t own_size)
{
    const size_t span_most = thread_sanitized() ? SANITIZED_SPAN : SPAN_MOST;
    const size_t before = first_segment(data_all, own_size, ALIGNMENT_MOST);
    const size_t room = span_most > before ? span_most - before : 0;
    const size_t stride = room / (size_t)self.job->n_pes / ALIGNMENT_MOST * ALIGNMENT_MOST;
    return stride > own_size ? stride - own_size : 0;
}

struct default_heap node_largest_heap(void)
{
    const size_t n = (size_t)self.job->n_pes, data = (size_t)node.data_stride, heap = (size_t)node.heap_stride;
    const size_t own = node.own_size + data + 2 * SEGMENT_UNIT;
    return largest_heap(own, span_heap(n * data, node.own_size), n * (data + heap));
}

static _Noreturn void refuse_heap(int seats, size_t most)
{
    const char *from, *value = setting_value(SETTING_SHMEM_SYMMETRIC_SIZE, &from);
    const char *text = setting_text(SETTING_SHMEM_SYMMETRIC_SIZE);
    job_fatal("shmem_init",
              "environment variable SHMEM_SYMMETRIC_SIZE is \"%s\", which is too large: allowed for %d PE%s are at "
              "most %zum, which fit in the address space", text ? text : value, seats, seats == 1 ? "" : "s",
              most / MIB);
}

void node_map(size_t heap_size, size_t own_size)
{
    struct job_pe *pe = self.job->pe;
    struct span data = statics();
    size_t data_size = data.to - data.from;
    job_seat(self.pe)->static_size = data_size;
    const size_t span_most = thread_sanitized() ? SANITIZED_SPAN : SPAN_MOST;
    const size_t others = own_size + data_size + 2 * SEGMENT_UNIT;
    const bool by_default = heap_size == NODE_DEFAULT_HEAP;
    const char *from = "environment";
    if (by_default) {
        const struct default_heap most = default_heap(others, span_most);
        heap_size = most.bytes / SEGMENT_UNIT * SEGMENT_UNIT;
        from = most.from;
    }
    job_seat(self.pe)->heap_size = heap_size;
    meeting_here("shmem_init");

    const int seats = self.job->n_pes;
    size_t heap = SIZE_MAX, statics_most = 0;
    for (int i = 0; i < seats; i++) {
        heap = pe[i].heap_size < heap ? pe[i].heap_size : heap;
        statics_most = pe[i].static_size > statics_most ? pe[i].static_size : statics_most;
        node.mixed_programs |= node_other_program(self.first_seat + i);
    }
    setting_note_size(SETTING_SHMEM_SYMMETRIC_SIZE, heap < heap_size ? "another PE has no more" : from, heap);
    heap = heap < span_most ? round_up(heap, ALLOC_GRANULE) : heap; /* whole blocks of the allocator */
    const size_t n = (size_t)seats, seat = (size_t)(self.pe - self.first_seat);
    const size_t data_stride = round_up(statics_most, 64 * 1024), data_all = round_up(n * data_stride, SEGMENT_UNIT);
    const size_t alignment = alignment_of_heap(heap), heaps_at = first_segment(data_all, own_size, alignment);
    const size_t heap_stride = round_up(own_size + heap, alignment), bytes = heaps_at + n * heap_stride;
    if (heap > span_most / n || bytes > span_most)
        refuse_heap(seats, span_heap(data_all, own_size));
    if (grow_file(job_data_offset(seats) + bytes) != 0)
        job_fatal("shmem_init",
                  "cannot make %zu MiB of symmetric memory for %d PEs: %s; set SHMEM_SYMMETRIC_SIZE to less",
                  bytes / MIB, seats, strerror(errno));
    self.file_end = job_data_offset(seats) + bytes;

    const uintptr_t base = map_everywhere(bytes, own_size);
    node.me = self.pe;
    node.data_window = base - (uintptr_t)self.first_seat * data_stride;
    node.data_stride = (ptrdiff_t)data_stride;
    node.data_at = job_data_offset(seats) + seat * data_stride;
    node.heap = base + heaps_at + seat * heap_stride;
    node.heap_stride = (ptrdiff_t)heap_stride;
    node.heap_size = heap;
    node.heap_at = job_data_offset(seats) + heaps_at + seat * heap_stride;
    node.own_size = own_size;
    node.user = node.quick_from = node.heap + own_size;
    node.blocks = alloc_create(heap, ALLOC_BOTTOM);
    if (!node.blocks)
        job_fatal("shmem_init", "no memory for the records of the symmetric heap");
    if (self.n_near < seats) {
        unmap_far(base, data_stride);
        unmap_far(base + heaps_at, heap_stride);
    }
    if (by_default && self.pe == 0) /* the others would print the same */
        say_default_heap(heap);
    fork_wait();
    share_statics(data);
    madvise((void *)base, bytes, MADV_DONTFORK);
    fork_go_on();
    madvise((void *)base, bytes, MADV_DONTDUMP); /* except what node_use_heap adds, and statics in place */
    madvise((void *)node.user, heap, MADV_HUGEPAGE);
}

void node_shrink_heap(size_t bytes)
{
    if (bytes >= node.heap_size)
        return;
    alloc_destroy(node.blocks);
    node.heap_size = bytes;
    if (!(node.blocks = alloc_create(bytes, ALLOC_BOTTOM)))
        job_fatal("shmem_init", "no memory for the records of the symmetric heap");
    setting_note_size(SETTING_SHMEM_SYMMETRIC_SIZE, "another node has no more", bytes);
}

/* A core dump contains only the used part of the user's heap, and no memory of peers, because the kernel would allocate
 * untouched pages to write them. The part changes in large steps, to save system calls. */
static void put_in_core(size_t bytes)
{
    static size_t in_core;
    if (bytes <= in_core && in_core - bytes < CORE_STEP)
        return;
    const size_t to = round_up(bytes, SEGMENT_UNIT) < node.heap_size ? round_up(bytes, SEGMENT_UNIT) : node.heap_size;
    if (to > in_core)
        madvise((void *)(node.user + in_core), to - in_core, MADV_DODUMP);
    else
        madvise((void *)(node.user + to), in_core - to, MADV_DONTDUMP);
    in_core = to;
}

void node_use_heap(size_t bytes)
{
    put_in_core(bytes);
    atomic_store_explicit(&node.heap_used, bytes, memory_order_relaxed);
    atomic_store_explicit(&node.heap_quick, node.slow ? 0 : bytes, memory_order_relaxed);
}

bool node_other_program(int pe)
{
    const struct job_pe *a = job_seat(pe), *b = job_seat(self.pe);
    return a->program_dev != b->program_dev || a->program_ino != b->program_ino;
}

void *place_here(place at, size_t bytes)
{
    const bool in_data = at & PLACE_DATA;
    const size_t offset = (size_t)(at & ~PLACE_DATA), room = in_data ? node.data_used : node.own_size + node.heap_size;
    if (offset > room || bytes > room - offset)
        return NULL;
    const uintptr_t data = node.data_window + (uintptr_t)(node.me * node.data_stride); /* where peers store */
    return (char *)(in_data ? data : node.heap) + offset;
}

bool (*node_far_same_program)(int pe);

bool node_has_statics(int pe)
{
    return node_is_near(pe) ? node_same_program(pe) : node_far_same_program(pe);
}

void *reach_slowly(const char *arg, const void *sym, size_t len, int pe, const char *routine)
{
    if (UNLIKELY(virtual_on))
        virtual_reach(node_is_near(pe) && pe != node.me);
    if (UNLIKELY(node.polls) && pe == node.me && !outer_routine)
        wait_progress();
    return reach_address(arg, sym, len, pe, routine);
}

void *reach_address(const char *arg, const void *sym, size_t len, int pe, const char *routine)
{
    if ((unsigned)pe < (unsigned)node.n_pes) {
        const bool near = node_is_near(pe);
        /* First the library's own part: collectives access it, but the user's calls must not. */
        size_t off = (uintptr_t)sym - node.heap;
        if (off < node.own_size && len <= node.own_size - off && outer_routine)
            return near ? (char *)sym + (pe - node.me) * node.heap_stride : NULL;
        off = (uintptr_t)sym - node.user;
        if (off < node.heap_used && len <= node.heap_used - off) {
            if (node.debug)
                check_block(arg, sym, len, pe, routine);
            return near ? (char *)sym + (pe - node.me) * node.heap_stride : NULL;
        }
        off = (uintptr_t)sym - node.data;
        if (off < node.data_used && len <= node.data_used - off && node_has_statics(pe))
            return near ? (char *)(node.data_window + off) + pe * node.data_stride : NULL;
    }
    reach_failed(arg, sym, len, pe, routine);
}
