/* The floor of what goes through a network: the few calls that the benchmarks make, each the shortest way to do it with
 * UCP alone.  No check of an argument, no look for where a PE or its memory is, nobody who makes progress but the
 * caller.
 *
 * A put is ucp_put_nbx, quiet is ucp_ep_flush_nbx for each peer written to, and so on; whoever waits calls
 * ucp_worker_progress until it has happened.  Processes find each other through a file that all of them map. */
#ifndef COPAL_BENCH_RAW_SHMEM_H
#define COPAL_BENCH_RAW_SHMEM_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

#define BENCH_IS_FLOOR 1
#define BENCH_IS_RAW_UCP 1
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 4
#define SHMEM_CMP_EQ 0

enum { RAW_MAX_PES = 64, RAW_CARD_BYTES = 2048, RAW_LINE = 64 };
#define RAW_FILE "BENCH_RAW_FILE"        /* names the file, not there before the processes start */
#define RAW_ADDRESS 0x200000000000u      /* in every process, so that a symmetric address needs no translation */
#define RAW_HEAP_BYTES ((size_t)64 << 20)

struct raw_card {
    _Atomic bool ready;
    size_t key_at; /* of bytes: the address ends, the key begins */
    char bytes[RAW_CARD_BYTES];
};

struct raw_shared {
    _Atomic int finished;
    struct raw_card cards[RAW_MAX_PES];
};

/* At the start of each heap. */
struct raw_arrival {
    _Alignas(RAW_LINE) uint64_t barrier;
};

static struct {
    int pe, pes;
    ucp_context_h context;
    ucp_worker_h worker;
    struct raw_shared *shared;
    ucp_ep_h endpoint[RAW_MAX_PES];
    ucp_rkey_h key[RAW_MAX_PES];
    bool written[RAW_MAX_PES]; /* since the last flush */
    struct raw_arrival *arrivals; /* one of each PE */
    char *free;
    uint64_t barriers;
    long pending; /* operations whose buffers are still in use */
} raw;

static inline void raw_fail(const char *what, ucs_status_t status)
{
    fprintf(stderr, "raw UCP: %s: %s\n", what, ucs_status_string(status));
    _exit(1);
}

static inline void raw_check(const char *what, ucs_status_t status)
{
    if (status != UCS_OK)
        raw_fail(what, status);
}

static inline void raw_done(void *request, ucs_status_t status, void *user)
{
    (void)user;
    if (status != UCS_OK)
        raw_fail("an operation", status);
    raw.pending--;
    ucp_request_free(request);
}

static const ucp_request_param_t raw_counted = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK, .cb.send = raw_done};

/* Started with raw_counted. */
static inline void raw_started(ucs_status_ptr_t request)
{
    if (UCS_PTR_IS_ERR(request))
        raw_fail("starting an operation", UCS_PTR_STATUS(request));
    raw.pending += request != NULL;
}

/* Started without a callback. */
static inline void raw_wait(ucs_status_ptr_t request)
{
    if (request == NULL)
        return;
    if (UCS_PTR_IS_ERR(request))
        raw_fail("starting an operation", UCS_PTR_STATUS(request));
    while (ucp_request_check_status(request) == UCS_INPROGRESS)
        ucp_worker_progress(raw.worker);
    raw_check("an operation", ucp_request_check_status(request));
    ucp_request_free(request);
}

static const ucp_request_param_t raw_plain;

static inline void shmem_quiet(void)
{
    for (int pe = 0; pe < raw.pes; pe++)
        if (raw.written[pe]) {
            raw_wait(ucp_ep_flush_nbx(raw.endpoint[pe], &raw_plain));
            raw.written[pe] = false;
        }
    while (raw.pending > 0)
        ucp_worker_progress(raw.worker);
}

static inline void shmem_fence(void)
{
    raw_check("ucp_worker_fence", ucp_worker_fence(raw.worker));
}

static inline void shmem_putmem(void *dest, const void *source, size_t bytes, int pe)
{
    raw.written[pe] = true;
    raw_wait(ucp_put_nbx(raw.endpoint[pe], source, bytes, (uintptr_t)dest, raw.key[pe], &raw_plain));
}

static inline void shmem_putmem_nbi(void *dest, const void *source, size_t bytes, int pe)
{
    raw.written[pe] = true;
    raw_started(ucp_put_nbx(raw.endpoint[pe], source, bytes, (uintptr_t)dest, raw.key[pe], &raw_counted));
}

