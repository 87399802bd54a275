!> A panel, one block column of the matrix from its diagonal block down, and its factorization by a column of images.
!>
!> A panel is stored in a packet, which is sent along the rows of the grid unchanged. A packet contains the global rows
!> of the pivots (as reals); `top`, the width x width factors of the diagonal block, which all images of the column
!> have; and `work`, this image's rows of the panel from the diagonal block on. A factorized row of the diagonal block
!> is in top; its copy in work is not used any more. Before the packet is sent, the lower triangle of top is inverted:
!> updates are then products, which OpenBLAS computes two to three times as fast as solutions. (The triangle's elements
!> are at most 1 after pivoting, so it is well conditioned in practice; the final residual would reveal an error.)
module panel
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use blas
    use grid
    use matrix
    implicit none
    private
    public :: most_rows, packet, panel_start, shape_of_panel, panels, factorize_panel, pivots_of

    integer, parameter :: leaf = 8            !< this many columns are factorized one by one
    integer, parameter :: most_rows = 4096    ! of the grid; is_largest has 12 bits for a row

    !> Two packets: one is in use while the next one arrives.
    real(real64), allocatable :: packet(:, :)[:, :]

    type, public :: panel_shape
        integer :: number, slot    !< which panel, from 0, and which packet
        integer :: first, width    !< its first column, and the number of columns (0 after the last panel)
        integer :: row, column     !< the position of the diagonal block in the grid
        integer :: above, work     !< the number of local rows before the diagonal block, and from it on
        integer :: dead            !< the number of local rows in the diagonal block
        integer :: top_at, work_at, length  !< where top and work begin in the packet, and its length
    end type

