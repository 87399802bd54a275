#pragma once

#include "net/ucx/ucx.h"

void ucx_begin_to_listen(void); /* once */
void ucx_listen(void);          /* starts to keep UCX's errors on this thread instead of printing them */
void ucx_hush(void);            /* prints them again */
const char *ucx_why(ucs_status_t status);
void ucx_describe(struct provider_endpoint *endpoint, char *text, size_t room);
bool ucx_is_one_sided(struct provider_endpoint *endpoint);
bool ucx_has_remote_memory(struct provider_endpoint *endpoint); /* a transport has put and get, in hardware or not */
