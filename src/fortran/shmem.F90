! The module shmem: OpenSHMEM 1.6 in Fortran.
!
! Almost everything here is an interface to a C function. The generic names are those of C11. Routines on arrays take
! data of any type and rank (type(*), dimension(..)), which the descriptor describes (arrays.c). Routines on single
! objects have one specific procedure for each type (values.inc, values_fortran.inc). A context is the first argument.
! Routines with a size in their names, and shmem_...mem, take addresses, type(c_ptr).
!
! In an interface, the declarations after import are X_ macros.
module shmem
    use, intrinsic :: iso_c_binding, only: c_int, c_long, c_size_t, c_ptrdiff_t, c_intptr_t, c_ptr, c_char, c_int8_t, &
        c_int16_t, c_int32_t, c_int64_t, c_float, c_double, c_long_double
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128
    implicit none
    ! Not exported: gfortran 12 crashes if c_loc from another module is passed to type(*).
    private :: int8, int16, int32, int64, real32, real64, real128
    private :: c_int, c_long, c_size_t, c_ptrdiff_t, c_intptr_t, c_ptr, c_char, c_int8_t, &
        c_int16_t, c_int32_t, c_int64_t, c_float, c_double, c_long_double

! Pieces of interfaces: scalars by value, single objects by address, data described by its array descriptor, addresses.
#define X_TEAM type(shmem_team_t), value :: team
#define X_CTX type(shmem_ctx_t), value :: ctx
#define X_PE integer(c_int), value :: pe
#define X_CMP integer(c_int), value :: cmp
#define X_WORD integer(c_int64_t), intent(inout) :: sig_addr; integer(c_int64_t), value :: signal
#define X_SIGNAL X_WORD; integer(c_int), value :: sig_op
#define X_BOTH_STRIDES X_STRIDE(dst); X_STRIDE(sst)
#define X_BOTH_COUNTS X_COUNT(dst); X_COUNT(sst)
#define X_STATUS integer(c_int), intent(in), optional :: status(*)
#define X_OBJECT(A) X_TYPE, intent(inout), asynchronous :: A
#define X_VALUE_OF(A) X_TYPE, value :: A
! A symmetric argument must be a variable: gfortran 12 passes c_loc(x) as the descriptor of x, not of an address.
#define X_DATA(A) type(*), dimension(..), intent(inout), asynchronous :: A
#define X_SOURCE(A) type(*), dimension(..), intent(in), asynchronous :: A
#define X_COUNT(A) type(*), dimension(..), intent(in) :: A
#define X_ADDRESS(A) type(c_ptr), value :: A
#define X_SIZE(A) integer(c_size_t), value :: A
#define X_STRIDE(A) integer(c_ptrdiff_t), value :: A

    ! Versions, threads, hints, options
    integer(c_int), parameter :: SHMEM_MAJOR_VERSION = 1, SHMEM_MINOR_VERSION = 6, SHMEM_MAX_NAME_LEN = 64
    character(len=*), parameter :: SHMEM_VENDOR_STRING = "Copal 0.1.0"
    integer(c_int), parameter :: SHMEM_THREAD_SINGLE = 0, SHMEM_THREAD_FUNNELED = 1, SHMEM_THREAD_SERIALIZED = 2, &
        SHMEM_THREAD_MULTIPLE = 3
    integer(c_long), parameter :: SHMEM_MALLOC_ATOMICS_REMOTE = 1, SHMEM_MALLOC_SIGNAL_REMOTE = 2
    integer(c_long), parameter :: SHMEM_TEAM_NUM_CONTEXTS = 1
    integer(c_long), parameter :: SHMEM_CTX_PRIVATE = 1, SHMEM_CTX_SERIALIZED = 2, SHMEM_CTX_NOSTORE = 4
    integer(c_long), parameter :: SHMEM_CTX_SESSION_TOTAL_OPS = 1, SHMEM_CTX_SESSION_BATCH = 1
    ! In C these are SHMEM_SIGNAL_SET and SHMEM_SIGNAL_ADD. In Fortran, which ignores case, these are two routines.
    integer(c_int), parameter :: SHMEM_SIGNAL_OP_SET = 1, SHMEM_SIGNAL_OP_ADD = 2
    integer(c_int), parameter :: SHMEM_CMP_EQ = 0, SHMEM_CMP_NE = 1, SHMEM_CMP_GT = 2, SHMEM_CMP_LE = 3, &
        SHMEM_CMP_LT = 4, SHMEM_CMP_GE = 5

    ! Handles are numbers in C too; == and /= compare them.
    type, bind(C) :: shmem_team_t
        private
        integer(c_intptr_t) :: handle = 0
    end type
    type, bind(C) :: shmem_ctx_t
        private
        integer(c_intptr_t) :: handle = 0
    end type
    type(shmem_team_t), parameter :: SHMEM_TEAM_INVALID = shmem_team_t(0), SHMEM_TEAM_WORLD = shmem_team_t(1), &
        SHMEM_TEAM_SHARED = shmem_team_t(2)
    type(shmem_ctx_t), parameter :: SHMEM_CTX_INVALID = shmem_ctx_t(0), SHMEM_CTX_DEFAULT = shmem_ctx_t(1)

    type, bind(C) :: shmem_team_config_t
        integer(c_int) :: num_contexts = 0
    end type
    type, bind(C) :: shmem_ctx_session_config_t
        integer(c_size_t) :: total_ops = 0
    end type

    ! Setup, threads, queries
    interface
        subroutine shmem_init() bind(C)
        end subroutine
        integer(c_int) function shmem_init_thread(requested, provided) bind(C)
            import; integer(c_int), value :: requested; integer(c_int), intent(out) :: provided
        end function
        subroutine shmem_query_thread(provided) bind(C)
            import; integer(c_int), intent(out) :: provided
        end subroutine
        subroutine shmem_query_initialized(initialized) bind(C)
            import; integer(c_int), intent(out) :: initialized
        end subroutine
        subroutine shmem_finalize() bind(C)
        end subroutine
        subroutine shmem_global_exit(status) bind(C)
            import; integer(c_int), value :: status
        end subroutine
        integer(c_int) function shmem_my_pe() bind(C)
            import
        end function
        integer(c_int) function shmem_n_pes() bind(C)
            import
        end function
        integer(c_int) function shmem_pe_accessible(pe) bind(C)
            import; X_PE
        end function
        subroutine shmem_info_get_version(major, minor) bind(C)
            import; integer(c_int), intent(out) :: major, minor
        end subroutine
        subroutine shmem_info_get_name(name) bind(C, name="shmemf_info_get_name")
            import; character(kind=c_char, len=*), intent(out) :: name
        end subroutine
        subroutine shmem_pcontrol(level) bind(C, name="shmemf_pcontrol")
            import; integer(c_int), value :: level
        end subroutine
        type(c_ptr) function shmem_ptr(dest, pe) bind(C, name="shmemf_ptr")
            import; X_DATA(dest); X_PE
        end function
        type(c_ptr) function shmem_team_ptr(team, dest, pe) bind(C, name="shmemf_team_ptr")
            import; X_TEAM; X_DATA(dest); X_PE
        end function
        integer(c_int) function shmem_addr_accessible(addr, pe) bind(C, name="shmemf_addr_accessible")
            import; X_DATA(addr); X_PE
        end function
    end interface

    ! Memory
    interface
        type(c_ptr) function shmem_malloc(size) bind(C)
            import; X_SIZE(size)
        end function
        type(c_ptr) function shmem_malloc_with_hints(size, hints) bind(C)
            import; X_SIZE(size); integer(c_long), value :: hints
        end function
        type(c_ptr) function shmem_calloc(count, size) bind(C)
            import; X_SIZE(count); X_SIZE(size)
        end function
        type(c_ptr) function shmem_align(alignment, size) bind(C)
            import; X_SIZE(alignment); X_SIZE(size)
        end function
        type(c_ptr) function shmem_realloc(ptr, size) bind(C)
            import; X_ADDRESS(ptr); X_SIZE(size)
        end function
        subroutine shmem_free(ptr) bind(C)
            import; X_ADDRESS(ptr)
        end subroutine
    end interface

    ! Teams
    interface
        integer(c_int) function shmem_team_my_pe(team) bind(C)
            import; X_TEAM
        end function
        integer(c_int) function shmem_team_n_pes(team) bind(C)
            import; X_TEAM
        end function
        integer(c_int) function shmem_team_get_config(team, config_mask, config) bind(C)
            import; X_TEAM; integer(c_long), value :: config_mask; type(shmem_team_config_t), intent(inout) :: config
        end function
        integer(c_int) function shmem_team_translate_pe(src_team, src_pe, dest_team) bind(C)
            import; type(shmem_team_t), value :: src_team, dest_team; integer(c_int), value :: src_pe
        end function
        integer(c_int) function shmem_team_split_strided(parent_team, start, stride, size, config, config_mask, &
            new_team) bind(C)
            import; type(shmem_team_t), value :: parent_team; integer(c_int), value :: start, stride, size
            type(shmem_team_config_t), intent(in), optional :: config; integer(c_long), value :: config_mask
            type(shmem_team_t), intent(out) :: new_team
        end function
        integer(c_int) function shmem_team_split_2d(parent_team, xrange, xaxis_config, xaxis_mask, xaxis_team, &
            yaxis_config, yaxis_mask, yaxis_team) bind(C)
            import; type(shmem_team_t), value :: parent_team; integer(c_int), value :: xrange
            type(shmem_team_config_t), intent(in), optional :: xaxis_config, yaxis_config
            integer(c_long), value :: xaxis_mask, yaxis_mask; type(shmem_team_t), intent(out) :: xaxis_team, yaxis_team
        end function
        subroutine shmem_team_destroy(team) bind(C)
            import; X_TEAM
        end subroutine
        integer(c_int) function shmem_team_sync(team) bind(C)
            import; X_TEAM
        end function
    end interface

    ! Contexts and sessions
    interface
        integer(c_int) function shmem_ctx_create(options, ctx) bind(C)
            import; integer(c_long), value :: options; type(shmem_ctx_t), intent(out) :: ctx
        end function
        integer(c_int) function shmem_team_create_ctx(team, options, ctx) bind(C)
            import; X_TEAM; integer(c_long), value :: options; type(shmem_ctx_t), intent(out) :: ctx
        end function
        subroutine shmem_ctx_destroy(ctx) bind(C)
            import; X_CTX
        end subroutine
        integer(c_int) function shmem_ctx_get_team(ctx, team) bind(C)
            import; X_CTX; type(shmem_team_t), intent(out) :: team
        end function
        subroutine shmem_ctx_session_start(ctx, options, config, config_mask) bind(C)
            import; X_CTX; integer(c_long), value :: options, config_mask
            type(shmem_ctx_session_config_t), intent(in), optional :: config
        end subroutine
        subroutine shmem_ctx_session_stop(ctx) bind(C)
            import; X_CTX
        end subroutine
    end interface
    interface operator(==)
        procedure :: shmem_same_team, shmem_same_ctx
    end interface
    interface operator(/=)
        procedure :: shmem_other_team, shmem_other_ctx
    end interface

    ! Order: on the default context, or on a given context
    interface shmem_fence
        subroutine shmem_fence() bind(C)
        end subroutine
        subroutine shmem_ctx_fence(ctx) bind(C)
            import; X_CTX
        end subroutine
    end interface
    interface shmem_quiet
        subroutine shmem_quiet() bind(C)
        end subroutine
        subroutine shmem_ctx_quiet(ctx) bind(C)
            import; X_CTX
        end subroutine
    end interface
    interface shmem_pe_quiet
        subroutine shmem_pe_quiet(target_pes, npes) bind(C)
            import; integer(c_int), intent(in) :: target_pes(*); X_SIZE(npes)
        end subroutine
        subroutine shmem_ctx_pe_quiet(ctx, target_pes, npes) bind(C)
            import; X_CTX; integer(c_int), intent(in) :: target_pes(*); X_SIZE(npes)
        end subroutine
    end interface

    ! Signals without data
    interface shmem_signal_add
        subroutine shmem_signal_add(sig_addr, signal, pe) bind(C)
            import; X_WORD; X_PE
        end subroutine
        subroutine shmem_ctx_signal_add(ctx, sig_addr, signal, pe) bind(C)
            import; X_CTX; X_WORD; X_PE
        end subroutine
    end interface
    interface shmem_signal_set
        subroutine shmem_signal_set(sig_addr, signal, pe) bind(C)
            import; X_WORD; X_PE
        end subroutine
        subroutine shmem_ctx_signal_set(ctx, sig_addr, signal, pe) bind(C)
            import; X_CTX; X_WORD; X_PE
        end subroutine
    end interface
    interface
        integer(c_int64_t) function shmem_signal_fetch(sig_addr) bind(C)
            import; integer(c_int64_t), intent(in) :: sig_addr
        end function
        integer(c_int64_t) function shmem_signal_wait_until(sig_addr, cmp, cmp_value) bind(C)
            import; integer(c_int64_t), intent(inout) :: sig_addr; X_CMP; integer(c_int64_t), value :: cmp_value
        end function
    end interface

    ! Barriers, and collectives on addresses, which count bytes
    interface
        subroutine shmem_barrier_all() bind(C)
        end subroutine
        subroutine shmem_sync_all() bind(C)
        end subroutine
        integer(c_int) function shmem_alltoallmem(team, dest, source, nelems) bind(C)
            import; X_TEAM; X_ADDRESS(dest); X_ADDRESS(source); X_SIZE(nelems)
        end function
        integer(c_int) function shmem_alltoallsmem(team, dest, source, dst, sst, nelems) bind(C)
            import; X_TEAM; X_ADDRESS(dest); X_ADDRESS(source); X_BOTH_STRIDES; X_SIZE(nelems)
        end function
        integer(c_int) function shmem_broadcastmem(team, dest, source, nelems, pe_root) bind(C)
            import; X_TEAM; X_ADDRESS(dest); X_ADDRESS(source); X_SIZE(nelems); integer(c_int), value :: pe_root
        end function
        integer(c_int) function shmem_collectmem(team, dest, source, nelems) bind(C)
            import; X_TEAM; X_ADDRESS(dest); X_ADDRESS(source); X_SIZE(nelems)
        end function
        integer(c_int) function shmem_fcollectmem(team, dest, source, nelems) bind(C)
            import; X_TEAM; X_ADDRESS(dest); X_ADDRESS(source); X_SIZE(nelems)
        end function
    end interface
    interface shmem_sync
        integer(c_int) function shmemf_sync(team) bind(C, name="shmem_team_sync")
            import; X_TEAM
        end function
    end interface

    ! Locks
    interface
        subroutine shmem_set_lock(lock) bind(C)
            import; integer(c_long), intent(inout) :: lock
        end subroutine
        integer(c_int) function shmem_test_lock(lock) bind(C)
            import; integer(c_long), intent(inout) :: lock
        end function
        subroutine shmem_clear_lock(lock) bind(C)
            import; integer(c_long), intent(inout) :: lock
        end subroutine
    end interface

    ! Arrays and scalars of any type; dest or source may also be an address, if the other one has the type
    interface shmem_put
        subroutine shmemf_put(dest, source, nelems, pe) bind(C)
            import; X_DATA(dest); X_SOURCE(source); X_COUNT(nelems); X_PE
        end subroutine
        subroutine shmemf_ctx_put(ctx, dest, source, nelems, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_SOURCE(source); X_COUNT(nelems); X_PE
        end subroutine
    end interface
    interface shmem_get
        subroutine shmemf_get(dest, source, nelems, pe) bind(C)
            import; X_DATA(dest); X_DATA(source); X_COUNT(nelems); X_PE
        end subroutine
        subroutine shmemf_ctx_get(ctx, dest, source, nelems, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_DATA(source); X_COUNT(nelems); X_PE
        end subroutine
    end interface
    interface shmem_put_nbi
        subroutine shmemf_put_nbi(dest, source, nelems, pe) bind(C)
            import; X_DATA(dest); X_SOURCE(source); X_COUNT(nelems); X_PE
        end subroutine
        subroutine shmemf_ctx_put_nbi(ctx, dest, source, nelems, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_SOURCE(source); X_COUNT(nelems); X_PE
        end subroutine
    end interface
    interface shmem_get_nbi
        subroutine shmemf_get_nbi(dest, source, nelems, pe) bind(C)
            import; X_DATA(dest); X_DATA(source); X_COUNT(nelems); X_PE
        end subroutine
        subroutine shmemf_ctx_get_nbi(ctx, dest, source, nelems, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_DATA(source); X_COUNT(nelems); X_PE
        end subroutine
    end interface
    interface shmem_iput
        subroutine shmemf_iput(dest, source, dst, sst, nelems, pe) bind(C)
            import; X_DATA(dest); X_SOURCE(source); X_BOTH_COUNTS; X_COUNT(nelems); X_PE
        end subroutine
        subroutine shmemf_ctx_iput(ctx, dest, source, dst, sst, nelems, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_SOURCE(source); X_BOTH_COUNTS; X_COUNT(nelems); X_PE
        end subroutine
    end interface
    interface shmem_ibput
        subroutine shmemf_ibput(dest, source, dst, sst, bsize, nblocks, pe) bind(C)
            import; X_DATA(dest); X_SOURCE(source); X_BOTH_COUNTS; X_COUNT(bsize); X_COUNT(nblocks); X_PE
        end subroutine
        subroutine shmemf_ctx_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_SOURCE(source); X_BOTH_COUNTS; X_COUNT(bsize); X_COUNT(nblocks); X_PE
        end subroutine
    end interface
    interface shmem_iget
        subroutine shmemf_iget(dest, source, dst, sst, nelems, pe) bind(C)
            import; X_DATA(dest); X_DATA(source); X_BOTH_COUNTS; X_COUNT(nelems); X_PE
        end subroutine
        subroutine shmemf_ctx_iget(ctx, dest, source, dst, sst, nelems, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_DATA(source); X_BOTH_COUNTS; X_COUNT(nelems); X_PE
        end subroutine
    end interface
    interface shmem_ibget
        subroutine shmemf_ibget(dest, source, dst, sst, bsize, nblocks, pe) bind(C)
            import; X_DATA(dest); X_DATA(source); X_BOTH_COUNTS; X_COUNT(bsize); X_COUNT(nblocks); X_PE
        end subroutine
        subroutine shmemf_ctx_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_DATA(source); X_BOTH_COUNTS; X_COUNT(bsize); X_COUNT(nblocks); X_PE
        end subroutine
    end interface
    interface shmem_put_signal
        subroutine shmemf_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C)
            import; X_DATA(dest); X_SOURCE(source); X_COUNT(nelems); X_SIGNAL; X_PE
        end subroutine
        subroutine shmemf_ctx_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_SOURCE(source); X_COUNT(nelems); X_SIGNAL; X_PE
        end subroutine
    end interface
    interface shmem_put_signal_nbi
        subroutine shmemf_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C)
            import; X_DATA(dest); X_SOURCE(source); X_COUNT(nelems); X_SIGNAL; X_PE
        end subroutine
        subroutine shmemf_ctx_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe) bind(C)
            import; X_CTX; X_DATA(dest); X_SOURCE(source); X_COUNT(nelems); X_SIGNAL; X_PE
        end subroutine
    end interface

    ! Collectives on data of any type; reductions on the types that C's reductions have
    interface
        integer(c_int) function shmem_alltoall(team, dest, source, nelems) bind(C, name="shmemf_alltoall")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_alltoalls(team, dest, source, dst, sst, nelems) bind(C, name="shmemf_alltoalls")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_BOTH_COUNTS; X_COUNT(nelems)
        end function
        integer(c_int) function shmem_broadcast(team, dest, source, nelems, pe_root) bind(C, name="shmemf_broadcast")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems); integer(c_int), value :: pe_root
        end function
        integer(c_int) function shmem_collect(team, dest, source, nelems) bind(C, name="shmemf_collect")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_fcollect(team, dest, source, nelems) bind(C, name="shmemf_fcollect")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_and_reduce(team, dest, source, nelems) bind(C, name="shmemf_and_reduce")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_or_reduce(team, dest, source, nelems) bind(C, name="shmemf_or_reduce")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_xor_reduce(team, dest, source, nelems) bind(C, name="shmemf_xor_reduce")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_max_reduce(team, dest, source, nelems) bind(C, name="shmemf_max_reduce")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_min_reduce(team, dest, source, nelems) bind(C, name="shmemf_min_reduce")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_sum_reduce(team, dest, source, nelems) bind(C, name="shmemf_sum_reduce")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_prod_reduce(team, dest, source, nelems) bind(C, name="shmemf_prod_reduce")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_sum_inscan(team, dest, source, nelems) bind(C, name="shmemf_sum_inscan")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
        integer(c_int) function shmem_sum_exscan(team, dest, source, nelems) bind(C, name="shmemf_sum_exscan")
            import; X_TEAM; X_DATA(dest); X_DATA(source); X_COUNT(nelems)
        end function
    end interface

    ! Time, which is emulated on an emulated network (docs/fabric.md): in seconds.
    interface
        real(c_double) function shmemx_clock() bind(C, name="shmemx_clock")
            import
        end function
        integer(c_int) function shmemx_time_is_emulated() bind(C, name="shmemx_time_is_emulated")
            import
        end function
        subroutine shmemx_compute(seconds) bind(C, name="shmemx_compute")
            import
            real(c_double), value :: seconds
        end subroutine
    end interface

    ! Waits and tests of arrays of integer(int32) and integer(c_int64_t). Positions count from 1; 0 is no position.
    interface
        subroutine shmem_wait_until_all(ivars, nelems, status, cmp, cmp_value) &
            bind(C, name="shmemf_wait_until_all")
            import; X_DATA(ivars); X_COUNT(nelems); X_STATUS; X_CMP; X_COUNT(cmp_value)
        end subroutine
        subroutine shmem_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values) &
            bind(C, name="shmemf_wait_until_all_vector")
            import; X_DATA(ivars); X_COUNT(nelems); X_STATUS; X_CMP; X_COUNT(cmp_values)
        end subroutine
        integer(c_size_t) function shmem_wait_until_any(ivars, nelems, status, cmp, cmp_value) &
            bind(C, name="shmemf_wait_until_any")
            import; X_DATA(ivars); X_COUNT(nelems); X_STATUS; X_CMP; X_COUNT(cmp_value)
        end function
        integer(c_size_t) function shmem_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values) &
            bind(C, name="shmemf_wait_until_any_vector")
            import; X_DATA(ivars); X_COUNT(nelems); X_STATUS; X_CMP; X_COUNT(cmp_values)
        end function
        integer(c_size_t) function shmem_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value) &
            bind(C, name="shmemf_wait_until_some")
            import; X_DATA(ivars); X_COUNT(nelems); X_DATA(indices); X_STATUS; X_CMP; X_COUNT(cmp_value)
        end function
        integer(c_size_t) function shmem_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values) &
            bind(C, name="shmemf_wait_until_some_vector")
            import; X_DATA(ivars); X_COUNT(nelems); X_DATA(indices); X_STATUS; X_CMP; X_COUNT(cmp_values)
        end function
        integer(c_int) function shmem_test_all(ivars, nelems, status, cmp, cmp_value) &
            bind(C, name="shmemf_test_all")
            import; X_DATA(ivars); X_COUNT(nelems); X_STATUS; X_CMP; X_COUNT(cmp_value)
        end function
        integer(c_int) function shmem_test_all_vector(ivars, nelems, status, cmp, cmp_values) &
            bind(C, name="shmemf_test_all_vector")
            import; X_DATA(ivars); X_COUNT(nelems); X_STATUS; X_CMP; X_COUNT(cmp_values)
        end function
        integer(c_size_t) function shmem_test_any(ivars, nelems, status, cmp, cmp_value) &
            bind(C, name="shmemf_test_any")
            import; X_DATA(ivars); X_COUNT(nelems); X_STATUS; X_CMP; X_COUNT(cmp_value)
        end function
        integer(c_size_t) function shmem_test_any_vector(ivars, nelems, status, cmp, cmp_values) &
            bind(C, name="shmemf_test_any_vector")
            import; X_DATA(ivars); X_COUNT(nelems); X_STATUS; X_CMP; X_COUNT(cmp_values)
        end function
        integer(c_size_t) function shmem_test_some(ivars, nelems, indices, status, cmp, cmp_value) &
            bind(C, name="shmemf_test_some")
            import; X_DATA(ivars); X_COUNT(nelems); X_DATA(indices); X_STATUS; X_CMP; X_COUNT(cmp_value)
        end function
        integer(c_size_t) function shmem_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values) &
            bind(C, name="shmemf_test_some_vector")
            import; X_DATA(ivars); X_COUNT(nelems); X_DATA(indices); X_STATUS; X_CMP; X_COUNT(cmp_values)
        end function
    end interface

    ! Puts and gets by address, of bytes and of elements of a size
