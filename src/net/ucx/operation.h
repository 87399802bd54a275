#pragma once

#include "net/ucx/ucx.h"

void *ucx_allocate(size_t bytes); /* ends the job if there is no memory */

struct operation *ucx_take(struct provider_port *port, provider_done *done, void *arg);
void ucx_give_back(struct operation *o);               /* frees it without a report */
void ucx_tell_later(struct operation *o, bool failed); /* the next progress reports it */
void ucx_finish(struct operation *o, bool failed);     /* reports it now, if upcalls are allowed */
/* Returns false; the next progress reports the failure. */
bool ucx_refuse(struct provider_endpoint *endpoint, provider_done *done, void *arg);
bool ucx_tell_finished(struct provider_port *port);    /* call in progress; true if there were any */

/* Expected replies of a peer. */
struct awaited *ucx_await(struct provider_port *port, struct awaited_list *list, struct operation *o);
struct awaited *ucx_awaited(const struct provider_port *port, uint64_t number, uint64_t token); /* or NULL */
void ucx_end_await(struct awaited *a);
void ucx_fail_awaited(struct provider_endpoint *endpoint); /* the peer will not reply */

/* Enclose each call that starts an operation in UCX: callbacks during the call are reported by the next progress. */
bool ucx_enter(struct provider_port *port);
void ucx_leave(struct provider_port *port, bool was);
