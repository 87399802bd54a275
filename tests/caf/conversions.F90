! images: 1 2 3 4 5 8
! flags: -Wno-conversion
! Conversion on assignment between all types and kinds of numbers, and between all kinds of logical: get, put, get to
! put, whole arrays, strided sections, elements and scalars into sections.
module conversions_m
    use check_m, only: check_end, neighbour
    use values_m, only: value, small, expect
    implicit none
    integer :: k_
    integer, parameter :: n = 6, k(n) = [(k_, k_ = 1, n)]
    ! with constants instead, gfortran 15 and 16 crash
    integer, save :: v3_2_6(3) = [3, 2, 6]
    integer, save :: v5_2(2) = [5, 2]
#define BODY "conversion_data.inc"
#include "each_type.inc"
#undef BODY
contains
#define SOURCE "conversion.inc"
#define SOURCES "each_number_source.inc"
#define BODY "conversions.inc"
#include "each_number.inc"
#undef SOURCES
#define SOURCES "each_logical_source.inc"
#include "each_logical.inc"
#undef BODY
#undef SOURCES
#define VALUES small
#define BODY "conversion_values.inc"
#include "each_number.inc"
#undef VALUES
#define VALUES value
#include "each_logical.inc"
#undef BODY
end module

program conversions
    use conversions_m
    implicit none
#define BODY "call_values.inc"
#include "each_type.inc"
#undef BODY
#define BODY "call_test.inc"
#include "each_type.inc"
#undef BODY
    call check_end
end program
