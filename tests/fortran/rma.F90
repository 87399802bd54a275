! pes: 1 2 4 7
! Puts, gets, p and g, of every type, with and without a context. Every PE writes to its right neighbour and reads
! from it; values differ from PE to PE and from element to element.
#define X_LENGTH 5
#define X_QUOTED(A) 'A'
module rma_tests
    use, intrinsic :: iso_c_binding
    use shmem
    use checks
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128
    implicit none
    integer :: me, npes, right, left
    type(shmem_ctx_t) :: ctx
    integer(int64) :: signal = 0

contains

#define X_TEMPLATE "rma_test.inc"
#include "types_c.inc"
#include "types_fortran.inc"
#undef X_TEMPLATE
end module

program rma
    use rma_tests
    implicit none

    call shmem_init()
    me = shmem_my_pe()
    npes = shmem_n_pes()
    right = mod(me + 1, npes)
    left = mod(me + npes - 1, npes)
    call check(shmem_ctx_create(SHMEM_CTX_PRIVATE, ctx) == 0, 'shmem_ctx_create')
#define X_TEMPLATE "test_call.inc"
#include "types_c.inc"
#include "types_fortran.inc"
    call shmem_ctx_destroy(ctx)
    call check_end()
    call shmem_finalize()
end program
