/* The target's side: executes the records of a received message.
 *
 * The thread that makes progress runs this, with the port's lock.  Each record's stores become visible before the next
 * record's, so a PE that sees a signal sees the data put before it.
 *
 * A function that another PE calls belongs to the program: it may run long, and may need a lock held by a thread that
 * waits for this port.  It therefore runs outside the provider's upcall and without the port's lock.  The rest of its
 * message is queued, and so are later messages from that PE; the thread that made progress then runs the queue. */
#include "net/serve.h"

#include "wait/wait.h"
#include "net/called.h"
#include "net/message.h"
#include "net/op.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* A message that is queued, from the first record that has not been executed. */
struct waiting {
    struct waiting *next;
    struct provider_endpoint *way_back;
    int from;
    bool gone; /* the endpoint for replies has broken */
    size_t bytes;
    _Alignas(16) unsigned char data[];
};

struct serving {
    struct port *port;
    struct waiting *waiting; /* NULL: the message has just arrived */
    struct provider_endpoint *way_back;
    int from;
    struct buffer *out;
};

static _Noreturn void nonsense(const struct serving *s, const char *what)
{
    job_fatal("the network", "a message from PE %d %s; do all PEs run the same version of Copal and of the program?",
              s->from, what);
}

static void *here(const struct serving *s, place where, size_t bytes)
{
    void *at = place_here(where, bytes);
    if (UNLIKELY(!at))
        nonsense(s, "is about memory that this PE does not have");
    return at;
}

/* --- stores ------------------------------------------------------------------------------------------------------- */

/* An element is stored by one instruction, as a waiting PE may be reading it.  Data in a message may be unaligned. */
INLINE void store(void *to, const unsigned char *data, size_t bytes)
{
    uint64_t v8;
    uint32_t v4;
    uint16_t v2;
    atomic_thread_fence(memory_order_release); /* MUTANT stores of records are in order */
    if (bytes == 8 && (uintptr_t)to % 8 == 0) {
        memcpy(&v8, data, 8);
        __atomic_store_n((uint64_t *)to, v8, __ATOMIC_RELEASE);
    } else if (bytes == 4 && (uintptr_t)to % 4 == 0) {
        memcpy(&v4, data, 4);
        __atomic_store_n((uint32_t *)to, v4, __ATOMIC_RELEASE);
    } else if (bytes == 2 && (uintptr_t)to % 2 == 0) {
        memcpy(&v2, data, 2);
        __atomic_store_n((uint16_t *)to, v2, __ATOMIC_RELEASE);
    } else {
        memcpy(to, data, bytes);
    }
}

static void put(const struct serving *s, const struct record *r, const unsigned char *data)
{
    void *to = here(s, r->about, r->bytes);
    store(to, data, r->bytes);
    wake(self.pe, to, r->bytes);
}

/* Returns the address of block 0; *span: from the lowest to the highest byte of all blocks, so one check is enough. */
static unsigned char *span_here(const struct serving *s, const struct record *r, const struct args_strided *a,
                                size_t *span)
{
    int64_t last;
    if (!a->n || !a->block || __builtin_mul_overflow((int64_t)(a->n - 1), a->step, &last) || last == INT64_MIN)
        nonsense(s, "has strided data of an impossible length");
    const uint64_t below = last < 0 ? (uint64_t)-last : 0;
    if (below > (r->about & ~PLACE_DATA))
        nonsense(s, "is about memory that this PE does not have");
    *span = (last < 0 ? below : (uint64_t)last) + a->block;
    return (unsigned char *)here(s, r->about - below, *span) + below;
}

static void put_strided(const struct serving *s, const struct record *r, const struct args_strided *a,
                        const unsigned char *data)
{
    size_t span;
    unsigned char *to = span_here(s, r, a, &span);
    if ((uint64_t)a->n * a->block != r->bytes - sizeof *a)
        nonsense(s, "has strided data of the wrong length");
    for (uint32_t i = 0; i < a->n; i++)
        store(to + (int64_t)i * a->step, data + (size_t)i * a->block, a->block);
    const int64_t last = (int64_t)(a->n - 1) * a->step;
    wake(self.pe, last < 0 ? to + last : to, span);
}

static uint64_t amo(const struct serving *s, const struct record *r, place at, uint64_t value, uint64_t cond)
{
    if ((r->size != 4 && r->size != 8) || r->op > AMO_XOR)
        nonsense(s, "requests an unknown atomic operation");
    void *word = here(s, at, r->size);
    if ((uintptr_t)word % r->size)
        nonsense(s, "requests an atomic operation on an unaligned word");
    const uint64_t before = amo_apply((enum amo)r->op, word, r->size, value, cond);
    if (r->op != AMO_FETCH)
        wake(self.pe, word, r->size);
    return before;
}

