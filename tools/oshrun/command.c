/* The command line of another program. */
#include "target.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The list stays NULL-terminated. */
static void append(struct command *c, char *word)
{
    c->words = enlarge(c->words, sizeof *c->words * (size_t)(c->n + 2));
    c->words[c->n++] = word;
    c->words[c->n] = NULL;
}

void command_add(struct command *c, const char *fmt, ...)
{
    char *word;
    va_list args;
    va_start(args, fmt);
    if (vasprintf(&word, fmt, args) < 0)
        no_memory();
    va_end(args);
    append(c, word);
}

void command_add_words(struct command *c, ...)
{
    va_list args;
    va_start(args, c);
    for (const char *word; (word = va_arg(args, const char *));)
        command_add(c, "%s", word);
    va_end(args);
}

void command_free(struct command *c)
{
    for (int i = 0; i < c->n; i++)
        free(c->words[i]);
    free(c->words);
}
