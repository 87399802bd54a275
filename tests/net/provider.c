/* A network provider (src/net/provider.h) as the net uses it, between processes: provider MODULE [SCENARIO [FABRIC]].
 * FABRIC: the emulated network's fabric, with few ports for each process. */
#include "processes.h"

#include <sys/epoll.h>
#include <sys/resource.h>

enum { MESSAGES = 100000, SLOW_MESSAGES = 20000, MIB = 1 << 20 };

static unsigned long long random_state = 88172645463325252ull;

static size_t random_below(size_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)(random_state >> 11) % n;
}

static void nothing_breaks(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)user;
    (void)endpoint;
    fprintf(stderr, "process %d: an endpoint has broken: %s\n", me, why);
    REQUIRE(false);
}

/* --- messages: in order, complete, in both directions together, with replies from within the upcall --------------- */

struct note {
    uint32_t number, bytes;
    uint16_t is_reply, wants_reply;
    uint8_t fill[];
};

static uint32_t next_came, next_reply, replies_wanted;

static uint8_t filling(uint32_t number, size_t i, int sender)
{
    return (uint8_t)(number * 7 + i * 13 + (size_t)sender * 101);
}

static void answered(void *answer, bool has_failed)
{
    free(answer);
    counted(NULL, has_failed);
}

static void message(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user;
    struct note head;
    REQUIRE(bytes >= sizeof head);
    memcpy(&head, data, sizeof head);
    REQUIRE(head.bytes == bytes);
    const uint8_t *fill = (const uint8_t *)data + sizeof head;
    for (size_t i = 0; i < bytes - sizeof head; i += i + 64 < bytes - sizeof head ? 61 : 1)
        REQUIRE(fill[i] == filling(head.number, i, 1 - me));
    if (head.is_reply) {
        REQUIRE(!reply && head.number == next_reply++);
        return;
    }
    REQUIRE(head.number == next_came++);
    REQUIRE(!!reply == !!head.wants_reply);
    if (!reply)
        return;
    static uint32_t replies;
    struct note *answer = malloc(sizeof head + 32);
    *answer = (struct note){.number = replies++, .bytes = (uint32_t)(sizeof head + head.number % 30), .is_reply = 1};
    for (size_t i = 0; i < answer->bytes - sizeof head; i++)
        answer->fill[i] = filling(answer->number, i, me);
    outstanding++;
    if (provider->send(reply, answer, answer->bytes, false, answered, answer))
        answered(answer, false);
}

static void messages(void)
{
    const uint32_t n_messages = fabric ? SLOW_MESSAGES : MESSAGES;
    static const struct provider_upcalls upcalls = {.message = message, .broken = nothing_breaks};
    struct provider_port *port = open_port(&upcalls);
    REQUIRE(port && provider->message_most >= 1024);
    publish(port, me);
    meet(port, 2);
    struct provider_endpoint *peer = reach(port, 1 - me);
    random_state += (unsigned)me;
    enum { RING = 64 };
    uint8_t *text[RING];
    for (int i = 0; i < RING; i++)
        text[i] = malloc(provider->message_most);
    for (uint32_t n = 0; n < n_messages; n++) {
        size_t room = provider->message_most - sizeof(struct note);
        size_t fill = n % 1000 == 999 ? room : random_below(n % 16 ? 200 : room < 8192 ? room : 8192);
        struct note *note = (struct note *)text[n % RING];
        *note = (struct note){
            .number = n, .bytes = (uint32_t)(sizeof *note + fill), .wants_reply = random_below(8) == 0};
        for (size_t i = 0; i < fill; i++)
            note->fill[i] = filling(n, i, me);
        replies_wanted += note->wants_reply;
        count(provider->send(peer, note, note->bytes, note->wants_reply, counted, NULL));
        if (n % RING == RING - 1)
            complete(port);
        else if (n % 8 == 0)
            provider->progress(port);
    }
    while (outstanding || next_came < n_messages || next_reply < replies_wanted)
        provider->progress(port);
    meet(port, 2);
    REQUIRE(next_came == n_messages && next_reply == replies_wanted && !failed);
    if (me == 0) {
        char words[1024] = "";
        provider->describe(peer, words, sizeof words);
        printf("%s\n%s(one-sided: %s; messages of at most %zu bytes; a card of %zu)\n", provider->name, words,
               provider->is_one_sided(peer) ? "yes" : "no", provider->message_most, shared->of[0].card_bytes);
        fflush(stdout);
        REQUIRE(strlen(words) > 10);
    }
    provider->disconnect(port, peer);
    provider->close(port);
}

