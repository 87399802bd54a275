/* Global and static variables as symmetric objects: initialized, zero, big, aligned, within functions, through
 * pointers to them. They keep their values across shmem_init, and pointers into them stay valid. statics_no_pie.c is
 * the same program, not position-independent. */
#include "fill.h"

enum { BIG = 2 << 20 /* words */, MAX_PES = 16 };
static uint64_t in_data[100] = {11, 22, 33};
uint64_t global_in_data = 0x8877665544332211;
static uint64_t in_bss[100];
uint64_t global_in_bss;
static uint64_t big_bss[BIG];
static char big_data[1 << 20] = "not zero, so that it is in .data";
static _Alignas(4096) char own_page[4096] = "a page of its own";
static _Alignas(64) char own_line[64];
static volatile int quiet_volatile = 3;
static uint64_t before_init;
static uint64_t *const pointer_to_data = &in_data[50];
static uint64_t *pointer_to_bss = &in_bss[50];
static const char *pointer_to_text = "read-only";
static int (*pointer_to_function)(const char *) = puts;
static int me, n_pes, right, left;

static uint64_t *counter(void)
{
    static uint64_t calls = 40;
    calls++;
    return &calls;
}

/* Runs before main, and therefore before shmem_init. */
__attribute__((constructor)) static void early(void)
{
    before_init = 0x1234;
    big_bss[BIG - 1] = 99;
    own_line[63] = 'x';
}

static void check_kept(void)
{
    CHECK(in_data[2] == 33 && in_data[3] == 0, "initialised data lost");
    CHECK(global_in_data == 0x8877665544332211, "initialised global lost");
    CHECK(global_in_bss == 0 && in_bss[99] == 0 && big_bss[0] == 0, "zero data not zero");
    CHECK(before_init == 0x1234 && big_bss[BIG - 1] == 99 && own_line[63] == 'x', "stores before shmem_init lost");
    CHECK(strcmp(big_data, "not zero, so that it is in .data") == 0, "big initialised data lost");
    CHECK(strcmp(own_page, "a page of its own") == 0 && (uintptr_t)own_page % 4096 == 0, "the aligned page");
    CHECK(quiet_volatile == 3, "the volatile");
    CHECK(pointer_to_data == &in_data[50] && pointer_to_bss == &in_bss[50], "pointers to statics have changed");
    CHECK(strcmp(pointer_to_text, "read-only") == 0 && pointer_to_function == puts, "pointers to text have changed");
    CHECK(*counter() == 41 && *counter() == 42, "static of a function lost");
    CHECK(stdout != NULL && fprintf(stderr, "%s", "") == 0, "stdio");
}

/* Sends size bytes of dest to the right neighbour and checks the data from the left neighbour. */
static void exchange(const char *what, void *dest, size_t size, unsigned salt)
{
    unsigned char *source = malloc(size), *back = malloc(size), *bytes = dest;
    CHECK(source && back, "no memory for %zu bytes", size);
    if (!source || !back)
        shmem_global_exit(1);
    for (size_t i = 0; i < size; i++) {
        source[i] = (unsigned char)(pattern(me, i, salt) >> 16);
        bytes[i] = 0;
    }
    shmem_barrier_all();
    shmem_putmem(dest, source, size, right);
    shmem_barrier_all();
    size_t wrong = 0;
    for (size_t i = 0; i < size; i++)
        wrong += bytes[i] != (unsigned char)(pattern(left, i, salt) >> 16);
    CHECK(wrong == 0, "%s: %zu of %zu bytes put are wrong", what, wrong, size);
    shmem_getmem(back, dest, size, right);
    CHECK(memcmp(back, source, size) == 0, "%s: get differs from what was put", what);
    shmem_barrier_all();
    free(back);
    free(source);
}

static void ends(uint64_t *words, size_t n, unsigned salt)
{
    shmem_uint64_p(&words[0], pattern(me, 0, salt), right);
    shmem_uint64_p(&words[n - 1], pattern(me, 1, salt), right);
    shmem_barrier_all();
    CHECK(words[0] == pattern(left, 0, salt) && words[n - 1] == pattern(left, 1, salt), "ends of %zu words", n);
    CHECK(shmem_uint64_g(&words[n - 1], left) == pattern((left + n_pes - 1) % n_pes, 1, salt), "g of the last of %zu",
          n);
    shmem_barrier_all();
}

/* The other PEs see the owner's plain stores, which call no routine of the library. */
static void plain_stores(void)
{
    static uint64_t stored;
    for (uint64_t round = 1; round <= 50; round++) {
        stored = pattern(me, round, 9);
        shmem_barrier_all();
        for (int pe = 0; pe < n_pes; pe++)
            CHECK(shmem_uint64_g(&stored, pe) == pattern(pe, round, 9), "plain store of PE %d in round %d", pe,
                  (int)round);
        shmem_barrier_all();
    }
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    right = (me + 1) % n_pes;
    left = (me + n_pes - 1) % n_pes;
    check_kept();
    exchange(".data", in_data, sizeof in_data, 1);
    exchange("a global in .data", &global_in_data, sizeof global_in_data, 2);
    exchange(".bss", in_bss, sizeof in_bss, 3);
    exchange("a global in .bss", &global_in_bss, sizeof global_in_bss, 4);
    exchange("an aligned page", own_page, sizeof own_page, 5);
    exchange("an aligned line", own_line, sizeof own_line, 6);
    exchange("a static of a function", counter(), sizeof(uint64_t), 7);
    exchange("through a pointer to .data", pointer_to_data, 400, 8);
    exchange("through a pointer to .bss", pointer_to_bss, 400, 9);
    exchange("64 KiB of big .data", big_data + 4321, 65536, 10);
    exchange("64 KiB of big .bss", (char *)big_bss + 8 * BIG - 65536, 65536, 11);
    ends(big_bss, BIG, 12);
    ends((uint64_t *)(void *)own_page, 512, 13);
    plain_stores();
    for (int pe = 0; pe < n_pes; pe++) {
        CHECK(shmem_addr_accessible(in_data, pe) && shmem_addr_accessible(&big_bss[BIG - 1], pe), "statics on PE %d",
              pe);
        CHECK(!shmem_addr_accessible(&pe, pe), "the stack is symmetric");
    }
    shmem_finalize();
    CHECK(big_bss[BIG - 1] == pattern(left, 1, 12), "statics lost by shmem_finalize");
    return check_result();
}
