!> The Himeno benchmark without its communication: sizes, known answers, division of the grid, the Jacobi sweep.
!>
!> The first index is the contiguous and longest axis. The initial field rises along the third axis. A part has its own
!> points at 1, 2, ... of each axis, and around them copies of its neighbours' points or the constant boundary.
module problem
    use, intrinsic :: iso_fortran_env, only: real32, real64
    implicit none
    private
    public :: grid, find_grid, known_gosa, best_cut, points_of, points_before, part, make_part, first_field, sweep
    public :: megaflops, serial_field

    type grid
        character(len=2) :: name
        integer :: extent(3)
    end type

    type(grid), parameter :: grids(5) = [grid('XS', [64, 32, 32]), grid('S', [128, 64, 64]), &
        grid('M', [256, 128, 128]), grid('L', [512, 256, 256]), grid('XL', [1024, 512, 512])]

    !> gosa after `sweeps` sweeps, summed in double precision; sums in different orders agree to 1e-6.
    type answer
        character(len=2) :: name
        integer :: sweeps
        real(real64) :: gosa
    end type

    type(answer), parameter :: answers(17) = [ &
        answer('XS', 1, 6.7137110e-3_real64), answer('XS', 3, 6.2297964e-3_real64), &
        answer('XS', 4, 6.0577354e-3_real64), answer('XS', 10, 5.3582657e-3_real64), &
        answer('XS', 100, 2.3171589e-3_real64), &
        answer('S', 1, 3.4173217e-3_real64), answer('S', 3, 3.2967939e-3_real64), answer('S', 4, 3.2530105e-3_real64), &
        answer('S', 10, 3.0704603e-3_real64), answer('S', 100, 2.1475045e-3_real64), &
        answer('M', 1, 1.7233957e-3_real64), answer('M', 3, 1.6934588e-3_real64), answer('M', 4, 1.6821939e-3_real64), &
        answer('M', 10, 1.6362976e-3_real64), answer('M', 100, 1.3844318e-3_real64), &
        answer('L', 1, 8.6830369e-4_real64), answer('L', 3, 8.6068623e-4_real64)]

    real(real32), parameter :: omega = 0.8_real32

    !> One part of the grid: its position, its coefficients, and the array that a sweep writes.
    type part
        integer :: before(3), points(3)  !< along each axis: points before the part, points of the part
        real(real32), allocatable :: a(:, :, :, :), b(:, :, :, :), c(:, :, :, :)
        real(real32), allocatable :: bnd(:, :, :), wrk1(:, :, :), wrk2(:, :, :)
    end type

