/* The language's own atomics, as compilers call them with -fsanitize=thread. They execute with the strongest order. On
 * symmetric memory they order PEs. They order threads as far as the memory order in the program does. A load always
 * counts as acquire, and a store as release if a fence precedes it. */
#include "races/access.h"
#include "races/real.h"

#pragma GCC visibility push(default)

typedef uint8_t word8;
typedef uint16_t word16;
typedef uint32_t word32;
typedef uint64_t word64;

static bool is_shared(volatile const void *at)
{
    size_t offset;
    return map_offset(at, &offset) || actor_has_strands;
}

/* A store publishes the clock before the access; a load joins it afterwards. */
static void before(volatile const void *at, size_t bytes, bool writes, int order, const void *caller)
{
    size_t offset;
    if (map_offset(at, &offset))
        access_slowly(offset, bytes, ACCESS_ATOMIC | (writes ? ACCESS_WRITE : ACCESS_READ), caller);
    if (writes && is_shared(at) && ((order & 0xff) >= __ATOMIC_RELEASE || strand->has_fenced))
        actor_release(map_key(at), AGENT_LOCAL, SHMEM_CTX_DEFAULT, map.me);
}

static void behind(volatile const void *at)
{
    if (is_shared(at))
        actor_acquire(map_key(at));
}

#define SEQ __ATOMIC_SEQ_CST
#define BEFORE(WRITES) before(at, sizeof *at, WRITES, order, HERE)
#define SAME(T, N, A, WRITES, RESULT) T __tsan_atomic##N A { BEFORE(WRITES); \
    const T result = RESULT; behind(at); return result; }

#define LOAD(B, T) SAME(T, B##_load, (const volatile T *at, int order), false, __atomic_load_n(at, SEQ))
#define STORE(B, T) void __tsan_atomic##B##_store(volatile T *at, T value, int order) { BEFORE(true); \
    __atomic_store_n(at, value, SEQ); }
#define UPDATE(B, T, N, BUILTIN) SAME(T, B##_##N, (volatile T *at, T value, int order), true, \
    BUILTIN(at, value, SEQ))
#define UPDATES(B, T) UPDATE(B, T, exchange, __atomic_exchange_n) UPDATE(B, T, fetch_add, __atomic_fetch_add) \
    UPDATE(B, T, fetch_sub, __atomic_fetch_sub) UPDATE(B, T, fetch_and, __atomic_fetch_and) \
    UPDATE(B, T, fetch_or, __atomic_fetch_or) UPDATE(B, T, fetch_xor, __atomic_fetch_xor) \
    UPDATE(B, T, fetch_nand, __atomic_fetch_nand)

#define SWAP_A(T) (volatile T *at, T *expected, T value, int order, int failed)
#define SWAP_IF(B, T, N) SAME(int, B##_compare_exchange_##N, SWAP_A(T), true, \
    ((void)failed, __atomic_compare_exchange_n(at, expected, value, false, SEQ, SEQ)))
#define VALUE_A(T) (volatile T *at, T expected, T value, int order, int failed)
#define SWAP_VALUE(B, T) SAME(T, B##_compare_exchange_val, VALUE_A(T), true, \
    ((void)failed, __atomic_compare_exchange_n(at, &expected, value, false, SEQ, SEQ), expected))
#define ALL(B) LOAD(B, word##B) STORE(B, word##B) UPDATES(B, word##B) SWAP_IF(B, word##B, strong) \
    SWAP_IF(B, word##B, weak) SWAP_VALUE(B, word##B)
ALL(8)
ALL(16)
ALL(32)
ALL(64)

/* Atomics of 16 bytes: compare-and-swap is the only instruction, so the others are loops; x86-64 needs -mcx16. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 word128;

static bool swap_wide(volatile word128 *at, word128 *expected, word128 value)
{
    const word128 wanted = *expected;
    *expected = __sync_val_compare_and_swap(at, wanted, value);
    return *expected == wanted;
}

enum wide { EXCHANGE, ADD, SUB, AND, OR, XOR, NAND };
static word128 update_wide(volatile word128 *at, word128 v, enum wide how)
{
    word128 old = 0, changed;
    do {
        changed = how == EXCHANGE ? v : how == ADD ? old + v : how == SUB ? old - v : how == AND ? (old & v)
                : how == OR ? (old | v) : how == XOR ? (old ^ v) : ~(old & v);
    } while (!swap_wide(at, &old, changed));
    return old;
}

static word128 load_wide(const volatile word128 *at)
{
    word128 value = 0;
    swap_wide((volatile word128 *)at, &value, 0);
    return value;
}

SAME(word128, 128_load, (const volatile word128 *at, int order), false, load_wide(at))
void __tsan_atomic128_store(volatile word128 *at, word128 value, int order)
{
    BEFORE(true);
    update_wide(at, value, EXCHANGE);
}
#define WIDE(N, HOW) SAME(word128, 128_##N, (volatile word128 *at, word128 value, int order), true, \
    update_wide(at, value, HOW))
WIDE(exchange, EXCHANGE)
WIDE(fetch_add, ADD)
WIDE(fetch_sub, SUB)
WIDE(fetch_and, AND)
WIDE(fetch_or, OR)
WIDE(fetch_xor, XOR)
WIDE(fetch_nand, NAND)
#define WIDE_SWAP(T, N, EXPECTED, RESULT) SAME(T, 128_compare_exchange_##N, (volatile word128 *at, \
    word128 EXPECTED, word128 value, int order, int failed), true, ((void)failed, RESULT))
WIDE_SWAP(int, strong, *expected, swap_wide(at, expected, value))
WIDE_SWAP(int, weak, *expected, swap_wide(at, expected, value))
WIDE_SWAP(word128, val, expected, (swap_wide(at, &expected, value), expected))
#endif

void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    strand->has_fenced = true;
    __atomic_thread_fence(SEQ);
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(SEQ);
}
