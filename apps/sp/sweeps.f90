!> The implicit part of a step: along each axis, for each line of points, three pentadiagonal systems. The first
!> contains the velocity of the flow and has three right-hand sides; the others contain the velocity plus and minus the
!> speed of sound and have one right-hand side each.
!>
!> All axes share the code. A cell is solved plane by plane, each plane in a work array whose first index counts its
!> lines: Gauss elimination proceeds along the lines, and every loop over them is a vector operation. A row of a system
!> involves two points on either side, so a cell passes its last two rows to the next cell; on the way back it passes
!> the solution in its first two rows. In the last slab, substitution starts while a plane is in the cache.
module sweeps
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use characteristics
    use exchange
    use flow
    use grid
    use problem
    implicit none
    private
    public :: work_space, make_work_space, sweep

    !> The work array has for each point the right-hand sides (later the solution) and for each system the two diagonals
    !> above the main one, as elimination leaves them. A cell passes all this onward, and only the solution back.
    integer, parameter :: systems = 3, sides = handed_over(back), values = handed_over(onward)
    integer, parameter :: first_side(systems) = [1, 4, 5], last_side(systems) = [3, 4, 5]
    real(dp), parameter :: sound_sign(systems) = [0, 1, -1]

    type work_space
        real(dp), allocatable :: planes(:, :, :, :)  !< (line, place, value, plane): places from -1 to extent + 2
        real(dp), allocatable :: velocity(:, :), sound(:, :), viscous(:, :)  !< (line, place): terms of one plane's rows
    end type

    !> A cell in a sweep.
    type leg
        integer :: axis, slab, cell, lines, places, planes
        logical :: first, last
    end type

