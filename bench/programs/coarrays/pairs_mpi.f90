! The rows of pairs.f90 by MPI-3 RMA: one window, one passive epoch, a flush where coarrays have a segment's end.
module pairs_by_mpi
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
    use, intrinsic :: iso_fortran_env, only: real64
    use mpi_f08
    use pair_rows
    implicit none
    real(real64), pointer :: remote(:)
    type(MPI_Win) :: window

contains

    subroutine open_window()
        type(c_ptr) :: memory
        integer(MPI_ADDRESS_KIND), parameter :: bytes = 8 * most
        call MPI_Win_allocate(bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window)
        call c_f_pointer(memory, remote, [most])
        call MPI_Win_lock_all(0, window)
    end subroutine

    subroutine close_window()
        call MPI_Win_unlock_all(window)
        call MPI_Win_free(window)
    end subroutine

    subroutine put_one()
        call MPI_Put(local, words, MPI_DOUBLE_PRECISION, partner - 1, 0_MPI_ADDRESS_KIND, words, MPI_DOUBLE_PRECISION, &
            window)
    end subroutine

    ! After each, the origin may be changed, as after an assignment to another image.
    subroutine put(n)
        integer, intent(in) :: n
        integer :: i
        if (sends) then
            do i = 1, n
                call put_one()
                call MPI_Win_flush_local(partner - 1, window)
            end do
            call MPI_Win_flush(partner - 1, window)
        end if
        call MPI_Barrier(MPI_COMM_WORLD)
    end subroutine

    subroutine put_sync(n)
        integer, intent(in) :: n
        integer :: i
        if (sends) then
            do i = 1, n
                call put_one()
                call MPI_Win_flush(partner - 1, window)
            end do
        end if
        call MPI_Barrier(MPI_COMM_WORLD)
    end subroutine

    subroutine get(n)
        integer, intent(in) :: n
        integer :: i
        if (sends) then
            do i = 1, n
                call MPI_Get(local, words, MPI_DOUBLE_PRECISION, partner - 1, 0_MPI_ADDRESS_KIND, words, &
                    MPI_DOUBLE_PRECISION, window)
                call MPI_Win_flush(partner - 1, window)
            end do
        end if
        call MPI_Barrier(MPI_COMM_WORLD)
    end subroutine
end module

program pairs
    use pairs_by_mpi
    use ranks
    implicit none
    call start_ranks()
    call choose_partner()
    call open_window()
    call run_pair_rows(remote, put, put_sync, get)
    call close_window()
    call end_ranks()
end program
