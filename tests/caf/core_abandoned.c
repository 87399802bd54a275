/* pes: 4 8 */
/* args: 4 */
/* args: 2 */
/* args: 1 late */
/* An image fails after its part of a broadcast. Images of other nodes cannot see this, and abandon the broadcast. An
 * image that gets its data from such an image must not wait for ever. The argument is the broadcasting image.
 *
 * With `late`, for one node, images 3 and later enter this broadcast only when image 2 has completed it and abandoned
 * the next one. They must still complete it. */
#include "core.h"
#include "caf/control/attempt.h"
#include "caf/memory/heap.h"

#include <stdlib.h>

static int broadcast(int root)
{
    int64_t value = me;
    const struct caf_section a = {.base = (char *)&value, .type = CAF_INTEGER, .kind = 8, .size = 8};
    const int status = caf_co_broadcast(&a, root);
    CHECK(status || value == root, "the value is %d", (int)value);
    return status;
}

static void sleep_until_failed(int image)
{
    unsigned turns = 0;
    while (caf_image_status(NULL, image) == CAF_OK)
        caf_pause(&turns);
}

static void sleep_until_set(const int64_t *word)
{
    unsigned turns = 0;
    while (!__atomic_load_n(word, __ATOMIC_ACQUIRE))
        caf_pause(&turns);
}

int main(int argc, char **argv)
{
    start();
    const int root = argc > 1 ? atoi(argv[1]) : 1;
    const bool has_late = argc > 2, is_late = has_late && me > 2;
    int64_t *go = coarray(sizeof *go);
    const bool is_near = caf_near_at_once(root - 1, caf_heap) != NULL;
    CHECK(broadcast(root) == CAF_OK && caf_sync_all() == CAF_OK, "%s", caf_message());
    if (me != root && !is_near)
        sleep_until_failed(root);
    if (is_late)
        sleep_until_set(go);
    const int status = broadcast(root);
    if (me == root && check_result() == 0)
        caf_fail_image();
    CHECK(status == CAF_OK || status == CAF_STAT_FAILED_IMAGE, "%d: %s", status, caf_message());
    CHECK(status == CAF_OK || !has_late, "%s", caf_message());
    if (has_late && me == 2)
        sleep_until_failed(root);
    CHECK(broadcast(root) == CAF_STAT_FAILED_IMAGE, "%s", caf_message());
    for (int pe = 2; pe < n && has_late && me == 2; pe++)
        shmem_int64_p(go, 1, pe);
    CHECK(caf_sync_all() == CAF_STAT_FAILED_IMAGE, "%s", caf_message());
    end_of_survivor();
}
