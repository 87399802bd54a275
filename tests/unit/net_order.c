/* sources: src/net/amo.c src/net/call.c src/net/called.c src/net/card.c src/net/context.c src/net/failure.c */
/* sources: src/net/message.c src/net/op.c src/net/peer.c src/net/port.c src/net/private.c src/net/progress.c */
/* sources: src/net/rma.c src/net/serve.c src/net/start.c src/net/state.c src/net/strided.c src/net/tune.c */
/* sources: src/net/choice.c src/net/ports.c src/net/region.c src/job/settings.c src/job/setting_values.c */
/* sources: src/net/hold.c */
/* Order and completion: whatever the network does (net_by_lot.h), nothing may be visible at a peer before the
 * operations that a fence, or a signal's data, puts in front of it, at any step; after a quiet, everything that it
 * covers must be visible. The net's own code runs at both ends. Operations are also random, and their probabilities
 * differ from round to round; cases that need a certain order of events have tests of their own. */
#include "net_operations.h"

#include <time.h>

/* --- the tests ---------------------------------------------------------------------------------------------------- */

static void shuffle_odds(void)
{
    static const unsigned choice[] = {0, 1, 1, 10, 100};
    for (int i = 0; i < KINDS; i++)
        for (int k = 0; k < 2; k++)
            odds[i][k] = 1 + 1000 * choice[lot(5)];
}

static void do_something(bool calls)
{
    const int of = (int)lot(CONTEXTS), pe = 1 + (int)lot(PES - 1);
    const enum net_mode mode = lot(2) ? NET_NBI : NET_BLOCKING;
    switch (lot(calls ? 22 : 20)) {
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
    case 16: case 17: do_amo_nbi(of, pe); break;
    case 18: case 19: do_signal_after(pe); break;
    case 20: do_store(pe); break;
    case 21: do_ask(pe); break;
    }
    for (unsigned turns = lot(3); turns; turns--)
        net_progress();
}

static void at_random(unsigned rounds, bool calls)
{
    const size_t called_before = n_called;
    for (unsigned round = 0; round < rounds && !check_failures; round++) {
        lot_state = round + 1;
        serves = lot(2);
        shuffle_odds();
        while (n_asked + 2 < MOST / 2 && lot(40))
            do_something(calls);
        net_quiet_all();
        check_complete(-1, -1, "quiet of all");
        if (check_failures)
            fprintf(stderr, "in round %u\n", round);
        forget();
    }
    for (int turns = 0; turns < 1000 && n_released < n_left; turns++)
        net_progress();
    CHECK(!calls || n_called > called_before + rounds / 2, "%zu calls in %u rounds", n_called - called_before, rounds);
    CHECK(n_released == n_left, "%zu calls have made a reply, %zu replies were released", n_left, n_released);
    /* An operation that begins below the limit may send a full message and its own. */
    CHECK(most_sends <= SENDS + 1 + PES - 1, "%zu messages were in flight, allowed are %d, and one for each peer",
          most_sends, SENDS + 1);
}

/* A confirmation that one context's quiet requests counts for all contexts that have sent; a closed context has
 * completed its operations. */
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

/* At the limit of gets in flight, a nonblocking get waits for replies; so does the next segment of a transfer. */
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
    CHECK(most == ASKED, "%zu replies were awaited, allowed are %d", most, ASKED);
    most = 0;
    static char data[64 * 100];
    const struct net_strided s = {64, 100, 100 + 4, 100};
    odds[GET][0] = 1;
    net_get_strided(net_default, 1, data, 0, &s, NET_NBI, "iget");
    for (size_t i = 0; i < n_list; i++)
        most += list[i].kind == GET;
    CHECK(most <= PIECES + 1, "%zu segments of a transfer are in flight, allowed are %d", most, PIECES);
    net_quiet(net_default);
}

/* A put that is deferred when the quiet of one PE begins is complete when the quiet ends. */
static void quiet_of_one_covers_deferred_puts(void)
{
    puts_last();
    let_puts_arrive_last();
    serves = true;
    for (int i = 0; i < 50 && !check_failures; i++) {
        put_some(0, 1, 3000, NET_NBI);
        quiet_pe(context[0], 1);
        check_complete(0, 1, "quiet of one PE");
        forget();
    }
}

/* The processor time of so many deferred signals, of which each waits for the one before. */
static double time_of_signals(int count)
{
    const clock_t from = clock();
    for (int i = 0; i < count; i++)
        net_signal_after(1 + i % 2, FROM + 8 * (place)(i % 2), 1);
    return (double)(clock() - from) / CLOCKS_PER_SEC;
}

/* However many signals wait, the next one takes no longer. */
static void signals_wait(void)
{
    enum { COUNT = 4000 };
    puts_last();
    odds[REPLY][0] = 0;
    net_tune.asked = 3 * COUNT;
    const double first = time_of_signals(COUNT);
    time_of_signals(COUNT);
    const double last = time_of_signals(COUNT);
    CHECK(last < 8 * first + 0.02, "%d signals take %g s, and %g s if %d wait", COUNT, first, last, 2 * COUNT);
    odds[REPLY][0] = 1000;
    net_quiet(net_default);
    for (int pe = 1; pe <= 2; pe++) {
        uint64_t sum;
        memcpy(&sum, memory[pe] + FROM + 8 * (place)(pe - 1), sizeof sum);
        CHECK(sum == 3 * COUNT / 2, "PE %d has %lu signals", pe, (unsigned long)sum);
    }
    net_tune.asked = ASKED;
    next_place += 16; /* what forget clears */
    forget();
}

