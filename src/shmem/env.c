/* Environment variables (8): SHMEM_VERSION, SHMEM_INFO, SHMEM_SYMMETRIC_SIZE, SHMEM_DEBUG and SHMEM_NBI_NODE, each with a twin
 * SMA_, as before 1.4; the SHMEM_ name wins. */
#include "shmem/api.h"
#include "node/overlap.h"

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
    {"SHMEM_NBI_NODE", "overlap, or overlap:BYTES: nonblocking puts and gets within the node, of so many bytes or more (256k),\n"
     "    are made by a helper thread while the PE computes; default: at once by the PE itself, which is the quickest"},
};

/* The value of SHMEM_<name>, else of SMA_<name>, else NULL, an empty one being none; *name_found says which it was. */
static const char *lookup(const char *name, char name_found[64])
{
    const char *const prefixes[] = {"SHMEM_", "SMA_"};
    for (int i = 0; i < 2; i++) {
        snprintf(name_found, 64, "%s%s", prefixes[i], name);
        const char *value = getenv(name_found);
        if (value && *value)
            return value;
    }
    return NULL;
}

/* "1.5m": a number and one letter for a power of 1024; what follows the letter is ignored, as the specification says. The
 * product is rounded up. */
static bool is_size(const char *text, size_t *size)
{
    char *end;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a program's locale may want a decimal comma */
    const double number = strtod_l(text, &end, plain);
    freelocale(plain);
    const bool decimal = text[strspn(text, " \t+0123456789.eE-")] == *end; /* neither hexadecimal, nor inf, nor nan */
    const char *suffixes = "kmgt", *suffix = *end ? strchr(suffixes, *end | 0x20) : NULL;
    const double bytes = suffix ? number * (double)((uint64_t)1 << 10 * (suffix - suffixes + 1)) : number;
    if (end == text || !decimal || (*end && !suffix) || !(number >= 0) || !(bytes < 0x1p62))
        return false;
    const size_t whole = (size_t)bytes;
    *size = (double)whole < bytes ? whole + 1 : whole;
    return true;
}

static size_t parse_size(const char *name, const char *text)
{
    size_t size;
    if (!is_size(text, &size))
        job_fatal("shmem_init", "environment variable %s is \"%s\", allowed is a number of bytes, with k, m, g or t for powers "
                  "of 1024", name, text);
    return size;
}

/* "overlap" or "overlap:64k". A copy of nothing is never left to anybody. */
static uint32_t parse_overlap(const char *name, const char *text)
{
    const char *const word = "overlap", *rest = text + strlen(word);
    size_t from = OVERLAP_FROM;
    if (strncmp(text, word, strlen(word)) != 0 || (*rest && (*rest != ':' || !is_size(rest + 1, &from))))
        job_fatal("shmem_init", "environment variable %s is \"%s\", allowed are overlap and overlap:BYTES, with k, m, g or t "
                  "for powers of 1024", name, text);
    return from == 0 ? 1 : from < OVERLAP_NEVER ? (uint32_t)from : OVERLAP_NEVER;
}

struct environment environment_read(void)
{
    char name[64];
    struct environment e = {.version = lookup("VERSION", name), .info = lookup("INFO", name), .debug = lookup("DEBUG", name),
                            .symmetric_size = NODE_DEFAULT_HEAP, .overlap_from = OVERLAP_NEVER};
    const char *size = lookup("SYMMETRIC_SIZE", name);
    if (size)
        e.symmetric_size = parse_size(name, size);
    const char *nbi = lookup("NBI_NODE", name);
    if (nbi)
        e.overlap_from = parse_overlap(name, nbi);
    return e;
}

void environment_print_info(void)
{
    printf("Environment variables of %s:\n", SHMEM_VENDOR_STRING);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        printf("  %s\n    %s\n", variables[i].name, variables[i].help);
    printf("  SMA_VERSION, SMA_INFO, SMA_SYMMETRIC_SIZE, SMA_DEBUG, SMA_NBI_NODE\n    the same, deprecated\n");
}
