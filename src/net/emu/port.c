#include "item.h"

#include "common/clock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    LOOK_TIME = 50000000,    /* ns between checks whether peers are alive */
    LOOK_TURNS = 4096,       /* the same in emulated time: a check takes a system call for each peer */
    CLOSE_TIME = 1000000000, /* ns that close waits for outstanding operations */
};

struct address {
    int32_t port;
    uint32_t life;
};

/* --- endpoints ---------------------------------------------------------------------------------------------------- */

size_t emu_address(struct provider_port *port, void *to, size_t room)
{
    const struct address a = {port->number, port->life};
    if (room >= sizeof a)
        memcpy(to, &a, sizeof a);
    return sizeof a;
}

struct provider_endpoint *emu_connect(struct provider_port *port, const void *address, size_t bytes, const char **why)
{
    struct address a;
    *why = "its address is not one of the emulated network";
    if (bytes != sizeof a)
        return NULL;
    memcpy(&a, address, sizeof a);
    if ((unsigned)a.port >= (unsigned)(emu.job.n_pes * emu.ports))
        return NULL;
    *why = "no memory";
    struct provider_endpoint *known = port->of[a.port];
    return known && known->life == a.life && !known->broken ? known : receive_new_endpoint(port, a.port, a.life);
}

/* The endpoint stays, as the peer may still request replies; its outstanding operations fail. */
void emu_disconnect(struct provider_port *port, struct provider_endpoint *endpoint)
{
    (void)port;
    item_fail_all(endpoint);
    endpoint->landed = endpoint->sent;
    endpoint->put = 0;
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static bool breaks_now(const struct provider_port *port)
{
    const struct fabric *f = &emu.fabric;
    return f->break_at && port->operations == f->break_at && (int)(f->seed % (uint64_t)emu.job.n_pes) == emu.job.pe;
}

/* Wakes a thread that sleeps on the bell, since the operation continues in the next turn of progress. */
static bool begun(struct item *it)
{
    struct provider_endpoint *to = it->to;
    if (breaks_now(to->port)) {
        receive_break(to, "the fabric breaks it at this operation");
        receive_say_broken(to);
    }
    it->failed = to->broken;
    if (emu.servers)
        timed_begin(it);
    else if (!it->failed && disorder_begin(it))
        it->call = NULL;
    if (!emu.servers) {
        item_ring(to->port, emu_inbox(to->port->number));
        disorder_pause();
    }
    return it->done;
}

bool emu_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg)
{
    struct item *it = item_begin(endpoint, ITEM_MESSAGE, done, arg);
    it->source = data;
    it->bytes = bytes;
    it->with_reply = with_reply;
    it->number = endpoint->sent++;
    return begun(it);
}

bool emu_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg)
{
    struct item *it = item_begin(endpoint, ITEM_PUT, done, arg);
    it->source = source;
    it->to_memory = emu_reach(key, remote, bytes);
    it->bytes = bytes;
    endpoint->put++;
    if (!it->to_memory)
        receive_break(endpoint, "a put writes to memory that the peer has not registered");
    return begun(it);
}

bool emu_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg)
{
    struct item *it = item_begin(endpoint, ITEM_GET, done, arg);
    it->source = emu_reach(key, remote, bytes);
    it->to_memory = dest;
    it->bytes = bytes;
    if (!it->source)
        receive_break(endpoint, "a get reads memory that the peer has not registered");
    return begun(it);
}

bool emu_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg)
{
    return begun(item_begin(endpoint, ITEM_FLUSH, done, arg));
}

bool emu_atomic(struct provider_endpoint *endpoint, enum provider_atomic op, uint64_t remote, struct provider_key *key,
                size_t size, uint64_t value, uint64_t cond, void *before, provider_done *done, void *arg)
{
    struct item *it = item_begin(endpoint, ITEM_ATOMIC, done, arg);
    it->to_memory = emu_reach(key, remote, size);
    it->bytes = size;
    it->op = op;
    it->value = value;
    it->cond = cond;
    it->before = before;
    if (!it->to_memory)
        receive_break(endpoint, "an atomic operation is on memory that the peer has not registered");
    return begun(it);
}

/* --- progress ----------------------------------------------------------------------------------------------------- */

/* A provider_done that is called may start operations, which are appended to the list. */
static bool step_all(struct provider_port *port, uint64_t now)
{
    bool any = false;
    for (struct item **at = &port->first, *it; (it = *at);) {
        any |= emu.servers ? timed_step(it, now) : disorder_step(it, now);
        if (item_over(it))
            item_end(port, at);
        else
            at = &it->next;
    }
    return any;
}

