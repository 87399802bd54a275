/* Another process that acts as PEs of another node: it opens ports, sends their addresses, and replies to messages.
 *
 * It is this program, started again, since network libraries do not survive a fork. */
#include "info.h"

#include "common/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PARTNER_IN = 3, PARTNER_OUT = 4 }; /* file descriptors of the other process */
enum { CARD = 4096, LIMIT_MS = 20000, REGION = 1 << 20 };

/* The other process's description of itself, and of each port. */
struct hello {
    int n_ports;
    char why[PARTNER_TEXT];
    uint32_t key_bytes;
    unsigned char key[CARD];
};
struct card {
    uint32_t bytes;
    unsigned char address[CARD];
};

static pid_t child;
static int to_child = -1, from_child = -1;
static struct hello hello;
static struct card *cards;
static struct provider_key **keys;
static int n_keys;
static int answers;

static int64_t now_ms(void)
{
    return (int64_t)(clock_told() / 1000000);
}

static bool read_all(int fd, void *to, size_t bytes)
{
    const int64_t end = now_ms() + LIMIT_MS;
    for (char *at = to; bytes > 0;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        const int64_t left = end - now_ms();
        if (left <= 0 || poll(&p, 1, (int)left) <= 0)
            return false;
        const ssize_t n = read(fd, at, bytes);
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool write_all(int fd, const void *from, size_t bytes)
{
    for (const char *at = from; bytes > 0;) {
        const ssize_t n = write(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* --- in the other process ----------------------------------------------------------------------------------------- */

static const struct provider *childs;

static void sent(void *arg, bool failed)
{
    (void)arg;
    (void)failed;
}

static void answer(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    static const char text[] = "hello";
    (void)user;
    (void)data;
    (void)bytes;
    if (reply)
        childs->send(reply, text, sizeof text, false, sent, NULL);
}

static void ignore_broken(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)user;
    (void)endpoint;
    (void)why;
}

static const char *begin(const struct provider **provider)
{
    const struct net_chosen *chosen = network_choose();
    *provider = chosen->provider;
    return chosen->provider ? NULL : chosen->why;
}

void partner_play(const char *number)
{
    const int in = PARTNER_IN, out = PARTNER_OUT, n = atoi(number);
    static const struct provider_upcalls upcalls = {.message = answer, .broken = ignore_broken};
    struct provider_port **ports = calloc((size_t)n, sizeof *ports);
    struct provider_memory *memory = NULL;
    const char *why = begin(&childs), *refused = "";
    for (; !why && hello.n_ports < n; hello.n_ports++)
        if (!(ports[hello.n_ports] = childs->open(&upcalls, NULL, &refused)))
            break;
    if (!why && hello.n_ports == 0)
        why = refused;
    void *region = aligned_alloc(4096, REGION);
    if (!why && !(memory = childs->memory_open(region, REGION, 0, &why)))
        why = why ? why : "memory cannot be registered";
    if (memory)
        hello.key_bytes = (uint32_t)childs->memory_key(memory, hello.key, sizeof hello.key);
    if (why)
        snprintf(hello.why, sizeof hello.why, "%s", why);
    bool more = write_all(out, &hello, sizeof hello) && !why;
    for (int i = 0; more && i < hello.n_ports; i++) {
        struct card card = {0};
        card.bytes = (uint32_t)childs->address(ports[i], card.address, sizeof card.address);
        more = write_all(out, &card, sizeof card);
    }
    for (struct pollfd p = {.fd = in, .events = POLLIN}; more && poll(&p, 1, 1) == 0;)
        for (int i = 0; i < hello.n_ports; i++)
            while (childs->progress(ports[i]))
                ;
    _exit(0);
}

/* --- in this process ---------------------------------------------------------------------------------------------- */

static void count_answer(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user;
    (void)data;
    (void)bytes;
    (void)reply;
    answers++;
}

static void note_broken(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)endpoint;
    struct partner *p = user;
    snprintf(p->why, sizeof p->why, "%s", why);
}

static bool fail(struct partner *p, const char *why)
{
    snprintf(p->why, sizeof p->why, "%s", why);
    return false;
}

static bool start_child(struct partner *p, int n_ports)
{
    int down[2], up[2];
    const pid_t parent = getpid();
    char number[16];
    snprintf(number, sizeof number, "%d", n_ports);
    if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0 || (child = fork()) < 0)
        return fail(p, strerror(errno));
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* Moves the descriptors away from PARTNER_IN and PARTNER_OUT first. */
        const int in = fcntl(down[0], F_DUPFD_CLOEXEC, PARTNER_OUT + 1),
                  out = fcntl(up[1], F_DUPFD_CLOEXEC, PARTNER_OUT + 1);
        if (getppid() == parent && dup2(in, PARTNER_IN) >= 0 && dup2(out, PARTNER_OUT) >= 0)
            execl("/proc/self/exe", "copal-info", PARTNER_OPTION, number, (char *)NULL);
        _exit(1);
    }
    close(down[0]);
    close(up[1]);
    to_child = down[1];
    from_child = up[0];
    return true;
}

bool partner_start(struct partner *p, int n_ports)
{
    static const struct provider_upcalls upcalls = {.message = count_answer, .broken = note_broken};
    *p = (struct partner){0};
    if (!start_child(p, n_ports))
        return false;
    if (!read_all(from_child, &hello, sizeof hello))
        return fail(p, "the second process, which opens a port, ended or did not reply");
    if (hello.why[0])
        return fail(p, hello.why);
    cards = calloc((size_t)hello.n_ports, sizeof *cards);
    keys = calloc(2 * (size_t)hello.n_ports, sizeof *keys);
    if (!read_all(from_child, cards, sizeof *cards * (size_t)hello.n_ports))
        return fail(p, "the second process did not send the addresses of its ports");
    p->n_ports = hello.n_ports;
    p->address_bytes = cards[0].bytes;
    p->key_bytes = hello.key_bytes;
    const char *why = begin(&p->provider);
    if (why)
        return fail(p, why);
    p->port = p->provider->open(&upcalls, p, &why);
    return p->port ? true : fail(p, why);
}

struct provider_endpoint *partner_connect(struct partner *p, int i)
{
    static const char text[] = "hello";
    const char *why = "the address is refused";
    struct provider_endpoint *e = p->provider->connect(p->port, cards[i].address, cards[i].bytes, &why);
    if (!e) {
        fail(p, why);
        return NULL;
    }
    /* As in src/net: a key for the heap, and one for the statics. */
    for (int k = 0; k < 2; k++) {
        if (!(keys[n_keys] = p->provider->key_open(e, hello.key, &why))) {
            fail(p, why);
            return NULL;
        }
        n_keys++;
    }
    const int before = answers;
    const int64_t end = now_ms() + LIMIT_MS;
    p->provider->send(e, text, sizeof text, true, sent, NULL);
    while (answers == before && !p->why[0] && now_ms() < end)
        p->provider->progress(p->port);
    if (answers == before && !p->why[0])
        fail(p, "the second process on this machine did not reply to a message");
    return answers == before ? NULL : e;
}

void partner_end(struct partner *p)
{
    while (n_keys > 0)
        p->provider->key_close(keys[--n_keys]);
    if (p->port)
        p->provider->close(p->port);
    if (child <= 0)
        return;
    close(to_child);
    close(from_child);
    for (const int64_t end = now_ms() + 5000; waitpid(child, NULL, WNOHANG) == 0; usleep(1000))
        if (now_ms() > end)
            kill(child, SIGKILL);
    child = 0;
    free(cards);
    free(keys);
}
