! Atomic subroutines: each with handle and with address, all 64 bits, results of many images at once, statuses.
program atomics
    use prif_check
    implicit none
    integer, parameter :: ik = PRIF_ATOMIC_INT_KIND, lk = PRIF_ATOMIC_LOGICAL_KIND, rounds = 200
    type(prif_coarray_handle) :: handle
    type(c_ptr) :: memory
    integer(ik), pointer, volatile :: words(:)
    integer(c_intptr_t), allocatable :: addresses(:)
    integer(c_int) :: state

    call check_begin
    call allocate_bytes(64_c_size_t, handle, memory)
    call c_f_pointer(memory, words, [8])
    words = 0
    allocate (addresses(images))
    call share_address(memory, addresses)
    call prif_sync_all
    call each_by_itself(.false.)
    call each_by_itself(.true.)
    call logicals(.false.)
    call logicals(.true.)
    call together
    call prif_deallocate_coarray(handle)
    call check_end

contains

    integer(c_intptr_t) function place(image, word)
        integer(c_int), intent(in) :: image
        integer, intent(in) :: word
        place = addresses(image) + 8 * (word - 1)
    end function

    ! To the next image's words, of which nobody else has any to do with.
    subroutine each_by_itself(indirect)
        logical, intent(in) :: indirect
        integer(ik) :: a, b, old, model
        integer(c_int) :: to
        integer(c_size_t) :: offset
        integer :: i
        to = neighbour(1)
        offset = 8
        call prif_sync_all
        do i = 1, 20
            a = value(me, i, 1)
            b = value(me, i, 2)
            if (modulo(i, 4) == 0) b = ibclr(b, 63)
            state = -1
            if (indirect) then
                call prif_atomic_define_int_indirect(to, place(to, 2), a, state)
            else
                call prif_atomic_define_int(to, handle, offset, a, state)
            end if
            call check(state, 0, 'stat of atomic_define')
            call expect(to, a, indirect, 'atomic_define')
            state = -1
            if (indirect) then
                call prif_atomic_and_indirect(to, place(to, 2), b, state)
            else
                call prif_atomic_and(to, handle, offset, b, state)
            end if
            call check(state, 0, 'stat of atomic_and')
            model = iand(a, b)
            call expect(to, model, indirect, 'atomic_and')
            state = -1
            if (indirect) then
                call prif_atomic_xor_indirect(to, place(to, 2), a, state)
            else
                call prif_atomic_xor(to, handle, offset, a, state)
            end if
            call check(state, 0, 'stat of atomic_xor')
            model = ieor(model, a)
            call expect(to, model, indirect, 'atomic_xor')
            state = -1
            if (indirect) then
                call prif_atomic_or_indirect(to, place(to, 2), b, state)
            else
                call prif_atomic_or(to, handle, offset, b, state)
            end if
            call check(state, 0, 'stat of atomic_or')
            model = ior(model, b)
            call expect(to, model, indirect, 'atomic_or')
            state = -1
            if (indirect) then
                call prif_atomic_add_indirect(to, place(to, 2), -model / 3, state)
            else
                call prif_atomic_add(to, handle, offset, -model / 3, state)
            end if
            call check(state, 0, 'stat of atomic_add')
            model = model + (-model / 3)
            call expect(to, model, indirect, 'atomic_add')

            state = -1
            if (indirect) then
                call prif_atomic_fetch_add_indirect(to, place(to, 2), -model / 2, old, state)
            else
                call prif_atomic_fetch_add(to, handle, offset, -model / 2, old, state)
            end if
            call check(state, 0, 'stat of atomic_fetch_add')
            call check(old, model, 'old of atomic_fetch_add')
            model = model + (-model / 2)
            state = -1
            if (indirect) then
                call prif_atomic_fetch_or_indirect(to, place(to, 2), a, old, state)
            else
                call prif_atomic_fetch_or(to, handle, offset, a, old, state)
            end if
            call check(state, 0, 'stat of atomic_fetch_or')
            call check(old, model, 'old of atomic_fetch_or')
            model = ior(model, a)
            state = -1
            if (indirect) then
                call prif_atomic_fetch_xor_indirect(to, place(to, 2), b, old, state)
            else
                call prif_atomic_fetch_xor(to, handle, offset, b, old, state)
            end if
            call check(state, 0, 'stat of atomic_fetch_xor')
            call check(old, model, 'old of atomic_fetch_xor')
            model = ieor(model, b)
            state = -1
            if (indirect) then
                call prif_atomic_fetch_and_indirect(to, place(to, 2), a, old, state)
            else
                call prif_atomic_fetch_and(to, handle, offset, a, old, state)
            end if
            call check(state, 0, 'stat of atomic_fetch_and')
            call check(old, model, 'old of atomic_fetch_and')
            model = iand(model, a)
            call expect(to, model, indirect, 'atomic_fetch_and')

            call swap(to, indirect, old, not(model), b)    ! does not match
            call check(old, model, 'old of atomic_cas that does not match')
            call expect(to, model, indirect, 'atomic_cas that does not match')
            call swap(to, indirect, old, model, b)
            call check(old, model, 'old of atomic_cas')
            call expect(to, b, indirect, 'atomic_cas')
        end do
        call prif_sync_all
        call check(words(1), 0_ik, 'the word before')
        call check(words(3), 0_ik, 'the word behind')
    end subroutine

    subroutine swap(to, indirect, old, compare, new)
        integer(c_int), intent(in) :: to
        logical, intent(in) :: indirect
        integer(ik), intent(out) :: old
        integer(ik), intent(in) :: compare, new
        state = -1
        if (indirect) then
            call prif_atomic_cas_int_indirect(to, place(to, 2), old, compare, new, state)
        else
            call prif_atomic_cas_int(to, handle, 8_c_size_t, old, compare, new, state)
        end if
        call check(state, 0, 'stat of atomic_cas')
    end subroutine

    subroutine expect(to, wanted, indirect, what)
        integer(c_int), intent(in) :: to
        integer(ik), intent(in) :: wanted
        logical, intent(in) :: indirect
        character(*), intent(in) :: what
        integer(ik) :: found
        state = -1
        if (indirect) then
            call prif_atomic_ref_int_indirect(to, place(to, 2), found, state)
        else
            call prif_atomic_ref_int(to, handle, 8_c_size_t, found, state)
        end if
        call check(state, 0, 'stat of atomic_ref')
        call check(found, wanted, what)
    end subroutine

    subroutine logicals(indirect)
        logical, intent(in) :: indirect
        logical(lk) :: found
        integer(c_int) :: to
        integer :: i
        to = neighbour(1)
        do i = 1, 6
            state = -1
            if (indirect) then
                call prif_atomic_define_logical_indirect(to, place(to, 4), logical(modulo(i, 2) == 0, lk), state)
                call check(state, 0, 'stat of atomic_define of a logical')
                call prif_atomic_ref_logical_indirect(to, place(to, 4), found, state)
            else
                call prif_atomic_define_logical(to, handle, 24_c_size_t, logical(modulo(i, 2) == 0, lk), state)
                call check(state, 0, 'stat of atomic_define of a logical')
                call prif_atomic_ref_logical(to, handle, 24_c_size_t, found, state)
            end if
            call check(state, 0, 'stat of atomic_ref of a logical')
            call check(logical(found) .eqv. modulo(i, 2) == 0, 'atomic_ref of a logical')
            call swap_logical(to, indirect, found, .false._lk, .true._lk)
            call check(logical(found) .eqv. modulo(i, 2) == 0, 'old of atomic_cas of a logical')
            call swap_logical(to, indirect, found, .true._lk, .false._lk)
            call check(logical(found), 'atomic_cas of a logical')
            call swap_logical(to, indirect, found, .true._lk, .true._lk)
            call check(.not. logical(found), 'atomic_cas of a logical to false')
        end do
        call prif_sync_all
    end subroutine

    subroutine swap_logical(to, indirect, old, compare, new)
        integer(c_int), intent(in) :: to
        logical, intent(in) :: indirect
        logical(lk), intent(out) :: old
        logical(lk), intent(in) :: compare, new
        state = -1
        if (indirect) then
            call prif_atomic_cas_logical_indirect(to, place(to, 4), old, compare, new, state)
        else
            call prif_atomic_cas_logical(to, handle, 24_c_size_t, old, compare, new, state)
        end if
        call check(state, 0, 'stat of atomic_cas of a logical')
    end subroutine

    ! All images at the words of image 1.
    subroutine together
        integer(ik) :: old, seen, bits
        integer :: i
        words = 0
        call prif_sync_all
        do i = 1, rounds
            call prif_atomic_add(1, handle, 32_c_size_t, int(me, ik))
            call prif_atomic_fetch_add_indirect(1, place(1, 6), -1_ik, old)
            call check(old <= 0 .and. old > -int(rounds, ik) * images, 'old of atomic_fetch_add by all')
            call prif_atomic_fetch_xor(1, handle, 48_c_size_t, ishft(1_ik, 64 - me), old)
            call check(btest(old, 64 - me) .eqv. modulo(i, 2) == 0, 'own bit of atomic_fetch_xor by all')
            seen = 0
            do    ! adds 3 by compare and swap
                call prif_atomic_cas_int(1, handle, 56_c_size_t, old, seen, seen + 3)
                if (old == seen) exit
                seen = old
            end do
        end do
        call prif_sync_all
        bits = 0
        if (me == 1) then
            call check(words(5), int(rounds, ik) * images * (images + 1) / 2, 'atomic_add by all')
            call check(words(6), -int(rounds, ik) * images, 'atomic_fetch_add by all')
            call check(words(7), bits, 'atomic_fetch_xor by all')
            call check(words(8), 3_ik * rounds * images, 'atomic_cas by all')
        end if
        call prif_sync_all
    end subroutine
end program
