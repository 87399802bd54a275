! pes: 1 2 4 7
! Waits and tests, on single objects and arrays of both types that have them. All PEs write to PE 0, itself included,
! and each message has a different value.
#define X_QUOTED(A) 'A'
module waits_tests
    use, intrinsic :: iso_c_binding
    use shmem
    use checks
    implicit none
    integer :: me, npes

contains

#define X_TEMPLATE "waits_test.inc"
#include "types_c.inc"
#undef X_TEMPLATE
end module

program waits
    use waits_tests
    implicit none

    call shmem_init()
    me = shmem_my_pe()
    npes = shmem_n_pes()
#define X_TEMPLATE "test_call.inc"
#include "types_c.inc"
    call check_end()
    call shmem_finalize()
end program
