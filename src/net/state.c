/* The states of PEs on other nodes: asking for one, and the meeting at the end of a job that outlives its PEs. */
#include "job/virtual.h"
#include "job/wait.h"
#include "net/context.h"
#include "net/message.h"

int net_pe_state(int pe)
{
    if (job_state_of(pe) == JOB_PE_DEAD)
        return JOB_PE_DEAD;
    struct net_context *c = net_default;
    struct peer *peer = peer_of(c->port, pe);
    uint64_t state = JOB_PE_DEAD;
    struct op here;
    port_lock(c->port);
    struct op *op = context_begin(c, peer, NET_BLOCKING, &here);
    op->dest = (unsigned char *)&state;
    op_ask(op);
    ((struct args_token *)(record_ask(peer, RECORD_STATE, 0, sizeof(struct args_token)) + 1))->token = (uintptr_t)op;
    op_end(op);
    message_send(peer);
    port_unlock(c->port);
    op_wait(op, pe, "shmemx_pe_state");
    return (int)state;
}

/* Asks everybody: a launcher's fence would wait for the dead, or is no longer to be had.  Whoever leaves has seen
 * that all have come, so one that cannot be asked any more has left, or is dead. */
void net_meet(const char *routine)
{
    const bool noted = wait_note(routine, -1);
    for (int pe = 0; pe < self.n_pes; pe++)
        while (job_state_of(pe) != JOB_PE_DEAD &&
               (job_has_seat(pe) ? (int)job_state_of(pe) : net_pe_state(pe)) < JOB_PE_FINALIZING) {
            net_progress();
            if (virtual_on)
                virtual_poll();
            else
                wait_nap(1000000);
        }
    if (noted)
        wait_note_end();
}
