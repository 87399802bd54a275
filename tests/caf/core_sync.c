/* pes: 1 2 3 4 5 8 16 */
/* The words that SYNC ALL sends, and wrong lists of SYNC IMAGES, through the core's C interface. (core_mixture.c tests
 * the order of images.) */
#include "core.h"
#include "caf/control/sync.h"

#include <string.h>

enum { MOST = 64 };

static uint64_t word_of(uint64_t round, int image)
{
    return (round + (uint64_t)image) % 3 ? round * MOST + (uint64_t)image : 0;
}

/* SYNC ALL sends a word to the next image. Between nodes, the leader of that image's node receives it. */
static void test_words(void)
{
    for (uint64_t round = 1; round < 100; round++) {
        uint64_t heard = 0;
        ok(caf_meet("sync all", caf_current, word_of(round, me), &heard));
        const uint64_t right = word_of(round, me > 1 ? me - 1 : n);
        CHECK(heard == right, "round %d: heard %d, not %d", (int)round, (int)heard, (int)right);
    }
}

static void check_error(int count, const int *images, const char *part)
{
    const int status = caf_sync_images(count, images);
    CHECK(status == CAF_STAT_ERROR, "the status is %d", status);
    CHECK(strstr(caf_message(), part), "the sentence is \"%s\", without \"%s\"", caf_message(), part);
}

static void test_errors(void)
{
    static int64_t said[MOST]; /* by each image */
    const int64_t word = me;
    char part[100];
    snprintf(part, sizeof part, "sync images: image index %d in the list, allowed are 1 to %d", n + 1, n);
    check_error(1, (int[]){n + 1}, part);
    check_error(2, (int[]){me, n + 1}, part);
    check_error(1, (int[]){0}, "sync images: image index 0 in the list, allowed are 1 to");
    check_error(1, (int[]){-7}, "sync images: image index -7 in the list, allowed are 1 to");
    caf_lists = UINT32_MAX; /* as after hours of synchronization */
    check_error(3, (int[]){n, me % n + 1, n}, n > 1 ? "is twice in the list" : "image 1 is twice in the list");
    ok(caf_sync_all());
    for (int pe = 0; pe < n; pe++)
        caf_put_bytes(pe, &said[me - 1], &word, sizeof word);
    ok(caf_sync_images(-1, NULL)); /* a statement with a wrong list has not counted as an arrival */
    for (int i = 0; i < n; i++)
        CHECK(said[i] == i + 1, "image %d has said %d", i + 1, (int)said[i]);
}

int main(void)
{
    start();
    if (n > 1)
        test_words();
    test_errors();
    ok(caf_sync_all());
    caf_stop(check_result());
}
