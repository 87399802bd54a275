/* The second build of the coarray libraries reports the program's statements to a tool. It has the same objects as the
 * first build, but the linker's option --wrap inserts the functions of this file between the ABI layer and the core.
 * Calls by the core, of itself and of OpenSHMEM, are inside a statement and are not reported.
 *
 * For this build, the ABI layers are compiled with -finstrument-functions, which gives the place in the program. */
#include "tapped.h"

#include <shcoll.h>
#include <stdlib.h>

/* --- the place in the program ------------------------------------------------------------------------------------- */

static _Thread_local unsigned depth; /* nesting depth of the ABI layer's functions */
_Thread_local void *tapped_program;

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)function;
    if (depth++ == 0)
        tapped_program = caller;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)function, (void)caller;
    depth--;
}

/* Adds a team's images to a call; size is 0 if their PEs are not at equal distances. */
static struct tap_call of_team(struct tap_call call, const struct caf_team *team)
{
    const int n = caf_num_images(team);
    uint64_t hash = (uint64_t)n;
    call.size = n;
    call.start = caf_pe(team, 1);
    call.stride = n > 1 ? caf_pe(team, 2) - call.start : 1;
    for (int i = 0; i < n; i++) {
        const int pe = caf_pe(team, i + 1);
        hash = (hash ^ (uint64_t)pe) * 0x100000001b3u;
        if (pe != call.start + i * call.stride)
            call.size = 0;
    }
    call.team = (shmem_team_t)(uintptr_t)hash;
    return call;
}

/* --- start and end, whose calls shmem_init, shmem_finalize, shmem_global_exit are reported ------------------------ */

REAL(void, caf_init, (void))
{
    struct tap_call call = QUIETLY;
    enter(&call);
    __real_caf_init();
    if (copal_tap_algorithm)
        shcoll_tell(copal_tap_algorithm);
    call.result = (void *)caf_reach.heap;
    leave(&call, 0);
}

REAL(void, caf_finalize, (void))
{
    struct tap_call call = QUIETLY;
    enter(&call);
    __real_caf_finalize();
    leave(&call, 0);
}

REAL(_Noreturn void, caf_stop, (int code))
{
    struct tap_call call = QUIETLY;
    enter(&call);
    __real_caf_stop(code);
}

REAL(_Noreturn void, caf_error_stop, (int code))
{
    struct tap_call call = QUIETLY;
    enter(&call);
    __real_caf_error_stop(code);
}

/* --- access to other images' data --------------------------------------------------------------------------------- */

struct tapped_blocks tapped_blocks(const struct caf_section *s)
{
    struct tapped_blocks b = {s->size, 1, (ptrdiff_t)s->size};
    bool regular = true;
    for (int i = 0; i < s->rank; i++) {
        const struct caf_dim *d = &s->dim[i];
        if (d->count == 1 && !d->vector)
            continue;
        if (regular && !d->vector && b.count == 1 && d->step == (ptrdiff_t)b.bytes) {
            b.bytes *= d->count;
            b.step = (ptrdiff_t)b.bytes;
        } else if (regular && !d->vector && b.count == 1) {
            b.count = d->count;
            b.step = d->step;
        } else if (regular && !d->vector && d->step == (ptrdiff_t)b.count * b.step) {
            b.count *= d->count;
        } else {
            regular = false;
            b.count *= d->count;
        }
    }
    if (!regular)
        b.step = 0;
    return b;
}

/* The step between blocks of this number of bytes; 0: they are not at equal distances. */
static ptrdiff_t step_of(const struct tapped_blocks *b, size_t bytes)
{
    return b->count == 1 ? (ptrdiff_t)bytes : b->bytes == bytes ? b->step : 0;
}

/* The offset of each block of a section from its base, if the blocks are not at equal distances; else NULL. The caller
 * frees it. */
static const ptrdiff_t *places_of(const struct caf_section *s, size_t bytes, size_t count, ptrdiff_t step)
{
    ptrdiff_t *places = step || count < 2 || !&copal_tap_each_block ? NULL : malloc(count * sizeof *places);
    for (size_t i = 0; places && i < count; i++) {
        size_t element = i * (bytes / s->size);
        places[i] = 0;
        for (int dim = 0; dim < s->rank; element /= s->dim[dim++].count) {
            const size_t index = element % s->dim[dim].count;
            const ptrdiff_t *vector = s->dim[dim].vector;
            places[i] += (vector ? vector[index] : (ptrdiff_t)index) * s->dim[dim].step;
        }
    }
    return places;
}

