/* Joining, endpoint addresses, the end. Only the thread that calls shmem_init and shmem_finalize calls MPI. */
#include "boot/kit/kit.h"
#include "boot/mpi/mpi.h"

#include <stdio.h>
#include <string.h>

/* What each PE distributes. It is complete after three rounds: the host, the job file, the endpoint address. */
struct entry {
    struct kit_place place;
    struct kit_file file; /* the job file, from the first PE of a node */
    uint32_t card_bytes;
    unsigned char card[BOOT_CARD_BYTES];
};

static struct {
    struct boot_layout layout;
    library_handle comm;
    struct entry own, *all;
    bool news; /* the next fence must distribute endpoint addresses; the same on all PEs */
} job;

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void abort_job(int code, const char *text)
{
    (void)text;
    if (library_works())
        library.abort(library.world, code);
}

static _Noreturn void fail(const char *routine, const char *what, const char *why)
{
    kit_fail(job.layout.pe, abort_job, routine, what, why);
}

static void end(void)
{
    if (library_works())
        library.comm_free(&job.comm);
    free(job.all);
    job.all = NULL;
}

/* The PEs of one node need no MPI for a barrier. */
static void finalizes(const char *routine)
{
    if (job.layout.n_local < job.layout.n_pes && !library_works())
        fail(routine, "the PEs cannot synchronize by MPI",
             "MPI_Finalize has been called; call it after shmem_finalize");
}

/* --- joining ------------------------------------------------------------------------------------------------------ */

static const char *gather(void)
{
    const int code = library.allgather(&job.own, sizeof job.own, library.byte, job.all, sizeof job.own, library.byte,
                                       job.comm);
    return code ? kit_sentence("MPI_Allgather fails with code %d", code) : NULL;
}

static const char *begin(struct boot_layout *layout)
{
    const char *why = library_find();
    if (why)
        return why;
    if (setting_on(SETTING_COPAL_OUTLIVE))
        return "environment variable COPAL_OUTLIVE is set, but a job whose bootstrap uses MPI ends when a PE dies; "
               "start it by oshrun --outlive, srun --mpi=pmix, mpirun or prterun, or without COPAL_OUTLIVE";
    job.layout = (struct boot_layout){0};
    job.own = (struct entry){0};
    library.comm_rank(library.world, &job.layout.pe);
    library.comm_size(library.world, &job.layout.n_pes);
    library_name(job.layout.launcher, sizeof job.layout.launcher);
    kit_find_place(&job.own.place);
    if (!(job.all = calloc((size_t)job.layout.n_pes, sizeof *job.all)))
        return kit_sentence("no memory for a job of %d PEs", job.layout.n_pes);
    if ((why = library_duplicate(&job.comm)) || (why = gather()) ||
        (why = kit_layout_of_places(&job.all->place, sizeof *job.all, &job.layout)))
        return why;
    kit_claim();
    *layout = job.layout;
    return NULL;
}

/* Contains a barrier of all PEs, so a PE that is alone on its node calls it, too. */
static int share_file(int fd, const char **why)
{
    const int first = job.layout.first;
    *why = NULL;
    if (job.layout.pe == first)
        *why = kit_offer(fd, &job.own.file);
    if (*why || (*why = gather()))
        return -1;
    if (job.layout.pe != first)
        return kit_open(&job.all[first].file, first, why);
    *why = kit_hand(fd, &job.own.file, job.layout.n_local - 1);
    return *why ? -1 : fd;
}

/* --- endpoint addresses ------------------------------------------------------------------------------------------- */

static void publish(const void *card, size_t bytes)
{
    memcpy(job.own.card, card, bytes);
    job.own.card_bytes = (uint32_t)bytes;
    job.news = true;
}

static void fence(const char *routine)
{
    const char *why = NULL;
    if (job.news)
        why = gather();
    else if (library.barrier(job.comm) != 0)
        why = "MPI_Barrier fails";
    if (why)
        fail(routine, "the PEs cannot synchronize by MPI", why);
    job.news = false;
}

static size_t lookup(int pe, void *card, size_t room, const char **why)
{
    const struct entry *entry = &job.all[pe];
    if (entry->card_bytes == 0 || entry->card_bytes > room) {
        *why = kit_sentence("its endpoint address has %u bytes, allowed are 1 to %zu", entry->card_bytes, room);
        return 0;
    }
    memcpy(card, entry->card, entry->card_bytes);
    return entry->card_bytes;
}

static const char *host(int pe, char *text, size_t room)
{
    snprintf(text, room, "%s", job.all[pe].place.host);
    return text;
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
    .finalizes = finalizes,
    .end = end,
    /* No failure detector: the launcher detects deaths. */
};
