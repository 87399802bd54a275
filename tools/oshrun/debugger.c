/* Runs one gdb for each debugged process: on oshrun's own terminal, or in windows. */
#include "debugger.h"
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Makes gdb's `run` report an error: it would start the program again, as a process that is not a PE. */
static int refuse_run(void)
{
    static int fd = -1;
    if (fd >= 0 || (fd = memfd_create("copal-gdb", 0)) < 0)
        return fd;
    const char *const names[] = {"run", "start", "starti"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        dprintf(fd, "define %s\necho The %s has already started and is held at its beginning: type continue. To run it "
                "again, leave gdb and restart the job.\\n\nend\n", names[i], words.unit);
    return fd;
}

/* Allows breakpoints in libraries that are not loaded yet. gdb does not show the signal that holds a PE. */
static void add_gdb(struct command *c, int unit, pid_t pid)
{
    command_add_words(c, "gdb", "-q", "-iex", "set breakpoint pending on", "-iex", NULL);
    command_add(c, "set prompt (%s %d) ", words.unit, unit);
    command_add_words(c, "-iex", "handle SIGSTOP SIGCONT nostop noprint nopass", "-ix", NULL);
    command_add(c, "/proc/%d/fd/%d", (int)getpid(), refuse_run());
    command_add(c, "-p");
    command_add(c, "%d", (int)pid);
}

static bool has_display(void)
{
    const char *display = environment("DISPLAY");
    return display && launcher_on_path("xterm");
}

enum place debugger_place(int n)
{
    if (!launcher_on_path("gdb"))
        die(EXIT_JOB, "--debug: there is no gdb in the folders of PATH; install it, on Debian by: apt-get install gdb");
    if (n == 1)
        return ON_TERMINAL;
    if (environment("TMUX") && launcher_on_path("tmux"))
        return IN_TMUX;
    if (has_display())
        return IN_XTERM;
    if (launcher_on_path("tmux"))
        return IN_TMUX_SERVER;
    die(EXIT_JOB, "--debug: %d debuggers need windows, and there is neither tmux nor a display with xterm; install "
        "tmux, or choose one %s, which has this terminal", n, words.unit);
}

static pid_t tmux_server;
static char tmux_socket[PATH_MAX];

/* The server that tmux runs for this oshrun, if oshrun does not run in tmux. */
static const char *server_name(void)
{
    static char name[32];
    snprintf(name, sizeof name, "copal-%d", (int)getpid());
    return name;
}

/* inherited: settings to restore, or NULL with --attach; out: the descriptor for the command's output, or -1. */
static pid_t spawn(const struct command *c, const struct inherited *inherited, int out)
{
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    if (inherited)
        restore_inherited(inherited);
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    else if (inherited)
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    execvp(c->words[0], c->words);
    _exit(EXIT_CANNOT_RUN);
}

/* Runs tmux and returns the process number that it prints, or 0. Its output also has the server's number and socket. */
static pid_t ask_tmux(const struct command *c, const struct inherited *inherited)
{
    char text[PATH_MAX + 40] = "";
    int ends[2], status = 1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    const pid_t pid = spawn(c, inherited, ends[1]);
    close(ends[1]);
    const ssize_t n = pid > 0 ? read(ends[0], text, sizeof text - 1) : 0;
    close(ends[0]);
    if (pid > 0)
        waitpid(pid, &status, 0);
    if (n <= 0 || status != 0)
        return 0;
    int pane = 0, server;
    if (sscanf(text, "%d %d %4095s", &pane, &server, tmux_socket) == 3)
        tmux_server = server;
    return pane;
}

bool debugger_is(const struct run *r, pid_t pid)
{
    for (int i = 0; r->opt.debug && i < r->opt.n_pes; i++)
        if (r->pe[i].debugger == pid)
            return true;
    return tmux_server && pid == tmux_server;
}

static struct command begin_tmux(enum place place, const char *what)
{
    struct command c = {0};
    command_add(&c, "tmux");
    if (place == IN_TMUX_SERVER)
        command_add_words(&c, "-L", server_name(), NULL);
    command_add(&c, "%s", what);
    return c;
}

/* Starts gdb in a new pane or window, or in the first window of a new server. */
static pid_t start_in(enum place place, const char *what, int unit, pid_t pid, const struct inherited *inherited)
{
    struct command c = begin_tmux(place, what);
    const char *pane = environment("TMUX_PANE");
    command_add_words(&c, "-d", "-P", "-F", "#{pane_pid} #{pid} #{socket_path}", NULL);
    if (place == IN_TMUX && pane && strcmp(what, "split-window") == 0)
        command_add_words(&c, "-t", pane, NULL);
    add_gdb(&c, unit, pid);
    const pid_t debugger = ask_tmux(&c, inherited);
    command_free(&c);
    return debugger;
}

static pid_t start_in_tmux(enum place place, int unit, pid_t pid, const struct inherited *inherited)
{
    static bool has_server;
    const bool is_first = place == IN_TMUX_SERVER && !has_server;
    pid_t debugger = start_in(place, is_first ? "new-session" : "split-window", unit, pid, inherited);
    if (!debugger && !is_first) /* no space for a pane */
        debugger = start_in(place, "new-window", unit, pid, inherited);
    has_server |= debugger > 0;
    struct command layout = begin_tmux(place, "select-layout");
    command_add(&layout, "tiled");
    ask_tmux(&layout, inherited);
    command_free(&layout);
    return debugger;
}

static pid_t start_here(enum place place, int unit, pid_t pid, const struct inherited *inherited)
{
    struct command c = {0};
    if (place == IN_XTERM) {
        command_add_words(&c, "xterm", "-T", NULL);
        command_add(&c, "%s %d", words.unit, unit);
        command_add(&c, "-e");
    }
    add_gdb(&c, unit, pid);
    const pid_t debugger = spawn(&c, inherited, -1);
    command_free(&c);
    return debugger;
}

pid_t debugger_start(enum place place, int unit, pid_t pid, const struct inherited *inherited)
{
    const bool is_here = place == ON_TERMINAL || place == IN_XTERM;
    const pid_t debugger = (is_here ? start_here : start_in_tmux)(place, unit, pid, inherited);
    if (debugger <= 0)
        say("%s %d: its debugger cannot be started", words.unit, unit);
    return debugger > 0 ? debugger : 0;
}

void debugger_say_where(enum place place)
{
    if (place == IN_TMUX_SERVER)
        say("gdb waits in tmux; see it by: tmux -L %s attach", server_name());
}

void debugger_become(int unit, pid_t pid)
{
    struct command c = {0};
    add_gdb(&c, unit, pid);
    execvp(c.words[0], c.words);
    die(EXIT_CANNOT_RUN, "gdb cannot be run: %s", strerror(errno));
}

void debugger_tidy(void)
{
    if (*tmux_socket && strstr(tmux_socket, server_name())) /* not a server of the user */
        unlink(tmux_socket);
}
