/* Wrong addresses and wrong PEs, one routine of every family:
 *
 *     bad_access --list            prints ROUTINE KIND ARGUMENT for every case
 *     bad_access ROUTINE KIND      makes that mistake on the last PE; the others wait in a barrier
 *
 * Before the call it prints "expect ROUTINE ARGUMENT VALUE": the required contents of the library's message. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static shmem_ctx_t ctx, team_ctx; /* team_ctx: of a team of one PE */
static long target[8], local[8];
static uint64_t signal_word;

/* The mistakes that are possible with a routine. */
enum { PE = 1, ADDRESS = 2, LENGTH = 4, ATOMIC = 8, TEAM = 16 };
enum { MOVES = PE | ADDRESS | LENGTH, WORD = ADDRESS | ATOMIC, FAR_WORD = PE | WORD, IN_TEAM = PE | TEAM };

struct access {
    const char *routine, *argument; /* argument: several names where the specification's routines differ */
    void (*call)(void *a, int pe);
    int open_to;
    size_t bytes; /* how many bytes from the address on the call accesses */
};
extern const struct access __start_accesses[], __stop_accesses[];

#define IN_ACCESSES __attribute__((used, section("accesses"), aligned(_Alignof(struct access))))
#define CALL(NAME, STATEMENT) static void NAME(void *a, int pe) { (void)a, (void)pe; STATEMENT; }
#define ACCESS(NAME, ROUTINE, ARGUMENT, OPEN_TO, BYTES, ...) CALL(NAME, __VA_ARGS__) \
    static const struct access NAME##_access IN_ACCESSES = {ROUTINE, ARGUMENT, NAME, OPEN_TO, BYTES};
ACCESS(put, "shmem_long_put", "dest", MOVES, 32, shmem_long_put(a, local, 4, pe))
ACCESS(get, "shmem_long_get", "source", MOVES, 32, shmem_long_get(local, a, 4, pe))
ACCESS(p, "shmem_long_p", "dest", MOVES, 8, shmem_long_p(a, 1, pe))
ACCESS(g, "shmem_long_g", "source", MOVES, 8, local[0] = shmem_long_g(a, pe))
ACCESS(iput, "shmem_long_iput", "dest", MOVES, 32, shmem_long_iput(a, local, 1, 2, 4, pe))
ACCESS(iget, "shmem_long_iget", "source", MOVES, 32, shmem_long_iget(local, a, 2, 1, 4, pe))
ACCESS(ibput, "shmem_long_ibput", "dest", MOVES, 32, shmem_long_ibput(a, local, 2, 2, 2, 2, pe))
ACCESS(ibget, "shmem_long_ibget", "source", MOVES, 32, shmem_long_ibget(local, a, 2, 2, 2, 2, pe))
ACCESS(put_nbi, "shmem_long_put_nbi", "dest", MOVES, 32, shmem_long_put_nbi(a, local, 4, pe))
ACCESS(get_nbi, "shmem_long_get_nbi", "source", MOVES, 32, shmem_long_get_nbi(local, a, 4, pe))
ACCESS(putmem, "shmem_putmem", "dest", MOVES, 32, shmem_putmem(a, local, 32, pe))
ACCESS(getmem, "shmem_getmem", "source", MOVES, 32, shmem_getmem(local, a, 32, pe))
ACCESS(put128, "shmem_put128", "dest", MOVES, 32, shmem_put128(a, local, 2, pe))
ACCESS(put8_nbi, "shmem_put8_nbi", "dest", MOVES, 32, shmem_put8_nbi(a, local, 32, pe))
ACCESS(iput32, "shmem_iput32", "dest", MOVES, 28, shmem_iput32(a, local, 2, 1, 4, pe))
ACCESS(char_put, "shmem_char_put", "dest", MOVES, 32, shmem_char_put(a, (char *)local, 32, pe))
ACCESS(float_p, "shmem_float_p", "dest", MOVES, 4, shmem_float_p(a, 1.0f, pe))
ACCESS(longdouble_get, "shmem_longdouble_get", "source", MOVES, 32,
       shmem_longdouble_get((long double *)(void *)local, a, 2, pe))
ACCESS(ctx_put, "shmem_ctx_long_put", "dest", MOVES, 32, shmem_ctx_long_put(ctx, a, local, 4, pe))
ACCESS(ctx_get, "shmem_ctx_long_get", "source", MOVES, 32, shmem_ctx_long_get(ctx, local, a, 4, pe))
ACCESS(ctx_iput, "shmem_ctx_long_iput", "dest", MOVES, 32, shmem_ctx_long_iput(ctx, a, local, 1, 1, 4, pe))
ACCESS(put_signal, "shmem_long_put_signal", "dest", MOVES, 32,
       shmem_long_put_signal(a, local, 4, &signal_word, 1, SHMEM_SIGNAL_SET, pe))
