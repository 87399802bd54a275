!> Back substitution: the factors and the factorized right side give the unknowns.
module substitute
    use, intrinsic :: iso_fortran_env, only: real64
    use blas
    use grid
    use matrix
    use panel
    implicit none
    private
    public :: back_substitute

contains

    !> Computes all unknowns on all images.
    !>
    !> The parts of `rest` on the images of a row add up to the right side minus the contribution of the known unknowns.
    !> From the last block to the first: the images in the row of the diagonal block add up these parts, the owner of
    !> the diagonal block computes the unknowns, and the images in its column receive them and subtract their
    !> contribution from the rows above.
    subroutine back_substitute(a, unknowns)
        real(real64), intent(in) :: a(lda, columns)
        real(real64), intent(out) :: unknowns(n)
        real(real64) :: rest(rows)
        integer :: number
        unknowns = 0
        rest = 0
        if (owner(n + 1, npcol) == mycol) rest = a(1:rows, columns)
        do number = panels() - 1, 0, -1
            call solve_block(shape_of_panel(number), a, rest, unknowns)
        end do
        change team (row_team)
            call co_sum(unknowns)
        end team
    end subroutine

    subroutine solve_block(x, a, rest, unknowns)
        type(panel_shape), intent(in) :: x
        real(real64), intent(in) :: a(lda, columns)
        real(real64), intent(inout) :: rest(rows), unknowns(n)
        real(real64) :: values(x%width)
        integer :: before
        before = local_count(x%first - 1, mycol, npcol)
        if (myrow == x%row) then
            values = rest(x%above + 1:x%above + x%width)
            change team (row_team)
                call co_sum(values, result_image=x%column + 1)
            end team
            if (mycol == x%column) &
                call dtrsv('U', 'N', 'N', x%width, a(x%above + 1, before + 1), lda, values, 1)
        end if
        if (mycol /= x%column) return
        change team (column_team)
            call co_broadcast(values, x%row + 1)
        end team
        if (x%above > 0) &
            call dgemv('N', x%above, x%width, -1.0_real64, a(1, before + 1), lda, values, 1, 1.0_real64, rest, 1)
        unknowns(x%first:x%first + x%width - 1) = values
    end subroutine
end module
