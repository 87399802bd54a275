/* Image control and image queries as gfortran 16 calls them, with teams by value and stat= in every statement. */
#include "../abi.h"

#include <limits.h>

/* The team that a statement or function names; 0: NULL, the current one. */
static const struct caf_team *named_team(const char *function, team_value team)
{
    return team ? gfortran_team(function, team) : NULL;
}

/* --- queries ------------------------------------------------------------------------------------------------------ */

GFORTRAN_API int _gfortran_caf_this_image(team_value team)
{
    return caf_this_image(named_team("this_image", team));
}

/* Older versions pass -1, an int, instead of an address. */
GFORTRAN_API int _gfortran_caf_num_images(team_value team, const int *team_number)
{
    if ((unsigned int)(uintptr_t)team_number == UINT_MAX)
        caf_fatal("num_images: called as gfortran 12 to 15 do, and the program is linked for gfortran 16; compile all "
                  "of it by one compiler");
    if (!team_number)
        return caf_num_images(named_team("num_images", team));
    const struct caf_team *sibling = caf_sibling_team(*team_number);
    if (!sibling)
        caf_fatal("num_images: %s", caf_message());
    return caf_num_images(sibling);
}

GFORTRAN_API int _gfortran_caf_team_number(team_value team)
{
    return (int)caf_team_number(named_team("team_number", team));
}

GFORTRAN_API team_value _gfortran_caf_get_team(const int *level)
{
    const int wanted = level ? *level : CAF_CURRENT_TEAM;
    if (wanted < CAF_INITIAL_TEAM || wanted > CAF_CURRENT_TEAM)
        caf_fatal("get_team: level %d, allowed are initial_team, parent_team and current_team", wanted);
    return caf_name_of_team(caf_get_team((enum caf_team_level)wanted));
}

/* --- synchronization ---------------------------------------------------------------------------------------------- */

GFORTRAN_API void _gfortran_caf_sync_all(int *stat, char *errmsg, size_t errmsg_len)
{
    gfortran_sync_all(stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_sync_memory(int *stat, char *errmsg, size_t errmsg_len)
{
    gfortran_sync_memory(stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_sync_images(int n, const int *images, int *stat, char *errmsg, size_t errmsg_len)
{
    gfortran_sync_images(n, images, stat, errmsg, errmsg_len);
}

/* --- teams -------------------------------------------------------------------------------------------------------- */

/* For a constant new_index gfortran 16 passes the address of a pointer to it. The pointer lies near its target, in the
 * caller's frame. The function uses it only if the value is no valid index, so that correct calls are not misread. */
static const int *real_index(const int *new_index)
{
    enum { FRAME = 1 << 20 };
    if (!new_index || (*new_index > 0 && *new_index <= caf_num_images(NULL)) || (uintptr_t)new_index % sizeof(int *))
        return new_index;
    const int *const pointed = *(const int *const *)(const void *)new_index;
    const uintptr_t distance = (uintptr_t)pointed - (uintptr_t)new_index + FRAME;
    return distance < 2 * FRAME && (uintptr_t)pointed % sizeof(int) == 0 ? pointed : new_index;
}

GFORTRAN_API void _gfortran_caf_form_team(int number, team_value *team, const int *new_index, int *stat, char *errmsg,
                                          size_t errmsg_len)
{
    gfortran_note_shapes();
    gfortran_end_segment();
    caf_report(caf_form_team(number, real_index(new_index), team), stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_change_team(team_value team, int *stat, char *errmsg, size_t errmsg_len)
{
    gfortran_note_shapes();
    gfortran_end_segment();
    const int status = caf_change_team(caf_team_used(team));
    if (status == CAF_STAT_ERROR)
        caf_stay_in_team();
    caf_report(status, stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_end_team(int *stat, char *errmsg, size_t errmsg_len)
{
    gfortran_note_shapes(); /* a coarray is about to be deallocated */
    gfortran_end_segment();
    caf_report(caf_end_team(), stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_sync_team(team_value team, int *stat, char *errmsg, size_t errmsg_len)
{
    gfortran_note_shapes();
    gfortran_end_segment();
    caf_report(caf_sync_team(caf_team_used(team)), stat, errmsg, errmsg_len);
}
