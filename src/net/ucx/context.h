#pragma once

#include "net/ucx/ucx.h"

extern ucp_context_h ucx_context;

/* name: UCX and its version; set even on failure. */
const char *ucx_begin(const struct provider_start *start, const char **name);
void ucx_end(void);
struct provider_memory *ucx_memory_open(void *at, size_t bytes, size_t file_at, const char **why);
void ucx_memory_close(struct provider_memory *memory);
bool ucx_memory_is_open(uint64_t at, size_t bytes); /* all of it was registered by one ucx_memory_open */
size_t ucx_memory_key(struct provider_memory *memory, void *to, size_t room);
struct provider_key *ucx_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why);
void ucx_key_close(struct provider_key *key);
