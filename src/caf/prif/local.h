/* What the files of PRIF share: how procedures are defined, where their errors go, handles, and locations on images. */
#ifndef COPAL_PRIF_LOCAL_H
#define COPAL_PRIF_LOCAL_H

#include "../caf.h"
#include "prif.h"

/* PRIF(put)(...) { ... } defines prif_put, which prif.h declares, under flang's name too. */
#define PRIF_AS(FLANG, C) extern __typeof__(prif_##C) FLANG __attribute__((alias("prif_" #C), visibility("default")))
#define PRIF(NAME) PRIF_AS(_QMprifPprif_##NAME, NAME); void prif_##NAME

/* --- errors (report.c) -------------------------------------------------------------------------------------------- */

/* The end of every procedure that has errors: status is one of the core's. */
void prif_report_slowly(int status, PRIF_ERRORS);
static inline void prif_report(int status, PRIF_ERRORS)
{
    if (CAF_UNLIKELY(status != CAF_OK))
        prif_report_slowly(status, stat, errmsg, errmsg_alloc);
    else if (stat)
        *stat = 0;
}

/* The document's number for a status of the core's. */
int prif_stat(int status);

/* --- coarrays (coarrays.c) ---------------------------------------------------------------------------------------- */

/* Images of the initial team. */
extern int prif_n_images;

/* Of a coarray, or of an alias. */
struct prif_coarray {
    prif_handle handle;  /* 0: the record is unused */
    char *base;          /* what offsets are counted from */
    char *memory;        /* the coarray's, of so many bytes */
    size_t bytes;
    struct caf_coarray *core;
    struct prif_coarray *source; /* of an alias, the coarray's own; of that, itself; the next unused one */
    prif_cleanup *cleanup;
    void *context;       /* of the coarray's own */
    int corank;
    int64_t lower[CAF_RANK], extent[CAF_RANK - 1];
};

/* A handle has the number of its record in the low bits, and above how many handles there were before: so that one that
 * is stale, as flang's are when a coarray ended with its team, is known to be, whatever the record is used for now. */
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

/* CAF_OK, or a sentence: it must be one of a coarray that is allocated. */
int prif_check_handle(const char *procedure, prif_handle h);

/* The coarray, or the end of the job with a sentence: for procedures without stat. */
const struct prif_coarray *prif_coarray(const char *procedure, prif_handle h);

/* --- locations (contiguous.c) ------------------------------------------------------------------------------------- */

/* Memory of an image.  address is this image's that corresponds to it; or, if foreign, that image's own. */
struct prif_location {
    int pe;
    char *address;
    bool foreign;
};

/* CAF_OK, or a sentence: the image must exist and not have failed, and the bytes be the coarray's. */
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

/* The same for an address as that image has it. */
int prif_find_pointer(const char *procedure, struct prif_location *p, int image, intptr_t pointer);

/* The same where atomic operations are to be done: it must lie in a coarray, or in what prif_allocate has given. */
int prif_find_word(const char *procedure, struct prif_location *p, int image, intptr_t pointer);

/* Where something is on an image: in a coarray or, of the indirect procedures, at an address as that image has it. */
struct prif_place {
    int image;
    prif_handle coarray;
    size_t offset;
    const intptr_t *pointer; /* NULL: it is in the coarray */
};
#define PRIF_DIRECT const int *image_num, const prif_handle *coarray_handle, const size_t *offset
#define PRIF_IN_COARRAY ((struct prif_place){*image_num, *coarray_handle, *offset, NULL})
#define PRIF_NOTIFY_DIRECT const prif_handle *notify_coarray_handle, const size_t *notify_offset
#define PRIF_NOTIFY_IN_COARRAY ((struct prif_place){*image_num, *notify_coarray_handle, *notify_offset, NULL})
#define PRIF_AT(POINTER) ((struct prif_place){*image_num, 0, 0, POINTER})

/* A variable that is for atomic operations alone. */
static inline int prif_find_variable(const char *procedure, struct prif_location *p, const struct prif_place *place,
                                     size_t bytes)
{
    if (place->pointer)
        return prif_find_word(procedure, p, place->image, *place->pointer);
    return prif_find(procedure, p, place->image, place->coarray, place->offset, bytes);
}

/* Likewise for a variable of this image, on which it waits. */
int prif_check_word(const char *procedure, const void *variable);

/* The count of a notify variable there: what has been put to that image is there before. */
int prif_notify(const struct prif_location *variable);

/* --- teams (control.c) -------------------------------------------------------------------------------------------- */

/* The team of a variable; NULL where the variable is NULL.  The end of the job with a sentence, if there is none. */
struct caf_team *prif_team(const char *procedure, const struct prif_team *variable);
struct caf_team *prif_team_numbered(const char *procedure, int64_t number);

#endif
