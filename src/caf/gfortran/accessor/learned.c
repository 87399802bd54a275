/* An accessor goes element by element, at the speed that the compiler has made of it; the core knows how sections of
 * known steps move quickest, and moves them between nodes without the other processor.  Which section it is the call
 * does not say, but the accessor shows it: run on a copy of the coarray in which every element has another value, a
 * getter brings the values of those that it gets, and a receiver leaves the values that it is given where it puts them.
 *
 * That is the section for all calls of the same accessor with the same arguments: it takes nothing else, unless the
 * coarray's type has components, or it makes a coindexed access of its own.  It is found out when accesses like this
 * have moved as many bytes as the coarray has, so that it costs no more than they did.  What is no section, or converts
 * values, shows too: then the accessor is run, for ever. */
#include "learned.h"

#include "fault.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    KEY_BYTES = 512,
    ENTRIES = 64,
    LEAST_BYTES = 512, /* of an access: below that the accessor is as quick */
    LEAST_TURNS = 3,
    GUARD_BYTES = 1 << 28,
};

/* All that an accessor knows, but for where the coarray is. */
struct key {
    int index;
    enum learned_kind kind;
    size_t coarray_bytes, element, bytes;
    unsigned char data[KEY_BYTES]; /* add_data, extents of the other side, the coarray's descriptor */
};

enum state { COUNTING, KNOWN, UNKNOWABLE };
static struct entry {
    struct key key;
    enum state state;
    unsigned turns;
    size_t moved; /* bytes */
    size_t first; /* where the section begins, in bytes behind the coarray's beginning */
    ptrdiff_t step[CAF_RANK];
} *entries;

bool learned_nested;

/* --- which access it is ------------------------------------------------------------------------------------------- */

static bool add(struct key *k, const void *data, size_t bytes)
{
    if (bytes > sizeof k->data - k->bytes)
        return false;
    memcpy(k->data + k->bytes, data, bytes);
    k->bytes += bytes;
    return true;
}

static bool make_key(struct key *k, const struct access *a, enum learned_kind kind,
                     const struct gfortran_descriptor *other)
{
    k->index = a->index;
    k->kind = kind;
    k->coarray_bytes = a->coarray->bytes;
    k->element = other->dtype.elem_len;
    k->bytes = 0;
    bool fits = add(k, a->add_data, a->add_bytes);
    for (int i = 0; i < other->dtype.rank; i++) {
        const size_t n = gfortran_extent(&other->dim[i]);
        fits = fits && add(k, &n, sizeof n);
    }
    if (!a->descriptor)
        return fits;
    const struct gfortran_descriptor *d = a->descriptor;
    const ptrdiff_t place = (char *)d->base - a->coarray->base;
    return fits && add(k, &place, sizeof place) && add(k, &d->offset, sizeof d->offset) &&
        add(k, &d->span, sizeof d->span) && add(k, d->dim, (size_t)d->dtype.rank * sizeof *d->dim);
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->index == b->index && a->kind == b->kind && a->coarray_bytes == b->coarray_bytes &&
        a->element == b->element && a->bytes == b->bytes && memcmp(a->data, b->data, a->bytes) == 0;
}

