/* sources: src/boot/pmi/keys.c src/boot/pmi/layout.c src/boot/kit/kit.c src/boot/kit/hand.c src/job/settings.c */
/* flags: -Wl,--wrap=recv,--wrap=poll,--wrap=send,--wrap=fstat,--wrap=close */
/* parser: src/boot/pmi/wire.c src/boot/pmi/keys.c src/boot/pmi/layout.c */
/* The messages of a PMI-1 launcher. The first byte is the size of the segments in which they arrive, the second the
 * number of PEs; the rest of the input is the replies. */
#include "given.h"

#include "boot/kit/kit.h"
#include "boot/pmi/pmi.h"

#define pthread_atfork(before, parent, child) (void)(child)
#define atexit(what) (void)(what)
#include "../../src/boot/pmi/wire.c" /* included, so that each input can begin with the initial state */

enum { WIRE = 200 };
static size_t part;
int __real_close(int fd);
int __real_fstat(int fd, struct stat *status);

ssize_t __wrap_recv(int fd, void *to, size_t room, int flags)
{
    (void)fd, (void)flags;
    const size_t n = given_bytes < part ? given_bytes : part, now = n < room ? n : room;
    memcpy(to, given, now);
    give(given + now, given_bytes - now);
    return (ssize_t)now;
}

int __wrap_poll(struct pollfd *fds, nfds_t n, int ms) { (void)fds, (void)n, (void)ms; return 1; }
ssize_t __wrap_send(int fd, const void *data, size_t n, int flags)
{
    (void)fd, (void)data, (void)flags;
    return (ssize_t)n;
}
int __wrap_close(int fd) { return fd == WIRE ? 0 : __real_close(fd); }

int __wrap_fstat(int fd, struct stat *status)
{
    if (fd != WIRE)
        return __real_fstat(fd, status);
    status->st_mode = S_IFSOCK;
    return 0;
}

static void join(int n_pes)
{
    struct wire_place place;
    char number[12], answer[WIRE_LINE], mapping[WIRE_LINE];
    unsigned char card[VALUE_BYTES];
    const char *why = NULL;
    snprintf(number, sizeof number, "%d", n_pes);
    setenv("PMI_SIZE", number, 1);
    if (wire_open(&place))
        return;
    struct boot_layout layout = {.n_pes = place.n_pes};
    if (!wire_ask(answer, "get_result", "cmd=get kvsname=%s key=PMI_process_mapping", place.job) &&
        wire_field(answer, "value", mapping, sizeof mapping))
        layout_find(mapping, &layout);
    const struct values store = {.job = place.job, .epoch = 1};
    for (int pe = 0; pe < 3 && !why; pe++) {
        why = values_put(&store, "card", pe, card, 40 * (size_t)pe);
        if (!why)
            values_get(&store, "card", pe, card, pe ? sizeof card : 8, &why);
    }
    if (!wire_meet())
        leave();
    else
        wire_abort(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes < 2)
        return 0;
    dup2(0, WIRE);
    setenv("PMI_FD", "200", 1);
    setenv("PMI_RANK", "0", 1);
    wire.fd = -1;
    wire.have = 0;
    wire.broken = false;
    wire.aborted = false;
    part = 1 + (size_t)data[0] * 8;
    give(data + 2, bytes - 2);
    join(data[1]);
    return 0;
}
