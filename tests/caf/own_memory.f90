! images: 1 2
! The memory that an image uses after its start does not depend on the size of the symmetric heap. malloc gets a part of
! the heap. The library uses up malloc's earlier memory, but must not touch it: this would take 200 MB with mimalloc 3.
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
