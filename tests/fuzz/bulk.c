/* sources: src/net/ucx/operation.c src/net/ucx/bulk.c src/net/ucx/port.c */
/* needs: ucp/api/ucp.h */
/* parser: src/net/ucx/bulk.c src/net/ucx/port.c */
/* Active messages as another process sends them over UCX. In the input, each message's number, header length and data
 * length precede the message. The functions of this file replace UCX: they accept messages, and all connections
 * succeed. Before the input, this PE has started puts and gets, and waits for their replies. */
#include "given.h"

#include "net/ucx/ucx.h"

#include <sys/mman.h>

enum { HEADER_MOST = 1024 + sizeof(struct ucx_head), PAGE = 4096, WANTED = 512, PEER = 2 };

static char *const memory = (char *)0x20000000; /* a page between two inaccessible pages */
static const void *worker = "worker";
static ucp_am_recv_callback_t came[UCX_KINDS];
static void *came_arg[UCX_KINDS];
static volatile unsigned char sum;

ucp_context_h ucx_context;
void ucx_listen(void) {}
void ucx_hush(void) {}
const char *ucx_why(ucs_status_t status) { (void)status; return "no reason"; }

bool ucx_memory_is_open(uint64_t at, size_t bytes)
{
    const uint64_t first = (uintptr_t)memory;
    return at >= first && at - first <= PAGE && bytes <= PAGE - (at - first);
}

/* --- UCX ---------------------------------------------------------------------------------------------------------- */

ucs_status_t ucp_worker_create(ucp_context_h context, const ucp_worker_params_t *params, ucp_worker_h *made)
{
    (void)context, (void)params;
    *made = (ucp_worker_h)(uintptr_t)&worker;
    return UCS_OK;
}
ucs_status_t ucp_worker_query(ucp_worker_h w, ucp_worker_attr_t *attr)
{
    (void)w;
    attr->max_am_header = HEADER_MOST;
    return UCS_OK;
}
ucs_status_t ucp_worker_get_address(ucp_worker_h w, ucp_address_t **address, size_t *bytes)
{
    (void)w;
    *bytes = 32;
    *address = calloc(1, *bytes);
    return UCS_OK;
}
void ucp_worker_release_address(ucp_worker_h w, ucp_address_t *address) { (void)w; free(address); }
void ucp_worker_destroy(ucp_worker_h w) { (void)w; }
unsigned ucp_worker_progress(ucp_worker_h w);
ucs_status_t ucp_worker_get_efd(ucp_worker_h w, int *fd) { (void)w; *fd = 0; return UCS_OK; }
ucs_status_t ucp_worker_arm(ucp_worker_h w) { (void)w; return UCS_OK; }
ucs_status_ptr_t ucp_worker_flush_nbx(ucp_worker_h w, const ucp_request_param_t *param)
{
    (void)w, (void)param;
    return NULL;
}
ucs_status_t ucp_request_check_status(void *request) { (void)request; return UCS_OK; }
void ucp_request_free(void *request) { (void)request; }
ucs_status_t ucp_ep_create(ucp_worker_h w, const ucp_ep_params_t *params, ucp_ep_h *made)
{
    (void)w;
    sum += *(const unsigned char *)params->address;
    *made = (ucp_ep_h)(uintptr_t)&worker;
    return UCS_OK;
}
ucs_status_ptr_t ucp_ep_close_nbx(ucp_ep_h ep, const ucp_request_param_t *param) { (void)ep, (void)param; return NULL; }

ucs_status_t ucp_worker_set_am_recv_handler(ucp_worker_h w, const ucp_am_handler_param_t *param)
{
    (void)w;
    came[param->id] = param->cb;
    came_arg[param->id] = param->arg;
    return UCS_OK;
}

