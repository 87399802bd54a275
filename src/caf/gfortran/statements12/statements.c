/* Image control and image queries as gfortran 12 to 15 call them; statements16/ has the same names for version 16. */
#include "../abi.h"

#include <stdlib.h>

/* Objects of gfortran 16 link with this library too, except for GET_TEAM. Their arguments differ: they are recognized
 * by values that older versions never pass. */
static void refuse_16(const char *statement, bool is_16)
{
    if (CAF_UNLIKELY(is_16))
        caf_fatal("%s: called as gfortran 16 does, and the program is linked for an older one; compile all of it by "
                  "one compiler", statement);
}

static bool is_no_address(const void *p)
{
    return (uintptr_t)p >> 48;
}

/* gfortran passes a distance of the technical specification: always 0, even if the program names a team. */
GFORTRAN_API int _gfortran_caf_this_image(int distance)
{
    const int most = 1 << 16;
    refuse_16("this_image", distance < 0 || distance > most);
    return caf_this_image(NULL);
}

/* Version 16 passes a team and an address, or 0 twice. */
GFORTRAN_API int _gfortran_caf_num_images(int distance, int failed)
{
    refuse_16("num_images", failed < -1 || failed > 1 || (failed == 0 && distance != 0));
    if (failed < 0)
        return caf_num_images(NULL);
    int *images = malloc(sizeof *images * (size_t)caf_num_images(NULL));
    const int n_failed = images ? caf_images_with_status(NULL, CAF_STAT_FAILED_IMAGE, images) : 0;
    free(images);
    return failed ? n_failed : caf_num_images(NULL) - n_failed;
}

/* In SYNC ALL, SYNC MEMORY and SYNC IMAGES only, gfortran 12 to 15 pass the address of the pointer to errmsg. */
static char *real_errmsg(char *const *errmsg)
{
    return errmsg ? *errmsg : NULL;
}

GFORTRAN_API void _gfortran_caf_sync_all(int *stat, char *const *errmsg, size_t errmsg_len)
{
    gfortran_sync_all(stat, real_errmsg(errmsg), errmsg_len);
}

GFORTRAN_API void _gfortran_caf_sync_memory(int *stat, char *const *errmsg, size_t errmsg_len)
{
    gfortran_sync_memory(stat, real_errmsg(errmsg), errmsg_len);
}

GFORTRAN_API void _gfortran_caf_sync_images(int n, const int *images, int *stat, char *const *errmsg, size_t errmsg_len)
{
    gfortran_sync_images(n, images, stat, real_errmsg(errmsg), errmsg_len);
}

/* --- teams: gfortran 12 has no stat= in these --------------------------------------------------------------------- */

GFORTRAN_API void _gfortran_caf_form_team(int number, team_value *team, int unused)
{
    refuse_16("form team", unused != 0);
    gfortran_end_segment();
    caf_report(caf_form_team(number, NULL, team), NULL, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_change_team(team_value *team, int unused)
{
    (void)unused;
    refuse_16("change team", is_no_address(team));
    gfortran_end_segment();
    caf_report(caf_change_team(caf_team_in(team)), NULL, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_end_team(team_value *unused)
{
    refuse_16("end team", unused != NULL);
    gfortran_note_shapes(); /* a coarray is about to be deallocated */
    gfortran_end_segment();
    caf_report(caf_end_team(), NULL, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_sync_team(team_value *team, int unused)
{
    (void)unused;
    refuse_16("sync team", is_no_address(team));
    gfortran_end_segment();
    caf_report(caf_sync_team(caf_team_in(team)), NULL, NULL, 0);
}

GFORTRAN_API int _gfortran_caf_team_number(team_value team)
{
    return (int)caf_team_number(team ? gfortran_team("team_number", team) : NULL); /* 0: the program names none */
}
