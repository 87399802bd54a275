/* Accessors run by another node's image. A request is a header, the value of a put, the descriptors of the coarray and
 * of the other side, the values of nested gets, and add_data. A reply is the value and, for an array, its bounds. */
#include "far.h"

#include "../allocation.h"
#include "../components.h"
#include "fault.h"
#include "near.h"
#include "nested.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCESSOR_CALL = 0x61636373 };
enum kind { GET_SCALAR, GET_ARRAY, PUT_SCALAR, PUT_ARRAY, PRESENT };

struct header {
    _Alignas(16) int kind;
    int hash, index, caller;
    uint64_t place;                 /* offset of the coarray in the heap */
    uint64_t bytes, size;           /* size of the coarray; size of a scalar in a get */
    uint64_t data, nested, add_data; /* bytes of the following parts */
    uint32_t described, other;      /* bytes of the descriptors; 0: none */
    bool has_components, has_dst_length, has_src_length, by_pointer;
    size_t dst_length, src_length;
};

struct answer {
    int status; /* 0, or the error if a scalar does not exist */
    int cause;  /* cause of a fault; the members below are then unset */
    int nested; /* the missing nested get */
    int32_t present;
    uint64_t length;
    struct descriptor_room bounds;
};

static size_t described_bytes(const struct gfortran_descriptor *d)
{
    return d ? sizeof *d + (size_t)d->dtype.rank * sizeof *d->dim : 0;
}

static size_t padded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* --- at the target image ------------------------------------------------------------------------------------------ */

struct call {
    struct header h;
    struct caf_coarray coarray;
    struct access a;
    int caller_pe;
    const void *data;
    struct gfortran_descriptor *other;
    struct answer *answer; /* NULL: no reply */
    caf_reply *reply;
};

static void open_call(struct call *c, char *args)
{
    memcpy(&c->h, args, sizeof c->h);
    const struct header *h = &c->h;
    char *at = args + sizeof *h;
    c->data = at;
    at += padded(h->data);
    struct gfortran_descriptor *described = h->described ? (void *)at : NULL;
    at += h->described;
    c->other = h->other ? (void *)at : NULL;
    at += h->other;
    nested_sent(at, h->nested);
    at += h->nested;
    c->coarray = (struct caf_coarray){.base = (char *)caf_reach.heap + h->place, .bytes = h->bytes,
                                      .has_components = h->has_components};
    if (described)
        described->base = c->coarray.base + (uintptr_t)described->base;
    const bool is_put = h->kind == PUT_SCALAR || h->kind == PUT_ARRAY;
    c->a = (struct access){.name = is_put ? "put" : h->kind == PRESENT ? "allocated" : "get", .pe = caf_my_pe,
                           .caller = h->caller, .coarray = &c->coarray, .descriptor = described,
                           .length = is_put ? (h->has_dst_length ? &h->dst_length : NULL)
                                            : (h->has_src_length ? &h->src_length : NULL),
                           .index = accessor_index(h->hash, h->index), .add_data = at, .add_bytes = h->add_data,
                           .is_called = true};
}

/* A fault must occur here, not where the reply is sent. */
static void touch(const volatile char *at, size_t bytes)
{
    const size_t page = 4096;
    for (size_t i = 0; i < bytes; i += page)
        (void)at[i];
    if (bytes)
        (void)at[bytes - 1];
}

static void answer_scalar(struct call *c)
{
    struct answer *answer = c->answer;
    caf_reply *reply = c->reply;
    size_t *length = c->h.has_dst_length ? &c->h.dst_length : NULL;
    char *at = near_find(&c->a, c->coarray.base, length);
    const size_t first_address = 1 << 16, offset = (size_t)(at - c->coarray.base);
    reply->bytes = length ? c->h.size * *length : c->h.size;
    reply->data = at;
    answer->length = c->h.dst_length;
    if (offset < c->coarray.bytes) {
        const size_t rest = c->coarray.bytes - offset;
        reply->bytes = reply->bytes < rest ? reply->bytes : rest;
    } else if (!c->coarray.has_components || (size_t)at < first_address) {
        answer->status = CAF_STAT_ERROR;
        reply->bytes = 0;
    }
    touch(reply->data, reply->bytes);
}

static void answer_array(struct call *c)
{
    struct gfortran_descriptor *d = (void *)c->answer->bounds.bytes;
    if (c->other)
        memcpy(d, c->other, c->h.other);
    near_get_new(&c->a, c->coarray.base, d, c->h.has_dst_length ? &c->h.dst_length : NULL);
    c->reply->data = d->base;
    c->reply->bytes = gfortran_count(d) * (size_t)d->span;
    c->reply->release = gfortran_free;
    c->answer->length = c->h.dst_length;
}

