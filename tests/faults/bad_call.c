/* Wrong calls that bad_access.c's table does not fit: memory, handles, collectives, other arguments.
 *
 *     bad_call --list     prints the names of the cases
 *     bad_call CASE       makes the mistake */
#include "bad.h"

#include <shmemx.h>

/* ---- memory ---- */

static void free_interior(void)
{
    char *p = shmem_malloc(1000);
    expect("shmem_free", "ptr", "%p", (void *)(p + 64));
    shmem_free(p + 64);
}

static void free_twice(void)
{
    char *p = shmem_malloc(1000);
    shmem_free(p);
    expect("shmem_free", "ptr", "%p", (void *)p);
    shmem_free(p);
}

static void free_stack(void)
{
    long x;
    expect("shmem_free", "ptr", "%p", (void *)&x);
    shmem_free(&x);
}

static void free_static(void)
{
    expect("shmem_free", "ptr", "%p", (void *)dest);
    shmem_free(dest);
}

static void realloc_freed(void)
{
    char *p = shmem_malloc(1000);
    shmem_free(p);
    expect("shmem_realloc", "ptr", "%p", (void *)p);
    shmem_realloc(p, 2000);
}

static void realloc_interior(void)
{
    char *p = shmem_malloc(1000);
    expect("shmem_realloc", "ptr", "%p", (void *)(p + 8));
    shmem_realloc(p + 8, 2000);
}

static void malloc_sizes(void)
{
    expect("shmem_malloc", "size", "-");
    shmem_malloc(1000 + (size_t)me);
}

static void malloc_one_zero(void)
{
    expect("shmem_malloc", "size", "-");
    shmem_malloc(me ? 1000 : 5000);
}

static void calloc_sizes(void)
{
    expect("shmem_calloc", "size|count", "-");
    shmem_calloc(10 + (size_t)me, 8);
}

static void align_sizes(void)
{
    expect("shmem_align", "size", "-");
    shmem_align(64, 1000 + (size_t)me);
}

static void realloc_sizes(void)
{
    char *p = shmem_malloc(100);
    expect("shmem_realloc", "size", "-");
    shmem_realloc(p, 1000 + (size_t)me);
}

static void align_zero(void)
{
    expect("shmem_align", "alignment", "0");
    shmem_align(0, 100);
}

/* ---- handles ---- */

static void team_invalid_sync(void)
{
    expect("shmem_team_sync", "team", "-");
    shmem_team_sync(SHMEM_TEAM_INVALID);
}

static void team_invalid_reduce(void)
{
    expect("shmem_long_sum_reduce", "team", "-");
    shmem_long_sum_reduce(SHMEM_TEAM_INVALID, dest, source, 1);
}

static void team_invalid_broadcast(void)
{
    expect("shmem_long_broadcast", "team", "-");
    shmem_long_broadcast(SHMEM_TEAM_INVALID, dest, source, 1, 0);
}

static void team_garbage(void)
{
    expect("shmem_team_sync", "team", "-");
    shmem_team_sync((shmem_team_t)&dest);
}

static shmem_team_t destroyed(void)
{
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n_pes, NULL, 0, &team);
    shmem_team_destroy(team);
    return team;
}

static void team_destroyed_sync(void)
{
    shmem_team_t team = destroyed();
    expect("shmem_team_sync", "team", "-");
    shmem_team_sync(team);
}

static void team_destroyed_fcollect(void)
{
    shmem_team_t team = destroyed();
    expect("shmem_long_fcollect", "team", "-");
    shmem_long_fcollect(team, more, source, 1);
}

static void team_destroyed_twice(void)
{
    shmem_team_t team = destroyed();
    expect("shmem_team_destroy", "team", "-");
    shmem_team_destroy(team);
}

static void team_destroyed_replaced(void)
{
    shmem_team_t old = destroyed(), team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n_pes, NULL, 0, &team);
    expect("shmem_team_sync", "team", "-");
    shmem_team_sync(old); /* the slot may be in use again, the handle is not the same */
}

static void team_destroy_world(void)
{
    expect("shmem_team_destroy", "team", "-");
    shmem_team_destroy(SHMEM_TEAM_WORLD);
}

static void ctx_invalid_put(void)
{
    expect("shmem_ctx_long_put", "ctx", "-");
    shmem_ctx_long_put(SHMEM_CTX_INVALID, dest, source, 1, 0);
}

static void ctx_garbage_add(void)
{
    expect("shmem_ctx_long_atomic_add", "ctx", "-");
    shmem_ctx_long_atomic_add((shmem_ctx_t)&dest, dest, 1, 0);
}

static shmem_ctx_t destroyed_ctx(void)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(98);
    shmem_ctx_destroy(ctx);
    return ctx;
}

