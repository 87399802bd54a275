/* Coarrays: established by ALLOCATE, at the program's start, or by association in CHANGE TEAM. */
#include "coarray.h"
#include "../memory/heap.h"
#include "image.h"
#include "sync.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void (*caf_coarray_ended)(struct caf_coarray *coarray);

/* A coarray's record lies in the managed heap directly before its memory, so each gives the address of the other. */
enum { RECORD_BYTES = 128 };
_Static_assert(sizeof(struct caf_coarray) <= RECORD_BYTES, "the record has room before the memory");

static struct caf_coarray *new_record(size_t bytes)
{
    char *at = bytes < caf_heap_bytes ? caf_heap_allocate(RECORD_BYTES + bytes) : NULL;
    struct caf_coarray *c = (void *)at;
    if (c)
        *c = (struct caf_coarray){.base = at + RECORD_BYTES, .bytes = bytes, .team = caf_current};
    return c;
}

struct caf_coarray *caf_coarray_find(bool (*is)(const struct caf_coarray *c, const void *what), const void *what)
{
    for (const struct caf_team *t = caf_current; t; t = t->parent)
        for (struct caf_coarray *c = t->coarrays; c; c = c->next)
            if (is(c, what))
                return c;
    return NULL;
}

bool caf_is_coarray(const void *record)
{
    const struct caf_coarray *c = record;
    return caf_heap_begins(c) && c->base == (const char *)c + RECORD_BYTES;
}

struct caf_coarray *caf_coarray_at(void *base)
{
    void *c = (char *)base - RECORD_BYTES;
    return caf_is_coarray(c) ? c : NULL;
}

static void enlist(struct caf_coarray *c)
{
    c->next = c->team->coarrays;
    if (c->next)
        c->next->previous = c;
    c->team->coarrays = c;
}

static void delist(struct caf_coarray *c)
{
    *(c->previous ? &c->previous->next : &c->team->coarrays) = c->next;
    if (c->next)
        c->next->previous = c->previous;
}

static int say_no_memory(const char *statement, size_t bytes, const char *image)
{
    return caf_say(CAF_STAT_ERROR, "%s: no memory for a coarray of %zu bytes on %s; %s", statement, bytes, image,
                   caf_heap_advice(bytes));
}

/* In a synchronization an image sends a word to the next image: bytes + 1 of its allocations since the last
 * synchronization, or of its deallocation (only with SHMEM_DEBUG, because a word makes the put longer). */
#define DEALLOCATES ((uint64_t)1 << 63)

static const char *statement_of(uint64_t word)
{
    return word & DEALLOCATES ? "deallocate" : "allocate";
}

static void check_sizes(const struct caf_team *t, uint64_t mine, uint64_t heard)
{
    if (CAF_UNLIKELY(heard && mine && heard != mine))
        caf_fatal("%s: coarrays of %zu bytes here, and %s of %zu bytes on image %d%s; all images must execute the same "
                  "statements in the same order, with the same sizes", statement_of(mine),
                  (size_t)(mine & ~DEALLOCATES) - 1, statement_of(heard), (size_t)(heard & ~DEALLOCATES) - 1,
                  caf_position_pe(t, (t->me ? t->me : t->n) - 1) + 1, caf_of_initial_team());
}

struct caf_coarray *caf_allocate_ahead(size_t bytes, bool zeroed)
{
    struct caf_coarray *c = new_record(bytes);
    if (!c) {
        say_no_memory("allocate", bytes, "this image");
        caf_fatal("%s", caf_message());
    }
    if (zeroed)
        memset(c->base, 0, bytes);
    enlist(c);
    caf_current->allocated += bytes + !caf_current->allocated;
    return c;
}

int caf_sync_allocated(void)
{
    struct caf_team *t = caf_current;
    const uint64_t mine = t->allocated;
    uint64_t heard;
    t->allocated = 0;
    const int status = caf_meet("allocate", t, mine, &heard);
    check_sizes(t, mine, heard);
    return status;
}

