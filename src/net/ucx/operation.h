/* What the net has begun and is to be told of. */
#ifndef COPAL_UCX_OPERATION_H
#define COPAL_UCX_OPERATION_H

#include "net/ucx/ucx.h"

void *ucx_allocate(size_t bytes); /* or the job ends */

struct operation *ucx_take(struct provider_port *port, provider_done *done, void *arg);
void ucx_give_back(struct operation *o);               /* nobody is told */
void ucx_tell_later(struct operation *o, bool failed); /* by the next progress */
void ucx_finish(struct operation *o, bool failed);     /* told now, if upcalls may be made */
/* false; told by the next progress */
bool ucx_refuse(struct provider_endpoint *endpoint, provider_done *done, void *arg);
bool ucx_tell_finished(struct provider_port *port);    /* in progress; true if there was any */

/* What a peer is to answer. */
struct awaited *ucx_await(struct provider_port *port, struct awaited_list *list, struct operation *o);
struct awaited *ucx_awaited(const struct provider_port *port, uint64_t number, uint64_t token); /* or NULL */
void ucx_end_await(struct awaited *a);
void ucx_fail_awaited(struct provider_endpoint *endpoint); /* the peer will not answer */

/* Around each of UCX's routines that begin something: what it calls back from within waits for the next progress. */
bool ucx_enter(struct provider_port *port);
void ucx_leave(struct provider_port *port, bool was);

#endif
