/* images: 2 3 4 */
/* CRITICAL with stat=, as gfortran 16 compiles it: if an image has failed in the block, the status of the next image is
 * STAT_FAILED_IMAGE, not that of LOCK. */
#include "calls.h"
#include "check.h"

#include <string.h>

void _gfortran_caf_lock(caf_token token, size_t index, int image, int *acquired, int *stat, char *errmsg, size_t len);
void _gfortran_caf_unlock(caf_token token, size_t index, int image, int *stat, char *errmsg, size_t len);
_Noreturn void _gfortran_caf_fail_image(void);
int _gfortran_caf_image_status(int image, const void *team);

int main(int argc, char **argv)
{
    struct descriptor_room room;
    struct gfortran_descriptor *d = (void *)room.bytes;
    caf_token block;
    int stat = 77;
    char why[200] = "";
    *d = (struct gfortran_descriptor){.dtype = {.elem_len = sizeof(int), .type = CAF_INTEGER}};
    _gfortran_caf_register(1, CRITICAL_SECTION, &block, d, NULL, NULL, 0);
    _gfortran_caf_init(&argc, &argv);
    const int n = shmem_n_pes(), me = shmem_my_pe() + 1;
    if (me == n)
        _gfortran_caf_lock(block, 0, 1, NULL, &stat, NULL, 0);
    _gfortran_caf_sync_all(NULL, NULL, 0);
    if (me == n)
        _gfortran_caf_fail_image();
    while (!_gfortran_caf_image_status(n, NULL))
        ;
    _gfortran_caf_lock(block, 0, 1, NULL, &stat, why, sizeof why);
    CHECK(stat == CAF_STAT_FAILED_IMAGE || (stat == CAF_OK && n > 2), "the status is %d", stat);
    if (stat)
        CHECK(strncmp(why, "critical: image", strlen("critical: image")) == 0, "the message is %s", why);
    _gfortran_caf_unlock(block, 0, 1, &stat, NULL, 0);
    CHECK(stat == CAF_OK, "the status of unlock is %d", stat);
    const int result = check_result();
    if (!result)
        _gfortran_caf_finalize();
    return result;
}
