/* pes: 2 4 5 */
/* Pairs of images meet by SYNC IMAGES alone, with nothing between two of them but computations of different length: the
 * one is ahead of the other by what that has yet to see.  An image that has missed a number waits for ever.  Of an odd
 * number of images the last has no other. */
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
