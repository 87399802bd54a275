/* The provider, which is loaded when a job first spans nodes, and this PE's port of it. */
#include "net/port.h"

#include "job/boot.h"
#include "net/emulated.h"
#include "net/net.h"

#include <sys/mman.h>

struct net net;
struct port net_port = {.lock = PTHREAD_MUTEX_INITIALIZER};
const struct provider *net_provider;

static const char *const modules[] = {"ucx", "emu"}; /* by the words of SHMEM_NET */
enum { UCX, EMU };

void port_load_provider(void)
{
    if (net_provider)
        return;
    const int which = setting_choice(SETTING_SHMEM_NET);
    const char *why = "";
    net_provider = boot_module(modules[which], PROVIDER_SYMBOL, &why);
    if (!net_provider || net_provider->version != PROVIDER_VERSION)
        job_fatal("shmem_init",
                  "the job spans nodes, and this copy of Copal has no module %s for a network (%s)%s", modules[which],
                  net_provider ? "it has another version" : why,
                  which == UCX ? "; build it where libucx-dev is installed" : "");
    why = net_provider->begin(&(struct provider_start){.no_shared_memory = true,
                                                       .watched = self.job->launcher != 0,
                                                       .job = which == EMU ? emulated_job() : NULL});
    if (why)
        job_fatal("shmem_init", "the job spans nodes, and the network cannot be used: %s", why);
}

void port_open(const struct provider_upcalls *upcalls)
{
    struct port *port = &net_port;
    port->provider = net_provider->open(upcalls, port);
    if (!port->provider)
        job_fatal("shmem_init", "the network %s cannot be opened", net_provider->name);
    port->peers = mmap(NULL, (size_t)self.n_pes * sizeof *port->peers, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (port->peers == MAP_FAILED)
        job_fatal("shmem_init", "no memory for a table of %d PEs", self.n_pes);
    port->alerts = self.job->alerts;
}

void port_close(void)
{
    struct port *port = &net_port;
    net_provider->close(port->provider); /* what is under way leaves, or is lost with a peer that is gone */
    port->provider = NULL;
    port->sends = 0;
    munmap(port->peers, (size_t)self.n_pes * sizeof *port->peers);
    port->peers = NULL;
}
