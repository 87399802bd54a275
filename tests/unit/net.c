/* sources: src/net/amo.c src/net/call.c src/net/called.c src/net/card.c src/net/context.c src/net/failure.c */
/* sources: src/net/message.c src/net/op.c src/net/peer.c src/net/port.c src/net/private.c src/net/progress.c */
/* sources: src/net/rma.c src/net/serve.c src/net/start.c src/net/state.c src/net/strided.c src/net/thread.c */
/* sources: src/net/tune.c src/net/choice.c src/net/ports.c src/net/region.c src/net/hold.c */
/* sources: src/job/settings.c src/job/setting_values.c */
/* flags: -Wl,--wrap=dl_iterate_phdr */
/* src/net against an emulated provider. The provider keeps sent messages until progress releases them, in the order and
 * as slowly as a test requires. It replies for all peers, and knows the operations whose confirmation was not
 * requested. */
#include "net_alone.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PES = 3000, MESSAGE = 1024, SENDS = 8 };

/* --- what the net needs of the rest of the library ---------------------------------------------------------------- */

static char memory[1 << 20];

bool send_beside(pid_t thread, int processor) { (void)thread, (void)processor; return false; }
bool job_note_death(int pe) { (void)pe; return true; }
enum job_pe_state job_state_of(int pe) { (void)pe; return JOB_PE_RUNNING; }
static char statics[64], window[64]; /* window: where peers store to statics */
void *place_here(place at, size_t bytes)
{
    if (at & PLACE_DATA)
        return window + (at & ~PLACE_DATA);
    return at + bytes <= sizeof memory ? memory + at : NULL;
}

static const char *waits_in;

void wait_slowly(struct wait *w)
{
    waits_in = w->routine;
    if (w->slow_turns++ > 1000000)
        job_fatal(w->routine, "waits for ever");
    wait_progress();
}

/* --- an emulated provider -------------------------------------------------------------------------------- */

/* An operation under way: a message, with its data if the net owns a copy; or a flush. */
struct under_way {
    struct provider_endpoint *to;
    const void *data;
    size_t bytes;
    provider_done *done;
    void *arg;
};
static struct under_way queue[2 * PES];
static size_t first, last; /* positions in the queue, which only grow */
static bool patient;       /* progress does nothing */
static size_t messages, flushes, most_under_way;
static char *stack_base;
static size_t deepest;

static struct provider_endpoint endpoints[PES];
static struct provider_endpoint *endpoint_of(int pe) { return &endpoints[pe]; }

static bool post(struct under_way what)
{
    CHECK(last - first < 2 * PES, "more operations are pending than the queue holds");
    queue[last++ % (2 * PES)] = what;
    most_under_way = last - first > most_under_way ? last - first : most_under_way;
    char here;
    const size_t depth = (size_t)(stack_base - &here);
    deepest = depth > deepest ? depth : deepest;
    return false;
}

/* The peer's replies: one to each record that requests one. */
static void answer(struct provider_endpoint *from, const char *data, size_t bytes)
{
    static _Alignas(8) char text[MESSAGE];
    size_t used = sizeof(struct message_head);
    memcpy(text, &(struct message_head){MESSAGE_MAGIC, from->pe}, used);
    for (size_t at = used; at < bytes;) {
        const struct record *r = (const struct record *)(data + at);
        at += (sizeof *r + r->bytes + 7) & ~(size_t)7;
        from->unconfirmed = r->kind != RECORD_FLUSH;
        if (r->kind != RECORD_FLUSH && r->kind != RECORD_FETCH)
            continue;
        const uint64_t value = 7;
        const struct record reply = {RECORD_REPLY, .bytes = sizeof(struct args_reply) + r->size,
                                     .about = ((const struct args_token *)(r + 1))->token};
        memcpy(text + used, &reply, sizeof reply);
        memset(text + used + sizeof reply, 0, sizeof(struct args_reply));
        memcpy(text + used + sizeof reply + sizeof(struct args_reply), &value, r->size);
        used += (sizeof reply + reply.bytes + 7) & ~(size_t)7;
    }
    if (used > sizeof(struct message_head))
        calls->message(&net_port, text, used, NULL);
}

static bool arrive(void)
{
    if (first == last)
        return false;
    const struct under_way it = queue[first++ % (2 * PES)];
    if (it.data)
        answer(it.to, it.data, it.bytes);
    it.done(it.arg, false);
    return true;
}

