! The rows of barriers.f90 by MPI: MPI_Barrier, and messages of a number each, to and from those whom an image meets.
module barrier_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use mpi_f08
    use timing
    implicit none
    integer :: rounds = 0              ! a rank tells them to those it meets
    integer :: failures
    integer, allocatable :: others(:)  ! the ranks it meets, from 1 on
    integer, allocatable :: heard(:)
    type(MPI_Request), allocatable :: requests(:)

contains

    subroutine sync_all(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            call MPI_Barrier(MPI_COMM_WORLD)
        end do
    end subroutine

    subroutine meet(n)
        integer, intent(in) :: n
        integer :: i, k
        do i = 1, n
            rounds = rounds + 1
            do k = 1, size(others)
                call MPI_Irecv(heard(k), 1, MPI_INTEGER, others(k) - 1, 1, MPI_COMM_WORLD, requests(k))
            end do
            do k = 1, size(others)
                call MPI_Isend(rounds, 1, MPI_INTEGER, others(k) - 1, 1, MPI_COMM_WORLD, requests(size(others) + k))
            end do
            call MPI_Waitall(2 * size(others), requests, MPI_STATUSES_IGNORE)
            if (any(heard(:size(others)) /= rounds)) failures = failures + 1
        end do
    end subroutine

    subroutine meeting_row(row, whom)
        character(len=*), intent(in) :: row
        integer, intent(in) :: whom(:)
        others = whom
        failures = 0
        call measure(row, 0, meet)
        call expect(row, 0, real(failures, real64), 0.0_real64)
    end subroutine
end module

program barriers
    use barrier_rows
    use ranks
    implicit none
    integer :: left, right, i

    call start_ranks()
    left = modulo(bench%me - 2, bench%images) + 1
    right = mod(bench%me, bench%images) + 1
    allocate (heard(bench%images), requests(2 * bench%images))

    call measure('sync_all', 0, sync_all)
    if (left == right) then
        call meeting_row('sync_ring', [left])
    else
        call meeting_row('sync_ring', [left, right])
    end if
    if (bench%me == 1) then
        call meeting_row('sync_first', [(i, i = 2, bench%images)])
    else
        call meeting_row('sync_first', [1])
    end if
    call end_ranks()
end program
