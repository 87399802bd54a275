! Wrong arguments of procedures with a stat: each error has a text that names the procedure, memory is unchanged, and
! the program continues.
program errors
    use prif_check
    implicit none
    type(prif_coarray_handle) :: handle, freed, other
    type(c_ptr) :: memory, somewhere
    integer(c_int64_t), pointer :: words(:)
    integer(c_int64_t), target :: own(10)
    integer(c_int) :: state
    character(200) :: message

    call check_begin
    call allocate_bytes(80_c_size_t, handle, memory)
    call c_f_pointer(memory, words, [10])
    words = me
    own = -1
    call allocate_bytes(80_c_size_t, freed, somewhere)
    call prif_deallocate_coarray(freed)
    call prif_sync_all
    call reset
    call contiguous
    call with_strides
    call variables
    call cobounds
    call stale
    call prif_sync_all
    call check(all(words == me), 'the coarray after wrong calls')
    call check(all(own == -1), 'the buffers after wrong calls')
    call prif_deallocate_coarray(handle)
    call check_end

contains

    subroutine reset
        state = 0
        message = ''
    end subroutine

    ! Checks that the text is a sentence that begins with the procedure's name.
    subroutine told(procedure_name, what)
        character(*), intent(in) :: procedure_name, what
        call check(state /= 0, 'stat of ' // procedure_name // ': ' // what)
        call check(index(message, procedure_name // ':') == 1, 'errmsg of ' // procedure_name // ': ' // what)
        call reset
    end subroutine

    subroutine contiguous
        integer :: i
        integer(c_size_t), parameter :: offsets(*) = [80, 73, 81, 0], bytes(*) = [1, 8, 0, 81]
        integer(c_int), parameter :: nobody(*) = [0, -1, huge(1_c_int)]
        do i = 1, size(offsets)
            call prif_put(me, handle, offsets(i), c_loc(own), bytes(i), state, message)
            call told('prif_put', 'out of the coarray')
            call prif_get(me, handle, offsets(i), c_loc(own), bytes(i), state, message)
            call told('prif_get', 'out of the coarray')
        end do
        call prif_put(me, handle, 8_c_size_t, c_loc(own), not(0_c_size_t), state, message)
        call told('prif_put', 'a size that wraps around')
        call prif_put(me, handle, not(7_c_size_t), c_loc(own), 16_c_size_t, state, message)
        call told('prif_put', 'an offset that wraps around')
        do i = 1, size(nobody)
            call prif_put(nobody(i), handle, 0_c_size_t, c_loc(own), 8_c_size_t, state, message)
            call told('prif_put', 'an image that does not exist')
            call prif_get(nobody(i), handle, 0_c_size_t, c_loc(own), 8_c_size_t, state, message)
            call told('prif_get', 'an image that does not exist')
        end do
        call prif_get(images + 1, handle, 0_c_size_t, c_loc(own), 8_c_size_t, state, message)
        call told('prif_get', 'an image beyond the last')
        call prif_put_indirect(images + 1, transfer(memory, 0_c_intptr_t), c_loc(own), 8_c_size_t, state, message)
        call told('prif_put_indirect', 'an image beyond the last')
        if (images > 1) then
            call prif_put_indirect(1 + mod(me, images), 8_c_intptr_t, c_loc(own), 8_c_size_t, state, message)
            call told('prif_put_indirect', 'an address at which that image has no memory')
        end if
        call prif_put_with_notify(me, handle, 0_c_size_t, c_loc(own), 0_c_size_t, handle, 80_c_size_t, state, message)
        call told('prif_put_with_notify', 'a notification out of its coarray')
    end subroutine

    subroutine with_strides
        integer(c_ptrdiff_t), parameter :: one(*) = [8], two(*) = [8, 16]
        integer(c_size_t), parameter :: extent(*) = [10], extents(*) = [2, 5], huge_one(*) = [2_c_size_t**61 + 1]
        call prif_put_strided(me, handle, 8_c_size_t, one, c_loc(own), one, 8_c_size_t, extent, state, message)
        call told('prif_put_strided', 'one element too many')
        call prif_get_strided(me, handle, 0_c_size_t, -one, c_loc(own), one, 8_c_size_t, extent, state, message)
        call told('prif_get_strided', 'elements before the coarray')
        call prif_put_strided(me, handle, 0_c_size_t, two, c_loc(own), one, 8_c_size_t, extents, state, message)
        call told('prif_put_strided', 'too few strides here')
        call prif_get_strided(me, handle, 0_c_size_t, one, c_loc(own), two, 8_c_size_t, extents, state, message)
        call told('prif_get_strided', 'too few strides there')
        call prif_get_strided(images + 1, handle, 0_c_size_t, one, c_loc(own), one, 8_c_size_t, extent, state, message)
        call told('prif_get_strided', 'an image beyond the last')
        call prif_get_strided(me, handle, 0_c_size_t, one, c_loc(own), one, 8_c_size_t, huge_one, state, message)
        call told('prif_get_strided', 'more bytes than 64 bits can count')
    end subroutine

    subroutine variables
        integer(c_int64_t) :: old
        call prif_lock(0, handle, 0_c_size_t, stat=state, errmsg=message)
        call told('prif_lock', 'image 0')
        call prif_lock(me, handle, 76_c_size_t, stat=state, errmsg=message)
        call told('prif_lock', 'a variable partly out of the coarray')
        call prif_event_post(images + 1, handle, 0_c_size_t, state, message)
        call told('prif_event_post', 'an image beyond the last')
        call prif_event_post(me, handle, 80_c_size_t, state, message)
        call told('prif_event_post', 'a variable out of the coarray')
        call prif_atomic_add(images + 1, handle, 0_c_size_t, 1_c_int64_t, state)
        call check(state /= 0, 'stat of atomic_add on an image beyond the last')
        state = 0
        call prif_atomic_fetch_add(me, handle, 80_c_size_t, 1_c_int64_t, old, state)
        call check(state /= 0, 'stat of atomic_fetch_add out of the coarray')
        call reset
    end subroutine

    ! The handle of a coarray that has been deallocated.
    subroutine stale
        integer(c_ptrdiff_t), parameter :: one(*) = [8]
        integer(c_size_t), parameter :: extent(*) = [10], none = 0
        integer(c_int64_t) :: old
        call prif_put(me, freed, none, c_loc(own), 8_c_size_t, state, message)
        call told('prif_put', 'a stale handle')
        call prif_get(me, freed, none, c_loc(own), 8_c_size_t, state, message)
        call told('prif_get', 'a stale handle')
        call prif_put_with_notify(me, handle, none, c_loc(own), none, freed, none, state, message)
        call told('prif_put_with_notify', 'a stale handle of the notification')
        call prif_put_strided(me, freed, none, one, c_loc(own), one, 8_c_size_t, extent, state, message)
        call told('prif_put_strided', 'a stale handle')
        call prif_get_strided(me, freed, none, one, c_loc(own), one, 8_c_size_t, extent, state, message)
        call told('prif_get_strided', 'a stale handle')
        call prif_lock(me, freed, none, stat=state, errmsg=message)
        call told('prif_lock', 'a stale handle')
        call prif_unlock(me, freed, none, stat=state, errmsg=message)
        call told('prif_unlock', 'a stale handle')
        call prif_critical(freed, state, message)
        call told('prif_critical', 'a stale handle')
        call prif_event_post(me, freed, none, state, message)
        call told('prif_event_post', 'a stale handle')
        call prif_atomic_fetch_add(me, freed, none, 1_c_int64_t, old, state)
        call check(state /= 0, 'stat of atomic_fetch_add with a stale handle')
        call reset
    end subroutine

    subroutine cobounds
        integer(c_int64_t) :: few(1), many(17)
        type(prif_coarray_handle) :: twice(2)
        few = 1
        many = 1
        call prif_allocate_coarray(many, many(:16), 8_c_size_t, no_cleanup, other, somewhere, state, message)
        call told('prif_allocate_coarray', 'too many codimensions')
        call prif_allocate_coarray(few(:0), few(:0), 8_c_size_t, no_cleanup, other, somewhere, state, message)
        call told('prif_allocate_coarray', 'no codimension')
        call prif_allocate_coarray(many(:3), many(:1), 8_c_size_t, no_cleanup, other, somewhere, state, message)
        call told('prif_allocate_coarray', 'too few upper cobounds')
        call prif_allocate_coarray(many(:2), [0_c_int64_t], 8_c_size_t, no_cleanup, other, somewhere, state, message)
        call told('prif_allocate_coarray', 'an upper cobound below the lower one')
        call prif_deallocate_coarray(freed, state, message)
        call told('prif_deallocate_coarray', 'twice')
        call prif_deallocate_coarrays([handle, freed], state, message)
        call told('prif_deallocate_coarrays', 'one of them twice')
        twice = [handle, handle]
        call prif_deallocate_coarrays(twice, state, message)
        call told('prif_deallocate_coarrays', 'the same handle twice')
        call prif_alias_create(handle, few, few(:0), 8_c_size_t, other)
        call prif_deallocate_coarray(other, state, message)
        call told('prif_deallocate_coarray', 'an alias')
        call prif_alias_destroy(other)
        call prif_deallocate(c_loc(own), state, message)
        call told('prif_deallocate', 'memory that is not of prif_allocate')
    end subroutine
end program
