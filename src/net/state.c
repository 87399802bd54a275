/* The states of PEs on other nodes, and the barrier at the end of a job that outlives its PEs. */
#include "common/clock.h"
#include "time/virtual.h"
#include "wait/wait.h"
#include "net/context.h"
#include "net/message.h"
#include "net/serve.h"

#define PATIENCE 300000000u /* ns from one check of a remote PE to the next */

/* --- requests ----------------------------------------------------------------------------------------------------- */

/* Asks the PE for its state, in the lower half of the result, and for the stage of its barrier, in the upper half. */
static uint64_t ask(int pe)
{
    uint64_t state = JOB_PE_DEAD;
    if (job_state_of(pe) != JOB_PE_DEAD)
        context_request(net_default, peer_of(net_default->port, pe), RECORD_STATE, 0, &state, sizeof state,
                        "shmemx_pe_state");
    return state;
}

int net_pe_state(int pe)
{
    return (int)(uint32_t)ask(pe);
}

/* --- the barrier ---------------------------------------------------------------------------------------------------
 *
 * It ends when all live PEs have reached it.  A launcher's fence would wait for dead PEs too, or may no longer work.
 *
 * The PEs form a binomial tree: a PE's parent has the PE's number without its lowest set bit.  When a PE and its
 * children's subtrees have reached the barrier, the PE notifies its parent.  When PE 0 knows that all have, it releases
 * its children, and these release theirs.  Local PEs read each other's PE records.  A parent and a child on different
 * nodes exchange two messages; a node has only a few of these pairs.
 *
 * A dead PE may cut the tree.  Then the first live PE leads: it polls all others until they have arrived, and releases
 * all of them; some may still wait in the tree.  A PE that does not reply is dead, or has returned.
 * A PE returns only when it knows that all have arrived.
 *
 * A PE that the leader has released does not release its children: UCX 1.13 aborts a process that closes its port
 * during a connection attempt, so no PE may receive its first message from another PE while it may be returning. */

enum { COME = 1, GATHERED, RELEASED, LED }; /* the stages of each barrier; the last two both end it */
static uint32_t before; /* the last stage of the previous barrier: the stages of this barrier follow it */
static int first;       /* all PEs before it are dead, as far as this PE knows */
static uint64_t due;    /* time of the next check of the PE that this PE waits for */

static bool has_reached(uint32_t stage, uint32_t wanted)
{
    return (int32_t)(stage - (before + wanted)) >= 0;
}

static void come_to(uint32_t stage)
{
    job_seat(self.pe)->stage = before + stage;
    for (int pe = self.first; pe < self.first + self.n_near; pe++)
        wake(pe, &job_seat(self.pe)->stage, sizeof(uint32_t));
}

static void tell(int pe, enum record_kind kind, uint32_t stage)
{
    if (node_is_near(pe) || job_state_of(pe) == JOB_PE_DEAD)
        return;
    struct peer *peer = peer_of(&net_port, pe);
    port_lock(&net_port);
    record_add(peer, kind, before + stage, 0);
    message_send(peer);
    port_unlock(&net_port);
}

static int above(void)
{
    return self.pe & (self.pe - 1);
}

/* The n-th child, or -1. */
static int below(int n)
{
    const int64_t pe = self.pe + ((int64_t)1 << n);
    return !(self.pe >> n & 1) && pe < self.n_pes ? (int)pe : -1;
}

/* A child whose subtree has not arrived, or -1. */
static int ungathered(void)
{
    for (int n = 0, pe; (pe = below(n)) >= 0; n++)
        if (!has_reached(node_is_near(pe) ? job_seat(pe)->stage : serve_gathered(n), GATHERED))
            return pe;
    return -1;
}

static bool is_told(uint32_t stage)
{
    return has_reached(serve_released(), stage);
}

/* A local PE that has returned knows that all have arrived. */
static bool is_over(uint32_t stage)
{
    for (int pe = self.first; pe < self.first + self.n_near; pe++)
        if (has_reached(job_seat(pe)->stage, stage))
            return true;
    return is_told(stage);
}

