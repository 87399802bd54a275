/* Teams and synchronization. */
#include "local.h"

#include <stdlib.h>

/* --- teams -------------------------------------------------------------------------------------------------------- */

struct caf_team *prif_team(const char *procedure, const struct prif_team *variable)
{
    if (!variable)
        return NULL;
    struct caf_team *t = caf_team_named(variable->name);
    if (CAF_UNLIKELY(!t))
        caf_fatal("%s: the team variable is undefined, or its team has ended; prif_form_team defines it", procedure);
    return t;
}

struct caf_team *prif_team_numbered(const char *procedure, int64_t number)
{
    struct caf_team *t = caf_sibling_team(number);
    if (CAF_UNLIKELY(!t))
        caf_fatal("%s: %s", procedure, caf_message());
    return t;
}

PRIF(form_team)(const int64_t *team_number, struct prif_team *team, const int *new_index, PRIF_ERRORS)
{
    prif_report(caf_form_team(*team_number, new_index, &team->name), stat, errmsg, errmsg_alloc);
}

PRIF(change_team)(const struct prif_team *team, PRIF_ERRORS)
{
    prif_report(caf_change_team(caf_team_in(&team->name)), stat, errmsg, errmsg_alloc);
}

PRIF(end_team)(PRIF_ERRORS)
{
    prif_ends_team = true;
    const int status = caf_end_team();
    prif_ends_team = false;
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(get_team)(const int *level, struct prif_team *team)
{
    const int wanted = level ? *level : PRIF_CURRENT_TEAM;
    if (CAF_UNLIKELY(wanted > PRIF_CURRENT_TEAM || wanted < PRIF_PARENT_TEAM))
        caf_fatal("prif_get_team: level is %d, allowed are PRIF_CURRENT_TEAM (%d), PRIF_INITIAL_TEAM (%d) and "
                  "PRIF_PARENT_TEAM (%d)", wanted, PRIF_CURRENT_TEAM, PRIF_INITIAL_TEAM, PRIF_PARENT_TEAM);
    const enum caf_team_level which = wanted == PRIF_CURRENT_TEAM   ? CAF_CURRENT_TEAM
                                      : wanted == PRIF_INITIAL_TEAM ? CAF_INITIAL_TEAM
                                                                    : CAF_PARENT_TEAM;
    team->name = caf_name_of_team(caf_get_team(which));
}

PRIF(team_number)(const struct prif_team *team, int64_t *team_number)
{
    *team_number = caf_team_number(prif_team("prif_team_number", team));
}

/* --- synchronization ---------------------------------------------------------------------------------------------- */

PRIF(sync_all)(PRIF_ERRORS)
{
    prif_report(caf_sync_all(), stat, errmsg, errmsg_alloc);
}

static int sync_images(const struct prif_descriptor *set)
{
    const size_t n = prif_extent(set);
    if (n < 2 || set->dim[0].step == sizeof(int))
        return caf_sync_images((int)n, set->base);
    int *images = malloc(n * sizeof *images);
    if (!images)
        caf_fatal("prif_sync_images: no memory for a list of %zu images", n);
    for (size_t i = 0; i < n; i++)
        images[i] = *(const int *)prif_element(set, i);
    const int status = caf_sync_images((int)n, images);
    free(images);
    return status;
}

PRIF(sync_images)(const struct prif_descriptor *image_set, PRIF_ERRORS)
{
    prif_report(image_set ? sync_images(image_set) : caf_sync_images(-1, NULL), stat, errmsg, errmsg_alloc);
}

PRIF(sync_team)(const struct prif_team *team, PRIF_ERRORS)
{
    prif_report(caf_sync_team(caf_team_in(&team->name)), stat, errmsg, errmsg_alloc);
}

PRIF(sync_memory)(PRIF_ERRORS)
{
    prif_report(caf_sync_memory(), stat, errmsg, errmsg_alloc);
}
