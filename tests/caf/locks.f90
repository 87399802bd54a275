! images: 1 2 3 4 5 8 16
! Locks, scalar and arrays, static and allocatable: mutual exclusion shown by a counter that is not atomic,
! acquired_lock=, statuses and messages of mistakes, which must not change the lock.
program locks
    use, intrinsic :: iso_fortran_env, only: lock_type, stat_locked, stat_unlocked, stat_locked_other_image
    use check_m, only: check, check_end, neighbour
    implicit none
    type(lock_type), save :: one[*], many(5)[*], corner[2, *]
    type(lock_type), allocatable :: more(:, :)[:]
    integer, save :: counter[*] = 0, counters(5)[*] = 0

    call exclusion
    call mistakes
    call attempts
    call check_end

contains

    subroutine exclusion
        integer, parameter :: rounds = 400
        integer :: i, j, old, where
        do i = 1, rounds
            lock (one[1])
            old = counter[1]
            counter[1] = old + 1
            unlock (one[1])
        end do
        sync all
        call check(counter[1], rounds * num_images(), 'counter under a lock')
        ! five locks on each image, and a counter for each
        do i = 1, rounds
            j = 1 + mod(i + this_image(), 5)
            where = neighbour(i / 5)
            lock (many(j)[where])
            old = counters(j)[where]
            counters(j)[where] = old + 1
            unlock (many(j)[where])
        end do
        sync all
        old = 0
        do i = 1, num_images()
            do j = 1, 5
                old = old + counters(j)[i]
            end do
        end do
        call check(old, rounds * num_images(), 'counters under an array of locks')
        call check(sum(counters), rounds, 'counters of one image')
        sync all
    end subroutine

    subroutine mistakes
        integer :: state, other, me
        character(100) :: message
        logical :: got
        me = this_image()
        other = neighbour(1)
        state = 77
        message = 'untouched'
        lock (many(2)[other], stat=state, errmsg=message)
        call check(state, 0, 'stat of lock')
        call check(message == 'untouched', 'errmsg of lock')
        lock (many(2)[other], stat=state, errmsg=message)
        call check(state, stat_locked, 'lock of a variable that this image has locked')
        call check(message /= 'untouched' .and. message /= '', 'errmsg of a second lock')
        got = .true.
        lock (many(2)[other], acquired_lock=got, stat=state)
        call check(state, stat_locked, 'lock with acquired_lock of a variable that this image has locked')
        message = 'untouched'
        unlock (many(3)[other], stat=state, errmsg=message)
        call check(state /= 0 .and. state /= stat_locked_other_image, 'unlock of an unlocked variable')
        call check(message /= 'untouched' .and. message /= '', 'errmsg of unlock of an unlocked variable')
        unlock (many(2)[other], stat=state)
        call check(state, 0, 'unlock after mistakes')
        unlock (many(2)[other], stat=state)
        call check(state /= 0 .and. state /= stat_locked_other_image, 'second unlock')
        sync all
        if (num_images() > 1) then
            if (me == 1) lock (one[2])
            sync all
            if (me /= 1) then
                got = .true.
                state = 77
                lock (one[2], acquired_lock=got, stat=state)
                call check(.not. got, 'acquired_lock of a variable that another image has locked')
                call check(state, 0, 'stat of lock with acquired_lock')
                message = 'untouched'
                unlock (one[2], stat=state, errmsg=message)
                call check(state, stat_locked_other_image, 'unlock of a variable that another image has locked')
                call check(message /= 'untouched' .and. message /= '', 'errmsg of unlock of the lock of another image')
            end if
            sync all
            if (me == 1) unlock (one[2])
        end if
        sync all
    end subroutine

    subroutine attempts
        integer :: i, tries, old, ours[*]
        save :: ours
        logical :: got
        allocate (more(0:1, 3)[*])
        counter = 0
        sync all
        tries = 0
        do i = 1, 100
            got = .false.
            do while (.not. got)
                lock (more(1, 2)[num_images()], acquired_lock=got)
                tries = tries + 1
            end do
            old = counter[num_images()]
            counter[num_images()] = old + 1
            unlock (more(1, 2)[num_images()])
        end do
        sync all
        call check(counter[num_images()], 100 * num_images(), 'counter under acquired_lock')
        call check(tries >= 100, 'number of attempts')
        lock (more(0, 3))
        lock (more(1, 3))
        lock (corner)
        ours = 1
        unlock (more(0, 3))
        unlock (corner)
        unlock (more(1, 3))
        got = .false.
        lock (more(0, 3), acquired_lock=got)
        call check(got, 'acquired_lock of a free lock')
        unlock (more(0, 3))
        sync all
        deallocate (more)
    end subroutine
end program
