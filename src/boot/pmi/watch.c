/* If a process of a job dies, Hydra ends the job, and Slurm may. For other launchers, each PE has a pidfd of the
 * next PE of its node, in a ring; the first death that is detected ends the job. A thread waits for that. It also waits
 * for the end of the connection to the launcher: then the launcher's daemon on this host has ended.
 *
 * Both also happen when a launcher ends a job whose error has been reported; it then soon ends this process, too. The
 * thread therefore waits for GRACE_MS before it reports. */
#include "boot/pmi/pmi.h"

#include "boot/kit/kit.h"

#include <string.h>

enum { LAUNCHER = KIT_OTHER };
enum { GRACE_MS = 500 };

static struct {
    struct kit_watch kit;
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
    kit_watch_neighbour_no_more(&watch.kit);
}

static void *watching(void *unused)
{
    struct pollfd *const source = watch.kit.source;
    (void)unused;
    for (;;) {
        if (poll(source, KIT_SOURCES, -1) < 0)
            continue;
        if (source[KIT_STOP].revents || poll(&source[KIT_STOP], 1, GRACE_MS) != 0)
            return NULL;
        if (source[LAUNCHER].revents) {
            if (!wire_is_aborted())
                watch.died(watch.pe, "its launcher has ended");
            return NULL;
        }
        neighbour_ended();
    }
}

void watch_start(const struct boot_layout *layout, int job_file, void (*died)(int pe, const char *why))
{
    if (watch.kit.on)
        return;
    watch.pe = layout->pe;
    watch.seat = (layout->pe - layout->first + 1) % layout->n_local;
    watch.neighbour = layout->first + watch.seat;
    watch.job_file = job_file;
    watch.died = died;
    const struct job_pe seat = seat_of_neighbour();
    const int pid = watch.neighbour == watch.pe ? 0 : (int)seat.pid;
    const struct pollfd launcher = {.fd = wire_descriptor(), .events = POLLRDHUP};
    kit_watch_start(&watch.kit, pid, launcher, watching);
}

void watch_end(void)
{
    kit_watch_end(&watch.kit);
}
