/* images: 3 4 5 8 */
/* args: sync */
/* args: sum */
/* If one image has stopped and another has failed, the status of a statement that involves both is STAT_STOPPED_IMAGE
 * (Fortran 2018, 11.6.11, 16.6). An image that stops directly after a statement has taken part in it. What an image has
 * put before it ends is complete when others see the end. */
#include "core.h"

#include <sched.h>
#include <string.h>

enum { BYTES = 20000 };
static char *words; /* a coarray: by image, what it has put */

static const char *now = "after the failure";

static void check(int status, int expected, const char *statement)
{
    CHECK(status == expected, "%s, %s: the status is %d, not %d: %s", statement, now, status, expected,
          caf_message());
}

static int sum(void)
{
    int value = me;
    const struct caf_section s = {.base = (char *)&value, .type = CAF_INTEGER, .kind = 4, .size = 4};
    return caf_co_reduce_intrinsic(CAF_CO_SUM, &s, 0);
}

static void put_words(void)
{
    char mine[BYTES];
    memset(mine, me, sizeof mine);
    for (int pe = 0; pe < n; pe++)
        caf_put_bytes(pe, words + BYTES * (me - 1), mine, sizeof mine);
}

static void check_words(int image)
{
    int missing = 0;
    for (int i = 0; i < BYTES; i++)
        missing += words[BYTES * (image - 1) + i] != image;
    CHECK(missing == 0, "%s: %d bytes from image %d are missing", now, missing, image);
}

static void await(int status)
{
    int images[64];
    while (caf_images_with_status(NULL, status, images) == 0)
        sched_yield();
}

int main(int argc, char **argv)
{
    struct caf_coarray *c = NULL;
    caf_team_name team = 0;
    int all[64];
    start();
    words = caf_allocate_static((size_t)(BYTES * n))->base;
    ok(caf_sync_all());
    for (int i = 0; i < n; i++)
        all[i] = i + 1;
    if (me == n) {
        put_words();
        caf_fail_image();
    }
    await(CAF_STAT_FAILED_IMAGE);
    check_words(n);
    /* The last of the others stops directly after one of these statements: no other image may see that here. Image 1
     * begins the sum only after that stop. */
    const bool by_sum = argc > 1 && strcmp(argv[1], "sum") == 0;
    if (by_sum && me == 1)
        await(CAF_STAT_STOPPED_IMAGE);
    check(by_sum ? sum() : caf_sync_all(), CAF_STAT_FAILED_IMAGE, by_sum ? "co_sum" : "sync all");
    if (me == n - 1) {
        put_words();
        caf_stop(check_result());
    }
    await(CAF_STAT_STOPPED_IMAGE);
    now = "after both ends";
    check_words(n - 1);
    check(caf_sync_all(), CAF_STAT_STOPPED_IMAGE, "sync all");
    check(caf_sync_images(-1, NULL), CAF_STAT_STOPPED_IMAGE, "sync images (*)");
    all[n - 2] = n;
    check(caf_sync_images(n - 1, all), CAF_STAT_FAILED_IMAGE, "sync images without the stopped image");
    all[n - 2] = n - 1;
    check(caf_sync_images(n - 1, all), CAF_STAT_STOPPED_IMAGE, "sync images without the failed image");
    all[n - 2] = n;
    all[n - 1] = n - 1;
    check(caf_sync_images(n, all), CAF_STAT_STOPPED_IMAGE, "sync images of all, the failed one first");
    check(sum(), CAF_STAT_STOPPED_IMAGE, "co_sum");
    check(caf_allocate(100, true, &c), CAF_STAT_STOPPED_IMAGE, "allocate");
    CHECK(c, "no coarray");
    if (c)
        check(caf_deallocate(c), CAF_STAT_STOPPED_IMAGE, "deallocate");
    check(caf_form_team(1, NULL, &team), CAF_STAT_STOPPED_IMAGE, "form team");
    check(caf_change_team(caf_team_in(&team)), CAF_OK, "change team");
    check(sum(), CAF_OK, "co_sum in the team of the others");
    check(caf_end_team(), CAF_OK, "end team");
    caf_stop(check_result());
}
