! compilers: 12 13 14
! images: 1 2
! flags: -O2 -fno-inline -fno-ipa-cp -fno-caf-bounds
! Without checks of bounds, an access with a wrong subscript is harmless if a condition prevents it.
module near_unchecked_m
    implicit none
    type t
        integer, allocatable :: v(:), s
    end type
    type(t), save :: many(3)[*]
contains
    integer function total(i, k, n, is_valid)
        integer(8), value :: i
        integer, value :: k, n
        logical, value :: is_valid
        integer :: j
        total = 0
        do j = 1, n
            if (is_valid) total = total + many(i)[k]%v(j)
            if (is_valid) total = total + many(i)[k]%s
        end do
    end function
end module

program near_unchecked
    use check_m, only: check, check_end, neighbour
    use near_unchecked_m
    implicit none
    allocate (many(2)%v(5), source=1)
    allocate (many(2)%s, source=2)
    sync all
    call check(total(2_8, neighbour(1), 5, .true.), 15, 'a valid subscript')
    call check(total(10_8**13, neighbour(1), 5, .false.), 0, 'an access that is not executed')
    call check_end
end program
