/* Creates the file in which processes share memory; it has no name (job.h). */
#include "job/job.h"
#include "job/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* A container's /dev/shm is often small; if it is full, a store is fatal. */
#define ROOM_LEAST ((unsigned long long)256 << 20)

static int in_folder(const char *folder)
{
    char path[512];
    if (!folder || snprintf(path, sizeof path, "%s/copal-job-XXXXXX", folder) >= (int)sizeof path)
        return -1;
    const int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        return -1;
    unlink(path);
    struct statvfs at;
    if (fstatvfs(fd, &at) == 0 && (unsigned long long)at.f_bavail * at.f_frsize >= ROOM_LEAST)
        return fd;
    close(fd);
    return -1;
}

int nameless_file(const char **folder)
{
    const char *const folders[] = {"/dev/shm", setting_text(SETTING_TMPDIR), "/tmp"};
    *folder = NULL;
    int fd = memfd_create("copal-job", MFD_CLOEXEC);
    const int refused = errno;
    for (size_t i = 0; fd < 0 && i < sizeof folders / sizeof *folders; i++)
        fd = in_folder(*folder = folders[i]);
    errno = refused;
    return fd;
}
