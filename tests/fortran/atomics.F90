! pes: 1 2 4 7
! Atomics of every type that has them, on the default context and on a created context. One PE after the other checks
! returned values; all PEs together check sums.
#define X_QUOTED(A) 'A'
module atomics_tests
    use, intrinsic :: iso_c_binding
    use shmem
    use checks
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64
    implicit none
    integer :: me, npes, right, left
    type(shmem_ctx_t) :: ctx

contains

#define X_TEMPLATE "atomics_test.inc"
#include "types_c.inc"
#undef X_TEMPLATE
end module

program atomics
    use atomics_tests
    implicit none

    call shmem_init()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    right = mod(me + 1, npes)
    left = mod(me + npes - 1, npes)
    call check(shmem_ctx_create(0_c_long, ctx) == 0, 'shmem_ctx_create')
#define X_TEMPLATE "test_call.inc"
#include "types_c.inc"
    call shmem_ctx_destroy(ctx)
    call check_end()
    call shmem_finalize()
end program
