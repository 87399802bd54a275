/* sources: src/net/amo.c src/net/card.c src/net/context.c src/net/failure.c src/net/message.c src/net/op.c */
/* sources: src/net/peer.c src/net/port.c src/net/private.c src/net/progress.c src/net/rma.c src/net/serve.c */
/* sources: src/net/start.c src/net/state.c src/net/strided.c src/net/tune.c src/job/settings.c src/job/values.c */
/* Order and completion: whatever the network does (net_by_lot.h), nothing may be seen at a peer before what a fence,
 * or a signal's data, puts in front of it, at no step; and after each quiet all that it covers must be there.  The
 * net's own code is at work at both ends.  Operations are drawn by lot too, and the odds from round to round; what
 * needs a certain order of events has a test of its own. */
#include "net_by_lot.h"

#include <errno.h>

enum { SENDS = 4, ASKED = 6, PIECES = 3 };
static const char limits[] =
    "message=512,put=256,nbi=200,get=256,stream=600,later=2048,block=64,sends=4,asked=6,pieces=3";

static bool dead[PES];
static bool serves; /* there is a thread that may begin puts */

void *place_here(place at, size_t bytes) { return at + bytes <= BYTES ? memory[self.pe] + at : NULL; }
bool job_note_death(int pe) { const bool was = dead[pe]; dead[pe] = true; return !was; }
enum job_pe_state job_state_of(int pe) { return dead[pe] ? JOB_PE_DEAD : JOB_PE_RUNNING; }
void thread_start(void) {}
void thread_start_anyway(void) {}
void thread_stop(void) {}
void thread_kick(struct port *port) { (void)port; }
void thread_urge(bool posted) { (void)posted; }
bool thread_serves(void) { return serves; }

/* What another thread of the program does while this one waits. */
static void (*meanwhile)(void);

void wait_slowly(struct wait *w)
{
    if (w->slow_turns++ > 100000)
        job_fatal(w->routine, "waits for ever");
    void (*now)(void) = meanwhile;
    meanwhile = NULL;
    if (now)
        now();
    wait_progress();
}

/* --- what has been asked for -------------------------------------------------------------------------------------- */

enum { CONTEXTS = 3, MOST = 64, FROM = 8192 }; /* below FROM all is zero */
static struct net_context *context[CONTEXTS];

/* A store of n blocks of pattern at a peer, or a load of what has been put there for it. */
static struct asked {
    int context, pe;
    unsigned epoch; /* fences of its context before it */
    unsigned char *at, *source;
    size_t n, block, step;
    struct asked *after; /* the data of this signal */
    bool is_load, complete, seen;
} asked[MOST];
static size_t n_asked;
static place next_place;
static unsigned epoch[CONTEXTS];

static unsigned char pattern(const struct asked *a, size_t i)
{
    return (unsigned char)(1 + (i * 7 + (size_t)(a - asked) * 31 + (size_t)a->pe) % 251);
}

static bool is_complete(struct asked *a)
{
    for (size_t i = 0; i < a->n * a->block && !a->complete; i++)
        if (a->at[i / a->block * a->step + i % a->block] != pattern(a, i))
            return false;
    return a->complete = true;
}

static bool is_begun(const struct asked *a)
{
    for (size_t i = 0; i < a->n * a->block; i++)
        if (a->at[i / a->block * a->step + i % a->block])
            return true;
    return false;
}

static void check_seen(void)
{
    for (struct asked *a = asked; a < asked + n_asked; a++) {
        if (a->is_load || a->seen || !is_begun(a))
            continue;
        a->seen = true;
        CHECK(!a->after || is_complete(a->after), "PE %d sees a signal before its %zu bytes", a->pe, a->after->block);
        for (struct asked *b = asked; b < asked + n_asked; b++)
            if (!b->is_load && b->context == a->context && b->pe == a->pe && b->epoch < a->epoch)
                CHECK(is_complete(b),
                      "PE %d sees %zu blocks of %zu bytes before %zu of %zu, which a fence put before them",
                      a->pe, a->n, a->block, b->n, b->block);
    }
}

/* All of a context's, or what went to one PE. */
static void check_complete(int of, int pe, const char *after)
{
    for (struct asked *a = asked; a < asked + n_asked; a++)
        if ((of < 0 || a->context == of) && (pe < 0 || a->pe == pe)) {
            CHECK(is_complete(a), "after %s, a %s of %zu blocks of %zu bytes at PE %d is not complete", after,
                  a->is_load ? "get" : "put", a->n, a->block, a->pe);
            if (a->source && !a->is_load)
                memset(a->source, 0xee, a->n * a->block); /* it is the program's again */
        }
}

