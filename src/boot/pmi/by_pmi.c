/* Joining, endpoint addresses, the end. */
#include "boot/kit/kit.h"
#include "boot/pmi/pmi.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

enum { HOST_BYTES = 64 };
_Static_assert(BOOT_CARD_BYTES + HOST_BYTES <= VALUE_BYTES, "a host's name and an endpoint address fit in a value");

static struct {
    bool joined;
    struct wire_place place;
    struct boot_layout layout;
    struct values store;
    int job_file;
    char host[HOST_BYTES];
    char *_Atomic *hosts; /* by PE; NULL before the PE's endpoint address is read */
} launch = {.job_file = -1};

/* --- the end ------------------------------------------------------------------------------------------------------ */

/* On an abort request, Hydra ends all processes immediately, and drops output that it has not read. */
static void let_launcher_read(void)
{
    enum { PATIENCE_MS = 500, OTHERS_MS = 20 };
    for (int ms = 0; ms < PATIENCE_MS; ms++) {
        int out = 0, err = 0; /* unread bytes in a pipe */
        if ((ioctl(STDOUT_FILENO, FIONREAD, &out) != 0 || out == 0) &&
            (ioctl(STDERR_FILENO, FIONREAD, &err) != 0 || err == 0))
            break;
        poll(NULL, 0, 1);
    }
    poll(NULL, 0, OTHERS_MS); /* for output of the node's other PEs, which this PE cannot check */
}

static void abort_job(int code, const char *text)
{
    (void)text;
    let_launcher_read();
    wire_abort(code);
}

static _Noreturn void fail(const char *routine, const char *what, const char *why)
{
    kit_fail(launch.layout.pe, abort_job, routine, what, why);
}

/* --- joining ------------------------------------------------------------------------------------------------------ */

/* Each PE publishes its host and requests all PEs' hosts, which is slow for many PEs. */
static const char *find_layout_by_places(void)
{
    const int n = launch.place.n_pes;
    struct kit_place own, *all = calloc((size_t)n, sizeof *all);
    if (!all)
        return kit_sentence("no memory for the hosts of %d PEs", n);
    kit_find_place(&own);
    const char *why = values_put(&launch.store, "place", launch.place.pe, &own, sizeof own);
    if (!why)
        why = wire_meet();
    for (int pe = 0; pe < n && !why; pe++)
        if (values_get(&launch.store, "place", pe, &all[pe], sizeof all[pe], &why) != sizeof all[pe] && !why)
            why = kit_sentence("PE %d describes its node in another format; do all PEs run the same version of "
                               "Copal?", pe);
    if (!why)
        why = kit_layout_of_places(all, sizeof *all, &launch.layout);
    free(all);
    return why;
}

/* A launcher need not list the hosts of the processes: Flux does not if the list has more than 1024 characters. */
static const char *find_layout(void)
{
    static const char answered[] = "cmd=get_result ";
    char answer[WIRE_LINE] = "", mapping[WIRE_LINE] = "";
    const char *why = wire_ask(answer, "get_result", "cmd=get kvsname=%s key=PMI_process_mapping", launch.place.job);
    if (why && strncmp(answer, answered, sizeof answered - 1) != 0)
        return why;
    if (!why)
        wire_field(answer, "value", mapping, sizeof mapping);
    return *mapping ? layout_find(mapping, &launch.layout) : find_layout_by_places();
}

static const char *join(void)
{
    const char *why = wire_open(&launch.place);
    if (why)
        return why;
    guest_begin();
    launch.layout = (struct boot_layout){.pe = launch.place.pe, .n_pes = launch.place.n_pes};
    launch.store.job = launch.place.job;
    if ((why = find_layout()))
        return why;
    launch.hosts = calloc((size_t)launch.place.n_pes, sizeof *launch.hosts);
    if (!launch.hosts)
        return kit_sentence("no memory for the names of the hosts of %d PEs", launch.place.n_pes);
    if (gethostname(launch.host, sizeof launch.host - 1) != 0)
        strcpy(launch.host, "?");
    snprintf(launch.layout.launcher, sizeof launch.layout.launcher, "%s, PMI 1.1",
             strncmp(launch.place.job, "kvs_", 4) == 0 ? "mpiexec (Hydra)" : "a PMI launcher");
    return NULL;
}

