!> The row interchanges of a panel in the columns after it, if the grid has several rows.
!>
!> A row that moves into the diagonal block is sent to all images of the column, since each needs it to update its rows.
!> It becomes line i of `u`, which is contiguous, so that one put sends it to each other image. The previous rows of the
!> diagonal block move to where the new rows were: line i of `displaced` replaces the row that became line i of u.
!> There are two waits for the images of the column: until their lines are free, and until lines have arrived.
module swap
    use, intrinsic :: iso_fortran_env, only: real64
    use grid
    use matrix
    use panel
    implicit none
    private
    public :: swap_start, interchange_rows, u

    real(real64), allocatable :: u(:, :)[:, :], displaced(:, :)[:, :]
    integer, parameter :: strip = 64  !< columns that are gathered together, because rows share cache lines

contains

    subroutine swap_start()
        integer :: most
        if (nprow == 1) return
        most = local_count(n + 1, 0, npcol)
        allocate (u(most, min(nb, n))[0:npcol - 1, 0:*], displaced(most, min(nb, n))[0:npcol - 1, 0:*])
        u = 0
        displaced = 0
    end subroutine

    !> Interchanges the rows in this image's columns first to last. Line i of u then has their part of row i of the
    !> diagonal block.
    subroutine interchange_rows(x, a, first, last)
        type(panel_shape), intent(in) :: x
        real(real64), intent(inout) :: a(lda, columns)
        integer, intent(in) :: first, last
        integer :: from(x%width), into(x%width)
        integer :: holder(x%width)  ! the row of the grid whose images have row from(i)
        integer :: i, r, width
        width = last - first + 1
        call net_interchange(x, from, into)
        holder = [(owner(from(i), nprow), i = 1, x%width)]

        sync images (column_peers)
        call gather(a, local_rows(from), holder == myrow, first, last, u)
        if (x%dead > 0) call gather(a, local_rows(into), into > 0, first, last, displaced)
        do r = 0, nprow - 1
            if (r == myrow) cycle
            do i = 1, x%width
                if (holder(i) == myrow) call put(width, i, r)
                if (x%dead > 0 .and. into(i) > 0 .and. holder(i) == r) call put_displaced(width, i, r)
            end do
        end do
        sync images (column_peers)
        call scatter(a, local_rows(from), into > 0 .and. holder == myrow, first, last)
    contains
        ! Internal procedures, because gfortran 16 crashes if a module procedure has these puts.
        subroutine put(elements, line, to)
            integer, intent(in) :: elements, line, to
            u(1:elements, line)[mycol, to] = u(1:elements, line)
        end subroutine
        subroutine put_displaced(elements, line, to)
            integer, intent(in) :: elements, line, to
            displaced(1:elements, line)[mycol, to] = displaced(1:elements, line)
        end subroutine
    end subroutine

    !> The result of all interchanges: row from(i) becomes row i of the diagonal block. If it was below the block, a row
    !> of the block, into(i), takes its place; otherwise into(i) is 0. (A row below can only receive a row of the block:
    !> before its own turn, each row of the block has only changed places within the block.)
    subroutine net_interchange(x, from, into)
        type(panel_shape), intent(in) :: x
        integer, intent(out) :: from(x%width), into(x%width)
        integer :: pivots(x%width), place(2 * x%width), holds(2 * x%width)
        integer :: i, j, known
        pivots = pivots_of(x)
        known = x%width
        place(1:known) = [(x%first + i - 1, i = 1, x%width)]
        holds(1:known) = place(1:known)
        do i = 1, x%width
            j = pivots(i) - x%first + 1
            if (j > x%width) then
                j = findloc(place(1:known), pivots(i), dim=1)
                if (j == 0) then
                    known = known + 1
                    j = known
                    place(j) = pivots(i)
                    holds(j) = pivots(i)
                end if
            end if
            holds([i, j]) = holds([j, i])
        end do
        from = holds(1:x%width)
        do i = 1, x%width
            into(i) = 0
            j = findloc(place(x%width + 1:known), from(i), dim=1)
            if (j > 0) into(i) = holds(x%width + j)
        end do
    end subroutine

    elemental integer function local_rows(row)
        integer, intent(in) :: row
        local_rows = local_count(max(row, 1), owner(max(row, 1), nprow), nprow)
    end function

    !> Copies row row(i) to line i, for each i with wanted(i).
    subroutine gather(a, row, wanted, first, last, line)
        real(real64), intent(in) :: a(lda, columns)
        integer, intent(in) :: row(:), first, last
        logical, intent(in) :: wanted(:)
        real(real64), intent(inout) :: line(:, :)
        integer :: begin, end, i
        do begin = first, last, strip
            end = min(begin + strip - 1, last)
            do i = 1, size(row)
                if (wanted(i)) line(begin - first + 1:end - first + 1, i) = a(row(i), begin:end)
            end do
        end do
    end subroutine

    !> Copies line i of displaced to row row(i), for each i with wanted(i).
    subroutine scatter(a, row, wanted, first, last)
        real(real64), intent(inout) :: a(lda, columns)
        integer, intent(in) :: row(:), first, last
        logical, intent(in) :: wanted(:)
        integer :: begin, end, i
        do begin = first, last, strip
            end = min(begin + strip - 1, last)
            do i = 1, size(row)
                if (wanted(i)) a(row(i), begin:end) = displaced(begin - first + 1:end - first + 1, i)
            end do
        end do
    end subroutine
end module
