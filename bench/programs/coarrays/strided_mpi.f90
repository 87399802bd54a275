! The rows of strided.f90 by MPI-3 RMA: a section is a derived datatype, the same at both ends.
module strided_by_mpi
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
    use mpi_f08
    use strided_rows
    implicit none
    integer, pointer :: grid(:, :)
    type(MPI_Win) :: window
    type(MPI_Datatype) :: section = MPI_DATATYPE_NULL

contains

    subroutine open_window()
        type(c_ptr) :: memory
        integer(MPI_ADDRESS_KIND), parameter :: bytes = 4 * leading * width
        call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window)
        call c_f_pointer(memory, grid, [leading, width])
        call MPI_Win_lock_all(0, window)
    end subroutine

    subroutine close_window()
        call MPI_Type_free(section)
        call MPI_Win_unlock_all(window)
        call MPI_Win_free(window)
    end subroutine

    subroutine make_type()
        type(MPI_Datatype) :: column
        if (section /= MPI_DATATYPE_NULL) call MPI_Type_free(section)
        if (stride == 1) then
            call MPI_Type_contiguous(rows, MPI_INTEGER, column)
        else
            call MPI_Type_vector(rows, 1, stride, MPI_INTEGER, column)
        end if
        call MPI_Type_create_hvector(columns, 1, int(4 * leading * column_stride, MPI_ADDRESS_KIND), column, section)
        call MPI_Type_free(column)
        call MPI_Type_commit(section)
    end subroutine

    ! After each operation, the program may change the origin, as after an assignment to another image.
    subroutine put(n)
        integer, intent(in) :: n
        integer :: i, rank
        call MPI_Comm_rank(MPI_COMM_WORLD, rank)
        if (rank /= 0) return
        do i = 1, n
            call MPI_Put(own, 1, section, partner - 1, 0_MPI_ADDRESS_KIND, 1, section, window)
            call MPI_Win_flush_local(partner - 1, window)
        end do
        call MPI_Win_flush(partner - 1, window)
    end subroutine

    subroutine get(n)
        integer, intent(in) :: n
        integer :: i, rank
        call MPI_Comm_rank(MPI_COMM_WORLD, rank)
        if (rank /= 0) return
        do i = 1, n
            call MPI_Get(own, 1, section, partner - 1, 0_MPI_ADDRESS_KIND, 1, section, window)
            call MPI_Win_flush(partner - 1, window)
        end do
    end subroutine
end module

program strided
    use strided_by_mpi
    use ranks
    implicit none
    call start_ranks()
    call open_window()
    call run_strided_rows(grid, put, get, make_type)
    call close_window()
    call end_ranks()
end program
