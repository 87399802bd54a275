/* The connection to the launcher: a line is sent, and one comes back. */
#ifndef COPAL_PMI_WIRE_H
#define COPAL_PMI_WIRE_H

#include "boot/pmi/pmi.h"

/* Joins: once, the connection stays until the process exits.  What a launcher has told of the process: */
struct wire_place {
    int pe, n_pes;
    char job[257]; /* the name of its store of values */
};
const char *wire_open(struct wire_place *place); /* NULL, or a sentence */

/* The longest line, with its end.  Values have at most 1024 characters, names of jobs 256. */
enum { WIRE_LINE = 2048 };

/* Sends a command, "cmd=get ...", and waits for its answer, "cmd=EXPECTED ..."; other threads that ask wait meanwhile.
 * NULL, or a sentence: so it is, too, where the answer refuses, by an rc other than 0. */
const char *wire_ask(char answer[WIRE_LINE], const char *expected, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* All processes of the job meet. */
const char *wire_meet(void);

/* What an answer says of `name`, up to the next blank; NULL if it says nothing, or more than there is room for. */
const char *wire_field(const char *answer, const char *name, char *value, size_t room);

/* Asks the launcher to end the job.  From any thread, also while another waits for an answer; there is none. */
void wire_abort(int code);
bool wire_is_aborted(void);

int wire_descriptor(void);

/* PMI_FD becomes another name of `fd`, and the connection gets a number of its own; nothing changes where none is
 * left. */
void wire_move(int fd);

/* Sends a command of somebody else's and passes the answer on to `to`; -1: there is none.  NULL, or a sentence. */
const char *wire_pass(const char *command, size_t bytes, int to);

#endif
