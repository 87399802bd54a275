/* The floor of network benchmarks: the calls that the benchmarks make, each implemented by TCP sockets with as little
 * work as possible.  There are no argument checks and no threads; only waiting processes make progress, and they do not
 * sleep.
 *
 * Each pair of processes has a connection.  A message is a head, followed by data, which is sent and received in place;
 * several small messages are copied, and sent and received by one call.  Quiet requests a reply from each process that
 * was written to.  Processes exchange their ports through a file that all of them map. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define BENCH_IS_FLOOR 1
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 4
#define SHMEM_CMP_EQ 0

enum { RAW_MAX_PES = 64, RAW_GATHERED = 1 << 16, RAW_SMALL = 2048, RAW_LINE = 64 };
#define RAW_FILE "BENCH_RAW_FILE"        /* names the file, which the processes create */
#define RAW_ADDRESS 0x200000000000u      /* the same in every process: symmetric addresses need no translation */
#define RAW_HEAP_BYTES ((size_t)64 << 20)

enum raw_kind { RAW_DATA, RAW_ASK, RAW_GET, RAW_ADD, RAW_FETCH_ADD, RAW_COMPARE_SWAP };

/* The members of a head, by kind:
 *                 to                    bytes             first, second
 *   DATA          where the data goes   of data           a counter at the receiver, or NULL
 *   ASK                                                   a counter at the sender
 *   GET           what is read          of data           where the data goes, a counter: both at the sender
 *   the atomics   the word                                the operand; where the old value goes, at the sender
 * Each message increments its counter.  After the head of a compare-and-swap comes a raw_swap. */
struct raw_head {
    uint64_t to;
    uint32_t kind, bytes;
    uint64_t first, second;
};

struct raw_swap {
    uint64_t expected, count;
};

/* A reply that must wait until the current message is sent. */
struct raw_answer {
    struct raw_head head;
    uint64_t value;
    const void *data;
};

struct raw_peer {
    int fd;
    bool sending, written;
    size_t gathered;
    char out[RAW_GATHERED];
    size_t come, read; /* bytes in `in` that have arrived, and that have been read */
    char in[RAW_SMALL + sizeof(struct raw_head)];
    char *place; /* destination of the rest of a message's data */
    size_t left;
    uint64_t count; /* address of the counter to increment after the message */
    struct raw_answer *answers;
    size_t n_answers, most_answers;
};

struct raw_shared {
    _Atomic int finished;
    _Atomic int port[RAW_MAX_PES];
};

static struct {
    int pe, pes;
    struct raw_shared *shared;
    struct raw_peer *peer; /* one for each PE */
    uint64_t *barrier;     /* one word for each PE, in the heap */
    char *free;
    uint64_t barriers, asked, answered; /* peers' messages increment answered */
} raw;

static inline void raw_fail(const char *what)
{
    perror(what);
    _exit(1);
}

static inline void raw_progress(void);

/* Sends a whole message, and receives messages that arrive meanwhile. */
static inline void raw_send(struct raw_peer *p, const struct iovec *parts, int n)
{
    struct iovec iov[3];
    memcpy(iov, parts, sizeof *iov * (size_t)n);
    p->sending = true;
    for (int first = 0; first < n;) {
        struct msghdr m = {.msg_iov = iov + first, .msg_iovlen = (size_t)(n - first)};
        ssize_t sent = sendmsg(p->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN)
            raw_fail("floor: sendmsg");
        if (sent < 0) {
            raw_progress();
            continue;
        }
        for (; first < n && (size_t)sent >= iov[first].iov_len; first++)
            sent -= (ssize_t)iov[first].iov_len;
        if (first < n) {
            iov[first].iov_base = (char *)iov[first].iov_base + sent;
            iov[first].iov_len -= (size_t)sent;
        }
    }
    p->sending = false;
}

static inline void raw_post(struct raw_peer *p, const struct raw_head *head, const void *data, size_t bytes)
{
    if (bytes <= RAW_SMALL && p->gathered + sizeof *head + bytes <= RAW_GATHERED && !p->sending) {
        memcpy(p->out + p->gathered, head, sizeof *head);
        memcpy(p->out + p->gathered + sizeof *head, data, bytes);
        p->gathered += sizeof *head + bytes;
        return;
    }
    const struct iovec parts[3] = {{p->out, p->gathered}, {(void *)head, sizeof *head}, {(void *)data, bytes}};
    p->gathered = 0;
    raw_send(p, parts, 3);
}

static inline void raw_leave(struct raw_peer *p)
{
    while (p->n_answers) {
        struct raw_answer a = p->answers[--p->n_answers];
        raw_post(p, &a.head, a.data ? a.data : &a.value, a.head.bytes);
    }
    if (p->gathered) {
        const struct iovec part = {p->out, p->gathered};
        p->gathered = 0;
        raw_send(p, &part, 1);
    }
}