static bool progress(struct provider_port *port)
{
    (void)port;
    return !patient && arrive();
}

static bool send(struct provider_endpoint *to, const void *data, size_t bytes, bool with_reply, provider_done *done,
                 void *arg)
{
    (void)with_reply;
    messages++;
    to->unconfirmed = true;
    return post((struct under_way){to, data, bytes, done, arg});
}

static bool put(struct provider_endpoint *to, uint64_t remote, struct provider_key *key, const void *source,
                size_t bytes, provider_done *done, void *arg)
{
    (void)to, (void)remote, (void)key, (void)source, (void)bytes, (void)done, (void)arg;
    return true;
}

/* The next message must be a record that requests no reply. */
static size_t together;
static bool put_message(struct provider_endpoint *to, uint64_t remote, const void *source, size_t bytes,
                        const void *message, size_t message_bytes, provider_done *done, void *arg)
{
    (void)to, (void)remote, (void)source, (void)bytes, (void)done, (void)arg;
    struct record r;
    memcpy(&r, (const char *)message + sizeof(struct message_head), sizeof r);
    CHECK(r.kind == RECORD_AMO && message_bytes <= PROVIDER_BEHIND, "a record of kind %d", r.kind);
    together++;
    return true;
}

static bool flush(struct provider_endpoint *to, provider_done *done, void *arg)
{
    flushes++;
    return post((struct under_way){.to = to, .done = done, .arg = arg});
}

/* --- the executable's notes --------------------------------------------------------------------------------------- */

/* One segment of notes, at the end of a page that nothing follows: a last note whose name is not padded. */
int __wrap_dl_iterate_phdr(int (*look)(struct dl_phdr_info *, size_t, void *), void *arg)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(two + page, page, PROT_NONE);
    const size_t bytes = sizeof(ElfW(Nhdr)) + 1;
    char *note = two + (page - bytes) / 4 * 4;
    *(ElfW(Nhdr) *)(void *)note = (ElfW(Nhdr)){.n_namesz = 1};
    const ElfW(Phdr) header = {.p_type = PT_NOTE, .p_vaddr = (uintptr_t)note, .p_memsz = bytes};
    struct dl_phdr_info info = {.dlpi_phdr = &header, .dlpi_phnum = 1};
    const int answered = look(&info, sizeof info, arg);
    munmap(two, 2 * page);
    return answered;
}

/* --- the tests ---------------------------------------------------------------------------------------------------- */

static void start(void)
{
    char tune[64];
    snprintf(tune, sizeof tune, "message=%d,sends=%d,put=%d", MESSAGE, SENDS, MESSAGE);
    fake.send = send;
    fake.put = put;
    fake.flush = flush;
    fake.progress = progress;
    start_net(PES, memory, sizeof memory, MESSAGE, tune);
}

static void check_confirmed(const char *after)
{
    for (int pe = 1; pe < PES; pe++)
        CHECK(!endpoints[pe].unconfirmed, "after %s PE %d has not been asked to confirm", after, pe);
}

/* A put-with-signal that completes while a quiet sends: the next quiet must request a confirmation from its peer. */
static void quiet_asks_all(void)
{
    enum { WITH_SIGNAL = 1, FULL, OTHER };
    static char data[1 << 18];
    struct net_context *c = net_default;
    patient = true;
    net_put(c, FULL, 0, data, record_room(0), NET_NBI, "test"); /* its message has no space for a FLUSH */
    net_put_signal(c, WITH_SIGNAL, 0, data, sizeof data, 0, AMO_SET, 1, NET_NBI, "test");
    for (int i = 1; i < SENDS; i++)
        net_put(c, OTHER + i, 0, data, 8, NET_BLOCKING, "test");
    patient = false;
    net_quiet(c);
    check_confirmed("a quiet with a put-with-signal under way");
    net_put(c, WITH_SIGNAL, 0, data, 8, NET_BLOCKING, "test");
    net_quiet(c);
    check_confirmed("the next quiet");
}

