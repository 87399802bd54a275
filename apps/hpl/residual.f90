!> HPL's test of the answer, with the original matrix.
module residual
    use, intrinsic :: iso_fortran_env, only: real64
    use blas
    use grid
    use matrix
    implicit none
    private
    public :: scaled_residual

contains

    !> ||A x - b|| / (eps (||A|| ||x|| + ||b||) n), in maximum norms, on all images; a becomes the original matrix.
    real(real64) function scaled_residual(a, x)
        real(real64), intent(inout) :: a(lda, columns)
        real(real64), intent(in) :: x(n)
        real(real64), parameter :: eps = epsilon(1.0_real64) / 2
        real(real64) :: mine(columns)      ! x for this image's columns; -1 for the right side
        real(real64) :: sums(rows, 3)      ! for this image's rows: A x - b, b, sums of magnitudes of A
        real(real64) :: norms(3)
        integer :: j, unknowns
        call fill(a)
        unknowns = local_count(n, mycol, npcol)
        mine(1:unknowns) = [(x(global_index(j, mycol, npcol)), j = 1, unknowns)]
        sums = 0
        if (unknowns < columns) then
            mine(columns) = -1
            sums(:, 2) = a(1:rows, columns)
        end if
        if (rows > 0 .and. columns > 0) &
            call dgemv('N', rows, columns, 1.0_real64, a, lda, mine, 1, 0.0_real64, sums, 1)
        do j = 1, unknowns
            sums(:, 3) = sums(:, 3) + abs(a(1:rows, j))
        end do
        change team (row_team)
            call co_sum(sums)
        end team
        do j = 1, 3
            norms(j) = maxval(abs(sums(:, j)))
        end do
        call co_max(norms)
        scaled_residual = norms(1) / (eps * (norms(3) * maxval(abs(x)) + norms(2)) * n)
    end function
end module