/* Replies may be sent in any order. */
static inline void raw_answer(struct raw_peer *p, struct raw_answer a)
{
    if (p->n_answers == p->most_answers) {
        p->most_answers = 2 * p->most_answers + 16;
        p->answers = realloc(p->answers, p->most_answers * sizeof a);
    }
    p->answers[p->n_answers++] = a;
}

static inline void raw_count(uint64_t at)
{
    if (at)
        ++*(volatile uint64_t *)(uintptr_t)at;
}

static inline void raw_atomic_came(struct raw_peer *p, const struct raw_head *h, const struct raw_swap *swap)
{
    uint64_t *word = (uint64_t *)(uintptr_t)h->to, old = *word;
    *word = h->kind != RAW_COMPARE_SWAP ? old + h->first : old == swap->expected ? h->first : old;
    if (h->kind != RAW_ADD)
        raw_answer(p, (struct raw_answer){.head = {.to = h->second, .kind = RAW_DATA, .bytes = sizeof old,
                                                   .first = swap->count}, .value = old});
}

/* True: the message is complete, or the rest of its data is received in place. */
static inline bool raw_take(struct raw_peer *p)
{
    struct raw_head h;
    struct raw_swap swap;
    const size_t there = p->come - p->read;
    if (there < sizeof h)
        return false;
    memcpy(&h, p->in + p->read, sizeof h);
    if (h.kind >= RAW_ADD) {
        if (there < sizeof h + sizeof swap)
            return false;
        memcpy(&swap, p->in + p->read + sizeof h, sizeof swap);
        p->read += sizeof h + sizeof swap;
        raw_atomic_came(p, &h, &swap);
        return true;
    }
    p->read += sizeof h;
    if (h.kind == RAW_ASK) {
        raw_answer(p, (struct raw_answer){.head = {.kind = RAW_DATA, .first = h.first}});
    } else if (h.kind == RAW_GET) {
        raw_answer(p, (struct raw_answer){.head = {.to = h.first, .kind = RAW_DATA, .bytes = h.bytes,
                                                   .first = h.second}, .data = (void *)(uintptr_t)h.to});
    } else {
        size_t now = there - sizeof h < h.bytes ? there - sizeof h : h.bytes;
        memcpy((void *)(uintptr_t)h.to, p->in + p->read, now);
        p->read += now;
        p->place = (char *)(uintptr_t)h.to + now;
        p->left = h.bytes - now;
        p->count = h.first;
        if (!p->left)
            raw_count(p->count);
    }
    return true;
}

static inline void raw_look(struct raw_peer *p)
{
    char *to = p->left ? p->place : p->in + p->come;
    ssize_t came = recv(p->fd, to, p->left ? p->left : sizeof p->in - p->come, MSG_DONTWAIT);
    if (came < 0 && errno == EAGAIN)
        return;
    if (came <= 0) {
        if (atomic_load(&raw.shared->finished))
            return;
        raw_fail("floor: recv");
    }
    if (p->left) {
        p->place += came;
        p->left -= (size_t)came;
        if (!p->left)
            raw_count(p->count);
        return;
    }
    p->come += (size_t)came;
    while (!p->left && raw_take(p))
        ;
    memmove(p->in, p->in + p->read, p->come - p->read);
    p->come -= p->read;
    p->read = 0;
}

static inline void raw_progress(void)
{
    for (int pe = 0; pe < raw.pes; pe++) {
        struct raw_peer *p = &raw.peer[pe];
        if (pe == raw.pe)
            continue;
        raw_look(p);
        if (p->n_answers && !p->sending)
            raw_leave(p);
    }
}

/* Yields now and then, because other processes may need the processor. */
static inline void raw_turn(unsigned *turns)
{
    raw_progress();
    if (++*turns % 256 == 0)
        sched_yield();
}

static inline void raw_wait(const uint64_t *count, uint64_t until)
{
    for (unsigned turns = 0; *(const volatile uint64_t *)count < until;)
        raw_turn(&turns);
    atomic_thread_fence(memory_order_acquire);
}

static inline void shmem_quiet(void)
{
    for (int pe = 0; pe < raw.pes; pe++) {
        struct raw_peer *p = &raw.peer[pe];
        if (!p->written)
            continue;
        p->written = false;
        raw.asked++;
        raw_post(p, &(struct raw_head){.kind = RAW_ASK, .first = (uintptr_t)&raw.answered}, NULL, 0);
        raw_leave(p);
    }
    for (int pe = 0; pe < raw.pes; pe++) /* gets that have not been sent yet */
        if (raw.peer[pe].gathered)
            raw_leave(&raw.peer[pe]);
    raw_wait(&raw.answered, raw.asked);
}

