#include "races/report.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ADDRESSES = 4, PATIENCE = 30 /* seconds */ };

static bool find_helper(char path[PATH_MAX])
{
    Dl_info here;
    if (!dladdr((void *)(uintptr_t)lines_find, &here) || !realpath(here.dli_fname, path))
        return false;
    char *const slash = strrchr(path, '/');
    const size_t room = (size_t)(path + PATH_MAX - slash);
    return snprintf(slash, room, "/copal-backtrace") < (int)room && access(path, X_OK) == 0;
}

static void split(FILE *in, int n, char lines[][LINE_BYTES])
{
    for (int i = 0; i < n && fgets(lines[i], LINE_BYTES, in); i++)
        lines[i][strcspn(lines[i], "\n")] = '\0';
}

void lines_find(const uintptr_t *addresses, int n, int variable, char lines[][LINE_BYTES])
{
    static const char *const environment[] = {NULL};
    char path[PATH_MAX], text[ADDRESSES][20], *arguments[ADDRESSES + 3] = {path, "--each"};
    int ends[2];
    for (int i = 0; i < n; i++) {
        snprintf(text[i], sizeof text[i], "%s%lx", i == variable ? "@" : "", (unsigned long)addresses[i]);
        arguments[2 + i] = text[i];
        lines[i][0] = '\0';
    }
    if (!find_helper(path) || pipe2(ends, O_CLOEXEC) != 0)
        return;
    const pid_t child = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0, 0); /* a fork without its handlers */
    if (child == 0) {
        alarm(PATIENCE);
        dup2(ends[1], STDOUT_FILENO);
        execve(path, arguments, (char **)environment);
        _exit(1);
    }
    close(ends[1]);
    FILE *const in = fdopen(ends[0], "r");
    if (in) {
        split(in, n, lines);
        fclose(in);
    } else {
        close(ends[0]);
    }
    while (child > 0 && waitpid(child, NULL, __WALL) < 0 && errno == EINTR)
        ;
}
