/* pes: 1 2 4 */
/* sources: src/caf/memory/arena.c src/caf/access/reach.c */
/* The program's own allocations are in the managed heap. Other images read and write these, static variables, stacks
 * and mapped memory by their owner's addresses; each image accesses the next image's memory. If mimalloc is linked,
 * loads must reach all blocks; otherwise any available path may be used. */
#include "caf/access/reach.h"
#include "caf/memory/arena.h"
#include "check.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <shmem.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
enum { HEAP_MIB = 1024, ARENA_FROM_MIB = 130 }; /* the arena neither begins at a segment's border nor ends at one */
enum { BLOCKS = 40, THREADS = 3 };

/* Exists only if the program is linked with mimalloc. */
bool mi_manage_os_memory(void *start, size_t size, bool is_committed, bool is_large, bool is_zero, int numa_node)
    __attribute__((weak));
int mi_version(void) __attribute__((weak));

static int me, n, next;
static bool arena;

/* Whether a result of malloc must be in the arena. mimalloc 3 (seen with 3.6) sometimes returns blocks from earlier
 * memory that other threads have freed; the slow path accesses these. */
static bool is_for_arena(const void *p)
{
    return arena && (mi_version() < 300 || caf_arena_holds(p));
}

struct place {
    unsigned char *at;
    size_t bytes;
    bool by_load; /* must be accessible by loads */
};
static struct place *places; /* symmetric: this image's places */

static unsigned char pattern(int pe, size_t block, size_t i)
{
    return (unsigned char)(0x80 + 31 * (size_t)pe + 7 * block + i + i / 251);
}

/* The distance of checked bytes: the test checks large blocks at a few points. */
static size_t step(size_t bytes)
{
    return bytes > MIB ? 4093 : 1;
}

static void fill(const struct place *p, int pe, size_t block)
{
    for (size_t i = 0; i < p->bytes; i += step(p->bytes))
        p->at[i] = pattern(pe, block, i);
}

static void verify(const unsigned char *at, size_t bytes, int pe, size_t block, const char *how)
{
    size_t wrong = 0;
    for (size_t i = 0; i < bytes; i += step(bytes))
        wrong += at[i] != pattern(pe, block, i);
    CHECK(wrong == 0, "block %zu of image %d, %zu bytes, %s: %zu wrong", block, pe + 1, bytes, how, wrong);
}

/* --- every kind of memory, by every path -------------------------------------------------------------------------- */

static void look_at(const struct place *p, size_t block)
{
    unsigned char *copy = malloc(p->bytes);
    memset(copy, 0, p->bytes);
    CHECK(caf_reach_read(next, copy, p->at, p->bytes), "block %zu, %zu bytes: %s", block, p->bytes, strerror(errno));
    verify(copy, p->bytes, next, block, "read");

    const bool near = arena && shmem_ptr(places, next);
    unsigned char *symmetric = caf_reach_symmetric(next, p->at), *here = caf_reach_pointer(next, p->at);
    CHECK(symmetric || !p->by_load, "block %zu at %p is not symmetric", block, (void *)p->at);
    CHECK(here == (symmetric ? shmem_ptr(symmetric, next) : NULL), "block %zu: mapped %p", block, (void *)here);
    CHECK(here || !symmetric || !p->by_load || !near, "block %zu at %p is not mapped", block, (void *)symmetric);
    if (here)
        verify(here, p->bytes, next, block, "by loads");
    if (symmetric) {
        memset(copy, 0, p->bytes);
        shmem_getmem(copy, symmetric, p->bytes, next);
        verify(copy, p->bytes, next, block, "by get");
    }
    free(copy);
}

static void change(const struct place *p, size_t block)
{
    unsigned char *copy = malloc(p->bytes), *symmetric = caf_reach_symmetric(next, p->at);
    struct place mine = {copy, p->bytes, false};
    fill(&mine, me + 100, block);
    if (symmetric && block % 2)
        shmem_putmem(symmetric, copy, p->bytes, next);
    else
        CHECK(caf_reach_write(next, p->at, copy, p->bytes), "block %zu: %s", block, strerror(errno));
    free(copy);
}

/* mimalloc 3.0 gets larger blocks directly from the kernel. */
static size_t largest_of_arena(void)
{
    const int version = mi_version ? mi_version() : 0;
    return version >= 300 && version < 310 ? 30 * MIB : SIZE_MAX;
}