/* A routine of one or two statements. */
#define RAW(T, NAME, ARGS, ...) static inline T NAME ARGS { __VA_ARGS__; }

/* The connection keeps the order, so a fence needs to restrict only the compiler. The compiler must also not remove a
 * loop of fences, whose number the benchmark doubles until the loop takes long enough. */
RAW(void, shmem_fence, (void), atomic_signal_fence(memory_order_seq_cst))

static inline void shmem_putmem_nbi(void *dest, const void *source, size_t bytes, int pe)
{
    struct raw_peer *p = &raw.peer[pe];
    if (pe == raw.pe) {
        memcpy(dest, source, bytes);
        return;
    }
    p->written = true;
    raw_post(p, &(struct raw_head){(uintptr_t)dest, RAW_DATA, (uint32_t)bytes, 0, 0}, source, bytes);
}

RAW(void, shmem_putmem, (void *dest, const void *source, size_t bytes, int pe),
    shmem_putmem_nbi(dest, source, bytes, pe))

static inline void shmem_getmem_nbi(void *dest, const void *source, size_t bytes, int pe)
{
    raw.asked++;
    raw_post(&raw.peer[pe],
             &(struct raw_head){(uintptr_t)source, RAW_GET, (uint32_t)bytes, (uintptr_t)dest, (uintptr_t)&raw.answered},
             NULL, 0);
}

static inline void shmem_getmem(void *dest, const void *source, size_t bytes, int pe)
{
    shmem_getmem_nbi(dest, source, bytes, pe);
    raw_leave(&raw.peer[pe]);
    raw_wait(&raw.answered, raw.asked);
}

RAW(void, shmem_long_put_nbi, (long *dest, const long *source, size_t n, int pe),
    shmem_putmem_nbi(dest, source, n * sizeof *dest, pe))
RAW(void, shmem_long_get, (long *dest, const long *source, size_t n, int pe),
    shmem_getmem(dest, source, n * sizeof *dest, pe))
RAW(void, shmem_long_get_nbi, (long *dest, const long *source, size_t n, int pe),
    shmem_getmem_nbi(dest, source, n * sizeof *dest, pe))
RAW(void, shmem_long_put, (long *dest, const long *source, size_t n, int pe),
    shmem_putmem(dest, source, n * sizeof *dest, pe))

/* Sent immediately, because the target PE waits for it. */
RAW(void, shmem_uint64_p, (uint64_t *dest, uint64_t value, int pe),
    shmem_putmem(dest, &value, sizeof value, pe); raw_leave(&raw.peer[pe]))
RAW(void, shmem_long_p, (long *dest, long value, int pe), shmem_putmem(dest, &value, sizeof value, pe))

static inline long shmem_long_g(const long *source, int pe)
{
    long value;
    shmem_getmem(&value, source, sizeof value, pe);
    return value;
}

static inline void raw_post_atomic(enum raw_kind kind, long *word, long operand, long expected, long *old, int pe)
{
    const struct raw_swap swap = {(uint64_t)expected, old ? (uintptr_t)&raw.answered : 0};
    struct raw_head head = {(uintptr_t)word, kind, sizeof swap, (uint64_t)operand, (uintptr_t)old};
    raw_post(&raw.peer[pe], &head, &swap, sizeof swap);
}

static inline long raw_atomic(enum raw_kind kind, long *word, long operand, long expected, int pe)
{
    long old = 0;
    raw.asked++;
    raw_post_atomic(kind, word, operand, expected, &old, pe);
    raw_leave(&raw.peer[pe]);
    raw_wait(&raw.answered, raw.asked);
    return old;
}

RAW(long, shmem_long_atomic_fetch_add, (long *word, long value, int pe),
    return raw_atomic(RAW_FETCH_ADD, word, value, 0, pe))
RAW(long, shmem_long_atomic_compare_swap, (long *word, long expected, long value, int pe),
    return raw_atomic(RAW_COMPARE_SWAP, word, value, expected, pe))
RAW(void, shmem_long_atomic_add, (long *word, long value, int pe),
    raw.peer[pe].written = true; raw_post_atomic(RAW_ADD, word, value, 0, NULL, pe))

static inline void shmem_uint64_wait_until(uint64_t *word, int comparison, uint64_t value)
{
    (void)comparison;
    for (unsigned turns = 0; *(volatile uint64_t *)word != value;)
        raw_turn(&turns);
    atomic_thread_fence(memory_order_acquire);
}