static int leave_places(struct tap_call *call, int status)
{
    leave(call, status);
    free((void *)(uintptr_t)call->dest_at);
    free((void *)(uintptr_t)call->source_at);
    return status;
}

static struct {
    const void *at;
    int pe;
} places[2];

void tapped_come_to(const void *at, int pe)
{
    places[1] = places[0];
    places[0].at = at;
    places[0].pe = pe;
}

static int owner_of(int pe, const struct caf_section *s)
{
    for (int i = 0; i < 2; i++)
        if (pe == caf_my_pe && places[i].at == s->base)
            return places[i].pe;
    return pe;
}

/* An access has the length of the side that is not a scalar, in blocks that fit both sides. */
static struct tap_call access_of(const char *name, enum tap_kind kind, int pe, const struct caf_section *to,
                                 const struct caf_section *from)
{
    const struct tapped_blocks t = tapped_blocks(to), f = tapped_blocks(from);
    const size_t all = t.bytes * t.count;
    const bool alike = all && to->size == from->size && all == f.bytes * f.count;
    size_t bytes = t.bytes;
    if (alike && t.bytes % f.bytes == 0)
        bytes = f.bytes;
    else if (alike && f.bytes % t.bytes != 0)
        bytes = to->size;
    struct tap_call call = {STATEMENT(name), FLAGS(0), .kind = kind, .pe = pe, .dest = to->base, .source = from->base,
                            .bytes = bytes, .count = bytes ? all / bytes : 0, .dest_step = step_of(&t, bytes),
                            .source_step = alike ? step_of(&f, bytes) : 0, .ctx = SHMEM_CTX_DEFAULT};
    call.dest_at = places_of(to, bytes, call.count, call.dest_step);
    call.source_at = alike ? places_of(from, bytes, call.count, call.source_step) : NULL;
    return call;
}

REAL(void, caf_put, (int pe, const struct caf_section *to, const struct caf_section *from))
{
    struct tap_call call = access_of("put", TAP_PUT, owner_of(pe, to), to, from);
    enter(&call);
    __real_caf_put(pe, to, from);
    leave_places(&call, 0);
}

REAL(bool, caf_get, (int pe, const struct caf_section *to, const struct caf_section *from))
{
    struct tap_call call = access_of("get", TAP_GET, owner_of(pe, from), to, from);
    enter(&call);
    return leave_places(&call, __real_caf_get(pe, to, from));
}

/* a[i] = b[j]: a get and a put, which access no memory of this image; the get is reported without its time. */
REAL(void, caf_put_get, (int to_pe, const struct caf_section *to, int from_pe, const struct caf_section *from))
{
    struct tap_call get = access_of("get", TAP_GET, owner_of(from_pe, from), to, from);
    get.dest = NULL;
    enter(&get);
    leave_places(&get, 0);
    struct tap_call call = access_of("put", TAP_PUT, owner_of(to_pe, to), to, from);
    call.source = NULL;
    enter(&call);
    __real_caf_put_get(to_pe, to, from_pe, from);
    leave_places(&call, 0);
}

#define BYTES .bytes = bytes, .count = 1, .dest_step = (ptrdiff_t)bytes, .source_step = (ptrdiff_t)bytes, \
    .ctx = SHMEM_CTX_DEFAULT

REAL(void, caf_put_bytes, (int pe, void *sym, const void *from, size_t bytes))
{
    struct tap_call call = {STATEMENT("put"), FLAGS(0), .kind = TAP_PUT, .pe = pe, .dest = sym, .source = from, BYTES};
    enter(&call);
    __real_caf_put_bytes(pe, sym, from, bytes);
    leave(&call, 0);
}

REAL(bool, caf_get_bytes, (int pe, void *to, const void *sym, size_t bytes))
{
    struct tap_call call = {STATEMENT("get"), FLAGS(0), .kind = TAP_GET, .pe = pe, .dest = to, .source = sym, BYTES};
    enter(&call);
    return leave(&call, __real_caf_get_bytes(pe, to, sym, bytes));
}

/* --- atomics, events, locks --------------------------------------------------------------------------------------- */