static struct asked *ask(int of, int pe, size_t n, size_t block, bool is_load)
{
    struct asked *a = &asked[n_asked++];
    *a = (struct asked){.context = of, .pe = pe, .epoch = epoch[of], .n = n, .block = block, .step = 2 * block,
                        .is_load = is_load};
    a->source = calloc(1, 2 * n * block);
    a->at = is_load ? a->source : memory[pe] + next_place;
    for (size_t i = 0; i < n * block; i++)
        if (is_load)
            memory[pe][next_place + i / block * a->step + i % block] = pattern(a, i);
        else
            a->source[i] = pattern(a, i);
    next_place += 2 * n * block;
    next_place = (next_place + 7) & ~(place)7;
    return a;
}

static place place_of_asked(const struct asked *a) { return (place)(a->at - memory[a->pe]); }

/* A blocking one's source may be reused, or its data has come. */
static void returned(struct asked *a, enum net_mode mode)
{
    if (mode == NET_NBI)
        return;
    if (a->is_load)
        CHECK(is_complete(a), "a get of %zu blocks of %zu bytes from PE %d has not come", a->n, a->block, a->pe);
    else
        memset(a->source, 0xee, a->n * a->block);
}

static const size_t sizes[] = {8, 8, 100, 240, 500, 900, 2100, 3000};

static void do_put(int of, int pe, enum net_mode mode)
{
    struct asked *a = ask(of, pe, 1, sizes[lot(8)], false);
    net_put(context[of], pe, place_of_asked(a), a->source, a->block, mode, "put");
    returned(a, mode);
}

static void do_put_strided(int of, int pe, enum net_mode mode)
{
    struct asked *a = ask(of, pe, 2 + lot(8), lot(2) ? 8 : 100, false);
    const struct net_strided s = {a->n, a->block, (ptrdiff_t)a->step, (ptrdiff_t)a->block};
    net_put_strided(context[of], pe, place_of_asked(a), a->source, &s, mode, "iput");
    returned(a, mode);
}

static void do_put_signal(int of, int pe, enum net_mode mode)
{
    struct asked *a = ask(of, pe, 1, sizes[lot(8)], false), *signal = ask(of, pe, 1, 8, false);
    uint64_t value;
    memcpy(&value, signal->source, 8);
    signal->after = a;
    net_put_signal(context[of], pe, place_of_asked(a), a->source, a->block, place_of_asked(signal),
                   lot(2) ? AMO_SET : AMO_ADD,
                   value, mode, "put_signal");
    returned(a, mode);
}

static void do_post(int of, int pe)
{
    struct asked *a = ask(of, pe, 1, 8, false);
    uint64_t value;
    memcpy(&value, a->source, 8);
    net_amo_post(context[of], AMO_ADD, pe, place_of_asked(a), 8, value);
}

static void do_get(int of, int pe, enum net_mode mode)
{
    const place from = next_place;
    const unsigned how = lot(3);
    struct asked *a = how ? ask(of, pe, how == 1 ? 1 : 2 + lot(8), how == 1 ? sizes[lot(8)] : lot(2) ? 8 : 100, true)
                          : ask(of, pe, 1, 8, true);
    const struct net_strided s = {a->n, a->block, (ptrdiff_t)a->step, (ptrdiff_t)a->step};
    if (how == 1)
        net_get(context[of], pe, a->source, from, a->block, mode, "get");
    else if (how == 2)
        net_get_strided(context[of], pe, a->source, from, &s, mode, "iget");
    else if (mode == NET_NBI)
        net_amo_nbi(context[of], AMO_FETCH, a->source, pe, from, 8, 0, 0);
    else
        memcpy(a->source, &(uint64_t){net_amo(context[of], AMO_FETCH, pe, from, 8, 0, 0, "fetch")}, 8);
    returned(a, mode);
}

static void do_quiet(int of)
{
    net_quiet(context[of]);
    check_complete(of, -1, "quiet");
    epoch[of]++;
}

static void forget(void)
{
    for (size_t i = 0; i < n_asked; i++)
        free(asked[i].source);
    for (int pe = 0; pe < PES; pe++)
        memset(memory[pe], 0, next_place);
    n_asked = 0;
    next_place = FROM;
}

/* --- the tests ---------------------------------------------------------------------------------------------------- */

static void shuffle_odds(void)
{
    static const unsigned choice[] = {0, 1, 1, 10, 100};
    for (int i = 0; i < KINDS; i++)
        for (int k = 0; k < 2; k++)
            odds[i][k] = 1 + 1000 * choice[lot(5)];
}

