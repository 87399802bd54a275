/* Functions of co_reduce whose types C cannot name: derived types, of which gfortran tells the size alone, and reals of 16 bytes,
 * which may be of kind 10 or 16.  x86-64 returns each type in registers of its own, or behind a pointer; so the function is
 * called with all registers as they may have to be, and where it has left its result is seen afterwards.
 *
 * Kind 10, alone, in a complex number or in a type, is the only thing ever left in the x87 registers.  Types of more than 16
 * bytes come behind a pointer.  Smaller ones come in integer or vector registers, one for each 8 bytes, by what is in them
 * (System V ABI, 3.2.3).  Nothing says which it was: it is
 * found out by trying, see evidence. */
#include "operation.h"

#include <string.h>

#if defined(__x86_64__)

struct registers {
    uint64_t integer[5];  /* before the call rdi, rsi, rdx, rcx, rax; after it rax, rdx */
    uint64_t vector[4][2]; /* before the call xmm0 to xmm3; after it xmm0, xmm1 */
    char x87[2][16];      /* after it: st(0), st(1) */
    uint64_t x87_count;   /* how many there are */
};
_Static_assert(offsetof(struct registers, vector) == 40 && offsetof(struct registers, x87) == 104 &&
               offsetof(struct registers, x87_count) == 136, "as call_captured has it");

/* Calls function with the registers, and so many bytes, a multiple of 16, on the stack. */
void caf_call_captured(void (*function)(void), struct registers *r, const void *stack, size_t bytes)
    __attribute__((visibility("hidden")));
__asm__(".text\n"
        ".globl caf_call_captured\n"
        ".hidden caf_call_captured\n"
        ".type caf_call_captured, @function\n"
        "caf_call_captured:\n"
        "    .cfi_startproc\n"
        "    pushq %rbp\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %rbp, -16\n"
        "    movq %rsp, %rbp\n"
        "    .cfi_def_cfa_register %rbp\n"
        "    pushq %rbx\n"
        "    .cfi_offset %rbx, -24\n"
        "    subq $8, %rsp\n"
        "    movq %rdi, %r11\n"
        "    movq %rsi, %rbx\n"
        "    subq %rcx, %rsp\n"
        "    movq %rdx, %rsi\n"
        "    movq %rsp, %rdi\n"
        "    rep movsb\n"
        "    movq 0(%rbx), %rdi\n"
        "    movq 8(%rbx), %rsi\n"
        "    movq 16(%rbx), %rdx\n"
        "    movq 24(%rbx), %rcx\n"
        "    movq 32(%rbx), %rax\n"
        "    movups 40(%rbx), %xmm0\n"
        "    movups 56(%rbx), %xmm1\n"
        "    movups 72(%rbx), %xmm2\n"
        "    movups 88(%rbx), %xmm3\n"
        "    call *%r11\n"
        "    movq %rax, 0(%rbx)\n"
        "    movq %rdx, 8(%rbx)\n"
        "    movups %xmm0, 40(%rbx)\n"
        "    movups %xmm1, 56(%rbx)\n"
        "    leaq 104(%rbx), %rdx\n"
        "    xorl %ecx, %ecx\n"
        "1:  fxam\n" /* is there a value on the x87 stack? */
        "    fnstsw %ax\n"
        "    andl $0x4500, %eax\n"
        "    cmpl $0x4100, %eax\n"
        "    je 2f\n"
        "    fstpt (%rdx)\n"
        "    addq $16, %rdx\n"
        "    incl %ecx\n"
        "    cmpl $2, %ecx\n"
        "    jne 1b\n"
        "2:  movq %rcx, 136(%rbx)\n"
        "    movq -8(%rbp), %rbx\n"
        "    leave\n"
        "    .cfi_def_cfa %rsp, 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size caf_call_captured, .-caf_call_captured\n");

enum { SCORE_OF_NONE = -10000, TRIES = 8 };

/* --- where 16 bytes or fewer are ---------------------------------------------------------------------------------------- */

/* The class of the first 8 bytes, and of the second; the last: both in one vector register. */
enum class { INTEGER, VECTOR, UPPER };
static const enum class ways[][2] = {
    {INTEGER, INTEGER}, {VECTOR, INTEGER}, {INTEGER, VECTOR}, {VECTOR, VECTOR}, {VECTOR, UPPER},
};
enum { WAYS = 5 };
_Static_assert(WAYS == sizeof ((struct operation *)0)->scores / sizeof(int), "a score for each");

/* A type of at most 8 bytes has no second class; kind 16 needs all 16 bytes. */
static bool is_possible(int way, size_t size)
{
    return size > 8 ? ways[way][1] != UPPER || size == 16 : ways[way][1] == INTEGER && way < 2;
}

struct words {
    uint64_t of[2];
};

