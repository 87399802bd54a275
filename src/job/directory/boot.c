/* Joining, cards, the end. */
#include "job/directory/files.h"
#include "job/directory/members.h"
#include "job/directory/watch.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static struct {
    struct boot_layout layout;
    /* the library's, from watch to unwatch */
    void (*_Atomic died)(int pe, const char *why);
    void (*_Atomic ended)(int code);
} job;

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void abort_job(int code, const char *text)
{
    (void)text;
    members_end_job(code);
    members_leave(false);
}

static _Noreturn void fail(const char *routine, const char *what, const char *why)
{
    kit_fail(members.pe, abort_job, routine, what, why);
}

static void died(int pe, const char *why)
{
    void (*const tell)(int, const char *) = job.died;
    char what[64];
    snprintf(what, sizeof what, "PE %d is lost", pe);
    if (!tell)
        fail("shmem_init", what, why);
    tell(pe, why);
}

/* What the PE that has ended it says is on its own terminal. */
static void ended(int pe, int code)
{
    void (*const tell)(int) = job.ended;
    if (code && members.pe == job.layout.first && members.of[pe].place.id != members.of[members.pe].place.id)
        kit_complain(members.pe, "PE %d on %s has ended the job with code %d", pe, members.of[pe].place.host, code);
    members_leave(false);
    if (tell)
        tell(code);
    _exit(code);
}

/* --- joining ------------------------------------------------------------------------------------------------------ */

static const char *read_settings(void)
{
    if (setting_on(SETTING_COPAL_OUTLIVE))
        return "environment variable COPAL_OUTLIVE is set, but a job without a launcher ends when a PE dies; start it "
               "by oshrun --outlive, srun --mpi=pmix, mpirun or prterun, or without COPAL_OUTLIVE";
    if (!kit_number(SETTING_SHMEM_BOOT_PES, &members.n) || !kit_number(SETTING_SHMEM_BOOT_PE, &members.pe) ||
        members.pe >= members.n)
        return kit_sentence("SHMEM_BOOT is \"directory\", environment variable SHMEM_BOOT_PE is \"%s\" and "
                            "SHMEM_BOOT_PES is \"%s\", allowed is a number from 0 and a number of PEs above it",
                            kit_shown(SETTING_SHMEM_BOOT_PE), kit_shown(SETTING_SHMEM_BOOT_PES));
    members.timeout = atoi(settings[SETTING_SHMEM_BOOT_TIMEOUT].usual);
    if (setting_text(SETTING_SHMEM_BOOT_TIMEOUT) &&
        (!kit_number(SETTING_SHMEM_BOOT_TIMEOUT, &members.timeout) || members.timeout < 1))
        return kit_sentence("environment variable SHMEM_BOOT_TIMEOUT is \"%s\", allowed is %s",
                            setting_text(SETTING_SHMEM_BOOT_TIMEOUT), settings[SETTING_SHMEM_BOOT_TIMEOUT].allowed);
    return files_begin(members.pe);
}

static const char *begin(struct boot_layout *layout)
{
    static const struct watcher watcher = {.died = died, .ended = ended};
    if (!boot_by_directory())
        return "this process was not started with SHMEM_BOOT=directory, but by one that was";
    const char *why = read_settings();
    if (!why)
        why = members_gather();
    if (!why) {
        job.layout = (struct boot_layout){.pe = members.pe, .n_pes = members.n, .launcher = "SHMEM_BOOT=directory"};
        why = kit_layout_of_places(&members.of->place, sizeof *members.of, &job.layout);
    }
    if (!why)
        why = watch_start(&job.layout, &watcher);
    if (why)
        return why;
    kit_claim();
    *layout = job.layout;
    return NULL;
}

static int share_file(int fd, const char **why)
{
    const int first = job.layout.first;
    struct kit_file file;
    struct record record;
    *why = NULL;
    if (members.pe == first) {
        if ((*why = kit_offer(fd, &file)) || (*why = members_tell_file(&file)) ||
            (*why = kit_hand(fd, &file, job.layout.n_local - 1)))
            return -1;
        return fd;
    }
    for (int ms = 1; !members_read(first, &record) || !record.file.pid;)
        members_nap(&ms); /* its end would be noticed */
    return kit_open(&record.file, first, why);
}

/* --- cards -------------------------------------------------------------------------------------------------------- */

static void publish(const void *card, size_t bytes)
{
    const char *why = members_tell_card(card, bytes);
    if (why)
        fail("shmem_init", "cannot give this PE's address to the others", why);
}

static void fence(const char *routine)
{
    const char *why = members_meet();
    if (why)
        fail(routine, "the PEs cannot meet", why);
}

static size_t lookup(int pe, void *card, size_t room, const char **why)
{
    struct record record;
    if (!members_read(pe, &record)) {
        *why = kit_sentence("it has left %s", files_folder());
        return 0;
    }
    if (record.card_bytes == 0 || record.card_bytes > room || record.card_bytes > sizeof record.card) {
        *why = kit_sentence("its card has %u bytes, allowed are 1 to %zu", record.card_bytes, room);
        return 0;
    }
    memcpy(card, record.card, record.card_bytes);
    return record.card_bytes;
}

static const char *host(int pe, char *text, size_t room)
{
    snprintf(text, room, "%s", members.of[pe].place.host);
    return text;
}

static void watch(void (*tell_died)(int pe, const char *why), void (*tell_ended)(int code))
{
    job.ended = tell_ended;
    job.died = tell_died;
}

/* In the fence before, all have said that they are at the end. */
static void unwatch(void)
{
    watch_end();
    watch(NULL, NULL);
}

static void end(void)
{
    unwatch();
    members_leave(true);
}

__attribute__((visibility("default"))) const struct boot copal_boot = {
    .version = BOOT_VERSION,
    .begin = begin,
    .share_file = share_file,
    .publish = publish,
    .fence = fence,
    .lookup = lookup,
    .host = host,
    .abort = abort_job,
    .end = end,
    .watch = watch,
    .unwatch = unwatch,
};
