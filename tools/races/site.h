/* Places in the program (loads, stores, calls), by numbers that are the same in all PEs. */
#pragma once

#include <stdint.h>

/* The number of the place before this return address; routine is empty for loads and stores. 0: too many places. */
uint32_t site_new(const void *returns_to, const char *routine);

/* A cache from return addresses to numbers, which answers nearly all lookups. */
extern _Atomic uint64_t site_cache[4096]; /* an address << 16 | a number */
static inline uint32_t site_of(const void *returns_to, const char *routine)
{
    const uint64_t at = (uintptr_t)returns_to;
    const uint64_t seen = __atomic_load_n((uint64_t *)&site_cache[(at ^ at >> 12) % 4096], __ATOMIC_RELAXED);
    return seen >> 16 == at ? (uint32_t)(seen & 0xffff) : site_new(returns_to, routine);
}

/* The site of the coarray statement that this thread executes; 0: none. Loads and stores of the program's code that it
 * calls (an accessor of gfortran 15 or 16) belong to the statement. */
extern _Thread_local uint32_t site_statement __attribute__((tls_model("initial-exec")));

static inline uint32_t site_of_store(const void *returns_to)
{
    return __builtin_expect(site_statement != 0, 0) ? site_statement : site_of(returns_to, "");
}

/* An address of this process within the site's instruction, or 0 if its module is not loaded here. */
uintptr_t site_address(uint32_t site);

const char *site_routine(uint32_t site); /* empty for loads, stores and site 0 */
