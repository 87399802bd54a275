/* Status and errors of statements: stat=, errmsg=, and the message that ends the job if a statement has none of
 * these. */
#include "error.h"
#include "caf.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool caf_job_ends;
void (*caf_accesses_change)(void);
_Thread_local bool caf_is_called;

static _Thread_local char message[512];
static bool begun;   /* OpenSHMEM is initialized */
static long *spoken; /* symmetric; NULL: not yet */

void caf_errors_begin(long *word)
{
    begun = true;
    spoken = word;
}

int caf_say(int stat, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return stat;
}

const char *caf_message(void)
{
    return message;
}

void caf_report_slowly(int status, int *stat, char *errmsg, size_t errmsg_len)
{
    if (stat)
        *stat = status;
    if (CAF_LIKELY(status == CAF_OK))
        return;
    if (caf_accesses_change)
        caf_accesses_change();
    if (!stat)
        caf_fatal("%s", message);
    if (errmsg && errmsg_len) {
        const size_t length = strlen(message), kept = length < errmsg_len ? length : errmsg_len;
        memcpy(errmsg, message, kept);
        memset(errmsg + kept, ' ', errmsg_len - kept);
    }
}

/* Gives the first image time to print its message and end the job: if this image ended the job before that, no reason
 * would be printed. If the first image has been killed, this image ends the job after PATIENCE_MS. */
static void let_speak(void)
{
    enum { PATIENCE_MS = 1000 };
    for (int i = 0; i < PATIENCE_MS; i++) {
        if (!caf_is_called && spoken)
            shmem_long_atomic_fetch(spoken, 0); /* makes progress for other images, too */
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* Only the first image with a message prints it: after one failure all images would print the same. A called function
 * cannot use an atomic of another node, because it would wait for itself; it still checks that no other thread of its
 * image has printed. At the start no atomics are available, and an error usually concerns all images: image 1 prints
 * it, and any other image does after a second if the job has not ended by then. */
static bool is_first_to_speak(void)
{
    static atomic_bool image_speaks;
    if (begun && !spoken && shmem_my_pe() != 0)
        let_speak();
    const bool asks = spoken && (!caf_is_called || shmem_ptr(spoken, 0));
    return (!asks || shmem_long_atomic_compare_swap(spoken, 0, 1, 0) == 0) && !atomic_exchange(&image_speaks, true);
}

static void write_all(const char *text, size_t length)
{
    while (length) {
        const ssize_t n = write(STDERR_FILENO, text, length);
        if (n <= 0)
            return;
        text += n;
        length -= (size_t)n;
    }
}

void caf_say_exit(int code)
{
    char text[140];
    const int length = snprintf(text, sizeof text, "copal: image %d: exit with code %d, by the program or by the "
                                "Fortran library after an error, ends all images\n", shmem_my_pe() + 1, code);
    if (shmem_n_pes() > 1 && is_first_to_speak())
        write_all(text, (size_t)length);
}

void caf_end_job(int code)
{
    caf_job_ends = true;
    shmem_global_exit(code);
    abort(); /* not reached */
}

void caf_fatal(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int used = spoken ? snprintf(text, sizeof text, "copal: image %d: ", shmem_my_pe() + 1)
                      : snprintf(text, sizeof text, "copal: ");
    va_start(arguments, format);
    used += vsnprintf(text + used, sizeof text - (size_t)used - 1, format, arguments);
    va_end(arguments);
    if (used > (int)sizeof text - 2)
        used = (int)sizeof text - 2;
    text[used++] = '\n';
    if (is_first_to_speak()) {
        write_all(text, (size_t)used);
#if CAF_HAVE_ALERTS
        if (spoken) /* otherwise no statement of the program is running */
            shmemx_backtrace();
#endif
    } else {
        let_speak();
    }
    if (begun)
        caf_end_job(1);
    _exit(1);
}