/* Each PE sets its own flag on each other PE.  This needs no reply, because the other PEs wait for the flag. */
static inline void shmem_sync_all(void)
{
    const uint64_t round = ++raw.barriers;
    for (int pe = 0; pe < raw.pes; pe++)
        if (pe != raw.pe) {
            const struct raw_head head = {(uintptr_t)&raw.barrier[raw.pe], RAW_DATA, sizeof round, 0, 0};
            raw_post(&raw.peer[pe], &head, &round, sizeof round);
            raw_leave(&raw.peer[pe]);
        }
    for (int pe = 0; pe < raw.pes; pe++)
        if (pe != raw.pe)
            raw_wait(&raw.barrier[pe], round);
}

RAW(void, shmem_barrier_all, (void), shmem_quiet(); shmem_sync_all())
RAW(void *, shmem_ptr, (const void *mine, int pe), (void)mine, (void)pe; return NULL)
RAW(int, shmem_my_pe, (void), return raw.pe)
RAW(int, shmem_n_pes, (void), return raw.pes)
RAW(void, shmem_global_exit, (int code), _exit(code))

static inline void *shmem_align(size_t alignment, size_t bytes)
{
    char *p = (char *)(((uintptr_t)raw.free + alignment - 1) / alignment * alignment);
    if (p + bytes > (char *)RAW_ADDRESS + RAW_HEAP_BYTES)
        return NULL;
    raw.free = p + bytes;
    return p;
}

static inline int raw_number(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : -1;
}

/* Each process connects to all processes with lower numbers, and sends its own number. */
static inline void raw_connect(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof at;
    const int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (listener < 0 || bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, RAW_MAX_PES) ||
        getsockname(listener, (struct sockaddr *)&at, &bytes))
        raw_fail("floor: a socket");
    atomic_store(&raw.shared->port[raw.pe], ntohs(at.sin_port));
    for (int pe = 0; pe < raw.pe; pe++) {
        int port, fd = socket(AF_INET, SOCK_STREAM, 0);
        while (!(port = atomic_load(&raw.shared->port[pe])))
            usleep(100);
        at.sin_port = htons((uint16_t)port);
        if (connect(fd, (struct sockaddr *)&at, sizeof at) || send(fd, &raw.pe, sizeof raw.pe, 0) != sizeof raw.pe)
            raw_fail("floor: connect");
        raw.peer[pe].fd = fd;
    }
    for (int n = raw.pe + 1; n < raw.pes; n++) {
        int pe, fd = accept(listener, NULL, NULL);
        if (fd < 0 || recv(fd, &pe, sizeof pe, MSG_WAITALL) != sizeof pe)
            raw_fail("floor: accept");
        raw.peer[pe].fd = fd;
    }
    for (int pe = 0; pe < raw.pes; pe++)
        if (pe != raw.pe)
            setsockopt(raw.peer[pe].fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    close(listener);
}

/* Like launchers, binds each process to its own processor if there are enough. */
static inline void raw_bind(void)
{
    cpu_set_t all, mine;
    if (sched_getaffinity(0, sizeof all, &all) || CPU_COUNT(&all) < raw.pes)
        return;
    CPU_ZERO(&mine);
    for (int cpu = 0, n = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && n++ == raw.pe)
            CPU_SET(cpu, &mine);
    sched_setaffinity(0, sizeof mine, &mine);
}

static inline void shmem_init(void)
{
    raw.pe = raw_number("FLOOR_PE");
    raw.pes = raw_number("FLOOR_PES");
    const char *file = getenv(RAW_FILE);
    int fd = file ? open(file, O_RDWR | O_CREAT, 0600) : -1;
    if (raw.pe < 0 || raw.pes < 1 || raw.pes > RAW_MAX_PES || fd < 0 || ftruncate(fd, sizeof *raw.shared) != 0) {
        fprintf(stderr, "floor: BENCH_RAW_FILE and a launcher that numbers the processes are needed\n");
        exit(2);
    }
    raw_bind();
    raw.shared = mmap(NULL, sizeof *raw.shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *heap = mmap((void *)RAW_ADDRESS, RAW_HEAP_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    raw.peer = calloc((size_t)raw.pes, sizeof *raw.peer);
    if (raw.shared == MAP_FAILED || heap == MAP_FAILED || !raw.peer)
        raw_fail("floor: mmap");
    close(fd);
    raw.barrier = (uint64_t *)heap;
    raw.free = heap + RAW_LINE * RAW_MAX_PES;
    raw_connect();
    shmem_barrier_all();
}

/* Returns when no other process waits for a reply of this process. */
static inline void shmem_finalize(void)
{
    shmem_barrier_all();
    atomic_fetch_add(&raw.shared->finished, 1);
    while (atomic_load(&raw.shared->finished) < raw.pes)
        raw_progress();
}
