/* Strings of JSON, which is in UTF-8. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* The number of bytes of the character at c; 0 if no complete UTF-8 character begins there. */
static inline int json_character(const unsigned char *c)
{
    const int n = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, and numbers above 0x10ffff. */
    const bool is_none = (*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] > 0x9f) || (*c == 0xf0 && c[1] < 0x90) ||
                         (*c == 0xf4 && c[1] > 0x8f);
    return is_none ? 0 : n;
}

static inline void json_string(FILE *out, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    putc('"', out);
    while (*c) {
        const int n = json_character(c);
        if (n == 0)
            fputs("\\ufffd", out);
        else if (*c < ' ' || *c == '"' || *c == '\\' || *c == '<') /* in a page, < would end the script */
            fprintf(out, "\\u%04x", *c);
        else
            fwrite(c, 1, (size_t)n, out);
        c += n ? n : 1;
    }
    putc('"', out);
}