static void posts(const struct serving *s, const struct record *r, const unsigned char *data)
{
    struct args_post a;
    if (r->bytes % sizeof a)
        nonsense(s, "is cut short");
    for (uint32_t at = 0; at < r->bytes; at += sizeof a) {
        memcpy(&a, data + at, sizeof a);
        amo(s, r, a.word, a.value, 0);
    }
}

/* --- barriers (state.c) ------------------------------------------------------------------------------------------- */

static _Atomic uint32_t gathered[31], released;

uint32_t serve_gathered(int bit)
{
    return gathered[bit];
}

uint32_t serve_released(void)
{
    return released;
}

static void take_stage(const struct serving *s, const struct record *r)
{
    const unsigned above = (unsigned)s->from - (unsigned)self.pe;
    if (r->kind == RECORD_RELEASED)
        released = (uint32_t)r->about;
    else if (s->from > self.pe && (above & (above - 1)) == 0)
        gathered[__builtin_ctz(above)] = (uint32_t)r->about;
    else
        nonsense(s, "is about a barrier that does not concern this PE");
    wake(self.pe, &released, sizeof released);
}

/* --- replies ------------------------------------------------------------------------------------------------------ */

static void send_replies(struct serving *s)
{
    if (s->out)
        buffer_send(s->out, s->way_back);
    s->out = NULL;
}

/* Adds a reply, and returns the space for its data. */
static unsigned char *reply(struct serving *s, uint64_t token, uint64_t at, size_t bytes, int error)
{
    if (UNLIKELY(!s->way_back))
        nonsense(s, "requests a reply, and has no endpoint for it");
    const size_t whole = sizeof(struct record) + sizeof(struct args_reply) + bytes;
    const size_t all = (whole + RECORD_ALIGN - 1) & ~(size_t)(RECORD_ALIGN - 1);
    if (UNLIKELY(bytes > record_room(sizeof(struct args_reply))))
        nonsense(s, "requests more than fits in a reply");
    if (s->out && s->out->used + all > net_tune.message)
        send_replies(s);
    if (!s->out)
        s->out = buffer_new(s->port);
    unsigned char *p = s->out->data + s->out->used;
    const struct record r = {.kind = RECORD_REPLY, .op = (uint8_t)error,
                             .bytes = (uint32_t)(sizeof(struct args_reply) + bytes), .about = token};
    const struct args_reply a = {.at = at};
    memcpy(p, &r, sizeof r);
    memcpy(p + sizeof r, &a, sizeof a);
    s->out->used += (uint32_t)all;
    s->port->stats.replies++;
    return p + sizeof r + sizeof a;
}

static void get(struct serving *s, const struct record *r, const struct args_get *a)
{
    const void *from = here(s, r->about, a->bytes);
    unsigned char *to = reply(s, a->token, a->at, a->bytes, 0);
    if (a->bytes == 8 && (uintptr_t)from % 8 == 0) {
        const uint64_t v = __atomic_load_n((const uint64_t *)from, __ATOMIC_ACQUIRE);
        memcpy(to, &v, 8);
    } else {
        memcpy(to, from, a->bytes);
    }
}

static void get_strided(struct serving *s, const struct record *r, const struct args_strided *a)
{
    size_t span;
    const unsigned char *from = span_here(s, r, a, &span);
    unsigned char *to = reply(s, a->token, a->at, (size_t)a->n * a->block, 0);
    for (uint32_t i = 0; i < a->n; i++)
        memcpy(to + (size_t)i * a->block, from + (int64_t)i * a->step, a->block);
}

static void key(struct serving *s, const struct record *r, const struct args_token *a)
{
    unsigned char packed[REGION_KEY_BYTES];
    if (!region_has(r->about))
        nonsense(s, "is about memory that this PE does not have");
    const size_t bytes = region_key((unsigned)r->about, packed, sizeof packed);
    if (bytes > sizeof packed)
        job_fatal("the network", "a key to memory takes %zu bytes, and allowed are at most %zu; name fewer devices "
                  "(UCX_NET_DEVICES)", bytes, sizeof packed);
    memcpy(reply(s, a->token, 0, bytes, 0), packed, bytes);
}

/* The kernel makes the copy, because it returns an error if memory is not mapped. */
static int copy_private(void *mine, uint64_t theirs, size_t bytes, bool write)
{
    struct iovec local = {.iov_base = mine, .iov_len = bytes};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)theirs, .iov_len = bytes};
    const ssize_t done = write ? process_vm_writev(self.pid, &local, 1, &remote, 1, 0)
                               : process_vm_readv(self.pid, &local, 1, &remote, 1, 0);
    return done == (ssize_t)bytes ? 0 : done < 0 ? errno : EFAULT;
}

