! images: 1 2 3
! compilers: 15 16
! A put of an array expression of this image's coarray. gfortran makes the expression's temporary a coarray, which the
! images that do not execute the put would have to allocate, too.
program mended_temporary
    use check_m, only: check, check_end
    implicit none
    integer, save :: u(10, 6)[*]
    integer(8), save :: x(10, 6)[*]
    integer(8) :: a(10, 6)
    integer :: i, n
    n = num_images()
    x = reshape([(this_image() * 100 + i, i = 1, 60)], [10, 6])
    a = -x
    u = 0
    sync all
    if (this_image() == n) then
        call put(3, 5)
        do i = 1, 3
            u(2:6:2, 4:6)[1] = merge(x(1:3, 3:1:-1), a(2:6:2, 1:3), i < 3)
            u(1:i, 1)[1] = merge(x(1:i, 2), a(1:i, 2), i == 3)
        end do
    end if
    sync all
    if (this_image() == 1) then
        call check(all(u(1:3, 1) == n * 100 + [11, 12, 13]), 'a column')
        call check(all(u(3:5, 3) == n * 100 + [13, 14, 15]), 'a column, put by a procedure')
        call check(all(u(2:6:2, 5) == -n * 100 - [12, 14, 16]), 'a section with steps')
    end if
    call check_end
contains
    subroutine put(i1, i2)    ! ends the temporary
        integer, intent(in) :: i1, i2
        u(i1:i2, 3)[1] = abs(x(i1:i2, 2))
    end subroutine
end program
