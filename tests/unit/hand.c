/* sources: src/boot/kit/kit.c src/boot/kit/hand.c src/job/settings.c */
/* flags: -Wl,--wrap=recvmsg */
/* A job file that is passed over a socket is given to processes that know the secret word, and to no other process
 * of the same user. A signal may interrupt the process that waits for it. */
#include "../check.h"
#include "boot/kit/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

/* Connects to the socket that passes the file on, which soon exists; or -1. */
static int at_door(const struct kit_file *file)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int n = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "copal-%016jx%016jx",
                           (uintmax_t)file->name.word[0], (uintmax_t)file->name.word[1]);
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    for (int ms = 0; ms < 30000; ms += 10) {
        if (connect(fd, (const struct sockaddr *)&name, size) == 0)
            return fd;
        poll(NULL, 0, 10);
    }
    close(fd);
    return -1;
}

/* Whether the socket replies to so many bytes of this. */
static bool gets(const struct kit_file *file, const void *word, size_t bytes)
{
    char came;
    const int fd = at_door(file);
    CHECK(fd >= 0, "no socket passes the file on");
    if (fd < 0)
        return false;
    CHECK(send(fd, word, bytes, MSG_NOSIGNAL) == (ssize_t)bytes, "the socket does not take the word");
    if (!bytes)
        shutdown(fd, SHUT_WR); /* otherwise it would wait for the rest */
    const bool has = recv(fd, &came, 1, 0) == 1;
    close(fd);
    return has;
}

ssize_t __real_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags)
{
    static bool interrupted;
    if (interrupted)
        return __real_recvmsg(fd, message, flags);
    interrupted = true;
    errno = EINTR;
    return -1;
}

int main(void)
{
    struct kit_file file, other;
    const char *why = NULL;
    const int fd = memfd_create("handed", MFD_CLOEXEC);
    CHECK(fd >= 0 && !kit_offer(fd, &file) && !kit_offer(fd, &other), "there is no file to pass on");
    CHECK(!secret_is(&file.word, &other.word) && !secret_is(&file.name, &other.name),
          "two files have the same word or name");
    file.is_handed = true;
    const pid_t giver = fork();
    if (giver == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        why = kit_hand(fd, &file, 1);
        _exit(why ? 1 : 0);
    }
    struct secret wrong = file.word;
    wrong.word[1] ^= (uint64_t)1 << 63;
    CHECK(!gets(&file, "", 0), "the file is given to a process that sends nothing");
    CHECK(!gets(&file, &wrong, sizeof wrong), "the file is given for a wrong word");
    CHECK(!gets(&file, &file.word, sizeof wrong - 1), "the file is given for a part of the word");
    const int mine = kit_open(&file, 0, &why);
    CHECK(mine >= 0, "the file is not given to a process that knows the word: %s", why);
    int status = 1;
    CHECK(waitpid(giver, &status, 0) == giver && status == 0, "the process that gives the file ends with status %#x",
          (unsigned)status);
    return check_result();
}