int caf_allocate(size_t bytes, bool zeroed, struct caf_coarray **coarray)
{
    struct caf_team *t = caf_current;
    *coarray = NULL;
    struct caf_coarray *c = new_record(bytes);
    if (!c)
        caf_refuse(t);
    else if (zeroed)
        memset(c->base, 0, bytes);
    uint64_t heard;
    /* MUTANT ALLOCATE synchronizes: const int status = CAF_OK; heard = 0; */
    const int status = caf_meet("allocate", t, bytes + 1, &heard);
    check_sizes(t, bytes + 1, heard);
    if (caf_refused(t)) {
        caf_heap_free(c);
        return say_no_memory("allocate", bytes, c ? "another image" : "this image");
    }
    enlist(c);
    *coarray = c;
    return status;
}

/* A program may use little of a large array: returns its pages to the kernel, which zeroes them when they are used.
 * Writes zeros instead if the kernel or the kind of memory does not allow that. */
static void make_zero(char *from, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    char *const end = from + bytes, *const first = (char *)(((uintptr_t)from + page - 1) / page * page);
    char *const last = (char *)((uintptr_t)end / page * page);
    if (first >= last || madvise(first, (size_t)(last - first), MADV_REMOVE) != 0) {
        memset(from, 0, bytes);
        return;
    }
    memset(from, 0, (size_t)(first - from));
    memset(last, 0, (size_t)(end - last));
}

struct caf_coarray *caf_allocate_static(size_t bytes)
{
    struct caf_coarray *c = new_record(bytes);
    if (!c) {
        say_no_memory("start", bytes, "each image");
        caf_fatal("%s", caf_message());
    }
    make_zero(c->base, bytes);
    return c;
}

static void forget(struct caf_coarray *c)
{
    if (!c->is_alias && caf_coarray_ended)
        caf_coarray_ended(c);
    delist(c);
    free(c->shape);
    if (c->is_alias)
        free(c);
    else
        caf_heap_free(c);
}

/* word describes what is deallocated; 0: unknown. */
static void meet_to_deallocate(struct caf_team *t, uint64_t word)
{
    if (t->deallocates)
        return;
    uint64_t heard;
    /* MUTANT DEALLOCATE synchronizes: t->deallocate_status = CAF_OK; */
    t->deallocate_status = caf_meet("deallocate", t, word, &heard);
    check_sizes(t, word, heard); /* MUTANT DEALLOCATE synchronizes */
    t->deallocates = true;
}

void caf_deallocate_ahead(void)
{
    meet_to_deallocate(caf_current, 0);
}

int caf_deallocate(struct caf_coarray *c)
{
    struct caf_team *t = caf_current;
    const bool is_here = c->team == t;
    if (is_here)
        meet_to_deallocate(t, caf_public->debug ? DEALLOCATES | (c->bytes + 1) : 0);
    t->deallocates = false;
    if (!is_here)
        return caf_say(CAF_STAT_ERROR, "deallocate: the coarray was allocated in another team than the current one");
    t->has_deallocated = true;
    forget(c);
    return t->deallocate_status;
}

/* The record of an earlier ASSOCIATE to the same name, which has ended: no call tells when an ASSOCIATE ends. */
static struct caf_coarray *ended_alias(const void *name)
{
    struct caf_coarray *c = caf_current->coarrays; /* the newest are first */
    while (c && !(c->is_alias && c->descriptor == name))
        c = c->next;
    return c;
}

struct caf_coarray *caf_associate(const struct caf_coarray *coarray, char *part, void *name)
{
    struct caf_coarray *c = ended_alias(name);
    if (!c) {
        c = malloc(sizeof *c);
        if (!c)
            caf_fatal("no memory for the record of a coarray");
        *c = (struct caf_coarray){.team = caf_current, .is_alias = true, .descriptor = name};
        enlist(c);
    }
    const size_t offset = (size_t)(part - coarray->base);
    c->base = part;
    c->bytes = offset < coarray->bytes ? coarray->bytes - offset : 0;
    return c;
}

void caf_coarrays_end(struct caf_team *t)
{
    while (t->coarrays)
        forget(t->coarrays);
}
