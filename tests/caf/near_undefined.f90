! images: 1 2
! flags: -O3 -fno-inline -Wno-target-lifetime
! An undefined pointer component, in memory with any contents; a condition prevents its use.
module near_undefined_m
    implicit none
    type node
        integer, pointer :: v(:)
        type(node), pointer :: next    ! undefined in the last node
    end type
    type t
        integer :: length
        type(node), pointer :: first
    end type
    type(t), save :: b[*]
contains
    integer function total(k, length, n)
        integer, intent(in), value :: k, length, n
        integer :: i
        total = 0
        do i = 1, n
            if (length >= 1) total = total + b[k]%first%v(i)
            if (length >= 2) total = total + b[k]%first%next%v(i)
        end do
    end function

    subroutine only_one(r)
        integer, intent(out) :: r
        type(node), target :: only(40)
        allocate (only(20)%v(10))
        only(20)%v = 4
        b%first => only(20)
        b%length = 1
        r = total(this_image(), b%length, 10)
    end subroutine

    subroutine fill_stack(r)
        integer, intent(out) :: r
        integer(8), volatile :: words(2000)
        words = 12345678
        r = int(words(5))
    end subroutine
end module

program near_undefined
    use near_undefined_m
    use check_m, only: check, check_end
    implicit none
    integer :: r
    call fill_stack(r)
    call only_one(r)
    call check(r, 40, 'elements of the only node')
    call check_end
end program
