#include "item.h"

#include <sched.h>
#include <string.h>

static uint64_t result(const struct item *it, uint64_t is)
{
    switch (it->op) {
    case PROVIDER_SET:
    case PROVIDER_SWAP: return it->value;
    case PROVIDER_CSWAP: return is == it->cond ? it->value : is;
    case PROVIDER_ADD: return is + it->value;
    case PROVIDER_AND: return is & it->value;
    case PROVIDER_OR: return is | it->value;
    case PROVIDER_XOR: return is ^ it->value;
    default: return is;
    }
}

static uint64_t load(const struct item *it)
{
    return it->bytes == 8 ? __atomic_load_n((uint64_t *)(void *)it->to_memory, __ATOMIC_SEQ_CST)
                          : __atomic_load_n((uint32_t *)(void *)it->to_memory, __ATOMIC_SEQ_CST);
}

static void store(const struct item *it, uint64_t value)
{
    if (it->bytes == 8)
        __atomic_store_n((uint64_t *)(void *)it->to_memory, value, __ATOMIC_SEQ_CST);
    else
        __atomic_store_n((uint32_t *)(void *)it->to_memory, (uint32_t)value, __ATOMIC_SEQ_CST);
}

/* Acquires the right to execute an atomic on a PE's memory, also from a process that has been killed. */
static bool take_turn(_Atomic uint32_t *turn, int port)
{
    uint32_t other = 0;
    const uint32_t mine = (uint32_t)port + 1;
    if (atomic_compare_exchange_strong(turn, &other, mine))
        return true;
    return !receive_lives((int)other - 1) && atomic_compare_exchange_strong(turn, &other, mine);
}

bool atomic_execute(struct item *it)
{
    _Atomic uint32_t *turn = &emu.at_atomic[it->to->pe];
    if (!take_turn(turn, it->to->port->number))
        return false;
    const uint64_t is = load(it);
    if (emu.fabric.disorder && lot(2))
        sched_yield(); /* to provoke errors if a processor modifies the word, which is forbidden */
    if (it->op != PROVIDER_FETCH)
        store(it, result(it, is));
    atomic_store(turn, 0);
    memcpy(it->before, &is, it->bytes);
    return true;
}