static struct entry *entry_of(const struct key *k)
{
    uint64_t hash = (uint64_t)k->index * 2 + k->kind;
    for (size_t i = 0; i + 8 <= k->bytes; i += 8) {
        uint64_t word;
        memcpy(&word, k->data + i, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    }
    return &entries[(hash ^ hash >> 32) % ENTRIES];
}

/* --- values that tell elements apart ------------------------------------------------------------------------------ */

/* Of 4 or 8 bytes; what is longer repeats it.  Any two differ in many bits, so that nothing but a copy keeps them. */
static uint64_t mark_of(uint64_t i, size_t element)
{
    return element == 4 ? (uint32_t)(i + 1) * 0x9e3779b1u : (i + 1) * 0x9e3779b97f4a7c15;
}

static void mark(char *at, uint64_t i, size_t element)
{
    const uint64_t value = mark_of(i, element);
    for (size_t done = 0; done < element; done += 8)
        memcpy(at + done, &value, element == 4 ? 4 : 8);
}

static bool is_marked(const char *at, uint64_t i, size_t element)
{
    char wanted[32];
    mark(wanted, i, element);
    return memcmp(at, wanted, element) == 0;
}

/* Which it is, by the inverse of the factors. */
static uint64_t read_mark(const char *at, size_t element)
{
    uint64_t value = 0;
    memcpy(&value, at, element == 4 ? 4 : 8);
    return element == 4 ? (uint32_t)((uint32_t)value * 0x0e8b2f51u - 1) : value * 0xf1de83e19937733d - 1;
}

/* --- running an accessor on marked memory ------------------------------------------------------------------------- */

struct trial {
    const struct access *access;
    size_t element, n, whole; /* elements of the section, and of the coarray */
    char *coarray, *pages;    /* the copy, and where the pages begin in which it is */
    size_t page_bytes;
    struct descriptor_room room;
    struct gfortran_descriptor *other; /* like the caller's, without gaps, in memory of its own */
};

/* A subscript out of bounds leads an accessor out of the copy, and must not find memory of this image there: nobody may
 * touch the pages before and behind.  The copy ends with its last page; what it leaves of its first is zero. */
static bool map_copy(struct trial *t, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    t->page_bytes = (bytes + page - 1) / page * page;
    char *all = mmap(NULL, t->page_bytes + 2 * (size_t)GUARD_BYTES, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return false;
    t->pages = all + GUARD_BYTES;
    t->coarray = t->pages + t->page_bytes - bytes;
    return mprotect(t->pages, t->page_bytes, PROT_READ | PROT_WRITE) == 0;
}

static void unmap_copy(struct trial *t)
{
    if (t->pages)
        munmap(t->pages - GUARD_BYTES, t->page_bytes + 2 * (size_t)GUARD_BYTES);
}

static void check_before_copy(const struct trial *t)
{
    for (const char *at = t->pages; at < t->coarray; at++)
        if (*at)
            fault_outside(t->access);
}

static bool trial_begin(struct trial *t, const struct access *a, const struct gfortran_descriptor *other)
{
    t->access = a;
    t->element = other->dtype.elem_len;
    t->whole = a->coarray->bytes / t->element;
    t->n = 1;
    t->other = (void *)t->room.bytes;
    memcpy(t->other, other, sizeof *other + (size_t)other->dtype.rank * sizeof *other->dim);
    t->other->span = (ptrdiff_t)t->element;
    ptrdiff_t offset = 0;
    for (int i = 0; i < other->dtype.rank; i++) {
        const ptrdiff_t extent = (ptrdiff_t)gfortran_extent(&other->dim[i]), lower = other->dim[i].lower;
        t->other->dim[i] = (struct gfortran_dim){(ptrdiff_t)t->n, lower, lower + extent - 1};
        offset -= lower * (ptrdiff_t)t->n;
        t->n *= (size_t)extent;
    }
    t->other->offset = (size_t)offset;
    t->pages = NULL;
    t->other->base = malloc(t->n * t->element);
    return t->other->base && map_copy(t, a->coarray->bytes);
}

static void trial_end(struct trial *t)
{
    free(t->other->base);
    unmap_copy(t);
}

static void mark_all(char *at, size_t n, uint64_t from, size_t element)
{
    for (size_t i = 0; i < n; i++)
        mark(at + i * element, from + i, element);
}

/* The accessor sees no address of the real coarray: its descriptor is that of the copy. */
static struct access in_trial(const struct trial *t, struct caf_coarray *copy, struct gfortran_descriptor *d)
{
    struct access a = *t->access;
    *copy = *a.coarray;
    if (a.descriptor) {
        memcpy(d, a.descriptor, sizeof *d + (size_t)a.descriptor->dtype.rank * sizeof *d->dim);
        d->base = t->coarray + ((char *)a.descriptor->base - a.coarray->base);
        a.descriptor = d;
    }
    copy->base = t->coarray;
    a.coarray = copy;
    a.pe = caf_my_pe;
    return a;
}

/* Where in the coarray element i of the section is, if that is what at shows. */
static bool try_get(struct trial *t, size_t *where)
{
    struct caf_coarray copy;
    struct descriptor_room room;
    const struct access a = in_trial(t, &copy, (void *)room.bytes);
    const char *buffer = t->other->base;
    mark_all(t->coarray, t->whole, 0, t->element);
    near_get_array(&a, t->coarray, t->other, NULL);
    for (size_t i = 0; i < t->n; i++) {
        where[i] = read_mark(buffer + i * t->element, t->element);
        if (where[i] >= t->whole || !is_marked(buffer + i * t->element, where[i], t->element))
            return false;
    }
    return true;
}

static bool try_put(struct trial *t, size_t *where)
{
    struct caf_coarray copy;
    struct descriptor_room room;
    const struct access a = in_trial(t, &copy, (void *)room.bytes);
    size_t found = 0;
    mark_all(t->other->base, t->n, 0, t->element);
    mark_all(t->coarray, t->whole, t->n, t->element); /* what no element of the section has */
    const struct access *outer = fault_begin(&a);
    near_put(&a, t->coarray, t->other, NULL);
    fault_end(outer);
    check_before_copy(t);
    for (size_t j = 0; j < t->whole; j++) {
        const char *at = t->coarray + j * t->element;
        if (is_marked(at, t->n + j, t->element))
            continue;
        const size_t i = read_mark(at, t->element);
        if (i >= t->n || !is_marked(at, i, t->element))
            return false;
        where[i] = j;
        found++;
    }
    return found == t->n; /* else one has been put twice, or is not there */
}

/* Whether these are the elements of a section; then first and step of e say of which. */
static bool is_section(const struct trial *t, const size_t *where, struct entry *e)
{
    const int rank = t->other->dtype.rank;
    ptrdiff_t step[CAF_RANK], extent[CAF_RANK], at[CAF_RANK] = {0};
    ptrdiff_t stride = 1;
    for (int i = 0; i < rank; i++) {
        extent[i] = (ptrdiff_t)gfortran_extent(&t->other->dim[i]);
        step[i] = extent[i] > 1 ? (ptrdiff_t)(where[stride] - where[0]) : 0;
        e->step[i] = step[i] * (ptrdiff_t)t->element;
        stride *= extent[i];
    }
    e->first = where[0] * t->element;
    ptrdiff_t expected = (ptrdiff_t)where[0];
    for (size_t i = 0; i < t->n; i++) {
        if ((ptrdiff_t)where[i] != expected)
            return false;
        for (int d = 0; d < rank; d++) {
            expected += step[d];
            if (++at[d] < extent[d])
                break;
            expected -= step[d] * extent[d];
            at[d] = 0;
        }
    }
    return true;
}

static void learn(struct entry *e, const struct access *a, const struct gfortran_descriptor *other)
{
    struct trial t;
    const bool begun = trial_begin(&t, a, other);
    size_t *where = begun ? calloc(t.n, sizeof *where) : NULL;
    learned_nested = false;
    e->state = UNKNOWABLE;
    if (where && (e->key.kind == LEARNED_GET ? try_get : try_put)(&t, where) && is_section(&t, where, e) &&
        !learned_nested)
        e->state = KNOWN;
    free(where);
    trial_end(&t);
}

/* --- the question ------------------------------------------------------------------------------------------------- */

static bool may_be_learned(const struct access *a, const struct gfortran_descriptor *other)
{
    const size_t element = other->dtype.elem_len, most_elements = UINT32_MAX / 2;
    return !a->coarray->has_components && !a->length && a->coarray->bytes &&
        (element == 4 || (element && element % 8 == 0 && element <= 32)) && a->coarray->bytes % element == 0 &&
        a->coarray->bytes / element < most_elements && other->dtype.rank > 0;
}

static bool is_known(const struct access *a, enum learned_kind kind, const struct gfortran_descriptor *other,
                     size_t bytes, struct entry **at)
{
    struct key k;
    if (!make_key(&k, a, kind, other))
        return false;
    if (CAF_UNLIKELY(!entries) && !(entries = calloc(ENTRIES, sizeof *entries)))
        return false;
    struct entry *e = *at = entry_of(&k);
    if (!same_key(&e->key, &k))
        *e = (struct entry){.key = k};
    if (e->state == COUNTING) {
        e->moved += bytes;
        if (++e->turns >= LEAST_TURNS && e->moved >= a->coarray->bytes)
            learn(e, a, other);
    }
    return e->state == KNOWN;
}

bool learned_sections(const struct access *a, enum learned_kind kind, const struct gfortran_descriptor *other,
                      struct caf_section *theirs, struct caf_section *mine)
{
    struct entry *e;
    size_t bytes = other->dtype.elem_len;
    for (int i = 0; i < other->dtype.rank; i++)
        bytes *= gfortran_extent(&other->dim[i]);
    if (bytes < LEAST_BYTES || !may_be_learned(a, other) || !is_known(a, kind, other, bytes, &e))
        return false;
    gfortran_section(mine, other, 1, other->base);
    mine->type = CAF_DERIVED; /* bytes */
    *theirs = *mine;
    theirs->base = a->coarray->base + e->first;
    for (int i = 0; i < theirs->rank; i++)
        theirs->dim[i].step = e->step[i];
    return true;
}
