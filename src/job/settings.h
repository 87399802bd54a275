/* The environment variables that Copal reads. settings.def lists those of libshmem; SHCOLL, the coarray libraries
 * and the tools have lists of their own. UCX and libfabric read further variables.
 *
 * Each part reads its settings when it is initialized. SHMEM_X may also be called SMA_X, the name before OpenSHMEM
 * 1.4; if both are set, SHMEM_X counts. An empty value counts as not set. A privileged program reads no settings,
 * because the environment may come from a user without its rights. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum setting {
#define SETTING(NAME, ...) SETTING_##NAME,
#include "job/settings.def"
#undef SETTING
    SETTINGS
};

enum setting_kind {
    SETTING_FLAG, SETTING_SWITCH, SETTING_SIZE, SETTING_CHOICE, SETTING_TEXT, SETTING_NUMBER, SETTING_INTERNAL,
    SETTING_FOREIGN,
};

struct setting_row {
    const char *name;
    enum setting_kind kind;
    const char *allowed, *usual, *help;
};
extern const struct setting_row settings[SETTINGS];

/* --- settings.c, also part of oshrun and of the modules of boot.h ------------------------------------------------- */

/* The value, or NULL if it is not set; name: the variable that sets it. */
enum { SETTING_NAME_BYTES = 64 };
const char *setting_text(enum setting s);
const char *setting_found(enum setting s, char name[SETTING_NAME_BYTES]);

/* False in a program that a PE has started: it inherits the launcher's variables but is a job of one PE. */
bool setting_is_pe(void);

/* The program has set-user-ID, set-group-ID or capabilities: all settings count as not set. */
bool setting_privileged(void);

/* The value of a flag or a switch. */
bool setting_on(enum setting s);

/* "1.5m": a number and one letter for a power of 1024; what follows the letter is ignored, as the specification says.
 * The product is rounded up; values above 2 to the power of 62 count as that. */
bool setting_is_size(const char *text, size_t *bytes);

/* For SHMEM_INFO. If the effective value differs from the environment's value and from the default, records the value
 * and its origin. */
void setting_note(enum setting s, const char *from, const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* The same for a number of bytes, in the variable's format. */
void setting_note_size(enum setting s, const char *from, size_t bytes);

/* The effective value, and its origin. */
const char *setting_value(enum setting s, const char **from);

/* The edit distance of two words: letters added, removed or changed. */
unsigned setting_distance(const char *a, const char *b);

/* --- setting_values.c: a value that is not allowed ends the job with a message ------------------------------------ */

/* The size; `usual` if it is not set. */
size_t setting_size(enum setting s, size_t usual);

/* The index of the value among the allowed words, from 0. */
int setting_choice(enum setting s);

/* Checks all switches. If any setting is in the environment of a privileged program, prints that none is read. */
void settings_check(void);

/* Prints what is wrong with the value; allowed: NULL, or text that replaces the table's, as " for 4 PEs is ...". */
_Noreturn void setting_refuse(enum setting s, const char *allowed) __attribute__((cold));
