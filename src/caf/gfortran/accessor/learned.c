/* An accessor handles one element after another; the core moves a section with known steps faster, and between nodes
 * without the other processor's work.  The call does not say which section an accessor accesses, but an experiment
 * shows it: the accessor runs on a copy of the coarray in which every element has a different value.  A getter returns
 * the values of the elements that it reads, and a receiver leaves the given values in the elements that it writes.
 *
 * All calls of the same accessor with the same arguments access the same section, because it depends on nothing else,
 * unless the coarray's type has components or the accessor makes a coindexed access of its own.  The experiment runs
 * after equal accesses have moved as many bytes as the coarray has, so it costs no more than they did.  If the result
 * is no section, or the accessor converts values, these accesses always run the accessor. */
#include "learned.h"

#include "fault.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    KEY_WORDS = 64,
    ENTRIES = 256,
    PATIENCE = 16, /* consecutive accesses of other keys before an entry is replaced */
    LEAST_TURNS = 3,
    GUARD_BYTES = 1 << 28,
};

/* All that the section depends on, except the coarray's address. */
struct key {
    int index;
    enum learned_kind kind;
    size_t coarray_bytes, element, add_bytes, words;
    uint64_t word[KEY_WORDS]; /* add_data, extents of the other side, the coarray's descriptor */
};

enum state { COUNTING, KNOWN, UNKNOWABLE };
static struct entry {
    struct key key;
    enum state state;
    unsigned turns, missed;
    size_t moved; /* bytes */
    struct learned section;
} *entries;

bool learned_nested;

/* --- keys --------------------------------------------------------------------------------------------------------- */

#define INLINE static inline __attribute__((always_inline))

/* Number of extents on the caller's side that are known before the access. */
INLINE int extents_of(enum learned_kind kind, const struct gfortran_descriptor *other)
{
    return kind == LEARNED_NEW ? 0 : other->dtype.rank;
}

static size_t words_of(const struct access *a, enum learned_kind kind, const struct gfortran_descriptor *other)
{
    const struct gfortran_descriptor *d = a->descriptor;
    return 1 + (a->add_bytes + 7) / 8 + (size_t)extents_of(kind, other) + (d ? 3 + 3 * (size_t)d->dtype.rank : 0);
}

/* Fewer than 8 bytes as a number, without a call. */
INLINE uint64_t rest_of(const unsigned char *at, size_t bytes)
{
    uint64_t rest = 0;
    uint32_t half;
    if (bytes & 4) {
        memcpy(&half, at, sizeof half);
        rest = half;
    }
    for (size_t i = bytes & 4; i < bytes; i++)
        rest |= (uint64_t)at[i] << 8 * i;
    return rest;
}

/* Whether word is the next word of a key; set: first stores it there. */
INLINE bool is_next(uint64_t **at, uint64_t word, bool set)
{
    if (set)
        **at = word;
    return *(*at)++ == word;
}

INLINE bool are_next(uint64_t **at, const void *data, size_t bytes, bool set)
{
    const unsigned char *from = data;
    for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t), from += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, from, sizeof word);
        if (!is_next(at, word, set))
            return false;
    }
    return !bytes || is_next(at, rest_of(from, bytes), set);
}

/* Whether the key's words and the words of the access are equal; set: first stores them. */
INLINE bool has_words(struct key *k, const struct access *a, const struct gfortran_descriptor *other, bool set)
{
    const struct gfortran_descriptor *d = a->descriptor;
    uint64_t *at = k->word;
    bool has = is_next(&at, (uint64_t)other->dtype.rank, set) && are_next(&at, a->add_data, a->add_bytes, set);
    for (int i = 0; has && i < extents_of(k->kind, other); i++)
        has = is_next(&at, gfortran_extent(&other->dim[i]), set);
    if (!has || !d)
        return has;
    return is_next(&at, (uint64_t)((char *)d->base - a->coarray->base), set) && is_next(&at, d->offset, set) &&
        is_next(&at, (uint64_t)d->span, set) && are_next(&at, d->dim, (size_t)d->dtype.rank * sizeof *d->dim, set);
}

