/* Start and end of images. */
#include "abi.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* libgfortran's; NULL if the program does not link it. */
extern void _gfortran_flush_i4(const int *unit) __attribute__((weak));
extern void _gfortran_stop_string(const char *text, size_t len, bool quiet) __attribute__((weak));
extern void _gfortran_error_stop_string(const char *text, size_t len, bool quiet) __attribute__((weak));

GFORTRAN_API void _gfortran_caf_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    caf_init();
    /* No image accesses another's static coarrays before they are registered. */
    caf_report(caf_sync_all(), NULL, NULL, 0);
}

/* --- ends --------------------------------------------------------------------------------------------------------- */

static void *flush_units(void *unused)
{
    (void)unused;
    _gfortran_flush_i4(NULL);
    return NULL;
}

/* Writes the program's output before any message about the end, no matter what ends the process later. If a WRITE calls
 * a function that executes ERROR STOP, the unit stays locked: a separate thread flushes, and this one waits for a
 * limited time. The end of the process then writes the rest without locks. */
static void flush_output(void)
{
    enum { PATIENCE_MS = 200 };
    pthread_t flusher;
    struct timespec until;
    if (!_gfortran_flush_i4 || pthread_create(&flusher, NULL, flush_units, NULL) != 0)
        return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (pthread_timedjoin_np(flusher, NULL, &until) != 0)
        pthread_detach(flusher);
}

GFORTRAN_API void _gfortran_caf_finalize(void)
{
    flush_output();
    caf_finalize();
}

/* What an image prints at its end, and how it ends. */
static struct ending {
    const char *word, *text;
    size_t len;
    bool quiet, said, error;
    int code;
} ending;

static _Noreturn void end(void)
{
    if (!ending.quiet && !ending.said && ending.word)
        fprintf(stderr, "%s%.*s\n", ending.word, (int)ending.len, ending.text);
    fflush(NULL);
    if (ending.error)
        caf_error_stop(ending.code);
    caf_stop(ending.code);
}

static void end_at_exit(int code, void *unused)
{
    (void)code;
    (void)unused;
    end();
}

/* Adds "(image 2)" to the text if there are several images. */
static void name_image(void)
{
    const size_t most = ending.len + 32;
    char *text = caf_current && shmem_n_pes() > 1 ? malloc(most) : NULL;
    if (!text)
        return;
    ending.len = (size_t)snprintf(text, most, "%.*s%s(image %d)", (int)ending.len, ending.text, ending.len ? " " : "",
                                  caf_my_pe + 1);
    ending.text = text;
}

/* Only libgfortran's own STOP and ERROR STOP know which floating-point exceptions to report and whether the program
 * wants a backtrace. They are called here, and end_at_exit takes over in their exit(). */
static _Noreturn void end_with_notes(void)
{
    flush_output();
    if (ending.error)
        name_image();
    if (!ending.quiet && _gfortran_stop_string && _gfortran_error_stop_string && on_exit(end_at_exit, NULL) == 0) {
        ending.said = ending.error;
        if (ending.error)
            _gfortran_error_stop_string(ending.text, ending.len, false);
        _gfortran_stop_string(NULL, 0, false);
    }
    end();
}

static _Noreturn void end_with_number(const char *word, int code, bool quiet, bool error)
{
    static char text[16];
    const int len = snprintf(text, sizeof text, "%d", code);
    ending = (struct ending){.word = word, .text = text, .len = (size_t)len, .quiet = quiet, .error = error,
                             .code = code};
    end_with_notes();
}

GFORTRAN_API _Noreturn void _gfortran_caf_stop_numeric(int code, bool quiet)
{
    end_with_number("STOP ", code, quiet, false);
}

/* STOP without a code prints nothing. */
GFORTRAN_API _Noreturn void _gfortran_caf_stop_str(const char *text, size_t len, bool quiet)
{
    ending = (struct ending){.word = text ? "STOP " : NULL, .text = text, .len = len, .quiet = quiet};
    end_with_notes();
}

GFORTRAN_API _Noreturn void _gfortran_caf_error_stop(int code, bool quiet)
{
    end_with_number("ERROR STOP ", code, quiet, true);
}

GFORTRAN_API _Noreturn void _gfortran_caf_error_stop_str(const char *text, size_t len, bool quiet)
{
    ending = (struct ending){.word = "ERROR STOP ", .text = text ? text : "", .len = text ? len : 0, .quiet = quiet,
                             .error = true, .code = 1};
    end_with_notes();
}

GFORTRAN_API _Noreturn void _gfortran_caf_fail_image(void)
{
    flush_output();
    caf_fail_image();
}

/* --- ended images ------------------------------------------------------------------------------------------------- */

/* Makes a new array, which the program frees, of integers of *kind: the images with this status. kind is NULL for
 * default integers, whose size, 8 bytes with -fdefault-integer-8, is in the descriptor. */
static void list_images(struct gfortran_descriptor *d, const struct caf_team *t, const int *kind, int status)
{
    const int bytes = kind ? *kind : d->dtype.elem_len == 8 ? 8 : 4;
    int *images = malloc(sizeof *images * (size_t)caf_num_images(t));
    if (!images)
        caf_fatal("failed_images: no memory for a list of %d images", caf_num_images(t));
    const int n = caf_images_with_status(t, status, images);
    char *list = malloc((size_t)(n ? n : 1) * (size_t)bytes);
    if (!list)
        caf_fatal("failed_images: no memory for a list of %d images", n);
    for (int i = 0; i < n; i++) {
        const int64_t value[2] = {images[i], 0};
        memcpy(list + i * bytes, value, (size_t)bytes); /* little-endian */
    }
    free(images);
    d->base = list;
    d->offset = 0;
    d->dtype.elem_len = (size_t)bytes;
    d->dtype.version = 0;
    d->dtype.rank = 1;
    d->dtype.type = CAF_INTEGER;
    d->dtype.attribute = 0;
    d->span = bytes;
    /* Lower bound 0: an assignment to an allocatable variable adds 1 to the upper bound. */
    d->dim[0] = (struct gfortran_dim){.stride = 1, .lower = 0, .upper = n - 1};
}

/* For an absent team gfortran 12 to 15 pass -1, and 16 passes NULL; in image_status -1 is an int, so the upper half of
 * the register is undefined. */
static const struct caf_team *given_team(const char *function, const team_value *team)
{
    return team && (uint32_t)(uintptr_t)team != UINT32_MAX ? gfortran_team(function, *team) : NULL;
}

GFORTRAN_API void _gfortran_caf_failed_images(struct gfortran_descriptor *d, const team_value *team, const int *kind)
{
    list_images(d, given_team("failed_images", team), kind, CAF_STAT_FAILED_IMAGE);
}

GFORTRAN_API void _gfortran_caf_stopped_images(struct gfortran_descriptor *d, const team_value *team, const int *kind)
{
    list_images(d, given_team("stopped_images", team), kind, CAF_STAT_STOPPED_IMAGE);
}

GFORTRAN_API int _gfortran_caf_image_status(int image, const team_value *team)
{
    return caf_image_status(given_team("image_status", team), image);
}
