#include "net/ofi/ofi.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_TRIES = 100 };

/* The key is random, as any user who knows it can access the memory.  Providers with FI_MR_PROV_KEY ignore it. */
static uint64_t random_key(void)
{
    const size_t bytes = ofi_info->domain_attr->mr_key_size;
    const uint64_t key = secret_new().word[0];
    return bytes < sizeof key ? key & (((uint64_t)1 << 8 * bytes) - 1) : key;
}

static int reg(struct provider_port *port, const void *at, size_t bytes, struct fid_mr **mr)
{
    const uint64_t access = FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE;
    int error, tries = 0;
    do /* FI_ENOKEY: the key is in use, which happens only with short keys */
        error = fi_mr_reg(port->domain, at, bytes, access, 0, random_key(), 0, mr, NULL);
    while (error == -FI_ENOKEY && ++tries < KEY_TRIES);
    if (error || !ofi_asks(FI_MR_ENDPOINT))
        return error;
    error = fi_mr_bind(*mr, &port->ep->fid, 0);
    if (!error)
        error = fi_mr_enable(*mr);
    if (error)
        fi_close(&(*mr)->fid);
    return error;
}

struct provider_memory *memory_open(struct provider_port *port, void *at, size_t bytes, const char **why)
{
    struct provider_memory *memory = port ? calloc(1, sizeof *memory) : NULL;
    const int error = memory ? reg(port, at, bytes, &memory->mr) : -FI_ENOMEM;
    if (error) {
        free(memory);
        *why = ofi_why("fi_mr_reg", error);
        return NULL;
    }
    memory->at = at;
    memory->next = port->memories;
    memory->link = &port->memories;
    if (memory->next)
        memory->next->link = &memory->next;
    port->memories = memory;
    return memory;
}

void memory_close(struct provider_memory *memory)
{
    if (memory->mr) {
        fi_close(&memory->mr->fid);
        *memory->link = memory->next;
        if (memory->next)
            memory->next->link = memory->link;
    }
    free(memory);
}

void memory_orphan(struct provider_port *port)
{
    for (struct provider_memory *m = port->memories; m; m = m->next) {
        fi_close(&m->mr->fid);
        m->mr = NULL;
    }
}

/* If a provider does not require FI_MR_VIRT_ADDR, remote addresses are offsets in the registered memory. */
size_t memory_key(struct provider_memory *memory, void *to, size_t room)
{
    const struct provider_key key = {.key = fi_mr_key(memory->mr),
                                     .base = ofi_asks(FI_MR_VIRT_ADDR) ? 0 : (uintptr_t)memory->at};
    if (sizeof key <= room)
        memcpy(to, &key, sizeof key);
    return sizeof key;
}

struct provider_key *ofi_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why)
{
    struct provider_key *key = endpoint->is_broken ? NULL : malloc(sizeof *key);
    if (key)
        memcpy(key, packed, sizeof *key);
    else
        *why = endpoint->is_broken ? endpoint->why : "no memory";
    return key;
}

void ofi_key_close(struct provider_key *key)
{
    free(key);
}
