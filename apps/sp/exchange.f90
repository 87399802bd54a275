!> Communication between the PEs, by puts or by stores into each other's memory (shmem_ptr). No other module uses
!> OpenSHMEM; with bench/twins/sp_exchange_mpi.f90 instead of this module it is an MPI program.
!>
!> Before a step every PE sends its neighbours the two layers of its field next to each face. In a sweep it sends the
!> data that the next cells need, slab by slab, in the direction of the sweep, and then back. Every message has its own
!> memory at the receiver, and a flag there with the number of its step. The sender writes this memory again in the next
!> step; the receiver has then read it. It reads layers before the sweeps, in which it sends data to that neighbour; it
!> reads rows before it sends the layers of the next step.
module exchange
    use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_int, c_int64_t, c_loc, c_ptr, c_size_t
    use, intrinsic :: iso_fortran_env, only: dp => real64, error_unit
    use faces
    use grid
    use openshmem
    implicit none
    private
    public :: join, leave, open_exchange, exchange_faces, outbox, send, inbox, meet, gather_values

    character(len=9), parameter, public :: paths(2) = [character(len=9) :: 'put', 'shmem_ptr']
    character(len=*), parameter, public :: path_list = 'put|shmem_ptr'
    integer, parameter :: by_put = 1, by_pointer = 2

    integer, parameter, public :: onward = 1, back = 2      !< the directions of a sweep
    integer, parameter, public :: handed_over(2) = [11, 5]  ! values for a point of the two rows, for each direction
    integer, parameter :: most_gathered = 11

    type row_box
        real(dp), pointer, contiguous :: rows(:, :, :, :, :, :) => null()  !< (line, row, value, plane, slab, axis)
    end type

    type field_pointer
        real(dp), pointer, contiguous :: u(:, :, :, :, :) => null()
    end type

    integer :: path
    integer(c_int64_t) :: step = 0
    type(row_box) :: rows_in(2), rows_there(3, 2)           ! (direction); the neighbour's (axis, direction)
    type(row_box) :: rows_out(2)                            ! (direction), for one slab and axis only
    type(field_pointer) :: field_there(2, 3)                ! (side, axis): the neighbour's fields
    real(dp), pointer, contiguous :: faces_in(:, :, :, :), faces_out(:, :, :, :)     ! (value, cell, side, axis)
    integer(c_int64_t), pointer, contiguous :: faces_flag(:, :), rows_flag(:, :, :)  ! (side, axis); (slab, axis, to)
    real(dp), pointer, contiguous :: gathered(:, :)         ! (value, PE)

