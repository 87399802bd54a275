/* Wrong addresses and wrong PEs, one routine of every family:
 *
 *     bad_access --list            prints ROUTINE KIND ARGUMENT for every case there is
 *     bad_access ROUTINE KIND      makes that mistake on the last PE; the others wait in a barrier
 *
 * Before the call it prints "expect ROUTINE ARGUMENT VALUE": what the library's sentence must contain. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static shmem_ctx_t ctx, team_ctx; /* team_ctx: of a team of one PE */
static long target[8], local[8];
static uint64_t signal_word;

/* What a routine is open to. */
enum { PE = 1, ADDRESS = 2, LENGTH = 4, ATOMIC = 8, TEAM = 16 };

#define CALL(NAME, STATEMENT) static void NAME(void *a, int pe) { (void)a, (void)pe; STATEMENT; }
CALL(put, shmem_long_put(a, local, 4, pe))
CALL(get, shmem_long_get(local, a, 4, pe))
CALL(p, shmem_long_p(a, 1, pe))
CALL(g, local[0] = shmem_long_g(a, pe))
CALL(iput, shmem_long_iput(a, local, 1, 2, 4, pe))
CALL(iget, shmem_long_iget(local, a, 2, 1, 4, pe))
CALL(ibput, shmem_long_ibput(a, local, 2, 2, 2, 2, pe))
CALL(ibget, shmem_long_ibget(local, a, 2, 2, 2, 2, pe))
CALL(put_nbi, shmem_long_put_nbi(a, local, 4, pe))
CALL(get_nbi, shmem_long_get_nbi(local, a, 4, pe))
CALL(putmem, shmem_putmem(a, local, 32, pe))
CALL(getmem, shmem_getmem(local, a, 32, pe))
CALL(put128, shmem_put128(a, local, 2, pe))
CALL(put8_nbi, shmem_put8_nbi(a, local, 32, pe))
CALL(iput32, shmem_iput32(a, local, 2, 1, 4, pe))
CALL(char_put, shmem_char_put(a, (char *)local, 32, pe))
CALL(float_p, shmem_float_p(a, 1.0f, pe))
CALL(longdouble_get, shmem_longdouble_get((long double *)(void *)local, a, 2, pe))
CALL(ctx_put, shmem_ctx_long_put(ctx, a, local, 4, pe))
CALL(ctx_get, shmem_ctx_long_get(ctx, local, a, 4, pe))
CALL(ctx_iput, shmem_ctx_long_iput(ctx, a, local, 1, 1, 4, pe))
CALL(put_signal, shmem_long_put_signal(a, local, 4, &signal_word, 1, SHMEM_SIGNAL_SET, pe))
CALL(put_signal_nbi, shmem_long_put_signal_nbi(a, local, 4, &signal_word, 1, SHMEM_SIGNAL_ADD, pe))
CALL(put_signal_word, shmem_long_put_signal(target, local, 4, a, 1, SHMEM_SIGNAL_SET, pe))
CALL(signal_set, shmem_signal_set(a, 1, pe))
CALL(signal_add, shmem_signal_add(a, 1, pe))
CALL(signal_fetch, local[0] = (long)shmem_signal_fetch(a))
CALL(signal_wait, shmem_signal_wait_until(a, SHMEM_CMP_GE, 0))
CALL(fetch, local[0] = shmem_long_atomic_fetch(a, pe))
CALL(set, shmem_long_atomic_set(a, 1, pe))
CALL(swap, local[0] = shmem_long_atomic_swap(a, 1, pe))
CALL(compare_swap, local[0] = shmem_long_atomic_compare_swap(a, 1, 2, pe))
CALL(inc, shmem_long_atomic_inc(a, pe))
CALL(fetch_inc, local[0] = shmem_long_atomic_fetch_inc(a, pe))
CALL(add, shmem_long_atomic_add(a, 1, pe))
CALL(fetch_add, local[0] = shmem_long_atomic_fetch_add(a, 1, pe))
CALL(int_fetch_add, local[0] = shmem_int_atomic_fetch_add(a, 1, pe))
CALL(double_swap, local[0] = (long)shmem_double_atomic_swap(a, 1.0, pe))
CALL(and, shmem_ulong_atomic_and(a, 1, pe))
CALL(fetch_or, local[0] = (long)shmem_ulong_atomic_fetch_or(a, 1, pe))
CALL(fetch_xor_nbi, shmem_ulong_atomic_fetch_xor_nbi((unsigned long *)local, a, 1, pe))
CALL(fetch_nbi, shmem_long_atomic_fetch_nbi(local, a, pe))
CALL(old_fadd, local[0] = shmem_long_fadd(a, 1, pe))
CALL(ctx_fetch_add, local[0] = shmem_ctx_long_atomic_fetch_add(ctx, a, 1, pe))
CALL(wait_until, shmem_long_wait_until(a, SHMEM_CMP_EQ, 0))
CALL(test, local[0] = shmem_long_test(a, SHMEM_CMP_EQ, 0))
CALL(wait_until_all, shmem_long_wait_until_all(a, 2, NULL, SHMEM_CMP_EQ, 0))
CALL(test_any, local[0] = (long)shmem_long_test_any(a, 2, NULL, SHMEM_CMP_EQ, 0))
CALL(set_lock, shmem_set_lock(a))
CALL(test_lock, local[0] = shmem_test_lock(a))
CALL(clear_lock, shmem_clear_lock(a))
CALL(pe_quiet, shmem_pe_quiet(&pe, 1))
CALL(team_put, shmem_ctx_long_put(team_ctx, a, local, 1, pe))
CALL(team_get, shmem_ctx_long_get(team_ctx, local, a, 1, pe))
CALL(team_add, shmem_ctx_long_atomic_add(team_ctx, a, 1, pe))
CALL(team_signal, shmem_ctx_signal_set(team_ctx, a, 1, pe))