/* --- put and get -------------------------------------------------------------------------------------------------- */

static void no_message(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user;
    (void)data;
    (void)bytes;
    (void)reply;
    REQUIRE(false);
}

static size_t bytes_put, bytes_stored; /* stored: of the peer's puts, as far as the provider has reported them */

static bool counted_put(struct provider_endpoint *peer, uint64_t to, struct provider_key *key, const void *source,
                        size_t bytes)
{
    bytes_put += bytes;
    return provider->put(peer, to, key, source, bytes, counted, NULL);
}

static void stored(void *user, uint64_t at, size_t bytes)
{
    (void)user;
    (void)at;
    bytes_stored += bytes;
}

static void rma(void)
{
    static const struct provider_upcalls upcalls = {.message = no_message, .broken = nothing_breaks, .stored = stored};
    struct provider_port *port = open_port(&upcalls);
    REQUIRE(port);
    const size_t most = 64 * MIB, room = most + 4096;
    size_t file_at;
    uint8_t *mine = room_for(2 * room, &file_at);
    const char *why = "";
    struct provider_memory *memory = open_memory(mine, 2 * room, file_at);
    publish(port, me);
    meet(port, 2);
    struct provider_endpoint *peer = reach(port, 1 - me);
    struct provider_key *key = provider->key_open(peer, shared->of[1 - me].key, &why);
    REQUIRE(key);
    const uint64_t theirs = shared->of[1 - me].memory;
    uint8_t *source = malloc(room), *back = malloc(room);

    static const size_t sizes[] = {1, 2, 3, 7, 8, 9, 63, 100, 1023, 4096, 8191, 10001, 61440, 61441, 65537,
                                   90111, 90112, 131072, 258049, 262144, MIB + 1, 5 * MIB - 3, 64 * MIB};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t odd = 0; odd < 3; odd++) {
            size_t bytes = sizes[s], at = 1 + odd * 37;
            for (size_t i = 0; i < bytes + 2; i++)
                source[i] = (uint8_t)(i * 31 + (i >> 8) + s + odd + (size_t)me * 57);
            memset(back, 0, bytes + 2);
            /* we write the peer's upper half: a get returns what we have put, and the bytes beside it are unchanged */
            uint8_t edge[2] = {0xee, 0xdd};
            count(counted_put(peer, theirs + room + at - 1, key, &edge[0], 1));
            count(counted_put(peer, theirs + room + at + bytes, key, &edge[1], 1));
            count(counted_put(peer, theirs + room + at, key, source + odd, bytes));
            count(provider->flush(peer, counted, NULL));
            complete(port);
            count(provider->get(peer, theirs + room + at - 1, key, back, bytes + 2, counted, NULL));
            complete(port);
            REQUIRE(back[0] == 0xee && back[bytes + 1] == 0xdd && memcmp(back + 1, source + odd, bytes) == 0);
        }
    /* many sizes without a pause, then one flush, which the second time is expected there: the peer polls */
    for (int round = 0; round < 2; round++) {
        size_t at = 0;
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] - 1; at += sizes[s++]) {
            memset(source + at, (int)(3 * s) + me + 1 + 100 * round, sizes[s]);
            count(counted_put(peer, theirs + at, key, source + at, sizes[s]));
        }
        count(provider->flush(peer, counted, NULL));
        complete(port);
        meet(port, 2);
        at = 0;
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] - 1; at += sizes[s++])
            for (size_t i = at; i < at + sizes[s]; i++)
                REQUIRE(mine[i] == (uint8_t)((int)(3 * s) + 2 - me + 100 * round));
        meet(port, 2);
    }
    /* a flush with nothing to complete, and one after another */
    for (int i = 0; i < 3; i++)
        count(provider->flush(peer, counted, NULL));
    complete(port);
    meet(port, 2);
    /* many small puts without a pause, then one flush */
    for (size_t i = 0; i < 20000; i++) {
        source[i] = (uint8_t)(i * 3 + (size_t)me);
        count(counted_put(peer, theirs + i, key, source + i, 1));
        if (i % 100 == 0)
            provider->progress(port);
    }
    count(provider->flush(peer, counted, NULL));
    complete(port);
    meet(port, 2);
    for (size_t i = 0; i < 20000; i++)
        REQUIRE(mine[i] == (uint8_t)(i * 3 + (size_t)(1 - me)));
    REQUIRE(!failed);
    /* the peer has put as many bytes; UCX over TCP reports them, as no record wakes a PE that waits for them */
    REQUIRE(bytes_stored == (provider->keeps_order(peer) ? bytes_put : 0));
    meet(port, 2);
    provider->key_close(key);
    provider->memory_close(memory);
    provider->close(port);
}

