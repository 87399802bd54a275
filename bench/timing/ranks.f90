!> How the ranks of an MPI twin start, agree and end: images.f90 for MPI.
module ranks
    use mpi_f08
    use timing
    implicit none
    private
    public :: start_ranks, end_ranks

contains

    subroutine start_ranks()
        integer :: rank, count
        call MPI_Init()
        call MPI_Comm_rank(MPI_COMM_WORLD, rank)
        call MPI_Comm_size(MPI_COMM_WORLD, count)
        call start_timing(rank + 1, count, agree)
    end subroutine

    integer function agree(value)
        integer, intent(in) :: value
        agree = value
        call MPI_Bcast(agree, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
        call MPI_Barrier(MPI_COMM_WORLD)
    end function

    subroutine end_ranks()
        call end_timing()
        call MPI_Finalize()
        if (bench%errors > 0) error stop 1
    end subroutine
end module
