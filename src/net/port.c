#include "net/port.h"

#include "common/module.h"
#include "boot/boot.h"
#include "net/emulated.h"
#include "net/net.h"

#include <signal.h>
#include <sys/mman.h>

struct net net;
struct port net_port = {.lock = PTHREAD_MUTEX_INITIALIZER};
const struct provider *net_provider;
enum net_choice net_module;
_Thread_local struct port *port_awaited;

/* The network libraries start threads, which must not receive the program's signals. Returns the present mask. */
static sigset_t hold_signals(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    return before;
}

static void begin_again(const struct provider_start *start)
{
    const sigset_t before = hold_signals();
    const char *why = net_provider->end ? net_provider->begin(start) : NULL;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (why)
        job_fatal("shmem_init", "the network cannot be used again: %s", why);
}

void port_load_provider(void)
{
    const enum net_choice which = (enum net_choice)setting_choice(SETTING_SHMEM_NET);
    const struct provider_start start = {.no_shared_memory = true,
                                         .loopback = boot == &boot_file,
                                         .watched = self.job->launcher != 0,
                                         .nth = self.pe - self.first,
                                         .n_far = self.n_pes - self.n_near,
                                         .job = which == NET_EMU && !net_provider ? emulated_job() : NULL};
    if (net_provider) {
        begin_again(&start);
        return;
    }
    const sigset_t before = hold_signals();
    const struct net_chosen chosen = net_choose(which, module_load, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!chosen.provider)
        job_fatal("shmem_init", "%s: %s%s", net.active ? "the job spans nodes, and no network can be used"
                                                       : "the node cannot be emulated", chosen.why,
                  which == NET_EMU ? "" : "; install UCX or libfabric, and build Copal with it");
    const char *fabric = which == NET_EMU ? NULL : setting_text(SETTING_SHMEM_FABRIC);
    if (fabric && self.pe == 0)
        job_say("shmem_init", "environment variable SHMEM_FABRIC is \"%s\", and this network is not emulated, because "
                "SHMEM_NET is \"%s\"; set SHMEM_NET=emu as well, or start the job by oshrun --fabric", fabric,
                setting_text(SETTING_SHMEM_NET) ? setting_text(SETTING_SHMEM_NET) : settings[SETTING_SHMEM_NET].usual);
    if (boot == &boot_file && which != NET_EMU && self.job->network == JOB_NETWORK_UNKNOWN && self.pe == 0)
        job_say("shmem_init", "oshrun has not seen SHMEM_NODES, so the nodes use this machine's loopback, where "
                "other users can connect; give it to oshrun itself, by --nodes or -x, and not to a program that it "
                "starts");
    net_provider = chosen.provider;
    net_module = chosen.which;
    setting_note(SETTING_SHMEM_NET, chosen.by_itself ? "default" : "environment", "%s: %s", net_provider->name,
                 chosen.why);
}

static const struct provider_upcalls *calls;

bool port_open_another(struct port *port, const char **why)
{
    *why = "no memory for a table of all PEs";
    port->peers = mmap(NULL, (size_t)self.n_pes * sizeof *port->peers, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (port->peers == MAP_FAILED)
        return false;
    port->alerts = self.job->alerts;
    const sigset_t before = hold_signals();
    port->provider = net_provider->open(calls, port, why);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!port->provider)
        munmap(port->peers, (size_t)self.n_pes * sizeof *port->peers);
    return port->provider;
}

void port_open(const struct provider_upcalls *upcalls)
{
    calls = upcalls;
    const char *why;
    if (!port_open_another(&net_port, &why))
        job_fatal("shmem_init", "the network %s cannot be opened: %s", net_provider->name, why);
}

void port_close(struct port *port)
{
    net_provider->close(port->provider); /* outstanding messages are sent, or lost if the peer is dead */
    port->provider = NULL;
    port->sends = 0;
    munmap(port->peers, (size_t)self.n_pes * sizeof *port->peers);
    port->peers = NULL;
}

void port_lock_in_time(struct port *port)
{
    virtual_turn();
    while (pthread_mutex_trylock(&port->lock) != 0) { /* its holder waits for space */
        port->wanted++;
        virtual_want(port);
        port->wanted--;
    }
    const uint64_t now = virtual_now();
    if (port->free_at > now)
        virtual_spend(port->free_at - now);
}

void port_unlock_in_time(struct port *port)
{
    const uint64_t now = virtual_now();
    if (port->free_at < now)
        port->free_at = now;
    const bool wanted = port->wanted;
    pthread_mutex_unlock(&port->lock);
    if (wanted)
        virtual_give(port);
}
