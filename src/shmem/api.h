/* For all chapters of the API: definitions of functions, teams and contexts, checks of arguments.
 *
 * A typed function is one line, which calls an ordinary function of (bytes, type, operation). API_CTX also defines the
 * form with a context; API_NBI defines the nonblocking forms. A comment before each family lists the names for one type
 * or size, so that a search for shmem_int_put finds the definition (tests/tools/test_names.py).
 *
 * shmem_ names are weak, and the library is linked with -Bsymbolic-functions: a profiling tool that defines some of
 * them intercepts the user's calls, but not the library's own calls. */
#pragma once

#define COPAL_NO_GENERICS
#pragma GCC visibility push(default)
#include <pshmem.h>
#include <shmemx.h>
#pragma GCC visibility pop

#include "net/net.h"
#include "node/node.h"
#include <shcoll.h>

/* Defines pshmem_N and its weak alias shmem_N, which a profiling tool replaces. */
#define API(R, N, A) R shmem_##N A __attribute__((weak, alias("pshmem_" #N))); R pshmem_##N A

/* The name that the user called: "shmem_int_put" in pshmem_int_put, "shmemx_in_order" in shmemx_in_order. */
#define ROUTINE (__func__ + (*__func__ == 'p'))

/* --- the state of the library (api.c, info.c) --------------------------------------------------------------------- */

extern int thread_level; /* SHMEM_THREAD_... */

/* Prints what SHMEM_VERSION, SHMEM_INFO and SHMEM_DEBUG request. */
void info_tell(void);

/* --- teams (team.c) ----------------------------------------------------------------------------------------------- */

/* A team's PEs are start, start + stride, ... in the world; splits keep this form. A handle combines the position in
 * the table with the number of its uses: a destroyed team's handle differs from the next team's. */
struct team {
    shmem_team_t handle; /* SHMEM_TEAM_INVALID: not in use */
    uint32_t uses;
    unsigned contexts; /* the team's contexts that are not destroyed (context.c) */
    shmem_team_config_t config;
    struct shcoll_group group;
};
enum { TEAMS = 4096 };
extern struct team teams[TEAMS]; /* 0 is SHMEM_TEAM_INVALID, 1 the world, 2 the PEs of the node, which share memory */

struct team *team_find(shmem_team_t handle, const char *routine); /* ends the job if there is no such team */
void teams_begin(void);
void teams_publish_settings(void); /* by PE 0, before a barrier */
void teams_read_settings(void);
uint64_t teams_least(uint64_t value); /* the minimum over all PEs */
size_t teams_work_bytes(void); /* bytes of symmetric memory for the teams' work areas */

/* The member's number in the world; ends the job if the team has no such member. */
int team_pe(const struct team *team, int pe, const char *routine);

/* --- functions that other PEs call (call.c) ----------------------------------------------------------------------- */

void calls_begin(void);

/* --- contexts (context.c) ----------------------------------------------------------------------------------------- */

struct context {
    shmem_ctx_t handle; /* SHMEM_CTX_INVALID: not in use */
    uint32_t uses;
    int start, stride, size;
    shmem_team_t team;
    struct net_context *net; /* NULL in a job of one node */
};
enum { CONTEXTS = 1 << 16 };
extern struct context contexts[CONTEXTS];

void contexts_begin(void);
void contexts_end_of_team(const struct team *team, const char *routine);
_Noreturn void context_failed(shmem_ctx_t ctx, int pe, const char *routine) __attribute__((cold));

INLINE struct context *context_find(shmem_ctx_t ctx, const char *routine)
{
    struct context *c = &contexts[(uintptr_t)ctx % CONTEXTS];
    if (UNLIKELY(c->handle != ctx || !ctx))
        context_failed(ctx, 0, routine);
    return c;
}

/* The number in the world of the context's PE pe. */
INLINE int context_pe(shmem_ctx_t ctx, int pe, const char *routine)
{
    const struct context *c = context_find(ctx, routine);
    if (UNLIKELY((unsigned)pe >= (unsigned)c->size))
        context_failed(ctx, pe, routine);
    return c->start + pe * c->stride;
}

/* The context and the kind of an operation. The kind is when the operation is complete: on return, or later. */
typedef uintptr_t via;
#define VIA_NBI ((via)1 << 63)
#define VIA_DELAYED ((via)1 << 62) /* NET_DELAYED */
#define VIA_DEFAULT ((via)SHMEM_CTX_DEFAULT)

/* The forms of an operation on PE pe. In the body, pe is the PE's number in the world; how is the context and the kind.
 * API_PE defines shmem_N; API_CTX defines shmem_N and shmem_ctx_N; API_NBI defines both with the suffix _nbi. */
