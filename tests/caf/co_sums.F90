! images: 1 2 3 4 5 8
! flags: -Wno-conversion
! co_sum of every kind of number: scalars, ranks 1 to 3, sections, result_image, stat and errmsg, no element, large
! arrays. No sum of integers overflows; reals are multiples of 1/64 below 100, so every order of summation gives the
! same result.
module co_sums_m
    use check_m, only: check, check_end
    use values_m, only: value, small, expect
    implicit none
    integer, parameter :: large = 30000
    integer :: k_
    integer, parameter :: sequence(large) = [(k_, k_ = 1, large)]
    integer, parameter :: k9(9) = [(k_, k_ = 1, 9)], k43(4, 3) = reshape([(k_, k_ = 100, 111)], [4, 3])
    integer, parameter :: k232(2, 3, 2) = reshape([(k_, k_ = 200, 211)], [2, 3, 2])
contains
! Types that gfortran does not distinguish are refused (co_refused.f90).
#define UP_TO_DOUBLE
#define BODY "co_sum.inc"
#define ADDEND(image, k) value(image, k, t) / 32
#include "each_integer.inc"
#undef ADDEND
#define ADDEND(image, k) small(image, k, t)
#include "each_real.inc"
#include "each_complex.inc"
#undef ADDEND
#undef BODY
end module

program co_sums
    use co_sums_m
    implicit none
#define BODY "call_test.inc"
#include "each_number.inc"
#undef BODY
    call check_end
end program