/* Thousands of peers: no more messages are under way than the limit, and no more stack is used than for a few peers. */
static void sends_are_bounded(void)
{
    char base;
    uint64_t value = 3;
    stack_base = &base;
    deepest = most_under_way = 0;
    for (int pe = 1; pe < PES; pe++)
        net_put(net_default, pe, 0, &value, sizeof value, NET_NBI, "test");
    net_quiet(net_default);
    CHECK(most_under_way <= SENDS, "%zu messages under way, allowed were %d", most_under_way, SENDS);
    CHECK(deepest < 4096, "%zu bytes of stack", deepest);
    check_confirmed("a quiet of all");

    most_under_way = 0;
    static char data[64 * MESSAGE];
    net_put_signal(net_default, 1, 0, data, sizeof data, 0, AMO_SET, 1, NET_BLOCKING, "test");
    CHECK(most_under_way <= SENDS, "%zu messages of a put under way, allowed were %d", most_under_way, SENDS);
    net_quiet(net_default);
    stack_base = NULL;
}

/* The flush travels with a put if a quiet, of all PEs or of one, followed the previous put. */
static void flush_travels_with_put(void)
{
    uint64_t value = 4;
    for (int which = 0; which < 2; which++) {
        size_t used = 0;
        for (int round = 0; round < 3; round++) {
            const size_t before = messages;
            net_put(net_default, 1, 0, &value, sizeof value, NET_BLOCKING, "test");
            which ? quiet_pe(net_default, 1) : net_quiet(net_default);
            used = messages - before;
        }
        CHECK(used == 1, "%zu messages for a put and a quiet%s", used, which ? " of one PE" : "");
    }
    check_confirmed("quiets of one PE");
}

/* Several PEs get requests at the same time: no reply arrives before all requests are sent. */
static void peers_are_asked_at_once(void)
{
    uint64_t value = 5;
    for (int pe = 1; pe < SENDS / 2; pe++)
        net_put(net_default, pe, 0, &value, sizeof value, NET_BLOCKING, "test");
    patient = true;
    for (int pe = 1; pe < SENDS / 2; pe++)
        net_start_quiet_pe(net_default, pe);
    patient = false;
    for (int pe = 1; pe < SENDS / 2; pe++)
        net_end_quiet_pe(net_default, pe);
    check_confirmed("quiets of several PEs");
}

/* A thread that waits with the port's lock yields the processor like other waits, if nothing has arrived. */
static void pauses_give_away(void)
{
    net_quiet(net_default);
    const int before = given_away;
    pthread_mutex_lock(&net_port.lock);
    for (int i = 0; i < 3; i++)
        progress_pause(&net_port);
    pthread_mutex_unlock(&net_port.lock);
    CHECK(given_away == before + 3, "in 3 pauses the processor is given away %d times", given_away - before);
}

static void no_ring(void) {}

/* The number of messages that are sent during this many blocking puts. */
static size_t sent_by_puts(int n)
{
    const size_t before = messages;
    uint64_t value = 8;
    for (int i = 0; i < n; i++)
        net_put(net_default, 1, 0, &value, sizeof value, NET_BLOCKING, "test");
    return messages - before;
}

/* The first two of many blocking puts are messages, the others share one: until a wait, a fence, a time without
 * puts, or a signal. Without a progress thread, no put is held. */
static void bursts_share_messages(void)
{
    enum { MANY = 20 };
    uint64_t value = 8;
    net_quiet(net_default);
    CHECK(sent_by_puts(MANY) == MANY, "without a thread puts share messages");
    net_port.ring = no_ring;
    clock_ns += 1000000;
    CHECK(sent_by_puts(MANY) == 2, "a burst is not two messages and held puts");
    CHECK(sent_by_puts(1) == 0, "the held puts are sent without a reason");
    net_fence(net_default);
    CHECK(sent_by_puts(MANY) == 2, "no put is sent immediately after a fence");
    net_progress();
    CHECK(sent_by_puts(MANY) == 2, "no put is sent immediately after a wait");
    clock_ns += 1000000;
    CHECK(sent_by_puts(MANY) == 2, "no put is sent immediately after a while");
    const size_t before = messages;
    net_put_signal(net_default, 1, 0, &value, sizeof value, 0, AMO_SET, 1, NET_BLOCKING, "test");
    CHECK(messages == before + 1, "a signal is held");
    net_port.ring = NULL;
    net_quiet(net_default);
    check_confirmed("bursts of puts");
}