/* --- puts in the order of messages -------------------------------------------------------------------------------- */

static uint8_t *ordered_memory;
static int n_answered;

static void count_answer(void *user)
{
    (void)user;
    n_answered++;
}

/* Data put before a message has arrived when the message arrives, also if one call sends both. */
static void ordered_message(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user;
    (void)reply;
    uint32_t number, last;
    REQUIRE(bytes == sizeof number);
    memcpy(&number, data, bytes);
    REQUIRE(number == next_came++);
    const size_t put = (size_t)(number % 24) * 30011 + 4;
    memcpy(&last, ordered_memory + put - sizeof last, sizeof last);
    REQUIRE(last == number);
}

static void ordered(void)
{
    enum { ROUNDS = 400 };
    static const struct provider_upcalls upcalls = {
        .message = ordered_message, .broken = nothing_breaks, .answered = count_answer};
    struct provider_port *port = open_port(&upcalls);
    REQUIRE(port);
    const size_t room = MIB;
    size_t file_at;
    ordered_memory = room_for(room, &file_at);
    const char *why = "";
    struct provider_memory *memory = open_memory(ordered_memory, room, file_at);
    publish(port, me);
    meet(port, 2);
    struct provider_endpoint *peer = reach(port, 1 - me);
    struct provider_key *key = provider->key_open(peer, shared->of[1 - me].key, &why);
    REQUIRE(key);
    if (provider->keeps_order(peer)) {
        uint32_t numbers[ROUNDS];
        uint8_t *sources = malloc(24 * room);
        for (uint32_t n = 0; n < ROUNDS; n++) {
            const size_t bytes = (size_t)(n % 24) * 30011 + 4;
            uint8_t *source = sources + n % 24 * room;
            if (n >= 24 && n % 24 == 0)
                complete(port);
            memcpy(source + bytes - sizeof n, &n, sizeof n);
            numbers[n] = n;
            if (n % 3 == 0 && provider->put_message) {
                count(provider->put_message(peer, shared->of[1 - me].memory, source, bytes, &n, sizeof n, counted,
                                            NULL));
                continue;
            }
            count(provider->put(peer, shared->of[1 - me].memory, key, source, bytes, counted, NULL));
            count(provider->send(peer, &numbers[n], sizeof n, false, counted, NULL));
            if (n % 5 == 0)
                provider->progress(port);
        }
        while (outstanding || next_came < ROUNDS)
            provider->progress(port);
        REQUIRE(n_answered < 10); /* no flush has followed the puts */
        free(sources);
    }
    REQUIRE(!failed);
    meet(port, 2);
    provider->key_close(key);
    provider->memory_close(memory);
    provider->close(port);
}

/* --- sleeping ----------------------------------------------------------------------------------------------------- */

static int came;

static void count_message(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user;
    (void)data;
    (void)bytes;
    came++;
    if (!reply)
        return;
    outstanding++;
    if (provider->send(reply, "yes", 4, false, counted, NULL))
        outstanding--;
}