static inline void shmem_getmem(void *dest, const void *source, size_t bytes, int pe)
{
    raw_wait(ucp_get_nbx(raw.endpoint[pe], dest, bytes, (uintptr_t)source, raw.key[pe], &raw_plain));
}

static inline void shmem_getmem_nbi(void *dest, const void *source, size_t bytes, int pe)
{
    raw_started(ucp_get_nbx(raw.endpoint[pe], dest, bytes, (uintptr_t)source, raw.key[pe], &raw_counted));
}

static inline void shmem_long_put(long *dest, const long *source, size_t n, int pe)
{
    shmem_putmem(dest, source, n * sizeof *dest, pe);
}

static inline void shmem_long_put_nbi(long *dest, const long *source, size_t n, int pe)
{
    shmem_putmem_nbi(dest, source, n * sizeof *dest, pe);
}

static inline void shmem_long_get(long *dest, const long *source, size_t n, int pe)
{
    shmem_getmem(dest, source, n * sizeof *dest, pe);
}

static inline void shmem_long_get_nbi(long *dest, const long *source, size_t n, int pe)
{
    shmem_getmem_nbi(dest, source, n * sizeof *dest, pe);
}

static inline void shmem_long_p(long *dest, long value, int pe)
{
    shmem_putmem(dest, &value, sizeof value, pe);
}

static inline void shmem_uint64_p(uint64_t *dest, uint64_t value, int pe)
{
    shmem_putmem(dest, &value, sizeof value, pe);
}

static inline long shmem_long_g(const long *source, int pe)
{
    long value;
    shmem_getmem(&value, source, sizeof value, pe);
    return value;
}

static inline long raw_atomic(ucp_atomic_op_t op, long *word, long operand, long reply, int pe)
{
    ucp_request_param_t fetching = {.op_attr_mask = UCP_OP_ATTR_FIELD_REPLY_BUFFER | UCP_OP_ATTR_FIELD_DATATYPE,
                                    .reply_buffer = &reply, .datatype = ucp_dt_make_contig(sizeof operand)};
    raw_wait(ucp_atomic_op_nbx(raw.endpoint[pe], op, &operand, 1, (uintptr_t)word, raw.key[pe], &fetching));
    return reply;
}

static inline long shmem_long_atomic_fetch_add(long *word, long value, int pe)
{
    return raw_atomic(UCP_ATOMIC_OP_ADD, word, value, 0, pe);
}

static inline long shmem_long_atomic_compare_swap(long *word, long expected, long value, int pe)
{
    return raw_atomic(UCP_ATOMIC_OP_CSWAP, word, expected, value, pe);
}

static inline void shmem_long_atomic_add(long *word, long value, int pe)
{
    ucp_request_param_t posted = raw_counted;
    posted.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
    posted.datatype = ucp_dt_make_contig(sizeof value);
    raw.written[pe] = true;
    /* Its operand has been copied on return. */
    raw_started(
        ucp_atomic_op_nbx(raw.endpoint[pe], UCP_ATOMIC_OP_ADD, &value, 1, (uintptr_t)word, raw.key[pe], &posted));
}

static inline void shmem_uint64_wait_until(uint64_t *word, int comparison, uint64_t value)
{
    (void)comparison;
    while (atomic_load_explicit((_Atomic uint64_t *)word, memory_order_acquire) != value)
        ucp_worker_progress(raw.worker);
}

/* A flag of one's own with each other PE.  It needs no flush: that it has come is what the others wait for. */
static inline void shmem_sync_all(void)
{
    uint64_t round = ++raw.barriers, *mine = &raw.arrivals[raw.pe].barrier;
    for (int pe = 0; pe < raw.pes; pe++)
        if (pe != raw.pe)
            raw_wait(ucp_put_nbx(raw.endpoint[pe], &round, sizeof round, (uintptr_t)mine, raw.key[pe], &raw_plain));
    for (int pe = 0; pe < raw.pes; pe++)
        while (pe != raw.pe && *(volatile uint64_t *)&raw.arrivals[pe].barrier < round)
            ucp_worker_progress(raw.worker);
}

static inline void shmem_barrier_all(void)
{
    shmem_quiet();
    shmem_sync_all();
}

static inline void *shmem_ptr(const void *mine, int pe)
{
    (void)mine, (void)pe;
    return NULL;
}

static inline int shmem_my_pe(void)
{
    return raw.pe;
}

static inline int shmem_n_pes(void)
{
    return raw.pes;
}

