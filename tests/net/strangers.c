/* A process that does not know an endpoint's secret gets no access; a process that knows it gets no memory that is
 * not registered: strangers MODULE. Process 0 is the target; process 1 knows its address, but not the secret; process 2
 * knows both. */
#include "processes.h"

enum { BYTES = 1 << 20, MESSAGES = 8, PIECE = 16 << 10, SECRET_AT = sizeof(uint64_t) };

static int messages, strangers, outside;
static bool has_broken;

static void message(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user;
    (void)reply;
    REQUIRE(bytes == 8 && memcmp(data, "honest", 7) == 0);
    messages++;
}

static void broken(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)user, (void)endpoint, (void)why;
    has_broken = true;
}

static void stranger(void *user)
{
    (void)user;
    strangers++;
}

static void is_outside(void *user, uint64_t at, size_t bytes)
{
    (void)user, (void)at, (void)bytes;
    outside++;
}

static struct provider_port *begin(void)
{
    static const struct provider_upcalls upcalls = {
        .message = message, .broken = broken, .stranger = stranger, .outside = is_outside};
    struct provider_port *port = open_port(&upcalls);
    REQUIRE(port);
    return port;
}

/* Puts and gets are messages that the peer's processor handles. */
static bool is_ucx(void)
{
    return strncmp(provider->name, "UCX", 3) == 0;
}

/* --- the target --------------------------------------------------------------------------------------------------- */

static void target(void)
{
    struct provider_port *port = begin();
    size_t file_at;
    unsigned char *mine = room_for(3 * BYTES, &file_at);
    memset(mine, 7, 3 * BYTES);
    struct provider_memory *memory = open_memory(mine + BYTES, BYTES, file_at + BYTES);
    publish(port, 0);
    meet(port, 3);
    /* The stranger sends its first message and further messages, over UCX also a put and a get. */
    const int expected = 1 + MESSAGES + (is_ucx() ? 2 : 0);
    while (strangers < expected)
        provider->progress(port);
    REQUIRE(messages == 0);
    meet(port, 3);
    while (messages < MESSAGES || (is_ucx() && outside < 4))
        provider->progress(port);
    meet(port, 3);
    REQUIRE(strangers >= expected && messages == MESSAGES && outside == (is_ucx() ? 4 : 0));
    for (size_t i = 0; i < (size_t)3 * BYTES; i++)
        REQUIRE(mine[i] == (i >= BYTES && i < BYTES + PIECE ? 9 : 7));
    provider->memory_close(memory);
    provider->close(port);
}

/* --- the requesters ----------------------------------------------------------------------------------------------- */

static void send_messages(struct provider_port *port, struct provider_endpoint *peer, const char *text)
{
    for (int i = 0; i < MESSAGES; i++)
        count(provider->send(peer, text, 8, true, counted, NULL));
    complete(port);
}

/* NICs do not check the secrets of messages: with libfabric, a stranger must guess a key. Guesses are 1, 2, ... */
static struct provider_key *guess_key(struct provider_endpoint *peer, uint64_t guess)
{
    _Alignas(16) unsigned char key[CARD_ROOM];
    const char *why = "";
    memcpy(key, shared->of[0].key, sizeof key);
    if (!is_ucx())
        memcpy(key, &guess, sizeof guess);
    return provider->key_open(peer, key, &why);
}

static void try_memory(struct provider_port *port, struct provider_endpoint *peer, uint64_t guess)
{
    static char source[PIECE], dest[PIECE];
    struct provider_key *key = guess_key(peer, guess);
    memset(source, 1, sizeof source);
    if (!key)
        return; /* the previous guess has broken the endpoint */
    provider->put(peer, shared->of[0].memory, key, source, sizeof source, counted, NULL);
    provider->get(peer, shared->of[0].memory, key, dest, sizeof dest, counted, NULL);
    for (int turns = 0; turns < 1000; turns++)
        provider->progress(port);
    for (size_t i = 0; i < sizeof dest; i++)
        REQUIRE(dest[i] == 0);
}

static void without_secret(void)
{
    struct provider_port *port = begin();
    meet(port, 3);
    shared->of[1].card_bytes = shared->of[0].card_bytes;
    memcpy(shared->of[1].card, shared->of[0].card, CARD_ROOM);
    for (int i = 0; i < 16; i++)
        shared->of[1].card[SECRET_AT + i] ^= 0x5a;
    struct provider_endpoint *peer = reach(port, 1);
    send_messages(port, peer, "strange");
    try_memory(port, peer, 1);
    meet(port, 3);
    for (uint64_t guess = 2; !is_ucx() && guess < 5; guess++)
        try_memory(port, peer, guess);
    meet(port, 3);
    provider->close(port);
}

static void with_secret(void)
{
    static char source[PIECE], dest[PIECE];
    struct provider_port *port = begin();
    const char *why = "";
    meet(port, 3);
    meet(port, 3);
    struct provider_endpoint *peer = reach(port, 0);
    struct provider_key *key = provider->key_open(peer, shared->of[0].key, &why);
    REQUIRE(key);
    memset(source, 9, sizeof source);
    const uint64_t at = shared->of[0].memory;
    send_messages(port, peer, "honest\0");
    count(provider->put(peer, at, key, source, sizeof source, counted, NULL));
    count(provider->flush(peer, counted, NULL));
    while (outstanding)
        provider->progress(port);
    count(provider->get(peer, at + 1, key, dest, 2, counted, NULL));
    while (outstanding)
        provider->progress(port);
    REQUIRE(!failed && dest[0] == 9 && dest[1] == 9);
    /* Ranges that end outside, begin outside, are outside, or end before they begin. */
    provider->put(peer, at + BYTES - PIECE + 1, key, source, PIECE, counted, NULL);
    provider->put(peer, at - 1, key, source, PIECE, counted, NULL);
    provider->get(peer, at + BYTES, key, dest, 8, counted, NULL);
    if (is_ucx())
        provider->get(peer, at + 8, key, dest, SIZE_MAX - 8, counted, NULL);
    while (!is_ucx() && failed < 3)
        provider->progress(port);
    meet(port, 3);
    REQUIRE(dest[0] == 9 && dest[2] == 0);
    provider->close(port);
}

static void scenario(void)
{
    static void (*const part[])(void) = {target, without_secret, with_secret};
    part[me]();
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: strangers MODULE\n");
        return 2;
    }
    share(argv[1]);
    return processes("strangers", 3, -1, scenario) ? 0 : 1;
}
