! The exchange of offprocess.f90 by messages: both receives, both sends, and a wait for all.
module offprocess_mpi_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use mpi_f08
    use timing
    implicit none

    integer, parameter :: to_right = 1, to_left = 2  ! tags
    integer :: block, left, right
    real(real64), allocatable, asynchronous :: given(:), incoming(:)
    real(real64), allocatable :: received(:)

contains

    subroutine messages(n)
        integer, intent(in) :: n
        type(MPI_Request) :: requests(4)
        integer :: i
        do i = 1, n
            call MPI_Irecv(incoming(1), block, MPI_DOUBLE_PRECISION, left, to_right, MPI_COMM_WORLD, requests(1))
            call MPI_Irecv(incoming(block + 1), block, MPI_DOUBLE_PRECISION, right, to_left, MPI_COMM_WORLD, &
                requests(2))
            call MPI_Isend(given(block + 1), block, MPI_DOUBLE_PRECISION, right, to_right, MPI_COMM_WORLD, requests(3))
            call MPI_Isend(given(1), block, MPI_DOUBLE_PRECISION, left, to_left, MPI_COMM_WORLD, requests(4))
            call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
            received(1:2 * block) = incoming(1:2 * block)
        end do
    end subroutine
end module

program offprocess_mpi
    use offprocess_mpi_rows
    use ranks
    implicit none
    integer, parameter :: blocks(3) = [16, 128, 1024]
    integer :: step, i

    call start_ranks()
    left = modulo(bench%me - 2, bench%images)
    right = modulo(bench%me, bench%images)
    allocate (given(2 * maxval(blocks)), incoming(2 * maxval(blocks)), received(2 * maxval(blocks)))
    do step = 1, size(blocks)
        block = blocks(step)
        call measure('messages', 8 * block, messages)
        given = [(pattern(step * bench%images + bench%me, i), i = 1, size(given))]
        received = 0
        call messages(1)
        call expect_pattern('messages', received(1:block), step * bench%images + left + 1, block + 1, 1)
        do i = 1, block
            call expect('messages', i, received(block + i), pattern(step * bench%images + right + 1, i))
        end do
    end do
    call end_ranks()
end program