#define X_BITS mem
#include "sizes.inc"
#undef X_BITS
#define X_BITS 8
#include "sizes.inc"
#undef X_BITS
#define X_BITS 16
#include "sizes.inc"
#undef X_BITS
#define X_BITS 32
#include "sizes.inc"
#undef X_BITS
#define X_BITS 64
#include "sizes.inc"
#undef X_BITS
#define X_BITS 128
#include "sizes.inc"

    ! Single objects: p, g, atomics, wait_until and test
#define X_TEMPLATE "values.inc"
#include "types_c.inc"
#undef X_TEMPLATE
#define X_TEMPLATE "values_generic.inc"
#include "types_fortran.inc"
#undef X_TEMPLATE
contains

    elemental logical function shmem_same_team(a, b)
        type(shmem_team_t), intent(in) :: a, b
        shmem_same_team = a%handle == b%handle
    end function

    elemental logical function shmem_other_team(a, b)
        type(shmem_team_t), intent(in) :: a, b
        shmem_other_team = a%handle /= b%handle
    end function

    elemental logical function shmem_same_ctx(a, b)
        type(shmem_ctx_t), intent(in) :: a, b
        shmem_same_ctx = a%handle == b%handle
    end function

    elemental logical function shmem_other_ctx(a, b)
        type(shmem_ctx_t), intent(in) :: a, b
        shmem_other_ctx = a%handle /= b%handle
    end function

#define X_LENGTH *
#define X_TEMPLATE "values_fortran.inc"
#include "types_fortran.inc"
end module shmem
