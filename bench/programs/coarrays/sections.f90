! images: 2
! args: check
! flags: -cpp -ffree-line-length-none
! sources: bench/timing/timing.f90 bench/timing/images.f90
! Put and get between two images: scalars, sections of a matrix, elements behind a pointer component. In a module
! procedure, gfortran 15 and 16 cannot compile accesses to coarrays of its module, or of modules that this module uses.
! Therefore each procedure uses the coarrays' module itself.
module section_coarrays
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none

    integer, parameter :: n_grid = 512, n_matrix = 1024, n_list = 1024

    type list
        real(real64), pointer :: p(:) => null()
    end type

    real(real64), save :: scalar[*], grid(n_grid, n_grid)[*], matrix(n_matrix, n_matrix)[*]
    type(list), save :: lists[*]
end module

module section_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use timing
    use section_coarrays, only: n_grid, n_matrix, n_list
    implicit none

    integer, parameter :: a_row = 77, a_column = 78
    real(real64), allocatable, target :: elements(:)

    real(real64) :: single, local(n_matrix), half(n_grid / 2, n_grid / 2), own(n_grid, n_grid), total
    integer :: seed = 0      ! differs in each row, so that data of an earlier row fails the check
    integer :: peer          ! image 1's peer is 2; known only at run time, as in a program

contains

    ! Defines a row: image 1 executes the statement n times.
#define TIMES(NAME, STATEMENT) subroutine NAME(n); use section_coarrays; integer, intent(in) :: n; integer :: i; \
    if (this_image() /= 1) return; do i = 1, n; STATEMENT; end do; end subroutine
    TIMES(put_scalar, scalar[peer] = single)
    TIMES(get_scalar, single = scalar[peer])

    ! Every second element of both dimensions, on both sides.
    TIMES(put_section, grid(1:n_grid:2, 1:n_grid:2)[peer] = own(1:n_grid:2, 1:n_grid:2))
    TIMES(get_section, own(1:n_grid:2, 1:n_grid:2) = grid(1:n_grid:2, 1:n_grid:2)[peer])

    ! The same section, from or to a whole array.
    TIMES(put_packed, grid(1:n_grid:2, 1:n_grid:2)[peer] = half)
    TIMES(get_packed, half(:, :) = grid(1:n_grid:2, 1:n_grid:2)[peer])
    TIMES(put_row, matrix(a_row, :)[peer] = local(:n_matrix))
    TIMES(get_row, local(:n_matrix) = matrix(a_row, :)[peer])
    TIMES(put_column, matrix(:, a_column)[peer] = local(:n_matrix))
    TIMES(get_column, local(:n_matrix) = matrix(:, a_column)[peer])

    ! Transfers one element in each call.
    subroutine get_element(n)
        use section_coarrays
        integer, intent(in) :: n
        integer :: i
        if (this_image() /= 1) return
        total = 0
        do i = 1, n
            total = total + lists[peer]%p(mod(i, n_list) + 1)
        end do
    end subroutine
end module

program sections
    use section_coarrays
    use section_rows
    use images
    implicit none

    call start_images()
    peer = mod(this_image(), num_images()) + 1

    call scalar_rows()
    call grid_rows()
    call row_rows()
    call column_rows()
    call element_row('get_element')
    call element_row('get_element_target')
    call end_images()

