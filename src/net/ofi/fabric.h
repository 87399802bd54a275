/* Which of libfabric's providers is used, what it asks for, and libfabric's errors and endpoints in words. */
#ifndef COPAL_OFI_FABRIC_H
#define COPAL_OFI_FABRIC_H

#include "net/ofi/ofi.h"

extern struct fi_info *ofi_info;
extern struct fid_fabric *ofi_fabric;
extern bool ofi_probes; /* nobody else would notice that a peer is gone */

/* name: of libfabric, with its version and the provider's name. */
const char *ofi_begin(const struct provider_start *start, const char **name);
bool ofi_asks(int mr_mode); /* the provider does, for all of these bits */
bool ofi_wakes(void);       /* who sleeps on the descriptor of a completion queue, if it has one */
const char *ofi_why(const char *what, int error); /* "fi_endpoint: Resource temporarily unavailable" */
void ofi_describe(struct provider_endpoint *endpoint, char *text, size_t room);
bool ofi_is_one_sided(struct provider_endpoint *endpoint);

#endif
