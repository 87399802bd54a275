! images: 1 2 3 4
! flags: -Wno-conversion
! args: 1 20
! args: 2 20
! Random sections: put, get and get to put between pairs of numeric types, with random bounds, strides of both signs,
! single elements, vector subscripts and sections of nothing, compared with the same statement on local arrays.
! `random_sections SEED COUNT` makes COUNT rounds over 36 pairs of types with 6 statements each: 460 rounds are 99360
! statements.
module random_data_m
    implicit none
    integer, parameter :: n1 = 9, n2 = 7, n3 = 5
#define BODY "random_data.inc"
#include "random_types.inc"
#undef BODY
end module

module random_sections_m
    use, intrinsic :: iso_fortran_env, only: int64
    use check_m, only: check_end, neighbour
    use random_data_m, only: n1, n2, n3
    use values_m, only: small, expect
    implicit none
    integer(int64) :: state
    integer :: k_
    integer, parameter :: k(n1, n2, n3) = reshape([(k_, k_ = 1, n1 * n2 * n3)], [n1, n2, n3])

    ! A dimension of a section: lower bound, upper bound and stride, or a vector of subscripts.
    type :: range
        integer :: lower, upper, stride, count
        integer, allocatable :: vector(:)
    end type
contains
    ! A random number from 0 to limit - 1, the same on all images.
    integer function dice(limit)
        integer, intent(in) :: limit
        state = mod(state * 48271_int64, 2147483647_int64)
        dice = int(mod(state / 7, int(limit, int64)))
    end function

    ! Chooses `count` elements from 1 to n, with a stride of any size and sign.
    type(range) function random_range(n, count) result(r)
        integer, intent(in) :: n, count
        integer :: room, i, j, t
        integer :: deck(n)
        r%count = count
        r%stride = 1
        if (count > 1) then
            r%stride = 1 + dice((n - 1) / (count - 1))
        else if (dice(2) == 0) then
            r%stride = 1 + dice(4)
        end if
        room = n - (count - 1) * r%stride
        if (count == 0) room = n
        r%lower = 1 + dice(max(room, 1))
        r%upper = r%lower + (count - 1) * r%stride
        if (dice(2) == 0 .and. count > 0) then
            t = r%lower
            r%lower = r%upper
            r%upper = t
            r%stride = -r%stride
        end if
        if (count == 0) r%upper = r%lower - 1
        ! the vector has `count` different elements, in any order
        deck = [(i, i = 1, n)]
        do i = 1, count
            j = i + dice(n - i + 1)
            t = deck(i)
            deck(i) = deck(j)
            deck(j) = t
        end do
        r%vector = deck(:count)
    end function
#define SOURCE "random_pair.inc"
#define BODY "random_pairs.inc"
#include "random_types.inc"
#undef BODY
end module

program random_sections
    use random_sections_m
    implicit none
    character(20) :: seed, number
    integer :: count, i
    call get_command_argument(1, seed)
    call get_command_argument(2, number)
    read (seed, *) state
    read (number, *) count
    state = 1 + modulo(state * 7919, 2147483646_int64)
    do i = 1, count
#define BODY "call_random.inc"
#include "random_types.inc"
#undef BODY
    end do
    call check_end
end program
