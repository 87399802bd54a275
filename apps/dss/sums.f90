!> Finds the values that are copies of one point and sums them, by lists of indices, as for unstructured meshes.
module sums
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use mesh
    implicit none
    private
    public :: find_links, values, make_lists, gather, scatter

    !> Points of which this PE has equally many copies: the values copy(i, :) are the copies of point first + i.
    type, public :: points
        integer :: first
        integer, allocatable :: copy(:, :)
    end type

    !> Another PE that shares points with this PE. point: the numbers of these points, in the same order on both PEs.
    !> first: where its values begin in this PE's buffers; there: where this PE's values begin in its buffers, from 0.
    type, public :: neighbour
        integer :: pe, first, there
        integer, allocatable :: point(:)
    end type

contains

    !> The links of a PE, without their points. Links across the last cuts come first: their PEs are on the same node.
    function find_links(parts, me) result(links)
        type(part), intent(in) :: parts(0:)
        integer, intent(in) :: me
        type(neighbour), allocatable :: links(:)
        integer :: i, pe, whole
        allocate (links(0))
        whole = 1
        do while (whole < size(parts))
            whole = 2 * whole
        end do
        do i = 1, whole - 1
            pe = ieor(me, i)
            if (pe >= size(parts)) cycle
            if (values(parts, me, pe, pe) == 0) cycle
            links = [links, neighbour(pe, values(parts, me, 0, pe - 1), values(parts, pe, 0, me - 1), [integer ::])]
        end do
    end function

    !> The total number of values that PE `me` sends to PEs from_pe to to_pe.
    pure integer function values(parts, me, from_pe, to_pe)
        type(part), intent(in) :: parts(0:)
        integer, intent(in) :: me, from_pe, to_pe
        integer :: pe, from(3), to(3), n
        values = 0
        do pe = from_pe, to_pe
            call common_points(parts(me), parts(pe), from, to, n)
            if (pe /= me) values = values + n
        end do
    end function

    !> The points with more than one copy, and the points of each link. Lists 1 to 4 have the points that other PEs have
    !> too, with 1, 2, 4 and 8 copies here; lists 6 to 8 have the points that are on this PE only; list 5 is empty.
    subroutine make_lists(parts, me, lists, links)
        type(part), intent(in) :: parts(0:)
        integer, intent(in) :: me
        type(points), intent(out) :: lists(8)
        type(neighbour), intent(inout) :: links(:)
        integer, allocatable :: at(:, :), number(:, :, :), copies(:), seen(:)
        integer :: from(3), to(3), n, l, i, x, y, z, next

        allocate (at, source=place_values(parts(me)))
        from = order * parts(me)%from
        to = order * parts(me)%to
        allocate (copies(size(at, 2)))
        do i = 1, size(at, 2)
            copies(i) = 2**count(mod(at(:, i), order) == 0 .and. at(:, i) > from .and. at(:, i) < to)
        end do
        allocate (number(from(1):to(1), from(2):to(2), from(3):to(3)), source=0)
        do l = 1, size(links)
            call common_points(parts(me), parts(links(l)%pe), from, to, n)
            number(from(1):to(1), from(2):to(2), from(3):to(3)) = -1
        end do
        next = 0
        do l = 1, 8
            lists(l)%first = next
            do i = 1, size(at, 2)
                associate (point => number(at(1, i), at(2, i), at(3, i)))
                    if (l == 5 .or. copies(i) /= 2**mod(l - 1, 4) .or. point /= merge(-1, 0, l <= 4)) cycle
                    next = next + 1
                    point = next
                end associate
            end do
            allocate (lists(l)%copy(next - lists(l)%first, 2**mod(l - 1, 4)))
        end do
        allocate (seen(next), source=0)
        do i = 1, size(at, 2)
            n = number(at(1, i), at(2, i), at(3, i))
            if (n == 0) cycle
            seen(n) = seen(n) + 1
            l = count(n > lists%first)
            lists(l)%copy(n - lists(l)%first, seen(n)) = i
        end do
        do l = 1, size(links)
            call common_points(parts(me), parts(links(l)%pe), from, to, n)
            links(l)%point = [(((number(x, y, z), x=from(1), to(1)), y=from(2), to(2)), z=from(3), to(3))]
        end do
    end subroutine

    !> Sums the copies of each point.
    subroutine gather(lists, u, v)
        type(points), intent(in) :: lists(:)
        real(dp), intent(in) :: u(:)
        real(dp), intent(inout) :: v(:)
        integer :: l, n, c
        do l = 1, size(lists)
            associate (copy => lists(l)%copy, first => lists(l)%first)
                n = size(copy, 1)
                v(first + 1:first + n) = u(copy(:, 1))
                do c = 2, size(copy, 2)
                    v(first + 1:first + n) = v(first + 1:first + n) + u(copy(:, c))
                end do
            end associate
        end do
    end subroutine

    !> Stores each point's sum into all its copies.
    subroutine scatter(lists, v, u)
        type(points), intent(in) :: lists(:)
        real(dp), intent(in) :: v(:)
        real(dp), intent(inout) :: u(:)
        integer :: l, c
        do l = 1, size(lists)
            associate (copy => lists(l)%copy, first => lists(l)%first)
                do c = 1, size(copy, 2)
                    u(copy(:, c)) = v(first + 1:first + size(copy, 1))
                end do
            end associate
        end do
    end subroutine
end module