static const struct access {
    const char *routine, *argument; /* argument: several names where the specification's routines differ */
    void (*call)(void *a, int pe);
    int open_to;
    size_t bytes; /* from the address on, reached by the call */
} table[] = {
    {"shmem_long_put", "dest", put, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_get", "source", get, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_p", "dest", p, PE | ADDRESS | LENGTH, 8},
    {"shmem_long_g", "source", g, PE | ADDRESS | LENGTH, 8},
    {"shmem_long_iput", "dest", iput, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_iget", "source", iget, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_ibput", "dest", ibput, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_ibget", "source", ibget, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_put_nbi", "dest", put_nbi, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_get_nbi", "source", get_nbi, PE | ADDRESS | LENGTH, 32},
    {"shmem_putmem", "dest", putmem, PE | ADDRESS | LENGTH, 32},
    {"shmem_getmem", "source", getmem, PE | ADDRESS | LENGTH, 32},
    {"shmem_put128", "dest", put128, PE | ADDRESS | LENGTH, 32},
    {"shmem_put8_nbi", "dest", put8_nbi, PE | ADDRESS | LENGTH, 32},
    {"shmem_iput32", "dest", iput32, PE | ADDRESS | LENGTH, 28},
    {"shmem_char_put", "dest", char_put, PE | ADDRESS | LENGTH, 32},
    {"shmem_float_p", "dest", float_p, PE | ADDRESS | LENGTH, 4},
    {"shmem_longdouble_get", "source", longdouble_get, PE | ADDRESS | LENGTH, 32},
    {"shmem_ctx_long_put", "dest", ctx_put, PE | ADDRESS | LENGTH, 32},
    {"shmem_ctx_long_get", "source", ctx_get, PE | ADDRESS | LENGTH, 32},
    {"shmem_ctx_long_iput", "dest", ctx_iput, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_put_signal", "dest", put_signal, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_put_signal_nbi", "dest", put_signal_nbi, PE | ADDRESS | LENGTH, 32},
    {"shmem_long_put_signal@sig_addr", "sig_addr", put_signal_word, ADDRESS | ATOMIC, 8},
    {"shmem_signal_set", "sig_addr", signal_set, PE | ADDRESS | ATOMIC, 8},
    {"shmem_signal_add", "sig_addr", signal_add, PE | ADDRESS | ATOMIC, 8},
    {"shmem_signal_fetch", "sig_addr", signal_fetch, ADDRESS | ATOMIC, 8},
    {"shmem_signal_wait_until", "sig_addr", signal_wait, ADDRESS | ATOMIC, 8},
    {"shmem_long_atomic_fetch", "source", fetch, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_atomic_set", "dest", set, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_atomic_swap", "dest", swap, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_atomic_compare_swap", "dest", compare_swap, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_atomic_inc", "dest", inc, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_atomic_fetch_inc", "dest", fetch_inc, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_atomic_add", "dest", add, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_atomic_fetch_add", "dest", fetch_add, PE | ADDRESS | ATOMIC, 8},
    {"shmem_int_atomic_fetch_add", "dest", int_fetch_add, PE | ADDRESS | ATOMIC, 4},
    {"shmem_double_atomic_swap", "dest", double_swap, PE | ADDRESS | ATOMIC, 8},
    {"shmem_ulong_atomic_and", "dest", and, PE | ADDRESS | ATOMIC, 8},
    {"shmem_ulong_atomic_fetch_or", "dest", fetch_or, PE | ADDRESS | ATOMIC, 8},
    {"shmem_ulong_atomic_fetch_xor_nbi", "dest", fetch_xor_nbi, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_atomic_fetch_nbi", "source", fetch_nbi, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_fadd", "dest", old_fadd, PE | ADDRESS | ATOMIC, 8},
    {"shmem_ctx_long_atomic_fetch_add", "dest", ctx_fetch_add, PE | ADDRESS | ATOMIC, 8},
    {"shmem_long_wait_until", "ivar", wait_until, ADDRESS | ATOMIC, 8},
    {"shmem_long_test", "ivar", test, ADDRESS | ATOMIC, 8},
    {"shmem_long_wait_until_all", "ivars", wait_until_all, ADDRESS | ATOMIC, 16},
    {"shmem_long_test_any", "ivars", test_any, ADDRESS | ATOMIC, 16},
    {"shmem_set_lock", "lock", set_lock, ADDRESS | ATOMIC, 8},
    {"shmem_test_lock", "lock", test_lock, ADDRESS | ATOMIC, 8},
    {"shmem_clear_lock", "lock", clear_lock, ADDRESS | ATOMIC, 8},
    {"shmem_pe_quiet", "pe", pe_quiet, PE, 0},
    {"shmem_ctx_long_put@team", "dest", team_put, PE | TEAM, 8},
    {"shmem_ctx_long_get@team", "source", team_get, PE | TEAM, 8},
    {"shmem_ctx_long_atomic_add@team", "dest", team_add, PE | TEAM, 8},
    {"shmem_ctx_signal_set@team", "sig_addr", team_signal, PE | TEAM, 8},
};
enum { N_ROUTINES = sizeof table / sizeof table[0] };

static const struct kind {
    const char *name;
    int needs; /* what a routine must be open to */
} kinds[] = {
    {"pe_high", PE},        {"pe_negative", PE},     {"stack", ADDRESS},  {"malloc", ADDRESS}, {"text", ADDRESS},
    {"freed", ADDRESS},     {"heap_end", ADDRESS},   {"runs_off", LENGTH}, {"null", ADDRESS},
    {"peer", ADDRESS},      {"unaligned", ATOMIC},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static void list(void)
{
    for (int r = 0; r < N_ROUTINES; r++)
        for (int k = 0; k < N_KINDS; k++)
            if (table[r].open_to & kinds[k].needs)
                printf("%s %s\n", table[r].routine, kinds[k].name);
}

static void expect(const struct access *t, const char *argument, const char *value)
{
    int length = (int)strcspn(t->routine, "@"); /* "@" tells two rows of one routine apart */
    printf("expect %.*s %s %s\n", length, t->routine, argument, value);
    fflush(stdout);
}

/* The address that a kind of mistake uses.  `block` was allocated last, so that nothing lies behind it. */
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
    for (int r = 0; r < N_ROUTINES; r++)
        if (strcmp(argv[1], table[r].routine) == 0)
            mistake(&table[r], argv[2]);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