#define LIST(...) __VA_ARGS__
#define API_PE(R, N, A, ...) API(R, N, A) { const via how = VIA_DEFAULT; __VA_ARGS__; }
#define API_CTX(R, N, A, ...) API_PE(R, N, A, __VA_ARGS__) API(R, ctx_##N, (shmem_ctx_t ctx, LIST A)) \
    { const via how = (via)ctx; pe = context_pe(ctx, pe, ROUTINE); __VA_ARGS__; }
#define API_NBI(R, N, A, ...) API(R, N##_nbi, A) { const via how = VIA_DEFAULT | VIA_NBI; __VA_ARGS__; } \
    API(R, ctx_##N##_nbi, (shmem_ctx_t ctx, LIST A)) \
    { const via how = (via)ctx | VIA_NBI; pe = context_pe(ctx, pe, ROUTINE); __VA_ARGS__; }

/* Puts issued inside a collective are not tracked by the user's quiet or by the next barrier; the receiver detects them
 * within the same collective. */
INLINE struct net_context *net_of(via how)
{
    /* MUTANT collectives have their own context: return contexts[how % CONTEXTS].net; */
    return outer_routine ? net_library : contexts[how % CONTEXTS].net;
}
INLINE enum net_mode mode_of(via how)
{
    return how & VIA_NBI ? NET_NBI : UNLIKELY(how & VIA_DELAYED) ? NET_DELAYED : NET_BLOCKING;
}

/* --- checks ------------------------------------------------------------------------------------------------------- */

INLINE void check_initialized(const char *routine)
{
    if (UNLIKELY(node.n_pes == 0))
        node_not_initialized(routine);
}

/* Source and destination of a copy must not overlap (9.6). */
void check_overlap(const void *to, size_t to_bytes, const void *from, size_t from_bytes, const char *routine);

INLINE void check_pe(int pe, const char *routine)
{
    if (UNLIKELY((unsigned)pe >= (unsigned)node.n_pes))
        reach_failed("pe", NULL, 0, pe, routine);
}

INLINE size_t bytes_of(size_t n, size_t size, const char *routine)
{
    size_t bytes;
    if (UNLIKELY(__builtin_mul_overflow(n, size, &bytes)))
        job_fatal(routine, "argument nelems is %zu, allowed are at most %zu elements of %zu bytes", n, SIZE_MAX / size,
                  size);
    return bytes;
}

/* --- ordering, for several chapters ------------------------------------------------------------------------------- */

/* Within a node, a store is complete when it is visible, so a processor's fence both orders and completes stores. */
INLINE void fence_here(void)
{
    atomic_thread_fence(memory_order_acq_rel); /* MUTANT processor's fence */
}

INLINE void quiet_here(void)
{
#if defined(__x86_64__)
    /* Any locked instruction is a full fence on x86-64. The compiler would lock the word at the stack pointer, which is
     * the return address, and the return would wait for it. */
    _Atomic int word = 0; /* MUTANT processor's quiet */
    atomic_exchange(&word, 1); /* MUTANT processor's quiet */
#else
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

/* Waits for pending copies of the helper thread. how: one context, 0: all contexts; pe: the target PE, -1: all PEs.
 * A fence orders only puts. */
enum copies { PUTS, PUTS_AND_GETS };
void wait_for_copies(via how, int pe, enum copies which) __attribute__((cold));
INLINE bool copies_left(void)
{
    return UNLIKELY(atomic_load_explicit(&node.copies, memory_order_acquire) != 0);
}

INLINE void fence(via how)
{
    if (copies_left())
        wait_for_copies(how, -1, PUTS); /* MUTANT fence waits for copies */
    fence_here();
    if (UNLIKELY(net.active))
        net_fence(net_of(how)); /* MUTANT fence is the network's too */
}

INLINE void quiet(via how)
{
    if (copies_left())
        wait_for_copies(how, -1, PUTS_AND_GETS); /* MUTANT quiet waits for copies */
    quiet_here();
    if (UNLIKELY(net.active))
        net_quiet(net_of(how)); /* MUTANT quiet is the network's too */
}

/* The quiet of a barrier over the world. Only another thread can see the difference between a quiet and a fence here,
 * because the sync's signals order all earlier operations for all PEs. */
INLINE void quiet_before_sync(void)
{
    if (copies_left())
        wait_for_copies(0, -1, PUTS_AND_GETS); /* MUTANT barrier waits for copies */
    if (UNLIKELY(thread_level == SHMEM_THREAD_MULTIPLE))
        quiet_here(); /* MUTANT processor's quiet of a barrier: fence_here(); */
    else
        fence_here();
    if (UNLIKELY(net.active))
        net_quiet_all(); /* MUTANT barrier completes */
}

void barrier_all(const char *routine);
