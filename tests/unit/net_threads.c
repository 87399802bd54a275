/* sources: src/net/amo.c src/net/call.c src/net/called.c src/net/card.c src/net/context.c src/net/failure.c */
/* sources: src/net/message.c src/net/op.c src/net/peer.c src/net/port.c src/net/private.c src/net/progress.c */
/* sources: src/net/rma.c src/net/serve.c src/net/start.c src/net/state.c src/net/strided.c src/net/tune.c */
/* sources: src/net/choice.c src/net/ports.c src/net/region.c src/job/settings.c src/job/setting_values.c */
/* sources: src/net/hold.c */
/* Threads that share a context: each thread's fence, quiet and call follow the thread's own operations, even if
 * another thread's quiet or fence is completing them. One thread acts while the other waits. */
#include "net_operations.h"

#include <sched.h>
#include <semaphore.h>

/* A fence of one thread, while another thread's quiet waits for the puts that must precede the fence. */
static void fence_meanwhile(void)
{
    meanwhile = let_puts_arrive_last;
    net_fence(net_default);
    epoch[0]++;
    put_some(0, 1, 8, NET_BLOCKING);
}

/* A call, which must also follow those puts. */
static void call_meanwhile(void)
{
    meanwhile = let_puts_arrive_last;
    do_store(1);
}

static void quiet_meanwhile(void)
{
    meanwhile = let_puts_arrive_last;
    net_quiet(net_default);
    check_complete(0, -1, "a quiet within another thread's");
}

/* Two threads complete one context's operations: the second waits for the operations that the first is completing. */
static void threads_share_a_context(void)
{
    void (*const other[])(void) = {fence_meanwhile, quiet_meanwhile, call_meanwhile};
    for (int i = 0; i < 6; i++) {
        puts_last();
        serves = false;
        put_some(0, 1, 900, NET_NBI);
        meanwhile = other[i % 3];
        i < 3 ? net_quiet(net_default) : net_fence(net_default);
        net_quiet_all();
        check_complete(-1, -1, "quiet of all");
        CHECK(!meanwhile, "no thread has waited");
        forget();
    }
}

/* The action of another thread, which begins just before this thread locks the port, and waits while this one acts. */
static void (*before_lock)(void);
static sem_t other_waits, other_goes_on;

static void let_first_go_on(void)
{
    meanwhile = let_puts_arrive_last;
    sem_post(&other_waits);
    sem_wait(&other_goes_on);
}

static void *run_other(void *what)
{
    meanwhile = let_first_go_on;
    (*(void (**)(void))what)();
    return NULL;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static void (*what)(void);
    static pthread_t other;
    if (before_lock && mutex == &net_port.lock) {
        what = before_lock;
        before_lock = NULL;
        pthread_create(&other, NULL, run_other, &what);
        pthread_detach(other);
        sem_wait(&other_waits);
    }
    while (pthread_mutex_trylock(mutex) != 0)
        sched_yield();
    return 0;
}

static void fence_again(void)
{
    net_fence(net_default);
    sem_post(&other_waits);
}

static void quiet_again(void)
{
    net_quiet(net_default);
    sem_post(&other_waits);
}

/* Another thread requests the flush of the puts after this thread's fence has begun. */
static void fence_is_overtaken(void)
{
    sem_init(&other_waits, 0, 0);
    sem_init(&other_goes_on, 0, 0);
    for (int i = 0; i < 2; i++) {
        puts_last();
        serves = false;
        put_some(0, 1, 900, NET_NBI);
        before_lock = i ? quiet_again : fence_again;
        net_fence(net_default);
        epoch[0]++;
        put_some(0, 1, 8, NET_BLOCKING);
        sem_post(&other_goes_on);
        sem_wait(&other_waits);
        net_quiet_all();
        check_complete(-1, -1, "quiet of all");
        forget();
    }
}

static int way; /* the protocol of a put without records */

static void put_meanwhile(void)
{
    const enum net_mode mode = way % 2 ? NET_NBI : NET_BLOCKING;
    meanwhile = let_messages_arrive;
    way < 2 ? (void)put_some(0, 1, 3000, mode) : put_and_signal(0, 1, 3000, mode);
}

/* A thread's put after its fence does not overtake records from before the fence, though another thread's quiet has
 * begun to complete them. */
static void fence_outlives_a_quiet(void)
{
    for (way = 0; way < 4; way++) {
        puts_last();
        let_puts_arrive();
        odds[MESSAGE_OUT][0] = odds[MESSAGE_OUT][1] = 0;
        serves = true;
        put_some(0, 1, 8, NET_NBI);
        net_fence(net_default);
        epoch[0]++;
        meanwhile = put_meanwhile;
        net_quiet(net_default);
        net_quiet_all();
        check_complete(-1, -1, "quiet of all");
        CHECK(!meanwhile, "no thread has waited");
        forget();
    }
}

static void fence_more_meanwhile(void)
{
    put_some(0, 1, 8, NET_NBI);
    net_fence(net_default);
    epoch[0]++;
}

/* When the quiet's flush has arrived, no other message does. */
static void hold_messages(void)
{
    check_seen();
    for (size_t i = 0; i < n_list; i++)
        if (list[i].kind == REPLY)
            odds[MESSAGE_OUT][1] = 0;
}

/* Records do not arrive before a fence that was later than the quiet, either. */
static void fence_within_a_quiet(void)
{
    puts_last();
    let_puts_arrive();
    serves = false;
    for (int i = 0; i < 2; i++) { /* two puts: after a single one a quiet is expected, and the next put requests it */
        net_quiet(net_default);
        put_some(0, 1, 8, NET_NBI);
        put_some(0, 1, 8, NET_NBI);
    }
    net_fence(net_default);
    epoch[0]++;
    meanwhile = fence_more_meanwhile;
    after_each_step = hold_messages;
    net_quiet(net_default);
    CHECK(!meanwhile, "no thread has waited");
    after_each_step = check_seen;
    meanwhile = let_messages_arrive;
    put_some(0, 1, 3000, NET_BLOCKING);
    net_quiet_all();
    CHECK(!meanwhile, "a put does not wait for what came before the last fence");
    forget();
}

/* A deferred put is started by a fence, which then waits for it. */
static void fence_after_what_was_left(void)
{
    puts_last();
    serves = true;
    struct asked *a = put_some(0, 1, 3000, NET_NBI);
    meanwhile = let_puts_arrive_last;
    net_fence(net_default);
    CHECK(is_complete(a), "a fence returns before a put that was left for later is complete");
    net_quiet_all();
    forget();
}

/* A call follows a signal that is not yet sent because its data has just arrived, even if another context's quiet has
 * requested the flush of all puts. */
static void call_after_a_signal(void)
{
    for (int times = 0; times < 30; times++) {
        puts_last();
        let_puts_arrive();
        serves = false;
        put_and_signal(0, 1, 3000, NET_NBI);
        put_some(1, 1, 900, NET_NBI);
        net_quiet(context[1]);
        do_store(1);
        net_quiet_all();
        forget();
    }
}

int main(void)
{
    net_called = called;
    net_released = let_go;
    start_network(limits, check_seen);
    context[0] = net_default;
    context[1] = net_context_open(0);
    next_place = FROM;
    threads_share_a_context();
    fence_is_overtaken();
    fence_outlives_a_quiet();
    fence_within_a_quiet();
    fence_after_what_was_left();
    call_after_a_signal();
    net_context_close(context[1]);
    end_network();
    return check_result();
}
