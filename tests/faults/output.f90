! output HOW LINES: as output.c, of images; image 2 ends.
program output
    implicit none
    integer, allocatable :: nowhere(:)
    character(20) :: how, word
    integer :: i, lines
    call get_command_argument(1, how)
    call get_command_argument(2, word)
    read (word, *) lines
    do i = 0, lines - 1
        print '(a, i0, a, i0)', 'PE ', this_image() - 1, ' says that this is line ', i
    end do
    sync all
    if (this_image() == 2) then
        if (how == 'segv') nowhere(12345) = 1
        if (how == 'stop') error stop 3
        if (how == 'abort') call abort()
    end if
    do while (this_image() /= 1)
    end do
    sync all
end program
