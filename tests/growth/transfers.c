/* pes: 2 4 */
/* All kinds of puts, gets, atomics, signals, waits and locks, between all PEs, and queries about the job. */
#include <shmem.h>
#include "growth.h"

enum { LARGE = 100000 };
static char large[LARGE], here[LARGE];
static long word[64], sums[64];
static uint64_t signal_word;
static long lock_word;
static int me, n, next;

static void puts_and_gets(void)
{
    long i = 0;
    for (growth_begin("put, get, p, g", 10000); growth_goes_on(); i++) {
        shmem_long_p(word, i, next);
        shmem_long_put(word, &i, 1, next);
        shmem_fence();
        here[0] = (char)shmem_long_g(word, next);
        shmem_quiet();
    }
    for (growth_begin("put_nbi, get_nbi, 64 in a window", 4000); growth_goes_on(); i++) {
        for (int k = 0; k < 64; k++) {
            shmem_long_put_nbi(word + k, &i, 1, (me + k) % n);
            shmem_long_get_nbi(sums + k, word + 63 - k, 1, (me + k) % n);
        }
        shmem_quiet();
    }
    for (growth_begin("puts and gets of 100 KB", 1000); growth_goes_on();) {
        shmem_putmem_nbi(large, here, LARGE, next);
        shmem_getmem(here, large, LARGE, next);
        shmem_pe_quiet(&next, 1);
    }
    for (growth_begin("iput, iget, ibput", 5000); growth_goes_on();) {
        shmem_long_iput(word, sums, 2, 2, 20, next);
        shmem_long_iget(sums, word, 1, 3, 20, next);
        shmem_long_ibput(word, sums, 4, 4, 2, 10, next);
        shmem_fence();
    }
}

static void atomics_and_signals(void)
{
    uint64_t turn = 0;
    static long old;
    for (growth_begin("atomics", 10000); growth_goes_on();) {
        shmem_long_atomic_inc(word, next);
        shmem_long_atomic_add(word, 3, next);
        old += shmem_long_atomic_fetch_add(word, 1, next) + shmem_long_atomic_swap(word + 1, 4, next);
        shmem_long_atomic_fetch_inc_nbi(&old, word, next);
        shmem_long_atomic_set(word + 2, 5, next);
    }
    shmem_barrier_all();
    for (growth_begin("put_signal, wait, atomic to answer", 5000); growth_goes_on();) {
        turn++;
        shmem_long_put_signal(word, sums, 8, &signal_word, 1, SHMEM_SIGNAL_ADD, next);
        shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, turn);
    }
    for (growth_begin("put_signal_nbi of 100 KB, wait", 1000); growth_goes_on();) {
        turn++;
        shmem_putmem_signal_nbi(large, here, LARGE, &signal_word, 1, SHMEM_SIGNAL_ADD, next);
        shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, turn);
        shmem_quiet();
    }
    for (growth_begin("test, test_any, wait_until_all", 10000); growth_goes_on();) {
        shmem_long_test(word, SHMEM_CMP_EQ, -1);
        shmem_long_test_any(word, 64, NULL, SHMEM_CMP_EQ, -1);
        shmem_long_wait_until_all(word, 64, NULL, SHMEM_CMP_NE, -1);
    }
}

static void locks(void)
{
    for (growth_begin("set_lock, clear_lock, contended", 10000); growth_goes_on();) {
        shmem_set_lock(&lock_word);
        shmem_clear_lock(&lock_word);
    }
    shmem_barrier_all();
    for (growth_begin("test_lock, contended", 10000); growth_goes_on();)
        if (shmem_test_lock(&lock_word) == 0)
            shmem_clear_lock(&lock_word);
}

static void questions(void)
{
    char name[SHMEM_MAX_NAME_LEN];
    int major, minor;
    long found = 0;
    for (growth_begin("queries about the job", 20000); growth_goes_on();) {
        shmem_info_get_name(name);
        shmem_info_get_version(&major, &minor);
        found += shmem_ptr(word, next) != NULL;
        found += shmem_addr_accessible(word, next) + shmem_pe_accessible(next);
        found += shmem_team_translate_pe(SHMEM_TEAM_WORLD, me, SHMEM_TEAM_SHARED);
    }
    if (found == 0)
        shmem_global_exit(1);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    puts_and_gets();
    shmem_barrier_all();
    atomics_and_signals();
    shmem_barrier_all();
    locks();
    questions();
    shmem_finalize();
    return growth_result();
}
