/* The parts of the library that src/net needs, and a provider whose transport functions the test supplies: for tests
 * of src/net alone. PE 0 is this process; each other PE is on a node of its own. */
#pragma once

#include "check.h"
#include "boot/boot.h"
#include "job/own_threads.h"
#include "time/virtual.h"
#include "net/context.h"
#include "net/emulated.h"
#include "net/message.h"
#include "net/net.h"
#include "net/progress.h"

#include <stdlib.h>
#include <string.h>

struct self self;
struct node node;
_Thread_local const char *outer_routine;
_Atomic unsigned wait_spins;
bool (*_Atomic wait_progress)(void);
bool (*_Atomic wait_sleeps)(void);
bool (*node_far_same_program)(int pe);

const struct provider_job *emulated_job(void) { return NULL; }
bool emulated_node(void) { return false; }
void emulated_report(void) {}
void wait_tune(bool crowded) { (void)crowded; }
static int woken;
void wait_wake(int pe) { (void)pe, woken++; }
void wait_end_slowly(struct wait *w) { (void)w; }
static uint64_t clock_ns = 1;
uint64_t clock_now(void) { return clock_ns; }
bool wait_note(const char *routine, int for_pe) { (void)routine, (void)for_pe; return false; }
void wait_note_end(void) {}
void wait_note_moves(void) {}
void threads_own(int thread) { (void)thread; }
void threads_before(void) {}
void threads_after(void) {}
void clock_nap(uint64_t nanoseconds) { (void)nanoseconds; }
static _Atomic int given_away;
void wait_give_away(void) { given_away++; }
bool virtual_on, virtual_threads;
bool virtual_begun(void) { return false; }
void virtual_poll(void) {}
void virtual_turn(void) {}
void virtual_spend(uint64_t ps) { (void)ps; }
void virtual_want(const void *what) { (void)what; }
void virtual_give(const void *what) { (void)what; }
uint64_t virtual_now(void) { return 0; }
void virtual_wake(int pe, uint64_t at) { (void)pe, (void)at; }
void virtual_wait(const struct wait *w) { (void)w; }
void job_alert(struct job *job) { job->alerts++; }
uint64_t job_machine(void) { return 0; }

static void (*net_gives_up)(void) = abort; /* after a sentence; it does not return */

void job_fatal(const char *routine, const char *text, ...)
{
    if (net_gives_up == abort)
        fprintf(stderr, "%s: %s\n", routine, text);
    net_gives_up();
    abort();
}

void job_say(const char *routine, const char *text, ...)
{
    fprintf(stderr, "%s: %s\n", routine, text);
}

void job_fatal_once(const char *routine, const char *text, ...)
{
    fprintf(stderr, "%s: %s\n", routine, text);
    abort();
}

/* --- the provider ------------------------------------------------------------------------------------------------- */

struct provider_endpoint {
    int pe;
    bool unconfirmed; /* operations have been sent to it since its last confirmation was requested */
};

static const struct provider_upcalls *calls;

static const char *begin(const struct provider_start *start) { (void)start; return NULL; }
static void close_port(struct provider_port *port) { (void)port; }
static struct provider_memory *memory_open(void *at, size_t bytes, size_t file_at, const char **why)
{
    (void)bytes, (void)file_at, (void)why;
    return at;
}
static void memory_close(struct provider_memory *m) { (void)m; }
static size_t memory_key(struct provider_memory *m, void *to, size_t room) { (void)m, (void)to, (void)room; return 8; }
static void key_close(struct provider_key *key) { (void)key; }
static bool keeps_no_order(struct provider_endpoint *to) { (void)to; return false; }
static size_t address(struct provider_port *port, void *to, size_t room) { (void)port, (void)to, (void)room; return 8; }

static struct provider_key *key_open(struct provider_endpoint *to, const void *key, const char **why)
{
    (void)key, (void)why;
    return (struct provider_key *)to;
}

static struct provider_port *open_port(const struct provider_upcalls *upcalls, void *port, const char **why)
{
    (void)why;
    calls = upcalls;
    return port;
}

static struct provider_endpoint *endpoint_of(int pe); /* the test's */

static struct provider_endpoint *connect_to(struct provider_port *port, const void *its, size_t bytes, const char **why)
{
    (void)port, (void)bytes, (void)why;
    int pe;
    memcpy(&pe, its, sizeof pe);
    endpoint_of(pe)->pe = pe;
    return endpoint_of(pe);
}

static struct provider fake = {
    .version = PROVIDER_VERSION,
    .name = "none",
    .begin = begin,
    .open = open_port,
    .close = close_port,
    .address = address,
    .connect = connect_to,
    .memory_open = memory_open,
    .memory_close = memory_close,
    .memory_key = memory_key,
    .key_open = key_open,
    .key_close = key_close,
    .keeps_order = keeps_no_order,
};

void *module_load(const char *name, const char *symbol, const char **why) { (void)name, (void)symbol,
                                                                           (void)why; return &fake; }

/* Each PE's card is this PE's own, except the address, which begins with the PE's number. */
static unsigned char card[BOOT_CARD_BYTES];
static size_t card_bytes, address_at;

static void publish(const void *its, size_t bytes)
{
    memcpy(card, its, bytes);
    card_bytes = bytes;
    address_at = bytes - 16; /* and the heap's key; there are no statics */
}
static size_t lookup(int pe, void *to, size_t room, const char **why)
{
    (void)room, (void)why;
    memcpy(to, card, card_bytes);
    memcpy((char *)to + address_at, &pe, sizeof pe);
    return card_bytes;
}
static const char *host(int pe, char *text, size_t room) { (void)pe, (void)room; return text; }
static const struct boot fake_boot = {.publish = publish, .lookup = lookup, .host = host};
const struct boot *boot = &fake_boot;
const struct boot boot_file; /* for simulated nodes, which these are not */

/* Begins the net with these limits; the symmetric heap is [heap, heap + bytes). */
static void start_net(int pes, void *heap, size_t bytes, size_t message_most, const char *tune)
{
    struct job *job = calloc(1, sizeof *job + (size_t)pes * sizeof job->pe[0]);
    job->n_pes = 1; /* seats for all PEs: a test may let them act here */
    fake.message_most = message_most;
    setenv("SHMEM_NET_TUNE", tune, 1);
    self = (struct self){.job = job, .n_pes = pes, .n_near = 1, .node_size = 1};
    node = (struct node){.n_pes = pes, .heap = (uintptr_t)heap, .heap_size = bytes};
    net_start();
    wait_progress = progress_hook;
}

static inline void quiet_pe(struct net_context *c, int pe)
{
    net_start_quiet_pe(c, pe);
    net_end_quiet_pe(c, pe);
}
