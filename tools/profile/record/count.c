/* Counts each call and adds up the times. */
#include "profile/record/record.h"

#include "job/settings.h"

#include <shmemx.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern size_t shmemx_in_order(void) __attribute__((weak));
extern void shmemx_tell_algorithms(void (*whom)(const char *collective, const char *algorithm, size_t bytes))
    __attribute__((weak));

static bool counting;     /* as set by shmem_pcontrol */
static bool several;      /* threads may call at the same time */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder; /* NULL: recording has not begun, or the file is written */
static pid_t process;
static unsigned initialized;  /* calls of shmem_init not yet matched by shmem_finalize */
static uint8_t *is_near;      /* PEs of this node */
static size_t message_bytes;  /* up to this size, puts to other nodes share a message */
static _Thread_local bool put_was_last __attribute__((tls_model("initial-exec")));
static _Thread_local uint16_t thread __attribute__((tls_model("initial-exec"))); /* as in struct piece_event */
static unsigned pes; /* number of PEs in the world */

static bool is_together(enum tap_kind kind)
{
    return class_of(kind) == PIECE_TOGETHER || class_of(kind) == PIECE_BARRIER;
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

static void find_node(void)
{
    const int n = pshmem_team_n_pes(SHMEM_TEAM_SHARED);
    head.node = pshmem_team_translate_pe(SHMEM_TEAM_SHARED, 0, SHMEM_TEAM_WORLD);
    for (int i = 0; i < n; i++)
        is_near[pshmem_team_translate_pe(SHMEM_TEAM_SHARED, i, SHMEM_TEAM_WORLD)] = 1;
}

/* The job's description for the page; each word of the command line ends with a 0. */
static void describe(void)
{
    cpu_set_t allowed;
    const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    const ssize_t bytes = fd >= 0 ? read(fd, head.command, sizeof head.command - 1) : 0;
    for (ssize_t i = 0; i + 1 < bytes; i++)
        head.command[i] = head.command[i] ? head.command[i] : ' ';
    if (fd >= 0)
        close(fd);
    gethostname(head.host, sizeof head.host - 1);
    head.date = (int64_t)time(NULL);
    /* In emulated time PEs do not wait for processors. */
    if (!setting_text(SETTING_SHMEM_FABRIC) && sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        for (unsigned i = 0; i < PIECE_PROCESSORS && i < CPU_SETSIZE; i++)
            head.processors[i / 64] |= (uint64_t)(CPU_ISSET(i, &allowed) != 0) << i % 64;
}

/* No PE writes its file before the barrier that follows. */
static void make_folder(void)
{
    char path[PATH_MAX];
    mkdir(folder, 0777);
    if ((size_t)snprintf(path, sizeof path, "%s/" PIECE_FOLDER, folder) >= sizeof path)
        return;
    mkdir(path, 0777);
    if (head.pe == 0)
        remove_pieces(folder);
}

static void begin(void)
{
    int level;
    if (initialized++ || !(folder = setting_text(SETTING_SHMEM_PROFILE)))
        return;
    if (head.magic[0]) { /* after shmem_finalize: the record continues */
        counting = true;
        return;
    }
    memcpy(head.magic, PIECE_MAGIC, sizeof PIECE_MAGIC);
    strncpy(head.program, program_invocation_name, sizeof head.program - 1);
    describe();
    head.pe = pshmem_my_pe();
    head.n_pes = pshmem_n_pes();
    pes = (unsigned)head.n_pes;
    traffic = calloc((size_t)head.n_pes, sizeof *traffic);
    is_near = calloc((size_t)head.n_pes, 1);
    process = getpid();
    find_node();
    if (head.node == head.pe)
        make_folder();
    sites_begin();
    arrivals_begin(head.n_pes);
    events_begin(head.n_pes);
    message_bytes = shmemx_in_order ? shmemx_in_order() : 0;
    if (shmemx_tell_algorithms)
        shmemx_tell_algorithms(copal_tap_algorithm);
    pshmem_query_thread(&level);
    several = level == SHMEM_THREAD_MULTIPLE;
    pshmem_sync_all(); /* waits until all PEs have their tables, and loads this path into the caches */
    pshmem_sync_all();
    ticks_begin();
    head.began = head.met = (int64_t)ticks_now();
    counting = true;
}

static void end(void)
{
    if (!folder || process != getpid())
        return;
    ticks_end();
    piece_write(folder);
}

static void finish(void)
{
    end();
    folder = NULL;
    counting = false;
}

/* If a program ends without shmem_finalize, the library finalizes itself, without a call that is reported here. */
__attribute__((destructor)) static void leave(void)
{
    finish();
}

static void control(int level)
{
    counting = level > 0 && folder;
    if (level > 1)
        end();
}

/* --- a call ------------------------------------------------------------------------------------------------------- */

static void add(struct piece_count *c, size_t bytes)
{
    c->calls++;
    c->bytes += bytes;
}

static void count_transfer(const struct tap_call *call, enum piece_direction direction, size_t bytes)
{
    add(&head.sizes[direction][bits_of(bytes)], bytes);
    if (UNLIKELY((unsigned)call->pe >= pes))
        return;
    const bool is_get = call->kind == TAP_GET || (call->kind == TAP_ATOMIC && !(call->flags & TAP_WRITES));
    add(is_get ? &traffic[call->pe].got : &traffic[call->pe].put, bytes);
    add(&head.paths[is_near[call->pe] ? PIECE_STORE : bytes <= message_bytes ? PIECE_MESSAGE : PIECE_NETWORK], bytes);
}

/* Counts for the hints: blocking puts followed by a quiet, blocking gets of a few bytes. */
static void count_habits(const struct tap_call *call, size_t bytes)
{
    enum { SMALL = 64 };
    const bool blocking = !(call->flags & TAP_NONBLOCKING);
    head.quiet_at_once += put_was_last && call->kind == TAP_QUIET;
    put_was_last = call->kind == TAP_PUT && blocking;
    head.blocking_puts += put_was_last;
    head.blocking_gets += call->kind == TAP_GET && blocking;
    head.blocking_small_gets += call->kind == TAP_GET && blocking && bytes <= SMALL;
}

enum { COUNTED = 1, QUICK }; /* of a call's own data */

static size_t count_bytes(const struct tap_call *call)
{
    size_t bytes = call->bytes * call->count;
    switch (call->kind) {
    case TAP_PUT: count_transfer(call, PIECE_PUT, bytes); return bytes;
    case TAP_GET: count_transfer(call, PIECE_GET, bytes); return bytes;
    case TAP_ATOMIC: count_transfer(call, PIECE_ATOMIC, bytes); return bytes;
    case TAP_SIGNAL: bytes = sizeof *call->signal; count_transfer(call, PIECE_ATOMIC, bytes); return bytes;
    case TAP_BROADCAST: case TAP_COLLECT: case TAP_FCOLLECT: case TAP_ALLTOALL: case TAP_REDUCE: case TAP_SCAN:
        add(&head.sizes[PIECE_COLLECTIVE][bits_of(bytes)], bytes);
        return bytes;
    case TAP_ALLOC: case TAP_REALLOC: return bytes;
    default: return 0;
    }
}

static void count(const struct tap_call *call)
{
    struct site *s = site_of(call);
    const size_t bytes = count_bytes(call);
    s->calls++;
    s->bytes += bytes;
    s->largest = bytes > s->largest ? bytes : s->largest;
    s->quick += call->own == QUICK;
    count_habits(call, bytes);
    if (!call->began)
        return;
    const uint64_t now = ticks_now(), passed = now - call->began;
    const uint64_t ticks = passed > ticks_own ? passed - ticks_own : 0;
    s->timed += call->own == QUICK;
    *(call->own == QUICK ? &s->timed_ticks : &s->ticks) += ticks;
    s->longest = ticks > s->longest ? ticks : s->longest;
    if (is_together(call->kind)) {
        arrival_note(call, s, bytes, now);
        algorithm_note();
    } else if (call->kind == TAP_ALLOC || call->kind == TAP_REALLOC || call->kind == TAP_FREE) {
        memory_note(call, now);
    }
    if (UNLIKELY(events != NULL))
        event_note(call, s, bytes, now, thread);
    head.is_images |= (call->flags & TAP_STATEMENT) != 0;
}

/* A quick call, which is a short access within the node, takes less time than two readings of the clock. */
static bool is_quick(const struct tap_call *call)
{
    enum { SHORT = 512 };
    return call->kind <= TAP_SIGNAL && !events && call->bytes * call->count <= SHORT && (unsigned)call->pe < pes &&
           is_near[call->pe];
}

/* Only one in SKIPPED of the quick calls is timed, chosen at random, because loops have periods. */
static bool is_chosen(void)
{
    enum { SKIPPED = 16 };
    static _Thread_local uint32_t random __attribute__((tls_model("initial-exec"))) = 1;
    random = random * 1664525 + 1013904223;
    return random >> 16 < 65536 / SKIPPED;
}

void tap_before(struct tap_call *call)
{
    if (UNLIKELY(!counting || call->kind >= TAP_POINTER)) {
        if (call->kind == TAP_EXIT || (call->kind == TAP_FINALIZE && initialized && --initialized == 0))
            finish();
        return;
    }
    call->own = is_quick(call) ? QUICK : COUNTED;
    if (is_together(call->kind))
        algorithm_forget();
    if (call->own == COUNTED || is_chosen())
        call->began = ticks_now();
}

static void begin_change(void)
{
    if (UNLIKELY(several))
        pthread_mutex_lock(&lock);
}

static void end_change(void)
{
    if (UNLIKELY(several))
        pthread_mutex_unlock(&lock);
}

void tap_after(struct tap_call *call)
{
    if (UNLIKELY(!call->own)) {
        if (call->kind == TAP_INIT)
            begin();
        if (call->kind == TAP_CONTROL) {
            begin_change();
            control((int)call->value);
            end_change();
        }
        return;
    }
    begin_change();
    if (UNLIKELY(several && !thread) && head.n_threads < UINT16_MAX)
        thread = (uint16_t)++head.n_threads;
    count(call);
    end_change();
}
