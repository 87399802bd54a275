/* shmem_malloc and its family: alignment, zeroing, sizes of 0, the same object on every PE, contents kept by realloc,
 * exhaustion without loss of memory. */
#include <shmem.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>
#include "../check.h"

static int me, n_pes;

/* Every PE writes to both ends of its right neighbour's block, and checks the stores of its left neighbour. */
static void check_symmetric(void *p, size_t bytes, const char *what)
{
    if (!p)
        return;
    unsigned char *b = p, left = (unsigned char)(me + n_pes - 1) % (unsigned char)n_pes;
    unsigned char tag = (unsigned char)(bytes * 7 + 1);
    int right = (me + 1) % n_pes;
    shmem_barrier_all(); /* the neighbour may still be reading what this overwrites */
    shmem_uchar_p(b, (unsigned char)(tag + me), right);
    if (bytes > 1)
        shmem_uchar_p(b + bytes - 1, (unsigned char)(tag + me + 1), right);
    shmem_barrier_all();
    CHECK(bytes == 1 || b[0] == (unsigned char)(tag + left), "%s of %zu: first byte is %d", what, bytes, b[0]);
    CHECK(bytes == 1 || b[bytes - 1] == (unsigned char)(tag + left + 1), "%s of %zu: last byte", what, bytes);
    shmem_barrier_all();
}

static void sizes(void)
{
    static const size_t size[] = {1, 2, 7, 8, 63, 64, 65, 4095, 4096, 4097, 100000, 5 << 20};
    enum { N = sizeof size / sizeof size[0] };
    unsigned char *p[N];
    for (int i = 0; i < N; i++) {
        p[i] = i % 2 ? shmem_malloc(size[i]) : shmem_malloc_with_hints(size[i], i % 4 ? SHMEM_MALLOC_ATOMICS_REMOTE :
                                               SHMEM_MALLOC_SIGNAL_REMOTE | SHMEM_MALLOC_ATOMICS_REMOTE);
        CHECK(p[i], "no %zu bytes", size[i]);
        CHECK((uintptr_t)p[i] % alignof(max_align_t) == 0, "malloc of %zu is at %p", size[i], (void *)p[i]);
        check_symmetric(p[i], size[i], "malloc");
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            CHECK(p[i] + size[i] <= p[j] || p[j] + size[j] <= p[i], "blocks %d and %d overlap", i, j);
    for (int i = 0; i < N; i++)
        shmem_free(p[(i * 5) % N]);
}

static void alignments(void)
{
    void *p[18];
    for (int k = 3; k <= 20; k++) {
        size_t align = (size_t)1 << k, size = k % 2 ? 1 : align + 3;
        p[k - 3] = shmem_align(align, size);
        CHECK(p[k - 3] && (uintptr_t)p[k - 3] % align == 0, "align %zu is at %p", align, p[k - 3]);
        check_symmetric(p[k - 3], size, "align");
    }
    for (int k = 0; k < 18; k++)
        shmem_free(p[k]);
}

/* The address is a multiple of the alignment on every PE, although the heap begins behind the library's own part of the
 * segment. Alignments above an eighth of the heap are refused on all PEs. */
static void large_alignments(void)
{
    for (size_t align = (size_t)2 << 20; align <= (size_t)2 << 30; align *= 2) {
        unsigned char *p = shmem_align(align, 37), *q = shmem_align(align, 37);
        CHECK((uintptr_t)p % align == 0 && (uintptr_t)q % align == 0, "align %zu is at %p and %p", align, (void *)p,
              (void *)q);
        CHECK(p || align > (size_t)4 << 20, "no block at a multiple of %zu", align);
        CHECK(!p || align <= (size_t)1 << 30, "a block at a multiple of %zu", align);
        check_symmetric(p, 37, "align");
        check_symmetric(q, 37, "align");
        shmem_free(p);
        shmem_free(q);
    }
}

/* Other alignments are rounded up to a power of two, at least 8, as in other implementations. */
static void odd_alignments(void)
{
    static const size_t odd[] = {1, 2, 4, 7, 24, 63, 65, 1000}, even[] = {8, 8, 8, 8, 32, 64, 128, 1024};
    enum { N = sizeof odd / sizeof odd[0] };
    void *p[N];
    for (int i = 0; i < N; i++) {
        p[i] = shmem_align(odd[i], odd[i] + 1);
        CHECK(p[i] && (uintptr_t)p[i] % even[i] == 0, "align %zu is at %p", odd[i], p[i]);
        check_symmetric(p[i], odd[i] + 1, "align");
    }
    for (int i = 0; i < N; i++)
        shmem_free(p[i]);
}

/* Memory that has been used and freed must come back as zeros, on all PEs. */
static void zeroes(void)
{
    for (size_t n = 1; n <= 100000; n = n * 3 + 1) {
        unsigned char *p = shmem_malloc(n * 3);
        memset(p, 0xee, n * 3);
        shmem_free(p);
        p = shmem_calloc(n, 3);
        CHECK(p, "no calloc of %zu", n * 3);
        size_t bad = 0;
        for (size_t i = 0; p && i < n * 3; i++)
            bad += p[i] != 0;
        CHECK(bad == 0, "calloc of %zu: %zu bytes are not zero", n * 3, bad);
        shmem_barrier_all(); /* the neighbour must not write before this */
        check_symmetric(p, n * 3, "calloc");
        shmem_free(p);
    }
}

static void nothing(void)
{
    CHECK(!shmem_malloc(0), "malloc(0)");
    CHECK(!shmem_calloc(0, 8), "calloc(0, 8)");
    CHECK(!shmem_calloc(8, 0), "calloc(8, 0)");
    CHECK(!shmem_align(64, 0), "align(64, 0)");
    CHECK(!shmem_malloc_with_hints(0, SHMEM_MALLOC_SIGNAL_REMOTE), "malloc_with_hints(0)");
    void *hinted = shmem_malloc_with_hints(64, 1L << 40 | SHMEM_MALLOC_ATOMICS_REMOTE); /* a hint of another library */
    CHECK(hinted, "malloc_with_hints(64) with a hint that is not known");
    shmem_free(hinted);
    CHECK(!shmem_realloc(NULL, 0), "realloc(NULL, 0)");
    shmem_free(NULL);
    CHECK(!shmem_calloc(SIZE_MAX / 2, 3), "calloc overflow");
    CHECK(!shmem_calloc(SIZE_MAX, SIZE_MAX), "calloc overflow");
    CHECK(!shmem_malloc(SIZE_MAX), "malloc(SIZE_MAX)");
    CHECK(!shmem_malloc(SIZE_MAX - 64), "malloc(SIZE_MAX - 64)");
    CHECK(!shmem_align(4096, SIZE_MAX - 4095), "align overflow");
    CHECK(!shmem_malloc(SIZE_MAX / 2), "malloc(SIZE_MAX / 2)");
}

static unsigned char pattern(size_t i)
{
    return (unsigned char)(i * 37 + i / 251 + (size_t)me * 11);
}

static void check_pattern(const unsigned char *p, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != pattern(i)) {
            CHECK(0, "%s: byte %zu of %zu is lost", what, i, n);
            return;
        }
}

