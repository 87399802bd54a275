#include "net/ofi/ofi.h"

#include "common/environment.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

struct fi_info *ofi_info;
struct fid_fabric *ofi_fabric;
bool ofi_probes;

/* Devices that only libfabric drives: Slingshot, AWS's EFA, Omni-Path.  psm3 is not in the list, as it also drives
 * Ethernet, which UCX drives too.  opx and psm2 choose among several NICs themselves. */
static const struct {
    const char *name;
    bool is_to_choose;
} devices[] = {{"cxi", true}, {"efa", true}, {"opx", false}, {"psm2", false}};

/* The version of libfabric's interface to request.  From 1.18 on, EFA uses RDMA even if FI_EFA_USE_DEVICE_RDMA is not
 * set. */
static uint32_t spoken(void)
{
    const uint32_t header = FI_VERSION(FI_MAJOR_VERSION, FI_MINOR_VERSION), library = fi_version();
    const uint32_t best = FI_VERSION(1, 18);
    return FI_VERSION_GE(header, best) && FI_VERSION_GE(library, best) ? best : FI_VERSION(1, 11);
}

const char *ofi_why(const char *what, int error)
{
    static _Thread_local char text[160];
    snprintf(text, sizeof text, "%s: %s", what, fi_strerror(abs(error)));
    return text;
}

bool ofi_asks(int mr_mode)
{
    return (ofi_info->domain_attr->mr_mode & mr_mode) == mr_mode;
}

/* --- the choice of a provider ------------------------------------------------------------------------------------- */

/* True for core "tcp" and the provider "tcp;ofi_rxm". */
static bool is_of(const struct fi_info *info, const char *core)
{
    const char *name = info->fabric_attr->prov_name;
    const size_t n = strlen(core);
    return strncmp(name, core, n) == 0 && (!name[n] || name[n] == ';');
}

/* NULL: the provider is for none of these devices. */
static const struct fi_info *device(const struct fi_info *info, int nth)
{
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (is_of(info, devices[i].name))
            return devices[i].is_to_choose ? near_adapter(info, nth) : info;
    return NULL;
}

/* What this code supports; each provider selects what it requires.  Three modes are not offered, so providers that
 * require them are not found: FI_MR_RAW, keys of more than 8 bytes; FI_MR_MMU_NOTIFY, notification of mapping changes;
 * and FI_MR_LOCAL, registration of local buffers, with which efa would not use its registration cache.  Only efa-direct
 * requires FI_MR_LOCAL, and its messages are limited to one packet. */
static struct fi_info *hints(void)
{
    struct fi_info *h = fi_allocinfo();
    if (!h)
        return NULL;
    h->caps = FI_MSG | FI_RMA;
    h->mode = FI_CONTEXT | FI_CONTEXT2;
    h->ep_attr->type = FI_EP_RDM;
    h->tx_attr->op_flags = FI_DELIVERY_COMPLETE; /* must be available, though messages do not request it */
    h->domain_attr->threading = FI_THREAD_DOMAIN; /* the port's lock ensures it */
    h->domain_attr->resource_mgmt = FI_RM_ENABLED; /* a full queue refuses operations */
    h->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
    return h;
}

/* Whether its address is in the loopback network, or is no Internet address. */
static bool is_of_loopback(const struct fi_info *info)
{
    const struct sockaddr *address = info->src_addr;
    const struct sockaddr_in *four = info->src_addr;
    const struct sockaddr_in6 *six = info->src_addr;
    if (!address || (address->sa_family != AF_INET && address->sa_family != AF_INET6))
        return true;
    return address->sa_family == AF_INET ? ntohl(four->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET
                                         : IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* libfabric lists the best provider first.  Its shared-memory provider and the loopback interface are used only if
 * FI_PROVIDER names them, or if all peers are on this machine. */
static const struct fi_info *choose(const struct fi_info *all, const struct provider_start *start)
{
    const bool told = environment("FI_PROVIDER");
    for (const struct fi_info *i = all, *found; i; i = i->next)
        if ((found = device(i, start->nth)))
            return found;
    for (const struct fi_info *i = all; i && !start->devices_only && start->loopback; i = i->next)
        if (is_of_loopback(i) && !environment("FI_TCP_IFACE") && (told || !is_of(i, "shm")))
            return i;
    for (const struct fi_info *i = all; i && !start->devices_only; i = i->next)
        if (told || !(start->no_shared_memory && is_of(i, "shm")))
            return i;
    return NULL;
}

const char *ofi_begin(const struct provider_start *start, const char **called)
{
    static char text[400], name[100];
    if (ofi_fabric)
        return NULL;
    const uint32_t version = fi_version();
    snprintf(name, sizeof name, "libfabric %u.%u", FI_MAJOR(version), FI_MINOR(version));
    *called = name;
    struct fi_info *wanted = hints(), *all = NULL;
    int error = wanted ? fi_getinfo(spoken(), NULL, NULL, 0, wanted, &all) : -FI_ENOMEM;
    const struct fi_info *chosen = error ? NULL : choose(all, start);
    if (chosen && !(ofi_info = fi_dupinfo(chosen)))
        error = -FI_ENOMEM;
    fi_freeinfo(wanted);
    fi_freeinfo(all);
    if (ofi_info && !(error = fi_fabric(ofi_info->fabric_attr, &ofi_fabric, NULL))) {
        ofi_info->tx_attr->op_flags = 0;
        ofi_probes = !start->watched;
        snprintf(name, sizeof name, "libfabric %u.%u, %s", FI_MAJOR(version), FI_MINOR(version),
                 ofi_info->fabric_attr->prov_name);
        return NULL;
    }
    fi_freeinfo(ofi_info);
    ofi_info = NULL;
    const char *provider = environment("FI_PROVIDER");
    snprintf(text, sizeof text, "%s found no network to use (FI_PROVIDER=%s; see fi_info -t FI_EP_RDM): %s", name,
             provider ? provider : "all", fi_strerror(error ? -error : FI_ENODATA));
    return text;
}

/* psm2 and psm3 signal a completion only while a thread makes progress, and that thread sees the completion anyway. */
bool ofi_wakes(void)
{
    return !is_of(ofi_info, "psm2") && !is_of(ofi_info, "psm3");
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

void ofi_describe(struct provider_endpoint *endpoint, char *text, size_t room)
{
    const char *by = ofi_info->fabric_attr->prov_name, *on = ofi_info->domain_attr->name;
    if (endpoint->is_broken)
        snprintf(text, room, "broken: %s", endpoint->why);
    else
        snprintf(text, room, "messages: %s on %s\nput and get: %s on %s%s", by, on, by, on,
                 ofi_is_one_sided(endpoint) ? "" : ", by the peer's processor");
}

/* Providers in hardware report FI_PROGRESS_AUTO; cxi and verbs do not report it if their messages need progress. */
bool ofi_is_one_sided(struct provider_endpoint *endpoint)
{
    (void)endpoint;
    return ofi_info->domain_attr->data_progress == FI_PROGRESS_AUTO || is_of(ofi_info, "cxi") ||
        is_of(ofi_info, "verbs");
}
