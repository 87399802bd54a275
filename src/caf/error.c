/* Status and errors of statements: stat=, errmsg=, and the sentence with which a job ends that has neither. */
#include "core.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

/* In one piece: other images may have the same to say at the same time. */
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
    for (ssize_t sent = 0, n; sent < used; sent += n)
        if ((n = write(STDERR_FILENO, text + sent, (size_t)(used - sent))) <= 0)
            break;
    if (caf_current)
        shmem_global_exit(1);
    _exit(1);
}
