#include "net/ofi/ofi.h"

#include "net/endpoints.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define CLOSE_TIME 1000000000 /* ns that close waits for outstanding operations */
#define LOOK_SOON 50000       /* ns: least sleep of an armed port that no descriptor wakes */
#define LOOK_SHARE 16         /* the sleep is the time since the last arrival divided by this */
#define LOOK_MOST 1000000     /* ns: longest sleep */
#define PROBE_EVERY 100000000 /* ns */
#define BATCH 32

static struct provider_port *port_latest;

static int64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* --- progress ----------------------------------------------------------------------------------------------------- */

static void came(struct provider_port *port, struct posted *posted, size_t bytes, int error)
{
    if (!posted->is_slot)
        operation_came(port, (struct operation *)posted, error);
    else if (error)
        receive_post(port, (struct slot *)posted); /* again, as no message is in it */
    else
        receive_came(port, (struct slot *)posted, bytes);
}

static bool read_error(struct provider_port *port)
{
    struct fi_cq_err_entry entry = {0};
    if (fi_cq_readerr(port->cq, &entry, 0) != 1)
        return false;
    const int error = entry.err ? entry.err : FI_EIO;
    if (entry.op_context)
        came(port, entry.op_context, 0, error);
    else /* errors are also reported for injected messages, which may have no context */
        move_lost(port, error);
    return true;
}

static bool read_completions(struct provider_port *port)
{
    struct fi_cq_msg_entry entries[BATCH];
    const ssize_t n = fi_cq_read(port->cq, entries, BATCH);
    if (n == -FI_EAVAIL)
        return read_error(port);
    if (n == -FI_EOVERRUN) /* completions are lost, and no more arrive */
        move_break_all(port, ofi_why("fi_cq_read", (int)n));
    for (ssize_t i = 0; i < n; i++)
        came(port, entries[i].op_context, entries[i].len, 0);
    return n > 0;
}

/* Probes the peers of the chain that is due, as only sending to a peer detects its death. */
static void probe(struct provider_port *port)
{
    const int64_t now = clock_ns(CLOCK_MONOTONIC_COARSE);
    if (now < port->probe_due)
        return;
    port->probe_due = now + PROBE_EVERY;
    port->probe_next = (port->probe_next + 1) & (port->n_chains - 1);
    for (struct provider_endpoint *e = port->chain[port->probe_next]; e; e = e->next)
        move_probe(e, now);
}

bool ofi_progress(struct provider_port *port)
{
    bool any = read_completions(port);
    if (any && port->cq_fd < 0)
        port->last_came = clock_ns(CLOCK_MONOTONIC);
    if (ofi_probes)
        probe(port);
    if (port->stuck)
        operation_begin_stuck(port);
    if (port->unposted)
        receive_again(port);
    if (port->finished.first || port->broken)
        any |= operation_tell(port);
    return any;
}

/* --- sleeping ----------------------------------------------------------------------------------------------------- */

static bool watch(int epoll_fd, int fd)
{
    return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = EPOLLIN}) == 0;
}

static bool make_event_fd(struct provider_port *port)
{
    port->event_fd = epoll_create1(EPOLL_CLOEXEC);
    port->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (port->cq_fd >= 0 && !watch(port->event_fd, port->cq_fd))
        port->cq_fd = -1;
    return port->event_fd >= 0 && port->timer_fd >= 0 && watch(port->event_fd, port->timer_fd);
}

int ofi_event_fd(struct provider_port *port)
{
    return port->event_fd;
}

/* Sleeps are short after an arrival, as a PE may wait for the next arrival. */
static long time_to_look(const struct provider_port *port)
{
    const int64_t part = (clock_ns(CLOCK_MONOTONIC) - port->last_came) / LOOK_SHARE;
    return part < LOOK_SOON ? LOOK_SOON : part < LOOK_MOST ? (long)part : LOOK_MOST;
}

/* A timer is needed if libfabric has refused an operation, as no descriptor reports when it accepts operations again,
 * and for providers without a completion queue's descriptor. */
