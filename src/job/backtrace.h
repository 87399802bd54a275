/* Where the program was when it crashed, or when a sentence of ours ended the job: a few lines on standard error. */
#ifndef COPAL_BACKTRACE_H
#define COPAL_BACKTRACE_H

#include <stddef.h>

/* In shmem_init: crashes of this process are told from now on, unless SHMEM_BACKTRACE=0. The program's own handlers
 * stay, and so do a sanitizer's and those of gfortran's library, which prints backtraces itself. */
void backtrace_begin(void);
void backtrace_end(void); /* in a copy of the process: its crashes are its own */

/* Where the program has called the library from: "at ring.c:12 in main"; or nothing. */
void backtrace_place(char *text, size_t room);

/* Says from where the user's program has called the library, and of what variable a sentence has told the address. */
void backtrace_say(const char *sentence);

#endif
