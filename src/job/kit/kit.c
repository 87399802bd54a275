#include "job/kit/kit.h"

#include "job/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *kit_sentence(const char *fmt, ...)
{
    static _Thread_local char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return text;
}

void kit_complain(int pe, const char *fmt, ...)
{
    char text[512];
    const int prefix = snprintf(text, sizeof text, "copal: PE %d: ", pe);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text + prefix, sizeof text - (size_t)prefix - 1, fmt, ap);
    va_end(ap);
    strcat(text, "\n");
    if (write(STDERR_FILENO, text, strlen(text)) < 0) { /* nobody is left to tell */ }
}

void kit_claim(void)
{
    char pid[16];
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    setenv(settings[SETTING_COPAL_PE_PID].name, pid, 1);
}

const char *kit_offer(int fd, struct kit_file *file)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return kit_sentence("cannot share the job file: %s", strerror(errno));
    *file = (struct kit_file){.pid = (int)getpid(), .fd = fd, .dev = status.st_dev, .ino = status.st_ino};
    return NULL;
}

int kit_open(const struct kit_file *file, int first, const char **why)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", file->pid, file->fd);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == file->dev && status.st_ino == file->ino)
        return fd;
    *why = kit_sentence(
        "cannot open %s, the job file of PE %d: %s; the processes of the job on a host must have the same user "
        "and, in containers, share the process numbers of the host",
        path, first, fd >= 0 ? "it is another file" : strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}
