/* images: 1 2 4 8 */
/* Functions that images call on each other, between puts and gets of all sizes: the operations of one image on
 * another happen in order, as in a model of the target's memory, and are complete at the end of the segment. Images of
 * the same node cannot be called, and are accessed by loads and stores. At the end one image fails, and callers are
 * notified. */
#include "caf/caf.h"
#include "check.h"

#include <string.h>

enum { WORDS = 6000, STEPS = 60, SEGMENTS = 8 };
static const uint32_t CHANGE = 0xc0000001, TELL = 2;

static int me, n;       /* me counts from 0, like PEs */
static uint64_t *words; /* WORDS for each image that operates here */

struct range {
    uint64_t first, count, value;
};

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* This operation does not commute with stores. */
static void change(uint64_t *at, const struct range *r)
{
    for (uint64_t i = 0; i < r->count; i++)
        at[r->first + i] = at[r->first + i] * 3 + (r->value | (uint64_t)1 << 63);
}

/* The arguments: a range, and for each of its words a number to add. */
static void change_here(int pe, void *args, size_t bytes, caf_reply *reply)
{
    const struct range *r = args;
    uint64_t *const at = words + (size_t)pe * WORDS;
    CHECK(!reply && bytes == sizeof *r + r->count * 8, "a call with %zu bytes", bytes);
    change(at, r);
    for (uint64_t i = 0; i < r->count; i++)
        at[r->first + i] += ((const uint64_t *)(r + 1))[i];
}

static void tell(int pe, void *args, size_t bytes, caf_reply *reply)
{
    const struct range *r = args;
    CHECK(reply && bytes == sizeof *r, "a call with %zu bytes", bytes);
    memcpy(reply->head, r, sizeof *r);
    reply->head_bytes = sizeof *r;
    reply->data = words + (size_t)pe * WORDS + r->first;
    reply->bytes = r->count * 8;
}

struct told {
    struct range range;
    uint64_t data[WORDS];
};

static void *receive(void *context, void *head, size_t head_bytes, size_t bytes)
{
    struct told *t = context;
    CHECK(head_bytes == sizeof t->range && bytes <= sizeof t->data, "a reply of %zu and %zu bytes", head_bytes, bytes);
    memcpy(&t->range, head, sizeof t->range);
    return t->data;
}

static void do_change(int pe, const struct range *r, uint64_t *added)
{
    const struct iovec args[] = {{(void *)(uintptr_t)r, sizeof *r}, {added, r->count * 8}};
    if (caf_can_call(pe)) {
        caf_post(pe, CHANGE, args, 2);
        memset(added, 0xee, r->count * 8); /* the caller may reuse the memory */
        return;
    }
    uint64_t *at = (uint64_t *)(void *)caf_near(pe, words + (size_t)me * WORDS);
    change(at, r);
    for (uint64_t i = 0; i < r->count; i++)
        at[r->first + i] += added[i];
}

/* One step of the operations of image `from` on its words on another image, in a model of them; if `from` is this
 * image, also the operation itself. */
static void step(uint64_t *rng, uint64_t *model, int pe, bool in_earnest)
{
    static const uint64_t counts[] = {0, 1, 3, 50, 1000, 2500, WORDS};
    static uint64_t data[WORDS];
    static struct told told;
    const uint64_t what = draw(rng) % 5, count = counts[draw(rng) % 7], first = draw(rng) % (WORDS + 1 - count);
    const struct range r = {first, count, draw(rng)};
    uint64_t *const there = words + (size_t)me * WORDS + first;
    for (uint64_t i = 0; i < count; i++)
        data[i] = r.value * (i + 1) ^ i << 40;
    switch (what) {
    case 0:
        memcpy(model + first, data, count * 8);
        if (in_earnest)
            caf_put_bytes(pe, there, data, count * 8);
        return;
    case 1: case 2:
        change(model, &r);
        for (uint64_t i = 0; i < count; i++)
            model[first + i] += data[i];
        if (in_earnest)
            do_change(pe, &r, data);
        return;
    case 3:
        if (!in_earnest)
            return;
        caf_get_bytes(pe, data, there, count * 8);
        CHECK(memcmp(data, model + first, count * 8) == 0, "a get of %d words from PE %d", (int)count, pe);
        return;
    case 4:
        if (!in_earnest || !caf_can_call(pe))
            return;
        const int status = caf_call(pe, TELL, &(struct iovec){(void *)(uintptr_t)&r, sizeof r}, 1, receive, &told);
        CHECK(status == CAF_OK && memcmp(&told.range, &r, sizeof r) == 0, "a call of PE %d: %d", pe, status);
        CHECK(memcmp(told.data, model + first, count * 8) == 0, "a call for %d words of PE %d", (int)count, pe);
        return;
    }
}

/* Each image operates on the image `distance` after it. */
static void segment(int number, int distance, uint64_t (*model)[WORDS])
{
    const int to = (me + distance) % n, from = (me + n - distance) % n;
    uint64_t rng = (uint64_t)me << 32 | (uint64_t)number;
    for (int i = 0; i < STEPS; i++)
        step(&rng, model[0], to, true);
    CHECK(caf_sync_all() == CAF_OK, "%s", caf_message());
    rng = (uint64_t)from << 32 | (uint64_t)number;
    for (int i = 0; i < STEPS; i++)
        step(&rng, model[1], me, false);
    CHECK(memcmp(words + (size_t)from * WORDS, model[1], sizeof model[1]) == 0,
          "segment %d: operations of PE %d are missing", number, from);
    CHECK(caf_sync_all() == CAF_OK, "%s", caf_message());
}

static void call_the_failed(void)
{
    const struct range r = {.count = 1};
    uint64_t one = 1;
    static struct told told;
    const int status = caf_call(n - 1, TELL, &(struct iovec){(void *)(uintptr_t)&r, sizeof r}, 1, receive, &told);
    CHECK(status == CAF_STAT_FAILED_IMAGE, "a call of a failed image: %d", status);
    do_change(n - 1, &r, &one);
    caf_sync_memory();
}

int main(void)
{
    struct caf_coarray *coarray;
    caf_init();
    caf_register(CHANGE, change_here);
    caf_register(TELL, tell);
    me = caf_this_image(NULL) - 1;
    n = caf_num_images(NULL);
    if (caf_allocate((size_t)n * WORDS * 8, true, &coarray) != CAF_OK)
        caf_fatal("%s", caf_message());
    words = (uint64_t *)(void *)coarray->base;
    uint64_t(*model)[WORDS] = malloc(2 * sizeof *model);
    for (int distance = 1; distance <= n; distance = distance * 2) {
        memset(model, 0, 2 * sizeof *model);
        memset(words, 0, (size_t)n * WORDS * 8);
        CHECK(caf_sync_all() == CAF_OK, "%s", caf_message());
        for (int number = 0; number < SEGMENTS; number++)
            segment(number, distance % n, model);
    }
    if (check_result() != 0)
        caf_error_stop(1);
    if (me == n - 1 && n > 1)
        caf_fail_image();
    CHECK(n == 1 || caf_sync_all() == CAF_STAT_FAILED_IMAGE, "nobody has failed");
    if (n > 1 && caf_can_call(n - 1))
        call_the_failed();
    if (check_result() != 0)
        caf_error_stop(1);
    caf_stop(0);
}
