/* Functions that other PEs call (shmemx_register, shmemx_call): the table of their numbers, and calls that a PE makes
 * to itself. src/net transports calls to PEs of other nodes. */
#include "shmem/api.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(SHMEMX_REPLY_HEAD == NET_REPLY_HEAD, "both say how long a head may be");

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects entries, n_entries and room */
static struct entry {
    uint32_t number;
    shmemx_function function;
} *entries; /* sorted by number */
static size_t n_entries, room;

/* One function runs at a time: any thread may call its own PE, while another thread executes a remote PE's call. */
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool in_function;

/* The index of the first entry whose number is not below number. */
static size_t position_of(uint32_t number)
{
    size_t low = 0, high = n_entries;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (entries[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void begin_alone(void)
{
    pthread_mutex_lock(&alone);
    in_function = true;
}

static void end_alone(void)
{
    in_function = false;
    pthread_mutex_unlock(&alone);
}

static void run(uint32_t number, int from, void *args, size_t bytes, struct net_reply *reply)
{
    const char *const waiting = outer_routine; /* the routine that is interrupted; errors must not name it */
    outer_routine = NULL;
    pthread_mutex_lock(&lock);
    const size_t at = position_of(number);
    const shmemx_function function = at < n_entries && entries[at].number == number ? entries[at].function : NULL;
    pthread_mutex_unlock(&lock);
    const char *const routine = reply ? "shmemx_call" : "shmemx_post";
    if (!function)
        job_fatal(routine, "argument number is %#x in a call by PE %d, allowed are those of functions that this "
                  "PE has registered: by shmemx_register, with a barrier before the call", number, from);
    shmemx_reply r = {0};
    if (reply)
        r.head = reply->head;
    begin_alone();
    function(from, args, bytes, reply ? &r : NULL);
    end_alone();
    if (r.head_bytes > SHMEMX_REPLY_HEAD)
        job_fatal(routine, "function %#x returns %zu bytes as head of its reply, allowed are at most %d; return "
                  "the rest as data", number, r.head_bytes, SHMEMX_REPLY_HEAD);
    if (reply)
        *reply = (struct net_reply){reply->head, r.head_bytes, r.data, r.bytes, r.release};
    outer_routine = waiting;
}

/* Runs alone, because it may change data that the registered functions use. */
static void release(void (*function)(void *data), void *data)
{
    const char *const waiting = outer_routine;
    outer_routine = NULL;
    begin_alone();
    function(data);
    end_alone();
    outer_routine = waiting;
}

void calls_begin(void)
{
    net_called = run;
    net_released = release;
}

void shmemx_register(uint32_t number, shmemx_function function)
{
    if (!function)
        job_fatal(ROUTINE, "argument function is a null pointer, allowed is a function");
    pthread_mutex_lock(&lock);
    const size_t at = position_of(number);
    if (at == n_entries || entries[at].number != number) {
        if (n_entries == room) {
            room = 2 * room + 8;
            if (!(entries = realloc(entries, room * sizeof *entries)))
                job_fatal(ROUTINE, "no memory for the numbers of %zu functions", room);
        }
        memmove(entries + at + 1, entries + at, (n_entries++ - at) * sizeof *entries);
    }
    entries[at] = (struct entry){number, function};
    pthread_mutex_unlock(&lock);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void check(int pe, const struct iovec *args, size_t n, const char *routine)
{
    check_initialized(routine);
    check_pe(pe, routine);
    if (in_function)
        job_fatal(routine, "called by a function that another PE has called, where only shmemx_notify is allowed");
    if (n && !args)
        job_fatal(routine, "argument args is a null pointer, and n is %zu; allowed is an array of n elements", n);
    if (node_is_near(pe) && pe != node.me)
        job_fatal(routine, "argument pe is %d, which is on this PE's node; allowed are PEs of other nodes, and this PE "
                  "itself; access the memory of a local PE through shmem_ptr instead", pe);
}

/* A PE's call to itself: the calling thread executes it immediately. */
static void call_here(uint32_t number, const struct iovec *args, size_t n, shmemx_receiver receive, void *context)
{
    _Alignas(16) char head[SHMEMX_REPLY_HEAD];
    struct net_reply reply = {.head = head};
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += args[i].iov_len;
    char *copy = malloc(bytes + 1), *end = copy;
    if (!copy)
        job_fatal("shmemx_call", "no memory for %zu bytes of arguments", bytes);
    for (size_t i = 0; i < n; i++)
        end = (char *)memcpy(end, args[i].iov_len ? args[i].iov_base : "", args[i].iov_len) + args[i].iov_len;
    run(number, node.me, copy, bytes, receive ? &reply : NULL);
    free(copy);
    void *to = receive ? receive(context, head, reply.head_bytes, reply.bytes) : NULL;
    if (to && reply.bytes)
        memcpy(to, reply.data, reply.bytes);
    if (reply.release)
        release(reply.release, reply.data);
}

int shmemx_call(int pe, uint32_t number, const struct iovec *args, size_t n, shmemx_receiver receive, void *context)
{
    check(pe, args, n, ROUTINE);
    if (!receive)
        job_fatal(ROUTINE, "argument receive is a null pointer, allowed is a function");
    if (pe == node.me) {
        call_here(number, args, n, receive, context);
        return 0;
    }
    if (net_call(pe, number, args, n, receive, context) == 0)
        return 0;
    errno = ESRCH;
    return -1;
}

void shmemx_post(int pe, uint32_t number, const struct iovec *args, size_t n)
{
    check(pe, args, n, ROUTINE);
    if (pe == node.me)
        call_here(number, args, n, NULL, NULL);
    else
        net_post(pe, number, args, n);
}

void shmemx_notify(uint64_t *word, uint64_t value, int pe)
{
    if (!in_function)
        job_fatal(ROUTINE, "called outside the functions that other PEs call; use shmem_uint64_p instead");
    uint64_t *const near = reach_arg("word", word, sizeof *word, pe, ROUTINE);
    if (near) {
        __atomic_store_n(near, value, __ATOMIC_RELEASE);
        wake(pe, near, sizeof *near);
    } else {
        net_notify(pe, place_of(word), value);
    }
}