bool ofi_arm(struct provider_port *port)
{
    if (port->finished.first || port->broken)
        return false;
    struct fid *cq = &port->cq->fid;
    if (port->cq_fd >= 0 && fi_trywait(ofi_fabric, &cq, 1) != FI_SUCCESS)
        return false;
    const bool timed = port->cq_fd < 0 || port->stuck || port->unposted;
    const struct itimerspec at = {.it_value.tv_nsec = timed ? time_to_look(port) : ofi_probes ? PROBE_EVERY : 0};
    return timerfd_settime(port->timer_fd, 0, &at, NULL) == 0; /* also makes the descriptor unreadable */
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static int open_queue(struct provider_port *port)
{
    struct fi_cq_attr attr = {.format = FI_CQ_FORMAT_MSG, .wait_obj = FI_WAIT_FD};
    port->cq_fd = -1;
    if (ofi_wakes() && fi_cq_open(port->domain, &attr, &port->cq, NULL) == 0) {
        if (fi_control(&port->cq->fid, FI_GETWAIT, &port->cq_fd) != 0)
            port->cq_fd = -1;
        return 0;
    }
    attr.wait_obj = FI_WAIT_NONE;
    return fi_cq_open(port->domain, &attr, &port->cq, NULL);
}

static bool worked(const char *what, int error, const char **why)
{
    if (error)
        *why = ofi_why(what, error);
    return !error;
}

static bool open_endpoint(struct provider_port *port, const char **why)
{
    return worked("fi_domain", fi_domain(ofi_fabric, ofi_info, &port->domain, NULL), why) &&
        worked("fi_cq_open", open_queue(port), why) &&
        worked("fi_av_open", fi_av_open(port->domain, &(struct fi_av_attr){.type = FI_AV_UNSPEC}, &port->av, NULL),
               why) &&
        worked("fi_endpoint", fi_endpoint(port->domain, ofi_info, &port->ep, NULL), why) &&
        worked("fi_ep_bind", fi_ep_bind(port->ep, &port->cq->fid, FI_TRANSMIT | FI_RECV), why) &&
        worked("fi_ep_bind", fi_ep_bind(port->ep, &port->av->fid, 0), why) &&
        worked("fi_enable", fi_enable(port->ep), why);
}

static bool make_address(struct provider_port *port)
{
    size_t bytes = 0;
    fi_getname(&port->ep->fid, NULL, &bytes); /* returns the size */
    port->own_bytes = sizeof *port->own + bytes;
    port->own = malloc(port->own_bytes);
    if (!port->own || port->own_bytes > SLOT_DATA)
        return false;
    port->own->id = secret_new().word[0]; /* unique among all ports of all jobs */
    port->own->secret = secret_new();
    return fi_getname(&port->ep->fid, port->own->name, &bytes) == 0;
}

static void close_fid(void *fid_of)
{
    if (fid_of)
        fi_close((struct fid *)fid_of);
}

/* Closes in this order, so that no object is closed while another uses it. */
static void close_all(struct provider_port *port)
{
    memory_orphan(port);
    close_fid(port->ep);
    endpoint_free_all(port);
    operation_free_all(port);
    slot_free_all(port);
    close_fid(port->av);
    close_fid(port->cq);
    close_fid(port->domain);
    if (port->event_fd >= 0)
        close(port->event_fd);
    if (port->timer_fd >= 0)
        close(port->timer_fd);
    free(port->own);
    free(port);
}

struct provider_port *ofi_open(const struct provider_upcalls *upcalls, void *user, size_t *message_most,
                               const char **why)
{
    struct provider_port *port = calloc(1, sizeof *port);
    *why = "no memory, no descriptor, or an address that is too long";
    if (!port)
        return NULL;
    port->upcalls = upcalls;
    port->user = user;
    port->event_fd = port->timer_fd = -1;
    operations_begin(&port->finished);
    operations_begin(&port->abandoned);
    if (!open_endpoint(port, why) || !make_event_fd(port) || !make_address(port) || !endpoints_begin(port)) {
        close_all(port);
        return NULL;
    }
    receive_start(port);
    port->next = port_latest;
    port_latest = port;
    const size_t most = ofi_info->ep_attr->max_msg_size - sizeof(struct message_head);
    *message_most = most < SLOT_DATA ? most : SLOT_DATA;
    return port;
}

size_t ofi_address(struct provider_port *port, void *to, size_t room)
{
    if (port->own_bytes <= room)
        memcpy(to, port->own, port->own_bytes);
    return port->own_bytes;
}

struct provider_port *port_first(void)
{
    struct provider_port *port = port_latest;
    while (port && port->next)
        port = port->next;
    return port;
}

/* --- closing ------------------------------------------------------------------------------------------------------ */

static bool is_leaving(const struct provider_port *port)
{
    for (size_t i = 0; i < port->n_chains; i++)
        for (const struct provider_endpoint *e = port->chain[i]; e; e = e->next)
            if (e->queue.first || e->under_way.first)
                return true;
    return false;
}

void ofi_close(struct provider_port *port)
{
    port->upcalls = NULL;
    const int64_t due = clock_ns(CLOCK_MONOTONIC) + CLOSE_TIME;
    while (is_leaving(port) && clock_ns(CLOCK_MONOTONIC) < due)
        ofi_progress(port);
    for (struct provider_port **at = &port_latest; *at; at = &(*at)->next)
        if (*at == port) {
            *at = port->next;
            break;
        }
    close_all(port);
}
