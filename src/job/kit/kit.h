/* What the modules of boot.h share, each with a copy of its own. */
#ifndef COPAL_KIT_H
#define COPAL_KIT_H

#include <stddef.h>
#include <stdint.h>

/* A sentence in storage of this thread, until its next one. */
const char *kit_sentence(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Says "copal: PE 1: ..." on standard error, in one piece. */
void kit_complain(int pe, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Notes that this process is the PE: a program that it starts inherits what the launcher set, and must not take itself
 * for the PE (boot_is_pe). */
void kit_claim(void);

/* A file without a name, which a process lets others of its host open through /proc: where, and which one it must be,
 * for in a container process numbers may be others'. */
struct kit_file {
    int pid, fd;
    uint64_t dev, ino;
};

/* NULL, or why not. */
const char *kit_offer(int fd, struct kit_file *file);

/* A descriptor, or -1 and *why; the file is of PE `first`. */
int kit_open(const struct kit_file *file, int first, const char **why);

#endif
