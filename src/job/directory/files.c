/* A file is written beside its place and moved there, so that who opens it sees all of it, or what was there before. On
 * NFS a host remembers for a while what a folder has and has not; opening the folder makes it look again. */
#include "job/directory/files.h"

#include "job/kit/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct {
    char folder[PATH_MAX - 64];
    int pe;
} files;

static const char *path_of(char path[PATH_MAX], const char *name)
{
    snprintf(path, PATH_MAX, "%s/copal.%s", files.folder, name);
    return path;
}

const char *files_begin(int pe)
{
    const char *text = setting_text(SETTING_SHMEM_BOOT_DIRECTORY);
    char whole[PATH_MAX];
    struct stat status;
    if (!text)
        return "SHMEM_BOOT is \"directory\", and SHMEM_BOOT_DIRECTORY is not set; it names the folder where the PEs "
               "meet, which all hosts see";
    const char *why = !realpath(text, whole) || stat(whole, &status) != 0 ? strerror(errno)
                      : !S_ISDIR(status.st_mode)                         ? "it is no folder"
                      : access(whole, W_OK | X_OK) != 0                  ? strerror(errno)
                      : strlen(whole) >= sizeof files.folder             ? strerror(ENAMETOOLONG)
                                                                         : NULL;
    if (why)
        return kit_sentence("environment variable SHMEM_BOOT_DIRECTORY is \"%s\", allowed is a folder that this "
                            "process may write to: %s", text, why);
    strcpy(files.folder, whole);
    files.pe = pe;
    return NULL;
}

const char *files_folder(void)
{
    return files.folder;
}

const char *files_write(const char *name, const void *bytes, size_t n)
{
    char path[PATH_MAX], fresh[PATH_MAX], beside[32];
    snprintf(beside, sizeof beside, "%s.by-%d", name, files.pe);
    const int fd = open(path_of(fresh, beside), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    const bool written = fd >= 0 && write(fd, bytes, n) == (ssize_t)n;
    if (fd >= 0 && close(fd) == 0 && written && rename(fresh, path_of(path, name)) == 0)
        return NULL;
    return kit_sentence("cannot write %s: %s", fresh, strerror(errno));
}

static ssize_t read_file(const char *name, void *bytes, size_t room)
{
    char path[PATH_MAX];
    const int folder = open(files.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int fd = open(path_of(path, name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, bytes, room);
    if (fd >= 0)
        close(fd);
    if (folder >= 0)
        close(folder);
    return n;
}

/* On NFS a file that another host replaces is no more, also for who has it open; then there is another. */
size_t files_read(const char *name, void *bytes, size_t room)
{
    enum { TRIES = 3 };
    ssize_t n = -1;
    for (int i = 0; i < TRIES && n < 0; i++)
        n = read_file(name, bytes, room);
    return n < 0 ? 0 : (size_t)n;
}

void files_remove(const char *name)
{
    char path[PATH_MAX];
    unlink(path_of(path, name));
}
