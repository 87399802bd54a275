/* Dead peers: the network reports a broken connection, or an alert reports a PE's death.
 *
 * If the job outlives its PEs, operations that wait for the peer end, later ones do nothing, and all nodes are
 * notified.  Else the launcher is about to end the job and report why; if it does not, this PE does so after GRACE. */
#include "net/failure.h"

#include "common/clock.h"
#include "boot/boot.h"
#include "wait/wait.h"
#include "net/message.h"
#include "net/net.h"
#include "net/op.h"

#include <stdio.h>
#include <time.h>

#define GRACE 2000000000u /* ns */

_Atomic bool net_failure_known, net_failure_news;

static struct {
    int pe;
    uint64_t due;
    const char *routine;
    char why[200];
} failure;

static _Atomic bool noted;  /* `failure` is set; other ports may find further failures */
static _Atomic bool ending; /* the network is being closed: a broken connection is no failure */

void failure_begin(void)
{
    ending = noted = net_failure_known = net_failure_news = false;
}

void failure_end(void)
{
    ending = true;
}

/* --- notifying other nodes ---------------------------------------------------------------------------------------- */

/* Notifies one PE of each other node, which alerts the other PEs of its node. */
void net_alert(int dead)
{
    struct port *port = &net_port;
    if (!net.active)
        return;
    for (int pe = 0; pe < self.n_pes; pe += self.node_size) {
        if (pe >= self.first && pe < self.first + self.n_near)
            continue;
        int to = pe; /* the node's first live PE */
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
    message_send_all(port);
    port_unlock(port);
}

/* --- reporting a lost PE ------------------------------------------------------------------------------------------ */

/* The routine that this PE waits in, for the message. */
static const char *waiting_in(void)
{
    const struct job_wait *wait = &job_seat(self.pe)->wait;
    return wait->since_ns ? wait->routine : "the job";
}

static void lost(int pe, const char *why)
{
    if (job_seat(self.pe)->state >= JOB_PE_FINALIZED || (job_has_seat(pe) && job_seat(pe)->state >= JOB_PE_FINALIZED))
        return; /* the job ends regularly */
    if (self.job->launcher)
        return; /* oshrun reports it and acts */
    if (self.job->outlives && pe != self.pe) { /* pe is this PE itself if its launcher has ended */
        if (job_note_death(pe) && net.active)
            net_alert(pe);
        return;
    }
    job_fatal_once(waiting_in(), "PE %d is lost: %s; the job is ended", pe, why); /* all PEs of the node call this */
}

/* A process on another host often ends because of an error there.  That process has reported the error, and the
 * launcher is about to end this PE (Open MPI's within two seconds).  This PE reports only if the launcher does not. */
void net_missed(int pe, const char *why)
{
    if (!self.job->launcher && !self.job->outlives && !job_has_seat(pe))
        nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 400000000}, NULL);
    lost(pe, why);
}

/* --- a connection that has broken --------------------------------------------------------------------------------- */

void failure_broken(void *arg, struct provider_endpoint *endpoint, const char *why)
{
    struct port *port = arg;
    /* most likely a peer that is ahead in shmem_finalize has closed its port */
    const bool finalizing = job_state_of(self.pe) >= JOB_PE_FINALIZING;
    if (ending || (finalizing && !self.job->outlives))
        return;
    struct peer *peer = port->connected;
    while (peer && peer->endpoint != endpoint)
        peer = peer->next_connected;
    if (!peer || peer->dead)
        return; /* the PE has only sent requests to this PE: PEs that wait for it detect the failure */
    if (self.job->outlives) {
        peer->dead = port->doomed = true; /* its endpoint must not be closed within its own upcall */
        /* MUTANT an upcall does not close: + failure_look(port); */
        return;
    }
    if (atomic_exchange(&noted, true))
        return;
    failure.pe = peer->pe;
    failure.due = clock_now() + GRACE;
    failure.routine = outer_routine ? outer_routine : "the network";
    snprintf(failure.why, sizeof failure.why, "it cannot be reached any more: %s", why);
    net_failure_known = true;
}

void failure_due(void)
{
    if (clock_now() < failure.due || ending)
        return;
    char host[256] = "?";
    if (!self.job->launcher)
        lost(failure.pe, failure.why);
    job_fatal(failure.routine, "PE %d on %s is lost: %s", failure.pe, boot->host(failure.pe, host, sizeof host),
              failure.why);
}

/* --- operations at a dead peer ------------------------------------------------------------------------------------ */

/* Ends the operations at a dead peer.  The provider ends its own outstanding operations when the endpoint is closed. */
static void settle(struct peer *peer)
{
    struct port *port = peer->port;
    peer->dead = true;
    peer_close_keys(peer);
    struct provider_endpoint *endpoint = peer->endpoint;
    peer->endpoint = NULL;
    if (endpoint)
        net_provider->disconnect(port->provider, endpoint);
    for (struct op *op = peer->owed, *next; op; op = next) {
        next = op->next;
        if (!op->of_provider) /* MUTANT a dead peer's operations */
            op_fail(op);
    }
}

void failure_look(struct port *port)
{
    port->doomed = false;
    port->alerts = self.job->alerts;
    if (!self.job->outlives)
        return;
    for (struct peer *peer = port->connected; peer; peer = peer->next_connected) {
        if (!peer->endpoint || !(peer->dead || job_state_of(peer->pe) == JOB_PE_DEAD))
            continue;
        if (peer->dead && job_state_of(self.pe) < JOB_PE_FINALIZING) {
            net_failure_news = peer->news = true;
            job_alert(self.job); /* wakes callers whose operation has failed: they read the peer's state */
        }
        settle(peer);
    }
}

/* Call without the lock, as it sends messages. */
static void tell(struct port *port)
{
    for (int pe = 0; pe >= 0;) {
        pe = -1;
        port_lock(port);
        for (struct peer *peer = port->connected; peer && pe < 0; peer = peer->next_connected)
            if (peer->news) {
                peer->news = false;
                pe = peer->pe;
            }
        port_unlock(port);
        if (pe >= 0)
            lost(pe, "its connection has broken");
    }
}

void failure_tell(void)
{
    net_failure_news = false;
    for (struct port *port = &net_port; port; port = port->next)
        tell(port);
}
