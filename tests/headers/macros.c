/* A program may have macros whose names are parts of routines' names, such as short names of integers. */
#ifdef __cplusplus
#include <complex>
#endif
#include <stdint.h>
#include <sys/uio.h>

#define uint unsigned int
#define ulong unsigned long
#define ushort unsigned short
#define uchar unsigned char
#define schar signed char
#define longlong long long
#define ulonglong unsigned long long
#define longdouble long double
#define int8 int8_t
#define int16 int16_t
#define int32 int32_t
#define int64 int64_t
#define uint8 uint8_t
#define uint16 uint16_t
#define uint32 uint32_t
#define uint64 uint64_t
#define ptrdiff ptrdiff_t

#include <pshmem.h>
#include <shmem.h>
#include <shmemx.h>

void (*put_bytes)(uchar *, const uchar *, size_t, int) = shmem_uchar_put;
void (*put_more)(int32 *, const int32 *, size_t, int) = pshmem_int32_put;
uint (*fetch_bits)(shmem_ctx_t, uint *, uint, int) = shmem_ctx_uint_atomic_fetch_or;
int (*and_all)(shmem_team_t, ushort *, const ushort *, size_t) = shmem_ushort_and_reduce;
int (*scan)(shmem_team_t, ulong *, const ulong *, size_t) = shmem_ulong_sum_inscan;
void (*wait_for)(int64 *, int, int64) = shmem_int64_wait_until;
short (*old)(const short *, int) = shmem_short_g;

#if defined(__cplusplus) ? __cplusplus >= 201103L : __STDC_VERSION__ >= 201112L
void put_both(uint *u, schar *c);
void put_both(uint *u, schar *c)
{
    shmem_put(u, u + 1, 1, 0);
    shmem_put(c, c + 1, 1, 0);
}
#endif