static double processor_time(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
        1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Waits until n messages have arrived; sleeps if there is nothing to do. */
static void sleep_until(struct provider_port *port, int poll_fd, int n)
{
    while (came < n) {
        if (provider->progress(port) || !provider->arm(port))
            continue;
        struct epoll_event event;
        REQUIRE(epoll_wait(poll_fd, &event, 1, 30000) == 1);
    }
}

static void sleeping(void)
{
    static const struct provider_upcalls upcalls = {.message = count_message, .broken = nothing_breaks};
    struct provider_port *port = open_port(&upcalls);
    REQUIRE(port && provider->event_fd(port) >= 0);
    int poll_fd = epoll_create1(EPOLL_CLOEXEC);
    REQUIRE(epoll_ctl(poll_fd, EPOLL_CTL_ADD, provider->event_fd(port), &(struct epoll_event){.events = EPOLLIN}) == 0);
    publish(port, me);
    meet(port, 2);
    struct provider_endpoint *peer = reach(port, 1 - me);
    for (int round = 1; round <= 4; round++) { /* the first round makes the connection */
        if (me == 0) {
            usleep(round == 1 ? 0 : round == 2 ? 1500000 : 300000); /* late on purpose */
            count(provider->send(peer, "are you there?", 15, true, counted, NULL));
            sleep_until(port, poll_fd, round);
        } else {
            double before = processor_time(), since = seconds();
            sleep_until(port, poll_fd, round);
            double slept = seconds() - since, burnt = processor_time() - before;
            if (round == 1)
                continue;
            if (round == 2)
                printf("slept %.2f s for %.3f s of processor time\n", slept, burnt), fflush(stdout);
            REQUIRE(burnt < 0.2 * slept + 0.05);
        }
    }
    complete(port);
    meet(port, 2);
    provider->close(port);
}

/* --- a peer that is killed ---------------------------------------------------------------------------------------- */

static struct provider_endpoint *broken[4], *to_killed;
static int n_broken;

static void note_broken(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)user;
    REQUIRE(n_broken < 4 && why && *why);
    broken[n_broken++] = endpoint;
}

static void note_reply(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user;
    (void)bytes;
    came++;
    if (memcmp(data, "killed", 6) == 0)
        to_killed = reply;
}

/* Process 2 is killed. Process 0 has pending messages, puts and gets to it; process 1 has only replied to it. */
static void killed(void)
{
    static const struct provider_upcalls upcalls = {.message = note_reply, .broken = note_broken};
    struct provider_port *port = open_port(&upcalls);
    REQUIRE(port);
    const size_t bytes = 32 * MIB;
    size_t file_at;
    uint8_t *mine = room_for(bytes, &file_at);
    const char *why = "";
    struct provider_memory *memory = open_memory(mine, bytes, file_at);
    publish(port, me);
    meet(port, 3);
    struct provider_endpoint *victim = NULL;
    struct provider_key *key = NULL;
    if (me == 2) {
        count(provider->send(reach(port, 1), "killed", 7, true, counted, NULL));
        complete(port);
    }
    if (me == 1)
        while (!came)
            provider->progress(port);
    if (me == 0) {
        victim = reach(port, 2);
        key = provider->key_open(victim, shared->of[2].key, &why);
        REQUIRE(key);
        count(provider->put(victim, shared->of[2].memory, key, mine, 100, counted, NULL));
        count(provider->flush(victim, counted, NULL));
        complete(port);
    }
    meet(port, 3);
    came = 0; /* the other living process may continue before this process has noticed the death */
    if (me == 2) {
        while (!shared->word[0]) /* the victim makes no progress on its network */
            usleep(1000);
        kill(getpid(), SIGKILL);
    }
    if (me == 0) {
        for (int i = 0; i < 1000; i++)
            count(provider->send(victim, mine, 1000, true, counted, NULL));
        count(provider->put(victim, shared->of[2].memory, key, mine, bytes, counted, NULL));
        count(provider->get(victim, shared->of[2].memory, key, mine, bytes, counted, NULL));
        count(provider->flush(victim, counted, NULL));
        for (int i = 0; i < 100; i++)
            provider->progress(port);
        const bool by_processor = !provider->is_one_sided(victim); /* the victim's processor, which has stopped */
        REQUIRE(!by_processor || outstanding >= 2);
        shared->word[0] = 1;
        complete(port);
        REQUIRE(!by_processor || failed >= 2);
    }
    while (!n_broken)
        provider->progress(port);
    REQUIRE(n_broken == 1 && broken[0] == (me == 0 ? victim : to_killed));
    /* Later operations are refused with an error. */
    int before = failed;
    struct provider_endpoint *dead = broken[0];
    count(provider->send(dead, "anybody?", 9, true, counted, NULL));
    count(provider->flush(dead, counted, NULL));
    if (key)
        count(provider->put(dead, shared->of[2].memory, key, mine, 8, counted, NULL));
    complete(port);
    REQUIRE(failed == before + (key ? 3 : 2));
    if (key)
        provider->key_close(key);
    if (me == 0)
        provider->disconnect(port, dead);
    /* A new endpoint to a dead process also breaks, or cannot be made. */
    n_broken = 0;
    dead = provider->connect(port, shared->of[2].card, shared->of[2].card_bytes, &why);
    REQUIRE(dead || *why);
    if (dead) {
        count(provider->send(dead, "anybody?", 9, true, counted, NULL));
        while (!n_broken || outstanding)
            provider->progress(port);
        REQUIRE(broken[0] == dead);
    }
    /* The living processes continue. */
    failed = 0;
    struct provider_endpoint *other = reach(port, 1 - me);
    count(provider->send(other, "and you?", 9, true, counted, NULL));
    while (!came || outstanding)
        provider->progress(port);
    meet(port, 2);
    REQUIRE(!failed);
    provider->memory_close(memory);
    provider->close(port);
}

