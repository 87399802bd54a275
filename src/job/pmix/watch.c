/* Who notices that a PE dies: the kernel, which is asked to tell, so that nothing polls.
 *
 * On a node, each PE holds a pidfd of the next one, in a ring; between nodes, one PE of each node, its keeper, holds a
 * connection to a PE of the next node (lifeline.c), in a ring as well.  Whoever notices a death goes on to watch the
 * one behind the gap, and takes over the lifeline if the dead one was the keeper.  A thread of its own waits for all
 * this. */
#include "job/pmix/pmix.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* --- the members of the node -------------------------------------------------------------------------------------- */

static struct members *members;
static int members_fd = -1;

static size_t members_bytes(void)
{
    return sizeof *members + (size_t)pmix_launch.run[pmix_launch.own_node].n * sizeof members->of[0];
}
static int my_index(void)
{
    return pmix_launch.pe - pmix_launch.run[pmix_launch.own_node].first;
}

int members_make(void)
{
    members_fd = memfd_create("copal-members", MFD_CLOEXEC);
    if (members_fd >= 0 && ftruncate(members_fd, (off_t)members_bytes()) != 0) {
        close(members_fd);
        members_fd = -1;
    }
    return members_fd;
}

bool members_map(int fd)
{
    void *at = mmap(NULL, members_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return false;
    members = at;
    members->of[my_index()].pid = (int)getpid();
    return true;
}

void members_leave(void)
{
    if (members) {
        members->of[my_index()].state = MEMBER_ENDED;
        munmap(members, members_bytes());
    }
    members = NULL;
    if (members_fd >= 0)
        close(members_fd);
    members_fd = -1;
}

/* --- the thread --------------------------------------------------------------------------------------------------- */

static struct {
    bool on;
    pthread_t thread;
    int epoll;
    int stop; /* an eventfd: the thread is to end, or the launcher has gone */
    _Atomic bool orphaned;
    size_t handler; /* of PMIx's event */
    void (*died)(int pe, const char *why);
    bool *told; /* of each PE */
    int neighbour, neighbour_fd; /* index of the member watched, and its pidfd or -1 */
} watch;

int64_t watch_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void watch_fd(int fd, enum source source, unsigned number, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u64 = (uint64_t)source << 32 | number};
    if (epoll_ctl(watch.epoll, EPOLL_CTL_ADD, fd, &event) != 0 && errno == EEXIST)
        epoll_ctl(watch.epoll, EPOLL_CTL_MOD, fd, &event);
}

void watch_report(int pe, const char *why)
{
    if (watch.told[pe])
        return;
    watch.told[pe] = true;
    watch.died(pe, why);
}

/* --- the ring of the node ----------------------------------------------------------------------------------------- */

static void watch_neighbour(void);

static void neighbour_ended(void)
{
    const struct node_run *run = &pmix_launch.run[pmix_launch.own_node];
    struct member *member = &members->of[watch.neighbour];
    int expected = MEMBER_JOINED;
    if (atomic_compare_exchange_strong(&member->state, &expected, MEMBER_DEAD)) {
        watch_report(run->first + watch.neighbour,
                     pmix_sentence("its process, %d on host %s, has ended", member->pid, run->host));
        int keeper = watch.neighbour;
        if (atomic_compare_exchange_strong(&members->keeper, &keeper, my_index()))
            line_hold();
    }
    watch_neighbour();
}

/* Watches the next member that is still there. */
static void watch_neighbour(void)
{
    const int n = pmix_launch.run[pmix_launch.own_node].n, me = my_index();
    for (;;) {
        watch.neighbour = (watch.neighbour + 1) % n;
        struct member *member = &members->of[watch.neighbour];
        if (watch.neighbour == me)
            return; /* alone */
        if (member->state != MEMBER_JOINED || !member->pid)
            continue;
        watch.neighbour_fd = (int)syscall(SYS_pidfd_open, member->pid, 0);
        if (watch.neighbour_fd >= 0) {
            watch_fd(watch.neighbour_fd, SOURCE_NEIGHBOUR, 0, EPOLLIN);
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
    watch.neighbour = my_index();
    watch_neighbour();
    door_watch();
    if (members->keeper == my_index())
        line_hold();
    for (;;) {
        struct epoll_event events[16];
        const int n = epoll_wait(watch.epoll, events, 16, line_wait());
        for (int i = 0; i < n; i++) {
            const enum source source = (enum source)(events[i].data.u64 >> 32);
            switch (source) {
            case SOURCE_STOP:
                if (!watch.orphaned)
                    return NULL;
                watch_report(pmix_launch.pe, "its launcher has ended");
                return NULL;
            case SOURCE_NEIGHBOUR:
                close(watch.neighbour_fd);
                watch.neighbour_fd = -1;
                neighbour_ended();
                break;
            case SOURCE_DOOR:
            case SOURCE_GUEST:
                door_event(source, (uint32_t)events[i].data.u64);
                break;
            case SOURCE_ATTEMPT:
            case SOURCE_LINE:
                line_event(source, (uint32_t)events[i].data.u64);
                break;
            }
        }
        if (line_wait() == 0)
            line_timeout();
    }
}

/* The connection to the launcher's server on this host is lost. Called in a thread of PMIx, where little is allowed. */
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
    if (watch.epoll >= 0)
        close(watch.epoll);
    if (watch.stop >= 0)
        close(watch.stop);
    free(watch.told);
    watch.told = NULL;
}

void watch_start(void (*died)(int pe, const char *why))
{
    if (watch.on || !members)
        return;
    watch.died = died;
    watch.orphaned = false;
    watch.neighbour_fd = -1;
    watch.told = calloc((size_t)pmix_launch.n_pes, sizeof *watch.told);
    watch.epoll = epoll_create1(EPOLL_CLOEXEC);
    watch.stop = eventfd(0, EFD_CLOEXEC);
    if (!watch.told || watch.epoll < 0 || watch.stop < 0) {
        release();
        return;
    }
    watch_fd(watch.stop, SOURCE_STOP, 0, EPOLLIN);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); /* signals are the program's */
    watch.on = pthread_create(&watch.thread, NULL, watching, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!watch.on) {
        release();
        return;
    }
    pthread_setname_np(watch.thread, "copal-watch");
    pmix_status_t lost = PMIX_ERR_LOST_CONNECTION;
    const pmix_status_t handler =
        pmix_launch.left ? -1 : PMIx_Register_event_handler(&lost, 1, NULL, 0, server_lost, NULL, NULL);
    watch.handler = handler >= 0 ? (size_t)handler : SIZE_MAX;
}

void watch_end(void)
{
    if (members) /* first: from here on, the end of this process is nobody's loss */
        members->of[my_index()].state = MEMBER_ENDED;
    if (!watch.on)
        return;
    if (watch.handler != SIZE_MAX && !watch.orphaned)
        PMIx_Deregister_event_handler(watch.handler, NULL, NULL);
    eventfd_write(watch.stop, 1);
    if (!pthread_equal(watch.thread, pthread_self())) /* else called by died, whose thread ends with the process */
        pthread_join(watch.thread, NULL);
    watch.on = false;
    line_close();
    door_close();
    if (watch.neighbour_fd >= 0)
        close(watch.neighbour_fd);
    release();
}
