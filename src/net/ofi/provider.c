#include "net/ofi/ofi.h"

#include <limits.h>

extern struct provider copal_provider;

static const char *begin(const struct provider_start *start)
{
    return ofi_begin(start, &copal_provider.name);
}

static struct provider_port *open_port(const struct provider_upcalls *upcalls, void *user, const char **why)
{
    return ofi_open(upcalls, user, &copal_provider.message_most, why);
}

static struct provider_memory *open_memory(void *at, size_t bytes, size_t file_at, const char **why)
{
    (void)file_at;
    return memory_open(port_first(), at, bytes, why);
}

/* Some providers keep two puts in order, but none keeps a put and a message in order, which take different paths. */
static bool keeps_order(struct provider_endpoint *endpoint)
{
    (void)endpoint;
    return false;
}

static unsigned more_ports(void)
{
    return UINT_MAX;
}

__attribute__((visibility("default"))) struct provider copal_provider = {
    .version = PROVIDER_VERSION,
    .begin = begin,
    .open = open_port,
    .close = ofi_close,
    .more_ports = more_ports,
    .address = ofi_address,
    .connect = ofi_connect,
    .disconnect = ofi_disconnect,
    .memory_open = open_memory,
    .memory_close = memory_close,
    .memory_key = memory_key,
    .key_open = ofi_key_open,
    .key_close = ofi_key_close,
    .send = ofi_send,
    .put = ofi_put,
    .get = ofi_get,
    .flush = ofi_flush,
    .progress = ofi_progress,
    .event_fd = ofi_event_fd,
    .arm = ofi_arm,
    .describe = ofi_describe,
    .is_one_sided = ofi_is_one_sided,
    .keeps_order = keeps_order,
    /* No atomics: fi_query_atomic does not report coherence with processors, and with tcp a processor executes them. */
};
