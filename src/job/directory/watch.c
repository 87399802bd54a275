/* Each PE holds a pidfd of the next one of its node, in a ring, which does not close around a gap: the first death that
 * is noticed ends the job.  Between nodes it is the first PE of each that gives signs of life and looks for those of
 * the next node's.  Who looks counts its own signs and no time, so that a job may be stopped and go on later. */
#include "job/directory/watch.h"

#include "job/directory/members.h"

enum { TICKS = 5, SIGNS = 8 }; /* looks for the end in a second; signs of life in the time after which one is lost */

static struct {
    struct kit_watch kit;
    const struct watcher *watcher;
    int neighbour;
    bool speaks;     /* for its node */
    int other;       /* who speaks for the next node, while it is looked at; or -1 */
    uint32_t beats;  /* its signs so far */
    int unheard;     /* own ones since its last */
} watch;

static void neighbour_ended(void)
{
    struct record record;
    kit_watch_neighbour_no_more(&watch.kit);
    if (members_read(watch.neighbour, &record))
        watch.watcher->died(watch.neighbour, kit_sentence("its process, %d, has ended", record.who.pid));
}

static void look_at_other(void)
{
    struct record record;
    const int pe = watch.other;
    if (pe < 0)
        return;
    if (!members_read(pe, &record)) {
        watch.other = -1;
    } else if (record.beats != watch.beats) {
        watch.beats = record.beats;
        watch.unheard = 0;
    } else if (++watch.unheard > SIGNS) {
        watch.other = -1;
        watch.watcher->died(pe, kit_sentence("its process, %d on %s, has given no sign of life for %d s",
                                             record.who.pid, record.who.place.host, members.timeout));
    }
}

static void *watching(void *unused)
{
    int pe, code, tick = 0;
    for (;;) {
        poll(watch.kit.source, KIT_SOURCES, 1000 / TICKS);
        if (watch.kit.source[KIT_STOP].revents)
            return unused;
        if (members_job_ended(&pe, &code)) { /* first, for who ends the job ends then */
            if (pe != members.pe)
                watch.watcher->ended(pe, code);
            return unused;
        }
        if (watch.kit.source[KIT_NEIGHBOUR].revents)
            neighbour_ended();
        if (watch.speaks && ++tick * SIGNS >= TICKS * members.timeout) {
            tick = 0;
            members_tell_life(); /* if that fails, others will say so */
            look_at_other();
        }
    }
}

const char *watch_start(const struct boot_layout *layout, const struct watcher *watcher)
{
    const int last = layout->first + layout->n_local - 1;
    watch.watcher = watcher;
    watch.neighbour = members.pe == last ? layout->first : members.pe + 1;
    watch.speaks = members.pe == layout->first && layout->n_local < layout->n_pes;
    watch.other = (last + 1) % layout->n_pes;
    watch.beats = watch.unheard = 0;
    const int pid = watch.neighbour == members.pe ? 0 : members.of[watch.neighbour].pid;
    if (kit_watch_start(&watch.kit, pid, (struct pollfd){.fd = -1}, watching))
        return NULL;
    return kit_sentence("cannot watch over the job: no thread or descriptor is left");
}

void watch_end(void)
{
    kit_watch_end(&watch.kit);
}
