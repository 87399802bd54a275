/* OpenSHMEM 1.6, as Copal provides it.
 *
 * Handles, constants and types are here; each chapter of the specification's API (section 9) has its own header
 * with the prototypes, included below.  A number in brackets, as in (9.6.1.1), is a section of the specification.
 *
 * C11 programs also get the type-generic names (shmem_put(dest, source, nelems, pe) for any type): generic_c11.h.
 * C++ programs get them as overloads: generic_cxx.h.  Define COPAL_NO_GENERICS to have neither. */
#ifndef COPAL_SHMEM_H
#define COPAL_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#include "shmem/types.h"
#include "shmem/version.h"

/* Version (6) */
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Copal " COPAL_VERSION

/* Thread levels (9.2) */
#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

/* Hints for shmem_malloc_with_hints (9.3.5) */
#define SHMEM_MALLOC_ATOMICS_REMOTE 1L
#define SHMEM_MALLOC_SIGNAL_REMOTE 2L

/* Teams (9.4), contexts (9.5), sessions (9.9).  Handles are numbers with pointer types, so that the compiler
 * distinguishes teams, contexts and ints; no object lies at the address. */
typedef struct copal_team *shmem_team_t;
typedef struct copal_ctx *shmem_ctx_t;

#ifdef __cplusplus
#define COPAL_HANDLE(TYPE, N) (reinterpret_cast<TYPE>(static_cast<uintptr_t>(N)))
#else
#define COPAL_HANDLE(TYPE, N) ((TYPE)(N))
#endif
#define SHMEM_TEAM_INVALID COPAL_HANDLE(shmem_team_t, 0)
#define SHMEM_TEAM_WORLD COPAL_HANDLE(shmem_team_t, 1)
#define SHMEM_TEAM_SHARED COPAL_HANDLE(shmem_team_t, 2)
#define SHMEM_CTX_INVALID COPAL_HANDLE(shmem_ctx_t, 0)
#define SHMEM_CTX_DEFAULT COPAL_HANDLE(shmem_ctx_t, 1)

typedef struct {
    int num_contexts; /* contexts of the team at the same time; used if the mask has SHMEM_TEAM_NUM_CONTEXTS */
} shmem_team_config_t;
#define SHMEM_TEAM_NUM_CONTEXTS 1L

/* Promises about a context (9.5). These numbers, and those of signals, are those of Cray's and other
 * implementations: programs in other languages contain the numbers. */
#define SHMEM_CTX_PRIVATE 1L    /* only the thread that makes the context uses it */
#define SHMEM_CTX_SERIALIZED 2L /* threads take turns using the context */
#define SHMEM_CTX_NOSTORE 4L    /* fence and quiet need not order ordinary stores */

typedef struct {
    size_t total_ops; /* operations to expect in the session; used if the mask has SHMEM_CTX_SESSION_TOTAL_OPS */
} shmem_ctx_session_config_t;
#define SHMEM_CTX_SESSION_TOTAL_OPS 1L
#define SHMEM_CTX_SESSION_BATCH 1L /* an option: many small operations, none of which is urgent */

/* What a put with signal does to the signal (9.8) */
#define SHMEM_SIGNAL_SET 1
#define SHMEM_SIGNAL_ADD 2

/* Comparisons of wait and test (9.11) */
#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5

/* Work arrays of collectives on active sets, in longs; deprecated since 1.5 (9.10) */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 192
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

/* Old names of constants, deprecated since 1.3 */
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

/* The routines, one header per chapter: setup.h, memory.h, team.h, context.h, rma.h, amo.h, signal.h, collective.h,
 * sync.h, order.h, lock.h, profile.h, in the folder shmem/. */
#define COPAL_DECL(R, N, ARGS) R shmem_##N ARGS;
#include "shmem/chapters.h"
#undef COPAL_DECL

#ifdef __cplusplus
extern "C" {
#endif

/* start_pes, _my_pe, _num_pes, shmalloc, shfree, shrealloc, shmemalign: names from before OpenSHMEM (9.1.13).
 *
 * They do the same as shmem_init, shmem_my_pe, shmem_n_pes, shmem_malloc, shmem_free, shmem_realloc and shmem_align.  A
 * second call of start_pes has no effect.
 *
 * npes: ignored; oshrun(1) determines the number of PEs
 * size: number of bytes; the same on all PEs
 * ptr: symmetric; a block that one of these routines returned, the same on all PEs
 * alignment: a power of two and a multiple of sizeof(void *)
 *
 * On return: as after those routines.
 *
 * Returns: the same as those routines.
 *
 * Fortran: The cache routines of shmem.fh do nothing: caches are coherent.
 *
 * Classic: start_pes(npes); shmem_set_cache_inv, shmem_clear_cache_inv, shmem_udcflush(); shmem_set_cache_line_inv,
 * shmem_clear_cache_line_inv, shmem_udcflush_line(dest)
 *
 * Deprecated since 1.2. */
void start_pes(int npes);
int _my_pe(void);
int _num_pes(void);
void *shmalloc(size_t size);
void shfree(void *ptr);
void *shrealloc(void *ptr, size_t size);
void *shmemalign(size_t alignment, size_t size);

#ifdef __cplusplus
}
#endif

#ifndef COPAL_NO_GENERICS
#if defined(__cplusplus) && __cplusplus >= 201103L
extern "C++" { /* the program may include this within extern "C" */
#include "shmem/generic_cxx.h"
}
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include "shmem/generic_c11.h"
#endif
#endif

#endif
