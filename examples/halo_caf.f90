! run: cafrun -n 4 ./halo_caf
! prints: 4 images: every halo is right
! A field of 2 dimensions cut into blocks, one for each image of a grid of images; every image fetches the rows and
! columns next to its block from its neighbours.
program halo_caf
    implicit none
    integer, parameter :: n = 8
    real, allocatable :: u(:, :)[:, :]  ! two cosubscripts: the images form a grid, as in u(1, 1)[row, column]
    integer :: rows, here(2), i, errors

    rows = merge(2, 1, mod(num_images(), 2) == 0)
    allocate (u(0:n + 1, 0:n + 1)[rows, *])
    here = this_image(u)
    u = -1
    do i = 1, n
        u(1:n, i) = [(value(here, [errors, i]), errors = 1, n)]
    end do

    sync all    ! all blocks are filled before an image reads them
    associate (r => here(1), c => here(2))
        if (exists([r - 1, c])) u(0, 1:n) = u(n, 1:n)[r - 1, c]         ! a row is strided in memory,
        if (exists([r + 1, c])) u(n + 1, 1:n) = u(1, 1:n)[r + 1, c]
        if (exists([r, c - 1])) u(1:n, 0) = u(1:n, n)[r, c - 1]         ! a column is contiguous
        if (exists([r, c + 1])) u(1:n, n + 1) = u(1:n, 1)[r, c + 1]
    end associate
    sync all    ! no image changes a block before all images have read it

    errors = 0
    do i = 1, n
        call expect(0, i, here - [1, 0], [n, i])
        call expect(n + 1, i, here + [1, 0], [1, i])
        call expect(i, 0, here - [0, 1], [i, n])
        call expect(i, n + 1, here + [0, 1], [i, 1])
    end do
    call co_sum(errors)
    if (errors > 0) error stop 'a halo is wrong'
    if (this_image() == 1) print '(i0,a)', num_images(), ' images: every halo is right'

contains

    logical function exists(image)
        integer, intent(in) :: image(2)
        exists = image_index(u, image) > 0  ! 0 where no image has such cosubscripts
    end function

    ! A value that no other element of any image has.
    real function value(image, at)
        integer, intent(in) :: image(2), at(2)
        value = 10000 * image(1) + 1000 * image(2) + 10 * at(1) + at(2)
    end function

    subroutine expect(row, column, image, at)
        integer, intent(in) :: row, column, image(2), at(2)
        real :: want
        want = -1
        if (exists(image)) want = value(image, at)
        if (.not. abs(u(row, column) - want) <= 0) errors = errors + 1
    end subroutine
end program
