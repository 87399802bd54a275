/* --profile and --trace: preloads the counting library; copal-profile makes a profile of the PEs' files at the end. */
#include "oshrun.h"

#include "job/settings.h"
#include "profile/record/piece.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The folder of the profile: "is.profile" for apps/is. */
static char *folder_for(const struct options *opt)
{
    const char *slash = strrchr(opt->apps[0].argv[0], '/');
    return opt->profile[0] ? text_of("%s", opt->profile)
                           : text_of("%s.profile", slash ? slash + 1 : opt->apps[0].argv[0]);
}

static char *folder; /* as an absolute path; NULL: no profile */
static char tool[PATH_MAX];

static void make_folder(const struct options *opt)
{
    char *name = folder_for(opt);
    const char *const option = opt->trace ? "--trace" : "--profile";
    struct stat status;
    if (mkdir(name, 0777) != 0 && (errno != EEXIST || stat(name, &status) != 0 || !S_ISDIR(status.st_mode)))
        die(EXIT_USAGE, "%s=%s: the folder cannot be made: %s; name another one", option, name, strerror(errno));
    if (!(folder = realpath(name, NULL)) || access(folder, W_OK) != 0)
        die(EXIT_USAGE, "%s=%s: nothing can be written to this folder: %s; name another one", option, name,
            strerror(errno));
    free(name);
    remove_pieces(folder); /* if this job ends before shmem_init, an earlier job's files would remain */
}

void profile_begin(const struct options *opt)
{
    if (!opt->profile)
        return;
    if (opt->races)
        die(EXIT_USAGE, "--profile and --races: a job can use only one of them; leave one out");
    if (!find_tool(tool, "copal-profile"))
        die(EXIT_JOB, "--profile needs %s, which is not there; build Copal with it, and install all of it", tool);
    make_folder(opt);
    set_for_pes(opt, settings[SETTING_SHMEM_PROFILE].name, folder, 0);
    set_for_pes(opt, settings[SETTING_SHMEM_TRACE].name, opt->trace ? "1" : "0", 0);
    preload(opt, "libcopal-profile.so", "--profile");
    use_tapped_libraries(opt);
}

void profile_say_later(void)
{
    if (folder)
        say("when the job has ended, copal-profile %s makes the profile", folder);
}

void profile_end(void)
{
    int status = 0;
    if (!folder)
        return;
    const pid_t pid = fork();
    if (pid == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execl(tool, "copal-profile", folder, (char *)NULL);
        _exit(EXIT_CANNOT_RUN);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) == EXIT_CANNOT_RUN)
        say("the profile cannot be made: %s does not run", tool);
}