static void test_places(void)
{
    static unsigned char in_data[5000] = {1}, in_bss[70001];
    unsigned char on_stack[3001];
    const size_t sizes[] = {1, 8, 16, 24, 100, 256, 1000, 1024, 4000, 8192, 16384, 20000, 65536, 131072, 200000,
                            MIB, 3 * MIB, 20 * MIB, 100 * MIB};
    size_t b = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        places[b++] = (struct place){malloc(sizes[i] + (size_t)me), sizes[i], sizes[i] <= largest_of_arena()};
    places[b++] = (struct place){calloc(77, 13), 77 * 13, true};
    places[b++] = (struct place){realloc(malloc(10), 5 * MIB), 5 * MIB, true};
    places[b++] = (struct place){aligned_alloc(4096, 8192), 8192, true};
    places[b++] = (struct place){memalign(256, 1000), 1000, true};
    places[b++] = (struct place){(void *)strdup("a string of the C library's own"), 24, true};
    places[b++] = (struct place){in_data, sizeof in_data, true};
    places[b++] = (struct place){in_bss, sizeof in_bss, true};
    places[b++] = (struct place){on_stack, sizeof on_stack, false};
    void *mapped = mmap(NULL, 3 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    places[b++] = (struct place){mapped, 3 * MIB, false};
    for (size_t i = 0; i < b; i++) {
        if (i < b - 4 && places[i].by_load) {
            places[i].by_load = is_for_arena(places[i].at);
            CHECK(!places[i].by_load || caf_arena_holds(places[i].at), "block %zu at %p", i, (void *)places[i].at);
        }
        fill(&places[i], me, i);
    }
    shmem_barrier_all();
    struct place theirs[BLOCKS];
    shmem_getmem(theirs, places, sizeof theirs, next);
    for (size_t i = 0; i < b; i++)
        look_at(&theirs[i], i);
    shmem_barrier_all();
    for (size_t i = 0; i < b; i++)
        change(&theirs[i], i);
    shmem_barrier_all();
    for (size_t i = 0; i < b; i++) {
        verify(places[i].at, places[i].bytes, (me + n - 1) % n + 100, i, "after a peer's write");
        if (i < b - 4)
            free(places[i].at);
    }
    munmap(mapped, 3 * MIB);
    shmem_barrier_all();
}

/* --- sections, errors --------------------------------------------------------------------------------------------- */

/* Every third row, backwards, and every second element: more runs than one system call accepts. */
static void test_runs(void)
{
    enum { ROWS = 90, COLUMNS = 61 };
    uint32_t matrix[ROWS][COLUMNS], picked[ROWS / 3][(COLUMNS + 1) / 2];
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t j = 0; j < COLUMNS; j++)
            matrix[i][j] = 0xf0000000u + (uint32_t)me * 1000000 + i * 1000 + j;
    places[0].at = (void *)matrix;
    shmem_barrier_all();
    struct place theirs;
    shmem_getmem(&theirs, places, sizeof theirs, next);
    for (int write = 0; write < 2; write++) {
        struct caf_runs runs;
        caf_runs_begin(&runs, next, write);
        for (int i = ROWS - 3, k = 0; i >= 0; i -= 3, k++)
            for (int j = 0; j < COLUMNS; j += 2)
                caf_runs_add(&runs, &picked[k][j / 2], theirs.at + 4 * (i * COLUMNS + j), 4);
        CHECK(caf_runs_end(&runs), "%s", strerror(errno));
        size_t wrong = 0;
        for (uint32_t i = ROWS - 3, k = 0; k < ROWS / 3; i -= 3, k++)
            for (uint32_t j = 0; j < COLUMNS; j += 2) {
                wrong += !write && picked[k][j / 2] != 0xf0000000u + (uint32_t)next * 1000000 + i * 1000 + j;
                picked[k][j / 2] ^= 0x0fffffffu;
            }
        CHECK(wrong == 0, "%zu elements of a section", wrong);
        shmem_barrier_all();
    }
    size_t wrong = 0;
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t j = 0; j < COLUMNS; j++)
            wrong += matrix[i][j] != ((0xf0000000u + (uint32_t)me * 1000000 + i * 1000 + j) ^
                                      (i % 3 == 0 && j % 2 == 0 ? 0x0fffffffu : 0));
    CHECK(wrong == 0, "%zu elements of a matrix that a peer wrote to", wrong);
    shmem_barrier_all();
}

