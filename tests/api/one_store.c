/* A put of one element is one store: the element may be a flag, which the waiting PE resets as soon as it sees it. The
 * C library's memcpy stores it twice, so the reset could be lost. This program's memcpy counts the library's calls. */
/* pes: 2 */
/* args: SHMEM_DEBUG 0 */
/* args: SHMEM_DEBUG 1 */
/* args: SHMEM_NBI_NODE overlap:1 */
#include "fill.h"

#include <string.h>

static _Atomic int copies; /* of 2 to 8 bytes, by the C library */

void *memcpy(void *to, const void *from, size_t n)
{
    copies += n > 1 && n <= sizeof(uint64_t);
    return memmove(to, from, n);
}

#define ONE(NAME) count = copies, NAME, CHECK(copies == count, "%s has used memcpy", #NAME)
#define CTX SHMEM_CTX_DEFAULT
#define DEST(T, N) static T N##_dest, N##_value = 1;
#define PUTS(T, N) ONE(shmem_##N##_put(&N##_dest, &N##_value, 1, to)); \
    ONE((shmem_##N##_put_nbi(&N##_dest, &N##_value, 1, to), shmem_quiet())); ONE(shmem_##N##_p(&N##_dest, 1, to));
#define WORD(BITS) ONE(shmem_put##BITS(&uint64_dest, &uint64_value, 1, to)); \
    ONE((shmem_ctx_put##BITS##_nbi(CTX, &uint64_dest, &uint64_value, 1, to), shmem_quiet()));
COPAL_TYPES_INTEGER(DEST)

int main(int argc, char **argv)
{
    int count;
    if (argc == 3)
        setenv(argv[1], argv[2], 1);
    shmem_init();
    const int to = 1 - shmem_my_pe();
    COPAL_TYPES_INTEGER(PUTS)
    WORD(16) WORD(32) WORD(64)
    ONE(shmem_putmem(&uint64_dest, &uint64_value, 4, to));
    ONE(shmem_put8(&uint64_dest, &uint64_value, 8, to));
    shmem_finalize();
    return check_result();
}
