/* MPICH and MPIs derived from it also read PMI_FD, and finalize PMI in MPI_Finalize or at exit. A process may finalize
 * PMI only once, and Copal may need the launcher until the process exits. Therefore PMI_FD becomes one end of a pair of
 * sockets; a thread at the other end forwards MPI's commands, and replies to the finalize command itself.
 *
 * The thread runs until the process ends: MPICH 5 finalizes PMI in an exit handler, perhaps after Copal's. */
#include "boot/pmi/pmi.h"

#include "boot/kit/kit.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

static struct {
    int fd;
    size_t have;
    char text[1 << 16]; /* MPI_Comm_spawn's arguments are one command */
} guest;

static bool begins(const char *word)
{
    return strncmp(guest.text, word, strlen(word)) == 0;
}

/* The length of the first command in the text; 0: it has not arrived completely. */
static size_t command_bytes(void)
{
    static const char last[] = "\nendcmd\n"; /* ends a command of several lines (mcmd=...) */
    const char *end = begins("mcmd=") ? memmem(guest.text, guest.have, last, sizeof last - 1)
                                      : memchr(guest.text, '\n', guest.have);
    const size_t ending = begins("mcmd=") ? sizeof last - 1 : 1;
    return end ? (size_t)(end - guest.text) + ending : 0;
}

static bool answer(const char *line)
{
    return send(guest.fd, line, strlen(line), MSG_NOSIGNAL) > 0;
}

static bool serve(size_t bytes)
{
    if (begins("cmd=finalize"))
        return answer("cmd=finalize_ack rc=0\n");
    if (begins("cmd=init pmi_version=2")) /* the connection is one of PMI-1 */
        return answer("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1\n");
    return !wire_pass(guest.text, bytes, begins("cmd=abort") ? -1 : guest.fd);
}

static void *run(void *unused)
{
    (void)unused;
    for (;;) {
        const size_t bytes = command_bytes();
        if (bytes) {
            if (!serve(bytes))
                break;
            guest.have -= bytes;
            memmove(guest.text, guest.text + bytes, guest.have);
            continue;
        }
        const ssize_t got = recv(guest.fd, guest.text + guest.have, sizeof guest.text - guest.have, 0);
        if (got > 0)
            guest.have += (size_t)got;
        else if (got == 0 || errno != EINTR) /* MPI has closed its end, or its command is too long */
            break;
    }
    shutdown(guest.fd, SHUT_RDWR); /* MPI reports the error */
    return NULL;
}

void guest_begin(void)
{
    int end[2];
    pthread_t thread;
    if (!dlsym(RTLD_DEFAULT, "MPI_Initialized") || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) != 0)
        return;
    guest.fd = end[0];
    if (kit_thread(&thread, run)) {
        pthread_detach(thread);
        wire_move(end[1]);
    } else {
        close(end[0]);
    }
    close(end[1]); /* if wire_move has failed, the thread now ends */
}
