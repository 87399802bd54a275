/* Declarations shared by the files of PRIF: definition of procedures, errors, handles, and locations on images. */
#pragma once

#include "../caf.h"
#include "prif.h"

/* PRIF(put)(...) { ... } defines prif_put, also under flang's name.  PRIF_AS gives a procedure another name. */
#define PRIF_AS(NAME, C) __asm__(".globl " #NAME "\n.set " #NAME ", prif_" #C)
#define PRIF_EXPORT __attribute__((visibility("default"))) void
#define PRIF(NAME) PRIF_AS(_QMprifPprif_##NAME, NAME); PRIF_EXPORT prif_##NAME

/* --- errors (report.c) -------------------------------------------------------------------------------------------- */

/* Called at the end of every procedure with error arguments; status is the core's. */
void prif_report_slowly(int status, PRIF_ERRORS);
static inline void prif_report(int status, PRIF_ERRORS)
{
    if (CAF_UNLIKELY(status != CAF_OK))
        prif_report_slowly(status, stat, errmsg, errmsg_alloc);
    else if (stat)
        *stat = 0;
}

/* The document's number for the core's status. */
int prif_stat(int status);

/* --- coarrays (coarrays.c) ---------------------------------------------------------------------------------------- */

/* The number of images of the initial team. */
extern int prif_n_images;

extern bool prif_ends_team; /* END TEAM deallocates the team's coarrays */

/* The record of a coarray or an alias. */
struct prif_coarray {
    prif_handle handle;  /* 0: the record is unused */
    char *base;          /* where offset 0 is */
    char *memory;        /* the coarray's memory, of `bytes` bytes */
    size_t bytes;
    struct caf_coarray *core;
    struct prif_coarray *source; /* alias: the coarray's record; coarray: itself; unused record: the next one */
    prif_cleanup *cleanup;
    void *context;       /* set in the coarray's own record */
    int corank;
    int64_t lower[CAF_RANK], extent[CAF_RANK - 1];
};

/* A handle has the number of its record in the low bits and the number of earlier handles above: a stale handle, which
 * flang passes after a coarray has ended with its team, is detected even if the record is in use again. */
enum { PRIF_RECORD_BITS = 17 };
extern struct prif_coarray prif_records[1 << PRIF_RECORD_BITS];

static inline struct prif_coarray *prif_record(prif_handle h)
{
    return &prif_records[h & ((1 << PRIF_RECORD_BITS) - 1)];
}

static inline bool prif_is_coarray(prif_handle h)
{
    return CAF_LIKELY(h && prif_record(h)->handle == h);
}

/* CAF_OK, or a sentence if no allocated coarray has this handle. */
int prif_check_handle(const char *procedure, prif_handle h);

/* The coarray; an invalid handle ends the job. For procedures without stat. */
const struct prif_coarray *prif_coarray(const char *procedure, prif_handle h);

/* --- locations (contiguous.c) ------------------------------------------------------------------------------------- */

/* Memory of an image: address is this image's corresponding address, or the other image's own if foreign. */
struct prif_location {
    int pe;
    char *address;
    bool foreign;
};

/* CAF_OK, or a sentence: the image must exist and not have failed, and the coarray must contain the bytes. */
int prif_find_slowly(const char *procedure, struct prif_location *p, int image, prif_handle h, size_t offset,
                     size_t bytes);
static inline int prif_find(const char *procedure, struct prif_location *p, int image, prif_handle h, size_t offset,
                            size_t bytes)
{
    const struct prif_coarray *c = prif_record(h);
    const size_t at = (size_t)(c->base - c->memory) + offset;
    if (CAF_UNLIKELY(!prif_is_coarray(h) || (unsigned)image - 1 >= (unsigned)prif_n_images || *caf_alerts ||
                     at > c->bytes || bytes > c->bytes - at))
        return prif_find_slowly(procedure, p, image, h, offset, bytes);
    *p = (struct prif_location){.pe = image - 1, .address = c->base + offset};
    return CAF_OK;
}

/* The same for an address of that image. */
int prif_find_pointer(const char *procedure, struct prif_location *p, int image, intptr_t pointer);

/* The same for atomic operations: the address must lie in a coarray or in memory of prif_allocate. */
int prif_find_word(const char *procedure, struct prif_location *p, int image, intptr_t pointer);

/* The arguments that name a location on an image: in a coarray or, in the indirect procedures, at an address of that
 * image. */
struct prif_place {
    int image;
    prif_handle coarray;
    size_t offset;
    const intptr_t *pointer; /* NULL: in the coarray */
};
#define PRIF_IN_COARRAY ((struct prif_place){*image_num, *coarray_handle, *offset, NULL})
#define PRIF_NOTIFY_IN_COARRAY ((struct prif_place){*image_num, *notify_coarray_handle, *notify_offset, NULL})
#define PRIF_AT(POINTER) ((struct prif_place){*image_num, 0, 0, POINTER})

/* A variable that only atomic operations access. */
static inline int prif_find_variable(const char *procedure, struct prif_location *p, const struct prif_place *place,
                                     size_t bytes)
{
    if (place->pointer)
        return prif_find_word(procedure, p, place->image, *place->pointer);
    return prif_find(procedure, p, place->image, place->coarray, place->offset, bytes);
}

/* The same for a variable of this image, on which this image waits. */
int prif_check_word(const char *procedure, const void *variable);

/* Increments a notify variable after all earlier puts of this image to that image. */
int prif_notify(const struct prif_location *variable);

/* --- teams (control.c) -------------------------------------------------------------------------------------------- */

/* The team of a variable, or NULL if variable is NULL; an invalid team ends the job. */
struct caf_team *prif_team(const char *procedure, const struct prif_team *variable);
struct caf_team *prif_team_numbered(const char *procedure, int64_t number);
