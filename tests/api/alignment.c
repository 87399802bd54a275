/* putmem, getmem and putmem_signal, blocking and nonblocking, at every alignment of both sides, with lengths near those
 * at which an implementation may change its method. The bytes before and after must be unchanged. */
#include "fill.h"

enum { MAX_LENGTH = (1 << 20) + 3, GUARD = 32, MOST_OFFSET = 17, BACKGROUND = 9999 };
static unsigned char static_bytes[GUARD + MOST_OFFSET + 70000 + GUARD];
static uint64_t signal_word;

typedef void transfer(unsigned char *dest, const unsigned char *source, size_t length, int pe);

static void put(unsigned char *dest, const unsigned char *source, size_t length, int pe)
{
    shmem_putmem(dest, source, length, pe);
}
static void put_nbi(unsigned char *dest, const unsigned char *source, size_t length, int pe)
{
    shmem_putmem_nbi(dest, source, length, pe);
    shmem_quiet();
}
static void put_signal(unsigned char *dest, const unsigned char *source, size_t length, int pe)
{
    shmem_putmem_signal(dest, source, length, &signal_word, 1, SHMEM_SIGNAL_ADD, pe);
}
static void get(unsigned char *dest, const unsigned char *source, size_t length, int pe)
{
    shmem_getmem(dest, source, length, pe);
}
static void get_nbi(unsigned char *dest, const unsigned char *source, size_t length, int pe)
{
    shmem_getmem_nbi(dest, source, length, pe);
    shmem_quiet();
}

static const struct {
    const char *name;
    transfer *call;
    bool is_put;
} transfers[] = {{"putmem", put, true},
                 {"putmem_nbi", put_nbi, true},
                 {"putmem_signal", put_signal, true},
                 {"getmem", get, false},
                 {"getmem_nbi", get_nbi, false}};
enum { TRANSFERS = sizeof transfers / sizeof transfers[0] };

static int me, right, left;

static unsigned char byte_of(int pe, size_t i, unsigned salt)
{
    return (unsigned char)((i ^ i >> 8 ^ i >> 16) * 37 + (unsigned)pe * 101 + salt * 59);
}

/* One transfer between neighbours: dest is GUARD + offset bytes into its array, source is `from` bytes into its array.
 * Puts: source is mine and dest is my right neighbour's; gets: source is my left neighbour's and dest is mine. In
 * both cases I get my left neighbour's data. */
static void try_length(int t, unsigned char *dest, unsigned char *source, size_t offset, size_t from, size_t length,
                       unsigned salt)
{
    const size_t begin = GUARD + offset, span = begin + length + GUARD;
    for (size_t i = 0; i < span; i++)
        dest[i] = byte_of(me, i, BACKGROUND);
    for (size_t i = 0; i < from + length; i++)
        source[i] = byte_of(me, i, salt);
    shmem_barrier_all();
    transfers[t].call(dest + begin, source + from, length, transfers[t].is_put ? right : left);
    shmem_barrier_all();
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < span; i++) {
        const bool sent = i >= begin && i < begin + length;
        if (dest[i] != (sent ? byte_of(left, i - begin + from, salt) : byte_of(me, i, BACKGROUND)) && wrong++ == 0)
            first = i;
    }
    CHECK(wrong == 0, "%s of %zu bytes, dest at %zu, source at %zu: %zu bytes wrong, the first at %td",
          transfers[t].name, length, offset, from, wrong, (ptrdiff_t)first - (ptrdiff_t)begin);
}

/* Small lengths, with dest at each offset up to one more than a vector's 16 bytes; the transfers are used in turn. */
static void small(unsigned char *dest, unsigned char *source)
{
    const size_t lengths[] = {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65};
    unsigned salt = 1;
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
        for (size_t k = 0; k <= MOST_OFFSET; k++, salt++)
            try_length((int)(salt % TRANSFERS), dest, source, k, (k * 5 + l) % (MOST_OFFSET + 1), lengths[l], salt);
}

/* More than 4 PEs omit the longest transfers, because they may share few cores. */
static void medium(unsigned char *dest, unsigned char *source)
{
    const size_t lengths[] = {127, 129, 255, 257, 511, 1023, 1025, 2049, 4095, 4096, 4097, 8191, 16385, 65535, 65537};
    unsigned salt = 1000;
    for (size_t l = 0; l < (shmem_n_pes() > 4 ? 11 : sizeof lengths / sizeof lengths[0]); l++)
        for (int t = 0; t < TRANSFERS; t++, salt++)
            try_length(t, dest, source, salt * 3 % 17, salt * 7 % 17, lengths[l], salt);
}

static void big(unsigned char *dest, unsigned char *source)
{
    const size_t lengths[] = {(1 << 18) - 1, 1 << 20, MAX_LENGTH};
    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
        for (int t = (int)l; t < TRANSFERS; t += 3)
            try_length(t, dest, source, l, 3 * l, lengths[l], (unsigned)l + 5000);
}

int main(void)
{
    shmem_init();
    const int n_pes = shmem_n_pes();
    me = shmem_my_pe();
    right = (me + 1) % n_pes;
    left = (me + n_pes - 1) % n_pes;
    unsigned char *a = shmem_malloc(MAX_LENGTH + 2 * GUARD + 64), *b = shmem_malloc(MAX_LENGTH + 2 * GUARD + 64);
    CHECK(a && b, "shmem_malloc of %d bytes failed", MAX_LENGTH);
    if (check_failures)
        shmem_global_exit(1);
    small(static_bytes, a);
    small(a, b);
    medium(b, static_bytes);
    medium(static_bytes, a);
    if (n_pes <= 4)
        big(a, b);
    shmem_barrier_all();
    shmem_free(b);
    shmem_free(a);
    shmem_finalize();
    return check_result();
}
