/* The team, the image and the address of a coindexed access, for all versions. */
#include "abi.h"

uint64_t gfortran_segment = 1;

const struct caf_team *gfortran_team(const char *statement, team_value team)
{
    const struct caf_team *t = caf_team_named(team);
    if (!t)
        caf_fatal("%s: the team variable is undefined, or its team has ended; FORM TEAM defines it", statement);
    return t;
}

void gfortran_no_image(const char *statement, caf_token token, int image, const struct caf_team *t, int *stat,
                       char *errmsg, size_t errmsg_len)
{
    if (!token)
        gfortran_outside(statement, NULL, 0, 0);
    caf_report(caf_say(CAF_STAT_ERROR, "%s: image index %d%s, allowed are 1 to %d%s", statement, image,
                       t ? " of that team" : caf_of_current_team(), caf_num_images(t), caf_alone()), stat, errmsg,
               errmsg_len);
}

int gfortran_accessed_pe_slowly(const char *access, caf_token token, int image, const struct caf_team *t, int *stat)
{
    const int pe = caf_pe(t, image);
    if (pe < 0) {
        gfortran_no_image(access, token, image, t, stat, NULL, 0);
        return -1;
    }
    /* Stopped images remain accessible: all images end together. */
    if (*caf_alerts && caf_pe_state(pe) == CAF_STAT_FAILED_IMAGE) {
        caf_report(caf_say_ended(access, pe, CAF_STAT_FAILED_IMAGE), stat, NULL, 0);
        return -1;
    }
    if (stat)
        *stat = CAF_OK;
    return pe;
}

_Noreturn void gfortran_leaves(const char *statement, ptrdiff_t low, ptrdiff_t high, size_t bytes)
{
    caf_fatal("%s: a section that reaches from byte %td to byte %td of a coarray, which has %zu bytes: a subscript is "
              "out of bounds", statement, low, high, bytes);
}

_Noreturn void gfortran_outside(const char *statement, const struct caf_coarray *c, size_t offset, size_t bytes)
{
    if (!c)
        caf_fatal("%s: the coarray is not allocated; or it is one of a recursive procedure, which gfortran confuses "
                  "with those of its other invocations: declare it in the module", statement);
    if (offset < c->bytes)
        gfortran_leaves(statement, (ptrdiff_t)offset, (ptrdiff_t)(offset + bytes), c->bytes);
    caf_fatal("%s: an access %td bytes from the beginning of a coarray, which has %zu bytes: a subscript is out of "
              "bounds, or gfortran has passed its own copy for a coindexed array with a vector subscript in an "
              "expression: assign that array to a variable first", statement, (ptrdiff_t)offset, c->bytes);
}

void gfortran_say_if_failed(const char *access, int pe, int *stat)
{
    if (CAF_UNLIKELY(*caf_alerts) && caf_pe_state(pe) == CAF_STAT_FAILED_IMAGE)
        caf_report(caf_say_ended(access, pe, CAF_STAT_FAILED_IMAGE), stat, NULL, 0);
}
