/* If a process of a job dies, Hydra ends the job, and Slurm may. For other launchers, each PE has a pidfd of the
 * next PE of its node, in a ring; the first death that is detected ends the job. A thread waits for that. It also waits
 * for the end of the connection to the launcher: then the launcher's daemon on this host has ended.
 *
 * Both also happen when a launcher ends a job whose error has been reported; it then soon ends this process, too. The
 * thread therefore waits for GRACE_MS before it reports. */
#include "boot/pmi/pmi.h"

#include "boot/kit/kit.h"

#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

enum { GRACE_MS = 500 };

/* What ends the thread; the neighbour's pidfd, or -1 without a neighbour or before Linux 5.3; the launcher. */
enum { STOP, NEIGHBOUR, LAUNCHER, SOURCES };

static struct {
    bool on;
    pthread_t thread;
    struct pollfd source[SOURCES];
    void (*died)(int pe, const char *why);
    int pe, neighbour, seat; /* this PE, its neighbour, and the index of the neighbour's PE record */
    int job_file;
} watch;

/* The neighbour's PE record; all 0 if there is none. */
static struct job_pe seat_of_neighbour(void)
{
    struct job_pe seat;
    const off_t at = (off_t)(sizeof(struct job) + (size_t)watch.seat * sizeof seat);
    if (pread(watch.job_file, &seat, sizeof seat, at) != (ssize_t)sizeof seat)
        memset(&seat, 0, sizeof seat);
    return seat;
}

static void neighbour_ended(void)
{
    const struct job_pe seat = seat_of_neighbour();
    if (seat.state < JOB_PE_FINALIZED)
        watch.died(watch.neighbour, kit_sentence("its process, %d, has ended", seat.pid));
    kit_shut(&watch.source[NEIGHBOUR].fd);
}

static void *watching(void *unused)
{
    struct pollfd *const source = watch.source;
    (void)unused;
    for (;;) {
        if (poll(source, SOURCES, -1) < 0)
            continue;
        if (source[STOP].revents || poll(&source[STOP], 1, GRACE_MS) != 0)
            return NULL;
        if (source[LAUNCHER].revents) {
            if (!wire_is_aborted())
                watch.died(watch.pe, "its launcher has ended");
            return NULL;
        }
        neighbour_ended();
    }
}

static void release(void)
{
    kit_shut(&watch.source[NEIGHBOUR].fd);
    kit_shut(&watch.source[STOP].fd);
}

void watch_start(const struct boot_layout *layout, int job_file, void (*died)(int pe, const char *why))
{
    if (watch.on)
        return;
    watch.pe = layout->pe;
    watch.seat = (layout->pe - layout->first + 1) % layout->n_local;
    watch.neighbour = layout->first + watch.seat;
    watch.job_file = job_file;
    watch.died = died;
    const int pid = watch.neighbour == watch.pe ? 0 : (int)seat_of_neighbour().pid;
    watch.source[STOP] = (struct pollfd){.fd = eventfd(0, EFD_CLOEXEC), .events = POLLIN};
    watch.source[NEIGHBOUR] = (struct pollfd){.fd = pid ? (int)syscall(SYS_pidfd_open, pid, 0) : -1, .events = POLLIN};
    watch.source[LAUNCHER] = (struct pollfd){.fd = wire_descriptor(), .events = POLLRDHUP};
    watch.on = watch.source[STOP].fd >= 0 && kit_thread(&watch.thread, watching);
    if (!watch.on)
        release();
}

void watch_end(void)
{
    if (!watch.on)
        return;
    watch.on = false;
    eventfd_write(watch.source[STOP].fd, 1);
    pthread_join(watch.thread, NULL);
    release();
}
