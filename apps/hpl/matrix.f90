!> The matrix, its right side being column n + 1: this image's part, and the numbers it is made of.
module matrix
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use grid
    implicit none
    private
    public :: a, lda, rows, columns, matrix_start, fill, element

    real(real64), allocatable :: a(:, :)
    integer, protected :: lda, rows, columns

contains

    subroutine matrix_start()
        rows = local_count(n, myrow, nprow)
        columns = local_count(n + 1, mycol, npcol)
        ! Columns are whole cache lines apart, but an odd number of them: their heads then spread over all cache sets.
        lda = 8 * ior((max(rows, 1) + 7) / 8, 1)
        allocate (a(lda, columns))
        call fill()
    end subroutine

    subroutine fill()
        integer :: row(rows), i, j
        row = [(global_index(i, myrow, nprow), i = 1, rows)]
        do j = 1, columns
            a(1:rows, j) = element(row, global_index(j, mycol, npcol))
        end do
    end subroutine

    !> Element (i, j), evenly distributed over [-0.5, 0.5): a function of i and j alone, so that any image can make any
    !> part of the matrix. The row is hashed with two words made from the column.
    elemental real(real64) function element(i, j)
        integer, intent(in) :: i, j
        integer(int64) :: word
        word = mix(ieor(int(i, int64), mix(2_int64 * j)))
        word = mix(ieor(word, mix(2_int64 * j + 1)))
        element = real(word, real64) * 2.0_real64**(-32) - 0.5_real64
    end function

    !> A bijection of 32-bit words in which every bit of one depends on every bit of the other: shifts and
    !> multiplications with the constants of "lowbias32". The second constant is taken less 2^32: nothing overflows.
    elemental integer(int64) function mix(word)
        integer(int64), intent(in) :: word
        integer(int64), parameter :: low = 2_int64**32 - 1
        mix = iand(word, low)
        mix = ieor(mix, shiftr(mix, 16))
        mix = iand(mix * int(z'7feb352d', int64), low)
        mix = ieor(mix, shiftr(mix, 15))
        mix = iand(mix * (int(z'846ca68b', int64) - 2_int64**32), low)
        mix = ieor(mix, shiftr(mix, 16))
    end function
end module
