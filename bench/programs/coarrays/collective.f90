! images: 2 4
! args: check
! sources: bench/timing/timing.f90 bench/timing/images.f90
! co_sum and co_broadcast over all images.
module collective_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use timing
    implicit none
    real(real64), allocatable :: x(:)
    integer :: root = 1

contains

    ! In place: each call sums the results of the previous call, so the values must be zero to stay constant.
    subroutine do_co_sum(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            call co_sum(x)
        end do
    end subroutine

    ! The root changes with each call, so an image cannot send before it has received: the figure is a latency.
    subroutine do_co_broadcast(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            root = mod(root, num_images()) + 1
            call co_broadcast(x, root)
        end do
    end subroutine
end module

program collective
    use collective_rows
    use images
    implicit none
    integer, parameter :: lengths(3) = [1, 512, 131072]
    integer :: i

    call start_images()
    do i = 1, size(lengths)
        allocate (x(lengths(i)))
        call sum_row()
        call broadcast_row()
        deallocate (x)
    end do
    call end_images()

contains

    subroutine sum_row()
        integer :: k, image
        x = 0
        call measure('co_sum', size(x) * 8, do_co_sum)
        x = pattern(this_image(), [(k, k = 1, size(x))])
        call do_co_sum(1)
        do k = 1, size(x)
            call expect('co_sum', k, x(k), sum([(pattern(image, k), image = 1, num_images())]))
        end do
    end subroutine

    ! Every image is the root once; then all images must have the last root's pattern.
    subroutine broadcast_row()
        integer :: k, image
        x = pattern(this_image(), [(k, k = 1, size(x))])
        call measure('co_broadcast', size(x) * 8, do_co_broadcast)
        do image = 1, num_images()
            x = pattern(this_image(), [(k, k = 1, size(x))])
            root = image - 1
            if (root == 0) root = num_images()
            call do_co_broadcast(1)
            call expect_pattern('co_broadcast', x, image)
        end do
    end subroutine
end program