static void ctx_destroyed_put(void)
{
    shmem_ctx_t ctx = destroyed_ctx();
    expect("shmem_ctx_long_put", "ctx", "-");
    shmem_ctx_long_put(ctx, dest, source, 1, 0);
}

static void ctx_destroyed_quiet(void)
{
    shmem_ctx_t ctx = destroyed_ctx();
    expect("shmem_ctx_quiet", "ctx", "-");
    shmem_ctx_quiet(ctx);
}

static void ctx_destroyed_replaced(void)
{
    shmem_ctx_t old = destroyed_ctx(), ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(98);
    expect("shmem_ctx_long_p", "ctx", "-");
    shmem_ctx_long_p(old, dest, 1, 0);
}

static void ctx_destroy_default(void)
{
    expect("shmem_ctx_destroy", "ctx", "-");
    shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
}

static void ctx_of_destroyed_team(void)
{
    shmem_team_t team;
    shmem_ctx_t ctx;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n_pes, NULL, 0, &team);
    if (shmem_team_create_ctx(team, 0, &ctx) != 0)
        exit(98);
    shmem_team_destroy(team);
    expect("shmem_ctx_long_put", "ctx", "-");
    shmem_ctx_long_put(ctx, dest, source, 1, 0);
}

/* ---- collectives ---- */

static void broadcast_root(void)
{
    expect("shmem_long_broadcast", "PE_root", "%d", n_pes);
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 1, n_pes);
}

static void broadcast_root_negative(void)
{
    expect("shmem_broadcastmem", "PE_root", "-1");
    shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, 8, -1);
}

static void broadcast_dest_stack(void)
{
    long x[4];
    expect("shmem_long_broadcast", "dest", "%p", (void *)x);
    shmem_long_broadcast(SHMEM_TEAM_WORLD, x, source, 4, 0);
}

static void reduce_source_stack(void)
{
    long x[4] = {0};
    expect("shmem_long_sum_reduce", "source", "%p", (void *)x);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, x, 4);
}

static void fcollect_dest_null(void)
{
    expect("shmem_long_fcollect", "dest", "null");
    shmem_long_fcollect(SHMEM_TEAM_WORLD, NULL, source, 4);
}

/* Long enough for one PE's part, not for all of them. */
static void fcollect_runs_off(void)
{
    long *p = shmem_malloc(100 * sizeof *p);
    expect("shmem_long_fcollect", "dest", "%p", (void *)p);
    shmem_long_fcollect(SHMEM_TEAM_WORLD, p, source, 100);
}

/* The same, with lengths that only the PEs together know. */
static void collect_runs_off(void)
{
    long *p = shmem_malloc(100 * sizeof *p);
    expect("shmem_long_collect", "dest", "-");
    shmem_long_collect(SHMEM_TEAM_WORLD, p, source, 50 + (size_t)me);
}

static void fcollect_overflow(void)
{
    expect("shmem_long_fcollect", "nelems|dest", "-");
    shmem_long_fcollect(SHMEM_TEAM_WORLD, more, source, SIZE_MAX / sizeof(long) / (size_t)n_pes + 1);
}

static void alltoall_runs_off(void)
{
    long *p = shmem_malloc(100 * sizeof *p);
    expect("shmem_long_alltoall", "dest", "%p", (void *)p);
    shmem_long_alltoall(SHMEM_TEAM_WORLD, p, more, 100);
}

static void alltoalls_runs_off(void)
{
    long *p = shmem_malloc((size_t)n_pes * 4 * sizeof *p);
    expect("shmem_long_alltoalls", "dest", "%p", (void *)p);
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, p, more, 2, 1, 4);
}

static void collect_source_malloc(void)
{
    long *x = calloc(4, sizeof *x);
    expect("shmem_long_collect", "source", "%p", (void *)x);
    shmem_long_collect(SHMEM_TEAM_WORLD, more, x, 4);
}

static void alltoall_dest_malloc(void)
{
    long *x = calloc(64, sizeof *x);
    expect("shmem_long_alltoall", "dest", "%p", (void *)x);
    shmem_long_alltoall(SHMEM_TEAM_WORLD, x, source, 1);
}

static void alltoalls_stride(void)
{
    expect("shmem_long_alltoalls", "dst", "0");
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, more, source, 0, 1, 2);
}

static void scan_dest_stack(void)
{
    long x[4];
    expect("shmem_long_sum_inscan", "dest", "%p", (void *)x);
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, x, source, 4);
}

static void length_overflow(void)
{
    expect("shmem_long_broadcast", "nelems", "-");
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, SIZE_MAX / 4, 0);
}

static void put_length_overflow(void)
{
    expect("shmem_long_put", "nelems", "-");
    if (errs())
        shmem_long_put(dest, source, SIZE_MAX / 4, 0);
}

