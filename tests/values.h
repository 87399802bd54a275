/* Values that identify their writer, for tests of collectives: element i of PE pe in call number serial. */
#pragma once

#include <stdint.h>

static inline uint64_t value(uint64_t serial, int pe, uint64_t i)
{
    uint64_t x = serial * 0x9e3779b97f4a7c15u + (uint64_t)pe * 0xc2b2ae3d27d4eb4fu + i * 0x165667b19e3779f9u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}