/* The number of messages of two puts after a wait, with a fence between them, the second put so much later. */
static size_t sent_by_flagged_put(place data, uint64_t later)
{
    uint64_t value = 9;
    net_progress();
    const size_t before = messages;
    net_put(net_default, 3, data, &value, sizeof value, NET_BLOCKING, "test");
    net_fence(net_default);
    clock_ns += later;
    net_put(net_default, 3, 8, &value, sizeof value, NET_BLOCKING, "test");
    return messages - before;
}

static size_t sent_by_lone_put(place at)
{
    uint64_t value = 10;
    net_progress();
    const size_t before = messages;
    net_put(net_default, 3, at, &value, sizeof value, NET_BLOCKING, "test");
    return messages - before;
}

/* Data is held for its flag if a flag has always followed; a flag, at another address, is never held. If no flag
 * follows, the next wait sends the data, and later data is sent immediately until flags have followed many times. */
static void data_waits_for_its_flag(void)
{
    enum { LONG = 20, VERY_LONG = 2000, DATA = 0, FLAG = 8 };
    net_quiet(net_default);
    for (int i = 0; i < LONG; i++)
        CHECK(sent_by_flagged_put(DATA, 0) == 2, "without a thread data waits for a flag");
    net_port.ring = no_ring;
    CHECK(sent_by_flagged_put(DATA, 0) == 2, "data is held for a flag before any flag has followed");
    for (int i = 0; i < LONG; i++)
        sent_by_flagged_put(DATA, 0);
    CHECK(sent_by_flagged_put(DATA, 0) == 1, "data and flag are sent in two messages");
    CHECK(sent_by_lone_put(FLAG) == 1, "a flag is held");
    CHECK(sent_by_flagged_put(DATA, 0) == 1, "a flag alone counts as data alone");
    CHECK(sent_by_lone_put(DATA) == 0, "data does not wait for its flag");
    const size_t before = messages;
    clock_ns += 1000000;
    net_progress();
    CHECK(messages == before + 1, "a wait does not send the data");
    for (int i = 0; i < LONG; i++)
        CHECK(sent_by_flagged_put(DATA, 0) == 2, "data waits again after one disappointment");
    for (int i = 0; i < VERY_LONG; i++)
        sent_by_flagged_put(DATA, 0);
    CHECK(sent_by_flagged_put(DATA, 0) == 1, "after one disappointment data never waits again");
    sent_by_flagged_put(DATA, 1000000);
    CHECK(sent_by_flagged_put(DATA, 0) == 2, "data is held although the flag was late");
    for (int i = 0; i < VERY_LONG; i++) {
        sent_by_lone_put(FLAG);
        net_put(net_default, 3, DATA, "nonblocking", 8, NET_NBI, "test");
    }
    CHECK(sent_by_lone_put(FLAG) == 1, "a flag waits for puts that are nonblocking");
    net_port.ring = NULL;
    net_quiet(net_default);
    check_confirmed("data that waits for its flag");
}

/* A few atomics are sent immediately, later ones together; after a fence or a wait a few are sent immediately again. */
static size_t sent_by_atomics(int n)
{
    const size_t before = messages;
    for (int i = 0; i < n; i++)
        net_amo_post(net_library, AMO_ADD, 2, 0, sizeof(uint64_t), 1);
    return messages - before;
}

static void bursts_of_atomics_end(void)
{
    enum { MANY = 30, AT_ONCE = 2 };
    CHECK(sent_by_atomics(MANY) == AT_ONCE, "many atomics do not share messages");
    net_fence(net_library);
    CHECK(sent_by_atomics(MANY) == AT_ONCE, "no atomic is sent immediately after a fence");
    net_progress();
    CHECK(sent_by_atomics(MANY) == AT_ONCE, "no atomic is sent immediately after a wait");
    net_quiet(net_library);
}

/* Atomics of one kind without a result share a record, 16 bytes for each. */
static void atomics_share_records(void)
{
    enum { MANY = 30, LEAST = 16 * MANY, MOST = 20 * MANY };
    net_quiet(net_default);
    for (int kinds = 1; kinds <= 2; kinds++) {
        const uint64_t bytes = net_port.stats.message_bytes, records = net_port.stats.records;
        for (int i = 0; i < MANY; i++)
            net_amo_post(net_default, i % kinds ? AMO_XOR : AMO_ADD, 2, 0, sizeof(uint64_t), 1);
        net_quiet(net_default);
        const uint64_t more = net_port.stats.message_bytes - bytes;
        if (kinds == 1)
            CHECK(more >= LEAST && more <= MOST + 200, "%lu bytes for %d atomics", more, MANY);
        else
            CHECK(net_port.stats.records - records == MANY + 1, "%lu records for %d atomics of two kinds",
                  net_port.stats.records - records, MANY);
    }
}

