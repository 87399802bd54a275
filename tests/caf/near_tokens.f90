! compilers: 12 13 14
! images: 1 2
! flags: -O3 -fno-inline
! Coarray components of a local object, in memory with any contents: a condition prevents their use before allocation.
module near_tokens_m
    implicit none
    type t
        integer, allocatable :: c(:)[:], s[:]
    end type
contains
    subroutine fill_stack(r)
        integer, intent(out) :: r
        integer(8), volatile :: words(4000)
        words = 123456789012345_8
        r = int(mod(words(7), 2_8))
    end subroutine

    subroutine total(n, k, is_wanted, r)
        integer, intent(in) :: n, k
        logical, intent(in) :: is_wanted
        integer, intent(out) :: r
        type(t) :: o
        integer :: i
        if (is_wanted) then
            allocate (o%c(n)[*], o%s[*])
            o%c = 3
            o%s = 1
            sync all
        end if
        r = 0
        do i = 1, n
            if (allocated(o%c)) r = r + o%c(i)[k]
            if (allocated(o%s)) r = r + o%s[k]
        end do
        sync all
    end subroutine
end module

program near_tokens
    use near_tokens_m
    use check_m, only: check, check_end, neighbour
    implicit none
    integer :: r, i
    do i = 1, 2
        call fill_stack(r)
        call total(10, neighbour(1), .false., r)
        call check(r, 0, 'not allocated')
        call fill_stack(r)
        call total(10, neighbour(1), .true., r)
        call check(r, 40, 'allocated')
    end do
    call check_end
end program