static void put_length_huge(void)
{
    expect("shmem_putmem", "dest", "%p", (void *)dest);
    if (errs())
        shmem_putmem(dest, source, SIZE_MAX, 0);
}

static void iput_stride_huge(void)
{
    expect("shmem_long_iput", "dest", "-");
    if (errs())
        shmem_long_iput(dest, source, PTRDIFF_MAX / 4, 1, 3, 0);
}

/* So large that with the distance of the blocks the sum is small again. */
static void ibput_block_huge(void)
{
    expect("shmem_ibput8", "dest", "-");
    if (errs())
        shmem_ibput8(dest, source, 1 << 20, 1, SIZE_MAX - (1 << 20) + 64, 2, 0);
}

static void ibget_block_huge(void)
{
    expect("shmem_ibget64", "source", "-");
    if (errs())
        shmem_ibget64(dest, source, 1, -(1 << 20), SIZE_MAX / 8 - (1 << 20) + 9, 2, 0);
}

static void get_null_dest(void)
{
    expect("shmem_long_get", "dest", "null");
    if (errs())
        shmem_long_get(NULL, source, 4, 0);
}

static void put_null_source(void)
{
    expect("shmem_long_put", "source", "null");
    if (errs())
        shmem_long_put(dest, NULL, 4, 0);
}

static void set_size(void)
{
    expect("shmem_barrier", "PE_size", "%d", n_pes + 1);
    shmem_barrier(0, 0, n_pes + 1, psync);
}

static void set_size_zero(void)
{
    expect("shmem_sync", "PE_size", "0");
    shmem_sync(0, 0, 0, psync);
}

static void set_start(void)
{
    expect("shmem_broadcast64", "PE_start", "-1");
    shmem_broadcast64(dest, source, 1, 0, -1, 0, n_pes, psync);
}

static void set_stride(void)
{
    expect("shmem_fcollect64", "logPE_stride", "-1");
    shmem_fcollect64(more, source, 1, 0, -1, n_pes, psync);
}

static void set_stride_huge(void)
{
    expect("shmem_long_sum_to_all", "logPE_stride|PE_size", "-");
    shmem_long_sum_to_all(dest, source, 1, 0, 40, n_pes, work, psync);
}

static void set_not_member(void)
{
    expect("shmem_collect64", "PE_start|active", "-");
    shmem_collect64(more, source, 1, 1, 0, n_pes - 1, psync); /* and PE 0 is not in it */
}

static void set_root(void)
{
    expect("shmem_broadcast32", "PE_root", "%d", n_pes);
    shmem_broadcast32(dest, source, 1, n_pes, 0, 0, n_pes, psync);
}

static void psync_stack(void)
{
    long x[SHMEM_SYNC_SIZE] = {0};
    expect("shmem_barrier", "pSync", "%p", (void *)x);
    shmem_barrier(0, 0, n_pes, x);
}

static void psync_null(void)
{
    expect("shmem_alltoall64", "pSync", "null");
    shmem_alltoall64(more, source, 1, 0, 0, n_pes, NULL);
}

static void to_all_negative(void)
{
    expect("shmem_int_sum_to_all", "nreduce", "-3");
    shmem_int_sum_to_all((int *)dest, (int *)source, -3, 0, 0, n_pes, (int *)work, psync);
}

/* ---- other arguments ---- */

static void wait_cmp(void)
{
    expect("shmem_long_wait_until", "cmp", "99");
    if (errs())
        shmem_long_wait_until(dest, 99, 0);
}

static void signal_op(void)
{
    expect("shmem_long_put_signal", "sig_op", "99");
    if (errs())
        shmem_long_put_signal(dest, source, 1, (uint64_t *)work, 1, 99, 0);
}

/* What SHMEM_SIGNAL_SET was once. */
static void signal_op_zero(void)
{
    expect("shmem_long_put_signal", "sig_op", "0");
    if (errs())
        shmem_long_put_signal(dest, source, 1, (uint64_t *)work, 1, 0, me);
}

static void lock_not_mine(void)
{
    expect("shmem_clear_lock", "lock", "%p", (void *)work);
    if (errs())
        shmem_clear_lock(work); /* nobody holds it */
}

/* ---- functions that PEs call: of another node, or the caller itself ---- */

static int callable(void)
{
    const int other = (me + n_pes / 2) % n_pes;
    return shmem_ptr(dest, other) ? me : other;
}

static void *receive(void *context, void *head, size_t head_bytes, size_t bytes)
{
    (void)context, (void)head, (void)head_bytes, (void)bytes;
    return NULL;
}

static void leaves_much(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    (void)pe, (void)args, (void)bytes;
    reply->head_bytes = 513;
}

