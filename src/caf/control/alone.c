/* A program without a launcher: if the environment requests several images, it becomes its own launcher. */
#include "../caf.h"
#include "../settings.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_launcher; /* read before shmem_init changes the environment */

enum { MOST_IMAGES = 100000 }; /* cafrun's limit */

#ifndef COPAL_BIN_FROM_LIB
#define COPAL_BIN_FROM_LIB "../bin"
#endif

/* Searches relative to this library, installed or in the build tree. */
static bool find_cafrun(char path[PATH_MAX])
{
    static const char *const places[] = {COPAL_BIN_FROM_LIB, "../bin"};
    static const char here;
    Dl_info own;
    char library[PATH_MAX];
    if (!dladdr(&here, &own) || !realpath(own.dli_fname, library))
        return false;
    *strrchr(library, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (snprintf(path, PATH_MAX, "%s/%s/cafrun", library, places[i]) < PATH_MAX && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Runs before the program's own constructors; glibc passes main's arguments to constructors. */
__attribute__((constructor)) static void become_launcher(int argc, char **argv)
{
    char cafrun[PATH_MAX], program[PATH_MAX] = "", number[16];
    int n, used = 0;
    if ((has_launcher = caf_has_launcher()))
        return;
    n = caf_setting_number(SETTING_COPAL_NUM_IMAGES, MOST_IMAGES);
    if (!n)
        n = caf_setting_number(SETTING_GFORTRAN_NUM_IMAGES, MOST_IMAGES);
    if (n <= 1)
        return;
    snprintf(number, sizeof number, "%d", n);
    char **arguments = malloc(sizeof *arguments * ((size_t)argc + 5));
    if (!arguments || readlink("/proc/self/exe", program, sizeof program - 1) < 0 || !find_cafrun(cafrun))
        caf_fatal("the environment requests %d images, but there is no cafrun beside the library; unset "
                  "COPAL_NUM_IMAGES and GFORTRAN_NUM_IMAGES, and start the program by its launcher", n);
    arguments[used++] = cafrun;
    arguments[used++] = (char[]){"--one-program"}; /* ":" among the arguments is the program's */
    arguments[used++] = (char[]){"-n"};
    arguments[used++] = number;
    arguments[used++] = program;
    for (int i = 1; i < argc; i++)
        arguments[used++] = argv[i];
    arguments[used] = NULL;
    /* A program that an image starts has one image. */
    unsetenv("COPAL_NUM_IMAGES");
    unsetenv("GFORTRAN_NUM_IMAGES");
    execv(cafrun, arguments);
    caf_fatal("the environment requests %d images, but %s cannot be run: %s", n, cafrun, strerror(errno));
}

const char *caf_alone(void)
{
    const bool is_alone = !has_launcher && shmem_n_pes() == 1;
    return is_alone ? "; the program was started without cafrun, and so has one image" : "";
}
