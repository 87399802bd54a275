/* Each case makes one mistake: an operation on a variable of a PE that runs another program without this variable.
 *
 *     bad_program --list     prints the case names
 *     bad_program CASE       runs as PE 0; another program, which does not have the case, runs as the last PE */
#include "bad.h"

static int other(void)
{
    return n_pes - 1;
}

ALL_ERR(put, ("shmem_long_put", "dest", "%p", (void *)dest), shmem_long_put(dest, source, N, other()))
ALL_ERR(get_one, ("shmem_long_g", "source", "%p", (void *)source), source[0] = shmem_long_g(source, other()))
ALL_ERR(get_nbi, ("shmem_getmem_nbi", "source", "%p", (void *)source),
        shmem_getmem_nbi(dest, source, sizeof source, other()))
ALL_ERR(get_strided, ("shmem_double_iget", "source", "%p", (void *)source),
        shmem_double_iget((double *)dest, (double *)source, 1, 2, N / 2, other()))
ALL_ERR(add, ("shmem_long_atomic_add", "dest", "%p", (void *)dest), shmem_long_atomic_add(dest, 1, other()))
ALL_ERR(fetch, ("shmem_long_atomic_fetch", "source", "%p", (void *)source), shmem_long_atomic_fetch(source, other()))
ALL_ERR(signal_data, ("shmem_long_put_signal", "dest", "%p", (void *)dest),
        shmem_long_put_signal(dest, source, 1, (uint64_t *)work, 1, SHMEM_SIGNAL_SET, other()))
ALL_ERR(signal_word, ("shmem_long_put_signal_nbi", "sig_addr", "%p", (void *)work),
        shmem_long_put_signal_nbi(NULL, source, 0, (uint64_t *)work, 1, SHMEM_SIGNAL_SET, other()))

int main(int argc, char **argv)
{
    return bad_main(argc, argv);
}
