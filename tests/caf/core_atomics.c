/* pes: 1 2 3 4 5 8 16 */
/* Atomic subroutines through the core's C interface, on adjacent words of 1, 2, 4 and 8 bytes: an operation must not
 * change the neighbouring words, and no simultaneous operation may be lost. */
#include "core.h"

#include <string.h>

static const int sizes[] = {1, 2, 4, 8};

static uint64_t cut(uint64_t value, int bytes)
{
    return bytes == 8 ? value : value & (((uint64_t)1 << 8 * bytes) - 1);
}

static uint64_t ref(int pe, const char *atom, int bytes)
{
    uint64_t value = 0;
    ok(caf_atomic_ref(pe, atom, bytes, &value));
    return value;
}

static uint64_t operate(int pe, char *atom, int bytes, enum caf_atomic_op op, uint64_t value)
{
    uint64_t old = 0;
    ok(caf_atomic_op(pe, atom, bytes, op, &value, &old));
    return old;
}

/* Every operation on one word of a row after the other, by this image alone, in the next image's memory. */
static void test_alone(int bytes)
{
    enum { WORDS = 9 };
    char *a = coarray(WORDS * 8 + 8);
    const int pe = me % n;
    uint64_t is[WORDS] = {0};
    for (int round = 0; round < 6; round++)
        for (int w = 0; w < WORDS; w++) {
            char *atom = a + w * bytes;
            const uint64_t value = cut(
                0xf1e2d3c4b5a69788u * (uint64_t)(me + 16 * w + round + 1) | (uint64_t)1 << (8 * bytes - 1), bytes);
            uint64_t expected = value, old = is[w], compare = round % 2 ? old : ~old;
            switch (round) {
            case 0: ok(caf_atomic_define(pe, atom, bytes, &value)); break;
            case 1: old = operate(pe, atom, bytes, CAF_ADD, value), expected = is[w] + value; break;
            case 2: old = operate(pe, atom, bytes, CAF_XOR, value), expected = is[w] ^ value; break;
            case 3: old = operate(pe, atom, bytes, CAF_OR, value), expected = is[w] | value; break;
            case 4: old = operate(pe, atom, bytes, CAF_AND, value), expected = is[w] & value; break;
            default: /* does not return the old value */
                expected = is[w] + value;
                ok(caf_atomic_op(pe, atom, bytes, CAF_ADD, &value, NULL));
            }
            CHECK(old == is[w], "%d bytes, round %d: old value %llx", bytes, round, (unsigned long long)old);
            is[w] = cut(expected, bytes);
            for (int c = 0; c < 2; c++) { /* first with a value that differs from the word */
                compare = c ? is[w] : cut(~is[w], bytes);
                old = 0;
                ok(caf_atomic_cas(pe, atom, bytes, &compare, &value, &old));
                CHECK(old == is[w], "%d bytes: cas finds %llx", bytes, (unsigned long long)old);
                is[w] = c ? value : is[w];
            }
            for (int i = 0; i < WORDS; i++)
                CHECK(ref(pe, a + i * bytes, bytes) == is[i], "%d bytes, round %d, word %d: word %d is %llx", bytes,
                      round, w, i, (unsigned long long)ref(pe, a + i * bytes, bytes));
        }
    caf_sync_all();
    for (int i = WORDS * bytes; i < WORDS * 8 + 8; i++)
        CHECK(a[i] == 0, "%d bytes: byte %d was changed", bytes, i);
    caf_sync_all();
}

