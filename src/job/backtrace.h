/* Backtraces of crashes, and of errors that end the job: a few lines on standard error. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Called in shmem_init: reports crashes of this process from now on, unless SHMEM_BACKTRACE=0. Handlers of the program,
 * of sanitizers and of gfortran's library, which prints backtraces itself, stay in place. */
void backtrace_begin(void);
void backtrace_prepare(void); /* for errors before shmem_init: installs no handlers */

/* The source line of the program's call of the library: "at ring.c:12 in main"; or nothing. */
void backtrace_place(char *text, size_t room);

/* The source lines of the program's call of the library. If the message `sentence` contains an address (0x...) in a
 * global or static variable, the text also names this variable. Returns the length, at most BACKTRACE_BYTES. */
enum { BACKTRACE_BYTES = 4096 };
size_t backtrace_text(char *text, size_t room, const char *sentence);
void backtrace_say(void); /* writes the source lines to standard error */

/* A hash of the stack, the same in all PEs that run this program. */
uint64_t backtrace_hash(void);
