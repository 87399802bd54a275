! images: 1 2 3 4 5 8
! Sections of every type and kind, ranks 1 to 3: contiguous, strided, backwards, single rows and columns, planes, vector
! subscripts, scalars into sections, sections without elements. The test repeats each statement on arrays of this image.
module sections_m
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    integer :: k_
    integer, parameter :: n = 15, k1(n) = [(k_, k_ = 1, n)], k2(6, 5) = reshape([(100 + k_, k_ = 1, 30)], [6, 5])
    integer, parameter :: k3(4, 3, 5) = reshape([(200 + k_, k_ = 1, 60)], [4, 3, 5])
    ! with constants instead, gfortran 15 and 16 crash
    integer, save :: v2_2_15_7(4) = [2, 2, 15, 7]
    integer, save :: v2_3(2) = [2, 3]
    integer, save :: v2_3_1(3) = [2, 3, 1]
    integer, save :: v3_1(2) = [3, 1]
    integer, save :: v3_15_1(3) = [3, 15, 1]
    integer, save :: v4_1(2) = [4, 1]
    integer, save :: v4_13(2) = [4, 13]
    integer, save :: v4_2_3(3) = [4, 2, 3]
    integer, save :: v5_1(2) = [5, 1]
    integer, save :: v5_2(2) = [5, 2]
    integer, save :: v6_2_3(3) = [6, 2, 3]
    integer, save :: v7_2_11(3) = [7, 2, 11]
    integer, save :: v9_1_4_12(4) = [9, 1, 4, 12]
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
