/* The classic interface: start and end, queries, memory, order, caches. */
#include "classic.h"

#include <stdlib.h>
#include <string.h>

size_t classic_count(const int *n)
{
    if (*n < 0)
        fortran_fatal(fortran_names->own, "the number of elements is %d, allowed is 0 and more", *n);
    return (size_t)*n;
}

void start_pes_(const int *npes)
{
    start_pes(*npes);
}

void shmem_init_(void)
{
    shmem_init();
}

void shmem_finalize_(void)
{
    shmem_finalize();
}

void shmem_global_exit_(const int *status)
{
    shmem_global_exit(*status);
}

int shmem_my_pe_(void)
{
    return shmem_my_pe();
}

int my_pe_(void) __attribute__((alias("shmem_my_pe_")));

/* Specific procedures for generic names in shmem.fh, like the other copal_ names: in Fortran 95, both names must
 * differ. */
int copal_shmem_my_pe_(void) __attribute__((alias("shmem_my_pe_")));

int shmem_n_pes_(void)
{
    return shmem_n_pes();
}

int num_pes_(void) __attribute__((alias("shmem_n_pes_")));
int copal_shmem_n_pes_(void) __attribute__((alias("shmem_n_pes_")));

void shmem_info_get_version_(int *major, int *minor)
{
    shmem_info_get_version(major, minor);
}

void shmem_info_get_name_(char *name, size_t length)
{
    char text[SHMEM_MAX_NAME_LEN];
    shmem_info_get_name(text);
    memset(name, ' ', length);
    memcpy(name, text, strlen(text) < length ? strlen(text) : length);
}

/* Logical functions: .true. is 1. */
int shmem_pe_accessible_(const int *pe)
{
    return shmem_pe_accessible(*pe);
}

int shmem_addr_accessible_(const void *addr, const int *pe)
{
    return shmem_addr_accessible(addr, *pe);
}

void *shmem_ptr_(const void *target, const int *pe)
{
    return shmem_ptr(target, *pe);
}

int copal_pe_accessible_(const int *pe) __attribute__((alias("shmem_pe_accessible_")));
int copal_addr_accessible_(const void *addr, const int *pe) __attribute__((alias("shmem_addr_accessible_")));
void *copal_ptr_(const void *target, const int *pe) __attribute__((alias("shmem_ptr_")));

void shmem_fence_(void)
{
    shmem_fence();
}

void shmem_quiet_(void)
{
    shmem_quiet();
}

/* Caches are coherent: there is nothing to do. */
void shmem_set_cache_inv_(void) {}
void shmem_clear_cache_inv_(void) {}
CLASSIC(void, set_cache_line_inv, (void *target)) { (void)target; }
CLASSIC(void, clear_cache_line_inv, (void *target)) { (void)target; }
void shmem_udcflush_(void) {}
CLASSIC(void, udcflush_line, (void *target)) { (void)target; }

/* --- the symmetric heap ------------------------------------------------------------------------------------------- */

/* Blocks that shpalloc has returned. shpdeallc returns a code for a wrong address, where C's routine ends the job. A
 * freed block stays in the list with 0 bytes until its address is allocated again. */
static struct block {
    char *start;
    size_t bytes;
} *blocks;
static size_t block_count;

enum { BAD_LENGTH = -1, NO_MEMORY = -2, NOT_IN_HEAP = -3, ALREADY_FREE = -4, NOT_AT_START = -5 };

static const char *meaning(int code)
{
    switch (code) {
    case BAD_LENGTH: return "the length is not greater than 0";
    case NO_MEMORY: return "no more memory is available";
    case ALREADY_FREE: return "the block is already free";
    case NOT_AT_START: return "the address is not at the beginning of a block";
    default: return "the address is not in the symmetric heap";
    }
}

static void report(int code, int *status, const int *abort, const char *routine)
{
    *status = code;
    if (code < 0 && *abort)
        fortran_fatal(routine, "error %d: %s", code, meaning(code));
}

static struct block *block_at(const char *start)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].start == start)
            return &blocks[i];
    return NULL;
}

static void remember(char *start, size_t bytes, const char *routine)
{
    struct block *b = block_at(start);
    if (!b) {
        blocks = realloc(blocks, (block_count + 1) * sizeof *blocks);
        if (!blocks)
            fortran_fatal(routine, "no memory for the list of blocks");
        b = &blocks[block_count++];
    }
    *b = (struct block){start, bytes};
}

/* 0 if an allocated block starts at the address. */
static int what_is_wrong(const char *address)
{
    const struct block *b = block_at(address);
    if (b)
        return b->bytes ? 0 : ALREADY_FREE;
    for (size_t i = 0; i < block_count; i++)
        if ((uintptr_t)address - (uintptr_t)blocks[i].start < blocks[i].bytes)
            return NOT_AT_START;
    return NOT_IN_HEAP;
}

enum { WORD = 4 }; /* bytes; lengths are in words of 32 bits */

void shpalloc_(char **address, const int *length, int *errcode, const int *abort)
{
    NAMED("shpalloc", "shmem_malloc");
    int code = BAD_LENGTH;
    if (*length > 0) {
        const size_t bytes = (size_t)*length * WORD;
        char *start = shmem_malloc(bytes);
        code = start ? 0 : NO_MEMORY;
        if (start) {
            remember(start, bytes, "shpalloc");
            *address = start;
        }
    }
    report(code, errcode, abort, "shpalloc");
}

void shpdeallc_(char *const *address, int *errcode, const int *abort)
{
    NAMED("shpdeallc", "shmem_free");
    const int code = what_is_wrong(*address);
    if (code == 0) {
        block_at(*address)->bytes = 0;
        shmem_free(*address);
    }
    report(code, errcode, abort, "shpdeallc");
}

void shpclmove_(char **address, const int *length, int *status, const int *abort)
{
    NAMED("shpclmove", "shmem_realloc");
    int code = *length > 0 ? what_is_wrong(*address) : BAD_LENGTH;
    if (code == 0) {
        const size_t bytes = (size_t)*length * WORD;
        char *moved = shmem_realloc(*address, bytes);
        code = !moved ? NO_MEMORY : moved != *address;
        if (moved) {
            block_at(*address)->bytes = 0;
            remember(moved, bytes, "shpclmove");
            *address = moved;
        }
    }
    report(code, status, abort, "shpclmove");
}
