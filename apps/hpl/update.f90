!> The update: a panel's row interchanges and elimination, carried out in columns that come after it. The panel brings
!> the inverse of the lower triangle of its diagonal block.
module update
    use, intrinsic :: iso_fortran_env, only: real64
    use blas
    use grid
    use matrix
    use panel
    use swap
    implicit none
    private
    public :: update_columns

contains

    !> Updates this image's columns first to last; all images of the same column of the grid call it.
    subroutine update_columns(x, a, first, last)
        type(panel_shape), intent(in) :: x
        real(real64), intent(inout) :: a(lda, columns)
        integer, intent(in) :: first, last
        if (first > last) return
        if (nprow == 1) then
            call update_alone(x, last - first + 1, a(x%first, first), packet(x%top_at, x%slot), &
                packet(x%work_at, x%slot))
        else
            call interchange_rows(x, a, first, last)
            call update_together(x, last - first + 1, a(x%above + 1, first), packet(x%top_at, x%slot), &
                packet(x%work_at, x%slot), u)
        end if
    end subroutine

    !> The update if all rows are on this image.
    subroutine update_alone(x, width, block, top, work)
        type(panel_shape), intent(in) :: x
        integer, intent(in) :: width
        real(real64), intent(inout) :: block(lda, *)
        real(real64), intent(in) :: top(x%width, x%width), work(x%work, x%width)
        call dlaswp(width, block, lda, 1, x%width, pivots_of(x) - x%above, 1)
        call dtrmm('L', 'L', 'N', 'U', x%width, width, 1.0_real64, top, x%width, block, lda)
        if (x%work > x%dead) call dgemm('N', 'N', x%work - x%dead, width, x%width, -1.0_real64, work(x%dead + 1, 1), &
            x%work, block, lda, 1.0_real64, block(x%dead + 1, 1), lda)
    end subroutine

    !> The update if several images share a column: all of them have the rows of the diagonal block as the lines of u.
    subroutine update_together(x, width, block, top, work, u)
        type(panel_shape), intent(in) :: x
        integer, intent(in) :: width
        real(real64), intent(inout) :: block(lda, *), u(:, :)
        real(real64), intent(in) :: top(x%width, x%width), work(x%work, x%width)
        call dtrmm('R', 'L', 'T', 'U', width, x%width, 1.0_real64, top, x%width, u, size(u, 1))
        if (x%dead > 0) block(1:x%width, 1:width) = transpose(u(1:width, 1:x%width))
        if (x%work > x%dead) call dgemm('N', 'T', x%work - x%dead, width, x%width, -1.0_real64, work(x%dead + 1, 1), &
            x%work, u, size(u, 1), 1.0_real64, block(x%dead + 1, 1), lda)
    end subroutine
end module