/* Compares in place: copying the words would take longer than the access may. */
static inline bool is_key_of(struct key *k, const struct access *a, enum learned_kind kind,
                             const struct gfortran_descriptor *other)
{
    return k->index == a->index && k->kind == kind && k->coarray_bytes == a->coarray->bytes &&
        k->element == other->dtype.elem_len && k->add_bytes == a->add_bytes && k->words == words_of(a, kind, other) &&
        has_words(k, a, other, false);
}

static void make_key(struct key *k, const struct access *a, enum learned_kind kind,
                     const struct gfortran_descriptor *other)
{
    k->index = a->index;
    k->kind = kind;
    k->coarray_bytes = a->coarray->bytes;
    k->element = other->dtype.elem_len;
    k->add_bytes = a->add_bytes;
    k->words = words_of(a, kind, other);
    has_words(k, a, other, true);
}

/* Hashes what differs most: add_data, which has the subscripts, and extents. */
static inline struct entry *entry_of(const struct access *a, enum learned_kind kind,
                                     const struct gfortran_descriptor *other)
{
    uint64_t hash = (uint64_t)a->index * 4 + kind, word;
    for (size_t i = 0; i + sizeof word <= a->add_bytes; i += sizeof word) {
        memcpy(&word, (const char *)a->add_data + i, sizeof word);
        hash = (hash << 5 | hash >> 59) ^ word;
    }
    const size_t whole = a->add_bytes / sizeof word * sizeof word;
    hash = (hash << 5 | hash >> 59) ^ rest_of((const unsigned char *)a->add_data + whole, a->add_bytes - whole);
    for (int i = 0; i < extents_of(kind, other); i++)
        hash = (hash << 5 | hash >> 59) ^ gfortran_extent(&other->dim[i]);
    hash *= 0x9e3779b97f4a7c15;
    return &entries[hash >> 32 & (ENTRIES - 1)]; /* a product's upper half depends on all bits of its factors */
}

/* --- distinct values ---------------------------------------------------------------------------------------------- */

/* A mark has 4 or 8 bytes and is repeated in longer elements. Marks differ in many bits: only a copy preserves one. */
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

/* The mark's number, by the inverse of the factor. */
static uint64_t read_mark(const char *at, size_t element)
{
    uint64_t value = 0;
    memcpy(&value, at, element == 4 ? 4 : 8);
    return element == 4 ? (uint32_t)((uint32_t)value * 0x0e8b2f51u - 1) : value * 0xf1de83e19937733d - 1;
}

/* --- running an accessor on marked memory ------------------------------------------------------------------------- */

struct trial {
    const struct access *access;
    size_t element, n, whole; /* n: elements of the section; whole: of the coarray */
    char *coarray, *pages;    /* coarray: the copy; pages: start of its pages */
    size_t page_bytes;
    struct descriptor_room room;
    struct gfortran_descriptor *other; /* like the caller's, packed, in its own memory */
};

/* A subscript out of bounds must fault instead of reaching memory of this image: inaccessible pages surround the copy.
 * The copy ends with its last page; the rest of its first page is zero. */
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

static bool trial_begin(struct trial *t, const struct access *a, enum learned_kind kind,
                        const struct gfortran_descriptor *other)
{
    t->access = a;
    t->element = other->dtype.elem_len;
    t->whole = a->coarray->bytes / t->element;
    t->n = 1;
    t->other = (void *)t->room.bytes;
    memcpy(t->other, other, sizeof *other + (size_t)other->dtype.rank * sizeof *other->dim);
    t->pages = NULL;
    if (kind == LEARNED_NEW)
        return map_copy(t, a->coarray->bytes);
    t->other->span = (ptrdiff_t)t->element;
    ptrdiff_t offset = 0;
    for (int i = 0; i < other->dtype.rank; i++) {
        const ptrdiff_t extent = (ptrdiff_t)gfortran_extent(&other->dim[i]), lower = other->dim[i].lower;
        t->other->dim[i] = (struct gfortran_dim){(ptrdiff_t)t->n, lower, lower + extent - 1};
        offset -= lower * (ptrdiff_t)t->n;
        t->n *= (size_t)extent;
    }
    t->other->offset = (size_t)offset;
    t->other->base = malloc(t->n * t->element);
    return t->other->base && map_copy(t, a->coarray->bytes);
}

