/* Where the program was when it crashed, or when a sentence of ours ended the job: a few lines on standard error. */
#ifndef COPAL_BACKTRACE_H
#define COPAL_BACKTRACE_H

#include <stddef.h>
#include <stdint.h>

/* In shmem_init: crashes of this process are told from now on, unless SHMEM_BACKTRACE=0. The program's own handlers
 * stay, and so do a sanitizer's and those of gfortran's library, which prints backtraces itself. */
void backtrace_begin(void);
void backtrace_prepare(void); /* instead of it, before shmem_init: sentences may have places */

/* Where the program has called the library from: "at ring.c:12 in main"; or nothing. */
void backtrace_place(char *text, size_t room);

/* From where the user's program has called the library, and of what variable a sentence has told the address: lines,
 * whose bytes are returned, of which BACKTRACE_BYTES suffice. */
enum { BACKTRACE_BYTES = 4096 };
size_t backtrace_text(char *text, size_t room, const char *sentence);
void backtrace_say(void);

/* Of where that is, the same in all PEs that run this program. */
uint64_t backtrace_hash(void);

#endif
