! Strided puts and gets against a model: ranks 0 to 15, strides of either sign on either side, elements of 1 to 24
! bytes, extents of zero, by handles and by addresses, with notifications.
program strided
    use prif_check
    implicit none
    integer, parameter :: room = 6000, rounds = 300
    type(prif_coarray_handle) :: handle, notes
    type(c_ptr) :: memory, note_memory
    integer(c_int8_t), pointer :: bytes(:)
    integer(c_int8_t), target :: own(room), model(room)
    integer(c_intptr_t), allocatable :: addresses(:), note_addresses(:)
    integer(c_int64_t) :: state = 88172645463325252_c_int64_t
    integer :: round

    ! A section as arguments of the procedures: the first element's offset (from 0), strides on both sides.
    integer :: rank
    integer(c_size_t) :: element, extent(15)
    integer(c_ptrdiff_t) :: there(15), here(15), there_first, here_first

    call check_begin
    call allocate_bytes(int(room, c_size_t), handle, memory)
    call c_f_pointer(memory, bytes, [room])
    call allocate_bytes(8_c_size_t * storage_size(prif_notify_type()) / 64, notes, note_memory)
    call clear_notes
    allocate (addresses(images), note_addresses(images))
    call share_address(memory, addresses)
    call share_address(note_memory, note_addresses)
    do round = 1, rounds
        call choose
        call put_and_get(round)
    end do
    call prif_deallocate_coarrays([handle, notes])
    call check_end