static void refused(bool ok, const void *address, size_t bytes, int error, const char *says)
{
    char text[400];
    CHECK(!ok && errno == error, "%p: %s", address, ok ? "worked" : strerror(errno));
    caf_reach_explain(text, sizeof text, next, address, bytes, error);
    CHECK(strstr(text, says), "%s", text);
}

static void test_errors(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *mapped = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(mapped + page, page, PROT_NONE); /* a hole would be filled by a thread's malloc */
    memset(mapped, 0xa0 + me, page);
    places[0].at = mapped;
    shmem_barrier_all();
    struct place theirs;
    shmem_getmem(&theirs, places, sizeof theirs, next);
    unsigned char into[64] = {0};
    if (next != me) { /* a bad address on the own image is an ordinary fault */
        const unsigned char *last = theirs.at + page - 32;
        refused(caf_reach_read(next, into, last, 64), last, 64, EFAULT, "accessible memory of 64 bytes");
        refused(caf_reach_write(next, (void *)16, into, 8), (void *)16, 8, EFAULT, "accessible memory");
        CHECK(!caf_reach_symmetric(next, last) && !caf_reach_pointer(next, last), "%p", (const void *)last);
        CHECK(caf_reach_read(next, into, last, 32) && into[0] == 0xa0 + next && into[31] == 0xa0 + next, "%x", into[0]);
    }
    shmem_barrier_all();
    munmap(mapped, 2 * page);
}

/* --- the allocator ------------------------------------------------------------------------------------------------ */

/* Allocates and frees, and checks that no other image writes there. */
static void *churn(void *arg)
{
    const size_t id = *(size_t *)arg;
    unsigned char *block[50] = {NULL};
    size_t bytes[50] = {0}, state = 12345 + id, wrong = 0, outside = 0;
    for (size_t round = 0; round < 20000; round++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const size_t i = (state >> 40) % 50;
        if (block[i])
            wrong += block[i][0] != (unsigned char)(id + i) || block[i][bytes[i] - 1] != (unsigned char)(id + i);
        free(block[i]);
        bytes[i] = 1 + (state >> 48) % (round % 100 ? 3000 : 300000);
        block[i] = malloc(bytes[i]);
        outside += !caf_arena_holds(block[i]);
        block[i][0] = block[i][bytes[i] - 1] = (unsigned char)(id + i);
    }
    for (size_t i = 0; i < 50; i++)
        free(block[i]);
    CHECK(wrong == 0, "%zu blocks overwritten", wrong);
    CHECK(!arena || outside <= (mi_version() < 300 ? 0 : 10000), "%zu blocks of a thread outside the arena", outside);
    return NULL;
}

static void test_threads(void)
{
    pthread_t thread[THREADS];
    size_t id[THREADS];
    places[0] = (struct place){malloc(10000), 10000, true};
    places[0].by_load = is_for_arena(places[0].at);
    fill(&places[0], me, 0);
    shmem_barrier_all();
    for (size_t t = 0; t < THREADS; t++) {
        id[t] = t * 50;
        pthread_create(&thread[t], NULL, churn, &id[t]);
    }
    struct place theirs;
    shmem_getmem(&theirs, places, sizeof theirs, next);
    for (int round = 0; round < 200; round++)
        look_at(&theirs, 0);
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    shmem_barrier_all();
    free(places[0].at);
}

static void test_zeroing(void)
{
    size_t wrong = 0;
    for (size_t bytes = 16; bytes < 40 * MIB; bytes *= 3)
        for (int round = 0; round < 3; round++) {
            unsigned char *p = calloc(1, bytes);
            for (size_t i = 0; i < bytes; i++)
                wrong += p[i] != 0;
            memset(p, 0xff, bytes);
            free(p);
        }
    CHECK(wrong == 0, "calloc gave %zu bytes that are not zero", wrong);
}

/* A child has its parent's blocks with the contents at the fork, independent of the parent's later stores; it may
 * change and free them. */
