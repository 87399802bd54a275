/* The failure detector between nodes: an idle TCP connection from one PE of a node, the watcher ("keeper"), to a PE of
 * the next node.
 *
 * If the process at the other end dies, its kernel closes the connection. If the host or the network fails, the
 * kernels' keepalive probes end it within some four seconds. A process stopped in a debugger keeps the connection.
 * The watcher then connects to the next PE of that node, or to the next node. */
#include "boot/kit/kit.h"
#include "boot/pmix/door.h"
#include "boot/pmix/lifeline.h"
#include "boot/pmix/pmix.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECT_TIME = 4000, /* ms: time limit of a connection attempt */
    PATIENCE = 1000,     /* ms for which a refused connection may mean that the PE has just ended normally */
};

enum line_state {
    LINE_IDLE,    /* this PE is not the watcher, or there is no PE to watch */
    LINE_SEEKING, /* connections are being made */
    LINE_PATIENT, /* the connection was refused; the next attempt is at line.due */
    LINE_HELD,
};

static struct {
    enum line_state state;
    int node, index;    /* the PE at the other end: index in pmix_launch.run[node] */
    int fd;             /* LINE_HELD */
    bool reached;       /* a connection to any node has succeeded: no firewall forbids connections */
    int64_t due;        /* time at which seeking or patience ends; 0: none */
    int64_t patience;   /* before this time, a refused connection is no proof of a death */

    /* LINE_SEEKING: one attempt for each address of the PE */
    struct door_notice notice;
    unsigned round;     /* distinguishes events of earlier rounds' attempts */
    bool refused;       /* an attempt was refused: the host is alive */
    struct attempt {
        int fd;         /* -1: has failed */
        bool connected; /* and this PE has sent the word */
    } attempt[DOOR_ADDRESSES];
    int n_attempts;
} line = {.fd = -1};

/* Closes the descriptors, also in a forked child: the child's would keep the connection open after the PE has died. */
static void forget(void)
{
    kit_shut(&line.fd);
    for (int i = 0; i < line.n_attempts; i++)
        kit_shut(&line.attempt[i].fd);
    line.n_attempts = 0;
}

void line_close(void)
{
    forget();
    line.state = LINE_IDLE;
    line.due = 0;
}

static const struct node_run *other_run(void)
{
    return &pmix_launch.run[line.node];
}

/* --- making the connection ---------------------------------------------------------------------------------------- */

static void set(int fd, int level, int option, int value)
{
    setsockopt(fd, level, option, &value, sizeof value);
}

static int connect_to(const struct in6_addr *address, uint16_t port)
{
    const bool four = IN6_IS_ADDR_V4MAPPED(address);
    const struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = port, .sin6_addr = *address};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = port};
    memcpy(&to.sin_addr, &address->s6_addr[12], 4);
    int fd = socket(four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 1);
    set(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
    set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, CONNECT_TIME);
    const int rc = four ? connect(fd, (const struct sockaddr *)&to, sizeof to)
                        : connect(fd, (const struct sockaddr *)&six, sizeof six);
    if (rc != 0 && errno != EINPROGRESS) {
        line.refused |= errno == ECONNREFUSED;
        kit_shut(&fd);
    }
    return fd;
}

/* Removes addresses that this host has, too, such as those of container bridges, which lead to this host. If this host
 * has all of them, keeps them: the PE is on this host, which has two names, as in tests of a launcher. */
static void drop_own_addresses(struct door_notice *notice)
{
    struct in6_addr own[64];
    const int n_own = door_own_addresses(own, 64, false);
    int kept = 0;
    for (int i = 0; i < notice->n_addresses; i++) {
        int k = 0;
        while (k < n_own && memcmp(&own[k], &notice->address[i], sizeof own[k]) != 0)
            k++;
        if (k < n_own)
            continue;
        const struct in6_addr swap = notice->address[kept];
        notice->address[kept++] = notice->address[i];
        notice->address[i] = swap;
    }
    if (kept)
        notice->n_addresses = (uint16_t)kept;
}

/* Starts connections to all addresses of the PE. line_event and line_timeout handle the results. */
static void seek(void)
{
    const char *why;
    line.state = LINE_SEEKING;
    line.due = events_clock() + CONNECT_TIME;
    line.refused = false;
    line.round++;
    line.n_attempts = 0;
    if (pmix_get_value(other_run()->first + line.index, "door", &line.notice, sizeof line.notice, &why) ==
        sizeof line.notice)
        drop_own_addresses(&line.notice);
    else
        line.notice.n_addresses = 0;
    int n = 0;
    for (; line.n_attempts < line.notice.n_addresses; line.n_attempts++) {
        const int fd = connect_to(&line.notice.address[line.n_attempts], line.notice.port);
        line.attempt[line.n_attempts] = (struct attempt){.fd = fd};
        if (fd >= 0) {
            events_add(fd, SOURCE_ATTEMPT, line.round * DOOR_ADDRESSES + (unsigned)line.n_attempts, EPOLLOUT);
            n++;
        }
    }
    if (n == 0)
        line.due = events_clock();
}

