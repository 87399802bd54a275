/* The connection to the launcher: requests and replies, a line each. */
#pragma once

#include "boot/pmi/pmi.h"

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
