!> Put and get between pairs of images, all pairs at once: the data, and its check. Pair k is images k and k + pairs;
!> with half of the images on each of two nodes, each pair spans the nodes. Uses neither coarrays nor MPI.
module pair_rows
    use, intrinsic :: iso_fortran_env, only: real64
    use timing
    implicit none
    private
    public :: local, most, words, partner, sends, choose_partner, run_pair_rows

    integer, parameter :: most = 4 * 1024**2 / 8  !< words of the longest message
    integer, parameter :: sizes(*) = [8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304]

    real(real64) :: local(most)
    integer :: words, partner      !< words of the message; the other image of this image's pair
    logical :: sends               !< this image puts and gets; its partner does nothing
    logical :: receives            !< this image's partner sends; a single image sends and receives
    integer :: pairs, moved = 0    !< rows so far

contains

    subroutine choose_partner()
        pairs = max(1, bench%images / 2)
        sends = bench%me <= pairs
        receives = .not. sends .and. bench%me <= 2 * pairs .or. bench%images == 1
        partner = merge(bench%me + pairs, bench%me - pairs, sends)
        if (bench%images == 1) partner = 1
    end subroutine

    !> put, get: the time until all images have completed n of them. put_sync: the time until each put has arrived.
    subroutine run_pair_rows(remote, put, put_sync, get)
        real(real64), intent(inout), target :: remote(:)
        procedure(operation) :: put, put_sync, get
        integer :: i
        do i = 1, size(sizes), merge(3, 1, bench%quick)
            words = sizes(i) / 8
            call put_row('put', put, remote)
            call put_row('put_sync', put_sync, remote)
            call get_row('get', get, remote)
        end do
    end subroutine

    subroutine put_row(row, op, remote)
        character(len=*), intent(in) :: row
        procedure(operation) :: op
        real(real64), intent(inout), target :: remote(:)
        call fill(local, bench%me)
        remote(:words) = -0.5_real64
        call measure(row, words * 8, op, fields=field('pairs', pairs))
        if (receives) call expect_pattern(row, remote(:words), tag(partner))
    end subroutine

    subroutine get_row(row, op, remote)
        character(len=*), intent(in) :: row
        procedure(operation) :: op
        real(real64), intent(inout), target :: remote(:)
        call fill(remote, bench%me)
        local(:words) = -0.5_real64
        call measure(row, words * 8, op, fields=field('pairs', pairs))
        if (sends) call expect_pattern(row, local(:words), tag(partner))
    end subroutine

    !> Makes a new pattern, which depends on the row and the image.
    subroutine fill(x, image)
        real(real64), intent(inout) :: x(:)
        integer, intent(in) :: image
        integer :: i
        moved = moved + 1
        x(:words) = pattern(tag(image), [(i, i = 1, words)])
    end subroutine

    integer function tag(image)
        integer, intent(in) :: image
        tag = moved * 1024 + image
    end function
end module
