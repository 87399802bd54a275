! images: 1 2
! What an image takes of its own memory at the start does not depend on how large the symmetric heap is. malloc is given
! a part of that, and what it had before is used up, but not touched: with mimalloc 3 it took 200 MB.
program own_memory
    implicit none
    integer, parameter :: most = 64 * 1024 ! KiB
    integer, allocatable :: x(:)[:]
    character(200) :: line
    integer :: unit, status, taken

    allocate (x(10)[*])
    open (newunit=unit, file='/proc/self/smaps_rollup', action='read', iostat=status)
    do while (status == 0)
        read (unit, '(a)', iostat=status) line
        if (status /= 0 .or. line(:10) /= 'Anonymous:') cycle
        read (line(11:index(line, 'kB') - 1), *) taken
        if (taken > most) then
            print '(a, i0, a, i0, a)', 'image ', this_image(), ' has ', taken, ' KiB of its own'
            error stop
        end if
    end do
end program
