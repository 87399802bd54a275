! args: failed
! args: stopped
! images: 2 3 4 5 7 8
! An image ends, by fail_image or stop: the statuses that the other images get from each procedure with a stat, and
! their work without the image.
program gone
    use prif_check
    implicit none
    type(prif_coarray_handle) :: handle
    type(c_ptr) :: memory
    integer(c_int64_t), pointer :: words(:)
    integer(c_int) :: lost, status, state
    character(10) :: how
    character(80) :: message
    type(prif_team_type) :: initial
    logical :: failed

    call get_command_argument(1, how)
    failed = how == 'failed'
    status = merge(PRIF_STAT_FAILED_IMAGE, PRIF_STAT_STOPPED_IMAGE, failed)
    call check_begin
    lost = images
    call prif_get_team(PRIF_INITIAL_TEAM, initial)
    call allocate_bytes(80_c_size_t, handle, memory)
    call c_f_pointer(memory, words, [10])    ! 1: an event, 2: a lock, 3: a notification, from 4: numbers
    words = 0
    call prif_sync_all
    if (me == lost) then
        call prif_lock(1, handle, 8_c_size_t)
        call prif_event_post(1, handle, 0_c_size_t)
        if (failed) call prif_fail_image
        call prif_stop(.true._c_bool)
    end if
    if (me == 1) call prif_event_wait(memory)    ! image 2 has acquired the lock, and ends

    do    ! until this image knows that image 2 has ended
        call prif_sync_all(state, message)
        if (state /= 0) exit
    end do
    call told('sync all')
    call lists
    call statements
    if (failed) call accesses
    if (me == 1) call orphaned_lock
    call new_team
    call check_end(survivors=.true.)

contains

    subroutine told(what)
        character(*), intent(in) :: what
        call check(state, status, 'stat of ' // what)
        call check(message /= '', 'errmsg of ' // what)
        state = -1
        message = ''
    end subroutine

    subroutine lists
        integer(c_int), allocatable :: f(:), s(:)
        integer(c_int) :: one
        call prif_failed_images(failed_images=f)
        call prif_stopped_images(stopped_images=s)
        if (failed) then
            call check(size(f), 1, 'number of failed images')
            call check(all(f == lost), 'failed images')
            call check(size(s), 0, 'number of stopped images')
        else
            call check(size(s), 1, 'number of stopped images')
            call check(all(s == lost), 'stopped images')
            call check(size(f), 0, 'number of failed images')
        end if
        deallocate (f)
        call prif_failed_images(initial, f)
        call check(size(f), merge(1, 0, failed), 'number of failed images of a team')
        call prif_image_status(lost, image_status=one)
        call check(one, status, 'image_status')
        call prif_image_status(me, initial, one)
        call check(one, 0, 'image_status of this image')
    end subroutine

    subroutine statements
        integer(c_int64_t) :: number
        state = -1
        message = ''
        call prif_sync_images([lost], state, message)
        call told('sync images')
        call prif_sync_images(stat=state, errmsg=message)
        call told('sync images (*)')
        call prif_sync_team(initial, state, message)
        call told('sync team')
        call prif_sync_memory(state)
        call check(state, 0, 'stat of sync memory')
        number = 1
        call prif_co_sum(number, stat=state, errmsg=message)
        call told('co_sum')
        call prif_co_max(number, 1, state, message)
        call told('co_max')
        call prif_co_broadcast(number, 1, state, message)
        call told('co_broadcast')
    end subroutine

    ! Procedures with stat do not access a failed image's memory.
    subroutine accesses
        integer(c_int64_t), target :: number
        integer(c_int64_t) :: old
        number = 5
        call prif_put(lost, handle, 24_c_size_t, c_loc(number), 8_c_size_t, state, message)
        call told('put')
        call prif_get(lost, handle, 24_c_size_t, c_loc(number), 8_c_size_t, state, message)
        call told('get')
        call prif_put_with_notify(lost, handle, 24_c_size_t, c_loc(number), 8_c_size_t, handle, 16_c_size_t, state, &
            message)
        call told('put with notification')
        call prif_put_strided(lost, handle, 24_c_size_t, [16_c_ptrdiff_t], c_loc(number), [0_c_ptrdiff_t], &
            8_c_size_t, [2_c_size_t], state, message)
        call told('strided put')
        call prif_event_post(lost, handle, 0_c_size_t, state, message)
        call told('event post')
        call prif_lock(lost, handle, 8_c_size_t, stat=state, errmsg=message)
        call told('lock')
        call prif_atomic_add(lost, handle, 32_c_size_t, 1_c_int64_t, state)
        call check(state, status, 'stat of atomic_add')
        call prif_atomic_fetch_add(lost, handle, 32_c_size_t, 1_c_int64_t, old, state)
        call check(state, status, 'stat of atomic_fetch_add')
    end subroutine

    ! The lock on image 1 that the lost image has acquired.
    subroutine orphaned_lock
        state = -1
        message = ''
        call prif_lock(1, handle, 8_c_size_t, stat=state, errmsg=message)
        if (failed) then
            call check(state, PRIF_STAT_UNLOCKED_FAILED_IMAGE, 'stat of a lock that a failed image had')
            call prif_unlock(1, handle, 8_c_size_t, state)
            call check(state, 0, 'stat of unlock of such a lock')
        else
            call check(state /= 0, 'stat of a lock that a stopped image has')
        end if
    end subroutine

    ! The remaining images form a team, in which everything works.
    subroutine new_team
        type(prif_team_type) :: team
        type(prif_coarray_handle) :: inner
        integer(c_int) :: n
        integer(c_int64_t) :: one
        integer(c_int64_t), target :: found
        integer(c_int64_t), pointer :: word
        if (.not. failed) return    ! form team would wait for stopped images forever
        state = -1
        message = ''
        call prif_form_team(1_c_int64_t, team, stat=state, errmsg=message)
        call told('form team')
        call prif_change_team(team, state, message)
        call check(state, 0, 'stat of change team of the remaining images')
        call prif_num_images(n)
        call check(n, images - 1, 'num_images of the remaining images')
        one = 1
        call prif_co_sum(one, stat=state)
        call check(state, 0, 'stat of co_sum of the remaining images')
        call check(one, int(n, c_int64_t), 'co_sum of the remaining images')
        call allocate_bytes(8_c_size_t, inner, memory)
        call c_f_pointer(memory, word)
        word = value(me, 1, 1)
        call prif_sync_all
        call prif_get(1 + modulo(me, n), inner, 0_c_size_t, c_loc(found), 8_c_size_t)
        call check(found, value(1 + modulo(me, n), 1, 1), 'a word of the remaining images')
        call prif_sync_all
        call prif_deallocate_coarray(inner, state)
        call check(state, 0, 'stat of deallocate_coarray of the remaining images')
        call prif_end_team(state)
        call check(state == 0 .or. state == status, 'stat of end team of the remaining images')
    end subroutine
end program
