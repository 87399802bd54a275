/* Memory that other PEs may access.  It is in the job file, which every PE has mapped. */
#pragma once

#include "emu.h"

struct provider_memory *emu_memory_open(void *at, size_t bytes, size_t file_at, const char **why);
void emu_memory_close(struct provider_memory *memory);
size_t emu_memory_key(struct provider_memory *memory, void *to, size_t room);
struct provider_key *emu_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why);
void emu_key_close(struct provider_key *key);

/* The address of [remote, remote + bytes) in this process; NULL: it is not within the key's memory. */
char *emu_reach(const struct provider_key *key, uint64_t remote, size_t bytes);
