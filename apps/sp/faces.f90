!> The layers that neighbours exchange: which points of a cell they have, and procedures that copy these points.
module faces
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use grid
    implicit none
    private
    public :: block, first_slab, last_slab, neighbour, receiving_cell, opposite, own_layers, outer_layers, slabs_beyond
    public :: copy_layers, pack, unpack

    integer, parameter, public :: to_next = 1, to_previous = 2  !< the sides to which layers are sent
    integer, parameter, public :: layers = 2

    type block
        integer :: from(3), to(3)
    end type

contains

    !> The slabs whose cells have a neighbour on that side.
    pure integer function first_slab(side)
        integer, intent(in) :: side
        first_slab = merge(2, 1, side == to_previous)
    end function

    pure integer function last_slab(g, side)
        type(partition), intent(in) :: g
        integer, intent(in) :: side
        last_slab = merge(g%slabs - 1, g%slabs, side == to_next)
    end function

    pure integer function neighbour(g, axis, side)
        type(partition), intent(in) :: g
        integer, intent(in) :: axis, side
        neighbour = merge(g%next(axis), g%previous(axis), side == to_next)
    end function

    !> The number that the neighbour gives to its cell beyond cell c.
    pure integer function receiving_cell(g, c, axis, side)
        type(partition), intent(in) :: g
        integer, intent(in) :: c, axis, side
        receiving_cell = c + merge(g%shift(axis), -g%shift(axis), side == to_next)
    end function

    pure integer function opposite(side)
        integer, intent(in) :: side
        opposite = merge(to_previous, to_next, side == to_next)
    end function

    !> The outermost layers of a cell on that side, in the slabs given.
    pure type(block) function own_layers(g, slab, axis, side)
        type(partition), intent(in) :: g
        integer, intent(in) :: slab(3), axis, side
        own_layers = block([1, 1, 1], g%extent(slab))
        if (side == to_next) then
            own_layers%from(axis) = own_layers%to(axis) - layers + 1
        else
            own_layers%to(axis) = layers
        end if
    end function

    !> The layers around a cell on that side, which are the neighbour's outermost layers.
    pure type(block) function outer_layers(g, slab, axis, side)
        type(partition), intent(in) :: g
        integer, intent(in) :: slab(3), axis, side
        integer :: shift
        outer_layers = own_layers(g, slab, axis, side)
        shift = merge(layers, -layers, side == to_next)
        outer_layers%from(axis) = outer_layers%from(axis) + shift
        outer_layers%to(axis) = outer_layers%to(axis) + shift
    end function

    !> The slabs of the cell beyond that side.
    pure function slabs_beyond(slab, axis, side) result(beyond)
        integer, intent(in) :: slab(3), axis, side
        integer :: beyond(3)
        beyond = slab
        beyond(axis) = slab(axis) + merge(1, -1, side == to_next)
    end function

    subroutine copy_layers(from, u, c, to, v, d)
        type(block), intent(in) :: from, to
        real(dp), intent(in), contiguous :: u(-1:, -1:, -1:, :, :)
        real(dp), intent(inout), contiguous :: v(-1:, -1:, -1:, :, :)
        integer, intent(in) :: c, d
        integer :: j, k, m, shift(3)
        shift = to%from - from%from
        do m = 1, size(u, 4)
            do k = from%from(3), from%to(3)
                do j = from%from(2), from%to(2)
                    v(to%from(1):to%to(1), j + shift(2), k + shift(3), m, d) = u(from%from(1):from%to(1), j, k, m, c)
                end do
            end do
        end do
    end subroutine

    !> `values` becomes the number of values that the layers have.
    subroutine pack(b, u, c, values, n)
        type(block), intent(in) :: b
        real(dp), intent(in), contiguous :: u(-1:, -1:, -1:, :, :)
        integer, intent(in) :: c
        real(dp), intent(inout) :: values(:)
        integer, intent(out) :: n
        integer :: j, k, m, row
        n = 0
        row = b%to(1) - b%from(1) + 1
        do m = 1, size(u, 4)
            do k = b%from(3), b%to(3)
                do j = b%from(2), b%to(2)
                    values(n + 1:n + row) = u(b%from(1):b%to(1), j, k, m, c)
                    n = n + row
                end do
            end do
        end do
    end subroutine

    subroutine unpack(b, values, u, c)
        type(block), intent(in) :: b
        real(dp), intent(in) :: values(:)
        real(dp), intent(inout), contiguous :: u(-1:, -1:, -1:, :, :)
        integer, intent(in) :: c
        integer :: j, k, m, n, row
        n = 0
        row = b%to(1) - b%from(1) + 1
        do m = 1, size(u, 4)
            do k = b%from(3), b%to(3)
                do j = b%from(2), b%to(2)
                    u(b%from(1):b%to(1), j, k, m, c) = values(n + 1:n + row)
                    n = n + row
                end do
            end do
        end do
    end subroutine
end module
