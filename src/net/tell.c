/* What nodes tell each other about PEs: alerts, and their states. */
#include "net/engine.h"

/* One PE of each other node is told, and alerts the others there. */
void net_alert(int dead)
{
    struct port *port = &net_port;
    if (!net.active)
        return;
    for (int pe = 0; pe < self.n_pes; pe += self.node_size) {
        if (pe >= self.first && pe < self.first + self.n_near)
            continue;
        int to = pe; /* the first that lives */
        while (to + 1 < pe + self.node_size && to + 1 < self.n_pes && job_state_of(to) == JOB_PE_DEAD)
            to++;
        if (job_state_of(to) == JOB_PE_DEAD)
            continue;
        struct peer *peer = peer_of(port, to);
        port_lock(port);
        record_add(peer, RECORD_ALERT, (uint64_t)(dead + 1), 0);
        port_unlock(port);
    }
    port_lock(port);
    port_send(port);
    port_unlock(port);
}

int net_pe_state(int pe)
{
    if (job_state_of(pe) == JOB_PE_DEAD)
        return JOB_PE_DEAD;
    struct net_context *c = net_default;
    struct peer *peer = peer_of(c->port, pe);
    uint64_t state = JOB_PE_DEAD;
    struct op here;
    port_lock(c->port);
    struct op *op = op_begin(c, peer, NET_BLOCKING, &here);
    op->dest = (unsigned char *)&state;
    op_ask(op);
    ((struct args_token *)(record_ask(peer, RECORD_STATE, 0, sizeof(struct args_token)) + 1))->token = (uintptr_t)op;
    op_end(op);
    peer_send(peer);
    port_unlock(c->port);
    op_wait(op, pe, "shmemx_pe_state");
    return (int)state;
}
