! The Himeno benchmark of apps/himeno with MPI in place of coarrays: nonblocking messages of subarrays, and a reduction.
!   himeno_mpi SIZE SWEEPS
program himeno_mpi
    use, intrinsic :: iso_fortran_env, only: error_unit, real32, real64
    use mpi_f08
    use problem
    implicit none

    ! A neighbour across a face or an edge, and the parts of the field that this rank sends to it and receives from it.
    type border
        integer :: rank, tag
        type(MPI_Datatype) :: sent, received
    end type

    type(grid) :: g
    type(part) :: x
    type(border), allocatable :: borders(:)
    type(MPI_Request), allocatable :: requests(:)
    real(real32), allocatable :: p(:, :, :)
    real(real64) :: gosa, mine, begin, seconds, known
    integer :: rank, ranks, cut(3), place(3), sweeps, n, d1, d2, d3
    character(len=32) :: argument

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call get_command_argument(1, argument)
    g = find_grid(trim(argument))
    call get_command_argument(2, argument)
    read (argument, *) sweeps
    known = known_gosa(g, sweeps)
    cut = best_cut(g, ranks)
    if (any(cut == 0) .or. .not. known > 0) then
        write (error_unit, '(a)') 'himeno_mpi: give a size and a number of sweeps of which gosa is known'
        call MPI_Abort(MPI_COMM_WORLD, 2)
    end if

    place = 1 + [mod(rank, cut(1)), mod(rank / cut(1), cut(2)), rank / (cut(1) * cut(2))]
    x = make_part(g, cut, place)
    allocate (p(0:x%points(1) + 1, 0:x%points(2) + 1, 0:x%points(3) + 1), borders(0))
    call first_field(g, x, p)
    do d3 = -1, 1
        do d2 = -1, 1
            do d1 = -1, 1
                call add_border([d1, d2, d3])
            end do
        end do
    end do
    allocate (requests(2 * size(borders)))

    call MPI_Barrier(MPI_COMM_WORLD)
    begin = MPI_Wtime()
    do n = 1, sweeps
        call sweep(x, p, mine)
        p(1:x%points(1), 1:x%points(2), 1:x%points(3)) = x%wrk2
        call exchange()
        call MPI_Allreduce(mine, gosa, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    end do
    call MPI_Barrier(MPI_COMM_WORLD)
    seconds = MPI_Wtime() - begin

    if (rank == 0) then
        write (*, '(a,i0,a,f0.1,a)') 'Himeno ' // trim(g%name) // ', ', ranks, ' ranks: ', &
            megaflops(g, sweeps, seconds), ' MFLOPS'
        write (*, '(a,es14.7)') '  gosa      ', gosa, '  reference ', known
    end if
    call MPI_Finalize()
    if (abs(gosa - known) > 1e-6_real64 * known) error stop 'himeno_mpi: gosa is wrong'

contains

    subroutine add_border(step)
        integer, intent(in) :: step(3)
        integer :: there(3), starts(3), extents(3)
        type(border) :: b
        there = place + step
        if (sum(abs(step)) < 1 .or. sum(abs(step)) > 2 .or. any(there < 1 .or. there > cut)) return
        b%rank = there(1) - 1 + cut(1) * (there(2) - 1 + cut(2) * (there(3) - 1))
        b%tag = number(step)
        extents = merge(1, x%points, step /= 0)
        starts = merge(x%points, 1, step == 1)
        call MPI_Type_create_subarray(3, x%points + 2, extents, starts, MPI_ORDER_FORTRAN, MPI_REAL, b%sent)
        starts = merge(x%points + 1, merge(0, 1, step == -1), step == 1)
        call MPI_Type_create_subarray(3, x%points + 2, extents, starts, MPI_ORDER_FORTRAN, MPI_REAL, b%received)
        call MPI_Type_commit(b%sent)
        call MPI_Type_commit(b%received)
        borders = [borders, b]
    end subroutine

    ! A message's tag is its direction, so a message from a neighbour has the opposite direction's number.
    pure integer function number(step)
        integer, intent(in) :: step(3)
        number = 13 + step(1) + 3 * step(2) + 9 * step(3)
    end function

    subroutine exchange()
        integer :: i
        do i = 1, size(borders)
            associate (b => borders(i))
                call MPI_Irecv(p, 1, b%received, b%rank, 26 - b%tag, MPI_COMM_WORLD, requests(2 * i - 1))
                call MPI_Isend(p, 1, b%sent, b%rank, b%tag, MPI_COMM_WORLD, requests(2 * i))
            end associate
        end do
        call MPI_Waitall(size(requests), requests, MPI_STATUSES_IGNORE)
    end subroutine
end program