contains

    subroutine panel_start()
        integer :: width
        width = min(nb, n)
        allocate (packet(width * (1 + width + local_count(n, 0, nprow)), 0:1)[0:npcol - 1, 0:*])
        packet = 0  ! the kernel provides the pages now, before the clock starts
    end subroutine

    pure integer function panels()
        panels = (n + nb - 1) / nb
    end function

    pure type(panel_shape) function shape_of_panel(number) result(x)
        integer, intent(in) :: number
        x%number = number
        x%slot = mod(number, 2)
        x%first = number * nb + 1
        x%width = max(0, min(nb, n - number * nb))
        x%row = mod(number, nprow)
        x%column = mod(number, npcol)
        x%above = local_count(x%first - 1, myrow, nprow)
        x%work = rows - x%above
        x%dead = merge(x%width, 0, x%row == myrow)
        x%top_at = 1 + x%width
        x%work_at = x%top_at + x%width**2
        x%length = x%work_at - 1 + x%work * x%width
    end function

    !> The rows of the matrix with which rows first, first + 1, ... are exchanged, in this order.
    function pivots_of(x) result(pivots)
        type(panel_shape), intent(in) :: x
        integer :: pivots(x%width)
        pivots = nint(packet(1:x%width, x%slot))
    end function

    !> Copies the panel from the matrix into the packet and factorizes it there; all images of the panel's column call
    !> it. It copies the upper triangle back into the matrix, which does not need the rest any more.
    subroutine factorize_panel(x, a)
        type(panel_shape), intent(in) :: x
        real(real64), intent(inout) :: a(lda, columns)
        integer :: before
        before = local_count(x%first - 1, mycol, npcol)
        change team (column_team)
            call factorize(x, a(x%above + 1, before + 1), packet(1, x%slot), packet(x%top_at, x%slot), &
                packet(x%work_at, x%slot))
        end team
    end subroutine

    subroutine factorize(x, block, pivots, top, work)
        type(panel_shape), intent(in) :: x
        real(real64), intent(inout) :: block(lda, *)
        real(real64), intent(out) :: pivots(x%width), top(x%width, x%width)
        real(real64), intent(inout) :: work(x%work, x%width)
        integer :: status  ! always 0 for a unit triangle
        work = block(1:x%work, 1:x%width)
        call factorize_columns(x, 1, x%width, pivots, top, work)
        if (x%dead > 0) block(1:x%width, 1:x%width) = top
        call dtrtri('L', 'U', x%width, top, x%width, status)
    end subroutine

    !> Factorizes columns first to last, which already contain the effect of the columns before them: the left half, its
    !> effect on the right half, then the right half.
    recursive subroutine factorize_columns(x, first, last, pivots, top, work)
        type(panel_shape), intent(in) :: x
        integer, intent(in) :: first, last
        real(real64), intent(inout) :: pivots(x%width), top(x%width, x%width), work(x%work, x%width)
        integer :: left, right, alive, middle
        if (last - first < leaf) then
            call eliminate(x, first, last, pivots, top, work)
            return
        end if
        left = (last - first + 2 * leaf) / (2 * leaf) * leaf
        right = last - first + 1 - left
        middle = first + left
        call factorize_columns(x, first, middle - 1, pivots, top, work)
        call dtrsm('L', 'L', 'N', 'U', left, right, 1.0_real64, top(first, first), x%width, top(first, middle), x%width)
        alive = min(middle, x%dead + 1)
        if (alive <= x%work) call dgemm('N', 'N', x%work - alive + 1, right, left, -1.0_real64, work(alive, first), &
            x%work, top(first, middle), x%width, 1.0_real64, work(alive, middle), x%work)
        call factorize_columns(x, middle, last, pivots, top, work)
    end subroutine

    !> Does the same column by column.
    subroutine eliminate(x, first, last, pivots, top, work)
        type(panel_shape), intent(in) :: x
        integer, intent(in) :: first, last
        real(real64), intent(inout) :: pivots(x%width), top(x%width, x%width), work(x%work, x%width)
        integer :: j, alive, left
        do j = first, last
            call interchange(x, j, pivots, top, work)
            alive = min(j, x%dead) + 1
            left = x%work - alive + 1
            if (left == 0) cycle
            call dscal(left, 1 / top(j, j), work(alive, j), 1)
            if (j < last) call dger(left, last - j, -1.0_real64, work(alive, j), 1, top(j, j + 1), x%width, &
                work(alive, j + 1), x%work)
        end do
    end subroutine

    !> Finds the pivot of column j, stores its row in top(j, :) on all images, and moves row j to the pivot row's place.
    subroutine interchange(x, j, pivots, top, work)
        type(panel_shape), intent(in) :: x
        integer, intent(in) :: j
        real(real64), intent(inout) :: pivots(x%width), top(x%width, x%width), work(x%work, x%width)
        real(real64) :: lines(x%width + 1, 2)  ! the pivot's row with its number at the end; row j
        integer :: alive, best
        logical :: chosen
        alive = min(j, x%dead + 1)
        best = 0
        if (alive <= x%work) best = alive - 1 + idamax(x%work - alive + 1, work(alive, j), 1)
        if (nprow == 1) then
            pivots(j) = x%above + best
            top(j, :) = work(best, :)
            work(best, :) = work(j, :)
            return
        end if

        chosen = is_largest(work(:, j), best)
        lines = 0
        if (chosen) then
            lines(1:x%width, 1) = work(best, :)
            lines(x%width + 1, 1) = global_index(x%above + best, myrow, nprow)
        end if
        if (x%dead > 0) lines(1:x%width, 2) = work(j, :)
        call co_sum(lines)
        top(j, :) = lines(1:x%width, 1)
        pivots(j) = lines(x%width + 1, 1)
        if (chosen) work(best, :) = lines(1:x%width, 2)
    end subroutine

    !> Whether element `best` of this image's column is the largest of the team; a `best` of 0 means no element. One
    !> integer decides: nonnegative numbers have the same order as their bits, and the image's row replaces the last 12
    !> bits. Elements that differ by less than 2^-40 of their size are equally good pivots.
    logical function is_largest(column, best)
        real(real64), intent(in) :: column(:)
        integer, intent(in) :: best
        integer(int64) :: mine, largest
        mine = -1
        if (best > 0) then
            mine = transfer(abs(column(best)), mine)
            mine = mine - iand(mine, most_rows - 1_int64) + most_rows - 1 - myrow
        end if
        largest = mine
        call co_max(largest)
        is_largest = best > 0 .and. mine == largest
    end function
end module
