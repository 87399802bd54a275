/* Coarrays: allocation, and their end by DEALLOCATE or with their team; aliases; memory of one image alone. */
#include "../memory/heap.h"
#include "local.h"

#include <stdlib.h>
#include <string.h>

/* --- records ------------------------------------------------------------------------------------------------------ */

struct prif_coarray prif_records[1 << PRIF_RECORD_BITS];
int prif_n_images;
static struct prif_coarray *unused;   /* linked by `source` */
static int n_used;                    /* the remaining records have never been used */
static uint64_t n_handles;

static struct prif_coarray *new_record(void)
{
    const int most = 1 << PRIF_RECORD_BITS;
    struct prif_coarray *c = unused;
    if (c)
        unused = c->source;
    else if (n_used < most)
        c = &prif_records[n_used++];
    else
        caf_fatal("more than %d coarrays and aliases at once", most);
    c->handle = ++n_handles << PRIF_RECORD_BITS | (uint64_t)(c - prif_records);
    return c;
}

static void end_record(struct prif_coarray *c)
{
    c->handle = 0;
    c->source = unused;
    unused = c;
}

int prif_check_handle(const char *procedure, prif_handle h)
{
    if (prif_is_coarray(h))
        return CAF_OK;
    return caf_say(CAF_STAT_ERROR, "%s: the handle is not one of a coarray that is allocated%s", procedure,
                   prif_n_images ? "" : ", before prif_init");
}

const struct prif_coarray *prif_coarray(const char *procedure, prif_handle h)
{
    if (CAF_UNLIKELY(prif_check_handle(procedure, h)))
        caf_fatal("%s", caf_message());
    return prif_record(h);
}

/* Sets the cobounds. The upper bound of the last codimension, if given, is ignored: it follows from the team. */
static int set_bounds(const char *procedure, struct prif_coarray *c, const struct prif_descriptor *lower,
                      const struct prif_descriptor *upper)
{
    const size_t corank = prif_extent(lower);
    if (corank < 1 || corank > CAF_RANK)
        return caf_say(CAF_STAT_ERROR, "%s: %zu lower cobounds, allowed are 1 to %d", procedure, corank, CAF_RANK);
    if (prif_extent(upper) != corank && prif_extent(upper) != corank - 1)
        return caf_say(CAF_STAT_ERROR, "%s: %zu lower and %zu upper cobounds, allowed are as many upper, or one fewer",
                       procedure, corank, prif_extent(upper));
    c->corank = (int)corank;
    for (size_t i = 0; i < corank; i++) {
        c->lower[i] = *(const int64_t *)prif_element(lower, i);
        const int64_t last = i < corank - 1 ? *(const int64_t *)prif_element(upper, i) : c->lower[i];
        if (last < c->lower[i])
            return caf_say(CAF_STAT_ERROR, "%s: cobounds %lld to %lld of codimension %zu, which has no cosubscript",
                           procedure, (long long)c->lower[i], (long long)last, i + 1);
        if (i < corank - 1)
            c->extent[i] = last - c->lower[i] + 1;
    }
    return CAF_OK;
}

/* --- ALLOCATE, DEALLOCATE ----------------------------------------------------------------------------------------- */

/* The program's final procedure may query the coarray and use its memory. */
static void run_cleanup(struct prif_coarray *c)
{
    prif_cleanup *cleanup = c->cleanup;
    c->cleanup = NULL;
    if (cleanup)
        cleanup(c->handle);
}

bool prif_ends_team;

/* Called when DEALLOCATE or END TEAM is about to free the coarray. END TEAM frees all coarrays of the team, and all
 * their cleanups precede: a cleanup may use other coarrays of the team. */
static void coarray_ended(struct caf_coarray *core)
{
    for (struct caf_coarray *c = core; c; c = prif_ends_team ? c->next : NULL)
        run_cleanup(c->descriptor); /* it may deallocate other coarrays */
    end_record(core->descriptor);
}

static int allocate(struct prif_coarray *c, size_t bytes, prif_cleanup *cleanup)
{
    struct caf_coarray *core;
    const int status = caf_allocate(bytes, false, &core);
    if (!core)
        return PRIF_STAT_OUT_OF_MEMORY;
    caf_coarray_ended = coarray_ended;
    core->descriptor = c;
    c->base = c->memory = core->base;
    c->bytes = bytes;
    c->core = core;
    c->source = c;
    c->cleanup = cleanup;
    c->context = NULL;
    return status;
}

