/* Joining, endpoint addresses, the end. */
#include "boot/kit/kit.h"
#include "boot/pmix/door.h"
#include "boot/pmix/pmix.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLURM_NAMESPACE "slurm." /* the prefix of its jobs' names */

/* A launcher may never reply, so a thread sends the request, and the caller waits for a limited time. */
#define ABORT_TIME 2000 /* ms */
static struct {
    int code;
    char text[512];
    _Atomic bool done;
} last_word;

static void *ask_to_abort(void *unused)
{
    (void)unused;
    pmix_proc_t me;
    if (!pmix_launch.left || PMIx_Init(&me, NULL, 0) == PMIX_SUCCESS)
        PMIx_Abort(last_word.code, last_word.text, NULL, 0);
    last_word.done = true;
    return NULL;
}

static void abort_job(int code, const char *text)
{
    static _Atomic bool begun;
    pthread_t thread;
    if (!atomic_exchange(&begun, true)) {
        last_word.code = code;
        snprintf(last_word.text, sizeof last_word.text, "%s", text);
        if (pthread_create(&thread, NULL, ask_to_abort, NULL) != 0)
            return; /* the exit of this process must suffice */
        pthread_detach(thread);
    }
    for (int ms = 0; ms < ABORT_TIME && !last_word.done; ms++)
        poll(NULL, 0, 1);
}

static _Noreturn void fail(const char *routine, const char *what, pmix_status_t status)
{
    kit_fail(pmix_launch.pe, abort_job, routine, what, PMIx_Error_string(status));
}

/* --- joining ------------------------------------------------------------------------------------------------------ */

static void name_launcher(char *text, size_t room)
{
    const char *version = PMIx_Get_version(); /* "OpenPMIx 4.2.2 (PMIx Standard: 4.2, ...)" */
    const char *number = strchr(version, ' ');
    const int n = number ? (int)strcspn(number + 1, " ,") : 0;
    const char *name = "a PMIx launcher";
    if (strncmp(pmix_launch.me.nspace, SLURM_NAMESPACE, strlen(SLURM_NAMESPACE)) == 0)
        name = "srun (Slurm)";
    else if (strncmp(pmix_launch.me.nspace, "prte", 4) == 0)
        name = setting_text(SETTING_OMPI_VERSION) ? "mpirun (Open MPI 5)" : "prterun (PRRTE)";
    else if (setting_text(SETTING_OMPI_COMM_WORLD_SIZE))
        name = "mpirun (Open MPI 4)";
    snprintf(text, room, "%s, PMIx %.*s", name, n, number ? number + 1 : "");
}

static bool job_size(int *n)
{
    pmix_proc_t job;
    PMIX_LOAD_PROCID(&job, pmix_launch.me.nspace, PMIX_RANK_WILDCARD);
    pmix_value_t *value = NULL;
    if (PMIx_Get(&job, PMIX_JOB_SIZE, NULL, 0, &value) != PMIX_SUCCESS)
        return false;
    *n = value->type == PMIX_UINT32 ? (int)value->data.uint32 : 0;
    PMIX_VALUE_RELEASE(value);
    return *n > pmix_launch.pe;
}

/* The size of the nodes if they are equal (the last may be smaller), so that a division finds a PE's node; else 1. */
static int node_size(void)
{
    const int size = pmix_launch.run[0].n;
    for (int i = 1; i < pmix_launch.n_nodes; i++)
        if (i + 1 < pmix_launch.n_nodes ? pmix_launch.run[i].n != size : pmix_launch.run[i].n > size)
            return 1;
    return size;
}

/* PMIx counts its initializations. The first begin adds one more, which is kept until the process exits (or calls
 * outlive), so that shmem_finalize does not close the connection: after a close, the launcher's server removes the
 * process from all fences, and a process that initializes again would be missing in the next fence (openpmix issue
 * 3931). */
static pid_t connected; /* the process that holds this additional initialization; 0: none */

static void disconnect(void)
{
    if (connected == getpid()) /* not in a child */
        PMIx_Finalize(NULL, 0);
    connected = 0;
}

static void stay_connected(void)
{
    static bool registered;
    pmix_proc_t me;
    if (connected || PMIx_Init(&me, NULL, 0) != PMIX_SUCCESS)
        return;
    connected = getpid();
    if (!registered)
        atexit(disconnect);
    registered = true;
}

