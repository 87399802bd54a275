/* Settings of the process that oshrun changes for itself and restores in its children. */
#include "oshrun.h"

#include <sys/signalfd.h>

static const int handled[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

/* All signals arrive through a descriptor. A signal that is ignored at start (nohup, a shell's "&") stays ignored,
 * except SIGCHLD and SIGQUIT. */
int take_signals(struct inherited *inherited)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof handled / sizeof handled[0]; i++) {
        struct sigaction old;
        sigaction(handled[i], NULL, &old);
        if (old.sa_handler != SIG_IGN || handled[i] == SIGCHLD || handled[i] == SIGQUIT)
            sigaddset(&set, handled[i]);
    }
    signal(SIGCHLD, SIG_DFL); /* if it were ignored, the PEs would end without an exit status */
    signal(SIGQUIT, SIG_DFL);
    sigprocmask(SIG_BLOCK, &set, &inherited->mask);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, &inherited->on_pipe);
    sigaction(SIGXFSZ, &ignore, &inherited->on_file_size); /* then a job file over the limit gives an error */
    getrlimit(RLIMIT_NOFILE, &inherited->files);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void restore_inherited(const struct inherited *inherited)
{
    setrlimit(RLIMIT_NOFILE, &inherited->files);
    sigaction(SIGPIPE, &inherited->on_pipe, NULL);
    sigaction(SIGXFSZ, &inherited->on_file_size, NULL);
    sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
}
