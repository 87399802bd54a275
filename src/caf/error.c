/* Status and errors of statements: stat=, errmsg=, and the sentence with which a job ends that has neither. */
#include "core.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Thread_local char message[512];

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

void caf_report(int status, int *stat, char *errmsg, size_t errmsg_len)
{
    if (stat)
        *stat = status;
    if (CAF_LIKELY(status == CAF_OK))
        return;
    if (!stat)
        caf_fatal("%s", message);
    if (errmsg && errmsg_len) {
        const size_t length = strlen(message), kept = length < errmsg_len ? length : errmsg_len;
        memcpy(errmsg, message, kept);
        memset(errmsg + kept, ' ', errmsg_len - kept);
    }
}

/* The first image that has something to say speaks for the job: one failed image makes all others say the same. */
static bool is_first_to_speak(void)
{
    return !caf_public || shmem_long_atomic_compare_swap(&caf_public->spoken, 0, 1, 0) == 0;
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

void caf_fatal(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int used = caf_current ? snprintf(text, sizeof text, "copal: image %d: ", shmem_my_pe() + 1)
                           : snprintf(text, sizeof text, "copal: ");
    va_start(arguments, format);
    used += vsnprintf(text + used, sizeof text - (size_t)used - 1, format, arguments);
    va_end(arguments);
    if (used > (int)sizeof text - 2)
        used = (int)sizeof text - 2;
    text[used++] = '\n';
    if (is_first_to_speak())
        write_all(text, (size_t)used);
    if (caf_current)
        caf_error_stop(1);
    _exit(1);
}
