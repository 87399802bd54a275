! One image ends while the others repeat a statement. Compiled with and without stat=.
!
! Arguments: how the image ends, its number, the statement, a delay in microseconds. "kill" kills the image while it
! executes the same statements as the others; all other ends happen while it computes.
#ifdef WITH_STAT
#define ONLY_STAT (stat=state, errmsg=message)
#define AND_STAT , stat=state, errmsg=message
#define AND_STATUS , stat=state
#define STAT_IN_IMAGE , stat=state
#else
#define ONLY_STAT
#define AND_STAT
#define AND_STATUS
#define STAT_IN_IMAGE
#endif
! Accesses in which gfortran 12 to 14 do not accept stat=, and 15 only in a put.
#if defined WITH_STAT && __GNUC__ >= 16
#define TEAM_STAT (stat=state, errmsg=message)
#define AND_TEAM_STAT , stat=state, errmsg=message
#else
#define TEAM_STAT
#define AND_TEAM_STAT
#endif
#if defined WITH_STAT && __GNUC__ >= 15
#define STAT_IN_PUT , stat=state
#else
#define STAT_IN_PUT
#endif

! Each procedure uses this module, because gfortran 15 and 16 cannot access a coarray of the procedure's own module.
module places_data_m
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, lock_type, event_type
    implicit none
    integer(atomic_int_kind), save :: atom[*]
    type(lock_type), save :: door[*], held[*]
    type(event_type), save :: bell[*], counted[*]
    integer, save :: box[*], boxes(1000)[*]
    integer, allocatable :: made(:)[:]
end module

module places_m
    use, intrinsic :: iso_fortran_env
    use, intrinsic :: iso_c_binding, only: c_int
    implicit none
    character(32) :: how, place
    integer :: who, delay, me, n, state
    integer(int64) :: began
    character(100) :: message
    integer :: number
    real(real64) :: sum
    interface
        subroutine kill_in(microseconds) bind(C)
            import c_int
            integer(c_int), value :: microseconds
        end subroutine
        subroutine end_by_signal(number) bind(C)
            import c_int
            integer(c_int), value :: number
        end subroutine
        subroutine end_by_exit(code) bind(C)
            import c_int
            integer(c_int), value :: code
        end subroutine
        subroutine touch_nothing() bind(C)
        end subroutine
        subroutine ask_for_abort() bind(C)
        end subroutine
    end interface