/* COPAL_TAPPED disables the inline path. */
#define ATOMIC(NAME, FLAG) (struct tap_call){STATEMENT(NAME), FLAGS(FLAG), .kind = TAP_ATOMIC, .pe = pe, \
    .dest = (void *)atom, .bytes = (size_t)bytes, .count = 1, .ctx = SHMEM_CTX_DEFAULT}

static const char *const operations[] = {"", "atomic_add", "atomic_and", "atomic_or", "atomic_xor"};
REAL_STATUS(caf_atomic_define_slowly, (int pe, void *atom, int bytes, const void *value), (pe, atom, bytes, value),
            ATOMIC("atomic_define", TAP_WRITES))
REAL_STATUS(caf_atomic_ref_slowly, (int pe, const void *atom, int bytes, void *value), (pe, atom, bytes, value),
            ATOMIC("atomic_ref", TAP_READS))
REAL_STATUS(caf_atomic_op_slowly,
            (int pe, void *atom, int bytes, enum caf_atomic_op op, const void *value, void *old),
            (pe, atom, bytes, op, value, old), ATOMIC(operations[op], TAP_WRITES | (old ? TAP_READS : 0)))
REAL_STATUS(caf_atomic_cas, (int pe, void *atom, int bytes, const void *compare, const void *new_value, void *old),
            (pe, atom, bytes, compare, new_value, old), ATOMIC("atomic_cas", TAP_WRITES | TAP_READS))

#define POST (struct tap_call){STATEMENT("event post"), FLAGS(0), .kind = TAP_SIGNAL, .pe = pe, .signal = event, \
    .value = 1, .operation = SHMEM_SIGNAL_ADD}
#define EVENT(NAME, KIND, VALUE) (struct tap_call){STATEMENT(NAME), FLAGS(0), .kind = KIND, NO_PE, .source = event, \
    .bytes = CAF_EVENT_BYTES, .count = 1, .source_step = CAF_EVENT_BYTES, .operation = SHMEM_CMP_GE, .value = VALUE}
REAL_STATUS(caf_event_post, (int pe, void *event), (pe, event), POST)
REAL_STATUS(caf_event_wait, (void *event, int64_t until_count), (event, until_count),
            EVENT("event wait", TAP_WAIT, (uint64_t)until_count))
REAL_STATUS(caf_event_query, (int pe, const void *event, int64_t *count), (pe, event, count),
            EVENT("event_query", TAP_TEST, 0))

#define LOCK(NAME, KIND) (struct tap_call){STATEMENT(NAME), FLAGS(0), .kind = KIND, .pe = pe, .dest = lock, \
    .bytes = CAF_LOCK_BYTES, .count = 1}

REAL(int, caf_lock, (int pe, void *lock, bool *acquired))
{
    struct tap_call call = LOCK(caf_is_critical(lock) ? "critical" : "lock", acquired ? TAP_TEST_LOCK : TAP_LOCK);
    enter(&call);
    const int status = __real_caf_lock(pe, lock, acquired);
    return leave(&call, acquired ? !*acquired : status), status;
}

REAL_STATUS(caf_unlock, (int pe, void *lock), (pe, lock),
            LOCK(caf_is_critical(lock) ? "end critical" : "unlock", TAP_UNLOCK))

/* --- synchronization, teams --------------------------------------------------------------------------------------- */

#define ALL(NAME, KIND, TEAM) of_team((struct tap_call){STATEMENT(NAME), FLAGS(0), .kind = KIND, NO_PE}, TEAM)
REAL_STATUS(caf_sync_all, (void), (), ALL("sync all", TAP_BARRIER, caf_current))
REAL_STATUS(caf_sync_allocated, (void), (), ALL("allocate", TAP_BARRIER, caf_current))
REAL_STATUS(caf_sync_team, (struct caf_team *team), (team), ALL("sync team", TAP_BARRIER, team))
REAL_STATUS(caf_form_team, (int64_t number, const int *new_index, caf_team_name *variable),
            (number, new_index, variable), ALL("form team", TAP_TEAM_SPLIT, caf_current))
REAL_STATUS(caf_change_team, (struct caf_team *team), (team), ALL("change team", TAP_BARRIER, team))
REAL_STATUS(caf_end_team, (void), (), ALL("end team", TAP_BARRIER, caf_current))

