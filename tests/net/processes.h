/* A few processes, each with a provider, for tests of a provider: they exchange contact information and keys through
 * shared memory. */
#pragma once

#include "net/provider.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PROCESSES_MOST = 4, MEMORY_ROOM = 160 << 20, SHARE_ROOM = 8 << 20, CARD_ROOM = 4096,
    LIMIT = 300, /* s for one scenario, to end a hang */
};

#define REQUIRE(condition) require(condition, #condition, __FILE__, __LINE__)

static struct shared {
    struct {
        unsigned char card[CARD_ROOM], key[CARD_ROOM];
        size_t card_bytes;
        uint64_t memory;
        pid_t pid;
    } of[PROCESSES_MOST];
    _Atomic int arrived[64]; /* processes that have reached each barrier */
    _Atomic int word[16];    /* for a scenario's own use */
} *shared;

/* Replaces the job file: each process's memory, and the data that they share. */
static char *file;
static const char *module_path, *fabric;
static const struct provider *provider;
static int me, n_processes, meeting;

static void require(bool holds, const char *condition, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: process %d: %s does not hold\n", file, line, me, condition);
    _exit(1);
}

static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *share_room(size_t bytes)
{
    static size_t used;
    char *at = file + (size_t)PROCESSES_MOST * MEMORY_ROOM + used;
    used += (bytes + 4095) / 4096 * 4096;
    REQUIRE(used <= SHARE_ROOM);
    return at;
}

/* This process's memory for put and get. */
static void *room_for(size_t bytes, size_t *file_at)
{
    REQUIRE(bytes <= MEMORY_ROOM);
    *file_at = (size_t)me * MEMORY_ROOM;
    return file + *file_at;
}

static void load(void)
{
    static const int nodes[PROCESSES_MOST] = {0, 1, 2, 3};
    const struct provider_job job = {.fabric = fabric, .pe = me, .n_pes = n_processes, .n_nodes = n_processes,
                                     .node = nodes, .memory = file, .share = share_room};
    void *module = dlopen(module_path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        fprintf(stderr, "%s\n", dlerror());
    REQUIRE(module);
    provider = dlsym(module, PROVIDER_SYMBOL);
    REQUIRE(provider && provider->version == PROVIDER_VERSION);
    const char *why = provider->begin(&(struct provider_start){.no_shared_memory = true, .job = &job});
    if (why)
        fprintf(stderr, "%s\n", why);
    REQUIRE(!why);
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static int outstanding, failed;

static void counted(void *arg, bool has_failed)
{
    (void)arg;
    outstanding--;
    failed += has_failed;
}

static void count(bool is_done)
{
    outstanding += !is_done;
}

static void complete(struct provider_port *port)
{
    while (outstanding)
        provider->progress(port);
}

/* --- ports and memory --------------------------------------------------------------------------------------------- */

static struct provider_port *open_port(const struct provider_upcalls *upcalls)
{
    const char *why = "";
    struct provider_port *port = provider->open(upcalls, NULL, &why);
    if (!port)
        fprintf(stderr, "process %d: no port: %s\n", me, why);
    return port;
}

/* Opens the memory, and stores its address and key where the other processes find them. */
static struct provider_memory *open_memory(void *at, size_t bytes, size_t file_at)
{
    const char *why = "";
    struct provider_memory *memory = provider->memory_open(at, bytes, file_at, &why);
    REQUIRE(memory && provider->memory_key(memory, shared->of[me].key, CARD_ROOM) <= CARD_ROOM);
    shared->of[me].memory = (uint64_t)(uintptr_t)at;
    return memory;
}

/* Waits for all living processes; each makes progress meanwhile. */
static void meet(struct provider_port *port, int n)
{
    _Atomic int *arrived = &shared->arrived[meeting++];
    atomic_fetch_add(arrived, 1);
    while (*arrived < n) {
        if (!port || !provider->progress(port))
            usleep(50); /* late on purpose */
    }
}

static void publish(struct provider_port *port, int slot)
{
    shared->of[slot].card_bytes = provider->address(port, shared->of[slot].card, CARD_ROOM);
    REQUIRE(shared->of[slot].card_bytes <= CARD_ROOM);
}

static struct provider_endpoint *reach(struct provider_port *port, int slot)
{
    const char *why = "";
    struct provider_endpoint *endpoint = provider->connect(port, shared->of[slot].card, shared->of[slot].card_bytes,
                                                           &why);
    if (!endpoint)
        fprintf(stderr, "%s\n", why);
    REQUIRE(endpoint);
    return endpoint;
}

/* Runs body in n processes; expect_killed: the process that must end by SIGKILL, or -1. False if another process has
 * failed. */
static bool processes(const char *name, int n, int expect_killed, void (*body)(void))
{
    const size_t file_bytes = (size_t)PROCESSES_MOST * MEMORY_ROOM + SHARE_ROOM;
    if (file)
        munmap(file, file_bytes);
    file = mmap(NULL, file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(file != MAP_FAILED);
    memset(shared, 0, sizeof *shared);
    n_processes = n;
    fflush(NULL);
    for (int i = 0; i < n; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            me = i;
            alarm(LIMIT);
            load();
            body();
            _exit(0);
        }
        shared->of[i].pid = pid;
    }
    bool good = true;
    for (int left = n; left; left--) {
        int status;
        pid_t pid = wait(&status);
        for (int i = 0; i < n; i++) {
            if (shared->of[i].pid != pid)
                continue;
            bool as_expected = i == expect_killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL : status == 0;
            if (as_expected)
                continue;
            if (good) {
                fprintf(stderr, "%s: process %d ended with status %#x\n", name, i, (unsigned)status);
                for (int j = 0; j < n; j++)
                    if (j != i)
                        kill(shared->of[j].pid, SIGKILL); /* no other process has this number until we wait for it */
            }
            good = false;
        }
    }
    printf("%s: %s\n", name, good ? "ok" : "FAILED");
    return good;
}

static void share(const char *path)
{
    module_path = path;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(shared != MAP_FAILED);
}