/* Reads all bytes, as a transfer would. */
ucs_status_ptr_t ucp_am_send_nbx(ucp_ep_h ep, unsigned id, const void *header, size_t header_bytes, const void *data,
                                 size_t bytes, const ucp_request_param_t *param)
{
    (void)ep, (void)param;
    if (id >= UCX_KINDS || header_bytes > sizeof(struct ucx_request) + (id == UCX_PUT ? PROVIDER_BEHIND : 0))
        abort();
    for (size_t i = 0; i < header_bytes; i++)
        sum += ((const unsigned char *)header)[i];
    for (size_t i = 0; i < bytes; i++)
        sum += ((const unsigned char *)data)[i];
    return NULL;
}

/* --- the net ------------------------------------------------------------------------------------------------------ */

static void message(void *user, const void *data, size_t bytes, struct provider_endpoint *reply)
{
    (void)user, (void)reply;
    for (size_t i = 0; i < bytes; i++)
        sum += ((const unsigned char *)data)[i];
}
static void broken(void *user, struct provider_endpoint *endpoint, const char *why)
{
    (void)user, (void)endpoint, (void)why;
}
static void stranger(void *user) { (void)user; }
static void outside(void *user, uint64_t at, size_t bytes) { (void)user, (void)at, (void)bytes; }
static void done(void *arg, bool failed) { *(int *)arg += failed ? 1 : 2; }

static struct provider_port *open_port(void)
{
    static const struct provider_upcalls upcalls = {
        .message = message, .broken = broken, .stranger = stranger, .outside = outside};
    const char *why;
    struct provider_port *port = ucx_open(&upcalls, NULL, &why);
    if (!port || !ucx_bulk_receive(port))
        abort();
    port->own->id = 1;
    port->own->secret = (struct secret){0};
    return port;
}

/* A message of the input, with each part limited to its length; returns the length used. */
static size_t receive(const uint8_t *data, size_t bytes)
{
    const unsigned id = data[0] % UCX_KINDS;
    const size_t left = bytes - 3, header_bytes = data[1] < left ? data[1] : left;
    const size_t data_bytes = data[2] * (size_t)4 < left - header_bytes ? data[2] * (size_t)4 : left - header_bytes;
    char *const header = malloc(header_bytes + 1), *const text = malloc(data_bytes);
    const ucp_am_recv_param_t param = {.recv_attr = data[0] >= 128 ? UCP_AM_RECV_ATTR_FLAG_RNDV : 0};
    memcpy(header, data + 3, header_bytes);
    memcpy(text, data + 3 + header_bytes, data_bytes);
    came[id](came_arg[id], header, header_bytes, text, data_bytes, &param);
    free(header);
    free(text);
    return 3 + header_bytes + data_bytes;
}

static const uint8_t *next;
static size_t left;

unsigned ucp_worker_progress(ucp_worker_h w)
{
    (void)w;
    for (int i = 0; i < 4 && left >= 3; i++) {
        const size_t taken = receive(next, left);
        next += taken;
        left -= taken;
    }
    return left >= 3;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static char put_bytes[100000], address[sizeof(struct ucx_address) + 8];
    const char *why;
    int told = 0;
    if (mmap(memory - PAGE, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED ||
        mprotect(memory, PAGE, PROT_READ | PROT_WRITE) != 0)
        abort();
    memcpy(address, &(struct ucx_address){.id = PEER}, sizeof(struct ucx_address));
    struct provider_port *port = open_port();
    struct provider_endpoint *peer = ucx_connect(port, address, sizeof address, &why);
    unsigned char *const dest = malloc(WANTED);
    ucx_bulk_get(peer, 0, dest, WANTED, done, &told); /* its token is 1 */
    ucx_bulk_put(peer, 0, put_bytes, sizeof put_bytes, NULL, 0, done, &told);
    ucx_bulk_put(peer, 0, put_bytes, 100, put_bytes, 8, done, &told);
    ucx_bulk_flush(peer, done, &told);
    next = data;
    left = bytes;
    while (ucx_progress(port))
        ;
    if (bytes % 2) {
        ucx_break(peer);
        ucx_progress(port);
        ucx_disconnect(port, peer);
    }
    ucx_close(port);
    free(dest);
    return 0;
}
