/* pes: 2 3 4 8 */
/* An image fails right after it has left a synchronization: this synchronization must succeed for all others, and the
 * next one must fail. One image after the other fails this way, in teams of the remaining images. */
#include "core.h"

int main(void)
{
    start();
    for (int last = n; last > 1; last--) {
        caf_team_name name = 0;
        const int form = caf_form_team(last, 0, &name);
        CHECK(form == (last == n ? CAF_OK : CAF_STAT_FAILED_IMAGE), "%d left: form team gives %d", last, form);
        CHECK(caf_change_team(caf_team_in(&name)) == CAF_OK && caf_num_images(NULL) == last, "%s", caf_message());
        for (int i = 0; i < 3; i++)
            CHECK(caf_sync_all() == CAF_OK, "%d left, time %d: %s", last, i, caf_message());
        if (me == last && check_result() != 0)
            caf_error_stop(1);
        if (me == last)
            caf_fail_image();
        CHECK(caf_sync_all() == CAF_STAT_FAILED_IMAGE, "%d left: no image has failed", last);
        CHECK(caf_end_team() == CAF_STAT_FAILED_IMAGE, "%d left: no image has failed", last);
    }
    caf_stop(check_result());
}