static const char *begin(struct boot_layout *layout)
{
    if (!boot_by_pmi())
        return "this process was not started by mpiexec or srun, but by a process that they started";
    if (setting_on(SETTING_COPAL_OUTLIVE))
        return "environment variable COPAL_OUTLIVE is set, but PMI-1, which mpiexec uses, cannot report which PE "
               "has died; start the job by oshrun --outlive, srun --mpi=pmix, mpirun or prterun, or "
               "without COPAL_OUTLIVE";
    const char *why = launch.joined ? NULL : join();
    if (why)
        return why;
    launch.joined = true;
    launch.store.epoch++;
    kit_claim();
    *layout = launch.layout;
    return NULL;
}

/* Contains a barrier of all PEs, so a PE that is alone on its node calls it, too. */
static int share_file(int fd, const char **why)
{
    const int first = launch.layout.first;
    struct kit_file file;
    *why = NULL;
    if (launch.layout.pe == first && !(*why = kit_offer(fd, &file)))
        *why = values_put(&launch.store, "file", first, &file, sizeof file);
    if (*why || (*why = wire_meet()))
        return -1;
    if (launch.layout.pe == first && (*why = kit_hand(fd, &file, launch.layout.n_local - 1)))
        return -1;
    if (launch.layout.pe != first) {
        const size_t told = values_get(&launch.store, "file", first, &file, sizeof file, why);
        if (told && told != sizeof file)
            *why = kit_other_way(first);
        if (*why)
            return -1;
        fd = kit_open(&file, first, why);
    }
    return launch.job_file = fd;
}

/* --- endpoint addresses ------------------------------------------------------------------------------------------- */

static void publish(const void *card, size_t bytes)
{
    char value[VALUE_BYTES];
    memcpy(value, launch.host, HOST_BYTES);
    memcpy(value + HOST_BYTES, card, bytes);
    const char *why = values_put(&launch.store, "card", launch.layout.pe, value, HOST_BYTES + bytes);
    if (why)
        fail("shmem_init", "cannot publish this PE's address", why);
}

static void fence(const char *routine)
{
    const char *why = wire_meet();
    if (why)
        fail(routine, "the launcher cannot synchronize all PEs", why);
}

static void keep_host(int pe, const char *name)
{
    char *none = NULL, *copy = strndup(name, HOST_BYTES - 1);
    if (!atomic_compare_exchange_strong(&launch.hosts[pe], &none, copy))
        free(copy);
}

static size_t lookup(int pe, void *card, size_t room, const char **why)
{
    char value[VALUE_BYTES];
    const size_t n = values_get(&launch.store, "card", pe, value, sizeof value, why);
    if (n == 0)
        return 0;
    if (n <= HOST_BYTES || n - HOST_BYTES > room) {
        *why = kit_sentence("the endpoint address of PE %d has %zu bytes, allowed are %zu", pe, n, room + HOST_BYTES);
        return 0;
    }
    keep_host(pe, value);
    memcpy(card, value + HOST_BYTES, n - HOST_BYTES);
    return n - HOST_BYTES;
}

static const char *host(int pe, char *text, size_t room)
{
    const bool is_near = pe >= launch.layout.first && pe < launch.layout.first + launch.layout.n_local;
    const char *known = is_near ? launch.host : launch.hosts[pe];
    snprintf(text, room, "%s", known ? known : "its host");
    return text;
}

static void start_watch(void (*died)(int pe, const char *why))
{
    watch_start(&launch.layout, launch.job_file, died);
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
    .end = watch_end,
    .watch = start_watch,
    .unwatch = watch_end,
};
