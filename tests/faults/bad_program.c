/* One mistake each: an operation on a variable of a PE that runs another program, and so does not have it.
 *
 *     bad_program --list     prints the case names
 *     bad_program CASE       as PE 0; another program, with a case that it does not have, is the last PE */
#include "bad.h"

static void mistake(const char *routine, const char *argument, const void *sym)
{
    expect(routine, argument, "%p", sym);
}

static int other(void)
{
    return n_pes - 1;
}

static void put(void)
{
    mistake("shmem_long_put", "dest", dest);
    shmem_long_put(dest, source, N, other());
}

static void get_one(void)
{
    mistake("shmem_long_g", "source", source);
    source[0] = shmem_long_g(source, other());
}

static void get_nbi(void)
{
    mistake("shmem_getmem_nbi", "source", source);
    shmem_getmem_nbi(dest, source, sizeof source, other());
}

static void get_strided(void)
{
    mistake("shmem_double_iget", "source", source);
    shmem_double_iget((double *)dest, (double *)source, 1, 2, N / 2, other());
}

static void add(void)
{
    mistake("shmem_long_atomic_add", "dest", dest);
    shmem_long_atomic_add(dest, 1, other());
}

static void fetch(void)
{
    mistake("shmem_long_atomic_fetch", "source", source);
    shmem_long_atomic_fetch(source, other());
}

static void signal_data(void)
{
    mistake("shmem_long_put_signal", "dest", dest);
    shmem_long_put_signal(dest, source, 1, (uint64_t *)work, 1, SHMEM_SIGNAL_SET, other());
}

static void signal_word(void)
{
    mistake("shmem_long_put_signal_nbi", "sig_addr", work);
    shmem_long_put_signal_nbi(NULL, source, 0, (uint64_t *)work, 1, SHMEM_SIGNAL_SET, other());
}

static const struct bad_case cases[] = {
    CASE(put), CASE(get_one), CASE(get_nbi), CASE(get_strided), CASE(add), CASE(fetch), CASE(signal_data),
    CASE(signal_word),
};

int main(int argc, char **argv)
{
    return bad_main(cases, sizeof cases / sizeof cases[0], argc, argv);
}
