/* Declares all routines of the API by COPAL_DECL(R, N, ARGS), which the including file defines: R is the return type, N
 * the name without shmem_, ARGS the arguments in parentheses.  In shmem.h it declares R shmem_N ARGS, in pshmem.h
 * R pshmem_N ARGS.  types.h says why warnings of old standards are disabled. */
#if defined(__cplusplus) ? __cplusplus < 201103L : !defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L
#pragma GCC system_header
#endif

/* For all routines, unless a chapter or a routine says otherwise:
 *
 * ctx: the context of the operation; forms without it use SHMEM_CTX_DEFAULT
 * pe: a PE, by its number in the context's team; without ctx, in the job
 * team: a team that the calling PE is in, such as SHMEM_TEAM_WORLD, all PEs
 *
 * Errors: An argument that is not allowed ends the job: a sentence on standard error names PE, routine, argument,
 * value and what is allowed, and oshrun(1) exits with 1.  Calls before shmem_init or after shmem_finalize end the job,
 * too. */

/* Declares a routine twice: as N, and as ctx_N, which takes the context first. */
#define COPAL_DECL_CTX(R, N, ...) COPAL_DECL(R, N, (__VA_ARGS__)) COPAL_DECL(R, ctx_##N, (shmem_ctx_t ctx, __VA_ARGS__))

#if defined(__cplusplus) && __cplusplus >= 201103L
#define COPAL_NORETURN [[noreturn]]
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define COPAL_NORETURN _Noreturn
#else
#define COPAL_NORETURN __attribute__((__noreturn__))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#include "setup.h"
#include "memory.h"
#include "team.h"
#include "context.h"
#include "rma.h"
#include "amo.h"
#include "signal.h"
#include "collective.h"
#include "sync.h"
#include "order.h"
#include "lock.h"
#include "profile.h"

#ifdef __cplusplus
}
#endif

#undef COPAL_DECL_CTX
#undef COPAL_NORETURN
