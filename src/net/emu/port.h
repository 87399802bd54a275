#pragma once

#include "item.h"

struct provider_port *emu_open(const struct provider_upcalls *upcalls, void *user, const char **why);
void emu_close(struct provider_port *port);
size_t emu_address(struct provider_port *port, void *to, size_t room);
struct provider_endpoint *emu_connect(struct provider_port *port, const void *address, size_t bytes, const char **why);
void emu_disconnect(struct provider_port *port, struct provider_endpoint *endpoint);

bool emu_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg);
bool emu_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg);
bool emu_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg);
bool emu_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);
bool emu_atomic(struct provider_endpoint *endpoint, enum provider_atomic op, uint64_t remote, struct provider_key *key,
                size_t size, uint64_t value, uint64_t cond, void *before, provider_done *done, void *arg);

bool emu_progress(struct provider_port *port);
int emu_event_fd(struct provider_port *port);
bool emu_arm(struct provider_port *port);
