/* Where the program was when it crashed, or when a sentence of ours ended the job: a few lines on standard error. */
#ifndef COPAL_BACKTRACE_H
#define COPAL_BACKTRACE_H

/* In shmem_init: crashes of this process are told from now on, unless SHMEM_BACKTRACE=0. The program's own handlers
 * stay, and so do a sanitizer's and those of gfortran's library, which prints backtraces itself. */
void backtrace_begin(void);

/* Says from where the user's program has called the library. */
void backtrace_say(void);

#endif
