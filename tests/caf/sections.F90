! images: 1 2 3 4 5 8
! timeout: 120
! Sections of every type and kind, ranks 1 to 3: contiguous, strided, backwards, single rows and columns, planes, vector
! subscripts, scalars into sections, sections of no element. Every coindexed statement stands above its serial twin.
module sections_m
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    integer :: k_
    integer, parameter :: n = 15, k1(n) = [(k_, k_ = 1, n)], k2(6, 5) = reshape([(100 + k_, k_ = 1, 30)], [6, 5])
    integer, parameter :: k3(4, 3, 5) = reshape([(200 + k_, k_ = 1, 60)], [4, 3, 5])
    integer, parameter :: none(0) = [integer ::]
contains
#define BODY "sections.inc"
#include "each_type.inc"
#undef BODY
end module

program sections
    use sections_m
    implicit none
#define BODY "call_test.inc"
#include "each_type.inc"
#undef BODY
    call check_end
end program