contains

    !> The planes of all cells but the last must be kept until the solution comes back.
    subroutine make_work_space(g, w)
        type(partition), intent(in) :: g
        type(work_space), intent(out) :: w
        associate (m => g%most)
            allocate (w%planes(m, -1:m + 2, values, m * (g%slabs - 1) + 1), source=0.0_dp)
            allocate (w%velocity(m, 0:m + 1), w%sound(m, 0:m + 1), w%viscous(m, 0:m + 1), source=0.0_dp)
        end associate
    end subroutine

    !> Sweeps along one axis, through all slabs onward and back.
    subroutine sweep(g, axis, f, u, w)
        type(partition), intent(in) :: g
        integer, intent(in) :: axis
        type(flow_state), intent(inout) :: f
        real(dp), intent(inout), contiguous :: u(-1:, -1:, -1:, :, :)
        type(work_space), intent(inout) :: w
        integer :: slab
        do slab = 1, g%slabs
            call sweep_onward(g, make_leg(g, axis, slab), f, u, w)
        end do
        do slab = g%slabs - 1, 1, -1
            call sweep_back(g, make_leg(g, axis, slab), f, u, w)
        end do
    end subroutine

    !> A cell's part of a sweep. Adjacent lines are adjacent in memory if the axis allows it.
    type(leg) function make_leg(g, axis, slab)
        type(partition), intent(in) :: g
        integer, intent(in) :: axis, slab
        integer :: n(3)
        n = g%extent(g%slab(:, g%cell(axis, slab)))
        make_leg = leg(axis, slab, g%cell(axis, slab), n(merge(2, 1, axis == 1)), n(axis), n(merge(2, 3, axis == 3)), &
            slab == 1, slab == g%slabs)
    end function

    subroutine sweep_onward(g, c, f, u, w)
        type(partition), intent(in) :: g
        type(leg), intent(in) :: c
        type(flow_state), intent(inout) :: f
        real(dp), intent(inout), contiguous :: u(-1:, -1:, -1:, :, :)
        type(work_space), intent(inout) :: w
        real(dp), pointer, contiguous :: before(:, :, :, :), ahead(:, :, :, :), beyond(:, :, :, :)
        real(dp) :: difference(g%most, -2:2)
        integer :: plane, n, way
        difference = f%dt * dissipation * fourth_difference(g, c%slab)
        way = merge(back, onward, c%last)
        before => inbox(c%axis, c%slab, onward)
        ahead => inbox(c%axis, g%slabs, back)
        beyond => outbox(c%axis, c%slab, way)
        do plane = 1, c%planes
            n = slot(g, c, plane)
            call gather(g, c, plane, f, w, n)
            w%planes(:, -1:0, :, n) = before(:, :, :, plane)
            call eliminate(g%most, c%lines, c%places, difference, w%velocity, w%sound, w%viscous, w%planes(:, :, :, n))
            if (c%last) then
                call finish_plane(g, c, plane, f, u, w%planes(:, :, :, n), ahead, beyond)
            else
                beyond(:, :, :, plane) = w%planes(:, c%places - 1:c%places, :, n)
            end if
        end do
        if (g%slabs > 1) call send(g, c%axis, c%slab, way)
    end subroutine

    subroutine sweep_back(g, c, f, u, w)
        type(partition), intent(in) :: g
        type(leg), intent(in) :: c
        type(flow_state), intent(inout) :: f
        real(dp), intent(inout), contiguous :: u(-1:, -1:, -1:, :, :)
        type(work_space), intent(inout) :: w
        real(dp), pointer, contiguous :: ahead(:, :, :, :), beyond(:, :, :, :)
        integer :: plane
        ahead => inbox(c%axis, c%slab, back)
        beyond => outbox(c%axis, c%slab, back)
        do plane = 1, c%planes
            call finish_plane(g, c, plane, f, u, w%planes(:, :, :, slot(g, c, plane)), ahead, beyond)
        end do
        if (.not. c%first) call send(g, c%axis, c%slab, back)
    end subroutine

    !> Back substitution in one plane: the solution is stored where the next sweep reads it, the last one into the
    !> field.
    subroutine finish_plane(g, c, plane, f, u, p, ahead, beyond)
        type(partition), intent(in) :: g
        type(leg), intent(in) :: c
        integer, intent(in) :: plane
        type(flow_state), intent(inout) :: f
        real(dp), intent(inout), contiguous :: u(-1:, -1:, -1:, :, :)
        real(dp), intent(inout) :: p(g%most, -1:g%most + 2, values)
        real(dp), intent(in), contiguous :: ahead(:, :, :, :)
        real(dp), intent(inout), contiguous :: beyond(:, :, :, :)
        type(plane_of_lines) :: at
        integer :: s
        p(:, c%places + 1:c%places + 2, :sides) = ahead(:, :, :, plane)
        call substitute(g%most, c%lines, c%places, p)
        if (.not. c%first) beyond(:, :, :, plane) = p(:, 1:2, :sides)
        at = points_of(c, f%pitch, plane)
        s = size(u, 1)**3
        select case (c%axis)
        case (1)
            call x_to_y(at, g%most, p, s, f%rhs(:, :, :, :, c%cell))
        case (2)
            call y_to_z(at, g%most, p, s, f%rhs(:, :, :, :, c%cell))
        case (3)
            call z_to_field(at, g%most, p, s, f%velocity(:, :, :, :, c%cell), f%volume(:, :, :, c%cell), &
                f%kinetic(:, :, :, c%cell), f%sound(:, :, :, c%cell), u(:, :, :, :, c%cell))
        end select
    end subroutine

    !> The index of a plane in the work space; the planes of the last slab are not kept and share one.
    pure integer function slot(g, c, plane)
        type(partition), intent(in) :: g
        type(leg), intent(in) :: c
        integer, intent(in) :: plane
        slot = g%most * (c%slab - 1) + merge(1, plane, c%last)
    end function

    type(plane_of_lines) function points_of(c, pitch, plane)
        type(leg), intent(in) :: c
        integer, intent(in) :: pitch(3), plane
        integer :: origin(3), line_axis
        line_axis = merge(2, 1, c%axis == 1)
        origin = 0
        origin(merge(2, 3, c%axis == 3)) = plane
        points_of = plane_of_lines(c%lines, c%places, offset(pitch, origin(1), origin(2), origin(3)), &
            pitch(line_axis), pitch(c%axis))
    end function

    !> Copies a plane's right-hand sides to its work array, and computes the terms of its rows.
    subroutine gather(g, c, plane, f, w, n)
        type(partition), intent(in) :: g
        type(leg), intent(in) :: c
        integer, intent(in) :: plane, n
        type(flow_state), intent(in) :: f
        type(work_space), intent(inout) :: w
        call gather_points(points_of(c, f%pitch, plane), g%most, f%dt * (g%points - 1), damping(c%axis), g%points - 1, &
            size(f%volume, 1)**3, f%rhs(:, :, :, :, c%cell), f%velocity(:, :, :, c%axis, c%cell), &
            f%volume(:, :, :, c%cell), f%sound(:, :, :, c%cell), w%planes(:, :, :, n), w%velocity, w%sound, w%viscous)
    end subroutine

    subroutine gather_points(at, m, scale, damp, intervals, s, rhs, v, volume, sound, p, velocities, sounds, viscous)
        type(plane_of_lines), intent(in) :: at
        integer, intent(in) :: m, intervals, s
        real(dp), intent(in) :: scale, damp, rhs(s, sides), v(s), volume(s), sound(s)
        real(dp), intent(inout) :: p(m, -1:m + 2, values)
        real(dp), intent(inout), dimension(m, 0:m + 1) :: velocities, sounds, viscous
        integer :: i, l, n, side
        do i = 0, at%places + 1
            do l = 1, at%lines
                n = at%start + l * at%line_step + i * at%step
                velocities(l, i) = 0.5_dp * scale * v(n)
                sounds(l, i) = 0.5_dp * scale * sound(n)
                viscous(l, i) = scale * intervals * largest_diffusion(damp, volume(n))
            end do
        end do
        do side = 1, sides
            do i = 1, at%places
                do l = 1, at%lines
                    p(l, i, side) = rhs(at%start + l * at%line_step + i * at%step, side)
                end do
            end do
        end do
    end subroutine

    !> The largest of the five equations: that of energy, because viscosity is positive and all have the same damping.
    elemental real(dp) function largest_diffusion(damp, volume)
        real(dp), intent(in) :: damp, volume
        largest_diffusion = damp + conduction * viscosity * volume
    end function

    !> Row i of a system has coefficients for places i - 2 to i + 2 of its line; after elimination it is
    !>     solution(i) + above(i) * solution(i + 1) + far(i) * solution(i + 2) = side(i)
    subroutine eliminate(m, lines, places, difference, velocity, sound, viscous, p)
        integer, intent(in) :: m, lines, places
        real(dp), intent(in) :: difference(m, -2:2)
        real(dp), intent(in), dimension(m, 0:m + 1) :: velocity, sound, viscous
        real(dp), intent(inout) :: p(m, -1:m + 2, values)
        real(dp), dimension(m) :: below, inverse
        integer :: i, l, system, side, above, far
        do i = 1, places
            do system = 1, systems
                above = sides + 2 * system - 1
                far = above + 1
                do l = 1, lines
                    below(l) = difference(i, -1) - viscous(l, i - 1) - velocity(l, i - 1) &
                        - sound_sign(system) * sound(l, i - 1) - difference(i, -2) * p(l, i - 2, above)
                    inverse(l) = 1 / (1 + difference(i, 0) + 2 * viscous(l, i) - difference(i, -2) * p(l, i - 2, far) &
                        - below(l) * p(l, i - 1, above))
                    p(l, i, above) = inverse(l) * (difference(i, 1) - viscous(l, i + 1) + velocity(l, i + 1) &
                        + sound_sign(system) * sound(l, i + 1) - below(l) * p(l, i - 1, far))
                    p(l, i, far) = inverse(l) * difference(i, 2)
                end do
                do side = first_side(system), last_side(system)
                    do l = 1, lines
                        p(l, i, side) = inverse(l) * (p(l, i, side) - difference(i, -2) * p(l, i - 2, side) &
                            - below(l) * p(l, i - 1, side))
                    end do
                end do
            end do
        end do
    end subroutine

    !> Substitutes from the last place to the first; the values of the two places after the last are known.
    subroutine substitute(m, lines, places, p)
        integer, intent(in) :: m, lines, places
        real(dp), intent(inout) :: p(m, -1:m + 2, values)
        integer :: i, l, system, side, above, far
        do i = places, 1, -1
            do system = 1, systems
                above = sides + 2 * system - 1
                far = above + 1
                do side = first_side(system), last_side(system)
                    do l = 1, lines
                        p(l, i, side) = p(l, i, side) - p(l, i, above) * p(l, i + 1, side) &
                            - p(l, i, far) * p(l, i + 2, side)
                    end do
                end do
            end do
        end do
    end subroutine
end module
