! The rows of locks.f90 by MPI-3 RMA: an exclusive lock of the window of rank 0.
module lock_rows
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
    use, intrinsic :: iso_fortran_env, only: real64
    use mpi_f08
    use timing
    implicit none
    integer, pointer :: total
    type(MPI_Win) :: guard
    integer :: counted = 0  ! by this rank

contains

    subroutine open_window()
        type(c_ptr) :: memory
        call MPI_Win_allocate(4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, guard)
        call c_f_pointer(memory, total)
        call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, bench%me - 1, 0, guard)
        total = 0
        call MPI_Win_unlock(bench%me - 1, guard)
        call MPI_Barrier(MPI_COMM_WORLD)
    end subroutine

    subroutine lock_empty(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, guard)
            call MPI_Win_unlock(0, guard)
        end do
        call MPI_Barrier(MPI_COMM_WORLD)
    end subroutine

    subroutine lock_count(n)
        integer, intent(in) :: n
        integer :: i, there
        do i = 1, n
            call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, guard)
            call MPI_Get(there, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, guard)
            call MPI_Win_flush(0, guard)
            there = there + 1
            call MPI_Put(there, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, guard)
            call MPI_Win_unlock(0, guard)
        end do
        call MPI_Barrier(MPI_COMM_WORLD)
        counted = counted + n
    end subroutine

    real(real64) function per_acquisition(us)
        real(real64), intent(in) :: us
        per_acquisition = us / bench%images
    end function

    subroutine check_total()
        integer :: there
        if (bench%me /= 1) return
        call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, guard)
        there = total
        call MPI_Win_unlock(0, guard)
        call expect('lock_count', 0, real(there, real64), real(counted, real64) * bench%images)
    end subroutine
end module

program locks
    use lock_rows
    use ranks
    implicit none
    call start_ranks()
    call open_window()
    call measure('lock_empty', 0, lock_empty, figure=per_acquisition)
    call measure('lock_count', 0, lock_count, figure=per_acquisition)
    call lock_count(100)
    call check_total()
    call MPI_Win_free(guard)
    call end_ranks()
end program
