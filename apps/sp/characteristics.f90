!> Changes of variables: the sweep along an axis works on the characteristic variables of that axis, in which the five
!> equations of a point do not mix. All are products of a matrix and a vector at each point.
!>
!> The procedures treat cells as vectors of s points, and planes of lines as the work arrays of the sweeps.
module characteristics
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use problem
    implicit none
    private
    public :: plane_of_lines, unknowns_to_x, x_to_y, y_to_z, z_to_field

    !> The points of a plane in a cell's vectors: point i of line l is at index start + l * line_step + i * step.
    type plane_of_lines
        integer :: lines, places, start, line_step, step
    end type

    real(dp), parameter :: half_root = sqrt(0.5_dp)

contains

    !> Transforms points first to last of a row in place.
    subroutine unknowns_to_x(s, first, last, v, volume, kinetic, sound, r)
        integer, intent(in) :: s, first, last
        real(dp), intent(in) :: v(s, 3), volume(s), kinetic(s), sound(s)
        real(dp), intent(inout) :: r(s, 5)
        real(dp) :: t1, t2, t3, r1
        integer :: i
        do i = first, last
            r1 = r(i, 1)
            t1 = pressure / sound(i)**2 * (kinetic(i) * volume(i) * r1 - v(i, 1) * r(i, 2) - v(i, 2) * r(i, 3) &
                - v(i, 3) * r(i, 4) + r(i, 5))
            t2 = half_root * volume(i) * (v(i, 1) * r1 - r(i, 2))
            t3 = half_root * volume(i) * sound(i) * t1
            r(i, 1) = r1 - t1
            r(i, 2) = volume(i) * (r(i, 4) - v(i, 3) * r1)
            r(i, 3) = volume(i) * (v(i, 2) * r1 - r(i, 3))
            r(i, 4) = t3 - t2
            r(i, 5) = t3 + t2
        end do
    end subroutine

    !> Transforms a plane from its work array p into the cell.
    subroutine x_to_y(at, m, p, s, r)
        type(plane_of_lines), intent(in) :: at
        integer, intent(in) :: m, s
        real(dp), intent(in) :: p(m, -1:m + 2, 5)
        real(dp), intent(inout) :: r(s, 5)
        integer :: i, l, n
        do i = 1, at%places
            do l = 1, at%lines
                n = at%start + l * at%line_step + i * at%step
                r(n, 1) = -p(l, i, 2)
                r(n, 2) = p(l, i, 1)
                r(n, 3) = half_root * (p(l, i, 4) - p(l, i, 5))
                r(n, 4) = 0.5_dp * (p(l, i, 4) + p(l, i, 5)) - half_root * p(l, i, 3)
                r(n, 5) = 0.5_dp * (p(l, i, 4) + p(l, i, 5)) + half_root * p(l, i, 3)
            end do
        end do
    end subroutine

    subroutine y_to_z(at, m, p, s, r)
        type(plane_of_lines), intent(in) :: at
        integer, intent(in) :: m, s
        real(dp), intent(in) :: p(m, -1:m + 2, 5)
        real(dp), intent(inout) :: r(s, 5)
        integer :: i, l, n
        do i = 1, at%places
            do l = 1, at%lines
                n = at%start + l * at%line_step + i * at%step
                r(n, 1) = half_root * (p(l, i, 4) - p(l, i, 5))
                r(n, 2) = -p(l, i, 3)
                r(n, 3) = p(l, i, 2)
                r(n, 4) = 0.5_dp * (p(l, i, 4) + p(l, i, 5)) - half_root * p(l, i, 1)
                r(n, 5) = 0.5_dp * (p(l, i, 4) + p(l, i, 5)) + half_root * p(l, i, 1)
            end do
        end do
    end subroutine

    !> Transforms a plane to changes of the unknowns, and adds these to the field.
    subroutine z_to_field(at, m, p, s, v, volume, kinetic, sound, u)
        type(plane_of_lines), intent(in) :: at
        integer, intent(in) :: m, s
        real(dp), intent(in) :: p(m, -1:m + 2, 5), v(s, 3), volume(s), kinetic(s), sound(s)
        real(dp), intent(inout) :: u(s, 5)
        real(dp) :: density, t1, t2, t3
        integer :: i, l, n
        do i = 1, at%places
            do l = 1, at%lines
                n = at%start + l * at%line_step + i * at%step
                density = u(n, 1)
                t1 = half_root * density / sound(n) * (p(l, i, 4) + p(l, i, 5))
                t2 = p(l, i, 3) + t1
                t3 = half_root * density * (p(l, i, 4) - p(l, i, 5))
                u(n, 1) = density + t2
                u(n, 2) = u(n, 2) - density * p(l, i, 2) + v(n, 1) * t2
                u(n, 3) = u(n, 3) + density * p(l, i, 1) + v(n, 2) * t2
                u(n, 4) = u(n, 4) + v(n, 3) * t2 + t3
                u(n, 5) = u(n, 5) + density * (v(n, 2) * p(l, i, 1) - v(n, 1) * p(l, i, 2)) &
                    + kinetic(n) * volume(n) * t2 + sound(n)**2 / pressure * t1 + v(n, 3) * t3
            end do
        end do
    end subroutine
end module