static void do_something(void)
{
    const int of = (int)lot(CONTEXTS), pe = 1 + (int)lot(PES - 1);
    const enum net_mode mode = lot(2) ? NET_NBI : NET_BLOCKING;
    switch (lot(16)) {
    case 0: case 1: do_put(of, pe, mode); break;
    case 2: do_put(of, pe, NET_DELAYED); break;
    case 3: do_put_strided(of, pe, mode); break;
    case 4: case 5: do_put_signal(of, pe, mode); break;
    case 6: case 7: do_post(of, pe); break;
    case 8: case 9: do_get(of, pe, mode); break;
    case 10: case 11: case 12: net_fence(context[of]); epoch[of]++; break;
    case 13: do_quiet(of); break;
    case 14: quiet_pe(context[of], pe); check_complete(of, pe, "pe_quiet"); break;
    case 15: net_context_batch(context[of], lot(2)); break;
    }
    for (unsigned turns = lot(3); turns; turns--)
        net_progress();
}

static void at_random(unsigned rounds)
{
    for (unsigned round = 0; round < rounds && !check_failures; round++) {
        lot_state = round + 1;
        serves = lot(2);
        shuffle_odds();
        while (n_asked + 2 < MOST / 2 && lot(40))
            do_something();
        net_quiet_all();
        check_complete(-1, -1, "quiet of all");
        if (check_failures)
            fprintf(stderr, "in round %u\n", round);
        forget();
    }
    CHECK(most_sends <= SENDS + PES - 1, "%zu messages under way, allowed were %d, and one for each peer", most_sends,
          SENDS);
}

/* Puts arrive as late as they can. */
static void puts_last(void)
{
    for (int i = 0; i < KINDS; i++)
        odds[i][0] = odds[i][1] = 1000;
    odds[PUT][1] = 0;
}

static void let_puts_arrive(void) { odds[PUT][1] = 1000; }

/* A fence of one thread, while another's quiet waits for the puts that it is to be behind. */
static void fence_meanwhile(void)
{
    meanwhile = let_puts_arrive;
    net_fence(net_default);
    epoch[0]++;
    do_put(0, 1, NET_BLOCKING);
}

static void quiet_meanwhile(void)
{
    meanwhile = let_puts_arrive;
    net_quiet(net_default);
    check_complete(0, -1, "a quiet within another thread's");
}

/* Two threads complete one context's operations: who comes second waits for what the first has taken over. */
static void threads_share_a_context(void)
{
    void (*const other[])(void) = {fence_meanwhile, quiet_meanwhile};
    for (int i = 0; i < 4; i++) {
        puts_last();
        serves = false;
        struct asked *a = ask(0, 1, 1, 900, false);
        net_put(net_default, 1, place_of_asked(a), a->source, a->block, NET_NBI, "put");
        meanwhile = other[i % 2];
        i < 2 ? net_quiet(net_default) : net_fence(net_default);
        net_quiet_all();
        check_complete(-1, -1, "quiet of all");
        CHECK(!meanwhile, "nobody has waited");
        forget();
    }
}

/* What one context's quiet asks for counts for all that have sent; who closes his has completed it. */
static void contexts_share_flushes(void)
{
    puts_last();
    let_puts_arrive();
    for (int first = 0; first < CONTEXTS; first++) {
        odds[REPLY][0] = 0;
        for (int of = 0; of < CONTEXTS; of++)
            do_post(of, 1);
        net_start_quiet_pe(context[first], 1);
        odds[MESSAGE_OUT][1] = 0;
        for (int turns = 0; turns < 10; turns++)
            net_progress();
        for (int of = CONTEXTS - 1; of >= 0; of--) {
            odds[MESSAGE_OUT][1] = odds[REPLY][0] = 1000;
            do_quiet(of);
        }
        net_end_quiet_pe(context[first], 1);
        forget();
    }
    struct net_context *c = context[2];
    do_post(2, 2);
    do_put(2, 3, NET_NBI);
    net_context_close(c);
    check_complete(2, -1, "a context's end");
    context[2] = net_context_open(0);
    forget();
}

static size_t n_pending(void)
{
    size_t n = 0;
    for (int of = 0; of < CONTEXTS; of++)
        n = context[of]->pending > n ? context[of]->pending : n;
    return n;
}