/* A waiting thread reports its wait under the name of the routine that the user called. */
static void waits_are_named(void)
{
    static char data[4 * MESSAGE];
    net_put(net_default, 1, 0, data, sizeof data, NET_BLOCKING, "shmem_long_put");
    net_quiet(net_default);
    net_amo(net_default, AMO_FETCH, 1, 0, sizeof(long), 0, 0, "shmem_long_atomic_fetch");
    CHECK(strcmp(waits_in, "shmem_long_atomic_fetch") == 0, "the wait is reported as %s", waits_in);
    net_put_signal(net_default, 1, 0, data, sizeof data, 0, AMO_SET, 1, NET_BLOCKING, "shmem_long_put_signal");
    net_put_signal(net_default, 1, 0, data, (size_t)1 << 17, 0, AMO_SET, 1, NET_BLOCKING, "shmem_char_put_signal");
    CHECK(strcmp(waits_in, "shmem_char_put_signal") == 0, "the wait is reported as %s", waits_in);
    net_quiet(net_default);
}

/* A large put-with-signal waits for its data at the peer, and for nothing that has been sent before. */
static void signal_follows_data(void)
{
    static char data[1 << 18];
    uint64_t value = 6;
    for (int i = 0; i < 3; i++) {
        net_put(net_default, 1, 0, &value, sizeof value, NET_BLOCKING, "test");
        const size_t before = messages, flushed = flushes;
        net_put_signal(net_default, 1, 0, data, sizeof data, 0, AMO_SET, 1, NET_BLOCKING, "test");
        CHECK(messages == before + 1 && flushes == flushed + 1, "%zu messages and %zu flushes of puts",
              messages - before, flushes - flushed);
    }
    net_quiet(net_default);
    check_confirmed("a put-with-signal");
}

static bool keeps_order(struct provider_endpoint *to) { (void)to; return true; }

/* If the network keeps puts and messages in order, the signal is sent immediately after its data. */
static void signal_is_sent_behind(void)
{
    static char data[1 << 18];
    fake.keeps_order = keeps_order;
    for (int mode = NET_BLOCKING; mode <= NET_NBI; mode++) {
        const size_t before = messages, flushed = flushes;
        net_put_signal(net_default, 1, 0, data, sizeof data, 0, AMO_SET, 1, mode, "test");
        net_progress();
        CHECK(messages == before + 1 && flushes == flushed, "mode %d: %zu messages and %zu flushes of puts", mode,
              messages - before, flushes - flushed);
        net_quiet(net_default);
    }
    check_confirmed("a put-with-signal that is sent behind its data");
    fake.keeps_order = keeps_no_order;
}

/* Such a network may also send the signal in one message with the data, after the earlier records. */
static void signal_is_sent_with_data(void)
{
    static char data[1 << 18];
    uint64_t value = 6;
    fake.keeps_order = keeps_order;
    fake.put_message = put_message;
    for (int i = 0; i < 2; i++)
        net_put(net_default, 1, 0, &value, sizeof value, NET_BLOCKING, "test");
    net_quiet(net_default); /* after two puts, so no quiet is expected after the next first put */
    const size_t before = messages;
    net_put(net_default, 1, 0, &value, sizeof value, NET_DELAYED, "test");
    net_put(net_default, 1, 8, &value, sizeof value, NET_DELAYED, "test");
    net_put_signal(net_default, 1, 16, data, sizeof data, 0, AMO_ADD, 1, NET_BLOCKING, "test");
    CHECK(messages == before + 1 && together == 1, "%zu messages, and %zu with data", messages - before, together);
    net_quiet(net_default);
    check_confirmed("a put-with-signal in one message");
    fake.put_message = NULL;
    fake.keeps_order = keeps_no_order;
}

/* If the network keeps order, a fence waits for no put, and a put after the fence waits for no records: all are sent in
 * order, unless records may queue behind a call. */
