! Events and notifications: post, wait, query, until_count, by handles and by addresses; puts with notification in all
! forms; data that was put before the post has arrived after the wait.
program events
    use prif_check
    implicit none
    integer, parameter :: count = 4, room = 70000
    type(prif_coarray_handle) :: handle, notes, data
    type(c_ptr) :: memory, note_memory, data_memory
    type(prif_event_type), pointer :: mine(:)
    type(prif_notify_type), pointer :: my_notes(:)
    integer(c_int64_t), pointer, volatile :: words(:)
    integer(c_size_t), parameter :: bytes = storage_size(prif_event_type()) / 8
    integer(c_size_t), parameter :: note_bytes = storage_size(prif_notify_type()) / 8
    integer(c_intptr_t), allocatable :: addresses(:), note_addresses(:), data_addresses(:)

    call check_begin
    call allocate_bytes(count * bytes, handle, memory)
    call c_f_pointer(memory, mine, [count])
    mine = prif_event_type()
    call allocate_bytes(count * note_bytes, notes, note_memory)
    call c_f_pointer(note_memory, my_notes, [count])
    my_notes = prif_notify_type()
    call allocate_bytes(int(8 * room, c_size_t), data, data_memory)
    call c_f_pointer(data_memory, words, [room])
    words = 0
    allocate (addresses(images), note_addresses(images), data_addresses(images))
    call share_address(memory, addresses)
    call share_address(note_memory, note_addresses)
    call share_address(data_memory, data_addresses)
    call prif_sync_all
    call ring
    call counts
    call notified(1)
    call notified(3)
    call notified(1000)
    call notified(room)
    call notified(0)
    call prif_deallocate_coarrays([handle, notes, data])
    call check_end

contains

    type(c_ptr) function event(i)
        integer, intent(in) :: i
        event = transfer(addresses(me) + (i - 1) * bytes, event)
    end function

    type(c_ptr) function note(i)
        integer, intent(in) :: i
        note = transfer(note_addresses(me) + (i - 1) * note_bytes, note)
    end function

    ! A word goes to the next image as soon as that image has read the previous word.
    subroutine ring
        integer :: round
        integer(c_int) :: state
        integer(c_int64_t), target :: word
        character(20) :: message
        call prif_event_post(neighbour(-1), handle, bytes)
        do round = 1, 500
            call prif_event_wait(event(2))
            word = value(me, round, 1)
            call prif_put(neighbour(1), data, 0_c_size_t, c_loc(word), 8_c_size_t)
            state = -1
            message = 'before'
            if (modulo(round, 2) == 0) then
                call prif_event_post(neighbour(1), handle, 0_c_size_t, state, message)
            else
                call prif_event_post_indirect(neighbour(1), addresses(neighbour(1)), state, message)
            end if
            call check(state == 0 .and. message == 'before', 'stat and errmsg of event post')
            state = -1
            call prif_event_wait(event(1), stat=state, errmsg=message)
            call check(state == 0 .and. message == 'before', 'stat and errmsg of event wait')
            call check(words(1), value(neighbour(-1), round, 1), 'what was put before the post')
            call prif_event_post(neighbour(-1), handle, bytes)
        end do
        call prif_event_wait(event(2))
        call prif_sync_all
    end subroutine

    ! Image i posts i times to each image; several waits consume the counts.
    subroutine counts
        integer :: i, k
        integer(c_int) :: state
        integer(c_int64_t) :: found, total
        total = images * (images + 1) / 2
        found = -1
        state = -1
        call prif_event_query(event(3), found, state)
        call check(state, 0, 'stat of event query')
        call check(found, 0_c_int64_t, 'count before any post')
        call prif_sync_all
        do i = 1, images
            do k = 1, me
                call prif_event_post(i, handle, 2 * bytes)
            end do
        end do
        call prif_event_wait(event(3), total)
        call prif_event_query(event(3), found)
        call check(found, 0_c_int64_t, 'count after a wait for all')
        call prif_sync_all
        do k = 1, 10
            call prif_event_post(me, handle, 2 * bytes)
        end do
        call prif_event_query(event(3), found)
        call check(found, 10_c_int64_t, 'count of one''s own posts')
        call prif_event_wait(event(3), 4_c_int64_t)
        call prif_event_query(event(3), found)
        call check(found, 6_c_int64_t, 'count after a wait for 4')
        call prif_event_wait(event(3), 0_c_int64_t)    ! a count below 1 means 1
        call prif_event_query(event(3), found)
        call check(found, 5_c_int64_t, 'count after a wait for 0')
        call prif_event_wait(event(3), -7_c_int64_t)
        call prif_event_query(event(3), found)
        call check(found, 4_c_int64_t, 'count after a wait for less')
        call prif_event_wait(event(3), 4_c_int64_t)
        call prif_sync_all
    end subroutine

    ! All four forms in succession, each with its own part of the neighbour's data and its own notification.
    subroutine notified(length)
        integer, intent(in) :: length
        integer(c_int64_t), target :: from(max(1, length))
        integer(c_size_t) :: size
        integer(c_int) :: there, back, state
        integer(c_int64_t) :: until
        character(20) :: message
        integer :: i, round, form
        size = 8 * length
        there = neighbour(1)
        back = neighbour(-1)
        do round = 1, 8
            form = modulo(round, 4)
            from = [(value(me, i, 10 * round), i = 1, max(1, length))]
            state = -1
            message = 'before'
            select case (form)
            case (0)
                call prif_put_with_notify(there, data, 0_c_size_t, c_loc(from), size, notes, form * note_bytes, &
                    state, message)
            case (1)
                call prif_put_with_notify_indirect(there, data, 0_c_size_t, c_loc(from), size, &
                    note_addresses(there) + int(form * note_bytes, c_intptr_t), state, message)
            case (2)
                call prif_put_indirect_with_notify(there, data_addresses(there), c_loc(from), size, notes, &
                    form * note_bytes, state, message)
            case (3)
                call prif_put_indirect_with_notify_indirect(there, data_addresses(there), c_loc(from), size, &
                    note_addresses(there) + int(form * note_bytes, c_intptr_t), state, message)
            end select
            call check(state == 0 .and. message == 'before', 'stat and errmsg of a put with notification')
            state = -1
            call prif_notify_wait(note(form + 1), stat=state, errmsg=message)
            call check(state == 0 .and. message == 'before', 'stat and errmsg of notify wait')
            call check(all(words(:length) == [(value(back, i, 10 * round), i = 1, length)]), &
                'what was put with notification')
            call prif_sync_all
        end do
        do i = 1, 6    ! several posts, awaited together
            call prif_put_with_notify(there, data, 0_c_size_t, c_loc(from), min(size, 8_c_size_t), notes, 0_c_size_t)
        end do
        until = 6
        call prif_notify_wait(note(1), until)
        call prif_sync_all
    end subroutine
end program
