/* Passes a file over a socket. A process cannot open another process's files through /proc if their user namespaces
 * differ, and in containers without root each process has its own. The processes share the host's network, and with it
 * the abstract names of sockets.
 *
 * Every user of the host can see an abstract name and connect to it. The kernel reports the peer's user, but all users
 * that a namespace does not map look the same. Therefore, a process gets the file only if it sends the secret of the
 * job, which the launcher or MPI has distributed. */
#include "boot/kit/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { COMES_MS = 600000, SERVED_MS = 60000, LOOK_MS = 10, WORD_SECONDS = 2 };

static socklen_t name_of(const struct kit_file *file, struct sockaddr_un *name)
{
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    const int n = snprintf(name->sun_path + 1, sizeof name->sun_path - 1, "copal-%016jx%016jx",
                           (uintmax_t)file->name.word[0], (uintmax_t)file->name.word[1]);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

/* Whether the peer is a process of this user; another user's process may use the name, or request the file. */
static bool is_own_user(int with)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(with, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

/* Whether the peer sends the secret within the time limit; if not, the peer may connect again. */
static bool says_word(int with, const struct kit_file *file)
{
    const struct timeval patience = {.tv_sec = WORD_SECONDS};
    struct secret said;
    setsockopt(with, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return recv(with, &said, sizeof said, MSG_WAITALL) == sizeof said && secret_is(&file->word, &said);
}

static bool say_word(int with, const struct kit_file *file)
{
    return send(with, &file->word, sizeof file->word, MSG_NOSIGNAL) == sizeof file->word;
}

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
};

static bool send_file(int to, int fd)
{
    char word = 0;
    union control control = {.bytes = {0}};
    struct iovec data = {.iov_base = &word, .iov_len = 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    return sendmsg(to, &message, MSG_NOSIGNAL) == 1;
}

static int receive_file(int from)
{
    char word;
    int fd = -1;
    union control control;
    struct iovec data = {.iov_base = &word, .iov_len = 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t n;
    while ((n = recvmsg(from, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
        /* the owner sends the file only once */
    }
    if (n != 1)
        return -1;
    const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (head && head->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(head), sizeof fd);
    return fd;
}

const char *kit_hand(int fd, const struct kit_file *file, int others)
{
    struct sockaddr_un name;
    const socklen_t size = name_of(file, &name);
    if (!file->is_handed || others == 0)
        return NULL;
    struct pollfd door = {.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), .events = POLLIN};
    bool works = door.fd >= 0 && bind(door.fd, (const struct sockaddr *)&name, size) == 0;
    works = works && listen(door.fd, others) == 0;
    while (works && others > 0) {
        const int came = poll(&door, 1, COMES_MS);
        works = came > 0 || (came < 0 && errno == EINTR);
        errno = came == 0 ? ETIMEDOUT : errno;
        if (came <= 0)
            continue;
        const int to = accept4(door.fd, NULL, NULL, SOCK_CLOEXEC);
        works = to >= 0 || errno == EINTR || errno == ECONNABORTED;
        /* MUTANT the job file needs a secret: says_word(to, file) => true */
        if (to >= 0 && is_own_user(to) && says_word(to, file) && send_file(to, fd))
            others--;
        if (to >= 0)
            close(to);
    }
    const char *why = works ? NULL : kit_sentence("cannot send the job file to PEs of this host: %s", strerror(errno));
    if (door.fd >= 0)
        close(door.fd);
    return why;
}

/* The owner publishes the file first and opens the socket afterwards, so the connecting side retries. */
static int be_handed(const struct kit_file *file)
{
    struct sockaddr_un name;
    const socklen_t size = name_of(file, &name);
    int fd = -1, error = 0;
    for (int ms = 0; ms < SERVED_MS && fd < 0; ms += LOOK_MS) {
        const int from = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        /* MUTANT the secret is for one user: is_own_user(from) => true */
        if (from >= 0 && connect(from, (const struct sockaddr *)&name, size) == 0 && is_own_user(from) &&
            say_word(from, file))
            fd = receive_file(from);
        error = errno;
        if (from >= 0)
            close(from);
        if (fd < 0)
            poll(NULL, 0, LOOK_MS);
    }
    errno = error;
    return fd;
}

const char *kit_offer(int fd, struct kit_file *file)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return kit_sentence("cannot share the job file: %s", strerror(errno));
    *file = (struct kit_file){.pid = (int)getpid(), .fd = fd, .dev = status.st_dev, .ino = status.st_ino,
                              .is_handed = kit_is_contained(), .name = secret_new(), .word = secret_new()};
    return NULL;
}

const char *kit_other_way(int first)
{
    return kit_sentence("PE %d describes its job file in another format; do all PEs run the same version of "
                        "Copal?", first);
}

int kit_open(const struct kit_file *file, int first, const char **why)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", file->pid, file->fd);
    const int fd = file->is_handed ? be_handed(file) : open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == file->dev && status.st_ino == file->ino)
        return fd;
    *why = kit_sentence(
        "cannot open %s, the job file of PE %d: %s; the processes of the job on a host must have the same user "
        "and, in containers, share the host's process numbers and network",
        path, first, fd >= 0 ? "it is another file" : strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}
