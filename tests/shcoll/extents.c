/* Members of a large group that return from a collect zero their work area immediately, like the members of a team
 * that is destroyed and whose memory another team then uses. One member is late, and has not yet read the offsets of
 * the others' data. */
/* pes: 17 20 */
#define COPAL_NO_GENERICS
#include <pshmem.h>
#include <shcoll.h>

#include <string.h>
#include <time.h>

#include "../check.h"

enum { MOST_PES = 32, BYTES = 40 };

static _Alignas(64) char work[SHCOLL_WORK_BYTES];
static char source[BYTES], dest[BYTES * MOST_PES];
static int gets, late_get = -1; /* this PE's gets so far; the get before which it pauses */

void shmem_getmem(void *to, const void *from, size_t n, int pe)
{
    if (gets++ == late_get)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); /* late on purpose */
    pshmem_getmem(to, from, n, pe);
}

static size_t bytes_of(int pe)
{
    return (size_t)pe % 3 + 1;
}

static void collect(struct shcoll_choice by, int late, int late_get_of)
{
    struct shcoll_group g = shcoll_group_on(0, 1, shmem_n_pes(), work, false);
    size_t at = 0;
    memset(dest, 0, sizeof dest);
    memset(source, 'a' + shmem_my_pe(), sizeof source);
    shmem_barrier_all();
    gets = 0;
    late_get = shmem_my_pe() == late ? late_get_of : -1;
    shcoll_run(by, &g, &(struct shcoll_call){.dest = dest, .source = source, .n = bytes_of(g.me), .size = 1});
    shcoll_group_end(&g);
    memset(work, 0, sizeof work);
    for (int pe = 0; pe < g.size; at += bytes_of(pe++))
        for (size_t i = 0; i < bytes_of(pe); i++)
            CHECK(dest[at + i] == (char)('a' + pe), "PE %d late at get %d: byte %zu of PE %d's is %d", late,
                  late_get_of, i, pe, dest[at + i]);
    shmem_barrier_all();
}

int main(void)
{
    static const char *const names[] = {"ring:signal", "bruck:signal", "neighbor_exchange:signal",
                                        "all_linear:counter"};
    shmem_init();
    shcoll_init();
    const int n = shmem_n_pes();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct shcoll_choice by = shcoll_find(SHCOLL_COLLECT, names[i]);
        if (n % 2 && strncmp(names[i], "neighbor", 8) == 0)
            continue;
        for (int get = 0; get < n; get++)
            collect(by, (get * 5 + 3) % n, get);
    }
    shmem_finalize();
    return check_result();
}