contains

    subroutine scalar_rows()
        seed = seed + 1
        single = pattern(seed, 1)
        call measure('put_scalar', 8, put_scalar)
        if (this_image() == 2) call expect('put_scalar', 1, scalar, pattern(seed, 1))
        scalar = pattern(seed, this_image())
        call measure('get_scalar', 8, get_scalar)
        if (this_image() == 1) call expect('get_scalar', 2, single, pattern(seed, 2))
    end subroutine

    ! Image 1 writes a pattern and image 2 checks it; then image 1 reads another pattern from image 2. Before each
    ! transfer, the source has a new pattern and the destination has other data.
    function own_pattern(n, image) result(x)
        integer, intent(in) :: n, image
        real(real64), allocatable :: x(:)
        integer :: k
        seed = seed + 1
        allocate (x(n))
        x = merge(pattern(seed, [(k, k = 1, n)]), -0.5_real64, this_image() == image)
    end function

    subroutine grid_rows()
        integer, parameter :: n = n_grid**2, bytes = n / 4 * 8

        own = reshape(own_pattern(n, 1), [n_grid, n_grid])
        grid = 0.25_real64
        call measure('put_section', bytes, put_section)
        if (this_image() == 2) call expect_section('put_section', grid, 0.25_real64)

        grid = reshape(own_pattern(n, 2), [n_grid, n_grid])
        own = 0.25_real64
        call measure('get_section', bytes, get_section)
        if (this_image() == 1) call expect_section('get_section', own, 0.25_real64)

        own = reshape(own_pattern(n, 1), [n_grid, n_grid])
        half = own(1:n_grid:2, 1:n_grid:2)
        grid = 0.125_real64
        call measure('put_packed', bytes, put_packed)
        if (this_image() == 2) call expect_section('put_packed', grid, 0.125_real64)

        grid = reshape(own_pattern(n, 2), [n_grid, n_grid])
        call measure('get_packed', bytes, get_packed)
        own = 0.125_real64
        own(1:n_grid:2, 1:n_grid:2) = half
        if (this_image() == 1) call expect_section('get_packed', own, 0.125_real64)
    end subroutine

    ! Checks that the section has the pattern, and that all other elements are unchanged.
    subroutine expect_section(row, x, around)
        character(len=*), intent(in) :: row
        real(real64), intent(in) :: x(:, :), around
        integer :: j, k
        do k = 1, n_grid
            do j = 1, n_grid
                if (mod(j, 2) == 1 .and. mod(k, 2) == 1) then
                    call expect(row, j + (k - 1) * n_grid, x(j, k), pattern(seed, j + (k - 1) * n_grid))
                else
                    call expect(row, j + (k - 1) * n_grid, x(j, k), around)
                end if
            end do
        end do
    end subroutine

    subroutine row_rows()
        call start_put()
        call measure('put_row', n_matrix * 8, put_row)
        if (this_image() == 2) call expect_line('put_row', matrix(a_row, :))
        matrix(a_row, :) = own_pattern(n_matrix, 2)
        call measure('get_row', n_matrix * 8, get_row)
        if (this_image() == 1) call expect_pattern('get_row', local(:n_matrix), seed)
    end subroutine

    subroutine column_rows()
        call start_put()
        call measure('put_column', n_matrix * 8, put_column)
        if (this_image() == 2) call expect_line('put_column', matrix(:, a_column))
        matrix(:, a_column) = own_pattern(n_matrix, 2)
        call measure('get_column', n_matrix * 8, get_column)
        if (this_image() == 1) call expect_pattern('get_column', local(:n_matrix), seed)
    end subroutine

    subroutine start_put()
        local(:n_matrix) = own_pattern(n_matrix, 1)
        matrix = 0.25_real64
    end subroutine

    ! Checks that one line of the matrix has the pattern, and that all other elements are unchanged.
    subroutine expect_line(row, line)
        character(len=*), intent(in) :: row
        real(real64), intent(in) :: line(:)
        call expect_pattern(row, line, seed)
        call expect(row, 0, sum(matrix) - sum(line), 0.25_real64 * n_matrix * (n_matrix - 1))
    end subroutine

    ! The component's target: memory allocated through it, or a variable that is not a coarray.
    subroutine element_row(row)
        character(len=*), intent(in) :: row
        integer :: k
        if (row == 'get_element') then
            allocate (lists%p(n_list))
        else
            allocate (elements(n_list))
            lists%p => elements
        end if
        lists%p = own_pattern(n_list, 2)
        call measure(row, 8, get_element)
        sync all
        call get_element(n_list)
        if (this_image() == 1) call expect(row, 1, total, sum(pattern(seed, [(k, k = 1, n_list)])))
        sync all
        if (row == 'get_element') deallocate (lists%p)
    end subroutine
end program
