!> A cube of spectral elements, and its division among the PEs. Elements and points count from 0 along each axis;
!> neighbouring elements share the points on their common face.
module mesh
    implicit none
    private
    public :: part, cut_cube, common_points, place_values

    integer, parameter, public :: order = 7  !< an element has (order + 1)^3 points

    !> A PE's elements from:to-1 along each axis; their points are order * from : order * to.
    type part
        integer :: from(3), to(3)
    end type

contains

    !> The parts of all PEs, by recursive bisection of the longest axis; false if there are too few elements.
    logical function cut_cube(length, parts)
        integer, intent(in) :: length
        type(part), intent(out) :: parts(0:)
        type(part) :: p
        integer :: pe, first, many, fewer, axis, cut
        cut_cube = .false.
        do pe = 0, ubound(parts, 1)
            p = part([0, 0, 0], [length, length, length])
            first = 0
            many = size(parts)
            do while (many > 1)
                fewer = many / 2
                axis = maxloc(p%to - p%from, 1)
                cut = nint(real((p%to(axis) - p%from(axis)) * fewer) / many)
                cut = p%from(axis) + min(max(cut, 1), p%to(axis) - p%from(axis) - 1)
                if (cut == p%from(axis)) return
                if (pe < first + fewer) then
                    p%to(axis) = cut
                    many = fewer
                else
                    p%from(axis) = cut
                    first = first + fewer
                    many = many - fewer
                end if
            end do
            parts(pe) = p
        end do
        cut_cube = .true.
    end function

    !> The points from:to that two parts have in common (a face, an edge or a corner), and their number, which may be 0.
    pure subroutine common_points(a, b, from, to, number)
        type(part), intent(in) :: a, b
        integer, intent(out) :: from(3), to(3), number
        from = order * max(a%from, b%from)
        to = order * min(a%to, b%to)
        number = product(max(to - from + 1, 0))
    end subroutine

    !> The point of each value of a part; the values are ordered by element.
    function place_values(p) result(at)
        type(part), intent(in) :: p
        integer, allocatable :: at(:, :)
        integer :: x, y, z, i, j, k, n
        allocate (at(3, (order + 1)**3 * product(p%to - p%from)))
        n = 0
        do z = p%from(3), p%to(3) - 1
            do y = p%from(2), p%to(2) - 1
                do x = p%from(1), p%to(1) - 1
                    do k = 0, order
                        do j = 0, order
                            do i = 0, order
                                n = n + 1
                                at(:, n) = order * [x, y, z] + [i, j, k]
                            end do
                        end do
                    end do
                end do
            end do
        end do
    end function
end module