static void run(void *call)
{
    struct call *c = call;
    const size_t *length = c->h.has_src_length ? &c->h.src_length : NULL;
    switch (c->h.kind) {
    case GET_SCALAR: answer_scalar(c); break;
    case GET_ARRAY: answer_array(c); break;
    case PUT_SCALAR: near_put(&c->a, c->coarray.base, c->data, c->h.data, NULL, length); break;
    case PUT_ARRAY:
        c->other->base = (void *)(uintptr_t)c->data;
        near_put(&c->a, c->coarray.base, NULL, 0, c->other, length);
        break;
    case PRESENT:
        c->answer->present = near_present_in(&c->a, c->a.descriptor ? (void *)c->a.descriptor : c->coarray.base,
                                             c->h.by_pointer);
        break;
    }
}

/* Without a reply, this image prints the message itself. */
static void failed(struct call *c, int cause)
{
    char name[40];
    if (!c->answer) {
        snprintf(name, sizeof name, "%s by image %d", c->a.name, c->caller_pe + 1);
        c->a.name = name;
        fault_fatal(&c->a, cause);
    }
    *c->answer = (struct answer){.cause = cause, .nested = nested_missing()};
    *c->reply = (caf_reply){.head = c->reply->head, .head_bytes = sizeof *c->answer};
}

static void called(int pe, void *args, size_t bytes, caf_reply *reply)
{
    (void)bytes;
    caf_is_called = true;
    struct call c;
    open_call(&c, args);
    c.caller_pe = pe;
    c.reply = reply;
    c.answer = reply ? reply->head : NULL;
    if (reply) {
        *c.answer = (struct answer){0};
        reply->head_bytes = sizeof *c.answer;
    }
    const int cause = fault_run(&c.a, run, &c);
    if (CAF_UNLIKELY(cause))
        failed(&c, cause);
    caf_is_called = false;
}

__attribute__((constructor)) static void begin(void)
{
    caf_register(ACCESSOR_CALL, called);
}

/* --- at the calling image ----------------------------------------------------------------------------------------- */

struct message {
    const struct access *access;
    struct header h;
    struct descriptor_room described, other;
    struct iovec piece[8];
    size_t pieces, fixed; /* fixed: pieces that stay the same when the request is repeated */
    void *nested;
};

static void add(struct message *m, const void *data, size_t bytes)
{
    if (bytes)
        m->piece[m->pieces++] = (struct iovec){(void *)(uintptr_t)data, bytes};
}

static void make(struct message *m, enum kind kind, const struct access *a, const void *data, size_t bytes,
                 const struct gfortran_descriptor *other)
{
    static const char zeros[16];
    const struct caf_coarray *c = a->coarray;
    m->h = (struct header){.kind = kind, .hash = accessor_at(a->index)->hash, .index = a->index,
                           .caller = a->caller, .place = (uintptr_t)c->base - caf_reach.heap,
                           .bytes = c->bytes, .data = bytes, .add_data = a->add_bytes,
                           .described = (uint32_t)described_bytes(a->descriptor),
                           .other = (uint32_t)described_bytes(other), .has_components = c->has_components};
    m->access = a;
    m->pieces = 0;
    add(m, &m->h, sizeof m->h);
    add(m, data, bytes);
    add(m, zeros, padded(bytes) - bytes);
    if (a->descriptor) {
        struct gfortran_descriptor *d = accessor_object(a, c->base, &m->described);
        d->base = (void *)((uintptr_t)d->base - (uintptr_t)c->base);
        add(m, d, m->h.described);
    }
    add(m, other, m->h.other);
    m->fixed = m->pieces;
}

static void add_arguments(struct message *m)
{
    size_t bytes;
    m->nested = nested_values(m->access, &bytes);
    m->h.nested = bytes;
    m->pieces = m->fixed;
    add(m, m->nested, bytes);
    add(m, m->access->add_data, m->access->add_bytes);
}

static void set_lengths(struct message *m, const size_t *dst, const size_t *src)
{
    m->h.has_dst_length = dst;
    m->h.has_src_length = src;
    m->h.dst_length = dst ? *dst : 0;
    m->h.src_length = src ? *src : 0;
}

struct reception {
    const struct access *access;
    struct answer answer;
    struct gfortran_descriptor *dst; /* NULL: a scalar */
    void *room;
    size_t bytes; /* size of room */
    void *copy;   /* allocated, if the data do not fit in place */
    bool is_new;
};

static bool is_contiguous(const struct gfortran_descriptor *d)
{
    ptrdiff_t n = 1;
    for (int i = 0; i < d->dtype.rank; i++) {
        if (d->dim[i].stride != n && gfortran_extent(&d->dim[i]) != 1)
            return false;
        n *= (ptrdiff_t)gfortran_extent(&d->dim[i]);
    }
    return true;
}

