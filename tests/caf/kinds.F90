! images: 1 2 3 4 5 8
! Put and get of scalars and whole arrays of every intrinsic type and kind, static and allocatable.
module kinds_m
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    integer :: k_
    integer, parameter :: n = 7, k(n) = [(k_, k_ = 1, n)]
contains
#define BODY "kinds.inc"
#include "each_type.inc"
#undef BODY
! gfortran 12 compiles static complex scalars wrong: all accesses in a procedure use a temporary.
#define BODY "kinds_scalar.inc"
#include "each_real_type.inc"
#undef BODY
end module

program kinds
    use kinds_m
    implicit none
#define BODY "call_test.inc"
#include "each_type.inc"
#undef BODY
#define BODY "call_scalar.inc"
#include "each_real_type.inc"
#undef BODY
    call check_end
end program
