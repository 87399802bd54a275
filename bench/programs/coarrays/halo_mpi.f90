! The halo exchange of halo.f90 by an MPI neighbourhood collective: packed, MPI_Neighbor_alltoallv, unpacked.
module halo_mpi_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use mpi_f08
    use timing
    use mesh
    implicit none

    type(part) :: mine
    type(MPI_Comm) :: around
    real(real64), allocatable :: v(:), outgoing(:), incoming(:)
    integer, allocatable :: counts(:), starts(:)

contains

    subroutine neighbourhood(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            call pack_given(mine, v, outgoing)
            call MPI_Neighbor_alltoallv(outgoing, counts, starts, MPI_DOUBLE_PRECISION, incoming, counts, starts, &
                MPI_DOUBLE_PRECISION, around)
            call unpack_needed(mine, v, incoming)
        end do
    end subroutine
end module

program halo_mpi
    use halo_mpi_rows
    use ranks
    implicit none
    integer :: point, j
    integer, allocatable :: beside(:), ones(:)

    call start_ranks()
    mine = make_part(bench%me, bench%images)
    j = size(mine%neighbours)
    allocate (beside(j), counts(j), starts(j), ones(j))
    beside = [(mine%neighbours(j)%part - 1, j = 1, size(mine%neighbours))]
    counts = [(size(mine%neighbours(j)%needed), j = 1, size(mine%neighbours))]
    starts = [(mine%neighbours(j)%first - 1, j = 1, size(mine%neighbours))]
    ones = 1
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, size(beside), beside, ones, size(beside), beside, ones, &
        MPI_INFO_NULL, .false., around)
    allocate (v(mine%all), source=0.0_real64)
    allocate (outgoing(halo_size(mine)), incoming(halo_size(mine)))

    call measure('neighbourhood', halo_size(mine) * 8, neighbourhood)
    v(:mine%owned) = value_at(mine%id(:mine%owned), 1)
    v(mine%owned + 1:) = 0.5_real64
    call neighbourhood(1)
    point = error_in(mine, v, 1)
    if (point > 0) call expect('neighbourhood', point, v(point), value_at(mine%id(point), 1))

    call end_ranks()
end program
