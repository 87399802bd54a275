/* Wrong calls that do not fit into the table of bad_access.c: memory, handles, collectives, other arguments.
 *
 *     bad_call --list     prints the names of the cases
 *     bad_call CASE       makes the mistake */
#include "bad.h"

#include <shmemx.h>

/* ---- memory ---- */

CASE(free_interior)
{
    char *p = shmem_malloc(1000);
    expect("shmem_free", "ptr", "%p", (void *)(p + 64));
    shmem_free(p + 64);
}

CASE(free_twice)
{
    char *p = shmem_malloc(1000);
    shmem_free(p);
    expect("shmem_free", "ptr", "%p", (void *)p);
    shmem_free(p);
}

CASE(free_stack)
{
    long x;
    expect("shmem_free", "ptr", "%p", (void *)&x);
    shmem_free(&x);
}

ALL_ERR(free_static, ("shmem_free", "ptr", "%p", (void *)dest), shmem_free(dest))

CASE(realloc_freed)
{
    char *p = shmem_malloc(1000);
    shmem_free(p);
    expect("shmem_realloc", "ptr", "%p", (void *)p);
    shmem_realloc(p, 2000);
}

CASE(realloc_interior)
{
    char *p = shmem_malloc(1000);
    expect("shmem_realloc", "ptr", "%p", (void *)(p + 8));
    shmem_realloc(p + 8, 2000);
}

ALL_ERR(malloc_sizes, ("shmem_malloc", "size", "-"), shmem_malloc(1000 + (size_t)me))
ALL_ERR(malloc_one_zero, ("shmem_malloc", "size", "-"), shmem_malloc(me ? 1000 : 5000))
ALL_ERR(calloc_sizes, ("shmem_calloc", "size|count", "-"), shmem_calloc(10 + (size_t)me, 8))
ALL_ERR(calloc_wraps, ("shmem_calloc", "size|count", "-"), shmem_calloc(errs() ? SIZE_MAX / 8 + 2 : 1, 8))
ALL_ERR(align_sizes, ("shmem_align", "size", "-"), shmem_align(64, 1000 + (size_t)me))
ALL_ERR(align_alignments, ("shmem_align", "alignment", "-"), shmem_align((size_t)64 << me, 1000))

CASE(align_or_malloc)
{
    expect("shmem_align|shmem_malloc", "routine", "-");
    void *block = errs() ? shmem_align(64, 64) : shmem_malloc(64);
    if (!errs() && block)
        shmem_malloc(64);
}

CASE(realloc_sizes)
{
    char *p = shmem_malloc(100);
    expect("shmem_realloc", "size", "-");
    shmem_realloc(p, 1000 + (size_t)me);
}

ALL_ERR(align_zero, ("shmem_align", "alignment", "0"), shmem_align(0, 100))

/* ---- handles ---- */

ALL_ERR(team_invalid_sync, ("shmem_team_sync", "team", "-"), shmem_team_sync(SHMEM_TEAM_INVALID))
ALL_ERR(team_invalid_reduce, ("shmem_long_sum_reduce", "team", "-"),
        shmem_long_sum_reduce(SHMEM_TEAM_INVALID, dest, source, 1))
ALL_ERR(team_invalid_broadcast, ("shmem_long_broadcast", "team", "-"),
        shmem_long_broadcast(SHMEM_TEAM_INVALID, dest, source, 1, 0))
ALL_ERR(team_garbage, ("shmem_team_sync", "team", "-"), shmem_team_sync((shmem_team_t)&dest))

static shmem_team_t destroyed(void)
{
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n_pes, NULL, 0, &team);
    shmem_team_destroy(team);
    return team;
}

CASE(team_destroyed_sync)
{
    shmem_team_t team = destroyed();
    expect("shmem_team_sync", "team", "-");
    shmem_team_sync(team);
}

CASE(team_destroyed_fcollect)
{
    shmem_team_t team = destroyed();
    expect("shmem_long_fcollect", "team", "-");
    shmem_long_fcollect(team, more, source, 1);
}

