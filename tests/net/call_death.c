/* A PE is killed while others call it and it calls them: the callers are notified, and all others continue.
 *
 *     call_death HOW      for oshrun --outlive -n 4, with SHMEM_NODES=2
 *
 * HOW: "function" kills it in a function that it executes; a number kills it that many microseconds after the first
 * calls. */
#include <errno.h>
#include <pthread.h>
#include <shmem.h>
#include <shmemx.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "../check.h"

enum { VICTIM = 3, LARGE = 400000 };
static const uint32_t ECHO = 0x80000001;

static int me;
static long die_at; /* the victim's call in which it dies; 0: none */
static _Atomic long calls, left, released;
static unsigned char large[LARGE];

static void release(void *data)
{
    released++;
    free(data);
}

/* Returns the data that it has received, and further data. */
static void echo(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    (void)pe;
    if (++calls == die_at)
        kill(getpid(), SIGKILL);
    if (!reply)
        return;
    left++;
    reply->bytes = bytes + LARGE;
    reply->data = malloc(reply->bytes);
    memcpy(reply->data, args, bytes);
    memset((char *)reply->data + bytes, 0x81, LARGE);
    reply->release = release;
}

static void *receive(void *context, void *head, size_t head_bytes, size_t bytes)
{
    (void)head;
    unsigned char **data = context;
    CHECK(head_bytes == 0 && bytes > LARGE, "a reply of %zu and %zu bytes", head_bytes, bytes);
    return *data = malloc(bytes);
}

/* False: the PE has ended. */
static bool call(int pe, size_t bytes)
{
    unsigned char *data = NULL;
    const int status = shmemx_call(pe, ECHO, &(struct iovec){large, bytes}, 1, receive, &data);
    const int error = errno;
    if (status == 0)
        CHECK(memcmp(data, large, bytes) == 0 && data[bytes] == 0x81 && data[bytes + LARGE - 1] == 0x81,
              "the reply is wrong");
    else
        CHECK(status == -1 && error == ESRCH && shmemx_pe_state(pe) == SHMEMX_PE_DEAD, "a call: %d, %s", status,
              strerror(error));
    free(data);
    return status == 0;
}

static void *post(void *posted)
{
    for (*(long *)posted = 0; shmemx_pe_state(VICTIM) != SHMEMX_PE_DEAD; ++*(long *)posted)
        shmemx_post(VICTIM, ECHO, (struct iovec[]){{large, 100}, {large, *(long *)posted % 10 ? 8 : LARGE}}, 2);
    return NULL;
}

static void *call_others(void *unused)
{
    for (size_t i = 0;; i++)
        call((int)(i % 2), i % 3 * 100000 + 1);
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    me = shmem_my_pe();
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (unsigned char)(i * 7 + (size_t)me * 31 + 128);
    const bool in_function = argc > 1 && strcmp(argv[1], "function") == 0;
    if (me == VICTIM && in_function)
        die_at = 20;
    shmemx_register(ECHO, echo);
    shmem_barrier_all();
    if (me == VICTIM) {
        pthread_create(&thread, NULL, call_others, NULL);
        usleep(in_function || argc < 2 ? 60000000 : (useconds_t)atol(argv[1])); /* the victim dies here */
        kill(getpid(), SIGKILL);
    }
    if (me < 2) {
        long posted, called = 0;
        pthread_create(&thread, NULL, post, &posted);
        while (call(VICTIM, (size_t)(called % 4) * 50000 + 1))
            called++;
        pthread_join(thread, NULL);
        CHECK(!call(VICTIM, 8), "the dead PE replies");
        shmemx_post(VICTIM, ECHO, &(struct iovec){large, LARGE}, 1);
        shmem_quiet();
        for (int i = 0; i < 50; i++)
            CHECK(call(2, 1 + (size_t)i * 3000), "PE 2, which lives, does not reply");
    }
    shmem_finalize();
    CHECK(released == left, "%ld replies were made, and %ld released", left, released);
    return check_result();
}
