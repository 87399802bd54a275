!> The right-hand side of the equations, and the quantities at each point that it and the implicit sweeps need.
!>
!> All arrays of a cell have the shape of its field, so that the distance in memory to a neighbouring point is the same
!> in all of them. The routines for one row of points treat them as vectors; a step along an axis is such a distance.
module flow
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use characteristics
    use field
    use grid
    use problem
    implicit none
    private
    public :: flow_state, make_flow, compute_rhs, sum_of_squares, fourth_difference, offset

    !> The indices are (i, j, k, component, cell), or (i, j, k, cell) for a single component.
    type flow_state
        real(dp) :: dt
        integer :: pitch(3)          !< the distance in memory between neighbours along each axis
        real(dp), allocatable :: velocity(:, :, :, :, :)
        real(dp), allocatable :: volume(:, :, :, :)         !< 1 / density
        real(dp), allocatable :: kinetic(:, :, :, :)        !< kinetic energy
        real(dp), allocatable :: sound(:, :, :, :)          !< speed of sound
        real(dp), allocatable :: forcing(:, :, :, :, :)     !< makes the exact solution stationary
        real(dp), allocatable :: rhs(:, :, :, :, :)
    end type

contains

    !> Uses u to compute the forcing, and then stores the initial field in u.
    subroutine make_flow(g, class, u, f)
        type(partition), intent(in) :: g
        type(problem_class), intent(in) :: class
        real(dp), intent(out), contiguous :: u(-1:, -1:, -1:, :, :)
        type(flow_state), intent(out) :: f
        associate (last => g%most + 2, q => g%slabs)
            allocate (f%velocity(-1:last, -1:last, -1:last, 3, q), source=0.0_dp)
            allocate (f%forcing(-1:last, -1:last, -1:last, 5, q), source=0.0_dp)
            allocate (f%rhs, source=f%forcing)
            allocate (f%volume(-1:last, -1:last, -1:last, q), source=0.0_dp)
            allocate (f%kinetic, f%sound, source=f%volume)
            f%pitch = [1, last + 2, (last + 2)**2]
        end associate
        f%dt = 1
        call set_exact(g, u)
        call compute_rhs(g, f, u, characteristic=.false.)
        f%forcing = -f%rhs
        f%dt = class%dt
        call set_initial(g, u)
    end subroutine

    !> Computes dt times the right-hand side, in the characteristic variables along x if `characteristic` is true.
    subroutine compute_rhs(g, f, u, characteristic)
        type(partition), intent(in) :: g
        type(flow_state), intent(inout) :: f
        real(dp), intent(in), contiguous :: u(-1:, -1:, -1:, :, :)
        logical, intent(in) :: characteristic
        integer :: c, s
        s = size(u, 1)**3
        do c = 1, g%slabs
            call derive(s, f%pitch, g%extent(g%slab(:, c)), u(:, :, :, :, c), f%velocity(:, :, :, :, c), &
                f%volume(:, :, :, c), f%kinetic(:, :, :, c), f%sound(:, :, :, c))
            call cell_rhs(g, f, c, s, u(:, :, :, :, c), f%velocity(:, :, :, :, c), f%volume(:, :, :, c), &
                f%kinetic(:, :, :, c), f%sound(:, :, :, c), f%forcing(:, :, :, :, c), f%rhs(:, :, :, :, c), &
                characteristic)
        end do
    end subroutine

    !> Computes the quantities at a cell's points and in the layer around them.
    subroutine derive(s, pitch, n, u, v, volume, kinetic, sound)
        integer, intent(in) :: s, pitch(3), n(3)
        real(dp), intent(in) :: u(s, 5)
        real(dp), intent(inout) :: v(s, 3), volume(s), kinetic(s), sound(s)
        integer :: i, j, k, first
        do k = 0, n(3) + 1
            do j = 0, n(2) + 1
                first = offset(pitch, 0, j, k)
                do i = first, first + n(1) + 1
                    volume(i) = 1 / u(i, 1)
                    v(i, 1) = u(i, 2) * volume(i)
                    v(i, 2) = u(i, 3) * volume(i)
                    v(i, 3) = u(i, 4) * volume(i)
                    kinetic(i) = 0.5_dp * (u(i, 2) * v(i, 1) + u(i, 3) * v(i, 2) + u(i, 4) * v(i, 3))
                    sound(i) = sqrt(gamma * pressure * volume(i) * (u(i, 5) - kinetic(i)))
                end do
            end do
        end do
    end subroutine

    !> The index of a point in a cell's vectors.
    pure integer function offset(pitch, i, j, k)
        integer, intent(in) :: pitch(3), i, j, k
        offset = 1 + dot_product(pitch, [i, j, k] + 1)
    end function

    !> Completes each row along x while it is in the cache.
    subroutine cell_rhs(g, f, c, s, u, v, volume, kinetic, sound, forcing, rhs, characteristic)
        type(partition), intent(in) :: g
        type(flow_state), intent(in) :: f
        integer, intent(in) :: c, s
        real(dp), intent(in) :: u(s, 5), v(s, 3), volume(s), kinetic(s), sound(s), forcing(s, 5)
        real(dp), intent(inout) :: rhs(s, 5)
        logical, intent(in) :: characteristic
        real(dp) :: along(g%most, -2:2), across(-2:2, g%most, 2:3)
        integer :: axis, j, k, m, first, last, slab(3)
        slab = g%slab(:, c)
        along = dissipation * fourth_difference(g, slab(1))
        across(:, :, 2) = dissipation * transpose(fourth_difference(g, slab(2)))
        across(:, :, 3) = dissipation * transpose(fourth_difference(g, slab(3)))
        do k = 1, g%extent(slab(3))
            do j = 1, g%extent(slab(2))
                first = offset(f%pitch, 1, j, k)
                last = first + g%extent(slab(1)) - 1
                rhs(first:last, :) = forcing(first:last, :)
                do axis = 1, 3
                    call add_fluxes(g, axis, f%pitch(axis), s, first, last, u, v, volume, kinetic, rhs)
                end do
                do m = 1, 5
                    call damp_and_scale(f%dt, f%pitch, s, first, last, along, across(:, j, 2), across(:, k, 3), &
                        u(:, m), rhs(:, m))
                end do
                if (characteristic) call unknowns_to_x(s, first, last, v, volume, kinetic, sound, rhs)
            end do
        end do
    end subroutine

    !> (point, distance): the factors of a point's neighbours in the fourth difference along an axis, in a cell of that
    !> slab. Next to the boundary the difference is one-sided and does not use the boundary.
    function fourth_difference(g, slab) result(factor)
        type(partition), intent(in) :: g
        integer, intent(in) :: slab
        real(dp) :: factor(g%most, -2:2)
        integer :: i, ahead, behind
        do i = 1, g%most
            behind = g%before(slab) + i - 1
            ahead = g%points - 1 - behind
            factor(i, :) = [1, -4, 6, -4, 1]
            if (behind == 1) factor(i, :0) = [0, 0, 5]
            if (behind == 2) factor(i, -2) = 0
            if (ahead == 1) factor(i, 0:) = [5, 0, 0]
            if (ahead == 2) factor(i, 2) = 0
        end do
    end function

    !> Adds convection, viscosity and damping along one axis at points first to last; step leads to the next point.
    subroutine add_fluxes(g, axis, step, s, first, last, u, v, volume, kinetic, rhs)
        type(partition), intent(in) :: g
        integer, intent(in) :: axis, step, s, first, last
        real(dp), intent(in) :: u(s, 5), v(s, 3), volume(s), kinetic(s)
        real(dp), intent(inout) :: rhs(s, 5)
        real(dp), parameter :: third = 1 / 3.0_dp
        real(dp) :: slope, curve, damp
        integer :: i, p, q, m, a, b
        slope = 0.5_dp * (g%points - 1)     ! the factor of a central difference
        curve = real(g%points - 1, dp)**2   ! the factor of a second difference
        damp = damping(axis) * curve
        a = axis + 1
        do i = first, last
            p = i + step
            q = i - step
            rhs(i, 1) = rhs(i, 1) + damp * (u(p, 1) - 2 * u(i, 1) + u(q, 1)) - slope * (u(p, a) - u(q, a))
            rhs(i, a) = rhs(i, a) + damp * (u(p, a) - 2 * u(i, a) + u(q, a)) &
                + 4 * third * viscosity * curve * (v(p, axis) - 2 * v(i, axis) + v(q, axis)) &
                - slope * (u(p, a) * v(p, axis) - u(q, a) * v(q, axis) &
                    + pressure * (u(p, 5) - kinetic(p) - u(q, 5) + kinetic(q)))
        end do
        do m = 1, 2
            b = 2 + mod(axis - 1 + m, 3)
            do i = first, last
                p = i + step
                q = i - step
                rhs(i, b) = rhs(i, b) + damp * (u(p, b) - 2 * u(i, b) + u(q, b)) &
                    + viscosity * curve * (v(p, b - 1) - 2 * v(i, b - 1) + v(q, b - 1)) &
                    - slope * (u(p, b) * v(p, axis) - u(q, b) * v(q, axis))
            end do
        end do
        do i = first, last
            p = i + step
            q = i - step
            rhs(i, 5) = rhs(i, 5) + damp * (u(p, 5) - 2 * u(i, 5) + u(q, 5)) + viscosity * curve * ( &
                (1 - conduction) * (kinetic(p) * volume(p) - 2 * kinetic(i) * volume(i) + kinetic(q) * volume(q)) &
                + 0.5_dp * third * (v(p, axis)**2 - 2 * v(i, axis)**2 + v(q, axis)**2) &
                + conduction * (u(p, 5) * volume(p) - 2 * u(i, 5) * volume(i) + u(q, 5) * volume(q))) &
                - slope * ((gamma * u(p, 5) - pressure * kinetic(p)) * v(p, axis) &
                    - (gamma * u(q, 5) - pressure * kinetic(q)) * v(q, axis))
        end do
    end subroutine

    !> Adds the last term, the dissipation of one component. Factors along x differ from point to point of the row.
    subroutine damp_and_scale(dt, pitch, s, first, last, x, y, z, u, rhs)
        real(dp), intent(in) :: dt
        integer, intent(in) :: pitch(3), s, first, last
        real(dp), intent(in) :: x(first:, -2:), y(-2:2), z(-2:2), u(s)
        real(dp), intent(inout) :: rhs(s)
        integer :: i, dy, dz
        dy = pitch(2)
        dz = pitch(3)
        do i = first, last
            rhs(i) = dt * (rhs(i) - (x(i, -2) * u(i - 2) + x(i, -1) * u(i - 1) + (x(i, 0) + y(0) + z(0)) * u(i) &
                + x(i, 1) * u(i + 1) + x(i, 2) * u(i + 2) &
                + y(-2) * u(i - 2 * dy) + y(-1) * u(i - dy) + y(1) * u(i + dy) + y(2) * u(i + 2 * dy) &
                + z(-2) * u(i - 2 * dz) + z(-1) * u(i - dz) + z(1) * u(i + dz) + z(2) * u(i + 2 * dz)))
        end do
    end subroutine

    !> The sums over this PE's points.
    function sum_of_squares(g, a) result(total)
        type(partition), intent(in) :: g
        real(dp), intent(in) :: a(-1:, -1:, -1:, :, :)
        real(dp) :: total(5)
        integer :: c, m
        total = 0
        do c = 1, g%slabs
            associate (n => g%extent(g%slab(:, c)))
                do m = 1, 5
                    total(m) = total(m) + sum(a(1:n(1), 1:n(2), 1:n(3), m, c)**2)
                end do
            end associate
        end do
    end function
end module
