/* sources: src/net/emu/receive.c src/net/emu/item.c src/net/emu/registration.c src/net/emu/server.c */
/* flags: -Wl,--wrap=kill,--wrap=usleep */
/* parser: src/net/emu/inbox.c src/net/emu/receive.c src/net/emu/server.c */
/* Data in the shared memory of an emulated network: messages, also those of closed endpoints and of PEs that died while
 * they sent; words that no PE writes; and the times of servers. Each byte of the input is a step, followed by the data
 * that it needs. Each message must arrive as it was sent, and a server must serve one message at a time. */
#include "given.h"

#include "net/emu/item.h"
#include "net/emu/server.h"

#include "../../src/net/emu/inbox.c"

#include <errno.h>
#include <signal.h>

enum { PES = 3, PORTS_EACH = 2, PORTS = PES * PORTS_EACH, MOST = 48, FIRST_PID = 1000, TIMES = 1 << 10 };

static struct sent {
    uint32_t from_life, to_life;
    int from;
    uint32_t bytes;
    unsigned char data[MOST];
} sent[INBOX_SLOTS]; /* the messages in the inbox, in order */
static int n_sent;
static bool lives[PES], is_odd; /* is_odd: the input has written words that no PE writes */
static struct provider_port port;
static uint8_t taken_time[TIMES];

int __wrap_kill(pid_t pid, int signal);
int __wrap_kill(pid_t pid, int signal)
{
    (void)signal;
    errno = ESRCH;
    return pid >= FIRST_PID && pid < FIRST_PID + PES && lives[pid - FIRST_PID] ? 0 : -1;
}
int __wrap_usleep(useconds_t us);
int __wrap_usleep(useconds_t us) { (void)us; return 0; }

static unsigned take(void)
{
    const unsigned byte = given_bytes ? given[0] : 0;
    give(given + (given_bytes > 0), given_bytes - (given_bytes > 0));
    return byte;
}

static void message(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    static volatile unsigned char sum;
    const struct sent *s = user;
    for (size_t i = 0; i < bytes; i++)
        sum += ((const unsigned char *)data)[i];
    if (bytes > MOST || (reply && (reply->to < 0 || reply->to >= PORTS || reply->broken)))
        abort();
    if (is_odd)
        return;
    if (s->to_life != port.life || bytes != s->bytes || memcmp(data, s->data, bytes) != 0 ||
        (reply && (reply->to != s->from || reply->life != s->from_life)))
        abort();
}

static void broken(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)user;
    if (!endpoint->broken || !*why)
        abort();
}

static void put(unsigned what)
{
    struct sent *s = &sent[n_sent];
    const int from = (int)(take() % PORTS);
    *s = (struct sent){.from = from, .from_life = emu_inbox(from)->life, .to_life = port.life - (what & 8 ? 2 : 0),
                       .bytes = take() % (MOST + 1)};
    memset(s->data, (int)s->bytes + from, s->bytes);
    const struct inbox_message m = {.from = from, .from_life = s->from_life, .to_life = s->to_life, .bytes = s->bytes,
                                    .with_reply = !!(what & 16), .goodbye = !!(what & 32), .data = s->data};
    const bool room = (n_sent < INBOX_SLOTS / 2);
    if (inbox_put(emu_inbox(0), MOST, INBOX_SLOTS / 2, &m) != room && !is_odd)
        abort();
    n_sent += room;
}

/* Overwrites the head of a message, or the slot's word, with a value from the input. */
static void scribble(bool word)
{
    struct inbox *in = emu_inbox(0);
    struct slot *slot = slot_of(in, MOST, in->head);
    unsigned char *const to = word ? (unsigned char *)&slot->word : (unsigned char *)&slot->m;
    const size_t size = word ? sizeof slot->word : offsetof(struct inbox_message, data);
    const size_t n = given_bytes < size ? given_bytes : size;
    is_odd = true;
    memcpy(to, given, n);
    give(given + n, given_bytes - n);
}

