/* Copies to a PE: correct for each alignment and length, through the caches or past them, and the choice between these.
 * The clock and memcpy are the test's. */
#include "../check.h"

#include "shmem/copy.h"

#define memcpy counted
static void *counted(void *to, const void *from, size_t bytes);
#include "shmem/copy.c"

enum { TURNS = 64, ROOM = 8192 };

static uint64_t now, each; /* each: the time of a copy */
uint64_t clock_now(void)
{
    return now += each;
}

static long whole; /* the number of copies by one memcpy */
static void *counted(void *to, const void *from, size_t bytes)
{
    whole += bytes >= PAST_LEAST;
    return memmove(to, from, bytes);
}

static char to[ROOM], from[ROOM];

static void copy_once(size_t to_at, size_t from_at, size_t bytes, int pe)
{
    for (size_t i = 0; i < ROOM; i++) {
        to[i] = 1;
        from[i] = (char)(i * 7 + i / 256 + 2);
    }
    copy_to_pe(to + to_at, from + from_at, bytes, pe);
    size_t wrong = 0;
    for (size_t i = 0; i < ROOM; i++)
        wrong += to[i] != (i - to_at < bytes ? from[i - to_at + from_at] : 1);
    CHECK(!wrong, "%zu bytes from %zu to %zu: %zu differ", bytes, from_at, to_at, wrong);
}

/* Copies to one of these PEs after the other, at different alignments. */
static long whole_of(int first, int last, uint64_t ns)
{
    each = ns;
    whole = 0;
    for (size_t i = 0; i < TURNS; i++)
        for (int pe = first; pe <= last; pe++)
            copy_once(i * 5 % 64, i * 11 % 64, PAST_LEAST + i * 13 % 67, pe);
    return whole;
}

int main(void)
{
    const long fast = whole_of(0, 0, 10);
    CHECK(fast == TURNS, "of %d copies to a near PE memcpy has made %ld", TURNS, fast);
#if defined(__x86_64__)
    const long slow = whole_of(1, 2, 1000);
    CHECK(slow == 2, "of %d copies to two far PEs memcpy has made %ld", 2 * TURNS, slow);
    const long again = whole_of(1, 2, 10);
    CHECK(again == 2 * TURNS, "of %d copies to PEs that have come near memcpy has made %ld", 2 * TURNS, again);
#endif
    return check_result();
}
