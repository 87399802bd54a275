/* Environment variables (8): SHMEM_VERSION, SHMEM_INFO, SHMEM_SYMMETRIC_SIZE, SHMEM_DEBUG, each with its SMA_ twin of
 * before 1.4; the SHMEM_ name wins. */
#include "shmem/api.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *help;
} variables[] = {
    {"SHMEM_VERSION", "if set, print the library's version at start"},
    {"SHMEM_INFO", "if set, print this text at start"},
    {"SHMEM_SYMMETRIC_SIZE",
     "bytes of symmetric heap per PE: a number, may be fractional, with k, m, g or t for powers of 1024;\n"
     "    default: as much as the machine has memory (memory is used only when touched)"},
    {"SHMEM_DEBUG", "if set, check also what costs time: overlapping copies, arguments that differ between PEs,\n"
     "    reuse of pSync, writes past the end of blocks"},
    {"SHMEM_NODES", "nodes that oshrun's job on one machine is cut into, or the PEs of each, as in 3+1: for trying out"},
    {"SHMEM_PROGRESS", "auto, thread or none: whether a thread serves other nodes while this PE computes"},
    {"SHMEM_NET_STATS", "if set, each PE prints at the end what it has sent to other nodes"},
};

/* The value of SHMEM_<name>, else of SMA_<name>, else NULL; *name_found says which one it was. */
static const char *lookup(const char *name, char name_found[64])
{
    const char *const prefixes[] = {"SHMEM_", "SMA_"};
    for (int i = 0; i < 2; i++) {
        snprintf(name_found, 64, "%s%s", prefixes[i], name);
        const char *value = getenv(name_found);
        if (value)
            return value;
    }
    return NULL;
}

/* "1.5m": a number and one letter for a power of 1024; what follows the letter is ignored, as the specification says. The
 * product is rounded up. */
static size_t parse_size(const char *name, const char *text)
{
    char *end;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a program's locale may want a decimal comma */
    const double number = strtod_l(text, &end, plain);
    freelocale(plain);
    const bool decimal = text[strspn(text, " \t+0123456789.eE-")] == *end; /* neither hexadecimal, nor inf, nor nan */
    const char *suffixes = "kmgt", *suffix = *end ? strchr(suffixes, *end | 0x20) : NULL;
    const double bytes = suffix ? number * (double)((uint64_t)1 << 10 * (suffix - suffixes + 1)) : number;
    if (end == text || !decimal || (*end && !suffix) || !(number >= 0) || !(bytes < 0x1p62))
        job_fatal("shmem_init", "environment variable %s is \"%s\", allowed is a number of bytes, with k, m, g or t for powers "
                  "of 1024", name, text);
    const size_t whole = (size_t)bytes;
    return (double)whole < bytes ? whole + 1 : whole;
}

struct environment environment_read(void)
{
    char name[64];
    struct environment e = {.version = lookup("VERSION", name), .info = lookup("INFO", name), .debug = lookup("DEBUG", name),
                            .symmetric_size = NODE_DEFAULT_HEAP};
    const char *size = lookup("SYMMETRIC_SIZE", name);
    if (size)
        e.symmetric_size = parse_size(name, size);
    return e;
}

void environment_print_info(void)
{
    printf("Environment variables of %s:\n", SHMEM_VENDOR_STRING);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        printf("  %s\n    %s\n", variables[i].name, variables[i].help);
    printf("  SMA_VERSION, SMA_INFO, SMA_SYMMETRIC_SIZE, SMA_DEBUG\n    the same, deprecated\n");
}