static void fence_waits_for_nothing(void)
{
    static char data[1 << 18];
    uint64_t value = 6;
    fake.keeps_order = keeps_order;
    const size_t before = messages, flushed = flushes;
    waits_in = "";
    net_put(net_default, 1, 0, &value, sizeof value, NET_DELAYED, "test");
    net_fence(net_default);
    net_put(net_default, 1, 8, data, sizeof data, NET_BLOCKING, "test");
    CHECK(messages == before + 1, "a record is not sent before a put behind a fence");
    net_fence(net_default);
    net_amo_post(net_default, AMO_ADD, 1, 0, sizeof value, value);
    CHECK(flushes == flushed && strcmp(waits_in, "shmem_fence") != 0 && strcmp(waits_in, "shmem_pe_quiet") != 0,
          "%zu flushes of puts, and a wait in %s", flushes - flushed, waits_in);
    net_quiet(net_default);
    check_confirmed("puts in order");
    fake.keeps_order = keeps_no_order;
}

/* While there are few contexts, no two share a bit, however many were created before, and none has the default's or the
 * library's. */
static void contexts_have_bits(void)
{
    struct net_context *kept = net_context_open(0);
    for (int i = 0; i < 200; i++) {
        struct net_context *c = net_context_open(0);
        CHECK(c->bit != kept->bit && c->bit != net_default->bit && c->bit != net_library->bit, "context %d has bit %u",
              i, c->number);
        net_context_close(c);
    }
    net_context_close(kept);
}

static size_t pooled(void)
{
    size_t n = 0;
    for (struct buffer *b = net_port.free_buffers; b; b = b->next)
        n++;
    for (struct op *op = net_port.free_ops; op; op = op->next)
        n++;
    return n;
}

/* Buffers and ops are reused: a million operations take no more of them than a thousand. */
static void nothing_grows(void)
{
    uint64_t value = 5;
    size_t early = 0;
    for (int i = 0; i < 1000000; i++) {
        struct net_context *c = net_default;
        const int pe = 1 + i % 3;
        switch (i % 5) {
        case 0: net_put(c, pe, 0, &value, sizeof value, NET_BLOCKING, "test"); break;
        case 1: net_put(c, pe, 8, &value, sizeof value, NET_NBI, "test"); break;
        case 2: net_amo_post(c, AMO_ADD, pe, 0, sizeof value, 1); break;
        case 3: CHECK(net_amo(c, AMO_FETCH, pe, 0, sizeof value, 0, 0, "test") == 7, "the value is wrong"); break;
        case 4: i % 2 ? net_quiet(c) : quiet_pe(c, pe); break;
        }
        if (i == 1000) {
            net_quiet(c);
            early = pooled();
        }
    }
    net_quiet(net_default);
    CHECK(pooled() <= early, "%zu buffers and operations, %zu after a thousand operations", pooled(), early);
}

/* A thread that sleeps for 8 bytes, and a peer's put that the provider has stored. */
static bool put_wakes(const char *sleeps_for, const char *at, size_t bytes)
{
    job_seat(0)->asleep_from = (uintptr_t)sleeps_for;
    job_seat(0)->asleep_to = (uintptr_t)sleeps_for + 8;
    woken = 0;
    calls->stored(&net_port, (uintptr_t)at, bytes);
    job_seat(0)->asleep_to = 0;
    return woken == 1;
}

static void stored_puts_wake(void)
{
    node.data = (uintptr_t)statics;
    node.data_used = sizeof statics;
    CHECK(put_wakes(memory + 992, memory, 1000), "a put does not wake the thread that sleeps for its last word");
    CHECK(!put_wakes(memory + 1000, memory, 1000), "a put wakes a thread that sleeps for the word after it");
    CHECK(put_wakes(window + 56, statics + 8, 56), "a put to statics does not wake the thread that sleeps for them");
    node.data = node.data_used = 0;
}

int main(void)
{
    start();
    stored_puts_wake();
    quiet_asks_all();
    sends_are_bounded();
    flush_travels_with_put();
    peers_are_asked_at_once();
    pauses_give_away();
    bursts_share_messages();
    data_waits_for_its_flag();
    bursts_of_atomics_end();
    atomics_share_records();
    waits_are_named();
    signal_follows_data();
    signal_is_sent_behind();
    signal_is_sent_with_data();
    fence_waits_for_nothing();
    contexts_have_bits();
    nothing_grows();
    net_stop();
    return check_result();
}