static const struct prif_coarray *allocate_coarray(const struct prif_descriptor *lcobounds,
                                                   const struct prif_descriptor *ucobounds, size_t bytes,
                                                   prif_cleanup *const *final_proc, PRIF_ERRORS)
{
    struct prif_coarray *c = new_record();
    int status = set_bounds("prif_allocate_coarray", c, lcobounds, ucobounds);
    c->core = NULL;
    if (status == CAF_OK)
        status = allocate(c, bytes, final_proc ? *final_proc : NULL);
    const bool is_there = c->core != NULL;
    if (!is_there)
        end_record(c);
    prif_report(status, stat, errmsg, errmsg_alloc);
    return is_there ? c : NULL;
}

PRIF_EXPORT prif_allocate_coarray(const struct prif_descriptor *lcobounds, const struct prif_descriptor *ucobounds,
                                  const size_t *size_in_bytes, prif_cleanup *const *final_proc,
                                  prif_handle *coarray_handle, void **allocated_memory, PRIF_ERRORS)
{
    const struct prif_coarray *c = allocate_coarray(lcobounds, ucobounds, *size_in_bytes, final_proc, stat, errmsg,
                                                    errmsg_alloc);
    *coarray_handle = c ? c->handle : 0;
    if (c)
        *allocated_memory = c->base;
}

/* For allocated_memory flang 23 passes the address of an allocatable's descriptor, or of a static coarray itself, whose
 * data must not be overwritten. A descriptor is recognized by its version and attribute. */
static bool is_allocatable(const void *variable)
{
    enum { ALLOCATABLE = 2, FIRST_LLVM_VERSION = 20180515, PAGE = 4096 };
    struct prif_descriptor d;
    const uintptr_t address = (uintptr_t)variable;
    if (address % _Alignof(struct prif_descriptor) != 0)
        return false;
    if (address / PAGE == (address + sizeof d - 1) / PAGE)
        memcpy(&d, variable, sizeof d);
    else if (!caf_reach_read(caf_my_pe, &d, variable, sizeof d))
        return false; /* a small variable at the end of its page, no descriptor */
    return d.version >= FIRST_LLVM_VERSION && (d.gfortran_type & 0xff) == ALLOCATABLE;
}

PRIF_EXPORT _QMprifPprif_allocate_coarray(const struct prif_descriptor *lcobounds,
                                          const struct prif_descriptor *ucobounds, const size_t *size_in_bytes,
                                          prif_cleanup *const *final_proc, prif_handle *coarray_handle,
                                          void **allocated_memory, PRIF_ERRORS)
{
    const struct prif_coarray *c = allocate_coarray(lcobounds, ucobounds, *size_in_bytes, final_proc, stat, errmsg,
                                                    errmsg_alloc);
    *coarray_handle = c ? c->handle : 0;
    if (c && is_allocatable(allocated_memory))
        *allocated_memory = c->base;
}

static int check_deallocation(const char *procedure, prif_handle h)
{
    const int status = prif_check_handle(procedure, h);
    if (status)
        return status;
    if (prif_record(h)->source != prif_record(h))
        return caf_say(CAF_STAT_ERROR, "%s: the handle is an alias; prif_alias_destroy ends it", procedure);
    if (prif_record(h)->core->team != caf_current)
        return caf_say(CAF_STAT_ERROR, "%s: the coarray was allocated in another team than the current one", procedure);
    return CAF_OK;
}

/* One synchronization of all images, and all cleanups, precede the first deallocation. */
static int deallocate(const char *procedure, size_t n, const struct prif_descriptor *handles)
{
    for (size_t i = 0; i < n; i++) {
        const prif_handle h = *(prif_handle *)prif_element(handles, i);
        const int status = check_deallocation(procedure, h);
        if (status)
            return status;
        for (size_t j = 0; j < i; j++)
            if (*(prif_handle *)prif_element(handles, j) == h)
                return caf_say(CAF_STAT_ERROR, "%s: elements %zu and %zu are the same handle", procedure, j + 1, i + 1);
    }
    if (n)
        caf_deallocate_ahead();
    for (size_t i = 0; i < n; i++)
        run_cleanup(prif_record(*(prif_handle *)prif_element(handles, i)));
    int status = CAF_OK;
    for (size_t i = 0; i < n; i++) {
        const int ended = caf_deallocate(prif_record(*(prif_handle *)prif_element(handles, i))->core);
        status = status ? status : ended;
    }
    return status;
}