static struct words words_at(const void *p, size_t size)
{
    struct words w = {{0, 0}};
    memcpy(w.of, p, size);
    return w;
}

/* By value: the next argument's words into the next registers. */
static void pass(struct registers *r, int way, struct words w, size_t size, int *integers, int *vectors)
{
    for (size_t i = 0; i * 8 < size; i++)
        switch (ways[way][i]) {
        case INTEGER: r->integer[(*integers)++] = w.of[i]; break;
        case VECTOR: r->vector[(*vectors)++][0] = w.of[i]; break;
        case UPPER: r->vector[*vectors - 1][1] = w.of[i]; break;
        }
}

static struct words fetch(const struct registers *r, int way, size_t size)
{
    struct words w = {{0, 0}};
    int integers = 0, vectors = 0;
    for (size_t i = 0; i * 8 < size; i++)
        switch (ways[way][i]) {
        case INTEGER: w.of[i] = r->integer[integers++]; break;
        case VECTOR: w.of[i] = r->vector[vectors++][0]; break;
        case UPPER: w.of[i] = r->vector[vectors - 1][1]; break;
        }
    return words_at(w.of, size); /* what is in a register behind the type's bytes means nothing */
}

/* How many bits two words begin with that are the same: those of numbers of one type and size are, mostly. */
static int likeness(uint32_t result, uint32_t a, uint32_t b)
{
    const int to_a = result == a ? 32 : __builtin_clz(result ^ a), to_b = result == b ? 32 : __builtin_clz(result ^ b);
    return to_a > to_b ? to_a : to_b;
}

static int score(struct words result, struct words a, struct words b, size_t size)
{
    int total = 0;
    for (size_t i = 0; i * 8 < size; i++)
        total += likeness((uint32_t)(result.of[i] >> 32), (uint32_t)(a.of[i] >> 32), (uint32_t)(b.of[i] >> 32)) +
                 likeness((uint32_t)result.of[i], (uint32_t)a.of[i], (uint32_t)b.of[i]);
    return total;
}

/* --- calling ----------------------------------------------------------------------------------------------------------- */