static void *receive(void *context, void *head, size_t head_bytes, size_t bytes)
{
    struct reception *r = context;
    memcpy(&r->answer, head, head_bytes);
    if (CAF_UNLIKELY(r->answer.cause)) {
        if (r->answer.cause != FAULT_VECTOR || !r->answer.nested || !nested_learn(r->access, r->answer.nested))
            fault_fatal(r->access, r->answer.cause);
        return NULL;
    }
    const struct gfortran_descriptor *found = (void *)r->answer.bounds.bytes;
    if (!r->dst)
        return bytes <= r->bytes ? r->room : (r->copy = malloc(bytes));
    if (!r->is_new) {
        accessor_check_shape(r->access, r->dst, found);
        if (is_contiguous(r->dst) && r->dst->span == found->span)
            return r->dst->base;
    }
    r->copy = gfortran_malloc(bytes ? bytes : 1);
    if (!r->copy)
        caf_fatal("get: no memory for an array of %zu bytes", bytes);
    return r->copy;
}

/* Repeats the request while the accessor lacks values of nested gets. */
static int call(struct message *m, struct reception *r)
{
    int status;
    do {
        r->answer.cause = 0;
        add_arguments(m);
        status = caf_call(m->access->pe, ACCESSOR_CALL, m->piece, m->pieces, receive, r);
        free(m->nested);
    } while (status == CAF_OK && r->answer.cause);
    return status;
}

static bool say_failed(const struct access *a, int status, int *stat)
{
    if (status != CAF_OK)
        caf_report(caf_say_ended(a->name, a->pe, status), stat, NULL, 0);
    return status != CAF_OK;
}

/* The scalar may have any type. */
static void hide_components(void *scalar, size_t bytes, int image)
{
    const struct gfortran_descriptor d = {.base = scalar, .dtype.elem_len = bytes};
    gfortran_hide_components_of(&d, image);
}

void far_get_scalar(const struct access *a, void **dst, size_t size, size_t *length, int *stat)
{
    struct message m;
    make(&m, GET_SCALAR, a, NULL, 0, NULL);
    m.h.size = size;
    set_lengths(&m, length, a->length);
    struct reception r = {.access = a, .room = *dst, .bytes = length ? size * *length : size};
    if (say_failed(a, call(&m, &r), stat))
        return;
    if (r.copy) /* the scalar has deferred length */
        *dst = r.copy;
    if (length)
        *length = r.answer.length;
    else if (a->coarray->has_components)
        hide_components(*dst, size, a->image);
    if (r.answer.status)
        caf_report(caf_say(CAF_STAT_ERROR, "%s: a component on image %d%s is not allocated or not associated, or "
                           "a subscript is out of bounds", a->name, a->pe + 1, caf_of_initial_team()), stat, NULL, 0);
}

void far_get_array(const struct access *a, struct gfortran_descriptor *dst, size_t *length, bool is_new, int *stat)
{
    struct message m;
    make(&m, GET_ARRAY, a, NULL, 0, is_new ? NULL : dst);
    set_lengths(&m, length, a->length);
    struct reception r = {.access = a, .dst = dst, .is_new = is_new};
    if (say_failed(a, call(&m, &r), stat))
        return;
    const struct gfortran_descriptor *found = (void *)r.answer.bounds.bytes;
    if (is_new) {
        memcpy(dst, found, described_bytes(found));
        dst->base = r.copy;
    } else if (r.copy) {
        struct caf_section to, from;
        gfortran_section(&to, dst, 1, dst->base);
        gfortran_section(&from, found, 1, r.copy);
        to.type = from.type = CAF_DERIVED; /* bytes */
        caf_put(caf_my_pe, &to, &from);
        gfortran_free(r.copy);
    }
    if (length)
        *length = r.answer.length;
    if (gfortran_has_components(dst->dtype.type))
        gfortran_hide_components_of(dst, a->image);
}

void far_put(const struct access *a, const void *src, size_t bytes, const struct gfortran_descriptor *d,
             const size_t *length)
{
    struct message m;
    struct descriptor_room room;
    struct gfortran_descriptor *copy = NULL;
    if (d && !is_contiguous(d))
        d = copy = accessor_packed(d, &room);
    if (d) {
        bytes = gfortran_count(d) * (size_t)d->span;
        src = d->base;
    }
    make(&m, d ? PUT_ARRAY : PUT_SCALAR, a, src, bytes, d);
    set_lengths(&m, a->length, length);
    if (nested_is_known(a)) {
        add_arguments(&m);
        caf_post(a->pe, ACCESSOR_CALL, m.piece, m.pieces);
        free(m.nested);
    } else if (call(&m, &(struct reception){.access = a}) == CAF_OK) {
        nested_note_known(a);
    }
    if (copy)
        free(copy->base);
}

bool far_present(const struct access *a)
{
    struct message m;
    struct access described = *a;
    struct descriptor_room room;
    void *object = accessor_tested(a, a->coarray->base, &room);
    const bool in_room = object == room.bytes;
    described.descriptor = in_room && gfortran_shape(a->coarray) ? object : NULL;
    make(&m, PRESENT, &described, NULL, 0, NULL);
    m.h.by_pointer = in_room && !described.descriptor;
    struct reception r = {.access = a};
    return call(&m, &r) == CAF_OK && r.answer.present;
}