contains

    !> The grid of that name; the result's name is blank if no grid has that name.
    type(grid) function find_grid(name)
        character(len=*), intent(in) :: name
        integer :: i
        find_grid = grid('', 0)
        do i = 1, size(grids)
            if (grids(i)%name == name) find_grid = grids(i)
        end do
    end function

    !> The known answer, or 0 if there is none.
    real(real64) function known_gosa(g, sweeps)
        type(grid), intent(in) :: g
        integer, intent(in) :: sweeps
        integer :: i
        known_gosa = 0
        do i = 1, size(answers)
            if (answers(i)%name == g%name .and. answers(i)%sweeps == sweeps) known_gosa = answers(i)%gosa
        end do
    end function

    !> The number of parts along each axis; all zero if the grid is too small. The cost is that of the largest part and
    !> its surface; a face across the contiguous axis costs a cache line for each point.
    function best_cut(g, parts) result(best)
        type(grid), intent(in) :: g
        integer, intent(in) :: parts
        integer, parameter :: weight(3) = [16, 1, 1]
        integer :: best(3), cut(3), most(3), i, j
        real(real64) :: cost, least
        best = 0
        least = huge(least)
        do i = 1, parts
            if (mod(parts, i) /= 0) cycle
            do j = 1, parts / i
                if (mod(parts / i, j) /= 0) cycle
                cut = [i, j, parts / i / j]
                if (any(cut > g%extent - 2)) cycle
                most = points_of(g, cut, [1, 1, 1])
                cost = product(real(most, real64)) * (1 + sum(weight / real(most, real64), mask=cut > 1))
                if (cost >= least) cycle
                least = cost
                best = cut
            end do
        end do
    end function

    !> The number of points of part `place` (from 1) along each axis; the first parts along an axis have the most.
    pure function points_of(g, cut, place) result(points)
        type(grid), intent(in) :: g
        integer, intent(in) :: cut(3), place(3)
        integer :: points(3)
        points = (g%extent - 2) / cut + merge(1, 0, place <= mod(g%extent - 2, cut))
    end function

    !> The index in the grid of the point before the first point of that part.
    pure function points_before(g, cut, place) result(points)
        type(grid), intent(in) :: g
        integer, intent(in) :: cut(3), place(3)
        integer :: points(3)
        points = 1 + (place - 1) * ((g%extent - 2) / cut) + min(place - 1, mod(g%extent - 2, cut))
    end function

    function make_part(g, cut, place) result(x)
        type(grid), intent(in) :: g
        integer, intent(in) :: cut(3), place(3)
        type(part) :: x
        x%points = points_of(g, cut, place)
        x%before = points_before(g, cut, place)
        associate (n1 => x%points(1), n2 => x%points(2), n3 => x%points(3))
            allocate (x%a(n1, n2, n3, 4), x%b(n1, n2, n3, 3), x%c(n1, n2, n3, 3))
            allocate (x%bnd(n1, n2, n3), x%wrk1(n1, n2, n3), x%wrk2(n1, n2, n3))
        end associate
        x%a(:, :, :, 1:3) = 1
        x%a(:, :, :, 4) = 1 / 6.0_real32
        x%b = 0
        x%c = 1
        x%bnd = 1
        x%wrk1 = 0
        x%wrk2 = 0
    end function

    !> The field before the first sweep, at the part's points and around them.
    subroutine first_field(g, x, p)
        type(grid), intent(in) :: g
        type(part), intent(in) :: x
        real(real32), intent(out) :: p(0:, 0:, 0:)
        integer :: k, at
        do k = 0, x%points(3) + 1
            at = x%before(3) + k - 1
            p(:, :, k) = real(at * at, real32) / real((g%extent(3) - 1)**2, real32)
        end do
    end subroutine

    !> The new field goes to wrk2; gosa is the sum of the squares of all changes before damping. Each index along
    !> the contiguous axis has its own sum, so that the compiler can use vectors without reordering a sum.
    subroutine sweep(x, p, gosa)
        type(part), intent(inout) :: x
        real(real32), intent(in), contiguous :: p(0:, 0:, 0:)
        real(real64), intent(out) :: gosa
        real(real64) :: squares(x%points(1))
        real(real32) :: s0, ss
        integer :: i, j, k
        squares = 0
        associate (a => x%a, b => x%b, c => x%c)
            do k = 1, x%points(3)
                do j = 1, x%points(2)
                    do i = 1, x%points(1)
                        s0 = a(i, j, k, 1) * p(i, j, k + 1) + a(i, j, k, 2) * p(i, j + 1, k) &
                            + a(i, j, k, 3) * p(i + 1, j, k) &
                            + b(i, j, k, 1) * (p(i, j + 1, k + 1) - p(i, j - 1, k + 1) &
                                - p(i, j + 1, k - 1) + p(i, j - 1, k - 1)) &
                            + b(i, j, k, 2) * (p(i + 1, j + 1, k) - p(i + 1, j - 1, k) &
                                - p(i - 1, j + 1, k) + p(i - 1, j - 1, k)) &
                            + b(i, j, k, 3) * (p(i + 1, j, k + 1) - p(i + 1, j, k - 1) &
                                - p(i - 1, j, k + 1) + p(i - 1, j, k - 1)) &
                            + c(i, j, k, 1) * p(i, j, k - 1) + c(i, j, k, 2) * p(i, j - 1, k) &
                            + c(i, j, k, 3) * p(i - 1, j, k) + x%wrk1(i, j, k)
                        ss = (s0 * a(i, j, k, 4) - p(i, j, k)) * x%bnd(i, j, k)
                        squares(i) = squares(i) + ss * ss
                        x%wrk2(i, j, k) = p(i, j, k) + omega * ss
                    end do
                end do
            end do
        end associate
        gosa = sum(squares)
    end subroutine

    real(real64) function megaflops(g, sweeps, seconds)
        type(grid), intent(in) :: g
        integer, intent(in) :: sweeps
        real(real64), intent(in) :: seconds
        megaflops = product(real(g%extent - 2, real64)) * 34 * sweeps / seconds / 1e6_real64
    end function

    !> Computes the whole grid as one part; any number of parts must give the same result, bit for bit.
    subroutine serial_field(g, sweeps, p, gosa)
        type(grid), intent(in) :: g
        integer, intent(in) :: sweeps
        real(real32), allocatable, intent(out) :: p(:, :, :)
        real(real64), intent(out) :: gosa
        type(part) :: x
        integer :: n
        x = make_part(g, [1, 1, 1], [1, 1, 1])
        associate (e => x%points)
            allocate (p(0:e(1) + 1, 0:e(2) + 1, 0:e(3) + 1))
            call first_field(g, x, p)
            gosa = 0
            do n = 1, sweeps
                call sweep(x, p, gosa)
                p(1:e(1), 1:e(2), 1:e(3)) = x%wrk2
            end do
        end associate
    end subroutine
end module