CASE(team_destroyed_twice)
{
    shmem_team_t team = destroyed();
    expect("shmem_team_destroy", "team", "-");
    shmem_team_destroy(team);
}

CASE(team_destroyed_replaced)
{
    shmem_team_t old = destroyed(), team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n_pes, NULL, 0, &team);
    expect("shmem_team_sync", "team", "-");
    shmem_team_sync(old); /* the slot may be in use again, the handle is not the same */
}

ALL_ERR(team_destroy_world, ("shmem_team_destroy", "team", "-"), shmem_team_destroy(SHMEM_TEAM_WORLD))
ALL_ERR(ctx_invalid_put, ("shmem_ctx_long_put", "ctx", "-"), shmem_ctx_long_put(SHMEM_CTX_INVALID, dest, source, 1, 0))
ALL_ERR(ctx_garbage_add, ("shmem_ctx_long_atomic_add", "ctx", "-"),
        shmem_ctx_long_atomic_add((shmem_ctx_t)&dest, dest, 1, 0))

static shmem_ctx_t destroyed_ctx(void)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(98);
    shmem_ctx_destroy(ctx);
    return ctx;
}

CASE(ctx_destroyed_put)
{
    shmem_ctx_t ctx = destroyed_ctx();
    expect("shmem_ctx_long_put", "ctx", "-");
    shmem_ctx_long_put(ctx, dest, source, 1, 0);
}

CASE(ctx_destroyed_quiet)
{
    shmem_ctx_t ctx = destroyed_ctx();
    expect("shmem_ctx_quiet", "ctx", "-");
    shmem_ctx_quiet(ctx);
}

CASE(ctx_destroyed_replaced)
{
    shmem_ctx_t old = destroyed_ctx(), ctx;
    if (shmem_ctx_create(0, &ctx) != 0)
        exit(98);
    expect("shmem_ctx_long_p", "ctx", "-");
    shmem_ctx_long_p(old, dest, 1, 0);
}

ALL_ERR(ctx_destroy_default, ("shmem_ctx_destroy", "ctx", "-"), shmem_ctx_destroy(SHMEM_CTX_DEFAULT))

CASE(ctx_of_destroyed_team)
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

ALL_ERR(broadcast_root, ("shmem_long_broadcast", "PE_root", "%d", n_pes),
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 1, n_pes))
ALL_ERR(broadcast_root_negative, ("shmem_broadcastmem", "PE_root", "-1"),
        shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, 8, -1))

CASE(broadcast_dest_stack)
{
    long x[4];
    expect("shmem_long_broadcast", "dest", "%p", (void *)x);
    shmem_long_broadcast(SHMEM_TEAM_WORLD, x, source, 4, 0);
}

CASE(reduce_source_stack)
{
    long x[4] = {0};
    expect("shmem_long_sum_reduce", "source", "%p", (void *)x);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, x, 4);
}

ALL_ERR(fcollect_dest_null, ("shmem_long_fcollect", "dest", "null"),
        shmem_long_fcollect(SHMEM_TEAM_WORLD, NULL, source, 4))

/* The array is long enough for one PE's part, but not for all parts. */
CASE(fcollect_runs_off)
{
    long *p = shmem_malloc(100 * sizeof *p);
    expect("shmem_long_fcollect", "dest", "%p", (void *)p);
    shmem_long_fcollect(SHMEM_TEAM_WORLD, p, source, 100);
}

/* The same, with lengths that no single PE knows. */
CASE(collect_runs_off)
{
    long *p = shmem_malloc(100 * sizeof *p);
    expect("shmem_long_collect", "dest", "-");
    shmem_long_collect(SHMEM_TEAM_WORLD, p, source, 50 + (size_t)me);
}

ALL_ERR(fcollect_overflow, ("shmem_long_fcollect", "nelems|dest", "-"),
        shmem_long_fcollect(SHMEM_TEAM_WORLD, more, source, SIZE_MAX / sizeof(long) / (size_t)n_pes + 1))

