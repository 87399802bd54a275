! hang_caf WHERE [IMAGE...]: the listed images sleep; all other images wait forever in WHERE. A deadlock needs no listed
! images. A comment that test_hangs.py searches for marks the line of each wait.
program hang
    use iso_fortran_env, only: event_type, lock_type, team_type
    use iso_c_binding, only: c_int
    implicit none
    interface
        integer(c_int) function sleep_c(seconds) bind(c, name="sleep")
            import c_int
            integer(c_int), value :: seconds
        end function
    end interface
    type(lock_type) :: locks(2)[*]
    type(event_type) :: event[*]
    type(team_type) :: team
    integer, allocatable :: block(:)[:]
    character(20) :: where, word
    integer :: i, away = 0, me, n, value, status
    logical :: is_away

    me = this_image()
    n = num_images()
    call get_command_argument(1, where)
    is_away = .false.
    do i = 2, command_argument_count()
        call get_command_argument(i, word)
        read (word, *) away
        is_away = is_away .or. away == me
    end do
    value = me
    form team (1 + mod(me, 2), team)
    if (is_away .and. where == 'lock') lock (locks(1)[1])
    if (where == 'critical') call be_critical()
    if (where == 'end_team') then
        change team (team)
            if (is_away) status = sleep_c(1000)
        end team    ! HERE end_team
    end if
    sync all
    if (is_away) status = sleep_c(1000)
    select case (where)
    case ('sync_all')
        sync all    ! HERE sync_all
    case ('sync_images')
        if (me == 1) then
            sync images (*)    ! HERE sync_images
        else
            sync images (1)    ! HERE sync_images others
        end if
    case ('event')
        event wait (event, until_count=2)    ! HERE event
    case ('lock')
        lock (locks(1)[1])    ! HERE lock
    case ('change_team')
        change team (team)    ! HERE change_team
        end team
    case ('co_sum')
        call co_sum(value)    ! HERE co_sum
    case ('co_broadcast')
        call co_broadcast(value, away)    ! HERE co_broadcast
    case ('allocate')
        allocate (block(100)[*])    ! HERE allocate
    case ('two_locks')
        lock (locks(1)[me])
        sync all
        lock (locks(1)[3 - me])    ! HERE two_locks
    case ('different')
        if (mod(me, 2) == 1) then
            sync all    ! HERE different_sync
        else
            call co_sum(value)    ! HERE different_sum
        end if
    case ('circle')
        sync images (1 + mod(me, n))    ! HERE circle
    case ('all_wait')
        event wait (event)    ! HERE all_wait
    end select
    status = sleep_c(1000)
contains
    ! One image sleeps in the critical construct; the others arrive later.
    subroutine be_critical()
        if (.not. is_away) status = sleep_c(1)
        critical    ! HERE critical
            if (is_away) status = sleep_c(1000)
        end critical
    end subroutine
end program