contains

    subroutine join(me, n_pes)
        integer, intent(out) :: me, n_pes
        call shmem_init()
        me = shmem_my_pe()
        n_pes = shmem_n_pes()
    end subroutine

    subroutine leave()
        call shmem_finalize()
    end subroutine

    subroutine meet()
        call shmem_barrier_all()
    end subroutine

    !> Allocates the field, which neighbours can access, and the memory for messages.
    subroutine open_exchange(g, way_to_send, u)
        type(partition), intent(in) :: g
        integer, intent(in) :: way_to_send
        real(dp), pointer, contiguous, intent(out) :: u(:, :, :, :, :)
        integer :: pitch, way, axis, side
        path = way_to_send
        pitch = g%most + 2 * layers
        call c_f_pointer(symmetric(5.0_dp * pitch**3 * g%slabs), u, [pitch, pitch, pitch, 5, g%slabs])
        call c_f_pointer(symmetric(6.0_dp), faces_flag, [2, 3])
        call c_f_pointer(symmetric(6.0_dp * g%slabs), rows_flag, [g%slabs, 3, 2])
        call c_f_pointer(symmetric(real(most_gathered, dp) * g%slabs**2), gathered, [most_gathered, g%slabs**2])
        faces_flag = 0
        rows_flag = 0
        rows_flag(1, :, onward) = huge(step)        ! no PE sends to the ends, where
        rows_flag(g%slabs, :, back) = huge(step)    ! the rows stay zero, as the boundary requires
        do way = onward, back
            call make_rows(rows_in(way), way, g%slabs, 3)
        end do
        if (path == by_put) then
            call make_faces(faces_in)
            call make_faces(faces_out)
            do way = onward, back
                call make_rows(rows_out(way), way, 1, 1)
            end do
        else
            do axis = 1, 3
                do side = to_next, to_previous
                    call c_f_pointer(reached(c_loc(u), neighbour(g, axis, side)), field_there(side, axis)%u, shape(u))
                end do
                do way = onward, back
                    call c_f_pointer(reached(c_loc(rows_in(way)%rows), receiver(g, axis, way)), &
                        rows_there(axis, way)%rows, shape(rows_in(way)%rows))
                end do
            end do
        end if
        call meet()

    contains

        subroutine make_rows(box, way, slabs, axes)
            type(row_box), intent(out) :: box
            integer, intent(in) :: way, slabs, axes
            call c_f_pointer(symmetric(2.0_dp * g%most**2 * handed_over(way) * slabs * axes), box%rows, &
                [g%most, 2, handed_over(way), g%most, slabs, axes])
            box%rows = 0
        end subroutine

        subroutine make_faces(box)
            real(dp), pointer, contiguous, intent(out) :: box(:, :, :, :)
            integer :: values
            values = 5 * layers * g%most**2
            call c_f_pointer(symmetric(6.0_dp * values * g%slabs), box, [values, g%slabs, 2, 3])
        end subroutine
    end subroutine

    !> Allocates memory for this number of values of eight bytes.
    type(c_ptr) function symmetric(values)
        real(dp), intent(in) :: values
        symmetric = shmem_malloc(int(8 * values, c_size_t))
        if (c_associated(symmetric)) return
        if (shmem_my_pe() == 0) write (error_unit, '(a)') 'SP: not enough symmetric memory (SHMEM_SYMMETRIC_SIZE)'
        call shmem_global_exit(1)
    end function

    type(c_ptr) function reached(address, pe)
        type(c_ptr), intent(in) :: address
        integer, intent(in) :: pe
        reached = shmem_ptr(address, int(pe, c_int))
        if (c_associated(reached)) return
        write (error_unit, '(2(a,i0),a)') 'SP: PE ', shmem_my_pe(), ' cannot reach the memory of PE ', pe, &
            ' by shmem_ptr; use -m put'
        call shmem_global_exit(1)
    end function

    pure integer function receiver(g, axis, way)
        type(partition), intent(in) :: g
        integer, intent(in) :: axis, way
        receiver = merge(g%next(axis), g%previous(axis), way == onward)
    end function

    !> Sets a flag of that PE to the number of the step, after the data that this PE has sent there.
    subroutine raise(flag, pe)
        integer(c_int64_t), target, intent(in) :: flag
        integer, intent(in) :: pe
        call shmem_fence()
        call shmem_int64_p(c_loc(flag), step, int(pe, c_int))
    end subroutine

    subroutine await(flag)
        integer(c_int64_t), target, intent(in) :: flag
        call shmem_int64_wait_until(c_loc(flag), SHMEM_CMP_GE, step)
    end subroutine

    subroutine put(to, from, values, pe)
        real(dp), target, intent(in) :: to, from
        integer, intent(in) :: values, pe
        call shmem_putmem(c_loc(to), c_loc(from), 8_c_size_t * values, int(pe, c_int))
    end subroutine

    !> Begins a step: sends the layers behind each face to the neighbours, and receives theirs.
    subroutine exchange_faces(g, u)
        type(partition), intent(in) :: g
        real(dp), intent(inout), contiguous :: u(-1:, -1:, -1:, :, :)
        integer :: axis, side
        step = step + 1
        if (g%slabs == 1) return
        do axis = 1, 3
            do side = to_next, to_previous
                call send_faces(g, axis, side, u)
            end do
        end do
        do axis = 1, 3
            do side = to_next, to_previous
                call await(faces_flag(side, axis))
                if (path == by_put) call take_faces(g, axis, side, u)
            end do
        end do
    end subroutine

    subroutine send_faces(g, axis, side, u)
        type(partition), intent(in) :: g
        integer, intent(in) :: axis, side
        real(dp), intent(in), contiguous :: u(-1:, -1:, -1:, :, :)
        type(block) :: from
        integer :: slab, c, d, values, pe
        pe = neighbour(g, axis, side)
        do slab = first_slab(side), last_slab(g, side)
            c = g%cell(axis, slab)
            d = receiving_cell(g, c, axis, side)
            from = own_layers(g, g%slab(:, c), axis, side)
            if (path == by_pointer) then
                call copy_layers(from, u, c, outer_layers(g, slabs_beyond(g%slab(:, c), axis, side), axis, &
                    opposite(side)), field_there(side, axis)%u, d)
            else
                call pack(from, u, c, faces_out(:, c, side, axis), values)
                call put(faces_in(1, d, side, axis), faces_out(1, c, side, axis), values, pe)
            end if
        end do
        call raise(faces_flag(side, axis), pe)
    end subroutine

    !> Stores the layers that a neighbour sent towards that side into the field.
    subroutine take_faces(g, axis, side, u)
        type(partition), intent(in) :: g
        integer, intent(in) :: axis, side
        real(dp), intent(inout), contiguous :: u(-1:, -1:, -1:, :, :)
        integer :: slab, c
        do slab = first_slab(opposite(side)), last_slab(g, opposite(side))
            c = g%cell(axis, slab)
            call unpack(outer_layers(g, g%slab(:, c), axis, opposite(side)), faces_in(:, c, side, axis), u, c)
        end do
    end subroutine

    !> The array for the two rows that a sweep along that axis passes on from that slab.
    function outbox(axis, slab, way) result(rows)
        integer, intent(in) :: axis, slab, way
        real(dp), pointer, contiguous :: rows(:, :, :, :)
        if (path == by_pointer) then
            rows => rows_there(axis, way)%rows(:, :, :, :, slab_beyond(slab, way), axis)
        else
            rows => rows_out(way)%rows(:, :, :, :, 1, 1)
        end if
    end function

    subroutine send(g, axis, slab, way)
        type(partition), intent(in) :: g
        integer, intent(in) :: axis, slab, way
        integer :: to, pe
        to = slab_beyond(slab, way)
        pe = receiver(g, axis, way)
        if (path == by_put) call put(rows_in(way)%rows(1, 1, 1, 1, to, axis), rows_out(way)%rows(1, 1, 1, 1, 1, 1), &
            size(rows_out(way)%rows), pe)
        call raise(rows_flag(to, axis, way), pe)
    end subroutine

    !> Waits for the data from the previous slab in that direction, and returns it.
    function inbox(axis, slab, way) result(rows)
        integer, intent(in) :: axis, slab, way
        real(dp), pointer, contiguous :: rows(:, :, :, :)
        call await(rows_flag(slab, axis, way))
        rows => rows_in(way)%rows(:, :, :, :, slab, axis)
    end function

    !> The next slab; after the last the first, because outbox needs a target. Nothing is written or sent there.
    integer function slab_beyond(slab, way)
        integer, intent(in) :: slab, way
        slab_beyond = 1 + modulo(slab - 1 + merge(1, -1, way == onward), size(rows_flag, 1))
    end function

    !> (value, PE): the values of all PEs, on all PEs.
    function gather_values(values, n_pes) result(all)
        real(dp), intent(in) :: values(:)
        integer, intent(in) :: n_pes
        real(dp) :: all(size(values), n_pes)
        integer :: me, pe
        me = shmem_my_pe()
        call meet()
        gathered(:size(values), me + 1) = values
        do pe = 0, n_pes - 1
            if (pe /= me) call put(gathered(1, me + 1), gathered(1, me + 1), size(values), pe)
        end do
        call meet()
        all = gathered(:size(values), :n_pes)
    end function
end module
