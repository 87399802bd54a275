!> The values before a gather-scatter, and the right values after it, from a serial sum over the elements of the cube.
module check
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use mesh
    implicit none
    private
    public :: first_values, serial_sum

contains

    !> A whole number for each point of each element, so that sums are exact in any order.
    pure real(dp) function first_value(element, inside)
        integer, intent(in) :: element(3), inside(3)
        first_value = 1 + mod(sum(element * [7, 31, 173]) + sum(inside * [1, 11, 97]), 1009)
    end function

    function first_values(p) result(u)
        type(part), intent(in) :: p
        real(dp), allocatable :: u(:)
        integer :: i, each, element(3)
        integer, allocatable :: at(:, :)
        allocate (at, source=place_values(p))
        each = (order + 1)**3
        allocate (u(size(at, 2)))
        do i = 1, size(u)
            element = at(:, 1 + (i - 1) / each * each) / order  ! the first point of the element gives its place
            u(i) = first_value(element, at(:, i) - order * element)
        end do
    end function

    !> For each value of this part: the sum over all copies of its point in the cube, and the number of these copies.
    subroutine serial_sum(length, p, total, copies)
        integer, intent(in) :: length
        type(part), intent(in) :: p
        real(dp), allocatable, intent(out) :: total(:), copies(:)
        real(dp), allocatable :: u(:), sums(:, :, :), ones(:, :, :)
        integer, allocatable :: at(:, :)
        type(part) :: cube
        integer :: i, n

        n = order * length
        allocate (sums(0:n, 0:n, 0:n), ones(0:n, 0:n, 0:n), source=0._dp)
        cube = part([0, 0, 0], [length, length, length])
        allocate (at, source=place_values(cube))
        allocate (u, source=first_values(cube))
        do i = 1, size(u)
            associate (x => at(1, i), y => at(2, i), z => at(3, i))
                sums(x, y, z) = sums(x, y, z) + u(i)
                ones(x, y, z) = ones(x, y, z) + 1
            end associate
        end do
        deallocate (at)
        allocate (at, source=place_values(p))
        allocate (total(size(at, 2)), copies(size(at, 2)))
        do i = 1, size(at, 2)
            total(i) = sums(at(1, i), at(2, i), at(3, i))
            copies(i) = ones(at(1, i), at(2, i), at(3, i))
        end do
    end subroutine
end module
