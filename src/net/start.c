#include "job/settings.h"
#include "job/own_threads.h"
#include "time/virtual.h"
#include "wait/wait.h"
#include "net/card.h"
#include "net/context.h"
#include "net/emulated.h"
#include "net/failure.h"
#include "net/message.h"
#include "net/net.h"
#include "net/ports.h"
#include "net/progress.h"
#include "net/serve.h"
#include "net/thread.h"
#include "net/tune.h"

#include <sys/resource.h>

static void broken(void *port, struct provider_endpoint *endpoint, const char *why)
{
    serve_forget(port, endpoint);
    failure_broken(port, endpoint, why);
}

static void stranger(void *port)
{
    ((struct port *)port)->stats.strangers++;
}

static void answered(void *port)
{
    ((struct port *)port)->asked++;
}

/* Peers put to statics by another address than the one for which this PE sleeps. */
static void stored(void *port, uint64_t at, size_t bytes)
{
    (void)port;
    /* MUTANT a put to statics wakes: const bool in_data = false; */
    const bool in_data = at - node.data < node.data_used;
    wake(self.pe, in_data ? place_here(PLACE_DATA | (at - node.data), bytes) : (void *)(uintptr_t)at, bytes);
}

static const struct provider_upcalls upcalls = {.message = serve_message, .broken = broken, .stranger = stranger,
                                                .outside = serve_outside, .answered = answered, .stored = stored};

/* --- begin -------------------------------------------------------------------------------------------------------- */

/* A connection over TCP takes one or two descriptors, and the usual soft limit is 1024. */
static void allow_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void choose_atomics(void)
{
    enum { MESSAGE, ADAPTER };
    net.adapter = setting_choice(SETTING_SHMEM_NET_ATOMICS) == ADAPTER;
    if (net.adapter && !(net_provider->has_coherent_atomics && net_provider->has_coherent_atomics()))
        job_fatal("shmem_init", "SHMEM_NET_ATOMICS is adapter, and the network %s does not report that its NICs have "
                  "atomic operations that are coherent with processors: unset SHMEM_NET_ATOMICS, or set it to message",
                  net_provider->name);
}

void net_start(void)
{
    net.active = self.n_near < self.n_pes;
    if (net.active)
        threads_before(); /* UCX starts a thread as soon as it is loaded */
    if (net.active || emulated_node())
        port_load_provider();
    if (!net.active)
        return;
    choose_atomics();
    tune_read();
    allow_descriptors();
    port_open(&upcalls);
    threads_after();
    tune_fit(net_provider);
    card_publish(&net_port);
    node_far_same_program = peer_same_program;
    failure_begin();
    net_meet_begin();
}

void net_run(void)
{
    wait_progress = progress_hook;
    wait_tune(self.crowded);
    if (!virtual_begun()) /* in emulated time, waiting threads make progress even while the program computes */
        net.polls = !thread_start();
}

/* A thread that waits in a launcher's fence makes no progress, and other PEs may need replies to reach that fence. */
void net_finish(void)
{
    if (!virtual_begun())
        thread_start_anyway();
}

bool net_times(struct net_times *times)
{
    return (net.active || virtual_begun()) && net_provider->times && net_provider->times(times);
}

/* --- end ---------------------------------------------------------------------------------------------------------- */

static void stop(struct port *port)
{
    port_lock(port);
    for (struct peer *peer = port->connected; peer; peer = peer->next_connected) /* MUTANT the last messages are sent */
        message_send(peer);
    peer_forget_all(port);
    port_close(port);
    serve_end(port);
    buffer_free_all(port);
    op_free_all(port);
    port_unlock(port);
}

void net_stop(void)
{
    if (!net.active && virtual_begun() && self.pe == 0)
        emulated_report();
    if (!net.active)
        return;
    failure_end();
    thread_stop();
    wait_progress = (bool (*)(void))NULL; /* clang requires the cast */
    wait_tune(self.crowded);
    context_end_all();
    struct net_stats stats = {0};
    for (struct port *port, *next = net_port.next; (port = next);) {
        next = port->next;
        stop(port);
        tune_add_stats(&stats, &port->stats);
        ports_free(port);
    }
    stop(&net_port);
    tune_add_stats(&stats, &net_port.stats);
    card_withdraw();
    if (net_provider->end)
        net_provider->end();
    net.active = net.adapter = net.polls = false;
    tune_print_stats(&stats);
}
