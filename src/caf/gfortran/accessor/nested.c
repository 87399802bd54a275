#include "nested.h"

#include "../allocation.h"
#include "fault.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

/* The message format: one record per nested get. */
struct values {
    _Alignas(16) int hash;
    size_t bytes; /* size of the array, which follows, padded */
    struct descriptor_room bounds;
};

static size_t padded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* --- at the calling image ----------------------------------------------------------------------------------------- */

/* The nested gets that each accessor needs. */
static struct needs {
    bool is_known;
    int n, hash[CAF_RANK];
} *needs;
static int n_needs;

static struct needs *needs_of(const struct access *a)
{
    if (a->index >= n_needs) {
        const int n = a->index + 64;
        needs = realloc(needs, (size_t)n * sizeof *needs);
        if (!needs)
            caf_fatal("%s: no memory for records of %d accessors", a->name, n);
        memset(needs + n_needs, 0, (size_t)(n - n_needs) * sizeof *needs);
        n_needs = n;
    }
    return &needs[a->index];
}

bool nested_learn(const struct access *a, int hash)
{
    struct needs *of = needs_of(a);
    for (int i = 0; i < of->n; i++)
        if (of->hash[i] == hash)
            return false;
    if (of->n == CAF_RANK)
        return false;
    of->hash[of->n++] = hash;
    return true;
}

/* A vector subscript of this kind is a descriptor in add_data, so a smaller add_data has none. */
bool nested_is_known(const struct access *a)
{
    return a->add_bytes < sizeof(struct gfortran_descriptor) || needs_of(a)->is_known;
}

void nested_note_known(const struct access *a)
{
    needs_of(a)->is_known = true;
}

/* Runs the nested accessor here: it reads add_data as if it were a coarray. */
static void get_here(const struct access *a, int hash, struct gfortran_descriptor *d)
{
    struct caf_coarray frame = {.base = a->add_data, .bytes = a->add_bytes, .has_components = true};
    const struct access nested = {.name = a->name, .pe = caf_my_pe, .caller = a->caller,
                                  .coarray = &frame, .index = accessor_index(hash, -1)};
    near_get_new(&nested, frame.base, d, NULL);
}

void *nested_values(const struct access *a, size_t *bytes)
{
    char *all = NULL;
    *bytes = 0;
    if (CAF_LIKELY(a->add_bytes < sizeof(struct gfortran_descriptor)))
        return NULL;
    const struct needs of = *needs_of(a);
    for (int i = 0; i < of.n; i++) {
        struct values v = {.hash = of.hash[i]};
        struct gfortran_descriptor *d = (void *)v.bounds.bytes;
        get_here(a, v.hash, d);
        v.bytes = gfortran_count(d) * (size_t)d->span;
        all = realloc(all, *bytes + sizeof v + padded(v.bytes));
        if (!all)
            caf_fatal("%s: no memory for a vector subscript of %zu bytes", a->name, v.bytes);
        memcpy(all + *bytes, &v, sizeof v);
        memcpy(all + *bytes + sizeof v, d->base, v.bytes);
        *bytes += sizeof v + padded(v.bytes);
        gfortran_free(d->base);
    }
    return all;
}

/* --- at the target image ------------------------------------------------------------------------------------------ */

static _Thread_local const char *sent __attribute__((tls_model("initial-exec")));
static _Thread_local size_t sent_bytes __attribute__((tls_model("initial-exec")));
static _Thread_local int missing __attribute__((tls_model("initial-exec")));

void nested_sent(const void *values, size_t bytes)
{
    sent = values;
    sent_bytes = bytes;
    missing = 0;
}

int nested_missing(void)
{
    return missing;
}

void nested_get(int index, struct gfortran_descriptor *dst)
{
    const int hash = accessor_at(index)->hash;
    const struct values *v;
    for (size_t at = 0; at < sent_bytes; at += sizeof *v + padded(v->bytes)) {
        v = (const void *)(sent + at);
        if (v->hash != hash)
            continue;
        const struct gfortran_descriptor *d = (const void *)v->bounds.bytes;
        memcpy(dst, d, sizeof *d + (size_t)d->dtype.rank * sizeof *d->dim);
        dst->base = gfortran_malloc(v->bytes ? v->bytes : 1);
        if (!dst->base)
            caf_fatal("get: no memory for a vector subscript of %zu bytes", v->bytes);
        memcpy(dst->base, v + 1, v->bytes);
        return;
    }
    missing = hash;
    fault_leave(FAULT_VECTOR);
}
