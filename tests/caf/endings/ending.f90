! An image ends as HOW says, for test_endings.py: ending HOW IMAGE.  The others wait in sync all, or end with the image.
program ending
    use, intrinsic :: iso_fortran_env, only: stat_failed_image, stat_stopped_image
    implicit none
    character(20) :: how, who
    integer :: image, state
    integer, allocatable :: a(:)[:]
    call get_command_argument(1, how)
    call get_command_argument(2, who)
    read (who, *) image
    allocate (a(100000)[*])
    a = this_image()
    sync all
    if (image == this_image()) then
        select case (how)
        case ('stop0')
            stop
        case ('stop3')
            stop 3
        case ('stop3quiet')
            stop 3, quiet=.true.
        case ('stoptext')
            stop 'words of farewell'
        case ('error')
            error stop
        case ('error5')
            error stop 5
        case ('error5quiet')
            error stop 5, quiet=.true.
        case ('errortext')
            error stop 'words of error'
        case ('errortextquiet')
            error stop 'words of error', quiet=.true.
        case ('fail')
            fail image
        case ('end')
            a = a + 1
        case ('stoptolerant')
            stop
        case ('badimage')
            a(1)[num_images() + image] = 7
        end select
    end if
    ! The others continue, or wait for an event that cannot happen.
    select case (how)
    case ('stop0', 'stop3', 'stop3quiet', 'stoptext', 'end')
        ! normal termination waits for all images: every image continues here
        if (image == this_image()) stop
        a(1) = a(1) + 1
    case ('stoptolerant')
        sync all (stat=state)
        if (state /= stat_stopped_image) error stop 9
        print '(a)', 'SEEN'
    case ('fail')
        sync all (stat=state)
        if (state /= stat_failed_image) error stop 9
        print '(a)', 'SEEN'
    case default
        sync all
    end select
end program