static void resizing(void)
{
    static const size_t to[] = {10, 100, 60, 5000, 5001, 300, 3 << 20, 65, 1, 200000};
    unsigned char *p = shmem_realloc(NULL, 40), *fence = shmem_malloc(64);
    CHECK(p, "realloc(NULL, 40)");
    memset(fence, 0x77, 64);
    size_t had = 40;
    for (size_t i = 0; i < had; i++)
        p[i] = pattern(i);
    for (size_t k = 0; k < sizeof to / sizeof to[0]; k++) {
        p = shmem_realloc(p, to[k]);
        CHECK(p, "realloc to %zu", to[k]);
        check_pattern(p, had < to[k] ? had : to[k], "realloc");
        for (size_t i = 0; i < to[k]; i++)
            p[i] = pattern(i);
        had = to[k];
        shmem_barrier_all();
        check_symmetric(p, had, "realloc");
        p[0] = pattern(0);
        p[had - 1] = pattern(had - 1);
        shmem_barrier_all();
    }
    CHECK(!shmem_realloc(p, SIZE_MAX / 4), "realloc to SIZE_MAX / 4");
    check_pattern(p, had, "realloc that failed");
    check_symmetric(p, had, "realloc that failed");
    for (int i = 0; i < 64; i++)
        CHECK(fence[i] == 0x77, "realloc wrote into another block");
    CHECK(!shmem_realloc(p, 0), "realloc to 0 frees");
    shmem_free(fence);
}

/* The size of the largest block, to within 64 KiB. */
static size_t largest(void)
{
    size_t low = 0, high = (size_t)1 << 46;
    while (high - low > 65536) {
        size_t middle = low + (high - low) / 2;
        void *p = shmem_malloc(middle);
        shmem_free(p);
        *(p ? &low : &high) = middle;
    }
    return low;
}

static void exhaustion(void)
{
    static size_t most, smallest, biggest;
    most = largest();
    shmem_size_min_reduce(SHMEM_TEAM_WORLD, &smallest, &most, 1);
    shmem_size_max_reduce(SHMEM_TEAM_WORLD, &biggest, &most, 1);
    CHECK(smallest == biggest, "PEs disagree on the free space: %zu and %zu bytes", smallest, biggest);
    CHECK(most > 0, "nothing can be allocated");
    enum { PIECES = 10 };
    void *p[PIECES + 1];
    int n = 0;
    while (n <= PIECES && (p[n] = shmem_malloc(most / PIECES - 4096)))
        n++;
    CHECK(n == PIECES, "%d pieces of a %dth of the largest block", n, PIECES);
    for (int i = 0; i < 20; i++)
        CHECK(!shmem_malloc(most / PIECES), "a piece is allocated although no space is left");
    check_symmetric(p[n - 1], most / PIECES - 4096, "last piece");
    for (int i = 0; i < n; i++)
        shmem_free(p[(i * 3) % n]);
    CHECK(largest() == most, "%zu bytes are left of %zu", largest(), most);
}

static void old_names(void)
{
    unsigned char *p = shmalloc(100);
    CHECK(p, "shmalloc");
    memset(p, 0x33, 100);
    shmem_barrier_all();
    p = shrealloc(p, 1000);
    CHECK(p && p[0] == 0x33 && p[99] == 0x33, "shrealloc");
    check_symmetric(p, 1000, "shrealloc");
    shfree(p);
    p = shmemalign(256, 10);
    CHECK(p && (uintptr_t)p % 256 == 0, "shmemalign");
    shfree(p);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    sizes();
    alignments();
    large_alignments();
    odd_alignments();
    zeroes();
    nothing();
    resizing();
    exhaustion();
    old_names();
    shmem_finalize();
    return check_result();
}