static const char *begin(struct boot_layout *layout)
{
    if (!boot_by_pmix())
        return "this process was not started by srun, mpirun or prterun, but by a process that they started";
    const unsigned epoch = pmix_launch.epoch + 1;
    pmix_launch = (struct launch){.epoch = epoch};
    const pmix_status_t rc = PMIx_Init(&pmix_launch.me, NULL, 0);
    if (rc != PMIX_SUCCESS)
        return kit_sentence(
            "environment variable PMIX_RANK is set, but the launcher does not reply (PMIx_Init: %s); start the "
            "program with srun --mpi=pmix, mpirun, prterun or oshrun",
            PMIx_Error_string(rc));
    pmix_launch.pe = (int)pmix_launch.me.rank;
    const char *why = NULL;
    if (!job_size(&pmix_launch.n_pes))
        why = "the launcher does not report how many processes the job has (PMIX_JOB_SIZE)";
    else
        why = layout_find();
    if (why) {
        PMIx_Finalize(NULL, 0);
        return why;
    }
    stay_connected();
    kit_claim();

    const struct node_run *mine = &pmix_launch.run[pmix_launch.own_node];
    *layout = (struct boot_layout){.pe = pmix_launch.pe,
                                   .n_pes = pmix_launch.n_pes,
                                   .first = mine->first,
                                   .n_local = mine->n,
                                   .node_size = node_size()};
    name_launcher(layout->launcher, sizeof layout->launcher);
    return NULL;
}

static void end(void)
{
    watch_end();
    members_leave();
    door_close();
    if (!pmix_launch.left)
        PMIx_Finalize(NULL, 0);
    pmix_drop_values();
    layout_forget();
}

/* If a process that is connected to Slurm's PMIx server dies, Slurm ends the whole step, and has no option against
 * this. A process that has finalized PMIx may die. Under Open MPI and PRRTE, the user passes --enable-recovery. */
static void outlive(void)
{
    if (strncmp(pmix_launch.me.nspace, SLURM_NAMESPACE, strlen(SLURM_NAMESPACE)) != 0)
        return;
    pmix_keep_values();
    disconnect();
    pmix_launch.left = PMIx_Finalize(NULL, 0) == PMIX_SUCCESS;
}

/* --- the node's job file ------------------------------------------------------------------------------------------ */

static int share_file(int fd, const char **why)
{
    const int first = pmix_launch.run[pmix_launch.own_node].first;
    const int others = pmix_launch.run[pmix_launch.own_node].n - 1;
    struct kit_file shared[2]; /* the job file, and the members' memory */
    if (pmix_launch.pe == first) {
        const int own = members_make();
        *why = own < 0 ? kit_sentence("cannot share the job file: %s", strerror(errno)) : kit_offer(fd, &shared[0]);
        if (*why || (*why = kit_offer(own, &shared[1])))
            return -1;
        pmix_status_t rc = pmix_put_value(PMIX_LOCAL, "file", shared, sizeof shared);
        if (rc == PMIX_SUCCESS)
            rc = PMIx_Commit();
        if (rc != PMIX_SUCCESS || !members_map(own)) {
            *why = kit_sentence("cannot share the job file: %s",
                                rc != PMIX_SUCCESS ? PMIx_Error_string(rc) : strerror(errno));
            return -1;
        }
        if ((*why = kit_hand(own, &shared[1], others)) || (*why = kit_hand(fd, &shared[0], others)))
            return -1;
        return fd;
    }
    const size_t told = pmix_await_value(first, "file", shared, sizeof shared, why);
    if (told && told != sizeof shared)
        *why = kit_other_way(first);
    if (told != sizeof shared)
        return -1;
    const int own = kit_open(&shared[1], first, why);
    if (own < 0)
        return -1;
    const bool mapped = members_map(own);
    close(own);
    if (!mapped) {
        *why = kit_sentence("cannot map the memory of the node's processes: %s", strerror(errno));
        return -1;
    }
    return kit_open(&shared[0], first, why);
}

/* --- endpoint addresses ------------------------------------------------------------------------------------------- */

static void publish(const void *card, size_t bytes)
{
    pmix_status_t rc = pmix_put_value(PMIX_GLOBAL, "card", card, bytes);
    door_publish();
    if (rc == PMIX_SUCCESS)
        rc = PMIx_Commit();
    if (rc != PMIX_SUCCESS)
        fail("shmem_init", "cannot publish this PE's address", rc);
}

/* The fence distributes all PEs' values to every host, about half a kilobyte for each PE, so no lookup sends a request
 * to another host. If it does not (COPAL_PMIX_COLLECT=0), a lookup sends a request to the PE's host, which not all
 * launchers support: Slurm 22.05 loses requests if two hosts send them to each other. */
static void fence(const char *routine)
{
    bool collect = setting_on(SETTING_COPAL_PMIX_COLLECT);
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
    const pmix_status_t rc = PMIx_Fence(NULL, 0, &info, 1);
    if (rc != PMIX_SUCCESS)
        fail(routine, "the launcher cannot synchronize all PEs (PMIx_Fence)", rc);
}

static size_t lookup(int pe, void *card, size_t room, const char **why)
{
    return pmix_get_value(pe, "card", card, room, why);
}

static const char *host(int pe, char *text, size_t room)
{
    snprintf(text, room, "%s", pmix_launch.run[layout_node_of(pe)].host);
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
    .end = end,
    .outlive = outlive,
    .watch = watch_start,
    .unwatch = watch_end,
};
