/* Calls while the library is not initialized:
 *
 *     bad_time --list             prints WHEN ROUTINE for every case
 *     bad_time WHEN ROUTINE       calls ROUTINE before shmem_init, after shmem_finalize, or in a forked child */
#include <sys/wait.h>
#include <unistd.h>
#include "bad.h"

#define CALL(NAME, STATEMENT) static void NAME(void) { STATEMENT; }
CALL(my_pe, shmem_my_pe())
CALL(n_pes_, shmem_n_pes())
CALL(take, shmem_malloc(100))
CALL(give, shmem_free(dest))
CALL(put, shmem_long_put(dest, source, 1, 0))
CALL(get, shmem_long_g(dest, 0))
CALL(add, shmem_long_atomic_add(dest, 1, 0))
CALL(barrier_all, shmem_barrier_all())
CALL(sync_all, shmem_sync_all())
CALL(barrier, shmem_barrier(0, 0, 1, psync))
CALL(team_sync, shmem_team_sync(SHMEM_TEAM_WORLD))
CALL(quiet, shmem_quiet())
CALL(wait_until, shmem_long_wait_until(dest, SHMEM_CMP_EQ, 1))
CALL(set_lock, shmem_set_lock(dest))
CALL(reduce, shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1))
CALL(put_signal, shmem_long_put_signal(dest, source, 1, (uint64_t *)work, 1, SHMEM_SIGNAL_SET, 0))
CALL(ctx_create, { shmem_ctx_t ctx; shmem_ctx_create(0, &ctx); })
CALL(split, { shmem_team_t t; shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &t); })
CALL(finalize, shmem_finalize())

static const struct bad_case calls[] = {
    {"shmem_my_pe", my_pe}, {"shmem_n_pes", n_pes_}, {"shmem_malloc", take}, {"shmem_free", give},
    {"shmem_long_put", put}, {"shmem_long_g", get}, {"shmem_long_atomic_add", add},
    {"shmem_barrier_all", barrier_all}, {"shmem_sync_all", sync_all}, {"shmem_barrier", barrier},
    {"shmem_team_sync", team_sync}, {"shmem_quiet", quiet}, {"shmem_long_wait_until", wait_until},
    {"shmem_set_lock", set_lock}, {"shmem_long_sum_reduce", reduce}, {"shmem_long_put_signal", put_signal},
    {"shmem_ctx_create", ctx_create}, {"shmem_team_split_strided", split}, {"shmem_finalize", finalize},
};
enum { N_CALLS = sizeof calls / sizeof calls[0] };

static void call(const struct bad_case *c)
{
    expect(c->name, "-", "-");
    c->run();
}

int main(int argc, char **argv)
{
    static const char *const times[] = {"before", "after", "child"};
    for (int i = 0; i < 3 * N_CALLS && argc == 2; i++)
        if (calls[i % N_CALLS].run != finalize || strcmp(times[i / N_CALLS], "after") != 0) /* which is accepted */
            printf("%s %s\n", times[i / N_CALLS], calls[i % N_CALLS].name);
    if (argc != 3)
        return argc == 2 ? 0 : 99;
    const struct bad_case *c = calls;
    while (strcmp(argv[2], c->name) != 0)
        c++;
    if (strcmp(argv[1], "before") == 0)
        call(c);
    shmem_init();
    if (strcmp(argv[1], "child") == 0) {
        pid_t child = fork();
        if (child == 0) {
            call(c);
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 97;
    }
    shmem_finalize();
    call(c);
    return 0;
}
