/* The bootstrap module for jobs that MPICH's or Intel's mpiexec (Hydra), srun --mpi=pmi2 or flux run has started:
 * PMI-1, lines of text over the descriptor that PMI_FD names. It needs no library.
 *
 * PMI-1 offers short text values, a barrier, and the end of the job. It does not report deaths, so these jobs cannot
 * outlive their PEs.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   wire        the connection: requests and replies, a line each
 *   guest       MPI's use of the same connection
 *   keys        values that PEs publish, as texts of the length that launchers accept
 *   layout      the nodes of the PEs, if the launcher lists them
 *   watch       the failure detector: of the launcher, and of a PE of this node
 *   by_pmi      joining, endpoint addresses, the end */
#pragma once

#include "boot/boot.h"

#include <stddef.h>

/* wire.c: the connection to the launcher: requests and replies, a line each. */

/* What the launcher says about this process. wire_open joins; a process can do so only once. */
struct wire_place {
    int pe, n_pes;
    char job[257]; /* the name of the job's store of values */
};
const char *wire_open(struct wire_place *place); /* NULL, or a sentence */

/* The longest line, with its end.  Values have at most 1024 characters, names of jobs 256. */
enum { WIRE_LINE = 2048 };

/* Sends a command, "cmd=get ...", and waits for its reply, "cmd=EXPECTED ..."; other threads' requests wait meanwhile.
 * NULL, or a sentence, also if the reply is a refusal (an rc other than 0). */
const char *wire_ask(char answer[WIRE_LINE], const char *expected, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A barrier of all processes of the job. */
const char *wire_meet(void);

/* The value of `name` in a reply, up to the next blank; NULL if there is none, or if it is too long. */
const char *wire_field(const char *answer, const char *name, char *value, size_t room);

/* Requests the end of the job; there is no reply. From any thread, also while another waits for a reply. */
void wire_abort(int code);
bool wire_is_aborted(void);

int wire_descriptor(void);

/* Makes PMI_FD a copy of `fd`, and gives the connection a new descriptor; changes nothing if no descriptor is left. */
void wire_move(int fd);

/* Forwards a command of MPI, and its reply to `to`; -1: there is no reply. NULL, or a sentence. */
const char *wire_pass(const char *command, size_t bytes, int to);

/* guest.c: an MPI in this process that uses the launcher's connection, too. */

/* Called after wire_open. If the program has MPI, Copal forwards MPI's commands to the launcher from here on, whether
 * MPI_Init has been called or not. */
void guest_begin(void);

/* keys.c: values that PEs publish, as texts of the length that launchers accept. */

enum { VALUE_BYTES = BOOT_CARD_BYTES + 64 };

/* job: the name of the store of the values. The names of values contain the PE and the epoch, which is the number of
 * calls of begin, because a launcher keeps earlier values. */
struct values {
    const char *job;
    unsigned epoch;
};

/* Publishes at most VALUE_BYTES, which other PEs can get after a barrier. NULL, or a sentence. */
const char *values_put(const struct values *store, const char *name, int pe, const void *bytes, size_t n);

/* Gets a PE's value: its size, or 0 and *why. */
size_t values_get(const struct values *store, const char *name, int pe, void *bytes, size_t room, const char **why);

/* layout.c: the nodes of the PEs, from the launcher's process mapping. */

/* Fills in layout->first, n_local and node_size, of layout->pe of n_pes; NULL, or a sentence. */
const char *layout_find(const char *mapping, struct boot_layout *layout);

/* watch.c: the failure detector's thread: it detects the end of the launcher, and of a PE of this node. */

/* job_file: a descriptor that stays open. */
void watch_start(const struct boot_layout *layout, int job_file, void (*died)(int pe, const char *why));
void watch_end(void);
