/* Start and end of images. */
#include "local.h"

#include <stdio.h>
#include <stdlib.h>

/* Constructors call prif_init first: they allocate the coarrays of modules before the main program starts. */
PRIF(init)(int *stat)
{
    if (prif_n_images) {
        *stat = PRIF_STAT_ALREADY_INIT;
        return;
    }
    caf_init();
    prif_n_images = caf_num_images(NULL);
    *stat = 0;
}

/* --- ends --------------------------------------------------------------------------------------------------------- */

static struct callback {
    prif_stop_callback *run;
    struct callback *next;
} *callbacks; /* the last one first */

PRIF_AS(prif_register_stop_callback_, register_stop_callback);
PRIF(register_stop_callback)(prif_stop_callback *const *callback)
{
    struct callback *c = malloc(sizeof *c);
    if (!c)
        caf_fatal("prif_register_stop_callback: no memory for a record");
    *c = (struct callback){*callback, callbacks};
    callbacks = c;
}

/* Each callback runs once, even if one of them stops the image itself. */
static void run_callbacks(bool is_error_stop, const bool *quiet, const int *code, const char *text, size_t len)
{
    while (callbacks) {
        struct callback *c = callbacks;
        prif_stop_callback *run = c->run;
        callbacks = c->next;
        free(c);
        run(&is_error_stop, quiet, code, text, len);
    }
}

/* quiet is a byte of which flang sets one bit. */
static void say_end(FILE *to, const char *word, const bool *quiet, const int *code, const char *text, size_t len)
{
    if (*(const unsigned char *)quiet & 1)
        return;
    if (text)
        fprintf(to, "%s %.*s\n", word, (int)len, text);
    else if (code)
        fprintf(to, "%s %d\n", word, *code);
    fflush(NULL);
}

PRIF_AS(prif_stop_, stop);
PRIF(stop)(const bool *quiet, const int *code, const char *text, size_t len)
{
    run_callbacks(false, quiet, code, text, len);
    say_end(stdout, "STOP", quiet, code, text, len);
    caf_stop(code ? *code : 0);
}

PRIF_AS(prif_error_stop_, error_stop);
PRIF(error_stop)(const bool *quiet, const int *code, const char *text, size_t len)
{
    run_callbacks(true, quiet, code, text, len);
    say_end(stderr, "ERROR STOP", quiet, code, text, len);
    fflush(NULL);
    caf_error_stop(code ? *code : 1);
}

PRIF(fail_image)(void)
{
    fflush(NULL);
    caf_fail_image();
}

/* --- image numbers ------------------------------------------------------------------------------------------------ */

PRIF(num_images)(int *num_images)
{
    *num_images = caf_num_images(NULL);
}

PRIF(num_images_with_team)(const struct prif_team *team, int *num_images)
{
    *num_images = caf_num_images(prif_team("prif_num_images_with_team", team));
}

PRIF(num_images_with_team_number)(const int64_t *team_number, int *num_images)
{
    *num_images = caf_num_images(prif_team_numbered("prif_num_images_with_team_number", *team_number));
}

PRIF(this_image_no_coarray)(const struct prif_team *team, int *this_image)
{
    *this_image = caf_this_image(prif_team("prif_this_image_no_coarray", team));
}

/* --- ended images ------------------------------------------------------------------------------------------------- */

static void list_images(const char *procedure, const struct prif_team *team, int status, struct prif_descriptor *result)
{
    const struct caf_team *t = prif_team(procedure, team);
    int *images = malloc(sizeof *images * (size_t)caf_num_images(t));
    if (!images)
        caf_fatal("%s: no memory for a list of %d images", procedure, caf_num_images(t));
    const int n = caf_images_with_status(t, status, images);
    prif_assign(procedure, result, images, (size_t)n, sizeof *images);
    free(images);
}

PRIF(failed_images)(const struct prif_team *team, struct prif_descriptor *failed_images)
{
    list_images("prif_failed_images", team, CAF_STAT_FAILED_IMAGE, failed_images);
}

PRIF(stopped_images)(const struct prif_team *team, struct prif_descriptor *stopped_images)
{
    list_images("prif_stopped_images", team, CAF_STAT_STOPPED_IMAGE, stopped_images);
}

PRIF_AS(prif_image_status_, image_status);
PRIF(image_status)(const int *image, const struct prif_team *team, int *image_status)
{
    *image_status = prif_stat(caf_image_status(prif_team("prif_image_status", team), *image));
}
