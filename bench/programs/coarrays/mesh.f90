!> An unstructured mesh cut into parts, and the index lists of its halo exchange.
!>
!> The mesh is a band of points, `border` points wide and `layers` points deep for each part; the parts follow one
!> another, with ragged borders. Each part numbers its points in its own order, as after a mesh generator and a
!> partitioner. A stencil reaches two points far, so a part needs 2 * border points of each neighbour.
module mesh
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    private
    public :: part, neighbour, make_part, pack_given, unpack_needed, value_at, halo_size, error_in

    integer, parameter :: border = 1278, layers = 40, reach = 2

    !> What a part and a neighbour exchange. Points are in the owner's numbering.
    type neighbour
        integer :: part                   !< number of the neighbour, from 1
        integer, allocatable :: needed(:) !< the neighbour's points that this part needs ...
        integer, allocatable :: place(:)  !< ... and where they go in this part
        integer, allocatable :: given(:)  !< this part's points that the neighbour needs, in its order ...
        integer, allocatable :: target(:) !< ... and where they go in the neighbour
        integer :: first = 0              !< where the neighbour's points begin in this part's receive buffer
        integer :: first_there = 0        !< where this part's points begin in the neighbour's buffer
    end type

    type part
        integer :: owned, all             !< the number of own points, and of own and needed points together
        integer, allocatable :: id(:)     !< each point's number in the mesh
        type(neighbour), allocatable :: neighbours(:)
    end type

contains

    !> Part number me of a mesh of `parts` parts. Each part computes the others' numbering, without communication.
    function make_part(me, parts) result(p)
        integer, intent(in) :: me, parts
        type(part) :: p
        integer :: side, other, n
        n = border * layers
        p%owned = n
        allocate (p%id(n), p%neighbours(0))
        p%id = number_of([(side, side = 1, n)], me)
        do side = -1, 1, 2
            other = me + side
            if (other < 1 .or. other > parts) cycle
            p%neighbours = [p%neighbours, make_neighbour(me, side, size(p%neighbours))]
        end do
        do n = 1, size(p%neighbours)
            p%id = [p%id, number_of(p%neighbours(n)%needed, p%neighbours(n)%part)]
        end do
        p%all = size(p%id)
    end function

    !> Neighbour number before + 1 of the part, on the given side.
    function make_neighbour(me, side, before) result(nb)
        integer, intent(in) :: me, side, before
        type(neighbour) :: nb
        integer :: k, before_there
        nb%part = me + side
        allocate (nb%needed(border * reach), nb%given(border * reach))
        nb%needed = edge(nb%part, -side)
        nb%given = edge(me, side)
        nb%first = before * border * reach + 1
        ! A part's first neighbour is the part below it, if there is one.
        before_there = merge(1, 0, side == -1 .and. nb%part > 1)
        nb%first_there = before_there * border * reach + 1
        nb%place = border * layers + nb%first - 1 + [(k, k = 1, border * reach)]
        nb%target = border * layers + nb%first_there - 1 + [(k, k = 1, border * reach)]
    end function

    !> The points of a part at its lower (-1) or upper (1) border, in the part's own numbering and order. They are
    !> therefore scattered in the mesh, and have gaps between them in memory.
    function edge(of, side) result(points)
        integer, intent(in) :: of, side
        integer, allocatable :: points(:)
        integer, allocatable :: all(:), depth(:)
        integer :: k
        allocate (all(border * layers), depth(border * layers))
        all = [(k, k = 1, border * layers)]
        depth = mod(place_of(all, of), layers)
        allocate (points(border * reach))
        points = pack(all, merge(layers - 1 - depth, depth, side == 1) < reach)
    end function

    !> The position of point k of a part in the order of columns, in which the depth varies fastest. The multiplier and
    !> the number of points have no common factor, so each position occurs once.
    elemental integer function place_of(k, of)
        integer, intent(in) :: k, of
        place_of = int(mod(int(k, int64) * 30011_int64 + 7919_int64 * of, int(border * layers, int64)))
    end function

    !> A point's number in the whole mesh: column by column, each column from the lowest part to the highest. A part
    !> begins at different heights in different columns.
    elemental integer function number_of(k, of)
        integer, intent(in) :: k, of
        integer, parameter :: column_length = 10000
        integer :: column, depth
        column = place_of(k, of) / layers
        depth = mod(place_of(k, of), layers) + (of - 1) * layers + mod(column * 7, 4)
        number_of = column * column_length + depth
    end function

    !> The value at a point in step `step`.
    elemental real(real64) function value_at(id, step)
        integer, intent(in) :: id, step
        value_at = real(id, real64) * 64 + step
        if (mod(id, 2) == 1) value_at = -value_at
    end function

    !> Copies the values that the neighbours need to the send buffer.
    subroutine pack_given(p, v, outgoing)
        type(part), intent(in) :: p
        real(real64), intent(in) :: v(:)
        real(real64), intent(inout) :: outgoing(:)
        integer :: j, k
        do j = 1, size(p%neighbours)
            associate (nb => p%neighbours(j))
                do k = 1, size(nb%given)
                    outgoing(nb%first + k - 1) = v(nb%given(k))
                end do
            end associate
        end do
    end subroutine

    subroutine unpack_needed(p, v, incoming)
        type(part), intent(in) :: p
        real(real64), intent(inout) :: v(:)
        real(real64), intent(in) :: incoming(:)
        integer :: j, k
        do j = 1, size(p%neighbours)
            associate (nb => p%neighbours(j))
                do k = 1, size(nb%needed)
                    v(nb%place(k)) = incoming(nb%first + k - 1)
                end do
            end associate
        end do
    end subroutine

    integer function halo_size(p)
        type(part), intent(in) :: p
        halo_size = p%all - p%owned
    end function

    !> The first point that does not have its value of that step, or 0.
    integer function error_in(p, v, step)
        type(part), intent(in) :: p
        real(real64), intent(in) :: v(:)
        integer, intent(in) :: step
        do error_in = 1, p%all
            if (.not. abs(v(error_in) - value_at(p%id(error_in), step)) <= 0) return
        end do
        error_in = 0
    end function
end module