CASE(alltoall_runs_off)
{
    long *p = shmem_malloc(100 * sizeof *p);
    expect("shmem_long_alltoall", "dest", "%p", (void *)p);
    shmem_long_alltoall(SHMEM_TEAM_WORLD, p, more, 100);
}

CASE(alltoalls_runs_off)
{
    long *p = shmem_malloc((size_t)n_pes * 4 * sizeof *p);
    expect("shmem_long_alltoalls", "dest", "%p", (void *)p);
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, p, more, 2, 1, 4);
}

CASE(collect_source_malloc)
{
    long *x = calloc(4, sizeof *x);
    expect("shmem_long_collect", "source", "%p", (void *)x);
    shmem_long_collect(SHMEM_TEAM_WORLD, more, x, 4);
}

CASE(alltoall_dest_malloc)
{
    long *x = calloc(64, sizeof *x);
    expect("shmem_long_alltoall", "dest", "%p", (void *)x);
    shmem_long_alltoall(SHMEM_TEAM_WORLD, x, source, 1);
}

ALL_ERR(alltoalls_stride, ("shmem_long_alltoalls", "dst", "0"),
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, more, source, 0, 1, 2))

CASE(scan_dest_stack)
{
    long x[4];
    expect("shmem_long_sum_inscan", "dest", "%p", (void *)x);
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, x, source, 4);
}

ALL_ERR(length_overflow, ("shmem_long_broadcast", "nelems", "-"),
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, SIZE_MAX / 4, 0))
ONE_ERRS(put_length_overflow, ("shmem_long_put", "nelems", "-"), shmem_long_put(dest, source, SIZE_MAX / 4, 0))
ONE_ERRS(put_length_huge, ("shmem_putmem", "dest", "%p", (void *)dest), shmem_putmem(dest, source, SIZE_MAX, 0))
ONE_ERRS(iput_stride_huge, ("shmem_long_iput", "dest", "-"), shmem_long_iput(dest, source, PTRDIFF_MAX / 4, 1, 3, 0))

/* The number is so large that its sum with the distance of the blocks wraps around. */
ONE_ERRS(ibput_block_huge, ("shmem_ibput8", "dest", "-"),
         shmem_ibput8(dest, source, 1 << 20, 1, SIZE_MAX - (1 << 20) + 64, 2, 0))
ONE_ERRS(ibget_block_huge, ("shmem_ibget64", "source", "-"),
         shmem_ibget64(dest, source, 1, -(1 << 20), SIZE_MAX / 8 - (1 << 20) + 9, 2, 0))
ONE_ERRS(get_null_dest, ("shmem_long_get", "dest", "null"), shmem_long_get(NULL, source, 4, 0))
ONE_ERRS(put_null_source, ("shmem_long_put", "source", "null"), shmem_long_put(dest, NULL, 4, 0))
ALL_ERR(set_size, ("shmem_barrier", "PE_size", "%d", n_pes + 1), shmem_barrier(0, 0, n_pes + 1, psync))
ALL_ERR(set_size_zero, ("shmem_sync", "PE_size", "0"), shmem_sync(0, 0, 0, psync))
ALL_ERR(set_start, ("shmem_broadcast64", "PE_start", "-1"), shmem_broadcast64(dest, source, 1, 0, -1, 0, n_pes, psync))
ALL_ERR(set_stride, ("shmem_fcollect64", "logPE_stride", "-1"), shmem_fcollect64(more, source, 1, 0, -1, n_pes, psync))
ALL_ERR(set_stride_huge, ("shmem_long_sum_to_all", "logPE_stride|PE_size", "-"),
        shmem_long_sum_to_all(dest, source, 1, 0, 40, n_pes, work, psync))
ALL_ERR(set_not_member, ("shmem_collect64", "PE_start|active", "-"),
        shmem_collect64(more, source, 1, 1, 0, n_pes - 1, psync)) /* PE 0 is not in the set */
