! Contiguous puts and gets: of every size and misalignment, to every image and this image itself, by handles and by
! addresses, to memory that is not a coarray; neighbouring bytes stay unchanged; statuses.
program access
    use prif_check
    implicit none
    integer, parameter :: room = 200000
    integer, parameter :: lengths(*) = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1000, 4096, 65537, 131072]
    type(prif_coarray_handle) :: handle
    type(c_ptr) :: memory
    integer(c_int8_t), pointer :: bytes(:)
    integer(c_int8_t), target :: from(room), to(room)
    integer(c_intptr_t), allocatable :: addresses(:)
    integer :: i, step

    call check_begin
    call allocate_bytes(int(room, c_size_t), handle, memory)
    call c_f_pointer(memory, bytes, [room])
    allocate (addresses(images))
    call share_address(memory, addresses)
    do step = 0, min(images - 1, 3)
        do i = 1, size(lengths)
            call one_size(lengths(i), step)
        end do
    end do
    call to_all
    call elsewhere
    call statuses
    call prif_deallocate_coarray(handle)
    call check_end

contains

    pure integer(c_int8_t) function byte(image, i, purpose)
        integer, intent(in) :: image, i, purpose
        byte = int(iand(ishft(value(image, i, purpose), -modulo(i, 8)), 127_c_int64_t), c_int8_t) - 64_c_int8_t
    end function

    subroutine one_size(length, step)
        integer, intent(in) :: length, step
        integer :: shift, own, k
        integer(c_int) :: target_image, source_image, state
        integer(c_intptr_t) :: address
        target_image = neighbour(step)
        source_image = neighbour(-step)
        shift = modulo(3 * length + step, 8)    ! a misalignment that differs from the other side's
        own = modulo(5 * length + 1, 8)
        bytes = 99
        from = [(byte(me, k, length), k = 1, room)]
        call prif_sync_all
        call prif_put(target_image, handle, int(shift, c_size_t), c_loc(from(own + 1)), int(length, c_size_t))
        address = addresses(target_image) + room / 2 + shift
        state = -1
        call prif_put_indirect(target_image, address, c_loc(from(own + 2)), int(length / 2, c_size_t), state)
        call check(state, 0, 'stat of put_indirect')
        call prif_sync_all
        call check(all(bytes(shift + 1:shift + min(length, room / 2)) == &
            [(byte(source_image, own + k, length), k = 1, min(length, room / 2))]) .or. length > room / 2, 'put')
        call check(all(bytes(:shift) == 99), 'bytes before a put')
        if (length < room / 4) then
            call check(all(bytes(shift + length + 1:room / 2 + shift) == 99), 'bytes after a put')
            call check(all(bytes(room / 2 + shift + length / 2 + 1:) == 99), 'bytes after a put_indirect')
            call check(all(bytes(room / 2 + shift + 1:room / 2 + shift + length / 2) == &
                [(byte(source_image, own + 1 + k, length), k = 1, length / 2)]), 'put_indirect')
        end if

        bytes = from
        to = 98
        call prif_sync_all
        state = -1
        call prif_get(target_image, handle, int(shift, c_size_t), c_loc(to(own + 1)), int(length, c_size_t), state)
        call check(state, 0, 'stat of get')
        call check(all(to(own + 1:own + length) == [(byte(target_image, shift + k, length), k = 1, length)]), 'get')
        call check(all(to(:own) == 98) .and. all(to(own + length + 1:) == 98), 'bytes beside a get')
        to = 97
        address = addresses(target_image) + shift + 1
        call prif_get_indirect(target_image, address, c_loc(to(own + 1)), int(length, c_size_t))
        call check(all(to(own + 1:own + length) == [(byte(target_image, shift + 1 + k, length), k = 1, length)]), &
            'get_indirect')
        call check(all(to(:own) == 97) .and. all(to(own + length + 1:) == 97), 'bytes beside a get_indirect')
        call prif_sync_all
    end subroutine

    ! Each image has one word of each image; it can get what it has put immediately.
    subroutine to_all
        integer(c_int64_t), pointer :: words(:)
        integer(c_int64_t), target :: word, found
        integer(c_int) :: image
        call c_f_pointer(memory, words, [images])
        words = 0
        call prif_sync_all
        do image = images, 1, -1
            word = value(me, image, 1)
            call prif_put(image, handle, int(8 * (me - 1), c_size_t), c_loc(word), 8_c_size_t)
            word = value(me, image, 2)    ! the buffer may be changed again
            call prif_get(image, handle, int(8 * (me - 1), c_size_t), c_loc(found), 8_c_size_t)
            call check(found, value(me, image, 1), 'the word put just before')
        end do
        call prif_sync_all
        call check(all(words == [(value(image, me, 1), image = 1, images)]), 'words of all images')
    end subroutine

    ! Memory of prif_allocate, as compilers use for components: it is not a coarray.
    subroutine elsewhere
        type(c_ptr) :: mine
        integer(c_int64_t), pointer :: words(:)
        integer(c_int64_t), target :: found(5)
        integer(c_intptr_t) :: places(images)
        integer :: i
        call prif_allocate(int(8 * 5 * me, c_size_t), mine)
        call c_f_pointer(mine, words, [5 * me])
        words = [(value(me, i, 3), i = 1, 5 * me)]
        call share_address(mine, places)
        call prif_get_indirect(neighbour(1), places(neighbour(1)), c_loc(found), 40_c_size_t)
        call check(all(found == [(value(neighbour(1), i, 3), i = 1, 5)]), 'get of memory that is no coarray')
        call prif_sync_all
        found = [(value(me, i, 4), i = 1, 5)]
        call prif_put_indirect(neighbour(1), places(neighbour(1)) + 8, c_loc(found), 32_c_size_t)
        call prif_sync_all
        call check(words(1), value(me, 1, 3), 'before a put to memory that is no coarray')
        call check(all(words(2:5) == [(value(neighbour(-1), i, 4), i = 1, 4)]), 'put to memory that is no coarray')
        call prif_deallocate(mine)
    end subroutine

    subroutine statuses
        integer(c_int) :: state
        character(70) :: message
        character(:), allocatable :: whole
        integer(c_int64_t), target :: word
        word = 5
        message = 'untouched'
        whole = 'untouched too'
        call prif_put(me, handle, 0_c_size_t, c_loc(word), 8_c_size_t, state, message)
        call check(state == 0 .and. message == 'untouched', 'errmsg of a put')
        call prif_get(me, handle, 0_c_size_t, c_loc(word), 8_c_size_t, state, errmsg_alloc=whole)
        call check(state == 0 .and. whole == 'untouched too', 'errmsg_alloc of a get')
    end subroutine
end program
