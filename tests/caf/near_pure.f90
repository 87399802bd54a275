! images: 2 3
! flags: -O2 -fno-inline
! Puts to another image between calls of a function that only gets from it; gfortran regards the function as pure. Also
! with CAF_NEAR=0, where the puts are calls by value (caf.near_pure.calls).
module near_pure_m
    implicit none
    type t
        integer, allocatable :: p(:)
    end type
    integer, save :: b(4)[*]
    type(t), save :: a[*]
contains
    integer function element(k)
        integer, intent(in) :: k
        element = b(1)[k]
    end function

    integer function component(k)
        integer, intent(in) :: k
        component = a[k]%p(1)
    end function

    subroutine count_elements(k, n, r)
        integer, intent(in) :: k, n
        integer, intent(out) :: r
        integer :: i
        do i = 1, n
            b(1)[k] = element(k) + 1
        end do
        r = element(k)
    end subroutine

    subroutine count_components(k, n, r)
        integer, intent(in) :: k, n
        integer, intent(out) :: r
        integer :: i
        do i = 1, n
            a[k]%p(1) = component(k) + 1
        end do
        r = component(k)
    end subroutine
end module

program near_pure
    use near_pure_m
    use check_m, only: check, check_end
    implicit none
    integer :: r, next
    next = mod(this_image(), num_images()) + 1
    allocate (a%p(4), source=1)
    b = 1
    sync all
    call count_elements(next, 100, r)
    call check(r, 101, 'count of an element')
    call count_components(next, 100, r)
    call check(r, 101, 'count of a component')
    call check_end
end program