#define MEMORY (struct tap_call){STATEMENT("sync memory"), FLAGS(0), .kind = TAP_QUIET, NO_PE, .ctx = SHMEM_CTX_DEFAULT}
REAL_STATUS(caf_sync_memory, (void), (), MEMORY)

/* n < 0: with all images of the current team. */
REAL(int, caf_sync_images, (int n, const int *images))
{
    const int count = n < 0 ? caf_images.n : n;
    int *pes = malloc((size_t)count * sizeof *pes);
    for (int i = 0; pes && i < count; i++)
        pes[i] = caf_pe(caf_current, n < 0 ? i + 1 : images[i]);
    struct tap_call call = {STATEMENT("sync images"), FLAGS(0), .kind = TAP_SYNC_IMAGES, NO_PE, .pes = pes,
                            .count = pes ? (size_t)count : 0};
    enter(&call);
    const int status = leave(&call, __real_caf_sync_images(n, images));
    free(pes);
    return status;
}

/* --- collective subroutines --------------------------------------------------------------------------------------- */

static struct tap_call collective(const char *name, enum tap_kind kind, const struct caf_section *a, int root)
{
    const struct tapped_blocks b = tapped_blocks(a);
    struct tap_call call = ALL(name, kind, caf_current);
    call.root = root > 0 ? root - 1 : 0;
    call.dest = a->base;
    call.source = a->base;
    call.bytes = b.bytes;
    call.count = b.count;
    call.dest_step = call.source_step = b.step;
    call.dest_at = places_of(a, b.bytes, b.count, b.step);
    return call;
}

REAL(int, caf_co_broadcast, (const struct caf_section *a, int source_image))
{
    struct tap_call call = collective("co_broadcast", TAP_BROADCAST, a, source_image);
    enter(&call);
    return leave_places(&call, __real_caf_co_broadcast(a, source_image));
}

REAL(int, caf_co_reduce_intrinsic, (enum caf_reduction op, const struct caf_section *a, int result_image))
{
    static const char *const names[] = {"co_sum", "co_min", "co_max"};
    struct tap_call call = collective(names[op], TAP_REDUCE, a, result_image);
    enter(&call);
    return leave_places(&call, __real_caf_co_reduce_intrinsic(op, a, result_image));
}

REAL(int, caf_co_reduce, (const struct caf_section *a, caf_combine *f, void *context, int result_image))
{
    struct tap_call call = collective("co_reduce", TAP_REDUCE, a, result_image);
    enter(&call);
    return leave_places(&call, __real_caf_co_reduce(a, f, context, result_image));
}

/* --- coarrays ----------------------------------------------------------------------------------------------------- */

#define ALLOCATES(FLAG) of_team((struct tap_call){STATEMENT("allocate"), FLAGS(FLAG), .kind = TAP_ALLOC, NO_PE, \
    .bytes = bytes, .count = 1}, caf_current)

REAL(int, caf_allocate, (size_t bytes, bool zeroed, struct caf_coarray **coarray))
{
    struct tap_call call = ALLOCATES(0);
    enter(&call);
    const int status = __real_caf_allocate(bytes, zeroed, coarray);
    call.result = status == CAF_OK ? (*coarray)->base : NULL;
    return leave(&call, status);
}

REAL(struct caf_coarray *, caf_allocate_ahead, (size_t bytes, bool zeroed))
{
    struct tap_call call = ALLOCATES(0);
    enter(&call);
    struct caf_coarray *coarray = __real_caf_allocate_ahead(bytes, zeroed);
    call.result = coarray->base;
    leave(&call, 0);
    return coarray;
}

/* Called before the main program begins. The library may have to begin first; this is not part of the statement. */
REAL(struct caf_coarray *, caf_allocate_static, (size_t bytes))
{
    caf_init();
    struct tap_call call = ALLOCATES(TAP_STATIC);
    enter(&call);
    struct caf_coarray *coarray = __real_caf_allocate_static(bytes);
    call.result = coarray->base;
    leave(&call, 0);
    return coarray;
}

#define FREES of_team((struct tap_call){STATEMENT("deallocate"), FLAGS(0), .kind = TAP_FREE, NO_PE, \
    .dest = caf_is_coarray(coarray) ? coarray->base : NULL}, caf_current)
REAL_STATUS(caf_deallocate, (struct caf_coarray *coarray), (coarray), FREES)
