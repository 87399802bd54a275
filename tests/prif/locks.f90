! Locks, by handles and addresses, and critical: exclusion, acquired_lock, arrays of locks, every status.
program locks
    use prif_check
    implicit none
    integer, parameter :: count = 5, rounds = 60
    type(prif_coarray_handle) :: handle, guarded, section, sections(2)
    type(c_ptr) :: memory, guarded_memory, section_memory
    type(prif_lock_type), pointer :: mine(:)
    type(prif_critical_type), pointer :: first
    integer(c_int64_t), pointer, volatile :: words(:)
    integer(c_size_t), parameter :: bytes = storage_size(prif_lock_type()) / 8
    integer(c_intptr_t), allocatable :: addresses(:)
    integer :: i

    call check_begin
    call allocate_bytes(count * bytes, handle, memory)
    call c_f_pointer(memory, mine, [count])
    mine = prif_lock_type()
    call allocate_bytes(16_c_size_t, guarded, guarded_memory)
    call c_f_pointer(guarded_memory, words, [2])
    words = 0
    do i = 1, 2
        call allocate_bytes(int(storage_size(prif_critical_type()) / 8, c_size_t), section, section_memory)
        call c_f_pointer(section_memory, first)
        first = prif_critical_type()
        sections(i) = section
    end do
    allocate (addresses(images))
    call share_address(memory, addresses)
    call prif_sync_all
    call exclusion
    call acquired
    call statuses
    call critical
    call prif_deallocate_coarrays([handle, guarded])
    call check_end

contains

    ! Adds to a word of an image by get and put; only the holder of the lock may do this.
    subroutine add(image, index)
        integer, intent(in) :: image, index
        integer(c_int64_t), target :: word
        call prif_get(image, guarded, int(8 * (index - 1), c_size_t), c_loc(word), 8_c_size_t)
        word = word + me
        call prif_put(image, guarded, int(8 * (index - 1), c_size_t), c_loc(word), 8_c_size_t)
    end subroutine

    subroutine exclusion
        integer :: round, k
        integer(c_int) :: state, image
        integer(c_size_t) :: offset
        character(20) :: message
        image = images
        do round = 1, rounds
            k = 1 + modulo(round, 2)    ! the number of the lock and of its word
            offset = (k + 1) * bytes
            state = -1
            message = 'before'
            if (modulo(round + me, 3) == 0) then
                call prif_lock_indirect(image, addresses(image) + int(offset, c_intptr_t), stat=state, errmsg=message)
            else
                call prif_lock(image, handle, offset, stat=state, errmsg=message)
            end if
            call check(state == 0 .and. message == 'before', 'stat and errmsg of lock')
            call add(image, k)
            state = -1
            if (modulo(round, 3) == 0) then
                call prif_unlock_indirect(image, addresses(image) + int(offset, c_intptr_t), state, message)
            else
                call prif_unlock(image, handle, offset, state, message)
            end if
            call check(state == 0 .and. message == 'before', 'stat and errmsg of unlock')
        end do
        call prif_sync_all
        if (me == images) call check(all(words == rounds / 2 * images * (images + 1) / 2), 'words under locks')
        words = 0
        call prif_sync_all
    end subroutine

    ! With acquired_lock no image waits, and one image gets true.
    subroutine acquired
        logical(c_bool) :: got
        integer(c_int) :: total(1), state
        got = .false.
        state = -1
        call prif_lock(1, handle, 0_c_size_t, got, state)
        call check(state, 0, 'stat of lock with acquired_lock')
        total = merge(1, 0, got)
        call prif_sync_all
        call prif_co_sum(total)
        call check(total(1), 1, 'images that have acquired the lock')
        if (.not. got) then
            got = .true.
            call prif_lock_indirect(1, addresses(1), got)
            call check(logical(.not. got), 'acquired_lock while another image has it')
        end if
        call prif_sync_all
        if (total(1) == 1) then
            call prif_lock(me, handle, bytes, got)
            call check(logical(got), 'acquired_lock of a lock that is free')
            call prif_unlock(me, handle, bytes)
        end if
        call prif_unlock(1, handle, 0_c_size_t, state)
        call check(state == 0 .or. state == PRIF_STAT_LOCKED_OTHER_IMAGE .or. state == PRIF_STAT_UNLOCKED, &
            'stat of unlock')
        call prif_sync_all
        call prif_unlock(1, handle, 0_c_size_t, state)
        call check(state, PRIF_STAT_UNLOCKED, 'stat of unlock of an unlocked variable')
        call prif_sync_all
    end subroutine

    subroutine statuses
        logical(c_bool) :: got
        integer(c_int) :: state
        character(80) :: message
        character(:), allocatable :: whole
        message = ''
        call prif_lock(me, handle, 0_c_size_t)
        call prif_lock(me, handle, 0_c_size_t, stat=state, errmsg=message)
        call check(state, PRIF_STAT_LOCKED, 'stat of lock of one''s own lock')
        call check(len_trim(message) > 0, 'errmsg of lock of one''s own lock')
        call prif_lock(me, handle, 0_c_size_t, got, state)
        call check(state, PRIF_STAT_LOCKED, 'stat of lock of one''s own lock with acquired_lock')
        call prif_sync_all
        if (images > 1) then
            call prif_unlock(neighbour(1), handle, 0_c_size_t, state, errmsg_alloc=whole)
            call check(state, PRIF_STAT_LOCKED_OTHER_IMAGE, 'stat of unlock of another image''s lock')
            call check(allocated(whole), 'errmsg_alloc of unlock')
        end if
        call prif_sync_all
        call prif_unlock(me, handle, 0_c_size_t)
        call prif_unlock_indirect(me, addresses(me), state)
        call check(state, PRIF_STAT_UNLOCKED, 'stat of unlock of a lock that is free')
        call prif_sync_all
    end subroutine

    ! Two nested critical constructs; one image at a time is in each.
    subroutine critical
        integer :: round
        integer(c_int) :: state
        character(20) :: message
        do round = 1, rounds
            state = -1
            message = 'before'
            if (modulo(round, 2) == 0) then
                call prif_critical(sections(1), state, message)
                call check(state == 0 .and. message == 'before', 'stat and errmsg of critical')
            else
                call prif_critical(sections(1))
            end if
            call add(1, 1)
            if (modulo(round, 5) == 0) then
                call prif_critical(sections(2))
                call add(1, 2)
                call prif_end_critical(sections(2))
            end if
            call prif_end_critical(sections(1))
        end do
        call prif_sync_all
        if (me == 1) then
            call check(words(1), int(rounds * images * (images + 1) / 2, c_int64_t), 'word in critical')
            call check(words(2), int(rounds / 5 * images * (images + 1) / 2, c_int64_t), 'word in the second critical')
        end if
        call prif_sync_all
    end subroutine
end program
