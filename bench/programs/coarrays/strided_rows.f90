!> Two-dimensional sections of a larger array, between images 1 and 2, and their check. Uses neither coarrays nor MPI.
!> All sections have 8192 elements of 4 bytes:
!>   section  128 rows (every stride-th row) x 64 columns (every second column): more elements in the first dimension
!>   wide     32 rows (every stride-th row) x 256 columns (every second column): more elements in the second dimension
!>   run      contiguous runs in neighbouring columns, as in a block of a matrix or a face of a halo
module strided_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use timing
    implicit none
    private
    public :: leading, width, own, last_row, last_column, stride, column_stride, rows, columns, partner
    public :: run_strided_rows

    integer, parameter :: leading = 4096, width = 512  !< rows and columns of the array
    integer, parameter :: elements = 8192
    integer, parameter :: strides(*) = [1, 2, 4, 8, 16, 32], runs(*) = [16, 64, 256, 1024]
    integer, parameter :: around = -1

    integer :: own(leading, width)
    integer :: rows, stride, last_row               !< the current section's rows are 1:last_row:stride
    integer :: columns, column_stride, last_column  !< its columns likewise
    integer :: partner = 1                          !< the image with which image 1 exchanges data
    integer :: moved = 0                            !< number of patterns so far (fill)

    abstract interface
        !> Prepares a section; not timed.
        subroutine preparation()
        end subroutine
    end interface

contains

    subroutine run_strided_rows(grid, put, get, prepare)
        integer, intent(inout), target :: grid(:, :)
        procedure(operation) :: put, get
        procedure(preparation), optional :: prepare
        integer :: i
        partner = min(2, bench%images)
        do i = 1, size(strides), merge(2, 1, bench%quick)
            call choose(128, strides(i), 2)
            if (present(prepare)) call prepare()
            call put_row('put_section', field('stride', strides(i)), put, grid)
            call get_row('get_section', field('stride', strides(i)), get, grid)
            call choose(32, strides(i), 2)
            if (present(prepare)) call prepare()
            call put_row('put_wide', field('stride', strides(i)), put, grid)
        end do
        do i = 1, size(runs), merge(3, 1, bench%quick)
            call choose(runs(i), 1, 1)
            if (present(prepare)) call prepare()
            call put_row('put_run', field('run', runs(i) * 4), put, grid)
            call get_row('get_run', field('run', runs(i) * 4), get, grid)
        end do
    end subroutine

    subroutine choose(many_rows, every, every_column)
        integer, intent(in) :: many_rows, every, every_column
        rows = many_rows
        stride = every
        last_row = (rows - 1) * stride + 1
        columns = elements / rows
        column_stride = every_column
        last_column = (columns - 1) * column_stride + 1
    end subroutine

    subroutine put_row(row, fields, put, grid)
        character(len=*), intent(in) :: row, fields
        procedure(operation) :: put
        integer, intent(inout), target :: grid(:, :)
        call fill(own)
        grid = around
        call measure(row, elements * 4, put, fields=fields)
        if (bench%me == partner) call expect_section(row, grid, 1)
    end subroutine

    subroutine get_row(row, fields, get, grid)
        character(len=*), intent(in) :: row, fields
        procedure(operation) :: get
        integer, intent(inout), target :: grid(:, :)
        call fill(grid)
        own = around
        call measure(row, elements * 4, get, fields=fields)
        if (bench%me == 1) call expect_section(row, own, partner)
    end subroutine

    !> Makes a new pattern, which depends on this image.
    subroutine fill(x)
        integer, intent(inout) :: x(:, :)
        integer :: i, j
        moved = moved + 1
        do j = 1, width
            x(:, j) = [(value_at(i, j, bench%me), i = 1, leading)]
        end do
    end subroutine

    elemental integer function value_at(i, j, image)
        integer, intent(in) :: i, j, image
        value_at = (moved * 16 + image) * leading * width + (j - 1) * leading + i
    end function

    !> Checks that the section has the pattern of image `from`, and that all other elements are unchanged.
    subroutine expect_section(row, x, from)
        character(len=*), intent(in) :: row
        integer, intent(in) :: x(:, :), from
        integer :: want(leading), i, j
        do j = 1, width
            want = around
            if (j <= last_column .and. mod(j - 1, column_stride) == 0) &
                want(1:last_row:stride) = [(value_at(i, j, from), i = 1, last_row, stride)]
            if (all(x(:, j) == want)) cycle
            do i = 1, leading
                call expect(row, (j - 1) * leading + i, real(x(i, j), real64), real(want(i), real64))
            end do
        end do
    end subroutine
end module
