/* pes: 1 2 3 4 5 8 16 */
/* SYNC IMAGES, SYNC ALL, SYNC TEAM and SYNC MEMORY through the core's C interface: an image that has synchronized
 * with another one sees the other's earlier puts, in every pattern and after any other statements. */
#include "core.h"
#include "caf/control/sync.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };
static int64_t said[2][MOST]; /* the numbers that each image has put here, alternately to two words */
static int64_t times[MOST]; /* how often this image has synchronized with each image */
static int64_t rounds; /* the same on all images */

static unsigned random_of(int64_t round, int i, int j)
{
    uint64_t h = (uint64_t)round * 0x9e3779b97f4a7c15 + (uint64_t)(i * 64 + j) * 0xbf58476d1ce4e5b9;
    h ^= h >> 29;
    h *= 0x94d049bb133111eb;
    return (unsigned)(h >> 33);
}

static int64_t value(int64_t time, int from, int to)
{
    return INT64_MIN + time * 10000 + from * 100 + to;
}

static void say_to(int image)
{
    const int64_t time = ++times[image - 1], v = value(time, me, image);
    caf_put_bytes(image - 1, &said[time & 1][me - 1], &v, sizeof v);
}

/* The other image may have put one more value after its arrival, into the other word. */
static void check_said(int image)
{
    const int64_t time = times[image - 1], v = said[time & 1][image - 1];
    CHECK(v == value(time, image, me), "time %d: image %d has said %llx", (int)time, image, (long long)v);
}

static void with_list(int count, const int *images)
{
    for (int i = 0; i < count; i++)
        say_to(images[i]);
    ok(caf_sync_images(count, images));
    for (int i = 0; i < count; i++)
        check_said(images[i]);
}

static void with_all(int (*statement)(void))
{
    for (int i = 1; i <= n; i++)
        say_to(i);
    CHECK(statement() == CAF_OK, "%s", caf_message());
    for (int i = 1; i <= n; i++)
        check_said(i);
}

static int images_star(void)
{
    return caf_sync_images(-1, NULL);
}

/* Chooses about that many quarters of all pairs; this image is also paired with itself. */
static void random_list(unsigned share)
{
    int images[MOST], count = 0;
    const int first = (int)(random_of(rounds, me, 0) % (unsigned)n);
    for (int k = 0; k < n; k++) {
        const int i = (first + k) % n + 1; /* the order does not matter */
        if (random_of(rounds, i < me ? i : me, i < me ? me : i) % 4 < share)
            images[count++] = i;
    }
    with_list(count, images);
}

static void ring(void)
{
    const int next = me % n + 1, previous = (me + n - 2) % n + 1;
    const int images[] = {previous, next};
    with_list(n > 2 ? 2 : n > 1, images);
}

/* All pairs in the order of the list: 1-2, 1-3, 2-3, 1-4, ... */
static void all_pairs(void)
{
    for (int high = 2; high <= n; high++)
        for (int low = 1; low < high; low++)
            if (me == low || me == high)
                with_list(1, (int[]){low + high - me});
}

/* Image 1 waits for all others, which wait for image 1 alone. */
static void star(void)
{
    int images[MOST];
    for (int i = 0; i < n; i++)
        images[i] = i + 1;
    with_list(me == 1 ? n : 1, images);
}

/* A statement of one kind may be followed immediately by any other. */
static void test_patterns(void)
{
    for (int repeat = 0; repeat < 60; repeat++)
        for (int kind = 0; kind < 8; kind++) {
            rounds++;
            switch (repeat % 3 == 2 ? random_of(rounds, 0, 0) % 8 : (unsigned)kind) {
            case 0: with_all(caf_sync_all); break;
            case 1: ring(); break;
            case 2: random_list(2); break;
            case 3: star(); break;
            case 4: random_list(1); break;
            case 5: with_all(images_star); break;
            case 6: random_list(4); break;
            default: if (repeat % 10 == 0) all_pairs();
            }
        }
    caf_sync_all();
}

/* Statements of two images do not affect a third image. */
static void test_uneven(void)
{
    for (int i = 0; i < 100 * me; i++)
        CHECK(caf_sync_images(1, &me) == CAF_OK && caf_sync_images(0, NULL) == CAF_OK, "%s", caf_message());
    if (n > 2 && me < 3)
        for (int i = 0; i < 500; i++)
            with_list(1, (int[]){3 - me});
    caf_sync_all();
    static int64_t ahead; /* image 1 executes this many before the others do */
    const int64_t v = INT64_MIN + 5;
    if (me == 1) {
        for (int image = 2; image <= n; image++)
            caf_put_bytes(image - 1, &ahead, &v, sizeof v);
        ok(caf_sync_memory());
    }
    caf_sync_all();
    CHECK(me == 1 || ahead == v, "what was put before SYNC MEMORY is %llx", (long long)ahead);
    caf_sync_all();
}

