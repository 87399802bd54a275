/* A PE's listening socket, whose addresses it publishes. The watcher of the previous node connects and stays connected;
 * if the connection ends, this process has died. A process that ends normally sends a word (DOOR_BYE) first. Every PE
 * has a listening socket, because after a death the watcher connects to the next PE of the same node. */
#include "boot/kit/kit.h"
#include "boot/pmix/door.h"
#include "boot/pmix/pmix.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { GUESTS = 16 }; /* open connections: usually one; more after a death, or from processes outside the job */

static struct {
    int fd; /* -1: closed */
    struct door_notice notice;
    struct guest {
        int fd; /* -1: free */
        bool known;
        uint64_t number; /* of the connections, in their order */
    } guest[GUESTS];
    uint64_t guests;
} door = {.fd = -1};

/* Closes the descriptors; also in a forked child. */
static void forget(void)
{
    kit_shut(&door.fd);
    for (int i = 0; i < GUESTS; i++)
        kit_shut(&door.guest[i].fd);
}

int door_own_addresses(struct in6_addr *address, int most, bool loopback)
{
    struct ifaddrs *list = NULL;
    int n = 0;
    if (getifaddrs(&list) != 0)
        return 0;
    for (const struct ifaddrs *i = list; i && n < most; i = i->ifa_next) {
        if (!i->ifa_addr || !(i->ifa_flags & IFF_UP) || !(i->ifa_flags & IFF_LOOPBACK) != !loopback)
            continue;
        if (i->ifa_addr->sa_family == AF_INET6) {
            address[n] = ((const struct sockaddr_in6 *)(const void *)i->ifa_addr)->sin6_addr;
            n += !IN6_IS_ADDR_LINKLOCAL(&address[n]); /* useless without the interface */
        } else if (i->ifa_addr->sa_family == AF_INET) {
            address[n] = (struct in6_addr){.s6_addr = {[10] = 0xff, [11] = 0xff}};
            memcpy(&address[n++].s6_addr[12], &((const struct sockaddr_in *)(const void *)i->ifa_addr)->sin_addr, 4);
        }
    }
    freeifaddrs(list);
    return n;
}

static int open_door(void)
{
    const int flags = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
    const struct sockaddr_in6 any6 = {.sin6_family = AF_INET6}; /* IPv4 as well */
    const struct sockaddr_in any4 = {.sin_family = AF_INET};
    int off = 0;
    int fd = socket(AF_INET6, flags, 0);
    if (fd >= 0)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&any6, sizeof any6) != 0) { /* a kernel without IPv6 */
        kit_shut(&fd);
        fd = socket(AF_INET, flags, 0);
        if (fd >= 0 && bind(fd, (const struct sockaddr *)&any4, sizeof any4) != 0)
            kit_shut(&fd);
    }
    if (fd >= 0 && listen(fd, GUESTS) != 0)
        kit_shut(&fd);
    return fd;
}

void door_publish(void)
{
    static bool once;
    if (!once)
        pthread_atfork(NULL, NULL, forget);
    once = true;
    for (int i = 0; i < GUESTS; i++)
        door.guest[i].fd = -1;
    if (pmix_launch.n_nodes == 1)
        return;

    struct door_notice *notice = &door.notice;
    *notice = (struct door_notice){.port = 0};
    struct sockaddr_in6 bound; /* an IPv4 address has its port at the same offset */
    socklen_t size = sizeof bound;
    door.fd = open_door();
    for (int i = 0; i < DOOR_WORDS; i++)
        notice->word[i] = secret_new();
    if (door.fd >= 0 && getsockname(door.fd, (struct sockaddr *)&bound, &size) == 0) {
        notice->port = bound.sin6_port;
        notice->n_addresses = (uint16_t)door_own_addresses(notice->address, DOOR_ADDRESSES, false);
        if (notice->n_addresses == 0)
            notice->n_addresses = (uint16_t)door_own_addresses(notice->address, DOOR_ADDRESSES, true);
    }
    /* Without an address, no PE of another node watches this PE. */
    pmix_put_value(PMIX_GLOBAL, "door", notice, sizeof *notice);
}

void door_say(int fd, enum door_word word, const struct door_notice *notice)
{
    if (send(fd, &notice->word[word], sizeof notice->word[word], MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        /* the other end detects it */
    }
}

void door_close(void)
{
    for (int fd; door.fd >= 0 && (fd = accept4(door.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0; close(fd))
        door_say(fd, DOOR_BYE, &door.notice);
    for (int i = 0; i < GUESTS; i++)
        if (door.guest[i].fd >= 0)
            door_say(door.guest[i].fd, DOOR_BYE, &door.notice);
    forget();
}

void door_watch(void)
{
    if (door.fd >= 0)
        events_add(door.fd, SOURCE_DOOR, 0, EPOLLIN);
}

static void guest_comes(void)
{
    const int fd = accept4(door.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    unsigned i = 0;
    while (i < GUESTS && door.guest[i].fd >= 0)
        i++;
    if (i == GUESTS) /* replaces the oldest connection that has not sent the word: a new one needs time to send it */
        for (unsigned k = 0; k < GUESTS; k++)
            if (!door.guest[k].known && (i == GUESTS || door.guest[k].number < door.guest[i].number))
                i = k;
    if (i == GUESTS) {
        close(fd);
        return;
    }
    kit_shut(&door.guest[i].fd);
    door.guest[i] = (struct guest){.fd = fd, .number = door.guests++};
    events_add(fd, SOURCE_GUEST, i, EPOLLIN);
}

static void guest_speaks(struct guest *guest)
{
    struct secret word;
    const ssize_t n = recv(guest->fd, &word, sizeof word, 0);
    if (n < 0 && errno == EAGAIN)
        return;
    /* A word is small enough to arrive in one read. */
    if (n == (ssize_t)sizeof word && secret_is(&door.notice.word[DOOR_KNOCK], &word) && !guest->known) {
        guest->known = true;
        door_say(guest->fd, DOOR_HELLO, &door.notice);
        return;
    }
    kit_shut(&guest->fd); /* closed by the other end, or not of this job */
}

void door_event(enum source source, unsigned number)
{
    if (source == SOURCE_DOOR)
        guest_comes();
    else if (door.guest[number].fd >= 0)
        guest_speaks(&door.guest[number]);
}