ALL_ERR(set_root, ("shmem_broadcast32", "PE_root", "%d", n_pes),
        shmem_broadcast32(dest, source, 1, n_pes, 0, 0, n_pes, psync))

CASE(psync_stack)
{
    long x[SHMEM_SYNC_SIZE] = {0};
    expect("shmem_barrier", "pSync", "%p", (void *)x);
    shmem_barrier(0, 0, n_pes, x);
}

ALL_ERR(psync_null, ("shmem_alltoall64", "pSync", "null"), shmem_alltoall64(more, source, 1, 0, 0, n_pes, NULL))
ALL_ERR(to_all_negative, ("shmem_int_sum_to_all", "nreduce", "-3"),
        shmem_int_sum_to_all((int *)dest, (int *)source, -3, 0, 0, n_pes, (int *)work, psync))

/* ---- other arguments ---- */

ONE_ERRS(wait_cmp, ("shmem_long_wait_until", "cmp", "99"), shmem_long_wait_until(dest, 99, 0))
ONE_ERRS(signal_op, ("shmem_long_put_signal", "sig_op", "99"),
         shmem_long_put_signal(dest, source, 1, (uint64_t *)work, 1, 99, 0))

/* An earlier value of SHMEM_SIGNAL_SET. */
ONE_ERRS(signal_op_zero, ("shmem_long_put_signal", "sig_op", "0"),
         shmem_long_put_signal(dest, source, 1, (uint64_t *)work, 1, 0, me))
ONE_ERRS(lock_not_mine, ("shmem_clear_lock", "lock", "%p", (void *)work), shmem_clear_lock(work)) /* no PE holds it */

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

CASE(call_unknown)
{
    shmemx_register(8, leaves_much);
    shmemx_register(0x90000010, leaves_much);
    shmem_barrier_all();
    expect("shmemx_call", "number", "0x90000009");
    shmemx_call(callable(), 0x90000009, NULL, 0, receive, NULL);
}

ALL_ERR(post_unknown, ("shmemx_post", "number", "0x9"), shmemx_post(callable(), 9, NULL, 0))

CASE(call_near)
{
    if (n_pes < 4 && callable() != me) { /* no other PE can be called */
        call_unknown();
        return;
    }
    expect("shmemx_call", "pe", "%d", me ^ 1);
    shmemx_call(me ^ 1, 8, NULL, 0, receive, NULL);
}

ALL_ERR(call_pe, ("shmemx_post", "pe", "%d", n_pes), shmemx_post(n_pes, 8, NULL, 0))
ALL_ERR(notify_outside, ("shmemx_notify", "-", "-"), shmemx_notify((uint64_t *)(void *)dest, 1, 0))
ALL_ERR(call_without_receiver, ("shmemx_call", "receive", "null"), shmemx_call(callable(), 8, NULL, 0, NULL, NULL))
ALL_ERR(call_args_null, ("shmemx_call", "args", "null"), shmemx_call(callable(), 8, NULL, 1, receive, NULL))

CASE(call_long_head)
{
    shmemx_register(8, leaves_much);
    shmem_barrier_all();
    expect("shmemx_call", "513", "0x8");
    shmemx_call(callable(), 8, NULL, 0, receive, NULL);
}

CASE(call_back)
{
    uint32_t number = 8;
    shmemx_register(8, calls_back);
    shmem_barrier_all();
    expect("shmemx_post", "-", "-");
    shmemx_call(callable(), 8, &(struct iovec){&number, sizeof number}, 1, receive, NULL);
}

ALL_ERR(register_null, ("shmemx_register", "function", "null"), shmemx_register(8, NULL))
ALL_ERR(compute_negative, ("shmemx_compute", "seconds", "-0.5"), shmemx_compute(-0.5))
ALL_ERR(compute_nan, ("shmemx_compute", "seconds", "nan"), shmemx_compute(strtod("nan", NULL)))

int main(int argc, char **argv)
{
    return bad_main(argc, argv);
}
