/* A tool is notified of a call's algorithm before the algorithm calls anything. It is the algorithm that is chosen
 * without a tool; for an ordered operation, one that keeps the order. Then the notifications are switched off. */
/* pes: 1 2 4 */
#include "suite.h"

enum { MOST = 70000 };
static const size_t sizes[] = {8, 3000, 8, MOST, 64, 3000, 0, 8}; /* sizes whose ranges repeat */
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct {
    char collective[32], algorithm[SHCOLL_NAME_BYTES];
    size_t bytes;
    int times;
} told; /* the first call since the reset */

static void note(const char *collective, const char *algorithm, size_t bytes)
{
    if (told.times++)
        return;
    snprintf(told.collective, sizeof told.collective, "%s", collective);
    snprintf(told.algorithm, sizeof told.algorithm, "%s", algorithm);
    told.bytes = bytes;
}

static void forget(const char *what, size_t bytes)
{
    snprintf(doing, sizeof doing, "%s of %zu bytes", what, bytes);
    told.times = 0;
}

static void check(const char *collective, const char *algorithm, size_t bytes)
{
    if (told.times == 0 || strcmp(told.collective, collective) != 0 || strcmp(told.algorithm, algorithm) != 0 ||
        told.bytes != bytes)
        failed("notified %d times: %s by %s, %zu bytes; want %s by %s, %zu bytes", told.times, told.collective,
               told.algorithm, told.bytes, collective, algorithm, bytes);
}

static void left(void *into, const void *from, size_t n)
{
    (void)into, (void)from, (void)n;
}
static const struct shcoll_op ordered = {8, left, .exact = true, .ordered = true};

static void check_ordered(struct shcoll_group *g, uint64_t *dest, uint64_t *source, size_t bytes)
{
    const struct shcoll_call call = {.n = bytes / 8, .size = 8, .op = &ordered};
    char text[SHCOLL_SENTENCE_BYTES];
    forget("ordered reduce", bytes);
    shcoll_reduce(g, dest, source, bytes / 8, &ordered);
    const struct shcoll_choice it = shcoll_find(SHCOLL_REDUCE, told.algorithm);
    check("reduce", told.algorithm, bytes);
    if (!it.algorithm || shcoll_refuses(it, g, &call, text))
        failed("notified of %s, which does not support the call", told.algorithm);
    shcoll_sync(g);
}

int main(void)
{
    char expected[SIZES][SHCOLL_NAME_BYTES], sync[SHCOLL_NAME_BYTES];
    shmem_init();
    shcoll_init();
    struct shcoll_group *g = shcoll_group_create(0, 1, shmem_n_pes());
    uint64_t *source = shmem_malloc(MOST), *dest = shmem_malloc(MOST);
    memset(source, 0, MOST);
    for (int i = 0; i < SIZES; i++)
        shcoll_name(shcoll_chosen(g, SHCOLL_BROADCAST, sizes[i]), expected[i]);
    shcoll_name(shcoll_chosen(g, SHCOLL_SYNC, 0), sync);
    for (int i = 0; i < SIZES; i++) {
        shcoll_tell(note);
        forget("broadcast", sizes[i]);
        shcoll_broadcast(g, dest, source, sizes[i], 0);
        check("broadcast", expected[i], sizes[i]);
        forget("sync", 0);
        shcoll_sync(g);
        check("sync", sync, 0);
        check_ordered(g, dest, source, sizes[i] / 8 * 8);
        shcoll_tell(NULL);
        forget("untold broadcast", sizes[i]);
        shcoll_broadcast(g, dest, source, sizes[i], 0);
        shcoll_sync(g);
        if (told.times)
            failed("told of %s", told.collective);
    }
    shmem_free(dest);
    shmem_free(source);
    shcoll_group_free(g);
    shmem_finalize();
    return check_failures != 0;
}
