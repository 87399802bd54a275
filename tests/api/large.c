/* pes: 2 */
/* Lengths and offsets past 2^31 and 2^32: putmem, getmem, 64-bit put, iput and iget, an fcollect and a broadcastmem.
 * Needs about 5 GiB of memory, 9 GiB for the collectives. If less is free, only the part with few elements far apart
 * runs. (tests/shcoll/large.c tests SHCOLL's algorithms.) */
#include "fill.h"

/* The thread sanitizer uses most of the address space, and four bytes of records for each byte of touched memory. */
#ifdef __SANITIZE_THREAD__
enum { GIB_WANTED = 28, HEAP_IS_BIG = false };
#else
enum { GIB_WANTED = 7, HEAP_IS_BIG = true };
#endif
static const size_t length = ((size_t)1 << 31) + 4099; /* bytes; odd, and too large for an int */
static int me, other;

static long gib_available(void)
{
    long kib = 0;
    char line[200];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "MemAvailable: %ld kB", &kib) != 1)
        continue;
    if (f)
        fclose(f);
    return kib >> 20;
}

/* Every step-th word of a large array. All values differ, so that a shift or a wrapped length is detected. */
static void fill_words(uint64_t *array, size_t n, size_t step, unsigned salt)
{
    for (size_t i = 0; i < n; i += step)
        array[i] = (uint64_t)salt << 56 | (uint64_t)me << 48 | i;
}

static void check_words(const char *what, const uint64_t *array, size_t n, size_t step, unsigned salt)
{
    size_t wrong = 0;
    for (size_t i = 0; i < n; i += step)
        wrong += array[i] != ((uint64_t)salt << 56 | (uint64_t)other << 48 | i);
    CHECK(wrong == 0, "%s: %zu of %zu words are wrong", what, wrong, n / step);
}

/* PE 0 sends, PE 1 checks; then PE 1 gets. After the first time one word of each page is checked, to save time. */
static void contiguous(uint64_t *array)
{
    const size_t n = length / 8, tail = length % 8, step = 509;
    unsigned char *bytes = (unsigned char *)array;
    memset(bytes + length, 0x11, 8);
    if (me == 0)
        fill_words(array, n + 1, 1, 1);
    shmem_barrier_all();
    if (me == 0)
        shmem_putmem(array, array, length, 1);
    shmem_barrier_all();
    if (me == 1) {
        check_words("putmem", array, n, 1, 1);
        CHECK(memcmp(bytes + n * 8, (uint64_t[]){(uint64_t)1 << 56 | n}, tail) == 0, "putmem: the last bytes");
        CHECK(bytes[length] == 0x11, "putmem has written too much");
    }
    if (me == 0)
        fill_words(array, n, step, 2);
    shmem_barrier_all();
    if (me == 1) {
        shmem_getmem(array, array, length, 0);
        check_words("getmem", array, n, step, 2);
        CHECK(bytes[length] == 0x11, "getmem has written too much");
    }
    shmem_barrier_all();
    if (me == 0) {
        fill_words(array, n, step, 3);
        shmem_put64(array, array, n, 1);
    }
    shmem_barrier_all();
    if (me == 1)
        check_words("put64", array, n, step, 3);
    shmem_barrier_all();
    if (me == 0) {
        fill_words(array, n, step, 4);
        shmem_uint64_iput(array, array, 1, 1, n, 1);
    }
    shmem_barrier_all();
    if (me == 1)
        check_words("iput", array, n, step, 4);
    shmem_barrier_all();
}

/* Elements so far apart that their offsets pass 2^31 and 2^32 bytes; few pages are touched. */
static void strided(uint64_t *array, size_t bytes)
{
    enum { N = 33 };
    const size_t stride = bytes / 8 / N;
    uint64_t packed[N];
    for (size_t i = 0; i < N; i++) {
        packed[i] = pattern_to(me, other, i, 7);
        array[i * stride] = array[i * stride + 1] = 5;
    }
    shmem_barrier_all();
    shmem_uint64_iput(array, packed, (ptrdiff_t)stride, 1, N, other);
    shmem_barrier_all();
    for (size_t i = 0; i < N; i++)
        CHECK(array[i * stride] == pattern_to(other, me, i, 7) && array[i * stride + 1] == 5,
              "iput over %zu bytes: element %zu", bytes, i);
    shmem_barrier_all();
    shmem_uint64_iget(packed, array, 1, (ptrdiff_t)stride, N, other);
    for (size_t i = 0; i < N; i++)
        CHECK(packed[i] == pattern_to(me, other, i, 7), "iget over %zu bytes: element %zu", bytes, i);
    shmem_barrier_all();
    shmem_uint64_ibput(array, packed, (ptrdiff_t)stride, 2, 2, N / 2, other);
    shmem_barrier_all();
    for (size_t i = 0; i < N / 2; i++)
        for (size_t j = 0; j < 2; j++)
            CHECK(array[i * stride + j] == pattern_to(other, me, 2 * i + j, 7), "ibput over %zu bytes: block %zu",
                  bytes, i);
    shmem_uint64_p(&array[bytes / 8 - 1], pattern(me, 0, 8), other);
    shmem_barrier_all();
    CHECK(array[bytes / 8 - 1] == pattern(other, 0, 8), "p to the last of %zu bytes", bytes);
    shmem_barrier_all();
}

/* An fcollect of both PEs' words, then a broadcast of all words from PE 0. */
static void collectives(uint64_t *a, uint64_t *b)
{
    const size_t each = length / 16 + 1, step = 509;
    fill_words(a, each, step, 5);
    shmem_uint64_fcollect(SHMEM_TEAM_WORLD, b, a, each);
    check_words("fcollect", b + (size_t)other * each, each, step, 5);
    shmem_broadcastmem(SHMEM_TEAM_WORLD, a, b, 2 * each * 8, 0);
    check_words("broadcastmem", a + (size_t)other * each, each, step, 5);
}

int main(void)
{
    static int enough;
    shmem_init();
    me = shmem_my_pe();
    other = 1 - me;
    CHECK(shmem_n_pes() == 2, "this test wants 2 PEs");
    if (check_failures)
        shmem_global_exit(1);
    const size_t sparse = (size_t)5 << 30;
    uint64_t *array = shmem_malloc(sparse);
    CHECK(array != NULL || !HEAP_IS_BIG, "shmem_malloc of %zu bytes failed", sparse);
    if (array)
        strided(array, sparse);
    shmem_free(array);
    array = shmem_malloc(length + 64);
    CHECK(array != NULL || !HEAP_IS_BIG, "shmem_malloc of %zu bytes failed", length + 64);
    if (me == 0) { /* one PE decides for both */
        enough = gib_available() >= GIB_WANTED ? 1 + (gib_available() >= GIB_WANTED + 4) : 0;
        shmem_int_p(&enough, enough, other);
    }
    shmem_barrier_all();
    if (array && enough)
        contiguous(array);
    else if (me == 0)
        printf("less than %d GiB are free, or no such heap, so nothing of 2 GiB was sent\n", GIB_WANTED);
    uint64_t *dest = array && enough > 1 ? shmem_malloc(length + 64) : NULL;
    if (dest)
        collectives(array, dest);
    shmem_free(array);
    shmem_finalize();
    return check_result();
}