/* --- many --------------------------------------------------------------------------------------------------------- */

enum { PORTS = 24 };

static struct many {
    unsigned char card[PORTS][CARD_ROOM];
    size_t bytes[PORTS];
} *many_of[2];

/* Every endpoint of one process connects to every endpoint of the other, on both sides at the same time; replies use
 * the same connections. */
static void many(void)
{
    struct provider_port *port[PORTS];
    struct provider_endpoint *peer[PORTS][PORTS];
    for (int i = 0; i < PORTS; i++) {
        static const struct provider_upcalls upcalls = {.message = count_message, .broken = nothing_breaks};
        port[i] = open_port(&upcalls);
        REQUIRE(port[i]);
        many_of[me]->bytes[i] = provider->address(port[i], many_of[me]->card[i], CARD_ROOM);
        REQUIRE(many_of[me]->bytes[i] <= CARD_ROOM);
    }
    meet(NULL, 2);
    const char *why = "";
    for (int i = 0; i < PORTS; i++)
        for (int j = 0; j < PORTS; j++) {
            peer[i][j] = provider->connect(port[i], many_of[1 - me]->card[j], many_of[1 - me]->bytes[j], &why);
            REQUIRE(peer[i][j]);
            REQUIRE(provider->connect(port[i], many_of[1 - me]->card[j], many_of[1 - me]->bytes[j], &why) ==
                    peer[i][j]);
            count(provider->send(peer[i][j], "hello", 6, true, counted, NULL));
        }
    while (came < 2 * PORTS * PORTS || outstanding)
        for (int i = 0; i < PORTS; i++)
            provider->progress(port[i]);
    atomic_fetch_add(&shared->word[0], 1);
    while (shared->word[0] < 2)
        for (int i = 0; i < PORTS; i++)
            provider->progress(port[i]);
    REQUIRE(came == 2 * PORTS * PORTS && !failed);
    for (int i = 0; i < PORTS; i++)
        provider->disconnect(port[i], peer[i][0]);
    meet(NULL, 2);
    for (int i = 0; i < PORTS; i++)
        provider->close(port[i]);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: provider MODULE [SCENARIO [FABRIC]]\n");
        return 2;
    }
    share(argv[1]);
    fabric = argc > 3 ? argv[3] : NULL;
    for (int i = 0; i < 2; i++)
        many_of[i] = mmap(NULL, sizeof *many_of[i], PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    static const struct {
        const char *name;
        int n, killed;
        void (*body)(void);
    } scenarios[] = {
        {"messages", 2, -1, messages}, {"rma", 2, -1, rma}, {"sleeping", 2, -1, sleeping},
        {"killed", 3, 2, killed},      {"many", 2, -1, many},
        {"ordered", 2, -1, ordered},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        if (argc < 3 || strcmp(argv[2], scenarios[i].name) == 0)
            good &= processes(scenarios[i].name, scenarios[i].n, scenarios[i].killed, scenarios[i].body);
    return good ? 0 : 1;
}
