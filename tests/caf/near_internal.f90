! images: 1 3
! flags: -O2
! An internal procedure accesses a dummy coarray of its host: gfortran 15 and 16 read the coarray's token in the host's
! frame.
module m
    implicit none
contains
    subroutine explicit(a, k, x, y)
        integer, intent(inout) :: a(5)[*]
        integer, intent(in) :: k
        integer, intent(out) :: x, y
        integer :: before, i
        before = 77
        i = 2
        call inner()
    contains
        subroutine inner()
            x = a(i)[k] + before - 77
            a(i + 1)[k] = 1000 + this_image()
            sync all
            y = a(i + 1)
        end subroutine
    end subroutine
    subroutine allocated(a, k, x)
        integer, allocatable, intent(in) :: a(:)[:]
        integer, intent(in) :: k
        integer, intent(out) :: x
        call inner()
    contains
        subroutine inner()
            integer :: j
            x = 0
            do j = 1, size(a)
                x = x + a(j)[k]
            end do
        end subroutine
    end subroutine
end module

program internal_procedures
    use m
    implicit none
    integer, allocatable :: a(:)[:]
    integer, save :: s(5)[*]
    integer :: x, y, k, before, errors
    errors = 0
    allocate (a(5)[*])
    k = mod(this_image(), num_images()) + 1
    before = merge(num_images(), this_image() - 1, this_image() == 1)
    call begin()
    call allocated(a, k, x)
    if (x /= 150 + 5 * k) errors = errors + 1
    sync all
    call explicit(a, k, x, y)
    call check(1)
    call explicit(s, k, x, y)
    call check(2)
    if (errors /= 0) error stop
contains
    subroutine begin()
        sync all
        a = [10, 20, 30, 40, 50] + this_image()
        s = [10, 20, 30, 40, 50] + this_image()
        sync all
    end subroutine
    subroutine check(which)
        integer, intent(in) :: which
        if (x /= 20 + k .or. y /= 1000 + before) then
            errors = errors + 1
            print *, 'wrong:', which, x, y
        end if
        sync all
    end subroutine
end program
