/* The states of PEs on other nodes: asking for one, and the meeting at the end of a job that outlives its PEs. */
#include "common/clock.h"
#include "time/virtual.h"
#include "wait/wait.h"
#include "net/context.h"
#include "net/message.h"
#include "net/serve.h"

#define PATIENCE 300000000u /* ns */

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* Its state, and the stage of its meeting above that. */
static uint64_t ask(int pe)
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
    op->room = sizeof state;
    op_ask(op);
    ((struct args_token *)(record_ask(peer, RECORD_STATE, 0, sizeof(struct args_token)) + 1))->token = op->token;
    op_end(op);
    message_send(peer);
    port_unlock(c->port);
    op_wait(op, pe, "shmemx_pe_state");
    return state;
}

int net_pe_state(int pe)
{
    return (int)(uint32_t)ask(pe);
}

/* --- the meeting ---------------------------------------------------------------------------------------------------
 *
 * Nobody leaves it before all that live have come.  A launcher's fence would wait for the dead, or is no longer to be
 * had.
 *
 * The PEs are a binomial tree: the one above a PE has its number without the lowest bit that is set.  A PE that has
 * come, and has heard of all below it that theirs have, tells the one above; then PE 0 knows, and those below are told.
 * Near ones look at each other's seats, those of other nodes send messages: two for each pair that the nodes part, and
 * of these a node has one or a few.
 *
 * Where somebody is dead, the tree may be cut.  Then the first PE that lives asks all the others until they have come,
 * and tells all of them, whether they wait for that or in the tree yet.  One that cannot be asked any more is dead, or
 * has left, which it does only when it knows that all have come.
 *
 * Who has heard it from that PE tells nobody below: UCX 1.13 ends a process that closes its port while somebody
 * connects to it, so the first message to a PE is not to come when that may be leaving. */

enum { COME = 1, GATHERED, RELEASED, LED }; /* the stages of each meeting, two of which are the end of it, */
static uint32_t before; /* which are counted on and on: the last one of the meeting before */
static int first;       /* as far as this PE knows, those before it are dead */
static uint64_t due;    /* then it asks whether the PE that it waits for is there */

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

/* The n-th of those below, or -1. */
static int below(int n)
{
    const int64_t pe = self.pe + ((int64_t)1 << n);
    return !(self.pe >> n & 1) && pe < self.n_pes ? (int)pe : -1;
}

/* One below that has not gathered, or -1. */
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

/* A near one that has left knows that all have come. */
static bool is_over(uint32_t stage)
{
    for (int pe = self.first; pe < self.first + self.n_near; pe++)
        if (has_reached(job_seat(pe)->stage, stage))
            return true;
    return is_told(stage);
}

/* The one above, or -1 when it has told: it may be about to, whatever other near ones know already. */
static int unreleased(void)
{
    const int pe = above();
    return is_told(RELEASED) || (node_is_near(pe) && has_reached(job_seat(pe)->stage, RELEASED)) ? -1 : pe;
}

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

/* False: there is no waiting for it.  That somebody has died all are told, but who tells it may die as well, so a far
 * PE that is waited for is asked now and then. */
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

/* Or is dead, or has left. */
static bool has_come(int pe)
{
    const bool near = node_is_near(pe);
    const uint64_t told = near ? (uint64_t)job_seat(pe)->stage << 32 | (uint32_t)job_state_of(pe) : ask(pe);
    return (uint32_t)told == JOB_PE_DEAD || has_reached((uint32_t)(told >> 32), COME);
}

/* False: another PE has found out. */
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

/* True: this PE has found that all have come, and is to tell them. */
static bool lead(const char *routine)
{
    for (first = 0; first < self.pe; first++)
        if (wait_for(unled, routine))
            return false;
    return ask_all(routine);
}

void net_meet(const char *routine)
{
    due = clock_now() + PATIENCE;
    come_to(COME);
    const bool leads = !meet_in_tree(routine) && lead(routine), is_led = leads || is_over(LED);
    for (int pe = 0; pe < self.n_pes && leads; pe++)
        tell(pe, RECORD_RELEASED, LED);
    for (int n = 0, pe; (pe = below(n)) >= 0 && !is_led; n++)
        tell(pe, RECORD_RELEASED, RELEASED);
    come_to(is_led ? LED : RELEASED);
    before += LED;
}
