/* pes: 4 8 */
/* args: 4 */
/* args: 2 */
/* An image fails after its part of a broadcast. Images of other nodes cannot see this, and abandon the broadcast. An
 * image that gets its data from one of them must not wait for ever. The argument is the broadcasting image. */
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

int main(int argc, char **argv)
{
    start();
    const int root = argc > 1 ? atoi(argv[1]) : 1;
    const bool is_near = caf_near_at_once(root - 1, caf_heap) != NULL;
    CHECK(broadcast(root) == CAF_OK && caf_sync_all() == CAF_OK, "%s", caf_message());
    if (me != root && !is_near)
        sleep_until_failed(root);
    const int status = broadcast(root);
    if (me == root && check_result() == 0)
        caf_fail_image();
    CHECK(status == CAF_OK || status == CAF_STAT_FAILED_IMAGE, "%d: %s", status, caf_message());
    CHECK(broadcast(root) == CAF_STAT_FAILED_IMAGE, "%s", caf_message());
    CHECK(caf_sync_all() == CAF_STAT_FAILED_IMAGE, "%s", caf_message());
    const int result = check_result();
    printf("image %d is through\n", me);
    fflush(stdout);
    caf_stop(result);
}
