/* The classic interface: puts and gets, blocking, nonblocking and strided. */
#include "classic.h"

/* X(NAME, BITS) for shmem_NAME_put: names with a type. The first nine are in 1.4; programs also use the others. */
#define TYPES(X) \
    X(complex, 64) X(double, 64) X(integer, 32) X(logical, 32) X(real, 32) \
    X(int4, 32) X(int8, 64) X(real4, 32) X(real8, 64) X(real16, 128) X(comp4, 64) X(comp8, 128)

/* X(SIZE, BITS) for shmem_putSIZE: names with a size. Sizes below 32 are in bytes; no size means 64 bits. */
#define SIZES(X) X(4, 32) X(8, 64) X(16, 128) X(32, 32) X(64, 64) X(128, 128) X(, 64)

#define MOVED void *dest, const void *source, const int *n, const int *pe
#define PLAIN(NAME, BITS, OP, NBI) CLASSIC(void, NAME##NBI, (MOVED)) \
    { NAMED("shmem_" #NAME #NBI, "shmem_" #OP #BITS #NBI); shmem_##OP##BITS##NBI(dest, source, classic_count(n), *pe); }
#define STRIDED(NAME, BITS, OP) \
    CLASSIC(void, NAME, (void *dest, const void *source, const int *dst, const int *sst, const int *n, \
                         const int *pe)) \
    { NAMED("shmem_" #NAME, "shmem_" #OP #BITS); shmem_##OP##BITS(dest, source, *dst, *sst, classic_count(n), *pe); }

#define BOTH(P, G, BITS) \
    PLAIN(P, BITS, put, ) PLAIN(G, BITS, get, ) PLAIN(P, BITS, put, _nbi) PLAIN(G, BITS, get, _nbi)

/* shmem_integer_put, shmem_integer_get, shmem_integer_put_nbi, shmem_integer_get_nbi, shmem_integer_iput,
 * shmem_integer_iget ... */
#define OF_TYPE(T, BITS) \
    BOTH(T##_put, T##_get, BITS) STRIDED(T##_iput, BITS, iput) STRIDED(T##_iget, BITS, iget)
TYPES(OF_TYPE)

/* shmem_put64, shmem_get64, shmem_put64_nbi, shmem_get64_nbi, shmem_iput64, shmem_iget64 ... */
#define OF_SIZE(S, BITS) \
    BOTH(put##S, get##S, BITS) STRIDED(iput##S, BITS, iput) STRIDED(iget##S, BITS, iget)
SIZES(OF_SIZE)

/* Bytes; and characters, whose number is given independently of the variables' lengths. */
BOTH(putmem, getmem, mem) /* shmem_putmem, shmem_getmem, shmem_putmem_nbi, shmem_getmem_nbi */
BOTH(character_put, character_get, mem) /* shmem_character_put, shmem_character_get, and so on */
