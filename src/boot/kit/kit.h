/* Common code of the modules of boot.h; each has a copy of its own. */
#pragma once

#include "boot/boot.h"

#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* Formats a sentence, in storage that the thread's next call overwrites. */
const char *kit_sentence(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints "copal: PE 1: ..." on standard error, in one write. */
void kit_complain(int pe, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* As job_fatal, for functions that cannot return an error: "ROUTINE: what: why". */
_Noreturn void kit_fail(int pe, void (*abort_job)(int code, const char *text), const char *routine, const char *what,
                        const char *why);

/* The value of a setting that is an integer from 0 on; false if it is not. */
bool kit_number(enum setting s, int *number);

/* Starts a watching thread. It blocks all signals, which are for the program's threads. */
bool kit_thread(pthread_t *thread, void *(*run)(void *));

/* Closes a descriptor, unless it is -1, and sets it to -1. */
static inline void kit_shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* The host of a process: id is the same for processes that can share a file. */
struct kit_place {
    uint64_t id;
    char host[48];
};
void kit_find_place(struct kit_place *place);
bool kit_is_contained(void); /* this process is in a user namespace of a container */

/* Fills in first, n_local and node_size of *layout. node_of: a number for each PE; each run of consecutive PEs with the
 * same number counts as a node. */
void kit_layout(const int *node_of, struct boot_layout *layout);

/* The same from each PE's kit_place, `step` bytes after the kit_place of the PE before. NULL, or a sentence. */
const char *kit_layout_of_places(const struct kit_place *first, size_t step, struct boot_layout *layout);

/* Records that this process is the PE, because a program that it starts inherits the launcher's variables and must not
 * count as the PE (setting_is_pe). */
void kit_claim(void);

/* hand.c. A file without a name that other processes of the host open through /proc, by pid and fd. They compare dev
 * and ino, because in a container the pid may be that of another process. If is_handed is set, the owner instead sends
 * the descriptor over the socket `name`, to processes that send the secret `word`. */
struct kit_file {
    int pid, fd;
    uint64_t dev, ino;
    uint64_t is_handed;
    struct secret name, word;
};

/* Describes the file fd of this process in *file. NULL, or a sentence that says why this failed. */
const char *kit_offer(int fd, struct kit_file *file);

/* Called after *file has been published: if is_handed is set, sends the descriptor to `others` processes. NULL, or a
 * sentence that says why this failed. */
const char *kit_hand(int fd, const struct kit_file *file, int others);

/* The sentence for the error that PE `first` has published something other than a kit_file. */
const char *kit_other_way(int first);

/* Opens the file of PE `first`: a descriptor, or -1 and *why. */
int kit_open(const struct kit_file *file, int first, const char **why);