/* A PE has claimed a slot, and is killed. */
static void die_in_between(void)
{
    uint64_t round;
    const int from = (int)(take() % PORTS);
    if (n_sent < INBOX_SLOTS / 2 && claim(emu_inbox(0), MOST, INBOX_SLOTS / 2, from, &round)) {
        lives[from / PORTS_EACH] = from / PORTS_EACH == 0;
        is_odd = true; /* from now on, received messages may differ from the sent ones */
    }
}

static void receive(void)
{
    struct inbox_message m;
    for (int i = 0; i < INBOX_SLOTS && receive_first(&port, &m); i++) {
        port.user = &sent[0];
        receive_tell(&port, &m);
        inbox_drop(emu_inbox(0), MOST);
        if (n_sent)
            memmove(&sent[0], &sent[1], (size_t)--n_sent * sizeof *sent);
    }
}

/* Checks that reservations get the earliest free times. */
static void reserve(struct server *s)
{
    const uint64_t at = take() * 3, takes = take() % 16;
    const bool forgets = s->n == SERVER_STRETCHES || s->floor;
    uint64_t begins, left = takes, expected = at;
    const uint64_t ends = server_reserve(s, at, takes, 1, &begins);
    for (; left && expected < TIMES; expected++)
        if (!taken_time[expected]) {
            taken_time[expected] = 1;
            left--;
        }
    if (s->n > SERVER_STRETCHES || begins < at || ends < begins + takes)
        abort();
    for (uint32_t i = 1; i < s->n; i++)
        if (s->stretch[i - 1].to >= s->stretch[i].from || s->stretch[i].from >= s->stretch[i].to)
            abort();
    if (!forgets && takes && !left && ends != expected)
        abort();
}

static void reach(void)
{
    const uint64_t region[3] = {take(), take(), take()}, remote = take() * (take() % 2 ? 1 : UINT64_MAX);
    const size_t bytes = take();
    const char *why;
    struct provider_key *key = emu_key_open(NULL, region, &why);
    const char *at = emu_reach(key, remote, bytes);
    const bool within = remote >= region[0] && remote - region[0] <= region[1] &&
                        bytes <= region[1] - (remote - region[0]);
    if (!at != !within || (at && at != emu.job.memory + region[2] + (remote - region[0])))
        abort();
    emu_key_close(key);
}

static void step(struct server *server)
{
    const unsigned what = take();
    struct inbox *other = emu_inbox(1 + (int)(what / 8 % (PORTS - 1)));
    switch (what % 8) {
    case 0: put(what); break;
    case 1: receive(); break;
    case 2: receive_look(&port); receive_tell_broken(&port); break;
    case 3: other->life += 1 + what / 64; break;
    case 4: lives[1 + what / 8 % (PES - 1)] ^= true; break;
    case 5: what & 8 ? scribble(what & 16) : die_in_between(); break;
    case 6: what & 8 ? reach() : reserve(server); break;
    case 7: server->owner = what & 8 ? FIRST_PID + PES : 0; break; /* a dead process */
    }
}

static void begin(void)
{
    static const struct provider_upcalls upcalls = {.message = message, .broken = broken};
    emu.job.n_pes = PES;
    emu.job.memory = (char *)&emu;
    emu.ports = PORTS_EACH;
    emu.fabric.message_most = MOST;
    emu.inbox_bytes = inbox_bytes(MOST);
    emu.inboxes = aligned_alloc(128, PORTS * emu.inbox_bytes);
    memset(emu.inboxes, 0, PORTS * emu.inbox_bytes);
    for (int i = 0; i < PORTS; i++) {
        emu_inbox(i)->life = 1;
        emu_inbox(i)->pid = FIRST_PID + i / PORTS_EACH;
    }
    memset(lives, 1, sizeof lives);
    memset(taken_time, 0, sizeof taken_time);
    n_sent = 0;
    is_odd = false;
    port = (struct provider_port){.upcalls = &upcalls, .life = 1, .of = calloc(PORTS, sizeof *port.of)};
    port.last = &port.first;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct server server = {0};
    begin();
    give(data, bytes);
    while (given_bytes)
        step(&server);
    receive();
    for (struct provider_endpoint *e = port.endpoints, *next; e; e = next) {
        next = e->next;
        free(e);
    }
    free(port.of);
    free(emu.inboxes);
    return 0;
}
