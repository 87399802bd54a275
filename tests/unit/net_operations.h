/* Operations of the net on requested data (net_asked.h), and what the net needs for them: a call's function, waits
 * in which another thread may act, and peers that die. */
#pragma once

#include "net_asked.h"

#include <errno.h>

enum { SENDS = 4, ASKED = 6, PIECES = 3 };
static const char limits[] =
    "message=512,put=256,nbi=200,get=256,stream=600,later=2048,block=64,sends=4,asked=6,pieces=3";

static bool dead[PES];
static bool serves; /* a thread may begin puts */

void *place_here(place at, size_t bytes) { return at + bytes <= BYTES ? memory[self.pe] + at : NULL; }
bool job_note_death(int pe) { const bool was = dead[pe]; dead[pe] = true; return !was; }
enum job_pe_state job_state_of(int pe) { return dead[pe] ? JOB_PE_DEAD : JOB_PE_RUNNING; }
void thread_start(void) {}
void thread_start_anyway(void) {}
void thread_stop(void) {}
void thread_kick(struct port *port) { (void)port; }
void thread_kick_later(struct port *port) { (void)port; }
void thread_urge(struct port *port, bool posted) { (void)port, (void)posted; }
void thread_note_wait(struct port *port) { (void)port; }
bool thread_serves(void) { return serves; }
bool thread_sleeps(void) { return false; }

/* The action of another thread of the program while this one waits. */
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

/* --- operations --------------------------------------------------------------------------------------------------- */

static inline struct asked *put_some(int of, int pe, size_t bytes, enum net_mode mode)
{
    struct asked *a = ask(of, pe, 1, bytes, false);
    net_put(context[of], pe, place_of_asked(a), a->source, a->block, mode, "put");
    returned(a, mode);
    return a;
}

static inline void do_put(int of, int pe, enum net_mode mode)
{
    put_some(of, pe, sizes[lot(8)], mode);
}

static inline void do_put_strided(int of, int pe, enum net_mode mode)
{
    struct asked *a = ask(of, pe, 2 + lot(8), lot(2) ? 8 : 100, false);
    const struct net_strided s = {a->n, a->block, (ptrdiff_t)a->step, (ptrdiff_t)a->block};
    net_put_strided(context[of], pe, place_of_asked(a), a->source, &s, mode, "iput");
    returned(a, mode);
}

static inline void put_and_signal(int of, int pe, size_t bytes, enum net_mode mode)
{
    struct asked *a = ask(of, pe, 1, bytes, false), *signal = ask(of, pe, 1, 8, false);
    uint64_t value;
    memcpy(&value, signal->source, 8);
    signal->after = a;
    net_put_signal(context[of], pe, place_of_asked(a), a->source, a->block, place_of_asked(signal),
                   lot(2) ? AMO_SET : AMO_ADD,
                   value, mode, "put_signal");
    returned(a, mode);
}

static inline void do_put_signal(int of, int pe, enum net_mode mode)
{
    put_and_signal(of, pe, sizes[lot(8)], mode);
}

static inline void do_post(int of, int pe)
{
    struct asked *a = ask(of, pe, 1, 8, false);
    uint64_t value;
    memcpy(&value, a->source, 8);
    net_amo_post(context[of], AMO_ADD, pe, place_of_asked(a), 8, value);
}

static inline void do_signal_after(int pe)
{
    struct asked *a = ask(0, pe, 1, 8, false);
    uint64_t value;
    memcpy(&value, a->source, 8);
    a->after_all = net_signal_after(pe, place_of_asked(a), value);
    CHECK(a->after_all, "a signal is not deferred");
}