/* Teams of two images, on different nodes if there are two nodes: each member puts to the other member and to a third
 * image, and the other member checks both. */
static void test_pairs(void)
{
    enum { WORDS = 20000 };
    static const size_t sizes[] = {1, 30, 700, 5000, WORDS};
    const int half = n / 2, pair = (me - 1) % half + 1, is_second = me > half;
    const int other = is_second ? me - half : me + half, third = other % n + 1;
    struct caf_coarray *c = NULL;
    caf_team_name t;
    int64_t *data = malloc(WORDS * sizeof *data), *seen = malloc(WORDS * sizeof *seen);
    CHECK(caf_allocate(3 * WORDS * sizeof *data, true, &c) == CAF_OK && data && seen, "%s", caf_message());
    ok(caf_form_team(me > 2 * half ? n + 1 : pair, 0, &t));
    int64_t *mine = (int64_t *)(void *)c->base;
    for (int round = 0; round < 100 && me <= 2 * half; round++) {
        const size_t count = sizes[round % 5];
        if (round == 0)
            ok(caf_change_team(caf_team_in(&t)));
        for (size_t i = 0; i < count; i++)
            data[i] = value(round, me, (int)i);
        caf_put_bytes(other - 1, mine, data, count * sizeof *data);
        caf_put_bytes(other - 1, &mine[count - 1], data, sizeof *data);
        if (round % 3 == 2)
            caf_put_bytes(third - 1, &mine[(1 + is_second) * WORDS], data, count * sizeof *data);
        ok(caf_sync_all());
        for (size_t i = 0; i < count; i++)
            CHECK(mine[i] == value(round, other, i == count - 1 ? 0 : (int)i), "round %d: word %zu is %llx", round, i,
                  (long long)mine[i]);
        if (round % 3 == 2) {
            caf_get_bytes(me % n, seen, &mine[(2 - is_second) * WORDS], count * sizeof *data);
            for (size_t i = 0; i < count; i++)
                CHECK(seen[i] == value(round, other, (int)i), "round %d: word %zu of a third image is %llx", round, i,
                      (long long)seen[i]);
        }
        ok(caf_sync_all());
    }
    if (me <= 2 * half)
        ok(caf_end_team());
    ok(caf_deallocate(c));
    free(data);
    free(seen);
}

/* In a team, indices are the team's. */
static void test_in_teams(void)
{
    caf_team_name t;
    const int from_behind = (n - me) / 2 + 1;
    CHECK(caf_form_team(1 + me % 2, &from_behind, &t) == CAF_OK && caf_change_team(caf_team_in(&t)) == CAF_OK, "%s",
          caf_message());
    for (int round = 0; round < 50; round++) {
        rounds++;
        int list[MOST], count = 0;
        for (int i = caf_num_images(NULL); i >= 1; i--) {
            const int image = caf_pe(NULL, i) + 1, low = image < me ? image : me;
            if (random_of(rounds, low, low + image + me) % 2)
                continue;
            list[count++] = i;
            say_to(image);
        }
        ok(caf_sync_images(count, list));
        for (int i = 0; i < count; i++)
            check_said(caf_pe(NULL, list[i]) + 1);
        if (round % 5 == me % 2) /* synchronizes the team's images */
            ok(caf_sync_all());
    }
    ok(caf_end_team());
    caf_sync_all();
}

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
    char part[100];
    snprintf(part, sizeof part, "sync images: image index %d in the list, allowed are 1 to %d", n + 1, n);
    check_error(1, (int[]){n + 1}, part);
    check_error(2, (int[]){me, n + 1}, part);
    check_error(1, (int[]){0}, "sync images: image index 0 in the list, allowed are 1 to");
    check_error(1, (int[]){-7}, "sync images: image index -7 in the list, allowed are 1 to");
    check_error(3, (int[]){n, me % n + 1, n}, n > 1 ? "is twice in the list" : "image 1 is twice in the list");
    caf_sync_all();
    with_all(images_star); /* a statement with a wrong list has not counted as an arrival */
    caf_sync_all();
}

int main(void)
{
    start();
    test_patterns();
    caf_lists = UINT32_MAX - 20; /* as after hours of synchronization */
    test_patterns();
    test_uneven();
    test_in_teams();
    if (n > 1) {
        test_pairs();
        test_words();
    }
    test_errors();
    ok(caf_sync_all());
    caf_stop(check_result());
}
