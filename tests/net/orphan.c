/* Process 1 is killed, but its child, which has inherited its descriptors, keeps its connections open: orphan MODULE
 * [FABRIC]. The net is notified of the death by other means, and calls disconnect: then process 0's operations end, and
 * it communicates with process 2. */
#include "processes.h"

enum { MIB = 1 << 20, BYTES = 32 * MIB, MESSAGES = 1000, PUTS = 1000, PATIENCE = 30 /* s */ };

static int n_broken;
static bool has_answered;
static struct provider_endpoint *asks, *broken;
static uint8_t *mine;

static void message(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user, (void)data, (void)bytes;
    has_answered |= !reply;
    asks = reply;
    if (me == 2)
        count(provider->send(reply, "yes", 4, false, counted, NULL));
}

static void note_broken(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)user;
    REQUIRE(why && *why);
    n_broken++;
    broken = endpoint;
}

/* The victim has requested a reply, so the net may know its endpoint. */
static void be_killed(struct provider_port *port)
{
    count(provider->send(reach(port, 0), "please", 7, true, counted, NULL));
    complete(port);
    meet(port, 3);
    if (fork() == 0) {
        while (!shared->word[0] && kill(shared->of[0].pid, 0) == 0)
            usleep(1000); /* between checks */
        _exit(0);
    }
    kill(getpid(), SIGKILL);
}

static void begin_operations(struct provider_endpoint *victim, struct provider_key *key)
{
    const uint64_t theirs = shared->of[1].memory;
    for (int i = 0; i < MESSAGES; i++)
        count(provider->send(victim, mine, 1000, true, counted, NULL));
    for (int i = 0; i < PUTS; i++)
        count(provider->put(victim, theirs, key, mine, BYTES / PUTS, counted, NULL));
    count(provider->get(victim, theirs, key, mine, BYTES, counted, NULL));
    count(provider->flush(victim, counted, NULL));
}

/* Until no operation is outstanding, or an endpoint is broken; or in vain. */
static void wait_for(struct provider_port *port, bool broken_one)
{
    for (const double since = seconds(); (broken_one ? !n_broken : outstanding) && seconds() - since < PATIENCE;)
        provider->progress(port);
}

static void outlive(struct provider_port *port)
{
    const char *why = "";
    while (!asks)
        provider->progress(port);
    struct provider_endpoint *victim = reach(port, 1), *const asked = asks;
    struct provider_key *key = provider->key_open(victim, shared->of[1].key, &why);
    REQUIRE(victim == asked && key);
    meet(port, 3);
    while (kill(shared->of[1].pid, 0) == 0)
        usleep(1000); /* until its parent has waited for it */
    begin_operations(victim, key);
    for (int i = 0; i < 1000; i++)
        provider->progress(port);
    const bool is_open = !n_broken; /* as over TCP; an emulated network has no connections */
    provider->key_close(key);
    provider->disconnect(port, victim);
    wait_for(port, false);
    REQUIRE(outstanding == 0 && (!is_open || failed >= 2));
    wait_for(port, true);
    REQUIRE(n_broken == 1 && broken == asked); /* the net may reply to it until then */
    count(provider->send(asked, "no", 3, false, counted, NULL));
    wait_for(port, false);
    has_answered = false;
    count(provider->send(reach(port, 2), "you?", 5, true, counted, NULL));
    for (const double since = seconds(); !has_answered && seconds() - since < PATIENCE;)
        provider->progress(port);
    REQUIRE(has_answered && n_broken == 1);
    shared->word[0] = 1; /* the child and process 2 end */
}

static void scenario(void)
{
    static const struct provider_upcalls upcalls = {.message = message, .broken = note_broken};
    struct provider_port *port = open_port(&upcalls);
    REQUIRE(port);
    size_t file_at;
    mine = room_for(BYTES, &file_at);
    struct provider_memory *memory = open_memory(mine, BYTES, file_at);
    publish(port, me);
    meet(port, 3);
    if (me == 1)
        be_killed(port);
    if (me == 0)
        outlive(port);
    if (me == 2) {
        meet(port, 3);
        while (!shared->word[0])
            provider->progress(port);
    }
    provider->memory_close(memory);
    provider->close(port);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: orphan MODULE [FABRIC]\n");
        return 2;
    }
    fabric = argc > 2 ? argv[2] : NULL;
    share(argv[1]);
    return processes("orphan", 3, 1, scenario) ? 0 : 1;
}