static inline void do_amo_nbi(int of, int pe)
{
    static uint64_t before[MOST];
    struct asked *a = ask(of, pe, 1, 8, false);
    a->fetches = true;
    uint64_t value;
    memcpy(&value, a->source, 8);
    net_amo_nbi(context[of], lot(2) ? AMO_ADD : AMO_SWAP, &before[a - asked], pe, place_of_asked(a), 8, value, 0);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static const uint32_t STORE = 3, ASK = 0x80000004;

/* STORE: the data and its place; for this process's net it is a put after all earlier operations, even without a fence.
 * ASK: how many bytes the reply has, in its head and after it. */
struct order {
    place at;
    size_t bytes, head, before; /* before: the number of operations requested earlier */
};
static size_t n_left, n_released, n_called;

static inline void release(void *data)
{
    n_released++;
    free(data);
}

static inline unsigned char left_byte(size_t i) { return (unsigned char)(200 + i * 3 + i / 256); }

static bool inside; /* a called function runs */

static inline void let_go(void (*function)(void *data), void *data)
{
    CHECK(!inside, "a reply is released while a function runs");
    function(data);
}

static inline void called(uint32_t number, int from, void *args, size_t bytes, struct net_reply *reply)
{
    const struct order *o = args;
    n_called++;
    CHECK(!inside, "a function runs within another");
    if (!inside && lot(2)) { /* another thread makes progress here */
        struct port *port = self.pe ? &theirs[self.pe] : &net_port;
        inside = true;
        port_lock(port);
        CHECK(!serve_waiting(port), "a thread runs functions while another does");
        port_unlock(port);
        inside = false;
    }
    CHECK((uintptr_t)args % 16 == 0 && bytes >= sizeof *o && self.pe != from, "%zu bytes at %p", bytes, args);
    for (const struct asked *a = asked; a < asked + o->before; a++)
        if (!a->is_load && !a->after_all && a->context == 0 && a->pe == self.pe)
            CHECK(is_complete((struct asked *)(uintptr_t)a), "a call overtakes a put of %zu blocks of %zu bytes", a->n,
                  a->block);
    if (number == STORE) {
        CHECK(!reply && bytes == sizeof *o + o->bytes, "%zu bytes have come", bytes);
        memcpy(memory[self.pe] + o->at, o + 1, o->bytes);
        return;
    }
    CHECK(number == ASK && reply && !reply->bytes && !reply->release, "function %u", number);
    for (size_t i = 0; i < o->head; i++)
        ((unsigned char *)reply->head)[i] = left_byte(i);
    reply->head_bytes = o->head;
    reply->bytes = o->bytes;
    reply->data = malloc(o->bytes + 1);
    for (size_t i = 0; i < o->bytes; i++)
        ((unsigned char *)reply->data)[i] = left_byte(o->head + i);
    reply->release = release;
    n_left++;
}

static inline void do_store(int pe)
{
    struct asked *a = ask(0, pe, 1, sizes[lot(8)], false);
    struct order *o = malloc(sizeof *o + a->block);
    *o = (struct order){place_of_asked(a), a->block, 0, (size_t)(a - asked)};
    memcpy(o + 1, a->source, a->block);
    const size_t part = lot((unsigned)a->block);
    const struct iovec args[] = {{o, sizeof *o + part}, {NULL, 0}, {(char *)(o + 1) + part, a->block - part}};
    net_post(pe, STORE, args, 3);
    memset(o, 0xee, sizeof *o + a->block);
    free(o);
}

static unsigned break_after; /* steps of the network */

struct answer {
    size_t head, bytes;
    bool wanted;
    unsigned cut; /* the connection breaks after so many steps */
    int times;
    unsigned char data[5000];
};

static inline void *answered(void *context, void *head, size_t head_bytes, size_t bytes)
{
    struct answer *a = context;
    a->times++;
    break_after = a->cut;
    CHECK(head_bytes == a->head && bytes == a->bytes, "a reply of %zu and %zu bytes", head_bytes, bytes);
    for (size_t i = 0; i < head_bytes; i++)
        CHECK(((unsigned char *)head)[i] == left_byte(i), "byte %zu of a head", i);
    return a->wanted ? a->data : NULL;
}

static inline int ask_pe(int pe, struct answer *a)
{
    unsigned char more[1500];
    const struct order o = {.bytes = a->bytes, .head = a->head, .before = n_asked};
    memset(a->data, 0, sizeof a->data);
    return net_call(pe, ASK, (struct iovec[]){{(void *)(uintptr_t)&o, sizeof o}, {more, lot(sizeof more)}}, 2,
                    answered, a);
}

static inline void do_ask(int pe)
{
    struct answer a = {.head = lot(3) * 256, .bytes = lot(3) ? lot(300) * lot(17) : 0, .wanted = lot(6)};
    CHECK(ask_pe(pe, &a) == 0 && a.times == 1, "a call of PE %d", pe);
    for (size_t i = 0; i < a.bytes && a.wanted; i++)
        CHECK(a.data[i] == left_byte(a.head + i), "byte %zu of %zu of a reply", i, a.bytes);
}

static inline void do_get(int of, int pe, enum net_mode mode)
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

static inline void do_quiet(int of)
{
    net_quiet(context[of]);
    check_complete(of, -1, "quiet");
    epoch[of]++;
}

static inline void forget(void)
{
    for (size_t i = 0; i < n_asked; i++)
        free(asked[i].source);
    for (int pe = 0; pe < PES; pe++)
        memset(memory[pe], 0, next_place);
    n_asked = 0;
    next_place = FROM;
}

/* Puts arrive as late as they can. */
static inline void puts_last(void)
{
    for (int i = 0; i < KINDS; i++)
        odds[i][0] = odds[i][1] = 1000;
    odds[PUT][1] = 0;
}

static inline void let_puts_arrive(void) { odds[PUT][1] = 1000; }
static inline void let_puts_arrive_last(void) { odds[PUT][1] = 1; }
static inline void let_messages_arrive(void) { odds[MESSAGE_OUT][0] = odds[MESSAGE_OUT][1] = 1000; }
