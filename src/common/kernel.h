/* Which kernel runs this process. */
#pragma once

#include "hash.h"

#include <fcntl.h>
#include <unistd.h>

/* A number that is equal for processes of one kernel, even in different containers; 0: unknown. */
static inline uint64_t kernel_identity(void)
{
    char text[64];
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t bytes = fd < 0 ? 0 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    return bytes > 0 ? hash_bytes(HASH_START, text, (size_t)bytes) : 0;
}
