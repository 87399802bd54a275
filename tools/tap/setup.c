/* Setup and queries (9.1, 9.2), symmetric memory (9.3), shmem_pcontrol (10), and the names from before OpenSHMEM. */
#include "tap/wrap.h"

/* --- setup -------------------------------------------------------------------------------------------------------- */

#define BEGINS .kind = TAP_INIT, NO_PE
#define ASKS .kind = TAP_QUERY, NO_PE

/* Initialization and finalization are always reported, even inside a coarray statement. A program may initialize the
 * library several times. */
static unsigned enter_anyway(struct tap_call *call)
{
    const unsigned outer = tap_depth;
    tap_depth = 0;
    tap_enter(call);
    return outer;
}

static void leave_anyway(struct tap_call *call, unsigned outer)
{
    tap_leave(call);
    tap_depth = outer;
}

void shmem_init(void)
{
    struct tap_call call = {CALLED, BEGINS};
    const unsigned outer = enter_anyway(&call);
    pshmem_init();
    tap_groups_begin();
    leave_anyway(&call, outer);
}

int shmem_init_thread(int requested, int *provided)
{
    struct tap_call call = {CALLED, BEGINS};
    const unsigned outer = enter_anyway(&call);
    const int result = pshmem_init_thread(requested, provided);
    tap_groups_begin();
    leave_anyway(&call, outer);
    return result;
}

void start_pes(int npes)
{
    struct tap_call call = {CALLED, BEGINS};
    int initialized;
    (void)npes;
    pshmem_query_initialized(&initialized);
    if (initialized)
        return; /* it has no effect, and no shmem_finalize of its own */
    const unsigned outer = enter_anyway(&call);
    pshmem_init();
    tap_groups_begin();
    leave_anyway(&call, outer);
}

void shmem_finalize(void)
{
    struct tap_call call = {CALLED, .kind = TAP_FINALIZE, NO_PE};
    const unsigned outer = enter_anyway(&call);
    pshmem_finalize();
    leave_anyway(&call, outer);
}

_Noreturn void shmem_global_exit(int status)
{
    struct tap_call call = {CALLED, .kind = TAP_EXIT, NO_PE, .value = (uint64_t)status};
    enter_anyway(&call);
    pshmem_global_exit(status);
}

TAP(query_thread, (int *provided), (provided), ASKS)
TAP(query_initialized, (int *initialized), (initialized), ASKS)
TAP_RETURN(int, my_pe, (void), (), NOTHING, ASKS)
TAP_RETURN(int, n_pes, (void), (), NOTHING, ASKS)
TAP_RETURN(int, pe_accessible, (int pe), (pe), NOTHING, .kind = TAP_QUERY, .pe = pe)
TAP_RETURN(int, addr_accessible, (const void *addr, int pe), (addr, pe), NOTHING, .kind = TAP_QUERY, .pe = pe)
TAP(info_get_version, (int *major, int *minor), (major, minor), ASKS)
TAP(info_get_name, (char *name), (name), ASKS)

#define POINTED .kind = TAP_POINTER, .dest = (void *)dest
#define RESULT call.result = result
TAP_RETURN(void *, ptr, (const void *dest, int pe), (dest, pe), RESULT, POINTED, .pe = pe)
TAP_RETURN(void *, team_ptr, (shmem_team_t team, const void *dest, int pe), (team, dest, pe), RESULT, POINTED,
    .team = team, .pe = pe < tap_team(team).size ? tap_team(team).start + pe * tap_team(team).stride : -1)

/* Does not call the library's function, which does nothing. */
void shmem_pcontrol(int level, ...)
{
    struct tap_call call = {CALLED, .kind = TAP_CONTROL, NO_PE, .value = (uint64_t)level};
    tap_enter(&call);
    tap_leave(&call);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

#define ALLOCATES(SIZE) .kind = TAP_ALLOC, NO_PE, .bytes = SIZE, .count = 1
TAP_RETURN(void *, malloc, (size_t size), (size), RESULT, ALLOCATES(size))
TAP_RETURN(void *, malloc_with_hints, (size_t size, long hints), (size, hints), RESULT, ALLOCATES(size))
TAP_RETURN(void *, align, (size_t alignment, size_t size), (alignment, size), RESULT, ALLOCATES(size))
TAP_RETURN(void *, calloc, (size_t count, size_t size), (count, size), RESULT, .kind = TAP_ALLOC, NO_PE, .bytes = size,
    .count = count)
TAP_RETURN(void *, realloc, (void *ptr, size_t size), (ptr, size), RESULT, .kind = TAP_REALLOC, NO_PE, .dest = ptr,
    .bytes = size, .count = 1)
TAP(free, (void *ptr), (ptr), .kind = TAP_FREE, NO_PE, .dest = ptr)

/* --- names from before OpenSHMEM (9.1.13) ------------------------------------------------------------------------- */

/* The compiler makes these calls jumps, so the recorded caller is the program. */
int _my_pe(void)
{
    return shmem_my_pe();
}

int _num_pes(void)
{
    return shmem_n_pes();
}

void *shmalloc(size_t size)
{
    return shmem_malloc(size);
}

void shfree(void *ptr)
{
    shmem_free(ptr);
}

void *shrealloc(void *ptr, size_t size)
{
    return shmem_realloc(ptr, size);
}

void *shmemalign(size_t alignment, size_t size)
{
    return shmem_align(alignment, size);
}
