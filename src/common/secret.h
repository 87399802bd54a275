/* A secret that authenticates the processes of a job. The time of a comparison does not depend on the data. */
#pragma once

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

struct secret {
    uint64_t word[2];
};

static inline struct secret secret_new(void)
{
    struct secret secret;
    if (getrandom(&secret, sizeof secret, 0) == sizeof secret)
        return secret;
    const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC); /* a sandbox may refuse getrandom */
    if (read(fd, &secret, sizeof secret) != sizeof secret) {
        fputs("copal: no random numbers: getrandom is refused, and /dev/urandom cannot be read; allow one\n", stderr);
        _Exit(1);
    }
    close(fd);
    return secret;
}

/* The received bytes need not be aligned. */
static inline bool secret_is(const struct secret *secret, const void *said)
{
    struct secret s;
    memcpy(&s, said, sizeof s);
    /* MUTANT a secret has all its bits: return s.word[0] == secret->word[0]; */
    return ((s.word[0] ^ secret->word[0]) | (s.word[1] ^ secret->word[1])) == 0;
}
