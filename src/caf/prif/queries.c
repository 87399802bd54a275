/* Queries about coarrays: cobounds, images by cosubscripts, memory, and data that the program has attached. */
#include "local.h"

/* --- cobounds ----------------------------------------------------------------------------------------------------- */

/* The number of images by which one step of this cosubscript (from 0) advances; at most MANY. */
static int64_t images_per_step(const struct prif_coarray *c, int codimension)
{
    const int64_t MANY = (int64_t)1 << 31;
    int64_t images = 1;
    for (int i = 0; i < codimension; i++)
        images = c->extent[i] < MANY / images ? images * c->extent[i] : MANY;
    return images;
}

/* The extent of a codimension; the last one depends on the current team's size. */
static int64_t coextent(const struct prif_coarray *c, int codimension)
{
    if (codimension < c->corank - 1)
        return c->extent[codimension];
    const int64_t step = images_per_step(c, codimension);
    return (caf_num_images(NULL) + step - 1) / step;
}

static int codimension_of(const char *procedure, const struct prif_coarray *c, int dim)
{
    if (CAF_UNLIKELY(dim < 1 || dim > c->corank))
        caf_fatal("%s: dim is %d, allowed are 1 to %d", procedure, dim, c->corank);
    return dim - 1;
}

static void check_extent(const char *procedure, const char *argument, const struct prif_coarray *c,
                         const struct prif_descriptor *d)
{
    if (CAF_UNLIKELY(prif_check_extent(procedure, argument, d, (size_t)c->corank)))
        caf_fatal("%s", caf_message());
}

PRIF(lcobound_with_dim)(const prif_handle *coarray_handle, const int *dim, int64_t *lcobound)
{
    const struct prif_coarray *c = prif_coarray("prif_lcobound_with_dim", *coarray_handle);
    *lcobound = c->lower[codimension_of("prif_lcobound_with_dim", c, *dim)];
}

PRIF(lcobound_no_dim)(const prif_handle *coarray_handle, const struct prif_descriptor *lcobounds)
{
    const struct prif_coarray *c = prif_coarray("prif_lcobound_no_dim", *coarray_handle);
    check_extent("prif_lcobound_no_dim", "lcobounds", c, lcobounds);
    for (int i = 0; i < c->corank; i++)
        *(int64_t *)prif_element(lcobounds, (size_t)i) = c->lower[i];
}

PRIF(ucobound_with_dim)(const prif_handle *coarray_handle, const int *dim, int64_t *ucobound)
{
    const struct prif_coarray *c = prif_coarray("prif_ucobound_with_dim", *coarray_handle);
    const int i = codimension_of("prif_ucobound_with_dim", c, *dim);
    *ucobound = c->lower[i] + coextent(c, i) - 1;
}

PRIF(ucobound_no_dim)(const prif_handle *coarray_handle, const struct prif_descriptor *ucobounds)
{
    const struct prif_coarray *c = prif_coarray("prif_ucobound_no_dim", *coarray_handle);
    check_extent("prif_ucobound_no_dim", "ucobounds", c, ucobounds);
    for (int i = 0; i < c->corank; i++)
        *(int64_t *)prif_element(ucobounds, (size_t)i) = c->lower[i] + coextent(c, i) - 1;
}

PRIF(coshape)(const prif_handle *coarray_handle, const struct prif_descriptor *sizes)
{
    const struct prif_coarray *c = prif_coarray("prif_coshape", *coarray_handle);
    check_extent("prif_coshape", "sizes", c, sizes);
    for (int i = 0; i < c->corank; i++)
        *(int64_t *)prif_element(sizes, (size_t)i) = coextent(c, i);
}

/* --- from cosubscripts to images ---------------------------------------------------------------------------------- */

/* The index in a team of n images; 0: no such image. */
static int image_of(const char *procedure, prif_handle h, const struct prif_descriptor *sub, int n)
{
    const struct prif_coarray *c = prif_coarray(procedure, h);
    check_extent(procedure, "sub", c, sub);
    int64_t image = 0;
    for (int i = 0; i < c->corank; i++) {
        const int64_t s = *(const int64_t *)prif_element(sub, (size_t)i), steps = s - c->lower[i];
        if (s < c->lower[i] || (i < c->corank - 1 && steps >= c->extent[i]) || steps >= n)
            return 0;
        image += steps * images_per_step(c, i);
        if (image >= n)
            return 0;
    }
    return (int)image + 1;
}