static void next_node(void)
{
    line.node = (line.node + 1) % pmix_launch.n_nodes;
    line.index = 0;
    if (line.node == pmix_launch.own_node)
        line_close(); /* no other node is left */
    else
        seek();
}

void line_hold(void)
{
    static bool once;
    if (pmix_launch.n_nodes == 1)
        return;
    if (!once)
        pthread_atfork(NULL, NULL, forget);
    once = true;
    line.node = pmix_launch.own_node;
    line.patience = events_clock() + PATIENCE;
    next_node();
}

/* --- deaths ------------------------------------------------------------------------------------------------------- */

static void pe_lost(void)
{
    const struct node_run *run = other_run();
    events_report(run->first + line.index, kit_sentence("its process on host %s has ended", run->host));
    if (++line.index < run->n)
        seek();
    else
        next_node();
}

static void host_lost(void)
{
    const struct node_run *run = other_run();
    for (int i = line.index; i < run->n; i++)
        events_report(run->first + i, kit_sentence("its host %s cannot be reached any more", run->host));
    next_node();
}

static void seeking_failed(void)
{
    if (line.refused && events_clock() < line.patience) {
        line.state = LINE_PATIENT;
        line.due = line.patience;
    } else if (line.refused) {
        pe_lost();
    } else if (line.reached && line.notice.n_addresses > 0) {
        host_lost();
    } else { /* perhaps a firewall, or no address: no proof of a death */
        kit_complain(pmix_launch.pe,
            "warning: no connection to PE %d on host %s within %d s; if it dies, this job may not notice; do the "
            "hosts allow TCP connections to ports above 1023?",
            other_run()->first + line.index, other_run()->host, CONNECT_TIME / 1000);
        line_close();
    }
}

int line_wait(void)
{
    if (!line.due)
        return -1;
    const int64_t left = line.due - events_clock();
    return left > 0 ? (int)left : 0;
}

void line_timeout(void)
{
    if (line.state == LINE_PATIENT) {
        seek();
        return;
    }
    line.due = 0;
    bool hoping = false;
    for (int i = 0; i < line.n_attempts; i++) {
        if (!line.attempt[i].connected)
            kit_shut(&line.attempt[i].fd);
        hoping |= line.attempt[i].fd >= 0; /* its host is alive; the process may be stopped in a debugger */
    }
    if (!hoping)
        seeking_failed();
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Reads a word of the other end: returns its number; DOOR_WORDS if none has arrived; -1 if the connection has ended
 * (errno, or 0). */
static int hear(int fd)
{
    struct secret word;
    errno = 0;
    const ssize_t n = recv(fd, &word, sizeof word, 0);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? DOOR_WORDS : -1;
    for (int i = 0; i < DOOR_WORDS && n == (ssize_t)sizeof word; i++)
        if (secret_is(&line.notice.word[i], &word))
            return i;
    return -1;
}

static void attempt_event(struct attempt *attempt, unsigned number)
{
    int heard = -1;
    if (!attempt->connected) {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(attempt->fd, SOL_SOCKET, SO_ERROR, &error, &size);
        errno = error;
        if (error == 0) {
            attempt->connected = true;
            door_say(attempt->fd, DOOR_KNOCK, &line.notice);
            events_add(attempt->fd, SOURCE_ATTEMPT, number, EPOLLIN);
            return;
        }
    } else {
        heard = hear(attempt->fd);
    }
    switch (heard) {
    case DOOR_WORDS:
        return;
    case DOOR_HELLO: {
        const int fd = attempt->fd;
        attempt->fd = -1;
        line_close(); /* closes the other attempts */
        line.state = LINE_HELD;
        line.fd = fd;
        line.reached = true;
        events_add(fd, SOURCE_LINE, 0, EPOLLIN);
        return;
    }
    case DOOR_BYE:
        line_close();
        return;
    default:
        line.refused |= attempt->connected || errno == ECONNREFUSED || errno == ECONNRESET;
        kit_shut(&attempt->fd);
        for (int i = 0; i < line.n_attempts; i++)
            if (line.attempt[i].fd >= 0)
                return;
        seeking_failed();
    }
}

static void held_event(void)
{
    const int heard = hear(line.fd);
    if (heard == DOOR_WORDS)
        return;
    const int error = errno;
    line_close();
    if (heard == DOOR_BYE)
        return; /* the job ends normally */
    line.patience = events_clock() + PATIENCE;
    if (error == 0 || error == ECONNRESET || error == EPIPE)
        pe_lost();
    else
        host_lost();
}

void line_event(enum source source, unsigned number)
{
    struct attempt *attempt = &line.attempt[number % DOOR_ADDRESSES];
    if (source == SOURCE_LINE && line.state == LINE_HELD)
        held_event();
    else if (source == SOURCE_ATTEMPT && line.state == LINE_SEEKING && number / DOOR_ADDRESSES == line.round &&
             attempt->fd >= 0)
        attempt_event(attempt, number);
}
