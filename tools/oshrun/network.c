/* With SHMEM_NODES, this machine acts as several nodes, which use a network library, and any user of the machine could
 * connect to its ports. Such a job therefore has its own network namespace, which contains only loopback. For users
 * other than root this needs a user namespace, in which user and group keep their numbers.
 *
 * A child creates the namespaces, and oshrun enters them after the child has succeeded in all steps: some kernels allow
 * the namespace but no rights in it, and in that case oshrun's own settings are unchanged. */
#include "oshrun.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SETTING_NETWORK "COPAL_NETWORK"

struct made {
    int error;            /* an errno, or 0 */
    const char *step;     /* the failed step: a literal, whose address is the same in child and parent */
    bool has_user;        /* a user namespace was created too */
};

/* The PEs' value of a variable: the last -x of the first executable that has one, or the inherited value; or NULL. */
static const char *value_for_pes(const struct options *opt, const char *name)
{
    const size_t n = strlen(name);
    const char *value = environment_as_it_is(name);
    for (int a = 0; a < opt->n_apps; a++)
        for (int i = opt->apps[a].n_env; i-- > 0;)
            if (strncmp(opt->apps[a].env[i], name, n) == 0 && opt->apps[a].env[i][n] == '=')
                return opt->apps[a].env[i] + n + 1;
    return value;
}

static bool has_several_nodes(const struct options *opt)
{
    const char *nodes = value_for_pes(opt, settings[SETTING_SHMEM_NODES].name);
    nodes = nodes && *nodes ? nodes : value_for_pes(opt, "SMA_NODES");
    return nodes && opt->n_pes > 1 && (strchr(nodes, '+') || strtol(nodes, NULL, 10) > 1);
}

/* On an emulated network, the PEs transfer all data through the job file. */
static bool is_emulated(const struct options *opt)
{
    const char *net = value_for_pes(opt, settings[SETTING_SHMEM_NET].name);
    return net && strcmp(net, "emu") == 0;
}

/* --- the child ---------------------------------------------------------------------------------------------------- */

static bool put(const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    const bool is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return is_written;
}

static bool keep_numbers(uid_t user, gid_t group)
{
    char map[40];
    if (!put("/proc/self/setgroups", "deny") && errno != ENOENT) /* required before gid_map */
        return false;
    snprintf(map, sizeof map, "%u %u 1", user, user);
    if (!put("/proc/self/uid_map", map))
        return false;
    snprintf(map, sizeof map, "%u %u 1", group, group);
    return put("/proc/self/gid_map", map);
}

static bool raise_loopback(void)
{
    struct ifreq lo = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool is_up = fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &lo) == 0;
    const int error = errno;
    if (fd >= 0)
        close(fd);
    errno = error;
    return is_up;
}

static struct made make(void)
{
    struct made made = {.step = "unshare"};
    const uid_t user = geteuid();
    const gid_t group = getegid();
    bool works = unshare(CLONE_NEWNET) == 0; /* enough for root */
    if (!works) {
        made.has_user = works = unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0;
        if (works && !(works = keep_numbers(user, group)))
            made.step = "the map of users";
    }
    if (works && !(works = raise_loopback()))
        made.step = "the loopback device";
    made.error = works ? 0 : errno ? errno : EIO;
    return made;
}

/* The child: creates the namespaces, and lives until oshrun closes its end of the socket. */
static _Noreturn void be_maker(const struct run *r, int socket)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != r->self)
        _exit(EXIT_JOB);
    const struct made made = make();
    char end;
    if (send(socket, &made, sizeof made, MSG_NOSIGNAL) == sizeof made && read(socket, &end, 1) < 0)
        _exit(EXIT_JOB);
    _exit(0);
}

/* --- oshrun ------------------------------------------------------------------------------------------------------- */

static int open_namespace(pid_t pid, const char *kind)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, kind);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* A process that creates or enters a user namespace has all rights in it until the next exec; oshrun drops them. */
static void drop_rights(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    syscall(SYS_capset, &header, none);
}

static void enter(pid_t pid, struct made *made)
{
    const int user = made->has_user ? open_namespace(pid, "user") : -1, network = open_namespace(pid, "net");
    made->step = "setns";
    if ((made->has_user && (user < 0 || setns(user, CLONE_NEWUSER) != 0)) || network < 0 ||
        setns(network, CLONE_NEWNET) != 0)
        made->error = errno;
    if (made->has_user && geteuid() != 0)
        drop_rights();
    if (user >= 0)
        close(user);
    if (network >= 0)
        close(network);
}

static struct made make_and_enter(const struct run *r)
{
    struct made made = {.step = "fork"};
    int ends[2], status;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        made.error = errno;
        return made;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_maker(r, ends[1]);
    }
    made.error = errno;
    close(ends[1]);
    if (pid > 0 && recv(ends[0], &made, sizeof made, MSG_WAITALL) != sizeof made)
        made.error = ECHILD;
    if (pid > 0 && !made.error)
        enter(pid, &made);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) { /* waits again */ }
    return made;
}

/* Replaces interfaces that the user has named by loopback, because the namespace has no other interface. (InfiniBand
 * devices exist there; their names contain a colon: mlx5_0:1.) */
static void name_loopback(const struct options *opt, const char *variable)
{
    const char *devices = value_for_pes(opt, variable);
    if (devices && *devices && !strchr(devices, ':'))
        set_for_pes(opt, variable, "lo", '\0');
}

void network_begin(struct run *r)
{
    const char *which = value_for_pes(&r->opt, SETTING_NETWORK);
    const bool is_host = which && strcmp(which, "host") == 0;
    if (which && *which && !is_host && strcmp(which, "own") != 0)
        die(EXIT_USAGE, "environment variable " SETTING_NETWORK " is \"%s\", allowed is own or host", which);
    const bool is_known = is_host || has_several_nodes(&r->opt);
    r->job->network = is_known ? JOB_NETWORK_HOST : JOB_NETWORK_UNKNOWN;
    if (is_host || !is_known || is_emulated(&r->opt))
        return;
    const struct made made = make_and_enter(r);
    if (made.error) {
        say("no separate network can be made for this job (%s: %s), so its nodes use this machine's loopback, to "
            "which other users can connect; " SETTING_NETWORK "=host does the same without this message", made.step,
            strerror(made.error));
        return;
    }
    r->job->network = JOB_NETWORK_OWN;
    name_loopback(&r->opt, "UCX_NET_DEVICES");
    name_loopback(&r->opt, "FI_TCP_IFACE");
}
