/* Puts through components that the target image completes. A message is a header, the value, its extents, and the
 * references that the walk has not reached. The target walks them, and reports errors itself without a reply. */
#include "posted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSTED_PUT = 0x70757463 };
enum { MOST_REFERENCES = 8, MOST_BYTES = 32 << 10 }; /* with more data the extra copy costs more than a round trip */

struct header {
    _Alignas(16) uint64_t place; /* offset in the heap where the walk continues */
    uint64_t bytes, size;        /* size of the value; size of an element */
    int dst_type, dst_kind, src_type, src_kind;
    int rank, references;
};

/* Extents and references. */
struct description {
    size_t bytes;
    char at[CAF_RANK * sizeof(size_t) + MOST_REFERENCES * sizeof(struct reference)];
};

static size_t padded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* The bytes that every reference of this type has; the dimensions, if any, follow. */
static size_t fixed_of(int type)
{
    return type == REFERENCE_COMPONENT ? offsetof(struct reference, u) + sizeof(((struct reference *)0)->u.component)
                                       : offsetof(struct reference, u.array.dim);
}

static size_t dims_of(const struct reference *r)
{
    return r->type == REFERENCE_COMPONENT ? 0 : (size_t)direct_rank(r) * sizeof r->u.array.dim[0];
}

/* --- at the target image ------------------------------------------------------------------------------------------ */

static const char *take(void *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return from + bytes;
}

static void open_references(struct reference *refs, int n, const char *at)
{
    for (int i = 0; i < n; i++) {
        struct reference *r = &refs[i];
        memcpy(r, at, offsetof(struct reference, u));
        at = take(r, at, fixed_of(r->type));
        at = take((char *)r + fixed_of(r->type), at, dims_of(r));
        r->next = i + 1 < n ? r + 1 : NULL;
    }
}

static void put_for(int from_pe, int pe, void *args, size_t bytes)
{
    (void)bytes;
    caf_is_called = true;
    struct header h;
    memcpy(&h, args, sizeof h);
    char *value = (char *)args + sizeof h;
    const char *at = value + padded(h.bytes);
    struct caf_section from = {.base = value, .type = (enum caf_type)h.src_type, .kind = h.src_kind, .size = h.size,
                               .rank = h.rank};
    ptrdiff_t step = (ptrdiff_t)h.size;
    for (int i = 0; i < h.rank; i++) {
        at = take(&from.dim[i].count, at, sizeof from.dim[i].count);
        from.dim[i].step = step;
        step *= (ptrdiff_t)from.dim[i].count;
    }
    struct reference refs[MOST_REFERENCES];
    open_references(refs, h.references, at);
    char name[40];
    snprintf(name, sizeof name, "put by image %d", from_pe + 1);
    struct caf_section to = {0};
    struct index_vectors held = {0};
    struct walk w = {.access = name, .pe = pe, .place = NEAR,
                     .at = caf_near(pe, (void *)(caf_reach.heap + h.place)), .s = &to, .held = &held};
    const int status = direct_walk_on(&w, refs, h.dst_type, h.dst_kind, NULL);
    caf_report(status, NULL, NULL, 0);
    caf_put(direct_walk_pe(&w), &to, &from);
    caf_is_called = false;
}

static void called(int pe, void *args, size_t bytes, caf_reply *reply)
{
    (void)reply;
    put_for(pe, caf_my_pe, args, bytes);
}

__attribute__((constructor)) static void begin(void)
{
    caf_register(POSTED_PUT, called);
    caf_register_stand_in(POSTED_PUT, put_for);
}

/* --- at the calling image ----------------------------------------------------------------------------------------- */

static void add(struct description *d, const void *what, size_t bytes)
{
    memcpy(d->at + d->bytes, what, bytes);
    d->bytes += bytes;
}

static bool has_vector(const struct reference *r)
{
    if (r->type != REFERENCE_COMPONENT)
        for (int i = 0; i < direct_rank(r); i++)
            if (r->u.array.mode[i] == SUBSCRIPT_VECTOR)
                return true;
    return false;
}

/* The number of references; 0: too many, or some have vector subscripts in separate memory. */
static int describe_references(struct description *d, const struct reference *refs)
{
    int n = 0;
    for (const struct reference *r = refs; r; r = r->next) {
        if (n++ == MOST_REFERENCES || has_vector(r))
            return 0;
        add(d, r, fixed_of(r->type) + dims_of(r));
    }
    return n;
}

static size_t bytes_of(const struct caf_section *s)
{
    size_t bytes = s->size;
    for (int i = 0; i < s->rank; i++)
        bytes *= s->dim[i].count;
    return bytes;
}

/* The value's elements, contiguous: in place, or in *copy, which is allocated. */
static const void *packed(const struct caf_section *s, size_t bytes, void **copy)
{
    struct caf_section to = *s;
    ptrdiff_t step = (ptrdiff_t)s->size;
    bool is_packed = true;
    for (int i = 0; i < s->rank; i++) {
        to.dim[i].step = step;
        is_packed &= s->dim[i].step == step || s->dim[i].count == 1;
        step *= (ptrdiff_t)s->dim[i].count;
    }
    *copy = NULL;
    if (is_packed || !bytes)
        return s->base;
    to.base = *copy = malloc(bytes);
    if (!to.base)
        caf_fatal("put: no memory for a copy of %zu bytes", bytes);
    caf_get(caf_my_pe, &to, s);
    return to.base;
}

bool direct_post_put(const struct walk *w, const struct gfortran_descriptor *src, int src_kind, int dst_type,
                     int dst_kind)
{
    static const char zeros[16];
    struct description d;
    struct caf_section from;
    d.bytes = 0;
    gfortran_section(&from, src, src_kind, src->base);
    const size_t bytes = bytes_of(&from);
    if (bytes > MOST_BYTES)
        return false;
    for (int i = 0; i < from.rank; i++)
        add(&d, &from.dim[i].count, sizeof from.dim[i].count);
    struct header h = {.place = (uintptr_t)w->at - caf_reach.heap, .bytes = bytes, .size = from.size,
                       .dst_type = dst_type, .dst_kind = dst_kind, .src_type = (int)from.type,
                       .src_kind = from.kind, .rank = from.rank};
    h.references = describe_references(&d, w->rest);
    if (!h.references)
        return false;
    void *copy;
    const void *value = packed(&from, bytes, &copy);
    (from.rank ? caf_post : caf_post_now)(w->pe, POSTED_PUT,
        (struct iovec[]){{&h, sizeof h}, {(void *)(uintptr_t)value, bytes},
                         {(void *)(uintptr_t)zeros, padded(bytes) - bytes}, {d.at, d.bytes}}, 4);
    free(copy);
    return true;
}
