/* What the modules of boot.h share, each with a copy of its own. */
#ifndef COPAL_KIT_H
#define COPAL_KIT_H

#include "boot/boot.h"

#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* A sentence in storage of this thread, until its next one. */
const char *kit_sentence(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Says "copal: PE 1: ..." on standard error, in one piece. */
void kit_complain(int pe, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* As job_fatal, for what has no way to return an error: "ROUTINE: what: why". */
_Noreturn void kit_fail(int pe, void (*abort_job)(int code, const char *text), const char *routine, const char *what,
                        const char *why);

/* A whole number of the environment, from 0 on; false if it is none. */
bool kit_number(enum setting s, int *number);

/* A thread that watches, in which no signal arrives: those are the program's. */
bool kit_thread(pthread_t *thread, void *(*run)(void *));

/* Such a thread with what it polls: its end; the process of a neighbour, -1 where there is none, or on a kernel before
 * 5.3, and then nobody watches it; and what its caller adds, who keeps it, or -1. */
enum { KIT_STOP, KIT_NEIGHBOUR, KIT_OTHER, KIT_SOURCES };
struct kit_watch {
    bool on;
    pthread_t thread;
    struct pollfd source[KIT_SOURCES];
};

/* neighbour: a process, or 0. False: no thread or descriptor is left. */
bool kit_watch_start(struct kit_watch *watch, int neighbour, struct pollfd other, void *(*run)(void *));
void kit_watch_neighbour_no_more(struct kit_watch *watch);
void kit_watch_end(struct kit_watch *watch);

/* Where a process is: id is the same for those that can open each other's files. */
struct kit_place {
    uint64_t id;
    char host[48];
};
void kit_find_place(struct kit_place *place);
bool kit_is_contained(void); /* this process is in a user namespace of a container's */

/* Each run of consecutive PEs on one node, by its number, counts as a node: fills in first, n_local and node_size of
 * layout->pe of n_pes. */
void kit_layout(const int *node_of, struct boot_layout *layout);

/* The same, where the PEs tell their places: the first one's, and how many bytes on the next one's is. NULL, or a
 * sentence. */
const char *kit_layout_of_places(const struct kit_place *first, size_t step, struct boot_layout *layout);

/* Notes that this process is the PE: a program that it starts inherits what the launcher set, and must not take itself
 * for the PE (setting_is_pe). */
void kit_claim(void);

/* hand.c.  A file without a name, which a process lets others of its host open through /proc: where, and which one it
 * must be, for in a container process numbers may be others'.  Where the kernel forbids that it is handed to them: at a
 * socket of that name, to those that say the word. */
struct kit_file {
    int pid, fd;
    uint64_t dev, ino;
    uint64_t is_handed;
    struct secret name, word;
};

/* NULL, or why not. */
const char *kit_offer(int fd, struct kit_file *file);

/* When the file has been told of, which so many others open: hands it to each of them, if it is one to be handed. NULL,
 * or why not. */
const char *kit_hand(int fd, const struct kit_file *file, int others);

/* Why what PE `first` has told of its file is of no use: it has another length. */
const char *kit_other_way(int first);

/* A descriptor, or -1 and *why; the file is of PE `first`. */
int kit_open(const struct kit_file *file, int first, const char **why);

#endif
