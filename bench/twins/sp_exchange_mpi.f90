!> apps/sp/exchange.f90 with MPI: the same messages, by nonblocking sends, with receives that are posted before a sweep.
module exchange
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use faces
    use grid
    use mpi_f08
    implicit none
    private
    public :: join, leave, open_exchange, exchange_faces, outbox, send, inbox, meet, gather_values

    character(len=3), parameter, public :: paths(1) = ['mpi']
    character(len=*), parameter, public :: path_list = 'mpi'

    integer, parameter, public :: onward = 1, back = 2      !< the directions of a sweep
    integer, parameter, public :: handed_over(2) = [11, 5]  !< values for a point of the two rows, for each direction

    type row_box
        real(dp), pointer, contiguous :: rows(:, :, :, :, :, :) => null()  !< (line, row, value, plane, slab, axis)
    end type

    integer :: slabs
    type(row_box) :: rows_in(2), rows_out(2)                            ! (way)
    type(MPI_Request), allocatable :: receives(:, :, :), sends(:, :, :) ! (way, slab, axis)
    real(dp), pointer, contiguous :: faces_in(:, :, :, :), faces_out(:, :, :, :)  ! (value, cell, side, axis)

contains

    subroutine join(me, n_pes)
        integer, intent(out) :: me, n_pes
        call MPI_Init()
        call MPI_Comm_rank(MPI_COMM_WORLD, me)
        call MPI_Comm_size(MPI_COMM_WORLD, n_pes)
    end subroutine

    subroutine leave()
        call MPI_Finalize()
    end subroutine

    subroutine meet()
        call MPI_Barrier(MPI_COMM_WORLD)
    end subroutine

    !> There is only one data path.
    subroutine open_exchange(g, way_to_send, u)
        type(partition), intent(in) :: g
        integer, intent(in) :: way_to_send
        real(dp), pointer, contiguous, intent(out) :: u(:, :, :, :, :)
        integer :: pitch, way, m
        if (way_to_send /= 1) call MPI_Abort(MPI_COMM_WORLD, 1)
        slabs = g%slabs
        m = g%most
        pitch = m + 2 * layers
        allocate (u(pitch, pitch, pitch, 5, slabs))
        allocate (faces_in(5 * layers * m**2, slabs, 2, 3), faces_out(5 * layers * m**2, slabs, 2, 3))
        allocate (receives(2, slabs, 3), sends(2, slabs, 3))
        receives = MPI_REQUEST_NULL
        sends = MPI_REQUEST_NULL
        do way = onward, back
            allocate (rows_in(way)%rows(m, 2, handed_over(way), m, slabs, 3), source=0.0_dp)
            allocate (rows_out(way)%rows(m, 2, handed_over(way), m, slabs, 3), source=0.0_dp)
        end do
        call make_receives(g)
    end subroutine

    !> The receives of each sweep. The first slab of the forward sweep, and the last slab of the backward sweep, receive
    !> no message: their zeros are the boundary.
    subroutine make_receives(g)
        type(partition), intent(in) :: g
        integer :: axis, slab
        do axis = 1, 3
            do slab = 2, slabs
                call make_receive(onward, slab, g%previous(axis))
                call make_receive(back, slab - 1, g%next(axis))
            end do
        end do

    contains

        subroutine make_receive(way, slab, pe)
            integer, intent(in) :: way, slab, pe
            associate (rows => rows_in(way)%rows)
                call MPI_Recv_init(rows(:, :, :, :, slab, axis), size(rows(:, :, :, :, slab, axis)), &
                    MPI_DOUBLE_PRECISION, pe, row_tag(axis, slab, way), MPI_COMM_WORLD, receives(way, slab, axis))
            end associate
        end subroutine
    end subroutine

    !> slab: the receiver's slab.
    integer function row_tag(axis, slab, way)
        integer, intent(in) :: axis, slab, way
        row_tag = way + 2 * (axis + 3 * slab)
    end function

    subroutine exchange_faces(g, u)
        type(partition), intent(in) :: g
        real(dp), intent(inout), contiguous :: u(-1:, -1:, -1:, :, :)
        type(MPI_Request) :: requests(12 * slabs)
        integer :: axis, side, slab, c, n, values
        type(block) :: own
        n = 0
        do axis = 1, 3
            do side = to_next, to_previous
                do slab = first_slab(opposite(side)), last_slab(g, opposite(side))
                    c = g%cell(axis, slab)
                    n = n + 1
                    call MPI_Irecv(faces_in(:, c, side, axis), size(faces_in, 1), MPI_DOUBLE_PRECISION, &
                        neighbour(g, axis, opposite(side)), face_tag(axis, side, c), MPI_COMM_WORLD, requests(n))
                end do
            end do
        end do
        do axis = 1, 3
            do side = to_next, to_previous
                do slab = first_slab(side), last_slab(g, side)
                    c = g%cell(axis, slab)
                    own = own_layers(g, g%slab(:, c), axis, side)
                    call pack(own, u, c, faces_out(:, c, side, axis), values)
                    n = n + 1
                    call MPI_Isend(faces_out(:, c, side, axis), values, MPI_DOUBLE_PRECISION, &
                        neighbour(g, axis, side), face_tag(axis, side, receiving_cell(g, c, axis, side)), &
                        MPI_COMM_WORLD, requests(n))
                end do
            end do
        end do
        call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE)
        do axis = 1, 3
            do side = to_next, to_previous
                do slab = first_slab(opposite(side)), last_slab(g, opposite(side))
                    c = g%cell(axis, slab)
                    call unpack(outer_layers(g, g%slab(:, c), axis, opposite(side)), faces_in(:, c, side, axis), u, c)
                end do
            end do
        end do
    end subroutine

    !> cell: the receiver's cell; side: the side where the layers arrive.
    integer function face_tag(axis, side, c)
        integer, intent(in) :: axis, side, c
        face_tag = row_tag(axis, slabs, back) + side + 2 * (axis + 3 * c)
    end function

    function outbox(axis, slab, way) result(rows)
        integer, intent(in) :: axis, slab, way
        real(dp), pointer, contiguous :: rows(:, :, :, :)
        call MPI_Wait(sends(way, slab, axis), MPI_STATUS_IGNORE)
        rows => rows_out(way)%rows(:, :, :, :, slab, axis)
    end function

    subroutine send(g, axis, slab, way)
        type(partition), intent(in) :: g
        integer, intent(in) :: axis, slab, way
        integer :: to, pe
        to = merge(slab + 1, slab - 1, way == onward)
        pe = merge(g%next(axis), g%previous(axis), way == onward)
        associate (rows => rows_out(way)%rows)
            call MPI_Isend(rows(:, :, :, :, slab, axis), size(rows(:, :, :, :, slab, axis)), MPI_DOUBLE_PRECISION, pe, &
                row_tag(axis, to, way), MPI_COMM_WORLD, sends(way, slab, axis))
        end associate
    end subroutine

    !> A sweep begins with its receives; its first slab receives no message.
    function inbox(axis, slab, way) result(rows)
        integer, intent(in) :: axis, slab, way
        real(dp), pointer, contiguous :: rows(:, :, :, :)
        if (slab == 1 .and. way == onward) call start_receives(axis)
        call MPI_Wait(receives(way, slab, axis), MPI_STATUS_IGNORE)
        rows => rows_in(way)%rows(:, :, :, :, slab, axis)
    end function

    subroutine start_receives(axis)
        integer, intent(in) :: axis
        integer :: slab
        do slab = 2, slabs
            call MPI_Start(receives(onward, slab, axis))
            call MPI_Start(receives(back, slab - 1, axis))
        end do
    end subroutine

    function gather_values(values, n_pes) result(all)
        real(dp), intent(in) :: values(:)
        integer, intent(in) :: n_pes
        real(dp) :: all(size(values), n_pes)
        integer :: axis, slab
        do axis = 1, 3
            do slab = 1, slabs
                call MPI_Waitall(2, sends(:, slab, axis), MPI_STATUSES_IGNORE)
            end do
        end do
        call MPI_Allgather(values, size(values), MPI_DOUBLE_PRECISION, all, size(values), MPI_DOUBLE_PRECISION, &
            MPI_COMM_WORLD)
    end function
end module
