/* Atomic subroutines on local memory, by the processor's instructions and without a call; control/atomic.c has the
 * rest. Like any store to a coarray, they wake no waiting image. caf.h includes this file. */
#pragma once

/* If a tool intercepts atomics (tools/tap/caf), all take the slow path. */
#ifdef COPAL_TAPPED
#define CAF_ATOMS_AT_ONCE 0
#else
#define CAF_ATOMS_AT_ONCE CAF_DIRECT_ATOMICS
#endif

/* NULL: take the slow path. */
static inline void *caf_atom_at_once(int pe, const void *atom, int bytes)
{
    const bool is_easy = CAF_ATOMS_AT_ONCE && (bytes == 4 || bytes == 8) && *caf_alerts == 0;
    return CAF_LIKELY(is_easy) ? caf_near_at_once(pe, atom) : NULL;
}

static inline int caf_atomic_define(int pe, void *atom, int bytes, const void *value)
{
    void *at = caf_atom_at_once(pe, atom, bytes);
    if (CAF_UNLIKELY(!at))
        return caf_atomic_define_slowly(pe, atom, bytes, value);
    if (bytes == 4)
        __atomic_store_n((uint32_t *)at, *(const uint32_t *)value, __ATOMIC_SEQ_CST);
    else
        __atomic_store_n((uint64_t *)at, *(const uint64_t *)value, __ATOMIC_SEQ_CST);
    return CAF_OK;
}

static inline int caf_atomic_ref(int pe, const void *atom, int bytes, void *value)
{
    const void *at = caf_atom_at_once(pe, atom, bytes);
    if (CAF_UNLIKELY(!at))
        return caf_atomic_ref_slowly(pe, atom, bytes, value);
    if (bytes == 4)
        *(uint32_t *)value = __atomic_load_n((const uint32_t *)at, __ATOMIC_SEQ_CST);
    else
        *(uint64_t *)value = __atomic_load_n((const uint64_t *)at, __ATOMIC_SEQ_CST);
    return CAF_OK;
}

static inline uint64_t caf_fetch_add(void *at, int bytes, const void *value)
{
    return bytes == 4 ? __atomic_fetch_add((uint32_t *)at, *(const uint32_t *)value, __ATOMIC_SEQ_CST)
                      : __atomic_fetch_add((uint64_t *)at, *(const uint64_t *)value, __ATOMIC_SEQ_CST);
}

static inline int caf_atomic_op(int pe, void *atom, int bytes, enum caf_atomic_op op, const void *value, void *old)
{
    void *at = op == CAF_ADD ? caf_atom_at_once(pe, atom, bytes) : NULL;
    if (CAF_UNLIKELY(!at))
        return caf_atomic_op_slowly(pe, atom, bytes, op, value, old);
    const uint64_t was = caf_fetch_add(at, bytes, value);
    if (old && bytes == 4)
        *(uint32_t *)old = (uint32_t)was;
    else if (old)
        *(uint64_t *)old = was;
    return CAF_OK;
}