ACCESS(put_signal_nbi, "shmem_long_put_signal_nbi", "dest", MOVES, 32,
       shmem_long_put_signal_nbi(a, local, 4, &signal_word, 1, SHMEM_SIGNAL_ADD, pe))
ACCESS(put_signal_word, "shmem_long_put_signal@sig_addr", "sig_addr", WORD, 8,
       shmem_long_put_signal(target, local, 4, a, 1, SHMEM_SIGNAL_SET, pe))
ACCESS(signal_set, "shmem_signal_set", "sig_addr", FAR_WORD, 8, shmem_signal_set(a, 1, pe))
ACCESS(signal_add, "shmem_signal_add", "sig_addr", FAR_WORD, 8, shmem_signal_add(a, 1, pe))
ACCESS(signal_fetch, "shmem_signal_fetch", "sig_addr", WORD, 8, local[0] = (long)shmem_signal_fetch(a))
ACCESS(signal_wait, "shmem_signal_wait_until", "sig_addr", WORD, 8, shmem_signal_wait_until(a, SHMEM_CMP_GE, 0))
ACCESS(fetch, "shmem_long_atomic_fetch", "source", FAR_WORD, 8, local[0] = shmem_long_atomic_fetch(a, pe))
ACCESS(set, "shmem_long_atomic_set", "dest", FAR_WORD, 8, shmem_long_atomic_set(a, 1, pe))
ACCESS(swap, "shmem_long_atomic_swap", "dest", FAR_WORD, 8, local[0] = shmem_long_atomic_swap(a, 1, pe))
ACCESS(compare_swap, "shmem_long_atomic_compare_swap", "dest", FAR_WORD, 8,
       local[0] = shmem_long_atomic_compare_swap(a, 1, 2, pe))
ACCESS(inc, "shmem_long_atomic_inc", "dest", FAR_WORD, 8, shmem_long_atomic_inc(a, pe))
ACCESS(fetch_inc, "shmem_long_atomic_fetch_inc", "dest", FAR_WORD, 8, local[0] = shmem_long_atomic_fetch_inc(a, pe))
ACCESS(add, "shmem_long_atomic_add", "dest", FAR_WORD, 8, shmem_long_atomic_add(a, 1, pe))
ACCESS(fetch_add, "shmem_long_atomic_fetch_add", "dest", FAR_WORD, 8, local[0] = shmem_long_atomic_fetch_add(a, 1, pe))
ACCESS(int_fetch_add, "shmem_int_atomic_fetch_add", "dest", FAR_WORD, 4,
       local[0] = shmem_int_atomic_fetch_add(a, 1, pe))
ACCESS(double_swap, "shmem_double_atomic_swap", "dest", FAR_WORD, 8,
       local[0] = (long)shmem_double_atomic_swap(a, 1.0, pe))
ACCESS(and, "shmem_ulong_atomic_and", "dest", FAR_WORD, 8, shmem_ulong_atomic_and(a, 1, pe))
ACCESS(fetch_or, "shmem_ulong_atomic_fetch_or", "dest", FAR_WORD, 8,
       local[0] = (long)shmem_ulong_atomic_fetch_or(a, 1, pe))
ACCESS(fetch_xor_nbi, "shmem_ulong_atomic_fetch_xor_nbi", "dest", FAR_WORD, 8,
       shmem_ulong_atomic_fetch_xor_nbi((unsigned long *)local, a, 1, pe))
ACCESS(fetch_nbi, "shmem_long_atomic_fetch_nbi", "source", FAR_WORD, 8, shmem_long_atomic_fetch_nbi(local, a, pe))
ACCESS(old_fadd, "shmem_long_fadd", "dest", FAR_WORD, 8, local[0] = shmem_long_fadd(a, 1, pe))
ACCESS(ctx_fetch_add, "shmem_ctx_long_atomic_fetch_add", "dest", FAR_WORD, 8,
       local[0] = shmem_ctx_long_atomic_fetch_add(ctx, a, 1, pe))
ACCESS(wait_until, "shmem_long_wait_until", "ivar", WORD, 8, shmem_long_wait_until(a, SHMEM_CMP_EQ, 0))
ACCESS(test, "shmem_long_test", "ivar", WORD, 8, local[0] = shmem_long_test(a, SHMEM_CMP_EQ, 0))
ACCESS(wait_until_all, "shmem_long_wait_until_all", "ivars", WORD, 16,
       shmem_long_wait_until_all(a, 2, NULL, SHMEM_CMP_EQ, 0))
ACCESS(test_any, "shmem_long_test_any", "ivars", WORD, 16,
       local[0] = (long)shmem_long_test_any(a, 2, NULL, SHMEM_CMP_EQ, 0))