static void read_private(struct serving *s, const struct record *r, const struct args_get *a)
{
    if (a->bytes > record_room(sizeof(struct args_reply)))
        nonsense(s, "requests more than fits in a reply");
    unsigned char data[a->bytes ? a->bytes : 1];
    const int error = copy_private(data, r->about, a->bytes, false);
    unsigned char *to = reply(s, a->token, a->at, error ? 0 : a->bytes, error);
    if (!error)
        memcpy(to, data, a->bytes);
}

static void write_private(struct serving *s, const struct record *r, const struct args_token *a,
                          const unsigned char *data)
{
    const int error = copy_private((void *)(uintptr_t)data, r->about, r->bytes - sizeof *a, true);
    if (!error)
        wake(self.pe, (void *)(uintptr_t)r->about, r->bytes - sizeof *a);
    reply(s, a->token, 0, 0, error);
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

/* Data of a queued record, aligned for any type. */
static void *aligned(unsigned char *data, size_t bytes)
{
    return (uintptr_t)data % 16 ? memmove(data - 8, data, bytes) : data; /* overwrites 8 bytes of its arguments */
}

static void run_unlocked(struct serving *s, uint32_t number, void *args, size_t bytes, struct net_reply *reply)
{
    port_unlock(s->port);
    net_called(number, s->from, args, bytes, reply);
    port_lock(s->port);
}

static void release(struct serving *s, const struct net_reply *r)
{
    if (!r->release)
        return;
    port_unlock(s->port);
    net_released(r->release, r->data);
    port_lock(s->port);
}

static void release_left(struct serving *s, struct left *l)
{
    release(s, &l->reply);
    free(l);
}

static void reply_to_call(struct serving *s, uint64_t token, const struct net_reply *r)
{
    struct call_reply start = {.head = r->head_bytes, .bytes = r->bytes};
    const size_t room = record_room(sizeof(struct args_reply)) - sizeof start;
    const size_t head = start.head < room ? start.head : room;
    const size_t data = start.bytes < room - head ? start.bytes : room - head;
    const bool is_all = head == start.head && data == start.bytes;
    for (struct left *l; (l = called_of_the_dead());)
        release_left(s, l);
    if (s->waiting->gone) {
        release(s, r);
        return;
    }
    if (!is_all)
        start.rest = called_keep(s->from, r);
    unsigned char *to = reply(s, token, 0, sizeof start + head + data, 0);
    memcpy(to, &start, sizeof start);
    memcpy(to + sizeof start, r->head, head);
    if (data)
        memcpy(to + sizeof start + head, r->data, data);
    if (is_all)
        release(s, r);
}

static void call(struct serving *s, const struct record *r, const struct args_call *a, unsigned char *data)
{
    _Alignas(16) unsigned char head[NET_REPLY_HEAD];
    struct net_reply left = {.head = head};
    const size_t last = r->bytes - sizeof *a;
    void *pieces = NULL;
    if (a->before && !(pieces = called_arguments(s->from, r->about, a->before, data, last)))
        nonsense(s, "calls a function without all of its arguments");
    void *args = pieces ? pieces : aligned(data, last);
    run_unlocked(s, (uint32_t)r->about, args, a->before + last, a->token ? &left : NULL);
    free(pieces);
    if (a->token)
        reply_to_call(s, a->token, &left);
}

static void rest(struct serving *s, const struct record *r, const struct args_rest *a)
{
    const struct left *l = called_left(s->from, r->about, false);
    const size_t head = l ? l->reply.head_bytes : 0, all = l ? head + l->reply.bytes : 0;
    if (!l || a->from > all || a->bytes > (a->from < head ? head : all) - a->from)
        nonsense(s, "requests more than a function has returned");
    unsigned char *to = reply(s, a->token, a->at, a->bytes, 0);
    memcpy(to, a->from < head ? l->head + a->from : (unsigned char *)l->reply.data + (a->from - head), a->bytes);
}

static void release_rest(struct serving *s, const struct record *r)
{
    struct left *l = called_left(s->from, r->about, true);
    if (!l)
        nonsense(s, "releases a result that no function has returned");
    release_left(s, l);
}

/* --- received replies --------------------------------------------------------------------------------------------- */

static void replied(const struct serving *s, const struct record *r, const struct args_reply *a,
                    const unsigned char *data)
{
    const struct peer *peer = s->port->peers[s->from];
    if (!peer || peer->dead) /* MUTANT late answers of the dead: peer->dead => false */
        return; /* the peer counts as dead, and its operations have ended */
    struct op *op = op_asked(s->port, s->from, r->about);
    if (UNLIKELY(!op))
        nonsense(s, "replies to no request of this PE");
    const size_t bytes = r->bytes - sizeof *a;
    const size_t all = op->block ? bytes / op->block : bytes;
    /* MUTANT an answer fits its request: (a->at > op->room || all > op->room - a->at) => a->at > op->room */
    if (UNLIKELY(op->dest && op->room != SIZE_MAX && (a->at > op->room || all > op->room - a->at)))
        nonsense(s, "replies with more data than this PE has requested");
    if (r->op)
        op->error = r->op;
    else if (op->dest && op->block)
        for (size_t i = 0; i < all; i++)
            memcpy(op->dest + (ptrdiff_t)(a->at + i) * op->step, data + i * op->block, op->block);
    else if (op->dest)
        memcpy(op->dest + a->at, data, bytes);
    op_answered(op);
}

/* --- queued messages ---------------------------------------------------------------------------------------------- */

static bool waits_for(const struct port *port, int from)
{
    const struct waiting *w = port->waiting;
    while (w && w->from != from)
        w = w->next;
    return w != NULL;
}

static void wait_for_call(struct serving *s, const unsigned char *data, size_t bytes)
{
    struct port *port = s->port;
    struct waiting *w = malloc(sizeof *w + bytes);
    if (!w)
        job_fatal("the network", "no memory for a message from PE %d", s->from);
    *w = (struct waiting){.way_back = s->way_back, .from = s->from, .bytes = bytes};
    memcpy(w->data, data, bytes);
    *(port->waiting ? &port->last_waiting->next : &port->waiting) = w;
    port->last_waiting = w;
    port->waiting_bytes += bytes;
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

static void args_of(const struct serving *s, const struct record *r, const unsigned char *data, void *args,
                    size_t bytes)
{
    if (UNLIKELY(r->bytes < bytes))
        nonsense(s, "is cut short");
    memcpy(args, data, bytes);
}

static void execute(struct serving *s, const struct record *r, unsigned char *data)
{
    union {
        struct args_token token;
        struct args_amo amo;
        struct args_get get;
        struct args_strided strided;
        struct args_piece piece;
        struct args_call call;
        struct args_rest rest;
        struct args_reply reply;
    } a;
    switch (r->kind) {
    case RECORD_PUT:
        put(s, r, data);
        return;
    case RECORD_PUT_STRIDED:
        args_of(s, r, data, &a, sizeof a.strided);
        put_strided(s, r, &a.strided, data + sizeof a.strided);
        return;
    case RECORD_AMO:
        posts(s, r, data);
        return;
    case RECORD_FETCH:
        args_of(s, r, data, &a, sizeof a.amo);
        const uint64_t before = amo(s, r, r->about, a.amo.value, a.amo.cond);
        /* little-endian, as all supported machines */
        memcpy(reply(s, a.amo.token, 0, r->size, 0), &before, r->size);
        return;
    case RECORD_GET:
        args_of(s, r, data, &a, sizeof a.get);
        get(s, r, &a.get);
        return;
    case RECORD_GET_STRIDED:
        args_of(s, r, data, &a, sizeof a.strided);
        get_strided(s, r, &a.strided);
        return;
    case RECORD_FLUSH:
        args_of(s, r, data, &a, sizeof a.token);
        reply(s, a.token.token, 0, 0, 0);
        return;
    case RECORD_STATE:
        args_of(s, r, data, &a, sizeof a.token);
        const uint64_t state = (uint64_t)job_seat(self.pe)->stage << 32 | (uint32_t)job_state_of(self.pe);
        memcpy(reply(s, a.token.token, 0, sizeof state, 0), &state, sizeof state);
        return;
    case RECORD_GATHERED:
    case RECORD_RELEASED:
        take_stage(s, r);
        return;
    case RECORD_KEY:
        args_of(s, r, data, &a, sizeof a.token);
        key(s, r, &a.token);
        return;
    case RECORD_READ:
        args_of(s, r, data, &a, sizeof a.get);
        read_private(s, r, &a.get);
        return;
    case RECORD_WRITE:
        args_of(s, r, data, &a, sizeof a.token);
        write_private(s, r, &a.token, data + sizeof a.token);
        return;
    case RECORD_ARGS:
        args_of(s, r, data, &a, sizeof a.piece);
        if (!called_piece(s->from, r->about, &a.piece, data + sizeof a.piece, r->bytes - sizeof a.piece))
            nonsense(s, "has arguments of a function in disorder");
        return;
    case RECORD_CALL:
        args_of(s, r, data, &a, sizeof a.call);
        call(s, r, &a.call, data + sizeof a.call);
        return;
    case RECORD_REST:
        args_of(s, r, data, &a, sizeof a.rest);
        rest(s, r, &a.rest);
        return;
    case RECORD_RELEASE:
        release_rest(s, r);
        return;
    case RECORD_ALERT:
        if (r->about == 0)
            job_alert(self.job);
        else if (r->about <= (uint64_t)self.n_pes)
            job_note_death((int)r->about - 1);
        return;
    case RECORD_REPLY:
        args_of(s, r, data, &a, sizeof a.reply);
        replied(s, r, &a.reply, data + sizeof a.reply);
        return;
    }
    nonsense(s, "has a record of an unknown kind");
}

/* Executes the records from `at` on.  Returns the address of the first record that must be queued, or the end. */
static unsigned char *execute_all(struct serving *s, unsigned char *at, const unsigned char *end)
{
    while ((size_t)(end - at) >= sizeof(struct record)) {
        struct record r;
        memcpy(&r, at, sizeof r);
        /* MUTANT records wait for a call: r.kind == RECORD_CALL || r.kind == RECORD_RELEASE => false */
        /* MUTANT calls of the dead are not run: s->waiting->gone => false */
        if (!s->waiting ? r.kind == RECORD_CALL || r.kind == RECORD_RELEASE : s->waiting->gone)
            return at;
        at += sizeof r;
        if (r.bytes > (size_t)(end - at))
            nonsense(s, "is cut short");
        execute(s, &r, at);
        const size_t padded = (r.bytes + RECORD_ALIGN - 1) & ~(size_t)(RECORD_ALIGN - 1);
        at += padded < (size_t)(end - at) ? padded : (size_t)(end - at);
        s->port->stats.served++;
    }
    return at;
}

void serve_message(void *port, const void *data, size_t bytes, struct provider_endpoint *way_back)
{
    struct serving s = {.port = port, .way_back = way_back, .from = -1};
    struct message_head head;
    if (bytes >= sizeof head)
        memcpy(&head, data, sizeof head);
    if (bytes < sizeof head || head.magic != MESSAGE_MAGIC || (unsigned)head.from >= (unsigned)self.n_pes)
        nonsense(&s, "is not one of Copal's");
    s.from = head.from;
    s.port->asked += way_back != NULL;
    unsigned char *at = (unsigned char *)(uintptr_t)data + sizeof head;
    const unsigned char *end = (const unsigned char *)data + bytes;
    if (LIKELY(!waits_for(s.port, s.from))) /* MUTANT messages wait for a call: !waits_for(s.port, s.from) => true */
        at = execute_all(&s, at, end);
    if (UNLIKELY(at < end))
        wait_for_call(&s, at, (size_t)(end - at));
    send_replies(&s); /* MUTANT answers are sent */
}

void serve_outside(void *port, uint64_t at, size_t bytes)
{
    (void)port;
    job_fatal("the network", "a message of another PE is about %zu bytes at 0x%lx, which are not in the memory that "
              "this PE has opened to others; do all PEs run the same version of Copal and of the program?", bytes, at);
}

bool serve_waiting(struct port *port)
{
    if (port->calling) /* MUTANT one function at a time */
        return false;
    port->calling = true;
    const struct waiting *const last = port->last_waiting;
    for (bool is_last = false; !is_last;) {
        struct waiting *w = port->waiting;
        struct serving s = {.port = port, .waiting = w, .way_back = w->way_back, .from = w->from};
        execute_all(&s, w->data, w->data + w->bytes);
        if (w->gone && s.out)
            buffer_drop(s.out);
        else /* MUTANT a call's answers are sent */
            send_replies(&s);
        is_last = w == last;
        port->waiting = w->next;
        port->waiting_bytes -= w->bytes;
        free(w);
    }
    port->calling = false;
    if (port->waiting && port->ring)
        port->ring(); /* a message arrived meanwhile, and the thread that received it may have returned */
    return true;
}

void serve_forget(struct port *port, const struct provider_endpoint *way_back)
{
    for (struct waiting *w = port->waiting; w; w = w->next)
        w->gone |= w->way_back == way_back;
}

void serve_end(struct port *port)
{
    for (struct waiting *w = port->waiting, *next; w; w = next) {
        next = w->next;
        free(w);
    }
    port->waiting = NULL;
    port->waiting_bytes = 0;
    called_free_all();
}