contains
    function argument(i) result(text)
        integer, intent(in) :: i
        character(32) :: text
        call get_command_argument(i, text)
    end function

    integer function argument_number(i)
        integer, intent(in) :: i
        character(32) :: text
        text = argument(i)
        read (text, *) argument_number
    end function

    integer function microseconds()
        integer(int64) :: now, rate
        call system_clock(now, rate)
        microseconds = int((now - began) * 1000000 / rate)
    end function

    subroutine compute(until)
        integer, intent(in) :: until
        do while (microseconds() < until)
        end do
    end subroutine

    pure function added(a, b) result(c)
        integer, intent(in) :: a, b
        integer :: c
        c = a + b
    end function

    ! Ends the image during a WRITE, which has locked the unit.
    integer function ended_within()
        ended_within = 0
        if (me > 0) error stop 21
    end function

    subroutine end_image
        integer :: code
        integer, allocatable :: none(:)
        print '(a)', 'first line of it'
        print '(a)', 'last words'
        select case (how)
        case ('error_stop'); error stop
        case ('error_stop_0'); error stop 0
        case ('error_stop_5'); error stop 5
        case ('error_stop_256'); error stop 256
        case ('error_stop_minus'); error stop (-1)
        case ('error_stop_text'); error stop 'it is enough'
        case ('error_stop_quiet'); error stop 6, quiet=.true.
        case ('error_stop_loud'); error stop 'loud', quiet=.false.
        case ('error_stop_within'); print '(a, i0)', 'never written ', ended_within()
        case ('stop'); stop
        case ('stop_0'); stop 0
        case ('stop_1'); stop 1
        case ('stop_7'); stop 7
        case ('stop_255'); stop 255
        case ('stop_256'); stop 256
        case ('stop_minus'); stop -1
        case ('stop_text'); stop 'well done'
        case ('stop_quiet'); stop 3, quiet=.true.
        case ('end')
        case ('exit_0'); call exit(0)
        case ('exit_4'); call exit(4)
        case ('_exit_0'); call end_by_exit(0)
        case ('_exit_4'); call end_by_exit(4)
        case ('fail'); fail image
        case ('segv'); call touch_nothing
        case ('abort'); call ask_for_abort
        case ('fpe'); call end_by_signal(8)
        case ('kill_idle'); call end_by_signal(9)
        case ('term'); call end_by_signal(15)
        case ('read')
            read (how, '(i8)') code
        case ('write')
            print '(a, i0)', 'half a line ', 'text'
        case ('allocate')
            allocate (none(2))
            if (me > 0) allocate (none(3))
        case default
            error stop 'no such end'
        end select
    end subroutine

    ! Whether a loop has run long enough; for statements that need not detect the end of an image.
    logical function is_seen()
        is_seen = image_status(who) /= 0
    end function

    subroutine stay
        use places_data_m
        integer :: i, partner, list(n - 1), value
        list = pack([(i, i = 1, n)], [(i /= me, i = 1, n)])
        if (place == 'lock_held') then
            if (me == who) then
                lock (held[1])
                sync all
                call compute(delay)
                call end_image
                return
            end if
            sync all
        end if
        i = me
        state = 0
        ! The case of a statement that executes once, or need not detect the end of an image, leaves the loop itself.
        do while (state == 0)
            select case (place)
            case ('sync_all')
                sync all ONLY_STAT
            ! Each image synchronizes only with the image that ends. If it synchronized with more, and the ending image
            ! died between its signals to two images, these two would disagree on the last execution.
            case ('sync_images')
                list = merge(list, who, me == who)
                sync images (list(:merge(n - 1, 1, me == who)) AND_STAT)
            case ('sync_images_star')
                if (me == who) then
                    sync images (* AND_STAT)
                else
                    sync images (who AND_STAT)
                end if
            case ('allocate')
                allocate (made(100)[*] AND_STAT)
                if (state == 0) then
                    deallocate (made AND_STAT)
                end if
            case ('allocate_only')
                allocate (made(100)[*] AND_STAT)
                exit
            case ('deallocate_only')
                deallocate (made AND_STAT)
                exit
            case ('lock')
                lock (door[1] AND_STAT)
                if (state == 0 .or. state == 6002) then
                    unlock (door[1] AND_STAT)
                end if
                if (is_seen()) exit
            case ('lock_held')
                lock (held[1] AND_STAT)
                if (state == 0 .or. state == 6002) unlock (held[1], stat=state)
                exit
            case ('critical')
                critical TEAM_STAT
                    number = number + 1
                end critical
                if (is_seen()) exit
            case ('event_wait')
                do partner = 1, n
                    if (partner /= me .and. image_status(partner) == 0) event post (bell[partner])
                end do
                event wait (bell, until_count=n-1 AND_STAT)
            case ('event_wait_idle')
                event wait (bell AND_STAT)
                exit
            case ('event_post')
                if (me == who) cycle
                event post (counted[who] AND_STAT)
            case ('atomics')
                call atomic_add(atom[who], 1 AND_STATUS)
            case ('get')    ! loads and stores detect an image's end only after an image control statement
                sync memory
                value = box[who STAT_IN_IMAGE]
            case ('get_array')
                sync memory
                boxes(:) = boxes(:)[who STAT_IN_IMAGE]
            case ('put')
                sync memory
                box[who STAT_IN_PUT] = me
            case ('put_array')
                sync memory
                boxes(1:999:2)[who STAT_IN_PUT] = me
            case ('co_sum')
                sum = me
                call co_sum(sum AND_STAT)
            case ('co_min')
                boxes = me
                call co_min(boxes AND_STAT)
            case ('co_max')
                number = me
                call co_max(number, result_image=1 AND_STAT)
            case ('co_broadcast')
                i = mod(i, n) + 1
                call co_broadcast(boxes, n AND_STAT)
            case ('co_reduce')
                number = me
                call co_reduce(number, added AND_STAT)
            case ('teams')
                call change_teams(0)
            case ('form_team')
                call change_teams(1)
            case ('sync_team')
                call change_teams(2)
            case ('end_team')
                call change_teams(3)
            case ('compute')
                if (microseconds() > 30000000) exit
            case ('nothing')
                exit
            case default
                error stop 'no such place'
            end select
        end do
    end subroutine

    ! gfortran 16 deallocates coarrays that are visibly allocated in a construct at its end, without stat=, or crashes.
    subroutine make
        use places_data_m, only: made
        allocate (made(10)[*] AND_STAT)
    end subroutine

    ! The repeated part: 0 all statements, 1 form team, 2 sync team, 3 change team and end team.
    subroutine change_teams(part)
        integer, intent(in) :: part
        type(team_type) :: all
        if (part /= 1) form team (1, all AND_TEAM_STAT)
        do while (state == 0)
            if (part < 2) form team (1, all AND_TEAM_STAT)
            if (part == 2) sync team (all AND_TEAM_STAT)
            if (part == 1 .or. part == 2 .or. state /= 0) cycle
            change team (all AND_TEAM_STAT)
                if (state == 0) call make
            end team TEAM_STAT
        end do
    end subroutine

    subroutine expect(condition, what)
        logical, intent(in) :: condition
        character(*), intent(in) :: what
        if (condition) return
        print '(3a, i0, a)', 'FAILED ', what, ' on image ', me, ' after '//trim(place)
        error stop 9
    end subroutine

    subroutine inside
        critical
            number = me
        end critical
    end subroutine

    ! Operations that must still work among the remaining images.
    subroutine go_on(expected)
        use places_data_m
        integer, intent(in) :: expected
        integer :: i, next, previous, first, seen, k
        integer, allocatable :: left(:), gone(:), few(:)
        print '(a, i0, a, i0, a)', 'image ', me, ' left after ', microseconds() - delay, ' us'
        if (expected == stat_failed_image) then
            gone = failed_images()
            few = stopped_images()
        else
            gone = stopped_images()
            few = failed_images()
        end if
        call expect(size(gone) == 1, 'one image is gone')
        call expect(gone(1) == who, 'it is the one')
        call expect(size(few) == 0, 'no other image is gone')
        do i = 1, n
            call expect(image_status(i) == merge(expected, 0, i == who), 'image_status')
        end do
        message = ''
        sync all (stat=state, errmsg=message)
        call expect(state == expected, 'status of sync all')
        call expect(index(message, 'sync all: image ') == 1, 'message of sync all')
        left = pack([(i, i = 1, n)], [(i /= who, i = 1, n)])
        k = findloc(left, me, 1)
        first = left(1)
        next = left(mod(k, size(left)) + 1)
        previous = left(mod(k + size(left) - 2, size(left)) + 1)
        sync images (left)
        box = 0
        sync images (left)
        do i = 1, 20
            box[next] = i * 1000 + me
            sync images (left)
            call expect(box == i * 1000 + previous, 'put after an end')
            seen = box[next]
            call expect(seen == i * 1000 + me, 'get after an end')
            sync images (left)
        end do
        if (me == first) box = 0
        if (me == first) atom = 0
        sync images (left)
        do i = 1, 20
            lock (door[first], stat=state)
            call expect(state == 0 .or. state == 6002, 'status of lock')
            seen = box[first]
            box[first] = seen + 1
            unlock (door[first])
            if (who /= 1) call inside ! critical needs image 1
            call atomic_add(atom[first], 3)
        end do
        sync images (left)
        if (me == first) call expect(box == 20 * size(left), 'locks after an end')
        if (me == first) call expect(atom == 60 * size(left), 'atomics after an end')
        event post (counted[next])
        state = 1
        do while (state /= 0)
            event wait (counted, stat=state)
            call expect(state /= stat_failed_image .and. state /= stat_stopped_image, 'status of event wait')
        end do
        call co_sum(number, stat=state)
        call expect(state == expected, 'status of co_sum')
        if (expected == stat_failed_image) then
            seen = box[who, stat=state]
            call expect(state == expected, 'status of a get')
        else
            box[who] = 77
            seen = box[who]
            call expect(seen == 77, 'access to a stopped image')
        end if
        sync images (left)
        print '(a, i0, a)', 'image ', me, ' is through'
    end subroutine

    ! Images 2 and 4 fail, image 3 stops, the others continue.
    subroutine several
        integer, allocatable :: failed(:), stopped(:), left(:)
        integer :: i
        select case (me)
        case (2)
            fail image
        case (3)
            stop
        case (4)
            call end_by_signal(9)
        end select
        do
            failed = failed_images()
            stopped = stopped_images()
            if (size(failed) == 2 .and. size(stopped) == 1) exit
        end do
        call expect(all(failed == [2, 4]), 'failed_images')
        call expect(all(stopped == [3]), 'stopped_images')
        call expect(lbound(failed, 1) == 1 .and. lbound(stopped, 1) == 1, 'lower bounds')
        do i = 1, 5
            state = merge(stat_stopped_image, merge(stat_failed_image, 0, i == 2 .or. i == 4), i == 3)
            call expect(image_status(i) == state, 'image_status')
        end do
        sync all (stat=state, errmsg=message)
        call expect(state == stat_stopped_image .and. message == 'sync all: image 3 has stopped', &
                    'sync all')
        sync images (3, stat=state, errmsg=message)
        call expect(state == stat_stopped_image .and. message == 'sync images: image 3 has stopped', &
                    'sync images with 3')
        sync images (4, stat=state, errmsg=message)
        call expect(state == stat_failed_image .and. message == 'sync images: image 4 has failed', &
                    'sync images with 4')
        sync images ([2, 3], stat=state, errmsg=message)
        call expect(state == stat_stopped_image .and. message == 'sync images: image 3 has stopped', &
                    'sync images with 2 and 3')
        sync images (*, stat=state)
        call expect(state == stat_stopped_image, 'sync images (*)')
        left = [1, (i, i = 5, n)]
        sync images (left)
        print '(a)', 'several are fine'
    end subroutine
end module

program places
    use places_m
    use places_data_m, only: atom, made
    implicit none
    how = argument(1)
    place = argument(3)
    who = argument_number(2)
    delay = argument_number(4)
    me = this_image()
    n = num_images()
    atom = 0
    if (place == 'deallocate_only') allocate (made(100)[*])
    sync all
    call system_clock(began)
    if (place == 'several') then
        call several
        stop
    end if
    if (how == 'kill' .and. me == who .and. place /= 'lock_held') call kill_in(delay)
    if (how == 'kill' .and. me == who .and. place == 'lock_held') how = 'kill_idle'
    if (how /= 'kill' .and. place /= 'lock_held' .and. (me == who .or. who == 0)) then
        call compute(delay)
        call end_image
    else
        call stay
#ifdef WITH_STAT
        if (place /= 'nothing' .and. me /= who) then
            if (how == 'kill' .and. place(1:4) /= 'lock' .and. place /= 'critical') &
                call expect((state == stat_failed_image) .neqv. (place(1:10) == 'event_wait'), &
                            'status of the statement')
            call compute(delay)
            do while (image_status(who) == 0)
            end do
            call go_on(image_status(who))
        end if
#endif
    end if
end program
