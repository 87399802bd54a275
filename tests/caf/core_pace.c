/* pes: 2 4 5 */
/* Pairs of images synchronize only by SYNC IMAGES, with computations of different length in between, so one image's
 * numbers may arrive before the other waits for them. An image that misses a number waits forever. If the number of
 * images is odd, the last image has no partner. */
#include "core.h"
#include "caf/control/sync.h"

enum { ROUNDS = 1000 };

int main(void)
{
    caf_init();
    const int me = caf_this_image(NULL), half = caf_num_images(NULL) / 2, other = me > half ? me - half : me + half;
    for (int i = 0; i < ROUNDS && me <= 2 * half; i++) {
        ok(caf_sync_images(1, &other));
        for (volatile int k = (i * 7919 + other * 104729) % 3000; k > 0; k--)
            ;
    }
    caf_stop(check_result());
}