static void test_fork(void)
{
    enum { COUNT = 200, BYTES = 9000 };
    char *block[COUNT];
    int go[2], status;
    for (int i = 0; i < COUNT; i++)
        block[i] = memset(malloc(BYTES), 'p', BYTES);
    CHECK(pipe(go) == 0, "the pipe cannot be created");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        char c;
        int wrong = read(go[0], &c, 1) != 1;
        for (int i = 0; i < COUNT; i++) {
            for (int k = 0; k < BYTES; k += 1000)
                wrong += block[i][k] != 'p';
            free(block[i]);
            block[i] = memset(malloc((size_t)(500 + 70 * i)), 'c', (size_t)(500 + 70 * i));
        }
        _exit(wrong ? 1 : 0);
    }
    for (int i = 0; i < COUNT; i++) {
        memset(block[i], 'q', BYTES);
        if (i % 2) {
            free(block[i]);
            block[i] = memset(malloc(BYTES + 10 * (size_t)i), 'q', BYTES);
        }
    }
    CHECK(write(go[1], "x", 1) == 1, "the child has ended");
    waitpid(child, &status, 0);
    CHECK(status == 0, "the child's status is %x", (unsigned)status);
    for (int i = 0; i < COUNT; i++) {
        CHECK(block[i][0] == 'q' && block[i][BYTES - 1] == 'q', "the child wrote to its parent's block %d", i);
        free(block[i]);
    }
    close(go[0]);
    close(go[1]);
}

static void *fork_often(void *failures)
{
    for (int i = 0; i < 20; i++) {
        int status = 0;
        const pid_t child = fork();
        if (child == 0)
            _exit(0);
        *(int *)failures += waitpid(child, &status, 0) != child || status != 0;
    }
    return NULL;
}

static int free_descriptor(void)
{
    const int fd = dup(STDERR_FILENO);
    close(fd);
    return fd;
}

static void test_forks_at_once(void)
{
    const int before = free_descriptor();
    pthread_t thread[THREADS];
    int failures[THREADS] = {0};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, fork_often, &failures[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        CHECK(failures[i] == 0, "%d children of thread %d did not end well", failures[i], i);
    }
    CHECK(free_descriptor() == before, "descriptor %d was free before, %d is now", before, free_descriptor());
}

/* If the arena is full, malloc uses other memory, and other images can access it, too. */
static void test_exhaustion(void)
{
    void *big[HEAP_MIB / 100 + 1];
    int taken = 0;
    while (taken <= HEAP_MIB / 100 && (big[taken] = malloc(100 * MIB)) && caf_arena_holds(big[taken]))
        taken++;
    CHECK(taken <= HEAP_MIB / 100 && big[taken] &&
          (!arena || taken >= 2 || largest_of_arena() < 100 * MIB), "%d blocks", taken);
    places[0] = (struct place){big[taken], 100 * MIB, false};
    fill(&places[0], me, 7);
    shmem_barrier_all();
    struct place theirs;
    shmem_getmem(&theirs, places, sizeof theirs, next);
    look_at(&theirs, 7);
    shmem_barrier_all();
    while (taken >= 0)
        free(big[taken--]);
}

int main(void)
{
    void *early[300]; /* blocks of every size, so that the allocator already has memory from the kernel */
    for (size_t i = 0; i < 300; i++)
        early[i] = malloc(i * i);
    setenv("SHMEM_SYMMETRIC_SIZE", "1280M", 0); /* between nodes the default is smaller */
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    places = shmem_calloc(BLOCKS, sizeof *places);
    struct caf_about *about = shmem_malloc(sizeof *about);
    char *heap = shmem_align(64, HEAP_MIB * MIB);
    if (!places || !about || !heap) {
        fprintf(stderr, "no symmetric memory: %d MiB are wanted, in one block\n", HEAP_MIB);
        return 1;
    }
    const size_t in_heap = ARENA_FROM_MIB * MIB;
    arena = caf_arena_begin(heap + in_heap, HEAP_MIB * MIB - in_heap);
    CHECK(!caf_arena_begin(heap, in_heap), "a second arena begins"); /* it would be too small, too */
#if defined(MIMALLOC) && defined(COPAL_SHMEM_H) /* other OpenSHMEMs must not use it */
    CHECK(mi_manage_os_memory && arena, "linked with mimalloc, and malloc does not use it");
#endif
    CHECK(caf_reach_begin(about, heap, HEAP_MIB * MIB), "no memory");
    shmem_barrier_all();

    test_fork(); /* first, while there is little memory to copy */
    test_forks_at_once();
    test_errors();
    test_runs();
    test_places();
    test_zeroing();
    test_threads();
    test_exhaustion();
    for (size_t i = 0; i < 300; i++)
        free(early[i]);
    shmem_barrier_all();
    return check_result();
}
