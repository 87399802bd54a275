/* Coarrays: established by ALLOCATE, at the program's start, or by association in CHANGE TEAM. */
#include "coarray.h"
#include "../memory/heap.h"
#include "sync.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void (*caf_coarray_ended)(struct caf_coarray *coarray);

/* A coarray's record stands in the managed heap, right before its memory: each is found from the other, and a program
 * that takes the record for an object of malloc's is found out. */
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

static const char no_memory[] = "allocate: no memory; SHMEM_SYMMETRIC_SIZE=%zum would have it, for a coarray of %zu "
                                "bytes on %s";

/* The image before this one has told what it has allocated since the last synchronization. */
static void check_sizes(const struct caf_team *t, uint64_t mine, uint64_t heard)
{
    if (CAF_UNLIKELY(heard && heard != mine))
        caf_fatal("allocate: coarrays of %zu bytes here and of %zu on image %d; all images must allocate the same",
                  (size_t)mine - 1, (size_t)heard - 1, (t->me ? t->me : t->n));
}

struct caf_coarray *caf_allocate_ahead(size_t bytes, bool zeroed)
{
    struct caf_coarray *c = new_record(bytes);
    if (!c)
        caf_fatal(no_memory, caf_heap_advice(bytes), bytes, "this image");
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
    const int status = caf_meet("allocate", t, bytes + 1, &heard);
    check_sizes(t, bytes + 1, heard);
    if (caf_refused(t)) {
        caf_heap_free(c);
        return caf_say(CAF_STAT_ERROR, no_memory, caf_heap_advice(bytes), bytes, c ? "another image" : "this image");
    }
    enlist(c);
    *coarray = c;
    return status;
}

/* A large array of which a program uses little: pages that have not been touched are given back, and so are zero,
 * rather than written.  Where the kernel or the kind of memory does not allow it they are written. */
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
    if (!c)
        caf_fatal("start: no memory for a coarray of %zu bytes; SHMEM_SYMMETRIC_SIZE=%zum would have it", bytes,
                  caf_heap_advice(bytes));
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

void caf_deallocate_ahead(void)
{
    struct caf_team *t = caf_current;
    if (t->deallocates)
        return;
    uint64_t heard;
    t->deallocate_status = caf_meet("deallocate", t, 0, &heard);
    t->deallocates = true;
}

int caf_deallocate(struct caf_coarray *c)
{
    struct caf_team *t = caf_current;
    const bool is_here = c->team == t;
    if (is_here)
        caf_deallocate_ahead();
    t->deallocates = false;
    if (!is_here)
        return caf_say(CAF_STAT_ERROR, "deallocate: the coarray was allocated in another team than the current one");
    forget(c);
    return t->deallocate_status;
}

struct caf_coarray *caf_associate(const struct caf_coarray *coarray)
{
    struct caf_coarray *c = malloc(sizeof *c);
    if (!c)
        caf_fatal("no memory for the record of a coarray");
    *c = (struct caf_coarray){.base = coarray->base, .bytes = coarray->bytes, .team = caf_current, .is_alias = true};
    enlist(c);
    return c;
}

void caf_coarrays_end(struct caf_team *t)
{
    while (t->coarrays)
        forget(t->coarrays);
}