static inline void shmem_global_exit(int code)
{
    _exit(code);
}

static inline void *shmem_align(size_t alignment, size_t bytes)
{
    char *p = (char *)(((uintptr_t)raw.free + alignment - 1) / alignment * alignment);
    if (p + bytes > (char *)RAW_ADDRESS + RAW_HEAP_BYTES)
        return NULL;
    raw.free = p + bytes;
    return p;
}

/* The number that the launcher gave: bench/floor/node/launch's, or Open MPI's mpirun's. */
static inline int raw_number(const char *floor, const char *open_mpi)
{
    const char *text = getenv(floor) ? getenv(floor) : getenv(open_mpi);
    return text ? atoi(text) : -1;
}

static inline void raw_publish(ucp_mem_h memory)
{
    struct raw_card *card = &raw.shared->cards[raw.pe];
    ucp_address_t *address;
    void *key;
    size_t address_bytes, key_bytes;
    raw_check("ucp_worker_get_address", ucp_worker_get_address(raw.worker, &address, &address_bytes));
    raw_check("ucp_rkey_pack", ucp_rkey_pack(raw.context, memory, &key, &key_bytes));
    if (address_bytes + key_bytes > RAW_CARD_BYTES)
        raw_fail("the address", UCS_ERR_BUFFER_TOO_SMALL);
    memcpy(card->bytes, address, address_bytes);
    memcpy(card->bytes + address_bytes, key, key_bytes);
    card->key_at = address_bytes;
    atomic_store(&card->ready, true);
    ucp_worker_release_address(raw.worker, address);
    ucp_rkey_buffer_release(key);
}

static inline void raw_connect(int pe)
{
    struct raw_card *card = &raw.shared->cards[pe];
    while (!atomic_load(&card->ready))
        usleep(100);
    ucp_ep_params_t to = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS, .address = (ucp_address_t *)card->bytes};
    raw_check("ucp_ep_create", ucp_ep_create(raw.worker, &to, &raw.endpoint[pe]));
    raw_check("ucp_ep_rkey_unpack", ucp_ep_rkey_unpack(raw.endpoint[pe], card->bytes + card->key_at, &raw.key[pe]));
}

static inline void shmem_init(void)
{
    raw.pe = raw_number("FLOOR_PE", "OMPI_COMM_WORLD_RANK");
    raw.pes = raw_number("FLOOR_PES", "OMPI_COMM_WORLD_SIZE");
    const char *file = getenv(RAW_FILE);
    int fd = file ? open(file, O_RDWR | O_CREAT, 0600) : -1;
    if (raw.pe < 0 || raw.pes < 1 || raw.pes > RAW_MAX_PES || fd < 0 || ftruncate(fd, sizeof *raw.shared) != 0) {
        fprintf(stderr, "raw UCP: BENCH_RAW_FILE and a launcher that numbers the processes are needed\n");
        exit(2);
    }
    raw.shared = mmap(NULL, sizeof *raw.shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *heap = mmap((void *)RAW_ADDRESS, RAW_HEAP_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (raw.shared == MAP_FAILED || heap == MAP_FAILED)
        raw_fail("mmap", UCS_ERR_NO_MEMORY);
    close(fd);
    raw.arrivals = (struct raw_arrival *)heap;
    raw.free = heap + sizeof *raw.arrivals * RAW_MAX_PES;

    ucp_params_t features = {.field_mask = UCP_PARAM_FIELD_FEATURES, .features = UCP_FEATURE_RMA | UCP_FEATURE_AMO64};
    ucp_worker_params_t single = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SINGLE};
    ucp_mem_map_params_t map = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
                                .address = heap, .length = RAW_HEAP_BYTES};
    ucp_mem_h memory;
    raw_check("ucp_init", ucp_init(&features, NULL, &raw.context));
    raw_check("ucp_worker_create", ucp_worker_create(raw.context, &single, &raw.worker));
    raw_check("ucp_mem_map", ucp_mem_map(raw.context, &map, &memory));
    raw_publish(memory);
    for (int pe = 0; pe < raw.pes; pe++)
        raw_connect(pe);
    shmem_barrier_all();
}

/* Leaves when nobody waits any more for an answer of this process. */
static inline void shmem_finalize(void)
{
    shmem_barrier_all();
    atomic_fetch_add(&raw.shared->finished, 1);
    while (atomic_load(&raw.shared->finished) < raw.pes)
        ucp_worker_progress(raw.worker);
}

#endif
