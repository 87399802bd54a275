/* Atomic subroutines, on words of 1, 2, 4 and 8 bytes.
 *
 * For 4 and 8 bytes they are OpenSHMEM's: those that return a value are complete at return; the others complete with
 * the puts, in the order of small puts.  OpenSHMEM has none for 1 and 2 bytes: a compare-and-swap loop on the
 * surrounding 8 bytes replaces them.  An OpenSHMEM other than Copal uses the loop for all sizes, because Open MPI 4.1's
 * compare_swap of 4 bytes stores 8, and its fetch_xor is not atomic. */
#include "../access/order.h"
#include "../caf.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a number's low bytes come first");

enum { REF = 16, DEFINE, CAS };

/* No call for the usual sizes. */
static inline uint64_t number_at(const void *p, int bytes)
{
    uint64_t number = 0;
    uint32_t four;
    if (CAF_LIKELY(bytes == 4)) {
        memcpy(&four, p, sizeof four);
        return four;
    }
    memcpy(&number, p, (size_t)bytes);
    return number;
}

static inline void store_number(void *p, uint64_t number, int bytes)
{
    const uint32_t four = (uint32_t)number;
    if (CAF_LIKELY(bytes == 4))
        memcpy(p, &four, sizeof four);
    else
        memcpy(p, &number, (size_t)bytes);
}

#define ON_ATOM(OP) \
    (bytes == 8 ? shmem_ulong_atomic_##OP(atom, value, pe) : shmem_uint_atomic_##OP(atom, (uint32_t)value, pe))

/* Applies op to 4 or 8 bytes; returns the old value. */
static inline uint64_t apply(int op, int pe, void *atom, int bytes, uint64_t value, uint64_t compare)
{
    switch (op) {
    case CAF_ADD: return ON_ATOM(fetch_add);
    case CAF_AND: return ON_ATOM(fetch_and);
    case CAF_OR: return ON_ATOM(fetch_or);
    case CAF_XOR: return ON_ATOM(fetch_xor);
    case DEFINE: return ON_ATOM(swap);
    case CAS: break;
    default: return bytes == 8 ? shmem_ulong_atomic_fetch(atom, pe) : shmem_uint_atomic_fetch(atom, pe);
    }
    return bytes == 8 ? shmem_ulong_atomic_compare_swap(atom, compare, value, pe)
                      : shmem_uint_atomic_compare_swap(atom, (uint32_t)compare, (uint32_t)value, pe);
}

/* The same without the old value. */
static inline void post(int op, int pe, void *atom, int bytes, uint64_t value)
{
    if (!caf_near(pe, atom))
        caf_before_put(pe, atom, (size_t)bytes, (size_t)bytes); /* MUTANT a posted atomic is a put */
    switch (op) {
    case CAF_ADD: ON_ATOM(add); break;
    case CAF_AND: ON_ATOM(and); break;
    case CAF_OR: ON_ATOM(or); break;
    case CAF_XOR: ON_ATOM(xor); break;
    default: ON_ATOM(set); break;
    }
}

static uint64_t result_of(int op, uint64_t is, uint64_t value, uint64_t compare)
{
    switch (op) {
    case CAF_ADD: return is + value;
    case CAF_AND: return is & value;
    case CAF_OR: return is | value;
    case CAF_XOR: return is ^ value;
    case DEFINE: return value;
    case CAS: return is == compare ? value : is;
    default: return is;
    }
}

/* Applies op to any size, within the surrounding 8 bytes. */
static uint64_t apply_by_swaps(int op, int pe, char *atom, int bytes, uint64_t value, uint64_t compare)
{
    const unsigned within = (unsigned)((uintptr_t)atom % sizeof(uint64_t)), shift = 8 * within;
    const uint64_t mask = UINT64_MAX >> (64 - 8 * bytes);
    uint64_t *word = (void *)(atom - within);
    for (uint64_t is = shmem_ulong_atomic_fetch(word, pe), seen;; is = seen) {
        const uint64_t part = is >> shift & mask, result = result_of(op, part, value, compare) & mask;
        const uint64_t becomes = (is & ~(mask << shift)) | result << shift;
        seen = becomes == is ? is : shmem_ulong_atomic_compare_swap(word, is, becomes, pe);
        if (seen == is)
            return part;
    }
}

/* The operation with this name; value and compare may be NULL if unused, old if not wanted. */
static inline int run(const char *name, int op, int pe, const void *atom, int bytes, const void *value,
                      const void *compare, void *old)
{
    if (CAF_UNLIKELY(bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
        return caf_say(CAF_STAT_ERROR, "%s: the atom has %d bytes, allowed are 1, 2, 4 and 8", name, bytes);
    /* The memory of a stopped image exists until all have stopped. */
    if (CAF_UNLIKELY(*caf_alerts) && caf_pe_state(pe) == CAF_STAT_FAILED_IMAGE)
        return caf_say_ended(name, pe, CAF_STAT_FAILED_IMAGE);
    const uint64_t v = value ? number_at(value, bytes) : 0, c = compare ? number_at(compare, bytes) : 0;
    if (CAF_DIRECT_ATOMICS && bytes >= 4 && !old) {
        post(op, pe, (void *)atom, bytes, v);
        return CAF_OK;
    }
    caf_before_get(pe, atom, (size_t)bytes, (size_t)bytes); /* MUTANT a fetching atomic is a get */
    const uint64_t was = CAF_DIRECT_ATOMICS && bytes >= 4 ? apply(op, pe, (void *)atom, bytes, v, c)
                                                          : apply_by_swaps(op, pe, (char *)atom, bytes, v, c);
    if (old)
        store_number(old, was, bytes);
    return CAF_OK;
}

int caf_atomic_define_slowly(int pe, void *atom, int bytes, const void *value)
{
    return run("atomic_define", DEFINE, pe, atom, bytes, value, NULL, NULL);
}

int caf_atomic_ref_slowly(int pe, const void *atom, int bytes, void *value)
{
    return run("atomic_ref", REF, pe, atom, bytes, NULL, NULL, value);
}

const char *caf_atomic_name(enum caf_atomic_op op, const void *old)
{
    static const char *const names[][2] = {{"atomic_add", "atomic_fetch_add"}, {"atomic_and", "atomic_fetch_and"},
                                           {"atomic_or", "atomic_fetch_or"}, {"atomic_xor", "atomic_fetch_xor"}};
    return op < CAF_ADD || op > CAF_XOR ? "an atomic subroutine" : names[op - CAF_ADD][old != NULL];
}

int caf_atomic_op_slowly(int pe, void *atom, int bytes, enum caf_atomic_op op, const void *value, void *old)
{
    if (CAF_UNLIKELY(op < CAF_ADD || op > CAF_XOR))
        return caf_say(CAF_STAT_ERROR, "atomic operation %d, allowed are %d to %d", (int)op, CAF_ADD, CAF_XOR);
    return run(caf_atomic_name(op, old), (int)op, pe, atom, bytes, value, NULL, old);
}

int caf_atomic_cas(int pe, void *atom, int bytes, const void *compare, const void *new_value, void *old)
{
    return run("atomic_cas", CAS, pe, atom, bytes, new_value, compare, old);
}
