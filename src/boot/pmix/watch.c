/* The failure detector: a thread that waits for events of the kernel, without polling.
 *
 * On a node, each PE has a pidfd of the next PE, in a ring. Between nodes, one PE of each node, the watcher, has a
 * connection to a PE of the next node (lifeline.c), also in a ring. A PE that detects a death watches the PE after the
 * dead one, and becomes the watcher if the dead PE was. */
#include "boot/kit/kit.h"
#include "boot/pmix/door.h"
#include "boot/pmix/lifeline.h"
#include "boot/pmix/pmix.h"

#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- the thread --------------------------------------------------------------------------------------------------- */

static struct {
    bool on;
    pthread_t thread;
    int stop; /* an eventfd: the thread must end, or the launcher has ended */
    _Atomic bool orphaned;
    size_t handler; /* number of PMIx's event handler */
    int neighbour, neighbour_fd; /* index of the watched member; its pidfd, or -1 */
} watch;

/* --- the ring of the node ----------------------------------------------------------------------------------------- */

static void watch_neighbour(void);

static void neighbour_ended(void)
{
    const struct node_run *run = &pmix_launch.run[pmix_launch.own_node];
    struct member *member = &pmix_members->of[watch.neighbour];
    int state = MEMBER_JOINED;
    if (atomic_compare_exchange_strong(&member->state, &state, MEMBER_DEAD))
        state = MEMBER_DEAD;
    if (state == MEMBER_DEAD) {
        events_report(run->first + watch.neighbour,
                     kit_sentence("its process, %d on host %s, has ended", member->pid, run->host));
        int keeper = watch.neighbour;
        if (atomic_compare_exchange_strong(&pmix_members->keeper, &keeper, members_index()))
            line_hold();
        member->told = true; /* last: if this PE dies before, the next one does all of this */
    }
    watch_neighbour();
}

/* Watches the next living member. If the death of a member has gone unreported, the PE that watched this member has
 * died too, so this PE reports the death. */
static void watch_neighbour(void)
{
    const int n = pmix_launch.run[pmix_launch.own_node].n, me = members_index();
    for (;;) {
        watch.neighbour = (watch.neighbour + 1) % n;
        struct member *member = &pmix_members->of[watch.neighbour];
        if (watch.neighbour == me)
            return; /* no other member is left */
        if (member->state == MEMBER_DEAD && !member->told) {
            neighbour_ended();
            return;
        }
        if (member->state != MEMBER_JOINED || !member->pid)
            continue;
        watch.neighbour_fd = (int)syscall(SYS_pidfd_open, member->pid, 0);
        if (watch.neighbour_fd >= 0) {
            events_add(watch.neighbour_fd, SOURCE_NEIGHBOUR, 0, EPOLLIN);
            return;
        }
        if (errno == ESRCH) {
            neighbour_ended();
            return;
        }
        /* A kernel before 5.3, or no descriptors left: this member is not watched. */
    }
}

static void *watching(void *unused)
{
    (void)unused;
    watch.neighbour = members_index();
    watch_neighbour();
    door_watch();
    if (pmix_members->keeper == members_index())
        line_hold();
    for (;;) {
        struct event events[EVENTS];
        const int n = events_wait(events, line_wait());
        for (int i = 0; i < n; i++) {
            switch (events[i].source) {
            case SOURCE_STOP:
                if (!watch.orphaned)
                    return NULL;
                events_report(pmix_launch.pe, "its launcher has ended");
                return NULL;
            case SOURCE_NEIGHBOUR:
                kit_shut(&watch.neighbour_fd);
                neighbour_ended();
                break;
            case SOURCE_DOOR:
            case SOURCE_GUEST:
                door_event(events[i].source, events[i].number);
                break;
            case SOURCE_ATTEMPT:
            case SOURCE_LINE:
                line_event(events[i].source, events[i].number);
                break;
            }
        }
        if (line_wait() == 0)
            line_timeout();
    }
}

/* PMIx calls it if the connection to its server on this host is lost, in a thread that must not call PMIx. */
static void server_lost(size_t handler, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[],
                        size_t n_info, pmix_info_t results[], size_t n_results,
                        pmix_event_notification_cbfunc_fn_t done, void *arg)
{
    (void)handler, (void)status, (void)source, (void)info, (void)n_info, (void)results, (void)n_results;
    watch.orphaned = true;
    eventfd_write(watch.stop, 1);
    if (done)
        done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, arg);
}

static void release(void)
{
    kit_shut(&watch.stop);
    events_end();
}

void watch_start(void (*died)(int pe, const char *why))
{
    if (watch.on || !pmix_members)
        return;
    watch.orphaned = false;
    watch.neighbour_fd = -1;
    const bool begun = events_begin(died);
    watch.stop = eventfd(0, EFD_CLOEXEC);
    if (!begun || watch.stop < 0) {
        release();
        return;
    }
    events_add(watch.stop, SOURCE_STOP, 0, EPOLLIN);
    watch.on = kit_thread(&watch.thread, watching);
    if (!watch.on) {
        release();
        return;
    }
    pmix_status_t lost = PMIX_ERR_LOST_CONNECTION;
    const pmix_status_t handler =
        pmix_launch.left ? -1 : PMIx_Register_event_handler(&lost, 1, NULL, 0, server_lost, NULL, NULL);
    watch.handler = handler >= 0 ? (size_t)handler : SIZE_MAX;
}

void watch_end(void)
{
    if (pmix_members) /* first: from here on, the end of this process is no death */
        pmix_members->of[members_index()].state = MEMBER_ENDED;
    if (!watch.on)
        return;
    if (watch.handler != SIZE_MAX && !watch.orphaned)
        PMIx_Deregister_event_handler(watch.handler, NULL, NULL);
    eventfd_write(watch.stop, 1);
    if (!pthread_equal(watch.thread, pthread_self())) /* otherwise the thread ends with the process */
        pthread_join(watch.thread, NULL);
    watch.on = false;
    line_close();
    door_close();
    kit_shut(&watch.neighbour_fd);
    release();
}