PRIF(image_index)(const prif_handle *coarray_handle, const struct prif_descriptor *sub, int *image_index)
{
    *image_index = image_of("prif_image_index", *coarray_handle, sub, caf_num_images(NULL));
}

PRIF(image_index_with_team)(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                            const struct prif_team *team, int *image_index)
{
    *image_index = image_of(__func__, *coarray_handle, sub, caf_num_images(prif_team(__func__, team)));
}

PRIF(image_index_with_team_number)(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                                   const int64_t *team_number, int *image_index)
{
    *image_index = image_of(__func__, *coarray_handle, sub, caf_num_images(prif_team_numbered(__func__, *team_number)));
}

static void find_in_initial_team(const char *procedure, prif_handle h, const struct prif_descriptor *sub,
                                 const struct caf_team *team, int *initial_team_index, int *stat)
{
    const int n = caf_num_images(team), image = image_of(procedure, h, sub, n);
    int status = CAF_OK;
    *initial_team_index = image ? caf_pe(team, image) + 1 : 0;
    if (!image)
        status = caf_say(CAF_STAT_ERROR, "%s: no image has these cosubscripts in a team of %d images", procedure, n);
    else if (CAF_UNLIKELY(*caf_alerts) && caf_pe_state(*initial_team_index - 1) == CAF_STAT_FAILED_IMAGE && stat)
        status = caf_say_ended(procedure, *initial_team_index - 1, CAF_STAT_FAILED_IMAGE);
    prif_report(status, stat, NULL, NULL);
}

PRIF(initial_team_index)(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                         int *initial_team_index, int *stat)
{
    find_in_initial_team("prif_initial_team_index", *coarray_handle, sub, NULL, initial_team_index, stat);
}

PRIF(initial_team_index_with_team)(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                                   const struct prif_team *team, int *initial_team_index, int *stat)
{
    find_in_initial_team(__func__, *coarray_handle, sub, prif_team(__func__, team), initial_team_index, stat);
}

PRIF(initial_team_index_with_team_number)(const prif_handle *coarray_handle, const struct prif_descriptor *sub,
                                          const int64_t *team_number, int *initial_team_index, int *stat)
{
    find_in_initial_team(__func__, *coarray_handle, sub, prif_team_numbered(__func__, *team_number), initial_team_index,
                         stat);
}

/* --- from images to cosubscripts ---------------------------------------------------------------------------------- */

static int64_t cosubscript(const struct prif_coarray *c, int codimension, int image)
{
    const int64_t steps = (image - 1) / images_per_step(c, codimension);
    return c->lower[codimension] + (codimension < c->corank - 1 ? steps % c->extent[codimension] : steps);
}

PRIF(this_image_with_coarray)(const prif_handle *coarray_handle, const struct prif_team *team,
                              const struct prif_descriptor *cosubscripts)
{
    const struct prif_coarray *c = prif_coarray(__func__, *coarray_handle);
    const int image = caf_this_image(prif_team(__func__, team));
    check_extent(__func__, "cosubscripts", c, cosubscripts);
    for (int i = 0; i < c->corank; i++)
        *(int64_t *)prif_element(cosubscripts, (size_t)i) = cosubscript(c, i, image);
}

PRIF(this_image_with_dim)(const prif_handle *coarray_handle, const int *dim, const struct prif_team *team,
                          int64_t *cosubscript_of_dim)
{
    const struct prif_coarray *c = prif_coarray(__func__, *coarray_handle);
    *cosubscript_of_dim = cosubscript(c, codimension_of(__func__, c, *dim), caf_this_image(prif_team(__func__, team)));
}

/* --- memory and attached data ------------------------------------------------------------------------------------- */

PRIF(local_data_pointer)(prif_handle coarray_handle, void **local_data)
{
    *local_data = prif_coarray("prif_local_data_pointer", coarray_handle)->base;
}

PRIF(set_context_data)(prif_handle coarray_handle, void *context_data)
{
    prif_coarray("prif_set_context_data", coarray_handle)->source->context = context_data;
}

PRIF(get_context_data)(prif_handle coarray_handle, void **context_data)
{
    *context_data = prif_coarray("prif_get_context_data", coarray_handle)->source->context;
}

PRIF(size_bytes)(prif_handle coarray_handle, size_t *data_size)
{
    *data_size = prif_coarray("prif_size_bytes", coarray_handle)->bytes;
}