/* Nonblocking gets wait for answers when as many are under way as are allowed, and pieces of one transfer likewise. */
static void answers_are_bounded(void)
{
    puts_last();
    static uint64_t values[200];
    size_t most = 0;
    for (int i = 0; i < 200; i++) {
        net_amo_nbi(net_default, AMO_FETCH, &values[i], 1 + i % 3, 0, 8, 0, 0);
        most = n_pending() > most ? n_pending() : most;
    }
    net_quiet(net_default);
    CHECK(most == ASKED, "%zu answers were waited for, allowed were %d", most, ASKED);
    most = 0;
    static char data[64 * 100];
    const struct net_strided s = {64, 100, 100 + 4, 100};
    odds[GET][0] = 1;
    net_get_strided(net_default, 1, data, 0, &s, NET_NBI, "iget");
    for (size_t i = 0; i < n_list; i++)
        most += list[i].kind == GET;
    CHECK(most <= PIECES + 1, "%zu pieces of a transfer are under way, allowed were %d", most, PIECES);
    net_quiet(net_default);
}

static struct provider_endpoint *victim;
static void break_connection(void) { calls->broken(&net_port, victim, "it is cut"); }

/* A peer dies while it owes everything: all that waits ends, others are told, and what it still sends is nobody's. */
static void peer_dies(void)
{
    enum { VICTIM = 2, OTHER = 1 };
    static unsigned char data[3000];
    uint64_t words[4] = {0};
    self.job->outlives = 1;
    puts_last();
    odds[REPLY][0] = 0;
    victim = &to[VICTIM];
    serves = true;
    net_put(net_default, VICTIM, FROM, data, 8, NET_BLOCKING, "put");
    net_put(net_default, VICTIM, FROM, data, 900, NET_NBI, "put");
    net_put(net_default, VICTIM, FROM, data, 3000, NET_NBI, "put"); /* is left for later */
    net_put_signal(net_default, VICTIM, FROM, data, 3000, FROM + 4096, AMO_SET, 1, NET_NBI, "put_signal");
    net_get(net_default, VICTIM, data, 0, 3000, NET_NBI, "get");
    net_amo_nbi(net_default, AMO_FETCH, words, VICTIM, 0, 8, 0, 0);
    struct asked *a = ask(0, OTHER, 1, 8, false);
    net_put(net_default, OTHER, place_of_asked(a), a->source, 8, NET_BLOCKING, "put");
    for (int turns = 0; turns < 100; turns++)
        net_progress(); /* the answer to words is on its way */
    meanwhile = break_connection;
    words[1] = net_amo(net_default, AMO_FETCH, VICTIM, 0, 8, 0, 0, "fetch");
    CHECK(dead[VICTIM] && !net_port.peers[VICTIM]->endpoint, "the broken connection is not closed");
    words[2] = words[0];
    odds[REPLY][0] = 1000;
    net_quiet(net_default);
    check_complete(0, OTHER, "a quiet with a dead peer");
    CHECK(words[0] == words[2], "the dead answers");

    const size_t before = n_list;
    net_put(net_default, VICTIM, FROM, data, 8, NET_BLOCKING, "put");
    net_put(net_default, VICTIM, FROM, data, 3000, NET_NBI, "put");
    net_put_signal(net_default, VICTIM, FROM, data, 900, FROM + 4096, AMO_SET, 1, NET_BLOCKING, "put_signal");
    net_get(net_default, VICTIM, data, 0, 900, NET_BLOCKING, "get");
    net_get(net_default, VICTIM, data, 0, 8, NET_BLOCKING, "get");
    net_amo_nbi(net_default, AMO_FETCH, &words[3], VICTIM, 0, 8, 0, 0);
    CHECK(net_amo(net_default, AMO_FETCH, VICTIM, 0, 8, 0, 0, "fetch") == 0, "the dead answers");
    const struct iovec mine = {data, 8}, his = {data, 8};
    CHECK(net_private(VICTIM, false, &mine, 1, &his, 1) == EHOSTDOWN, "memory of the dead has been read");
    CHECK(net_pe_state(VICTIM) == JOB_PE_DEAD, "the dead is not dead");
    net_fence(net_default);
    net_quiet_all();
    net_amo_post(net_default, AMO_ADD, VICTIM, FROM, 8, 1);
    quiet_pe(net_default, VICTIM);
    for (int turns = 0; turns < 100; turns++)
        net_progress();
    CHECK(n_list <= before && !net_port.peers[VICTIM]->owed, "something is under way to the dead");
    CHECK(!net_default->pending && !net_port.moving, "%u operations and %zu bytes are owed by the dead",
          net_default->pending, net_port.moving);
    forget();
}

int main(void)
{
    start_network(limits, check_seen);
    context[0] = net_default;
    context[1] = net_context_open(0);
    context[2] = net_context_open(0);
    next_place = FROM;
    at_random(4000);
    threads_share_a_context();
    contexts_share_flushes();
    answers_are_bounded();
    peer_dies();
    net_context_close(context[1]);
    net_context_close(context[2]);
    end_network();
    return check_result();
}