contains

    subroutine clear_notes
        type(prif_notify_type), pointer :: note
        call c_f_pointer(note_memory, note)
        note = prif_notify_type()
        call prif_sync_all
    end subroutine

    ! A random number that is the same on all images.
    integer function random(below)
        integer, intent(in) :: below
        state = ieor(state, ishft(state, 13))
        state = ieor(state, ishft(state, -7))
        state = ieor(state, ishft(state, 17))
        random = int(modulo(state, int(below, c_int64_t)))
    end function

    ! Dimensions are nested on both sides, in different orders, so elements do not overlap.
    subroutine choose
        integer :: i
        integer, parameter :: sizes(*) = [1, 2, 3, 4, 5, 8, 12, 16, 24]
        element = sizes(1 + random(size(sizes)))
        rank = random(5)
        if (random(20) == 0) rank = 15
        do i = 1, rank
            extent(i) = 1 + random(4)
            if (rank > 4) extent(i) = 1 + random(15) / 14
        end do
        if (rank > 0 .and. random(15) == 0) extent(1 + random(rank)) = 0
        call place(there, there_first)
        call place(here, here_first)
    end subroutine

    subroutine place(stride, first)
        integer(c_ptrdiff_t), intent(out) :: stride(:), first
        integer(c_ptrdiff_t) :: span
        integer :: i, k, order(15), swap
        order = [(i, i = 1, 15)]
        do i = rank, 2, -1
            k = 1 + random(i)
            swap = order(i)
            order(i) = order(k)
            order(k) = swap
        end do
        span = element
        first = 0
        do i = 1, rank
            k = order(i)
            stride(k) = span
            if (random(2) == 0) stride(k) = span + random(3) * merge(1, int(element), random(2) == 0)
            span = (max(extent(k), 1_c_size_t) - 1) * stride(k) + span
            if (random(3) == 0) then
                first = first + (max(extent(k), 1_c_size_t) - 1) * stride(k)
                stride(k) = -stride(k)
            end if
        end do
        if (span > room) error stop 'the test''s sections are too large'
        first = first + random(int(room - span) + 1)
    end subroutine

    ! Copies the section by loops over elements and bytes.
    subroutine copy(to, to_first, to_stride, from, from_first, from_stride)
        integer(c_int8_t), intent(inout) :: to(0:)
        integer(c_int8_t), intent(in) :: from(0:)
        integer(c_ptrdiff_t), intent(in) :: to_first, from_first, to_stride(:), from_stride(:)
        integer(c_size_t) :: at(15)
        integer(c_ptrdiff_t) :: a, b
        integer :: i
        if (any(extent(:rank) == 0)) return
        at = 0
        do
            a = to_first + sum(at(:rank) * to_stride(:rank))
            b = from_first + sum(at(:rank) * from_stride(:rank))
            to(a:a + element - 1) = from(b:b + element - 1)
            do i = 1, rank
                at(i) = at(i) + 1
                if (at(i) < extent(i)) exit
                at(i) = 0
            end do
            if (i > rank) exit
        end do
    end subroutine

    elemental integer(c_int8_t) function pattern(image, i, purpose)
        integer, intent(in) :: image, i, purpose
        pattern = int(iand(ishft(value(image, i, purpose), -11), 127_c_int64_t), c_int8_t) - 64_c_int8_t
    end function

    subroutine put_and_get(round)
        integer, intent(in) :: round
        integer :: i, form, step
        integer(c_int) :: target_image, source_image, stat
        type(c_ptr) :: buffer
        type(c_ptr) :: note
        integer(c_intptr_t) :: address
        integer(c_size_t) :: offset
        form = modulo(round, 6)
        step = modulo(round, images)
        target_image = neighbour(step)
        source_image = neighbour(-step)
        bytes = [(pattern(me, i, round), i = 1, room)]
        own = [(pattern(me, i, -round), i = 1, room)]
        buffer = c_loc(own(here_first + 1))
        address = addresses(target_image) + there_first
        offset = there_first
        call prif_sync_all
        stat = -1
        select case (form)
        case (0)
            call prif_put_strided(target_image, handle, offset, there(:rank), buffer, here(:rank), element, &
                extent(:rank), stat)
        case (1)
            call prif_put_strided_indirect(target_image, address, there(:rank), buffer, here(:rank), element, &
                extent(:rank), stat)
        case (2)
            call prif_put_strided_with_notify(target_image, handle, offset, there(:rank), buffer, here(:rank), &
                element, &
                extent(:rank), notes, 0_c_size_t, stat)
        case (3)
            call prif_put_strided_with_notify_indirect(target_image, handle, offset, there(:rank), buffer, &
                here(:rank), &
                element, extent(:rank), note_addresses(target_image), stat)
        case (4)
            call prif_put_strided_indirect_with_notify(target_image, address, there(:rank), buffer, here(:rank), &
                element, extent(:rank), notes, 0_c_size_t, stat)
        case (5)
            call prif_put_strided_indirect_with_notify_indirect(target_image, address, there(:rank), buffer, &
                here(:rank), element, extent(:rank), note_addresses(target_image), stat)
        end select
        call check(stat, 0, 'stat of a strided put')
        if (form >= 2) then
            note = note_memory
            call prif_notify_wait(note)
        else
            call prif_sync_all
        end if
        model = [(pattern(me, i, round), i = 1, room)]
        call copy(model, there_first, there, [(pattern(source_image, i, -round), i = 1, room)], here_first, here)
        call check(all(bytes == model), 'strided put')
        call prif_sync_all

        stat = -1
        if (modulo(round, 2) == 0) then
            call prif_get_strided(source_image, handle, offset, there(:rank), buffer, here(:rank), element, &
                extent(:rank), stat)
        else
            address = addresses(source_image) + there_first
            call prif_get_strided_indirect(source_image, address, there(:rank), buffer, here(:rank), element, &
                extent(:rank), stat)
        end if
        call check(stat, 0, 'stat of a strided get')
        bytes_of_source: block
            integer(c_int8_t), target :: remote(room)
            call prif_get(source_image, handle, 0_c_size_t, c_loc(remote), int(room, c_size_t))
            model = [(pattern(me, i, -round), i = 1, room)]
            call copy(model, here_first, here, remote, there_first, there)
        end block bytes_of_source
        call check(all(own == model), 'strided get')
        call prif_sync_all
    end subroutine
end program