/* All images operate on the same words of image 1. */
static void test_contended(int bytes)
{
    enum { ROUNDS = 300 };
    char *a = coarray(6 * 8);
    char *sum = a, *tickets = a + bytes, *bits = a + 2 * bytes, *flips = a + 3 * bytes, *swapped = a + 4 * bytes;
    const uint64_t mine = (uint64_t)1 << (me - 1) % (8 * bytes), others = ~mine, image = (uint64_t)me;
    uint64_t last = 0;
    for (int i = 0; i < ROUNDS; i++) {
        ok(caf_atomic_op(0, sum, bytes, CAF_ADD, &image, NULL)); /* without the old value */
        const uint64_t ticket = operate(0, tickets, bytes, CAF_ADD, 1);
        CHECK(bytes < 4 || i == 0 || ticket > last, "ticket %llu after %llu", (unsigned long long)ticket,
              (unsigned long long)last);
        last = ticket;
        if (n <= 8 * bytes) {
            /* each operation with the old value, and without */
            CHECK(!(operate(0, bits, bytes, CAF_OR, mine) & mine), "another image has set bit %d", me - 1);
            ok(caf_atomic_op(0, bits, bytes, CAF_AND, &others, NULL));
            ok(caf_atomic_op(0, bits, bytes, CAF_OR, &mine, NULL));
            CHECK(operate(0, bits, bytes, CAF_AND, others) & mine, "another image has cleared bit %d", me - 1);
            ok(caf_atomic_op(0, flips, bytes, CAF_XOR, &mine, NULL));
            CHECK(operate(0, flips, bytes, CAF_XOR, mine) & mine, "another image has changed bit %d", me - 1);
        }
        for (uint64_t is = ref(0, swapped, bytes), old = 0;; is = old) {
            const uint64_t becomes = cut(is + 3, bytes);
            old = 0;
            caf_atomic_cas(0, swapped, bytes, &is, &becomes, &old);
            if (old == is)
                break;
        }
    }
    caf_sync_all();
    const uint64_t images = (uint64_t)n, expected[] = {ROUNDS * images * (images + 1) / 2, ROUNDS * images, 0, 0,
                                                      3 * ROUNDS * images};
    for (int w = 0; w < 5; w++)
        CHECK(ref(0, a + w * bytes, bytes) == cut(expected[w], bytes), "%d bytes: word %d is %llu, expected %llu",
              bytes, w, (unsigned long long)ref(0, a + w * bytes, bytes), (unsigned long long)cut(expected[w], bytes));
    caf_sync_all();
}

/* Atomics without the old value are in order with the same image's earlier and later operations on the word, and
 * complete before any image is notified. Every image operates on the next image's words and notifies the previous
 * image, or all images. */
static void test_posted(int bytes)
{
    enum { ROUNDS = 40 };
    char *a = coarray(4 * 8);
    char *sum = a, *flag = a + bytes, *bits = a + 2 * bytes, *plain = a + 3 * bytes;
    const int many = bytes < 4 ? 1 : 100; /* many, so that they are pending for a long time */
    const int next = me % n, after = (me + 1) % n, before = (me + n - 2) % n + 1, neighbours[] = {before, next + 1};
    for (int round = 1; round <= ROUNDS; round++) {
        const uint64_t value = cut((uint64_t)round, bytes), one = 1, bit = (uint64_t)1 << round % (8 * bytes);
        uint64_t seen = 0;
        caf_put_bytes(next, plain, &one, (size_t)bytes);
        ok(caf_atomic_op(next, plain, bytes, CAF_ADD, &value, NULL));
        caf_get_bytes(next, &seen, plain, (size_t)bytes);
        CHECK(seen == cut(value + 1, bytes), "%d bytes, round %d: 1 + %d is %llu", bytes, round, round,
              (unsigned long long)seen);
        ok(caf_atomic_op(next, bits, bytes, CAF_OR, &bit, NULL));
        CHECK(ref(next, bits, bytes) == bit, "%d bytes, round %d: bits %llx", bytes, round,
              (unsigned long long)ref(next, bits, bytes));
        ok(caf_atomic_op(next, bits, bytes, CAF_XOR, &bit, NULL));
        caf_sync_memory(); /* from here on only the following atomics are outstanding */
        for (int i = 0; i < round * many; i++)
            caf_atomic_op(next, sum, bytes, CAF_ADD, &one, NULL);
        ok(caf_atomic_define(next, flag, bytes, &value));
        if (round % 2)
            caf_sync_all();
        else
            ok(caf_sync_images(n > 2 ? 2 : n - 1, neighbours));
        CHECK(ref(after, flag, bytes) >= value, "%d bytes, round %d: two images on it is %llu", bytes, round,
              (unsigned long long)ref(after, flag, bytes));
        const uint64_t total = cut((uint64_t)(many * round * (round + 1) / 2), bytes);
        CHECK(ref(me - 1, sum, bytes) == total, "%d bytes, round %d: the sum is %llu", bytes, round,
              (unsigned long long)ref(me - 1, sum, bytes));
        caf_sync_all();
    }
}

static void test_errors(void)
{
    char *a = coarray(16);
    uint64_t value = 1;
    CHECK(caf_atomic_define(0, a, 3, &value) == CAF_STAT_ERROR, "an atom of 3 bytes");
    CHECK(strstr(caf_message(), "atomic_define: the atom has 3 bytes"), "\"%s\"", caf_message());
    CHECK(caf_atomic_op(0, a, 4, (enum caf_atomic_op)5, &value, NULL) == CAF_STAT_ERROR, "operation 5");
    CHECK(ref(0, a, 8) == 0, "the refused atomic has changed the word");
}

int main(void)
{
    start();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        test_alone(sizes[i]);
        test_contended(sizes[i]);
        test_posted(sizes[i]);
    }
    test_errors();
    caf_stop(check_result());
}
