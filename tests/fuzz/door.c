/* sources: */
/* parser: src/boot/pmix/door.c */
/* A PE's listening socket under PMIx, to which its neighbour's failure detector and strangers connect. Each byte of
 * the input is a step, followed by the data that it needs. The server replies only to the complete secret, once;
 * strangers never displace a known connection, nor the latest one, which may not have sent the secret yet. */
#include "given.h"

#include "common/secret.h"

#include <poll.h>
#include <sys/socket.h>

/* Replaces what needs PMIx's own header. */
#define COPAL_PMIX_H
#define PMIX_GLOBAL 0
static struct {
    int n_nodes;
} pmix_launch;
static void pmix_put_value(int scope, const char *name, const void *bytes, size_t n)
{
    (void)scope, (void)name, (void)bytes;
    if (n == 0)
        abort();
}

#define accept4(fd, name, size, flags) next_guest(fd)
static int next_guest(int fd);
#include "../../src/boot/pmix/door.c"

enum { MOST = 24, SECRET = sizeof(struct secret) };

static struct caller {
    int fd;          /* this side of the connection, or -1 */
    unsigned number; /* the server's number of the connection */
    bool known;
} caller[MOST];
static int last = -1;          /* the caller that has come last */
static int coming = -1;        /* the server's end of the next connection */
static unsigned given_number;  /* the number that the server gave to the last connection */

static int next_guest(int fd)
{
    const int guest = coming;
    (void)fd;
    coming = -1;
    errno = EAGAIN;
    return guest;
}

void events_add(int fd, enum source source, unsigned number, uint32_t events)
{
    (void)fd, (void)events;
    if (source == SOURCE_GUEST)
        given_number = number;
}

static bool is_gone(int fd)
{
    struct pollfd at = {.fd = fd, .events = POLLIN};
    char byte;
    return poll(&at, 1, 0) == 1 && recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

static void hang_up(struct caller *c)
{
    close(c->fd);
    c->fd = -1;
}

static void look_at_all(void)
{
    for (int i = 0; i < MOST; i++)
        if (caller[i].fd >= 0 && is_gone(caller[i].fd)) {
            if (caller[i].known)
                abort(); /* the server has displaced a known connection */
            hang_up(&caller[i]);
        }
}

static void come(void)
{
    int pair[2], i = 0, known = 0, all_known = 0;
    while (i < MOST && caller[i].fd >= 0)
        known += caller[i++].known;
    for (int k = 0; k < MOST; k++)
        all_known += caller[k].fd >= 0 && caller[k].known;
    if (i == MOST || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0)
        return;
    coming = pair[1];
    given_number = GUESTS;
    door_event(SOURCE_DOOR, 0);
    caller[i] = (struct caller){.fd = pair[0], .number = given_number};
    if (last >= 0 && caller[last].fd >= 0 && is_gone(caller[last].fd) && all_known + 1 < GUESTS)
        abort(); /* the latest connection is displaced, although there are older ones of strangers */
    last = i;
    if (given_number == GUESTS && known < GUESTS)
        abort(); /* there was a free entry, or a stranger's entry to reuse */
}

/* The server replies with its word to the complete secret; otherwise it closes the connection. */
static void say(struct caller *c, const void *bytes, size_t n)
{
    struct secret answer;
    const bool right = n == SECRET && memcmp(bytes, &door.notice.word[DOOR_KNOCK], SECRET) == 0 && !c->known;
    if (n == 0 || send(c->fd, bytes, n, MSG_NOSIGNAL) != (ssize_t)n)
        return;
    door_event(SOURCE_GUEST, c->number);
    const bool answered = recv(c->fd, &answer, SECRET, MSG_DONTWAIT) == SECRET;
    if (answered != right || (answered && !secret_is(&door.notice.word[DOOR_HELLO], &answer)))
        abort();
    c->known |= right;
    if (!right) {
        if (!is_gone(c->fd))
            abort();
        hang_up(c);
    }
}

/* Executes a step, which its first byte selects; returns its number of bytes. */
static size_t step(const uint8_t *data, size_t bytes)
{
    unsigned char word[256];
    struct caller *c = &caller[data[0] / 8 % MOST];
    size_t n = bytes > 1 ? data[1] : 0;
    if (data[0] % 8 < 3)
        come();
    if (c->fd < 0)
        return 1;
    memcpy(word, &door.notice.word[DOOR_KNOCK], SECRET);
    switch (data[0] % 8) {
    case 3: say(c, word, SECRET); return 1;
    case 4: say(c, word, n % SECRET); return 2; /* a part of it */
    case 5: /* all of it, with one byte changed */
        word[n % SECRET] ^= (unsigned char)(bytes > 2 ? data[2] : 1);
        say(c, word, SECRET);
        return 3;
    case 6: /* anything */
        n = n < bytes - 1 ? n : bytes - 1;
        memcpy(word, data + 1, n);
        say(c, word, n);
        return 1 + n;
    case 7:
        hang_up(c);
        door_event(SOURCE_GUEST, c->number);
        return 1;
    }
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes == 0)
        return 0;
    pmix_launch.n_nodes = 1 + data[0] % 2;
    for (int i = 0; i < MOST; i++)
        caller[i] = (struct caller){.fd = -1};
    last = -1;
    door_publish();
    door_watch();
    for (size_t at = 1, taken; at < bytes && door.fd >= 0; at += taken) {
        taken = step(data + at, bytes - at);
        taken = taken < bytes - at ? taken : bytes - at;
        look_at_all();
    }
    door_close();
    for (int i = 0; i < MOST; i++)
        if (caller[i].fd >= 0)
            hang_up(&caller[i]);
    return 0;
}