static struct provider_endpoint *victim;
static void break_connection(void) { calls->broken(&net_port, victim, "it is cut"); }

static void look(void)
{
    check_seen();
    if (break_after && !--break_after)
        break_connection();
}

/* A peer dies with every kind of operation outstanding: all waits end, others are notified, and what it still sends
 * is dropped. */
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
    struct answer answer = {.wanted = true, .bytes = 3000};
    const struct order order = {.at = FROM};
    const struct iovec args[] = {{(void *)(uintptr_t)&order, sizeof order}, {data, 3000}};
    net_put(net_default, VICTIM, FROM, data, 3000, NET_NBI, "put"); /* stays deferred */
    net_put_signal(net_default, VICTIM, FROM, data, 3000, FROM + 4096, AMO_SET, 1, NET_NBI, "put_signal");
    net_get(net_default, VICTIM, data, 0, 3000, NET_NBI, "get");
    net_amo_nbi(net_default, AMO_FETCH, words, VICTIM, 0, 8, 0, 0);
    struct asked *a = ask(0, OTHER, 1, 8, false);
    net_put(net_default, OTHER, place_of_asked(a), a->source, 8, NET_BLOCKING, "put");
    for (int turns = 0; turns < 100; turns++)
        net_progress(); /* the reply to the words is on its way */
    net_start_quiet_pe(net_default, VICTIM); /* so that a flush is under way */
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
    CHECK(net_private(VICTIM, false, &mine, 1, &his, 1) == EHOSTDOWN, "memory of the dead peer was read");
    CHECK(ask_pe(VICTIM, &answer) == EHOSTDOWN && answer.times == 0, "a function was called on the dead peer");
    net_post(VICTIM, STORE, args, 2);
    CHECK(net_pe_state(VICTIM) == JOB_PE_DEAD, "the peer does not count as dead");
    net_fence(net_default);
    net_quiet_all();
    net_amo_post(net_default, AMO_ADD, VICTIM, FROM, 8, 1);
    quiet_pe(net_default, VICTIM);
    for (int turns = 0; turns < 100; turns++)
        net_progress();
    CHECK(n_list <= before && !net_port.peers[VICTIM]->owed, "an operation on the dead peer is pending");
    CHECK(!net_default->pending && !net_port.moving, "%u operations and %zu bytes wait for the dead peer",
          net_default->pending, net_port.moving);
    forget();
}

/* A peer dies in the middle of a call: before its reply, or before it has requested the whole argument. */
static void called_peer_dies(void)
{
    enum { BEFORE = 1, MIDDLE = 3 };
    struct answer a = {.bytes = 5000, .wanted = true};
    puts_last();
    odds[CALL][0] = 0;
    victim = &to[BEFORE];
    meanwhile = break_connection;
    CHECK(ask_pe(BEFORE, &a) == EHOSTDOWN && a.times == 0 && dead[BEFORE], "the dead answers");
    odds[CALL][0] = 1;
    for (int i = 0; i < KINDS; i++)
        odds[i][1] = 1;
    odds[REPLY][0] = 1;
    victim = &to[MIDDLE];
    struct answer b = {.bytes = 5000, .wanted = true, .cut = 3};
    const int error = ask_pe(MIDDLE, &b);
    CHECK(error == EHOSTDOWN && b.times == 1, "a call that is cut off in its reply: %d, %d times", error, b.times);
}

/* The messages of a PE of another node: a call, and a record after it. */
static void come_from(int pe, uint64_t token, size_t bytes)
{
    struct {
        struct message_head head;
        struct record call;
        struct args_call args;
        struct order order;
    } m = {{MESSAGE_MAGIC, pe},
           {.kind = RECORD_CALL, .bytes = sizeof m.args + sizeof m.order, .about = ASK},
           {.token = token},
           {.bytes = bytes}};
    calls->message(&net_port, &m, sizeof m, &to[pe]);
}

/* A caller dies before its call has run, and before the rest was requested: nothing more is sent to it or kept. */
static void caller_dies(void)
{
    enum { FIRST = 2, SECOND = 1 };
    const size_t called_before = n_called, replies = net_port.stats.replies, released_before = n_released;
    self.pe = 0;
    come_from(FIRST, 1, 3000);
    CHECK(n_called == called_before, "a function runs in the provider's upcall");
    calls->broken(&net_port, &to[FIRST], "it is cut");
    net_progress();
    CHECK(n_called == called_before, "a dead peer's call is executed");
    dead[SECOND] = false;
    come_from(SECOND, 1, 3000);
    net_progress();
    CHECK(n_called == called_before + 1 && n_released == released_before && net_port.stats.replies == replies + 1,
          "%zu calls are executed, %zu replies released, %zu replies sent", n_called - called_before,
          n_released - released_before, (size_t)net_port.stats.replies - replies);
    dead[SECOND] = true;
    come_from(3, 1, 0);
    net_progress();
    CHECK(n_released == released_before + 2, "%zu were let go of", n_released - released_before);
}

int main(void)
{
    net_called = called;
    net_released = let_go;
    start_network(limits, look);
    context[0] = net_default;
    context[1] = net_context_open(0);
    context[2] = net_context_open(0);
    next_place = FROM;
    in_order = true;
    at_random(4000, false);
    at_random(2000, true);
    in_order = false;
    at_random(4000, true);
    contexts_share_flushes();
    answers_are_bounded();
    quiet_of_one_covers_deferred_puts();
    signals_wait();
    peer_dies();
    called_peer_dies();
    caller_dies();
    net_context_close(context[1]);
    net_context_close(context[2]);
    end_network();
    return check_result();
}
