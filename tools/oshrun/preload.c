/* Libraries of Copal that PEs load before the program's own libraries, from libshmem's folder (installed or built). */
#include "oshrun.h"

#include "job/settings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const char *own_folder(void)
{
    static char here[PATH_MAX];
    if (!realpath("/proc/self/exe", here) && !realpath((const char *)getauxval(AT_EXECFN), here)) /* without /proc */
        here[0] = 0;
    char *const slash = strrchr(here, '/');
    if (slash)
        *slash = 0;
    return here;
}

bool find_tool(char path[], const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", own_folder(), name) < PATH_MAX && access(path, X_OK) == 0;
}

/* PATH_MAX characters; false: path is the expected one. */
static bool find_in_lib(char path[], const char *name)
{
    static const char *const folders[] = {COPAL_LIB_FOLDERS};
    const char *here = own_folder();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (snprintf(path, PATH_MAX, "%s/%s/copal/%s", here, folders[i], name) < PATH_MAX && access(path, R_OK) == 0)
            return true;
    return false;
}

void add_setting(struct app *app, char *setting)
{
    app->env = enlarge(app->env, sizeof *app->env * (size_t)(app->n_env + 1));
    app->env[app->n_env++] = setting;
}

void set_for_pes(const struct options *opt, const char *name, const char *value, char separator)
{
    const size_t n = strlen(name);
    for (int a = 0; a < opt->n_apps; a++) {
        struct app *app = &opt->apps[a];
        const char *others = separator ? environment(name) : NULL;
        for (int i = 0; separator && i < app->n_env; i++)
            if (strncmp(app->env[i], name, n) == 0 && app->env[i][n] == '=')
                others = app->env[i] + n + 1;
        const char between[] = {others && *others ? separator : '\0', '\0'};
        add_setting(app, text_of("%s=%s%s%s", name, value, between, others ? others : ""));
    }
}

#ifdef COPAL_PRELOADS
void preload(const struct options *opt, const char *name, const char *user)
{
    char path[PATH_MAX];
    if (!find_in_lib(path, name))
        die(EXIT_JOB, "%s needs %s, which is not there; build Copal with it, and install all of it", user, path);
    if (strchr(path, ':')) /* it separates names, and cannot be quoted */
        die(EXIT_JOB, "%s needs %s, which cannot be loaded: move Copal to a folder without ':'", user, path);
    const char *library = path;
    if (strchr(path, ' ')) { /* a space would end the path: use the name alone, and pass the folder separately */
        char *const slash = strrchr(path, '/');
        *slash = '\0';
        set_for_pes(opt, settings[SETTING_LD_LIBRARY_PATH].name, path, ':');
        library = slash + 1;
    }
    set_for_pes(opt, settings[SETTING_LD_PRELOAD].name, library, ':');
}
#else
void preload(const struct options *opt, const char *name, const char *user)
{
    (void)opt; /* no preload: the sanitizer's library must come first */
    (void)name;
    (void)user;
}
#endif

void use_tapped_libraries(const struct options *opt)
{
    char folder[PATH_MAX];
    if (find_in_lib(folder, "tapped"))
        set_for_pes(opt, settings[SETTING_LD_LIBRARY_PATH].name, folder, ':');
}
