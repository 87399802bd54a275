/* Common parts of the programs that make mistakes. A program prints the required contents of the library's sentence,
 * and then makes the mistake. */
#pragma once

#include <shmem.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64 };
static __attribute__((unused)) long dest[N], source[N], work[N], psync[SHMEM_SYNC_SIZE], more[N * 16];
static int me, n_pes;

/* Prints "expect ROUTINE ARGUMENT VALUE". ARGUMENT may be several names separated by "|", of which the message must
 * have one. ARGUMENT or VALUE is "-" if the message need not contain it. */
static inline __attribute__((format(printf, 3, 4))) void expect(const char *routine, const char *argument,
                                                                const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    printf("expect %s %s ", routine, argument);
    vprintf(fmt, ap);
    printf("\n");
    fflush(stdout);
    va_end(ap);
}

/* In some cases one PE makes the mistake, while the others wait in the barrier that ends every case. */
static inline int errs(void)
{
    return me == n_pes - 1;
}

struct bad_case {
    const char *name;
    void (*run)(void);
};
#define IN_CASES __attribute__((used, section("cases"), aligned(_Alignof(struct bad_case))))
#define CASE(NAME) static void NAME(void); \
    static const struct bad_case NAME##_case IN_CASES = {#NAME, NAME}; static void NAME(void)
/* Cases of one call, by all PEs or by one of them. */
#define ALL_ERR(NAME, WANTED, ...) CASE(NAME) { expect WANTED; __VA_ARGS__; }
#define ONE_ERRS(NAME, WANTED, ...) CASE(NAME) { expect WANTED; if (errs()) __VA_ARGS__; }

extern const struct bad_case __start_cases[], __stop_cases[];

static inline int bad_main(int argc, char **argv)
{
    const struct bad_case *cases = __start_cases;
    const size_t n = (size_t)(__stop_cases - __start_cases);
    for (size_t i = 0; i < n && argc == 2 && strcmp(argv[1], "--list") == 0; i++)
        printf("%s\n", cases[i].name);
    if (argc != 2 || strcmp(argv[1], "--list") == 0)
        return argc == 2 ? 0 : 99;
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    for (size_t i = 0; i < n; i++)
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