static void trial_end(struct trial *t)
{
    gfortran_free(t->other->base);
    unmap_copy(t);
}

static void mark_all(char *at, size_t n, uint64_t from, size_t element)
{
    for (size_t i = 0; i < n; i++)
        mark(at + i * element, from + i, element);
}

/* The accessor sees no address of the real coarray: its descriptor refers to the copy. */
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
    return a;
}

/* The bytes that d describes, and whether they are contiguous and in order. */
static inline bool is_packed(const struct gfortran_descriptor *d, size_t *bytes)
{
    size_t n = 1;
    bool packed = (size_t)d->span == d->dtype.elem_len;
    for (int i = 0; i < d->dtype.rank; i++) {
        const size_t extent = gfortran_extent(&d->dim[i]);
        packed = packed && (extent == 1 || d->dim[i].stride == (ptrdiff_t)n);
        n *= extent;
    }
    *bytes = n * d->dtype.elem_len;
    return packed;
}

/* Gets from the copy: into existing memory, or into new memory, whose size is then checked. */
static bool run_getter(struct trial *t, enum learned_kind kind)
{
    struct caf_coarray copy;
    struct descriptor_room room;
    const struct access a = in_trial(t, &copy, (void *)room.bytes);
    size_t bytes;
    mark_all(t->coarray, t->whole, 0, t->element);
    if (kind == LEARNED_GET) {
        near_get_array(&a, t->coarray, t->other, NULL);
        return true;
    }
    near_get_new(&a, t->coarray, t->other, NULL);
    const bool fits = is_packed(t->other, &bytes) && bytes >= LEARNED_LEAST && bytes <= t->whole * t->element;
    t->n = bytes / t->element;
    return t->other->base && fits;
}

/* Finds the position in the coarray of each element of the section; false: the values are no marks. */
static bool try_get(struct trial *t, size_t *where)
{
    const char *buffer = t->other->base;
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
    mark_all(t->coarray, t->whole, t->n, t->element); /* marks that no element of the section has */
    const struct access *outer = fault_begin(&a);
    near_put(&a, t->coarray, NULL, 0, t->other, NULL);
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
    return found == t->n; /* otherwise one was put twice, or is missing */
}

/* Whether these positions form a section, and which. */
static bool is_section(const struct trial *t, const size_t *where, struct learned *section)
{
    const int rank = t->other->dtype.rank;
    ptrdiff_t step[CAF_RANK], extent[CAF_RANK], at[CAF_RANK] = {0};
    ptrdiff_t stride = 1;
    section->is_packed = true;
    for (int i = 0; i < rank; i++) {
        extent[i] = (ptrdiff_t)gfortran_extent(&t->other->dim[i]);
        step[i] = extent[i] > 1 ? (ptrdiff_t)(where[stride] - where[0]) : 0;
        section->step[i] = step[i] * (ptrdiff_t)t->element;
        section->is_packed = section->is_packed && (extent[i] == 1 || step[i] == stride);
        stride *= extent[i];
    }
    section->first = where[0] * t->element;
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
    learned_nested = false;
    e->state = UNKNOWABLE;
    const bool is_put = e->key.kind == LEARNED_PUT;
    const bool begun = trial_begin(&t, a, e->key.kind, other) && (is_put || run_getter(&t, e->key.kind));
    size_t *where = begun ? calloc(t.n, sizeof *where) : NULL;
    /* MUTANT accessors with gets of their own: !learned_nested => true */
    if (where && (is_put ? try_put : try_get)(&t, where) && is_section(&t, where, &e->section) &&
        !learned_nested)
        e->state = KNOWN;
    e->section.bytes = t.n * t.element;
    e->section.room = t.room;
    free(where);
    trial_end(&t);
}