/* The parent, or -1 when it has released this PE. */
static int unreleased(void)
{
    const int pe = above();
    return is_told(RELEASED) || (node_is_near(pe) && has_reached(job_seat(pe)->stage, RELEASED)) ? -1 : pe;
}

/* The leader, or -1 when the barrier is over. */
static int unled(void)
{
    return is_over(RELEASED) ? -1 : first;
}

static bool anybody_died(void)
{
    static uint32_t alerts;
    static bool any;
    const uint32_t now = self.job->alerts;
    if (now == alerts)
        return any;
    alerts = now;
    for (int pe = 0; pe < self.n_pes && !any; pe++)
        any = job_state_of(pe) == JOB_PE_DEAD;
    return any;
}

/* Waits until missing() finds no PE.  False: a PE of the tree, or the leader, is dead, or the barrier has ended without
 * the tree.  Every PE is notified of a death, but the notifying PE may die too.  Every PATIENCE ns this PE therefore
 * checks the remote PE that it waits for. */
static bool wait_for(int (*missing)(void), const char *routine)
{
    struct wait w = {.routine = routine, .stays = true};
    bool cut = false;
    while ((w.for_pe = missing()) >= 0 && !cut) {
        const int pe = w.for_pe;
        cut = missing == unled ? job_state_of(pe) == JOB_PE_DEAD : anybody_died();
        if (!cut)
            wait_turn(&w);
        if (!virtual_on && !cut && clock_now() > due) {
            wait_end(&w);
            cut = is_over(RELEASED) || (!node_is_near(pe) && net_pe_state(pe) == JOB_PE_DEAD);
            if (!cut)
                due = clock_now() + PATIENCE;
        }
    }
    wait_end(&w);
    return w.for_pe < 0;
}

/* Whether the PE has reached the barrier, has returned from it, or is dead. */
static bool has_come(int pe)
{
    if (node_is_near(pe))
        return job_state_of(pe) == JOB_PE_DEAD || has_reached(job_seat(pe)->stage, COME);
    const uint64_t told = ask(pe);
    return (uint32_t)told == JOB_PE_DEAD || has_reached((uint32_t)(told >> 32), COME);
}

/* Polls all PEs.  False: another PE has led. */
static bool ask_all(const char *routine)
{
    const bool noted = wait_note(routine, -1);
    bool is_over_already = false;
    for (int pe = 0; pe < self.n_pes && !is_over_already; pe++)
        while (!has_come(pe) && !(is_over_already = is_over(RELEASED))) {
            net_progress();
            if (virtual_on)
                virtual_poll();
            else
                clock_nap(1000000);
        }
    if (noted)
        wait_note_end();
    return !is_over_already;
}

static bool meet_in_tree(const char *routine)
{
    if (!wait_for(ungathered, routine)) /* MUTANT the last barrier waits */
        return false;
    come_to(GATHERED);
    tell(above(), RECORD_GATHERED, GATHERED);
    return self.pe == 0 || wait_for(unreleased, routine);
}

/* True: this PE leads.  It has found that all PEs have arrived, and must release them. */
static bool lead(const char *routine)
{
    for (first = 0; first < self.pe; first++)
        if (wait_for(unled, routine))
            return false;
    return ask_all(routine);
}

/* No PE is in this barrier now, and none can enter it before this PE has left the next barrier of shmem_init. */
void net_meet_begin(void)
{
    for (int seat = 0; seat < self.job->n_pes; seat++) {
        const uint32_t stage = self.job->pe[seat].stage;
        if ((int32_t)(stage - before) > 0) /* of an earlier program that a script has run */
            before = (stage + LED - 1) / LED * LED;
    }
}

void net_meet(const char *routine)
{
    due = clock_now() + PATIENCE;
    come_to(COME);
    const bool leads = !meet_in_tree(routine) && lead(routine), is_led = leads || is_over(LED);
    if (leads)
        for (int pe = 0; pe < self.n_pes; pe++)
            tell(pe, RECORD_RELEASED, LED);
    if (!is_led)
        for (int n = 0, pe; (pe = below(n)) >= 0; n++)
            tell(pe, RECORD_RELEASED, RELEASED);
    come_to(is_led ? LED : RELEASED);
    before += LED;
}
