/* A value is published as a hexadecimal text: its length, in four digits, and its bytes. A command of Slurm, which
 * contains the text, and a value of MPICH have at most 1024 characters. Therefore a text of more than PIECE characters
 * is published in pieces, each under its own name. */
#include "boot/pmi/pmi.h"

#include "boot/kit/kit.h"

#include <stdio.h>
#include <string.h>

enum { PIECE = 512, DIGITS = 4, TEXT = DIGITS + 2 * VALUE_BYTES };

/* "copal-NAME-EPOCH-PE-PIECE" */
static const char *key_of(char key[64], const struct values *store, const char *name, int pe, size_t piece)
{
    snprintf(key, 64, "copal-%s-%u-%d-%zu", name, store->epoch, pe, piece);
    return key;
}

const char *values_put(const struct values *store, const char *name, int pe, const void *bytes, size_t n)
{
    char text[TEXT + 1], key[64], answer[WIRE_LINE];
    size_t length = (size_t)snprintf(text, sizeof text, "%0*zx", DIGITS, n);
    for (size_t i = 0; i < n; i++)
        length += (size_t)snprintf(text + length, 3, "%02x", ((const unsigned char *)bytes)[i]);
    const char *why = NULL;
    for (size_t piece = 0; piece * PIECE < length && !why; piece++)
        why = wire_ask(answer, "put_result", "cmd=put kvsname=%s key=%s value=%.*s", store->job,
                       key_of(key, store, name, pe, piece), (int)PIECE, text + piece * PIECE);
    return why;
}

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Gets the pieces one by one; the first begins with the length of the value. */
static const char *get_text(const struct values *store, const char *name, int pe, char text[TEXT + PIECE], size_t *n)
{
    char key[64], answer[WIRE_LINE];
    size_t have = 0, length = DIGITS;
    for (size_t piece = 0; have < length; piece++) {
        char *at = text + have;
        const char *why = wire_ask(answer, "get_result", "cmd=get kvsname=%s key=%s", store->job,
                                   key_of(key, store, name, pe, piece));
        if (why)
            return why;
        const bool fits = wire_field(answer, "value", at, PIECE + 1);
        const size_t more = fits ? strlen(at) : 0;
        if (more >= DIGITS && piece == 0) {
            *n = digit(at[0]) << 12 | digit(at[1]) << 8 | digit(at[2]) << 4 | digit(at[3]);
            length = DIGITS + 2 * *n;
        }
        have += more;
        if (!more || strspn(at, "0123456789abcdef") != more || length > TEXT ||
            (have < length ? more != PIECE : have != length))
            return kit_sentence("the launcher's value of \"%s\" is not in the format of a PE's value", key);
    }
    return NULL;
}

size_t values_get(const struct values *store, const char *name, int pe, void *bytes, size_t room, const char **why)
{
    char text[TEXT + PIECE];
    size_t n = 0;
    const char *failed = get_text(store, name, pe, text, &n);
    if (failed) {
        *why = kit_sentence("the \"%s\" of PE %d is not there: %s", name, pe, failed);
        return 0;
    }
    if (n > room) {
        *why = kit_sentence("the \"%s\" of PE %d has %zu bytes, allowed are %zu", name, pe, n, room);
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        const char *at = text + DIGITS + 2 * i;
        ((unsigned char *)bytes)[i] = (unsigned char)(digit(at[0]) << 4 | digit(at[1]));
    }
    return n;
}
