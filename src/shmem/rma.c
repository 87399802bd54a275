/* Remote memory access (9.6): contiguous transfers and single elements, blocking and nonblocking.
 *
 * Within a node, a put is a copy, complete on return; nonblocking routines do the same as blocking ones, unless a
 * setting requests overlap (overlap.h).  Between nodes, src/net does the transfer. */
#include "shmem/api.h"
#include "shmem/copy.h"
#include "common/element.h"
#include "time/virtual.h"
#include "node/overlap.h"

/* --- contiguous --------------------------------------------------------------------------------------------------- */

void check_copy(void *to, const void *from, size_t bytes, const char *routine)
{
    if (!to || !from)
        job_fatal(routine, "argument %s is a null pointer with a length of %zu bytes", to ? "source" : "dest", bytes);
    check_overlap(to, bytes, from, bytes, routine);
}

void copy_and_wake(void *to, const void *from, size_t bytes, int pe)
{
    if (bytes <= sizeof(uint64_t))
        copy_element(to, from, bytes); /* MUTANT an element is one store: copy(to, from, bytes); */
    else if (bytes < PAST_LEAST || bytes >= LARGE_COPY)
        copy(to, from, bytes);
    else
        copy_to_pe(to, from, bytes, pe);
    wake(pe, to, bytes);
}

/* Starts a copy by the helper thread, except in a collective, which would wait for it immediately. */
static bool leave_copy(void *to, const void *from, size_t bytes, int pe, bool put, via how)
{
    return !outer_routine &&
           overlap_start(&(struct overlap_copy){
               .to = to, .from = from, .bytes = bytes, .pe = pe, .put = put, .context = how & ~VIA_NBI});
}

void put_later(void *to, const void *from, size_t bytes, int pe, via how)
{
    if (!leave_copy(to, from, bytes, pe, true, how))
        copy_and_wake(to, from, bytes, pe);
}

void get_later(void *to, const void *from, size_t bytes, int pe, via how)
{
    if (!leave_copy(to, from, bytes, pe, false, how))
        copy(to, from, bytes);
}

void put_slowly(void *dest, const void *source, size_t bytes, int pe, via how, const char *routine)
{
    check_pe(pe, routine);
    if (bytes == 0)
        return;
    if (UNLIKELY(virtual_on) && node_is_near(pe))
        virtual_access(VIRTUAL_STORE, pe, place_of(dest), bytes);
    void *to = reach(dest, bytes, pe, routine);
    if (!source || (to && node.debug))
        check_copy(to ? to : dest, source, bytes, routine);
    if (to && is_for_later(bytes, how))
        put_later(to, source, bytes, pe, how);
    else if (to)
        copy_and_wake(to, source, bytes, pe);
    else
        net_put(net_of(how), pe, place_of(dest), source, bytes, mode_of(how), routine);
    virtual_resume();
}

void get_slowly(void *dest, const void *source, size_t bytes, int pe, via how, const char *routine)
{
    check_pe(pe, routine);
    if (bytes == 0)
        return;
    if (UNLIKELY(virtual_on) && node_is_near(pe))
        virtual_access(VIRTUAL_LOAD, pe, place_of(source), bytes);
    const void *from = reach_arg("source", source, bytes, pe, routine);
    if (!dest || (from && node.debug))
        check_copy(dest, from ? from : source, bytes, routine);
    if (from && is_for_later(bytes, how))
        get_later(dest, (void *)from, bytes, pe, how);
    else if (from)
        copy(dest, from, bytes);
    else
        net_get(net_of(how), pe, dest, place_of(source), bytes, mode_of(how), routine);
    virtual_resume();
}

INLINE void put(void *dest, const void *source, size_t nelems, size_t size, int pe, via how, const char *routine)
{
    put_bytes(dest, source, bytes_of(nelems, size, routine), pe, how, routine);
}

INLINE void get(void *dest, const void *source, size_t nelems, size_t size, int pe, via how, const char *routine)
{
    get_bytes(dest, source, bytes_of(nelems, size, routine), pe, how, routine);
}

/* shmem_int_put, shmem_ctx_int_put, shmem_int_put_nbi, shmem_ctx_int_put_nbi, shmem_put64,
 * shmem_ctx_put64, shmem_put64_nbi, shmem_ctx_put64_nbi ... */
#define PUT(FORM, T, SIZE, NAME) FORM(void, NAME, (T *dest, const T *source, size_t nelems, int pe), \
    put(dest, source, nelems, SIZE, pe, how, ROUTINE))
#define PUT_TYPE(T, N) PUT(API_CTX, T, sizeof(T), N##_put) PUT(API_NBI, T, sizeof(T), N##_put)
#define PUT_SIZE(BITS) PUT(API_CTX, void, BITS / 8, put##BITS) PUT(API_NBI, void, BITS / 8, put##BITS)
COPAL_TYPES_RMA(PUT_TYPE)
COPAL_SIZES(PUT_SIZE)
PUT(API_CTX, void, 1, putmem)
PUT(API_NBI, void, 1, putmem)

/* shmem_int_get, shmem_ctx_int_get, shmem_int_get_nbi, shmem_ctx_int_get_nbi, shmem_get64,
 * shmem_ctx_get64, shmem_get64_nbi, shmem_ctx_get64_nbi ... */
#define GET(FORM, T, SIZE, NAME) FORM(void, NAME, (T *dest, const T *source, size_t nelems, int pe), \
    get(dest, source, nelems, SIZE, pe, how, ROUTINE))
#define GET_TYPE(T, N) GET(API_CTX, T, sizeof(T), N##_get) GET(API_NBI, T, sizeof(T), N##_get)
#define GET_SIZE(BITS) GET(API_CTX, void, BITS / 8, get##BITS) GET(API_NBI, void, BITS / 8, get##BITS)
COPAL_TYPES_RMA(GET_TYPE)
COPAL_SIZES(GET_SIZE)
GET(API_CTX, void, 1, getmem)
GET(API_NBI, void, 1, getmem)

/* --- one element -------------------------------------------------------------------------------------------------- */

INLINE void p(void *dest, const void *value, size_t size, int pe, via how, const char *routine)
{
    void *to;
    if (UNLIKELY(!reach_at_once(&to, dest, size, pe))) {
        char copy[16]; /* because an address of value itself would keep it in memory on the short path too */
        copy_element(copy, value, size);
        put_slowly(dest, copy, size, pe, how, routine);
        return;
    }
    copy_element(to, value, size);
    wake(pe, to, size);
}

INLINE void g(void *value, const void *source, size_t size, int pe, via how, const char *routine)
{
    void *from;
    if (LIKELY(reach_at_once(&from, source, size, pe)))
        memcpy(value, from, size);
    else
        get_slowly(value, source, size, pe, how, routine);
    order_loads();
}

/* shmem_int_p, shmem_ctx_int_p, shmem_int_g, shmem_ctx_int_g ... */
#define P(T, N) API_CTX(void, N##_p, (T *dest, T value, int pe), p(dest, &value, sizeof(T), pe, how, ROUTINE))
#define G(T, N) API_CTX(T, N##_g, (const T *source, int pe), \
    T value; g(&value, source, sizeof(T), pe, how, ROUTINE); return value)
COPAL_TYPES_RMA(P)
COPAL_TYPES_RMA(G)
