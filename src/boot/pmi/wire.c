/* The connection to the launcher.
 *
 * It is open until the process exits, because a process can join only once. It is closed in a child, which is no PE and
 * may live longer. */
#include "boot/pmi/pmi.h"

#include "boot/kit/kit.h"
#include "common/clock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANSWER_MS = 60000, FOREVER = -1 };

static struct {
    int fd; /* -1: closed */
    pthread_mutex_t lock;
    size_t have; /* bytes that have arrived beyond the lines that were read */
    char text[WIRE_LINE];
    bool broken; /* replies may not match requests any more */
    _Atomic bool aborted;
} wire = {.fd = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* The beginning of a line, for a message. */
static const char *shown(char text[120], const char *line)
{
    snprintf(text, 120, "%.*s%s", 100, line, strlen(line) > 100 ? "..." : "");
    for (char *c = text; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
    return text;
}

static const char *lost(void)
{
    wire.broken = true;
    return "the launcher has closed its connection (PMI_FD): it has ended, or this process has left its job before, in "
           "another program or by MPI_Finalize";
}

static const char *send_line(const char *line, size_t bytes)
{
    while (bytes) {
        const ssize_t sent = send(wire.fd, line, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return lost();
        line += sent > 0 ? sent : 0;
        bytes -= sent > 0 ? (size_t)sent : 0;
    }
    return NULL;
}

/* Waits for more bytes; false if none arrive in time, or the connection has ended. */
static bool receive(int64_t deadline, const char **why)
{
    struct pollfd readable = {.fd = wire.fd, .events = POLLIN};
    const int64_t left = deadline - (int64_t)(clock_told() / 1000000);
    const int n = poll(&readable, 1, deadline == FOREVER ? -1 : left > 0 ? (int)left : 0);
    if (n == 0) {
        wire.broken = true;
        *why = kit_sentence("the launcher has not replied within %d s", ANSWER_MS / 1000);
        return false;
    }
    const ssize_t got = n < 0 ? -1 : recv(wire.fd, wire.text + wire.have, sizeof wire.text - wire.have, MSG_DONTWAIT);
    if (got > 0)
        wire.have += (size_t)got;
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        *why = lost();
    return !*why;
}

/* The next line, without its end. */
static const char *read_line(char line[WIRE_LINE], int ms)
{
    const int64_t deadline = ms == FOREVER ? FOREVER : (int64_t)(clock_told() / 1000000) + ms;
    const char *why = NULL, *end;
    while (!(end = memchr(wire.text, '\n', wire.have))) {
        if (wire.have == sizeof wire.text) {
            char text[120];
            wire.broken = true;
            wire.text[WIRE_LINE - 1] = '\0';
            return kit_sentence("the launcher sends a line of more than %d characters, \"%s\"", WIRE_LINE - 1,
                                shown(text, wire.text));
        }
        if (!receive(deadline, &why))
            return why;
    }
    const size_t length = (size_t)(end - wire.text);
    memcpy(line, wire.text, length);
    line[length] = '\0';
    wire.have -= length + 1;
    memmove(wire.text, end + 1, wire.have);
    return NULL;
}

const char *wire_field(const char *answer, const char *name, char *value, size_t room)
{
    const size_t length = strlen(name);
    for (const char *at = answer; *at; at += strspn(at, " ")) {
        const size_t all = strcspn(at, " ");
        if (all > length && strncmp(at, name, length) == 0 && at[length] == '=') {
            const size_t bytes = all - length - 1;
            if (bytes >= room) /* MUTANT a launcher's field fits */
                return NULL;
            memcpy(value, at + length + 1, bytes);
            value[bytes] = '\0';
            return value;
        }
        at += all;
    }
    return NULL;
}

/* --- requests ----------------------------------------------------------------------------------------------------- */

/* NULL if the reply matches the request and is no refusal; else a sentence. */
static const char *judge(const char *answer, const char *expected, const char *question)
{
    char cmd[32], rc[16], texts[2][120];
    if (!wire_field(answer, "cmd", cmd, sizeof cmd) || strcmp(cmd, expected) != 0) {
        wire.broken = true;
        return kit_sentence("the launcher replied \"%s\" to \"%s\", expected was cmd=%s", shown(texts[0], answer),
                            shown(texts[1], question), expected);
    }
    if (wire_field(answer, "rc", rc, sizeof rc) && strcmp(rc, "0") != 0)
        return kit_sentence("the launcher refuses \"%s\": \"%s\"", shown(texts[1], question), shown(texts[0], answer));
    return NULL;
}

static const char failed_before[] = "the connection to the launcher has failed before";

static const char *ask(char answer[WIRE_LINE], const char *expected, int ms, const char *question)
{
    char line[WIRE_LINE];
    const int length = snprintf(line, sizeof line, "%s\n", question);
    pthread_mutex_lock(&wire.lock);
    const char *why = wire.broken ? failed_before : NULL;
    if (!why)
        why = send_line(line, (size_t)length);
    if (!why)
        why = read_line(answer, ms);
    if (!why)
        why = judge(answer, expected, question);
    pthread_mutex_unlock(&wire.lock);
    return why;
}

const char *wire_ask(char answer[WIRE_LINE], const char *expected, const char *fmt, ...)
{
    char question[WIRE_LINE - 1];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(question, sizeof question, fmt, ap);
    va_end(ap);
    return ask(answer, expected, ANSWER_MS, question);
}

/* Other threads' requests wait until the barrier is complete. */
const char *wire_meet(void)
{
    char answer[WIRE_LINE];
    return ask(answer, "barrier_out", FOREVER, "cmd=barrier_in");
}

/* Uses one send, so that another thread's line stays in one piece. */
void wire_abort(int code)
{
    char line[64];
    const int length = snprintf(line, sizeof line, "cmd=abort exitcode=%d\n", code);
    if (!atomic_exchange(&wire.aborted, true) && wire.fd >= 0 &&
        send(wire.fd, line, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) { /* the launcher has ended */ }
}

bool wire_is_aborted(void)
{
    return wire.aborted;
}

int wire_descriptor(void)
{
    return wire.fd;
}

void wire_move(int fd)
{
    const int number = wire.fd, own = fcntl(number, F_DUPFD_CLOEXEC, 0);
    if (own >= 0 && dup3(fd, number, O_CLOEXEC) == number)
        wire.fd = own;
    else if (own >= 0)
        close(own);
}

/* Forwards one line of any length. */
static const char *pass_line(int to)
{
    for (;;) {
        const char *why = NULL, *end = memchr(wire.text, '\n', wire.have);
        const size_t bytes = end ? (size_t)(end - wire.text) + 1 : wire.have;
        if (send(to, wire.text, bytes, MSG_NOSIGNAL) < 0) { /* MPI is gone; the line must be read anyway */ }
        wire.have -= bytes;
        memmove(wire.text, wire.text + bytes, wire.have);
        if (end)
            return NULL;
        receive(FOREVER, &why);
        if (why)
            return why;
    }
}

const char *wire_pass(const char *command, size_t bytes, int to)
{
    pthread_mutex_lock(&wire.lock);
    const char *why = wire.broken ? failed_before : send_line(command, bytes);
    if (!why && to >= 0)
        why = pass_line(to);
    pthread_mutex_unlock(&wire.lock);
    return why;
}

/* --- the beginning and the end ------------------------------------------------------------------------------------ */

static void drop(void)
{
    kit_shut(&wire.fd);
}

/* Called at exit: without this command, a launcher treats the end of the process as an error. */
static void leave(void)
{
    char answer[WIRE_LINE];
    if (wire.fd >= 0 && !wire.aborted && !wire.broken)
        ask(answer, "finalize_ack", 5000, "cmd=finalize");
    drop();
}

static const char *take_descriptor(void)
{
    struct stat status;
    int fd;
    const bool is_open = kit_number(SETTING_PMI_FD, &fd) && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
    if (!is_open || fstat(fd, &status) != 0 || !S_ISSOCK(status.st_mode))
        return kit_sentence("environment variable PMI_FD is \"%s\", which is %s; programs between mpiexec or srun "
                            "and this program must leave it open", setting_text(SETTING_PMI_FD),
                            is_open ? "no connection to a launcher" : "not an open descriptor");
    wire.fd = fd;
    return NULL;
}

const char *wire_open(struct wire_place *place)
{
    char answer[WIRE_LINE], text[120];
    if (!kit_number(SETTING_PMI_SIZE, &place->n_pes) || !kit_number(SETTING_PMI_RANK, &place->pe) ||
        place->pe >= place->n_pes)
        return kit_sentence("environment variable PMI_RANK is \"%s\" and PMI_SIZE is \"%s\", allowed is a rank from 0 "
                            "and a number of processes above it", setting_text(SETTING_PMI_RANK),
                            setting_text(SETTING_PMI_SIZE));
    const char *why = take_descriptor();
    if (!why)
        why = wire_ask(answer, "response_to_init", "cmd=init pmi_version=1 pmi_subversion=1");
    if (!why)
        why = wire_ask(answer, "my_kvsname", "cmd=get_my_kvsname");
    if (!why && !wire_field(answer, "kvsname", place->job, sizeof place->job))
        why = kit_sentence("the launcher names no store of values: \"%s\"", shown(text, answer));
    if (why) {
        drop();
        return why;
    }
    pthread_atfork(NULL, NULL, drop);
    atexit(leave);
    return NULL;
}
