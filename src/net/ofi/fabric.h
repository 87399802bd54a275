#pragma once

#include "net/ofi/ofi.h"

extern struct fi_info *ofi_info;
extern struct fid_fabric *ofi_fabric;
extern bool ofi_probes; /* this process must detect dead peers itself */

/* name: libfabric, its version, and its provider. */
const char *ofi_begin(const struct provider_start *start, const char **name);
bool ofi_asks(int mr_mode); /* the provider requires all of these bits */
bool ofi_wakes(void);       /* a completion queue's descriptor, if any, becomes readable during a sleep */
const char *ofi_why(const char *what, int error); /* "fi_endpoint: Resource temporarily unavailable" */
void ofi_describe(struct provider_endpoint *endpoint, char *text, size_t room);
bool ofi_is_one_sided(struct provider_endpoint *endpoint);
