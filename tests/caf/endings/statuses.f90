! The statuses that survivors get, for test_endings.py: image 2 of 4 fails (statuses fail) or stops (statuses stop);
! then 1, 3 and 4 execute every statement with stat=.
program statuses
    use, intrinsic :: iso_fortran_env
    implicit none
    type(lock_type), save :: door[*]
    type(event_type), save :: ready[*]
    integer(atomic_int_kind), save :: counter[*] = 0
    integer(atomic_int_kind) :: old
    integer, save :: s[*] = 0, field(1000)[*]
    integer, allocatable :: more(:)[:]
    integer :: state, gone, failures, x, y(1000)
    character(200) :: message
    character(10) :: how
    logical :: got

    failures = 0
    message = ' '
    y = 0
    call get_command_argument(1, how)
    gone = merge(stat_failed_image, stat_stopped_image, how == 'fail')
    sync all
    if (this_image() == 2) then
        if (how == 'fail') fail image
        stop
    end if

    sync all (stat=state, errmsg=message)
    call expect('sync all')
    call says_something('sync all')
    sync images ([2], stat=state, errmsg=message)
    call expect('sync images (2)')
    call says_something('sync images')
    sync images (*, stat=state)
    call expect('sync images (*)')
    sync all (stat=state)
    call expect('second sync all')

    call check(image_status(2) == gone, 'image_status of the ended image')
    call check(image_status(3) == 0, 'image_status of a survivor')
    if (how == 'fail') then
        call check(same(failed_images(), [2]), 'failed_images')
        call check(size(stopped_images()) == 0, 'stopped_images')
    else
        call check(same(stopped_images(), [2]), 'stopped_images')
        call check(size(failed_images()) == 0, 'failed_images')
    end if
    call check(num_images() == 4, 'num_images')

    x = this_image()
    call co_sum(x, stat=state, errmsg=message)
    call expect('co_sum')
    call says_something('co_sum')
    x = this_image()
    call co_min(x, stat=state)
    call expect('co_min')
    call co_broadcast(y, 1, stat=state)
    call expect('co_broadcast')
    call co_broadcast(y, 2, stat=state)
    call expect('co_broadcast from the ended image')
    allocate (more(100)[*], stat=state, errmsg=message)
    call expect('allocate')
    call says_something('allocate')
    deallocate (more, stat=state)
    call expect('deallocate')
    call check(.not. allocated(more), 'deallocate leaves the coarray allocated')
    allocate (more(100)[*], stat=state)
    call expect('second allocate')
    call check(allocated(more), 'second allocate')

    ! Coindexed accesses and other statements get a status for a failed image, too; a stopped image still has its
    ! memory.
    if (how == 'fail') then
        lock (door[2], stat=state)
        call expect('lock')
        message = ' '
        lock (door[2], acquired_lock=got, stat=state, errmsg=message)
        call expect('lock with acquired_lock')
        call says_something('lock')
        event post (ready[2], stat=state)
        call expect('event post')
        call atomic_add(counter[2], 1_atomic_int_kind, state)
        call expect('atomic_add')
        call atomic_fetch_add(counter[2], 1_atomic_int_kind, old, state)
        call expect('atomic_fetch_add')
        call atomic_ref(old, counter[2], state)
        call expect('atomic_ref')
        x = s[2, stat=state]
        call expect('get')
        y = field(:)[2, stat=state]
        call expect('get of an array')
    else
        x = s[2, stat=state]
        call check(x == 0, 'get from a stopped image')
    end if

    ! The survivors continue among themselves.
    if (this_image() == 1) then
        event post (ready[4], stat=state)
        call check(state == 0, 'event post to a survivor')
    else if (this_image() == 4) then
        event wait (ready, stat=state)
        call check(state == 0, 'event wait for a survivor')
    end if
    lock (door[3], stat=state)
    call check(state == 0, 'lock on a survivor')
    unlock (door[3], stat=state)
    call check(state == 0, 'unlock on a survivor')
    s[3] = 5
    if (this_image() /= 3) then
        sync images ([1, 3, 4], stat=state)
    else
        sync images ([4, 3, 1], stat=state)
    end if
    call check(state == 0, 'sync images of survivors')
    call check(s[1] == 0 .and. s[3] == 5, 'put and get between survivors')
    if (failures == 0) print '(a)', 'SEEN'
    flush (output_unit)
contains
    subroutine expect(what)
        character(*), intent(in) :: what
        call check(state == gone, what)
        if (state /= gone) write (error_unit, '(a, i0, a, i0)') '    stat is ', state, ', expected ', gone
        state = 77
    end subroutine

    subroutine says_something(what)
        character(*), intent(in) :: what
        call check(message /= ' ' .and. ichar(message(1:1)) > 31, what // ', errmsg')
        message = ' '
    end subroutine

    subroutine check(ok, what)
        logical, intent(in) :: ok
        character(*), intent(in) :: what
        if (ok) return
        failures = failures + 1
        write (error_unit, '(a, i0, 2a)') 'image ', this_image(), ': ', what
    end subroutine

    pure logical function same(a, b)
        integer, intent(in) :: a(:), b(:)
        same = size(a) == size(b)
        if (same) same = all(a == b)
    end function
end program
