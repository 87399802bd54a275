!> The exact solution, a polynomial of degree four, and its uses: the field before the first step
!> and the error after the last.
!>
!> The field of a PE is u(i, j, k, component, cell): a cell's own points are 1 ... extent along each axis. Around them
!> are two layers of the neighbours' points, or the boundary at 0 or extent + 1 and a layer that no result depends on.
module field
    use, intrinsic :: iso_fortran_env, only: dp => real64
    use grid
    implicit none
    private
    public :: set_exact, set_initial, sum_of_squared_errors

    !> For each component: the constant, and the factors of x, y, z, of their squares, cubes and fourth powers.
    real(dp), parameter :: constant(5) = [2, 1, 2, 2, 5]
    real(dp), parameter :: factor(5, 3, 4) = reshape([real(dp) :: &
        0, 0, 2, 2, 4,                  0, 0, 0, 0, 3,                  4, 0, 0, 0, 2, &
        5, 1, 0, 0, 0.1_dp,             3, 2, 2, 2, 0.4_dp,             0.5_dp, 3, 3, 3, 0.3_dp, &
        0.02_dp, 0.01_dp, 0.04_dp, 0.03_dp, 0.05_dp, &
        0.01_dp, 0.03_dp, 0.03_dp, 0.05_dp, 0.04_dp, &
        0.03_dp, 0.02_dp, 0.05_dp, 0.04_dp, 0.03_dp, &
        0.5_dp, 0.4_dp, 0.3_dp, 0.2_dp, 0.1_dp, &
        0.4_dp, 0.3_dp, 0.5_dp, 0.1_dp, 0.3_dp, &
        0.3_dp, 0.5_dp, 0.4_dp, 0.3_dp, 0.2_dp], [5, 3, 4])

    abstract interface
        pure function point_values(x) result(u)
            import :: dp
            real(dp), intent(in) :: x(3)
            real(dp) :: u(5)
        end function
    end interface

contains

    pure function exact(x) result(u)
        real(dp), intent(in) :: x(3)
        real(dp) :: u(5)
        integer :: axis
        u = constant
        do axis = 1, 3
            u = u + x(axis) * (factor(:, axis, 1) + x(axis) * (factor(:, axis, 2) + x(axis) * (factor(:, axis, 3) &
                + x(axis) * factor(:, axis, 4))))
        end do
    end function

    !> The initial field: exact on the boundary, and inside it blended from the exact solution on the six faces.
    pure function blended(x) result(u)
        real(dp), intent(in) :: x(3)
        real(dp) :: u(5), between(5, 3), low(3), high(3)
        integer :: axis
        if (any(x <= 0 .or. x >= 1)) then
            u = exact(x)
            return
        end if
        do axis = 1, 3
            low = x
            low(axis) = 0
            high = x
            high(axis) = 1
            between(:, axis) = x(axis) * exact(high) + (1 - x(axis)) * exact(low)
        end do
        associate (p => between(:, 1), q => between(:, 2), r => between(:, 3))
            u = p + q + r - p * q - p * r - q * r + p * q * r
        end associate
    end function

    subroutine set_exact(g, u)
        type(partition), intent(in) :: g
        real(dp), intent(out) :: u(-1:, -1:, -1:, :, :)
        call set(g, exact, u)
    end subroutine

    subroutine set_initial(g, u)
        type(partition), intent(in) :: g
        real(dp), intent(out) :: u(-1:, -1:, -1:, :, :)
        call set(g, blended, u)
    end subroutine

    !> Fills the whole array, also past the end of smaller cells, because the solver computes with those values.
    subroutine set(g, values, u)
        type(partition), intent(in) :: g
        procedure(point_values) :: values
        real(dp), intent(out) :: u(-1:, -1:, -1:, :, :)
        integer :: i, j, k, c
        do c = 1, g%slabs
            do k = -1, g%most + 2
                do j = -1, g%most + 2
                    do i = -1, g%most + 2
                        u(i, j, k, :, c) = values(place(g, c, [i, j, k]))
                    end do
                end do
            end do
        end do
    end subroutine

    pure function place(g, c, ijk) result(x)
        type(partition), intent(in) :: g
        integer, intent(in) :: c, ijk(3)
        real(dp) :: x(3)
        x = real(g%before(g%slab(:, c)) + ijk - 1, dp) / (g%points - 1)
    end function

    !> The sums of the squared errors at this PE's points; the boundary has no error.
    function sum_of_squared_errors(g, u) result(total)
        type(partition), intent(in) :: g
        real(dp), intent(in) :: u(-1:, -1:, -1:, :, :)
        real(dp) :: total(5)
        integer :: i, j, k, c
        total = 0
        do c = 1, g%slabs
            associate (n => g%extent(g%slab(:, c)))
                do k = 1, n(3)
                    do j = 1, n(2)
                        do i = 1, n(1)
                            total = total + (u(i, j, k, :, c) - exact(place(g, c, [i, j, k])))**2
                        end do
                    end do
                end do
            end associate
        end do
    end function
end module