void learned_try(const struct access *a, struct gfortran_descriptor *dst, size_t *length, bool is_new)
{
    struct trial t = {.access = a};
    struct caf_coarray copy;
    struct descriptor_room room, found;
    if (!map_copy(&t, a->coarray->bytes))
        return;
    const struct access on_copy = in_trial(&t, &copy, (void *)room.bytes);
    if (is_new) {
        struct gfortran_descriptor *d = (void *)found.bytes;
        memcpy(d, dst, sizeof *d + (size_t)dst->dtype.rank * sizeof *d->dim);
        near_get_new(&on_copy, t.coarray, d, length);
        gfortran_free(d->base);
    } else {
        near_get_array(&on_copy, t.coarray, dst, length);
    }
    unmap_copy(&t);
}

/* --- queries ------------------------------------------------------------------------------------------------------ */

static bool may_be_learned(const struct access *a, const struct gfortran_descriptor *other)
{
    const size_t element = other->dtype.elem_len;
    return !a->coarray->has_components && !a->length && other->dtype.rank > 0 &&
        (element == 4 || (element % 8 == 0 && element <= 32));
}

/* Constant for all accesses of a key, so checked once. */
static bool can_be_marked(const struct access *a, size_t element)
{
    const size_t most_elements = UINT32_MAX / 2;
    return a->coarray->bytes && a->coarray->bytes % element == 0 && a->coarray->bytes / element < most_elements;
}

/* The access's entry, or NULL if another key keeps it while it is in use: if keys that share an entry (columns of a
 * matrix, put one after the other) replaced each other, none would be learned. */
static inline struct entry *claim(const struct access *a, enum learned_kind kind,
                                  const struct gfortran_descriptor *other)
{
    struct entry *e = entry_of(a, kind, other);
    if (CAF_LIKELY(is_key_of(&e->key, a, kind, other))) {
        e->missed = 0;
        return e;
    }
    if (e->key.words && ++e->missed < PATIENCE)
        return NULL;
    make_key(&e->key, a, kind, other);
    e->state = can_be_marked(a, e->key.element) ? COUNTING : UNKNOWABLE;
    e->turns = e->missed = 0;
    e->moved = 0;
    return e;
}

__attribute__((noinline)) static void count(struct entry *e, const struct access *a,
                                            const struct gfortran_descriptor *other, size_t bytes)
{
    e->moved += bytes;
    if (++e->turns >= LEAST_TURNS && e->moved >= a->coarray->bytes)
        learn(e, a, other);
}

static struct entry *counted; /* the entry of the last get into new memory, if it is counting */

void learned_count_new(int index, const struct gfortran_descriptor *got)
{
    size_t bytes;
    learned_count_little(accessor_at(index), got);
    if (!counted)
        return;
    is_packed(got, &bytes);
    counted->moved += bytes;
    counted = NULL;
}

const struct learned *learned_section(const struct access *a, enum learned_kind kind,
                                      const struct gfortran_descriptor *other, size_t *piece)
{
    const bool is_new = kind == LEARNED_NEW;
    size_t bytes = LEARNED_LEAST;
    const bool packed = is_new || is_packed(other, &bytes);
    counted = NULL;
    if (bytes < LEARNED_LEAST || !may_be_learned(a, other) || words_of(a, kind, other) > KEY_WORDS)
        return NULL;
    if (CAF_UNLIKELY(!entries) && !(entries = calloc(ENTRIES, sizeof *entries)))
        return NULL;
    struct entry *e = claim(a, kind, other);
    if (e && CAF_UNLIKELY(e->state == COUNTING)) {
        count(e, a, other, is_new ? 0 : bytes);
        counted = is_new && e->state == COUNTING ? e : NULL;
    }
    if (!e || e->state != KNOWN)
        return NULL;
    *piece = packed && e->section.is_packed ? e->section.bytes : 0;
    return &e->section;
}

void learned_both(const struct learned *section, const struct access *a, const struct gfortran_descriptor *other,
                  struct caf_section *theirs, struct caf_section *mine)
{
    gfortran_section(mine, other, 1, other->base);
    mine->type = theirs->type = CAF_DERIVED; /* bytes */
    theirs->base = a->coarray->base + section->first;
    theirs->kind = mine->kind;
    theirs->size = mine->size;
    theirs->rank = mine->rank;
    theirs->foreign = false;
    for (int i = 0; i < theirs->rank; i++)
        theirs->dim[i] = (struct caf_dim){.count = mine->dim[i].count, .step = section->step[i]};
}