ACCESS(set_lock, "shmem_set_lock", "lock", WORD, 8, shmem_set_lock(a))
ACCESS(test_lock, "shmem_test_lock", "lock", WORD, 8, local[0] = shmem_test_lock(a))
ACCESS(clear_lock, "shmem_clear_lock", "lock", WORD, 8, shmem_clear_lock(a))
ACCESS(pe_quiet, "shmem_pe_quiet", "pe", PE, 0, shmem_pe_quiet(&pe, 1))
ACCESS(team_put, "shmem_ctx_long_put@team", "dest", IN_TEAM, 8, shmem_ctx_long_put(team_ctx, a, local, 1, pe))
ACCESS(team_get, "shmem_ctx_long_get@team", "source", IN_TEAM, 8, shmem_ctx_long_get(team_ctx, local, a, 1, pe))
ACCESS(team_add, "shmem_ctx_long_atomic_add@team", "dest", IN_TEAM, 8, shmem_ctx_long_atomic_add(team_ctx, a, 1, pe))
ACCESS(team_signal, "shmem_ctx_signal_set@team", "sig_addr", IN_TEAM, 8, shmem_ctx_signal_set(team_ctx, a, 1, pe))

static const struct kind {
    const char *name;
    int needs; /* the mistakes that must be possible with the routine */
} kinds[] = {
    {"pe_high", PE},        {"pe_negative", PE},     {"stack", ADDRESS},  {"malloc", ADDRESS}, {"text", ADDRESS},
    {"freed", ADDRESS},     {"heap_end", ADDRESS},   {"runs_off", LENGTH}, {"null", ADDRESS},
    {"peer", ADDRESS},      {"unaligned", ATOMIC},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static void list(void)
{
    for (const struct access *t = __start_accesses; t < __stop_accesses; t++)
        for (int k = 0; k < N_KINDS; k++)
            if (t->open_to & kinds[k].needs)
                printf("%s %s\n", t->routine, kinds[k].name);
}

static void expect(const struct access *t, const char *argument, const char *value)
{
    int length = (int)strcspn(t->routine, "@"); /* "@" distinguishes two rows of one routine */
    printf("expect %.*s %s %s\n", length, t->routine, argument, value);
    fflush(stdout);
}

/* The address for a kind of mistake. `block` was allocated last, so that only free memory follows it. */
static void *address(const char *kind, const struct access *t, char *block, size_t size, void *on_stack)
{
    if (strcmp(kind, "stack") == 0)
        return on_stack;
    if (strcmp(kind, "malloc") == 0)
        return calloc(8, sizeof(long));
    if (strcmp(kind, "text") == 0)
        return (void *)(uintptr_t)"a constant that stands in the program's text";
    if (strcmp(kind, "heap_end") == 0)
        return block + size;
    if (strcmp(kind, "runs_off") == 0)
        return block + size - t->bytes / 2;
    if (strcmp(kind, "peer") == 0)
        return shmem_ptr(target, (shmem_my_pe() + 1) % shmem_n_pes());
    if (strcmp(kind, "unaligned") == 0)
        return block + 2;
    return strcmp(kind, "null") == 0 ? NULL : block; /* freed */
}

static void mistake(const struct access *t, const char *kind)
{
    enum { SIZE = 4096 };
    long on_stack[8] = {0};
    char value[32], *block = shmem_calloc(1, SIZE);
    int pe = shmem_n_pes() - 1, limit = t->open_to & TEAM ? 1 : shmem_n_pes();
    int wrong_pe = strncmp(kind, "pe_", 3) == 0;
    if (strcmp(kind, "freed") == 0)
        shmem_free(block);
    shmem_barrier_all();
    if (shmem_my_pe() != shmem_n_pes() - 1)
        return;
    void *a = wrong_pe ? target : address(kind, t, block, SIZE, on_stack);
    if (wrong_pe)
        pe = strcmp(kind, "pe_high") == 0 ? limit : -1;
    if (wrong_pe)
        snprintf(value, sizeof value, "%d", pe);
    else
        snprintf(value, sizeof value, "%p", a);
    expect(t, wrong_pe ? "pe" : t->argument, a ? value : "null");
    t->call(a, pe);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list();
        return 0;
    }
    if (argc != 3)
        return 99;
    shmem_init();
    shmem_team_t single;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, shmem_n_pes() - 1, 0, 1, NULL, 0, &single);
    if (shmem_ctx_create(0, &ctx) != 0)
        return 98;
    if (single != SHMEM_TEAM_INVALID && shmem_team_create_ctx(single, 0, &team_ctx) != 0)
        return 98;
    for (const struct access *t = __start_accesses; t < __stop_accesses; t++)
        if (strcmp(argv[1], t->routine) == 0)
            mistake(t, argv[2]);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
