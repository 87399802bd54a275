#include "emu.h"

#include <stdlib.h>
#include <string.h>

struct emu emu;

/* Part of both the memory and its key. */
struct region {
    uint64_t at, bytes, file_at;
};

struct provider_memory {
    struct region region;
};
struct provider_key {
    struct region region;
};

struct provider_memory *emu_memory_open(void *at, size_t bytes, size_t file_at, const char **why)
{
    struct provider_memory *memory = malloc(sizeof *memory);
    if (memory)
        memory->region = (struct region){(uintptr_t)at, bytes, file_at};
    else
        *why = "no memory";
    return memory;
}

void emu_memory_close(struct provider_memory *memory)
{
    free(memory);
}

size_t emu_memory_key(struct provider_memory *memory, void *to, size_t room)
{
    if (room >= sizeof memory->region)
        memcpy(to, &memory->region, sizeof memory->region);
    return sizeof memory->region;
}

struct provider_key *emu_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why)
{
    (void)endpoint;
    struct provider_key *key = malloc(sizeof *key);
    if (key)
        memcpy(&key->region, packed, sizeof key->region);
    else
        *why = "no memory";
    return key;
}

void emu_key_close(struct provider_key *key)
{
    free(key);
}

char *emu_reach(const struct provider_key *key, uint64_t remote, size_t bytes)
{
    const struct region *r = &key->region;
    const uint64_t offset = remote - r->at;
    return offset <= r->bytes && bytes <= r->bytes - offset ? emu.job.memory + r->file_at + offset : NULL;
}