/* A random delay may postpone the reception. */
static bool receive_all(struct provider_port *port, uint64_t now)
{
    struct inbox_message m;
    bool any = false;
    while (lot_over(&port->comes, now) && receive_first(port, &m)) {
        receive_tell(port, &m);
        inbox_drop(emu_inbox(port->number), emu.fabric.message_most);
        port->comes = lot_draw(LOT_MESSAGE_COMES, now);
        any = true;
    }
    return any;
}

bool emu_progress(struct provider_port *port)
{
    const uint64_t now = emu.servers ? emu.job.clock->clock() : clock_told();
    const bool look = emu.servers ? ++port->looked % LOOK_TURNS == 0 : now - port->looked >= LOOK_TIME;
    if (look)
        receive_look(port);
    if (look && !emu.servers)
        port->looked = now;
    bool any = emu.servers ? timed_receive(port, now) : receive_all(port, now);
    any |= step_all(port, now);
    any |= receive_tell_broken(port);
    if (any && !emu.servers)
        disorder_pause();
    if (emu.servers && timed_next(port) != UINT64_MAX)
        emu.job.clock->wake(emu.job.pe, timed_next(port));
    return any;
}

/* --- sleeping ----------------------------------------------------------------------------------------------------- */

int emu_event_fd(struct provider_port *port)
{
    return port->bell;
}

/* A sender reads `armed` after it has put a message into the inbox. */
bool emu_arm(struct provider_port *port)
{
    struct inbox *in = emu_inbox(port->number);
    char rung[16];
    struct inbox_message m;
    while (recv(port->bell, rung, sizeof rung, MSG_DONTWAIT) > 0)
        ;
    if (port->first || port->any_broken)
        return false;
    port->armed += 1 + !(port->armed + 1);
    atomic_store(&in->armed, port->armed);
    if (!receive_first(port, &m))
        return true;
    atomic_store(&in->armed, 0);
    return false;
}

/* --- ports -------------------------------------------------------------------------------------------------------- */

/* A socket with a random abstract name.  A process that finds the name in /proc can only wake this port. */
static bool hang_bell(struct provider_port *port, struct inbox *in)
{
    const struct secret secret = secret_new();
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const socklen_t bytes = offsetof(struct sockaddr_un, sun_path) + 1 + sizeof secret;
    _Static_assert(offsetof(struct sockaddr_un, sun_path) + 1 + sizeof secret <= INBOX_BELL_BYTES, "the name fits");
    memcpy(name.sun_path + 1, &secret, sizeof secret);
    port->bell = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (port->bell < 0 || bind(port->bell, (struct sockaddr *)&name, bytes) != 0)
        return false;
    memcpy(in->bell, &name, bytes);
    in->bell_bytes = bytes;
    return true;
}

/* The number of this PE's first port that is not open; or the number after its last port. */
static int free_number(void)
{
    int number = emu.job.pe * emu.ports;
    while (number / emu.ports == emu.job.pe && emu_inbox(number)->life % 2)
        number++;
    return number;
}

/* Messages to an earlier life of the port are dropped. */
struct provider_port *emu_open(const struct provider_upcalls *upcalls, void *user, const char **why)
{
    const int number = free_number();
    struct provider_port *port = number / emu.ports == emu.job.pe ? calloc(1, sizeof *port) : NULL;
    struct inbox *in = emu_inbox(number);
    const size_t n = (size_t)emu.job.n_pes * (size_t)emu.ports;
    if (!port || !(port->of = calloc(n, sizeof *port->of)) || !hang_bell(port, in)) {
        free(port ? port->of : NULL);
        free(port);
        *why = "no memory, or no descriptor";
        return NULL;
    }
    port->upcalls = upcalls;
    port->user = user;
    port->last = &port->first;
    port->number = number;
    in->pid = getpid();
    port->life = 1 + atomic_fetch_add(&in->life, 1);
    return port;
}

/* Waits for outstanding operations, but at most CLOSE_TIME, as peers may be closed or dead; not in emulated time. */
static void let_leave(struct provider_port *port)
{
    const uint64_t since = clock_told();
    while (port->first && !emu.servers && clock_told() - since < CLOSE_TIME)
        emu_progress(port);
}

void emu_close(struct provider_port *port)
{
    port->upcalls = NULL;
    for (struct item *it = port->first; it; it = it->next)
        it->call = NULL; /* the net no longer exists */
    let_leave(port);
    emu_inbox(port->number)->life++;
    if (emu.servers && port->number == 0)
        timed_report();
    item_free_all(port);
    timed_forget(port);
    for (struct provider_endpoint *e = port->endpoints, *next; e; e = next) {
        next = e->next;
        free(e);
    }
    close(port->bell);
    free(port->of);
    free(port);
}
