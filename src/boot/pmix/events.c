#include "boot/kit/kit.h"
#include "boot/pmix/events.h"
#include "boot/pmix/pmix.h"

#include "common/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

static int epoll_fd = -1;
static void (*died)(int pe, const char *why);
static bool *told; /* by PE: its death is reported */

bool events_begin(void (*tell)(int pe, const char *why))
{
    died = tell;
    told = calloc((size_t)pmix_launch.n_pes, sizeof *told);
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    return told && epoll_fd >= 0;
}

void events_end(void)
{
    kit_shut(&epoll_fd);
    free(told);
    told = NULL;
}

void events_add(int fd, enum source source, unsigned number, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u64 = (uint64_t)source << 32 | number};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0 && errno == EEXIST)
        epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &event);
}

int events_wait(struct event *at, int ms)
{
    struct epoll_event events[EVENTS];
    const int n = epoll_wait(epoll_fd, events, EVENTS, ms);
    for (int i = 0; i < n; i++)
        at[i] = (struct event){(enum source)(events[i].data.u64 >> 32), (uint32_t)events[i].data.u64};
    return n;
}

void events_report(int pe, const char *why)
{
    if (told[pe])
        return;
    told[pe] = true;
    died(pe, why);
}

int64_t events_clock(void)
{
    return (int64_t)(clock_told() / 1000000);
}
