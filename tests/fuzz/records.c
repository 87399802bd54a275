/* sources: src/net/amo.c src/net/call.c src/net/called.c src/net/card.c src/net/context.c src/net/failure.c */
/* sources: src/net/message.c src/net/op.c src/net/peer.c src/net/port.c src/net/private.c src/net/progress.c */
/* sources: src/net/rma.c src/net/serve.c src/net/start.c src/net/state.c src/net/strided.c src/net/thread.c */
/* sources: src/net/tune.c src/net/choice.c src/net/ports.c src/net/region.c src/net/hold.c */
/* sources: src/job/settings.c src/job/setting_values.c */
/* flags: -Wl,--wrap=process_vm_readv,--wrap=process_vm_writev */
/* parser: src/net/serve.c src/net/called.c */
/* Messages full of records, as PEs of other nodes send them (src/net/record.h). In the input, each message begins with
 * two bytes that give its length. Before the messages this PE has sent requests, and awaits the replies. */
#include "given.h"

#include "../unit/net_alone.h"

#include "net/called.h"
#include "net/serve.h"

#include <errno.h>

enum { PES = 8, MESSAGE = 1024, AWAITED = 512 };

static struct provider_endpoint endpoints[PES];
static struct provider_endpoint *endpoint_of(int pe) { return &endpoints[pe]; }
static char *memory, *answers; /* with inaccessible pages around them */
enum { BYTES = 1 << 12 };

bool send_beside(pid_t thread, int processor) { (void)thread, (void)processor; return false; }
bool job_note_death(int pe) { if (pe < 0 || pe >= PES) abort(); return true; }
enum job_pe_state job_state_of(int pe) { if (pe < 0 || pe >= PES) abort(); return JOB_PE_RUNNING; }
void wait_slowly(struct wait *w) { (void)w; abort(); }
void *place_here(place at, size_t bytes)
{
    return at <= BYTES && bytes <= BYTES - at ? memory + at : NULL;
}

/* Memory outside the heap: RECORD_READ and RECORD_WRITE may access any address of the process. */
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n, const struct iovec *from,
                                unsigned long m, unsigned long flags);
ssize_t __wrap_process_vm_writev(pid_t pid, const struct iovec *from, unsigned long n, const struct iovec *to,
                                 unsigned long m, unsigned long flags);
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *to, unsigned long n, const struct iovec *from,
                                unsigned long m, unsigned long flags)
{
    (void)pid, (void)n, (void)m, (void)flags;
    memset(to->iov_base, 1, to->iov_len);
    errno = EFAULT;
    return (uintptr_t)from->iov_base % 2 ? -1 : (ssize_t)to->iov_len;
}
ssize_t __wrap_process_vm_writev(pid_t pid, const struct iovec *from, unsigned long n, const struct iovec *to,
                                 unsigned long m, unsigned long flags)
{
    static volatile unsigned char sum;
    (void)pid, (void)n, (void)to, (void)m, (void)flags;
    for (size_t i = 0; i < from->iov_len; i++)
        sum += ((const unsigned char *)from->iov_base)[i];
    return (ssize_t)from->iov_len;
}

static bool send(struct provider_endpoint *to, const void *data, size_t bytes, bool with_reply, provider_done *done,
                 void *arg)
{
    (void)to, (void)with_reply, (void)done, (void)arg;
    if (bytes > MESSAGE || (data && ((const struct message_head *)data)->magic != MESSAGE_MAGIC))
        abort();
    return true;
}
static bool flush(struct provider_endpoint *to, provider_done *done, void *arg)
{
    (void)to, (void)done, (void)arg;
    return true;
}
static bool progress(struct provider_port *port) { (void)port; return false; }

static void let_go(void *data) { free(data); }

/* The program's function: the length of its result is the number in it. */
static void run(uint32_t number, int from, void *args, size_t bytes, struct net_reply *reply)
{
    static volatile unsigned char sum;
    (void)from;
    for (size_t i = 0; i < bytes; i++)
        sum += ((unsigned char *)args)[i];
    if (!reply)
        return;
    reply->head_bytes = number % (NET_REPLY_HEAD + 1);
    memset(reply->head, 0, reply->head_bytes);
    reply->bytes = number >> 16;
    reply->data = calloc(reply->bytes + 1, 1);
    reply->release = let_go;
}

static void released(void (*release)(void *data), void *data)
{
    release(data);
}

static _Noreturn void give_up(void)
{
    longjmp(refused, 1);
}

static void start(void)
{
    memory = malloc(BYTES);
    fake.send = send;
    fake.flush = flush;
    fake.progress = progress;
    start_net(PES, memory, BYTES, MESSAGE, "");
    net_called = run;
    net_released = released;
    net_gives_up = give_up;
    for (int pe = 1; pe < PES; pe++)
        peer_of(&net_port, pe);
}

/* Replies are expected to two requests to PE 1, for bytes and for blocks. */
static void ask(void)
{
    struct peer *peer = net_port.peers[1];
    answers = malloc(AWAITED);
    for (int i = 0; i < 2; i++) {
        struct op *op = op_new(&net_port);
        op->dest = (unsigned char *)answers;
        op->block = i ? 8 : 0;
        op->step = i ? 16 : 0;
        op->room = i ? AWAITED / 16 : AWAITED;
        op_owe(op, peer);
        op_ask(op);
        op_ask(op);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (!memory) {
        start();
        port_lock(&net_port);
    }
    ask();
    while (bytes >= 2) {
        size_t now = data[0] | (size_t)data[1] << 8;
        now = now < bytes - 2 ? now : bytes - 2;
        char *const message = malloc(now);
        memcpy(message, data + 2, now);
        if (setjmp(refused) == 0) {
            calls->message(&net_port, message, now, now % 5 ? endpoint_of(1) : NULL);
            if (net_port.waiting)
                serve_waiting(&net_port);
        }
        free(message);
        net_port.calling = false;
        data += 2 + now;
        bytes -= 2 + now;
    }
    serve_end(&net_port);
    op_free_all(&net_port);
    free(answers);
    return 0;
}
