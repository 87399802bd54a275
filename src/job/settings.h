/* What the user has set in the environment.  The table is settings.def, and nothing else is read, but variables of UCX
 * and of libfabric by their modules, which are theirs to explain.
 *
 * A setting is read by the folder that it concerns, when that begins.  A variable SHMEM_X may also be called SMA_X, as
 * before OpenSHMEM 1.4; the first counts if both are set.  An empty value is none.
 *
 * A program with set-user-ID, set-group-ID or capabilities runs for another user than it acts for: it reads nothing. */
#ifndef COPAL_SETTINGS_H
#define COPAL_SETTINGS_H

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

/* --- settings.c, which oshrun and the modules of boot.h have too -------------------------------------------------- */

/* NULL if it is not set; and by which name it is. */
enum { SETTING_NAME_BYTES = 64 };
const char *setting_text(enum setting s);
const char *setting_found(enum setting s, char name[SETTING_NAME_BYTES]);

/* False in a program that a PE has started, which inherits what the launcher set: that is a job of one PE, and must not
 * pretend to be its parent. */
bool setting_is_pe(void);

/* The program has rights that its caller has not: nothing is set, whatever the environment says. */
bool setting_privileged(void);

/* Of a flag or a switch. */
bool setting_on(enum setting s);

/* "1.5m": a number and one letter for a power of 1024; what follows the letter is ignored, as the specification says.
 * The product is rounded up, and none is greater than 2 to the power of 62. */
bool setting_is_size(const char *text, size_t *bytes);

/* For SHMEM_INFO: what holds, where it is not simply what the environment says or the table's default, and why. */
void setting_note(enum setting s, const char *from, const char *fmt, ...) __attribute__((format(printf, 3, 4), cold));

/* The same for a number of bytes, written as the variable may be. */
void setting_note_size(enum setting s, const char *from, size_t bytes);

/* What holds, and where it comes from. */
const char *setting_value(enum setting s, const char **from);

/* How many letters must be added, left out or changed to make one word of the other. */
unsigned setting_distance(const char *a, const char *b);

/* --- setting_values.c: a value that is not allowed ends the job with a sentence ---------------------------------- */

/* usual if it is not set. */
size_t setting_size(enum setting s, size_t usual);

/* Which of the words that are allowed, from 0. */
int setting_choice(enum setting s);

/* All switches, whoever reads them. A privileged program says that it reads none, if there is any. */
void settings_check(void);

/* The sentence about a value; allowed: NULL, or what is in the place of the table's words, as " for 4 PEs is ...". */
_Noreturn void setting_refuse(enum setting s, const char *allowed) __attribute__((cold));

#endif