static void calls_back(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    (void)bytes, (void)reply;
    shmemx_post(pe == me ? me : callable(), *(uint32_t *)args, NULL, 0);
}

static void call_unknown(void)
{
    shmemx_register(8, leaves_much);
    shmemx_register(0x90000010, leaves_much);
    shmem_barrier_all();
    expect("shmemx_call", "number", "0x90000009");
    shmemx_call(callable(), 0x90000009, NULL, 0, receive, NULL);
}

static void post_unknown(void)
{
    expect("shmemx_post", "number", "0x9");
    shmemx_post(callable(), 9, NULL, 0);
}

static void call_near(void)
{
    if (n_pes < 4 && callable() != me) { /* nobody is near */
        call_unknown();
        return;
    }
    expect("shmemx_call", "pe", "%d", me ^ 1);
    shmemx_call(me ^ 1, 8, NULL, 0, receive, NULL);
}

static void call_pe(void)
{
    expect("shmemx_post", "pe", "%d", n_pes);
    shmemx_post(n_pes, 8, NULL, 0);
}

static void call_without_receiver(void)
{
    expect("shmemx_call", "receive", "null");
    shmemx_call(callable(), 8, NULL, 0, NULL, NULL);
}

static void call_args_null(void)
{
    expect("shmemx_call", "args", "null");
    shmemx_call(callable(), 8, NULL, 1, receive, NULL);
}

static void call_long_head(void)
{
    shmemx_register(8, leaves_much);
    shmem_barrier_all();
    expect("shmemx_call", "513", "0x8");
    shmemx_call(callable(), 8, NULL, 0, receive, NULL);
}

static void call_back(void)
{
    uint32_t number = 8;
    shmemx_register(8, calls_back);
    shmem_barrier_all();
    expect("shmemx_post", "-", "-");
    shmemx_call(callable(), 8, &(struct iovec){&number, sizeof number}, 1, receive, NULL);
}

static void register_null(void)
{
    expect("shmemx_register", "function", "null");
    shmemx_register(8, NULL);
}

static void compute_negative(void)
{
    expect("shmemx_compute", "seconds", "-0.5");
    shmemx_compute(-0.5);
}

static void compute_nan(void)
{
    expect("shmemx_compute", "seconds", "nan");
    shmemx_compute(strtod("nan", NULL));
}

static const struct bad_case cases[] = {
    CASE(free_interior), CASE(free_twice), CASE(free_stack), CASE(free_static), CASE(realloc_freed),
    CASE(realloc_interior), CASE(malloc_sizes), CASE(malloc_one_zero), CASE(calloc_sizes), CASE(align_sizes),
    CASE(realloc_sizes), CASE(align_zero), CASE(team_invalid_sync), CASE(team_invalid_reduce),
    CASE(team_invalid_broadcast), CASE(team_garbage), CASE(team_destroyed_sync), CASE(team_destroyed_fcollect),
    CASE(team_destroyed_twice), CASE(team_destroyed_replaced), CASE(team_destroy_world), CASE(ctx_invalid_put),
    CASE(ctx_garbage_add), CASE(ctx_destroyed_put), CASE(ctx_destroyed_quiet), CASE(ctx_destroyed_replaced),
    CASE(ctx_destroy_default), CASE(ctx_of_destroyed_team), CASE(broadcast_root), CASE(broadcast_root_negative),
    CASE(broadcast_dest_stack), CASE(reduce_source_stack), CASE(fcollect_dest_null), CASE(fcollect_runs_off),
    CASE(collect_runs_off), CASE(fcollect_overflow), CASE(alltoall_runs_off), CASE(alltoalls_runs_off),
    CASE(collect_source_malloc), CASE(alltoall_dest_malloc), CASE(alltoalls_stride), CASE(scan_dest_stack),
    CASE(length_overflow), CASE(put_length_overflow), CASE(put_length_huge), CASE(iput_stride_huge),
    CASE(ibput_block_huge), CASE(ibget_block_huge), CASE(get_null_dest), CASE(put_null_source), CASE(set_size),
    CASE(set_size_zero), CASE(set_start), CASE(set_stride), CASE(set_stride_huge), CASE(set_not_member),
    CASE(set_root), CASE(psync_stack), CASE(psync_null), CASE(to_all_negative), CASE(wait_cmp), CASE(signal_op),
    CASE(signal_op_zero),
    CASE(lock_not_mine), CASE(call_unknown), CASE(post_unknown), CASE(call_near), CASE(call_pe),
    CASE(call_without_receiver), CASE(call_args_null), CASE(call_long_head), CASE(call_back), CASE(register_null),
    CASE(compute_negative), CASE(compute_nan),
};

int main(int argc, char **argv)
{
    return bad_main(cases, sizeof cases / sizeof cases[0], argc, argv);
}
