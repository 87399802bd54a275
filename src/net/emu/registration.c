#include "emu.h"

#include <stdlib.h>
#include <string.h>

struct emu emu;

/* The packed key is a copy of this struct. */
struct provider_memory {
    uint64_t at, bytes, file_at;
};
struct provider_key {
    struct provider_memory of;
};

struct provider_memory *emu_memory_open(void *at, size_t bytes, size_t file_at, const char **why)
{
    struct provider_memory *memory = malloc(sizeof *memory);
    if (memory)
        *memory = (struct provider_memory){(uintptr_t)at, bytes, file_at};
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
    if (room >= sizeof *memory)
        memcpy(to, memory, sizeof *memory);
    return sizeof *memory;
}

struct provider_key *emu_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why)
{
    (void)endpoint;
    struct provider_key *key = malloc(sizeof *key);
    if (key)
        memcpy(&key->of, packed, sizeof key->of);
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
    const struct provider_memory *m = &key->of;
    const uint64_t offset = remote - m->at;
    return offset <= m->bytes && bytes <= m->bytes - offset ? emu.job.memory + m->file_at + offset : NULL;
}
