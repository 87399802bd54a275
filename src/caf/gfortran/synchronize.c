/* SYNC MEMORY and SYNC IMAGES. SYNC ALL is in coarrays.c, because it completes an ALLOCATE too. */
#include "abi.h"
#include "allocation.h"

void gfortran_sync_memory(int *stat, char *errmsg, size_t errmsg_len)
{
    gfortran_note_shapes();
    gfortran_end_segment();
    gfortran_note_got(NULL);
    caf_report(caf_sync_memory(), stat, errmsg, errmsg_len);
}

void gfortran_sync_images(int n, const int *images, int *stat, char *errmsg, size_t errmsg_len)
{
    gfortran_note_shapes();
    gfortran_end_segment();
    gfortran_note_got(NULL);
    caf_report(caf_sync_images(n, images), stat, errmsg, errmsg_len);
}
