/* sources: src/boot/kit/kit.c src/job/settings.c */
/* flags: -Wl,--wrap=bind,--wrap=listen,--wrap=connect,--wrap=accept4,--wrap=poll,--wrap=getsockopt,--wrap=read */
/* parser: src/boot/kit/hand.c */
/* A job file is passed over a socket. The first byte says whether this process sends or receives the file. Then come
 * the peers, each with its user, the number of bytes that it sends, and the bytes: the secret word, changed bytes of
 * it, or, from a sender of the file, the data that accompanies the file. The file must go to every process of this user
 * that knows the word, and to no other; the word must go only to this user's processes. */
#include "given.h"

#include "../../src/boot/kit/hand.c"

enum { WORD = sizeof(struct secret), NOBODY = 65534 };

static struct kit_file file;
static int here = -1;  /* this side of the next peer's connection */
static uid_t uid;      /* the peer's user */
static bool is_right;  /* this peer must get the file */
static int got, due;   /* files that peers have got, and must get */
static const char *map;

int __wrap_bind(int fd, const struct sockaddr *name, socklen_t size) { (void)fd, (void)name, (void)size; return 0; }
int __wrap_listen(int fd, int n) { (void)fd, (void)n; return 0; }

static unsigned take(void)
{
    const unsigned byte = given_bytes ? given[0] : 0;
    give(given + (given_bytes > 0), given_bytes - (given_bytes > 0));
    return byte;
}

/* Checks the last peer, which has been served. */
static void look(void)
{
    char byte[64];
    union control control = {.bytes = {0}};
    struct iovec data = {.iov_base = byte, .iov_len = sizeof byte};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    if (here < 0)
        return;
    if (recvmsg(here, &message, MSG_DONTWAIT) > 0) {
        const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        int fd;
        got++;
        if (!is_right || !head)
            abort();
        memcpy(&fd, CMSG_DATA(head), sizeof fd);
        close(fd);
    }
    close(here);
    here = -1;
}

static void draw_user(void)
{
    static const uid_t users[] = {0, 1, NOBODY};
    const unsigned who = take() % 4;
    uid = who == 0 ? geteuid() : geteuid() + users[who - 1] + (who == 1);
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int ms)
{
    (void)n, (void)ms;
    if (!fds)
        return 0; /* as after a short wait */
    look();
    const unsigned how = take(); /* 0 at the end of the input, and if no peer connects */
    errno = how == 1 ? EINTR : EBADF;
    return how == 0 ? 0 : how < 3 ? -1 : 1;
}

int __wrap_accept4(int door, struct sockaddr *name, socklen_t *size, int flags)
{
    int pair[2];
    unsigned char said[WORD];
    (void)door, (void)name, (void)size, (void)flags;
    errno = ECONNABORTED;
    if (take() == 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return -1;
    draw_user();
    const size_t n = take() % (WORD + 1);
    const unsigned at = take() % WORD, by = take();
    memcpy(said, &file.word, WORD);
    said[at] ^= (unsigned char)by;
    here = pair[0];
    is_right = uid == geteuid() && n == WORD && by == 0;
    due += is_right;
    if (send(here, said, n, MSG_NOSIGNAL) < 0)
        abort();
    shutdown(here, SHUT_WR); /* no more data arrives, so that no process waits for it */
    return pair[1];
}

/* The word must not go to another user's process. */
static void leave_giver(void)
{
    char word;
    if (here >= 0 && uid != geteuid() && recv(here, &word, 1, MSG_DONTWAIT) > 0)
        abort();
    if (here >= 0)
        close(here);
    here = -1;
}

/* For a peer that sends the file: its data has already been sent. */
int __wrap_connect(int fd, const struct sockaddr *name, socklen_t size)
{
    int pair[2];
    (void)name, (void)size;
    leave_giver();
    if (given_bytes == 0) {
        close(fd);
        longjmp(refused, 1);
    }
    errno = ECONNREFUSED;
    if (take() == 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return -1;
    draw_user();
    here = pair[0];
    if (take() % 2)
        send_file(here, 0);
    else
        shutdown(here, SHUT_WR);
    dup2(pair[1], fd);
    close(pair[1]);
    return 0;
}

int __real_getsockopt(int fd, int level, int what, void *value, socklen_t *size);
int __wrap_getsockopt(int fd, int level, int what, void *value, socklen_t *size)
{
    if (what != SO_PEERCRED)
        return __real_getsockopt(fd, level, what, value, size);
    *(struct ucred *)value = (struct ucred){.uid = uid};
    return 0;
}

/* Replaces the file /proc/self/uid_map. */
ssize_t __wrap_read(int fd, void *to, size_t room)
{
    (void)fd;
    return snprintf(to, room, "%s", map);
}

static void give_file(void)
{
    const int others = (int)take() % 8;
    const char *why = kit_hand(0, &file, others);
    look();
    if (got != due || (!why && file.is_handed && got != others))
        abort(); /* the loop must end when all peers have the file */
}

static void get_file(void)
{
    const char *why;
    volatile int fd = -1;
    if (setjmp(refused) == 0)
        fd = kit_open(&file, 0, &why);
    if (fd >= 0 && uid != geteuid())
        abort();
    leave_giver();
    if (fd >= 0)
        close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static char text[64];
    give(data, bytes);
    got = due = 0;
    map = "";
    kit_offer(0, &file);
    file.is_handed = true;
    const unsigned what = take();
    if (what % 4 == 0)
        give_file();
    else if (what % 4 == 1)
        get_file();
    else {
        snprintf(text, sizeof text, "%.*s", (int)(given_bytes < 60 ? given_bytes : 60), (const char *)given);
        map = text;
        file.is_handed = kit_is_contained();
        give_file();
    }
    return 0;
}