static size_t whole(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* The registers hold before in all places that no argument has.  Values that do not go in registers lie on the stack; others may
 * as well. */
static void call(const struct operation *o, int way, uint64_t before, const char *a, const char *b, struct registers *r)
{
    const size_t each = whole(o->size, 8);
    char *stack = (char *)o->scratch + whole(o->size, 16);
    for (int i = 0; i < 5; i++)
        r->integer[i] = before + (uint64_t)i;
    for (int i = 0; i < 4; i++)
        r->vector[i][0] = r->vector[i][1] = before + 16 + (uint64_t)i;
    const bool is_behind_pointer = o->size > 16;
    int integers = 0, vectors = 0;
    if (is_behind_pointer)
        r->integer[integers++] = (uintptr_t)o->scratch;
    if (!o->by_value) {
        r->integer[integers++] = (uintptr_t)a;
        r->integer[integers++] = (uintptr_t)b;
    } else {
        memcpy(stack, a, o->size);
        memcpy(stack + each, b, o->size);
        for (int i = 0; i < 2 && !is_behind_pointer; i++)
            pass(r, way, words_at(i ? b : a, o->size), o->size, &integers, &vectors);
    }
    caf_call_captured(o->function, r, stack, o->by_value ? whole(2 * each, 16) : 0);
}

static struct words result_of(const struct operation *o, int way, uint64_t before, const void *a, const void *b)
{
    struct registers r;
    call(o, way, before, a, b, &r);
    return fetch(&r, way, o->size);
}

static bool same(struct words a, struct words b)
{
    return a.of[0] == b.of[0] && a.of[1] == b.of[1];
}

/* What speaks for a way: that its result does not depend on what else the registers hold, is not just the argument that was
 * passed in the same one, but the same with the arguments exchanged, and is like the arguments. */
static int evidence(const struct operation *o, int way, const char *a, const char *b)
{
    static const uint64_t before = UINT64_C(0x5bd1e995c3a5c85c), otherwise = UINT64_C(0xa42e166a9e3779b9);
    const struct words x = words_at(a, o->size), y = words_at(b, o->size), zero = {{0, 0}};
    const void *other = same(x, y) ? (const void *)&zero : b;
    const struct words result = result_of(o, way, before, a, b);
    if (!is_possible(way, o->size) || !same(result, result_of(o, way, otherwise, a, b)))
        return SCORE_OF_NONE;
    const struct words one = result_of(o, way, before, a, other), two = result_of(o, way, before, other, a);
    return score(result, x, y, o->size) + 4 * score(one, two, two, o->size);
}

static void try_ways(struct operation *o, const char *a, const char *b)
{
    for (int way = 0; way < WAYS; way++)
        o->scores[way] += evidence(o, way, a, b);
    for (int way = 0; way < WAYS; way++)
        if (o->scores[way] > o->scores[o->way])
            o->way = way;
    o->tries++;
}

static void small_types(void *context, void *into, const void *from, size_t n)
{
    struct operation *o = context;
    for (size_t i = 0; i < n * o->size; i += o->size) {
        char *a = (char *)into + i;
        const char *b = (const char *)from + i;
        struct registers r;
        if (o->tries < TRIES)
            try_ways(o, a, b);
        call(o, o->way, 0, a, b, &r);
        const struct words result = fetch(&r, o->way, o->size);
        memcpy(a, r.x87_count ? (void *)r.x87[0] : (void *)result.of, r.x87_count ? 10 : o->size);
    }
}

static void large_types(void *context, void *into, const void *from, size_t n)
{
    const struct operation *o = context;
    for (size_t i = 0; i < n * o->size; i += o->size) {
        char *a = (char *)into + i;
        struct registers r;
        call(o, 0, 0, a, (const char *)from + i, &r);
        memcpy(a, o->scratch, o->size);
    }
}

/* Vector registers, unless the x87 has it. */
static void reals(void *context, void *into, const void *from, size_t n)
{
    struct operation *o = context;
    o->way = WAYS - 1;
    o->tries = TRIES;
    small_types(context, into, from, n);
}

/* Kind 16 comes behind a pointer, which a function of kind 10 takes for its first argument: it is another a then. */
static void complex_numbers(void *context, void *into, const void *from, size_t n)
{
    const struct operation *o = context;
    for (size_t i = 0; i < n * o->size; i += o->size) {
        char *a = (char *)into + i;
        const char *b = (const char *)from + i;
        struct registers r;
        memcpy(o->scratch, a, o->size);
        call(o, 0, 0, a, b, &r);
        if (r.x87_count == 0) {
            memcpy(a, o->scratch, o->size);
            continue;
        }
        if (!o->by_value) {
            r.integer[0] = (uintptr_t)a;
            r.integer[1] = (uintptr_t)b;
            caf_call_captured(o->function, &r, NULL, 0);
        }
        memcpy(a, r.x87[0], 10);
        memcpy(a + 16, r.x87[1], 10);
    }
}

caf_combine *returned_find(const struct caf_section *a)
{
    if (a->type == CAF_REAL && a->size == 16)
        return reals;
    if (a->type == CAF_COMPLEX && a->size == 32)
        return complex_numbers;
    if (a->type != CAF_DERIVED)
        return NULL;
    return a->size > 16 ? large_types : small_types;
}

#else

caf_combine *returned_find(const struct caf_section *a)
{
    (void)a;
    return NULL;
}

#endif

/* --- kind 10 or 16 ----------------------------------------------------------------------------------------------------- */

/* A number of kind 10 has its exponent in bytes 8 and 9, the highest bit of byte 7 set, and nothing behind it, or what
 * happened to be there; one of kind 16 has its exponent in bytes 14 and 15.  More than 0: it is of kind 10. */
static int64_t vote(const char *number)
{
    uint64_t low, high;
    memcpy(&low, number, 8);
    memcpy(&high, number + 8, 8);
    const int exponent_10 = high & 0x7fff, exponent_16 = high >> 48 & 0x7fff;
    const bool may_be_10 = exponent_10 && low >> 63, may_be_16 = exponent_16 != 0;
    if (may_be_10 == may_be_16) {
        const int far_10 = exponent_10 > 0x3fff ? exponent_10 - 0x3fff : 0x3fff - exponent_10;
        const int far_16 = exponent_16 > 0x3fff ? exponent_16 - 0x3fff : 0x3fff - exponent_16;
        return may_be_10 ? (far_10 < far_16) - (far_16 < far_10) : 0;
    }
    return may_be_10 ? 1 : -1;
}

int which_real(const struct caf_section *a)
{
    int64_t votes = 0;
    size_t at[CAF_RANK] = {0};
    bool more = true;
    for (int i = 0; i < a->rank; i++)
        more &= a->dim[i].count != 0;
    while (more) {
        const char *element = a->base;
        for (int i = 0; i < a->rank; i++)
            element += (ptrdiff_t)at[i] * a->dim[i].step;
        for (size_t i = 0; i < a->size; i += 16)
            votes += vote(element + i);
        more = false;
        for (int i = 0; i < a->rank && !more; i++) {
            more = ++at[i] < a->dim[i].count;
            if (!more)
                at[i] = 0;
        }
    }
    const struct caf_section s = {.base = (char *)&votes, .type = CAF_INTEGER, .kind = 8, .size = 8};
    caf_co_reduce_intrinsic(CAF_CO_SUM, &s, 0);
    return votes > 0 ? 10 : 16;
}
