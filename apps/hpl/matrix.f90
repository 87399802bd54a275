!> This image's part of the matrix, whose column n + 1 is the right side, and the random numbers in it.
module matrix
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_int, c_intptr_t, c_long, c_null_ptr, c_ptr, c_size_t
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use grid
    implicit none
    private
    public :: lda, rows, columns, make_matrix, fill, element

    integer, protected :: lda, rows, columns  !< distance between this image's columns; its numbers of rows and columns

    interface
        type(c_ptr) function mmap(address, length, protection, flags, file, offset) bind(c)
            import :: c_int, c_long, c_ptr, c_size_t
            type(c_ptr), value :: address
            integer(c_size_t), value :: length
            integer(c_int), value :: protection, flags, file
            integer(c_long), value :: offset
        end function

        integer(c_int) function madvise(address, length, advice) bind(c)
            import :: c_int, c_ptr, c_size_t
            type(c_ptr), value :: address
            integer(c_size_t), value :: length
            integer(c_int), value :: advice
        end function
    end interface

contains

    !> Allocates and fills this image's part. Procedures receive it as an argument of explicit shape.
    subroutine make_matrix(a)
        real(real64), pointer, contiguous, intent(out) :: a(:, :)
        rows = local_count(n, myrow, nprow)
        columns = local_count(n + 1, mycol, npcol)
        ! The distance between columns is an odd number of cache lines: their first elements spread over all cache sets.
        ! Each column ends with a spare element, where a panel without rows on this image begins.
        lda = 8 * ior((rows + 8) / 8, 1)
        call c_f_pointer(private_memory(8_c_size_t * lda * max(columns, 1)), a, [lda, max(columns, 1)])
        call fill(a)
    end subroutine

    !> Private memory in huge pages, if the kernel provides them on request. In small pages each element of a row has
    !> its own page, which exceeds the processor's TLB. Shared memory (coarrays; with Copal, all allocated memory)
    !> seldom has huge pages, and no other image accesses the matrix.
    type(c_ptr) function private_memory(bytes)
        integer(c_size_t), intent(in) :: bytes
        integer(c_int), parameter :: read_write = 3, private_anonymous = 34, hugepage = 14  ! Linux's values
        integer(c_int) :: status
        private_memory = mmap(c_null_ptr, bytes, read_write, private_anonymous, -1_c_int, 0_c_long)
        if (transfer(private_memory, 0_c_intptr_t) == -1) error stop 'hpl: there is no memory for the matrix'
        status = madvise(private_memory, bytes, hugepage)  ! a failure does no harm
    end function

    subroutine fill(a)
        real(real64), intent(inout) :: a(lda, columns)
        integer :: row(rows), i, j
        row = [(global_index(i, myrow, nprow), i = 1, rows)]
        do j = 1, columns
            a(1:rows, j) = element(row, global_index(j, mycol, npcol))
        end do
    end subroutine

    !> Element (i, j), evenly distributed over [-0.5, 0.5). It depends on i and j alone: any image can generate any part
    !> of the matrix. The row is hashed with two words made from the column.
    elemental real(real64) function element(i, j)
        integer, intent(in) :: i, j
        integer(int64) :: word
        word = mix(ieor(int(i, int64), mix(2_int64 * j)))
        word = mix(ieor(word, mix(2_int64 * j + 1)))
        element = real(word, real64) * 2.0_real64**(-32) - 0.5_real64
    end function

    !> A bijection of 32-bit words, by shifts and multiplications with the constants of "lowbias32": each bit of the
    !> result depends on each bit of the argument. The second constant minus 2^32 avoids overflow.
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