static int deallocate_one(prif_handle h)
{
    const int status = check_deallocation("prif_deallocate_coarray", h);
    return status ? status : caf_deallocate(prif_record(h)->core);
}

PRIF_EXPORT prif_deallocate_coarray(const prif_handle *coarray_handle, PRIF_ERRORS)
{
    prif_report(deallocate_one(*coarray_handle), stat, errmsg, errmsg_alloc);
}

PRIF(deallocate_coarrays)(const struct prif_descriptor *coarray_handles, PRIF_ERRORS)
{
    prif_report(deallocate("prif_deallocate_coarrays", prif_extent(coarray_handles), coarray_handles), stat, errmsg,
                errmsg_alloc);
}

/* flang's MOVE_ALLOC leaves handles in place, and flang does not know that END TEAM deallocates: at the end of a
 * procedure it passes handles of ended coarrays, which are ignored. A moved coarray lasts until its team ends. */
PRIF_EXPORT _QMprifPprif_deallocate_coarray(const prif_handle *coarray_handle, PRIF_ERRORS)
{
    if (stat || prif_is_coarray(*coarray_handle))
        prif_report(deallocate_one(*coarray_handle), stat, errmsg, errmsg_alloc);
}

/* `free` of the program and of flang's library, redirected by the linker's option --wrap: flang's MOVE_ALLOC frees the
 * previous coarray, on all images, by free alone. */
PRIF_EXPORT __wrap_free(void *p)
{
    struct caf_coarray *c;
    if (CAF_LIKELY(!caf_heap_holds(p)))
        free(p);
    else if ((c = caf_coarray_at(p)) != NULL)
        prif_report(caf_deallocate(c), NULL, NULL, NULL);
}

/* --- memory of one image ------------------------------------------------------------------------------------------ */

PRIF(allocate)(const size_t *size_in_bytes, void **allocated_memory, PRIF_ERRORS)
{
    int status = CAF_OK;
    void *memory = caf_heap_allocate_alone(*size_in_bytes ? *size_in_bytes : 1);
    if (memory)
        *allocated_memory = memory;
    else
        status = caf_say(PRIF_STAT_OUT_OF_MEMORY, "prif_allocate: no memory for %zu bytes; %s", *size_in_bytes,
                         caf_heap_advice(*size_in_bytes));
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(deallocate)(void *const *mem, PRIF_ERRORS)
{
    int status = CAF_OK;
    if (CAF_UNLIKELY(!caf_heap_free_if_taken(*mem)))
        status = caf_say(CAF_STAT_ERROR, "prif_deallocate: %p was not returned by prif_allocate", *mem);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

/* --- aliases ------------------------------------------------------------------------------------------------------ */

PRIF(alias_create)(const prif_handle *source_handle, const struct prif_descriptor *alias_lcobounds,
                   const struct prif_descriptor *alias_ucobounds, const size_t *data_pointer_offset,
                   prif_handle *alias_handle)
{
    const struct prif_coarray *source = prif_coarray("prif_alias_create", *source_handle);
    struct prif_coarray *alias = new_record();
    const prif_handle handle = alias->handle;
    *alias = *source;
    alias->handle = handle;
    alias->base += *data_pointer_offset;
    alias->cleanup = NULL;
    if ((size_t)(alias->base - alias->memory) > alias->bytes)
        caf_fatal("prif_alias_create: data_pointer_offset %zu, which is outside of a coarray of %zu bytes",
                  *data_pointer_offset, alias->bytes);
    if (set_bounds("prif_alias_create", alias, alias_lcobounds, alias_ucobounds))
        caf_fatal("%s", caf_message());
    *alias_handle = handle;
}

PRIF(alias_destroy)(const prif_handle *alias_handle)
{
    const struct prif_coarray *alias = prif_coarray("prif_alias_destroy", *alias_handle);
    if (alias->source == alias)
        caf_fatal("prif_alias_destroy: the handle is not an alias; prif_deallocate_coarray ends it");
    end_record(prif_record(*alias_handle));
}
