/* Registration and deregistration of coarrays. */
#include "abi.h"
#include "allocation.h"
#include "components.h"

#include <stdlib.h>
#include <string.h>

/* Called when a coarray ends by END TEAM, or by a DEALLOCATE whose stat= is not 0 because an image has failed. Resets
 * the program's variable and its token; coindexed accesses check nothing else. */
static void end_coarray(struct caf_coarray *c)
{
    if (c->owns_components)
        gfortran_free_components(c->base, c->bytes, c->element_bytes);
    gfortran_forget_root(c);
    struct gfortran_descriptor *d = c->descriptor;
    if (d && d->base == c->base) {
        d->base = NULL;
        *(caf_token *)(void *)((char *)d + c->token_distance) = NULL;
    }
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

static struct caf_coarray *newest; /* its bounds have not been noted yet */

void gfortran_note_shapes(void)
{
    if (CAF_LIKELY(!newest))
        return;
    const struct gfortran_descriptor *d = newest->descriptor;
    const size_t dims = (size_t)d->dtype.rank * sizeof *d->dim;
    if (d->base == newest->base && d->dtype.rank > 0 && d->dtype.rank <= CAF_RANK) {
        newest->shape = malloc(sizeof *d + dims);
        if (!newest->shape)
            caf_fatal("no memory for the bounds of a coarray");
        memcpy(newest->shape, d, sizeof *d + dims);
    }
    newest = NULL;
}

const struct gfortran_descriptor *gfortran_shape(const struct caf_coarray *c)
{
    gfortran_note_shapes();
    return c->shape;
}

/* --- registration ------------------------------------------------------------------------------------------------- */

static size_t bytes_of(size_t size, int type)
{
    switch (type) {
    case LOCK_STATIC:
    case LOCK_ALLOC:
    case CRITICAL_SECTION:
        return size * CAF_LOCK_BYTES;
    case EVENT_STATIC:
    case EVENT_ALLOC:
        return size * CAF_EVENT_BYTES;
    default:
        return size;
    }
}

/* --- entry points ------------------------------------------------------------------------------------------------- */

static bool had_stat, is_ahead;
static struct caf_coarray *fresh; /* its components are about to be initialized by gfortran; or NULL */

/* gfortran adds a SYNC ALL without stat= to each ALLOCATE. An ALLOCATE without stat= needs no other synchronization,
 * because any other error ends the job. After one with stat= the next statement reports ended images. */
void gfortran_sync_all(int *stat, char *errmsg, size_t errmsg_len)
{
    gfortran_note_shapes();
    gfortran_end_segment();
    gfortran_note_got(NULL);
    const bool is_of_allocate = had_stat && !stat, completes_allocate = is_ahead;
    had_stat = is_ahead = false;
    fresh = NULL;
    const int status = completes_allocate ? caf_sync_allocated() : caf_sync_all();
    if (status == CAF_OK || !is_of_allocate)
        caf_report(status, stat, errmsg, errmsg_len);
}

/* gfortran 12 to 14 register the pointer components of a new scalar coarray like allocatable ones; pointers must not be
 * freed. For an array gfortran 12 assumes the components at the array's descriptor. */
static void note_component(const caf_token *token)
{
    if (fresh && (uintptr_t)token - (uintptr_t)fresh->descriptor < fresh->element_bytes)
        caf_fatal("allocate: gfortran 12 overwrites the descriptor of an allocatable coarray array whose type has "
                  "pointer components; make it a scalar coarray, or one of constant shape, or use a newer gfortran");
    if (fresh && fresh->bytes == fresh->element_bytes && (uintptr_t)token - (uintptr_t)fresh->base < fresh->bytes)
        fresh->owns_components = false;
}

static void note_coarray(struct caf_coarray *c, caf_token *token, struct gfortran_descriptor *d)
{
    *token = c;
    d->base = c->base;
    c->element_bytes = d->dtype.elem_len;
    c->has_components = gfortran_has_components(d->dtype.type);
    c->character_bytes = d->dtype.type == CAF_CHARACTER ? d->dtype.elem_len : 0;
    gfortran_note_root(c);
}

/* CHANGE TEAM (t, d[*] => coarray), ASSOCIATE (d => coarray(3:5)): the token in d is already the coarray's, and the
 * base address that of the part. */
static void associate(caf_token *token, struct gfortran_descriptor *d)
{
    const struct caf_coarray *mapped = *token;
    struct caf_coarray *c = caf_associate(mapped, d->base, d);
    c->element_bytes = mapped->element_bytes;
    c->character_bytes = mapped->character_bytes;
    c->has_components = mapped->has_components;
    *token = c;
}

GFORTRAN_API void _gfortran_caf_register(size_t size, int type, caf_token *token, struct gfortran_descriptor *d,
                                         int *stat, char *errmsg, size_t errmsg_len)
{
    caf_init(); /* static coarrays are registered before the program begins */
    caf_coarray_ended = end_coarray;
    gfortran_note_shapes();
    const size_t bytes = bytes_of(size, type);
    struct caf_coarray *c;
    int status = CAF_OK;
    switch (type) {
    case COARRAY_STATIC:
    case LOCK_STATIC:
    case EVENT_STATIC:
    case CRITICAL_SECTION:
        c = caf_allocate_static(bytes);
        c->is_critical = type == CRITICAL_SECTION;
        note_coarray(c, token, d);
        break;
    case MAP_EXISTING:
        associate(token, d);
        break;
    default:
        if (gfortran_is_component(token, d, type)) {
            note_component(token);
            status = gfortran_register_component(bytes, type, token, d);
            break;
        }
        gfortran_end_segment();
        had_stat = stat != NULL;
        is_ahead = !stat;
        /* The tokens in objects with components must be empty. */
        const bool zeroed = type != COARRAY_ALLOC || gfortran_has_components(d->dtype.type);
        if (is_ahead)
            c = caf_allocate_ahead(bytes, zeroed);
        else
            status = caf_allocate(bytes, zeroed, &c);
        if (c) {
            note_coarray(c, token, d);
            c->descriptor = d;
            c->token_distance = (size_t)((char *)token - (char *)d);
            c->owns_components = gfortran_has_components(d->dtype.type);
            newest = fresh = c;
        }
    }
    caf_report(status, stat, errmsg, errmsg_len);
}

/* --- deregistration ----------------------------------------------------------------------------------------------- */

/* At the end of a procedure or BLOCK, gfortran 12 treats the variable of a local scalar coarray as an object of the
 * coarray's type, and frees the words at the offsets of the type's allocatable components. At offset 0 that word is the
 * address of the coarray's memory; nothing else then deallocates the coarray. The other words are numbers (the length,
 * bounds, the type, which looks like an address) or a token. gfortran sets the freed words to zero. */
static bool is_number(const void *p)
{
    const union {
        struct {
            int version;
            signed char rank, type;
            short attribute;
        } of;
        uintptr_t word;
    } scalar = {.of = {.type = CAF_DERIVED}};
    const uintptr_t largest = 1 << 16;
    return (uintptr_t)p + largest <= 2 * largest || (uintptr_t)p == scalar.word;
}

/* The program's `free`, redirected by the linker's option --wrap. */
GFORTRAN_API void __wrap_free(void *p);
void __wrap_free(void *p)
{
    if (CAF_UNLIKELY(gfortran_forget != NULL))
        gfortran_forget(p);
    if (CAF_UNLIKELY(p == gfortran_got && p)) {
        gfortran_keep(p);
        return;
    }
    if (CAF_LIKELY(caf_arena_holds(p))) {
        free(p);
        return;
    }
    if (!caf_is_not_mine(p)) {
        if (!is_number(p))
            free(p);
        return;
    }
    if (caf_give_back(p))
        return;
    struct caf_coarray *c = caf_coarray_at(p); /* NULL: p is a token */
    gfortran_note_shapes();
    gfortran_end_segment();
    if (c)
        caf_report(caf_deallocate(c), NULL, NULL, 0);
}

static bool has_token_at(const struct caf_coarray *c, const void *token)
{
    return c->descriptor && (const char *)c->descriptor + c->token_distance == (const char *)token;
}

/* The coarray of a token, even if gfortran has zeroed it (above). NULL: none, or its coarray has ended (MOVE_ALLOC). */
static struct caf_coarray *coarray_of(const caf_token *token)
{
    if (!*token)
        return caf_coarray_find(has_token_at, token);
    return caf_is_coarray(*token) ? *token : NULL;
}

static const struct caf_coarray *ends_with_team; /* valid in segment ends_in_segment */
static uint64_t ends_in_segment;

void gfortran_note_end_with_team(const struct caf_coarray *c)
{
    ends_with_team = caf_team_number(NULL) >= 0 && c->team == caf_current ? c : NULL;
    ends_in_segment = gfortran_segment;
}

/* The status of a DEALLOCATE that END TEAM executes itself. */
static int status_of_end_team(int status)
{
    return status == CAF_STAT_FAILED_IMAGE || status == CAF_STAT_STOPPED_IMAGE ? CAF_OK : status;
}

GFORTRAN_API void _gfortran_caf_deregister(caf_token *token, int type, int *stat, char *errmsg, size_t errmsg_len)
{
    int status = CAF_OK;
    struct caf_coarray *c = NULL;
    gfortran_note_shapes();
    if (!gfortran_is_component_token(*token)) {
        c = coarray_of(token);
    } else {
        /* gfortran ends components before their coarray, while other images may still read them. */
        if (type == WITH_COARRAY) {
            gfortran_end_segment();
            caf_deallocate_ahead();
        }
        gfortran_deregister_component(token);
    }
    if (c) {
        const bool by_end_team = c == ends_with_team && gfortran_segment == ends_in_segment;
        gfortran_end_segment();
        c->descriptor = (char *)token - c->token_distance; /* MOVE_ALLOC may have changed it */
        status = caf_deallocate(c);
        if (status != CAF_STAT_ERROR)
            *token = NULL;
        if (by_end_team)
            status = status_of_end_team(status);
    }
    caf_report(status, stat, errmsg, errmsg_len);
}
