! Atomic subroutines: each by handle and by address, all 64 bits, statuses. (core_atomics.c tests many images at once.)
program atomics
    use prif_check
    implicit none
    integer, parameter :: ik = PRIF_ATOMIC_INT_KIND, lk = PRIF_ATOMIC_LOGICAL_KIND
    type(prif_coarray_handle) :: handle
    type(c_ptr) :: memory
    integer(ik), pointer, volatile :: words(:)
    integer(c_intptr_t), allocatable :: addresses(:)
    integer(ik) :: word    ! the word's value before the last operation
    integer(c_int) :: state, to
    logical :: indirect
    integer :: i

    call check_begin
    call allocate_bytes(64_c_size_t, handle, memory)
    call c_f_pointer(memory, words, [8])
    words = 0
    allocate (addresses(images))
    call share_address(memory, addresses)
    call prif_sync_all
    to = neighbour(1)
    do i = 1, 2
        indirect = i == 2
        call each_by_itself
        call logicals
    end do
    call prif_deallocate_coarray(handle)
    call check_end

contains

    integer(c_intptr_t) function place(image, word)
        integer(c_int), intent(in) :: image
        integer, intent(in) :: word
        place = addresses(image) + 8 * (word - 1)
    end function

    ! Operates on the next image's words, which no other image uses.
    subroutine each_by_itself
        integer(ik) :: a, b
        integer :: i
        call prif_sync_all
        do i = 1, 20
            a = value(me, i, 1)
            b = value(me, i, 2)
            if (modulo(i, 4) == 0) b = ibclr(b, 63)
            if (indirect) then
                call operate('atomic_define', a, a, by_address=prif_atomic_define_int_indirect)
            else
                call operate('atomic_define', a, a, prif_atomic_define_int)
            end if
            call operate('atomic_and', b, iand(word, b), prif_atomic_and, prif_atomic_and_indirect)
            call operate('atomic_xor', a, ieor(word, a), prif_atomic_xor, prif_atomic_xor_indirect)
            call operate('atomic_or', b, ior(word, b), prif_atomic_or, prif_atomic_or_indirect)
            call operate('atomic_add', -word / 3, word + (-word / 3), prif_atomic_add, prif_atomic_add_indirect)
            call fetch('add', -word / 2, word + (-word / 2), prif_atomic_fetch_add, prif_atomic_fetch_add_indirect)
            call fetch('or', a, ior(word, a), prif_atomic_fetch_or, prif_atomic_fetch_or_indirect)
            call fetch('xor', b, ieor(word, b), prif_atomic_fetch_xor, prif_atomic_fetch_xor_indirect)
            call fetch('and', a, iand(word, a), prif_atomic_fetch_and, prif_atomic_fetch_and_indirect)
            call swap(not(word), b, word)    ! the comparison fails
            call swap(word, b, b)
        end do
        call prif_sync_all
        call check(words(1), 0_ik, 'the word before')
        call check(words(3), 0_ik, 'the next word')
    end subroutine

    ! Sets the word to the wanted value.
    subroutine operate(what, operand, wanted, plain, by_address)
        character(*), intent(in) :: what
        integer(ik), intent(in) :: operand, wanted
        procedure(prif_atomic_add), optional :: plain
        procedure(prif_atomic_add_indirect), optional :: by_address
        state = -1
        if (indirect) then
            call by_address(to, place(to, 2), operand, state)
        else
            call plain(to, handle, 8_c_size_t, operand, state)
        end if
        call check(state, 0, 'stat of ' // what)
        call expect(wanted, what)
    end subroutine

    subroutine fetch(what, operand, wanted, plain, by_address)
        character(*), intent(in) :: what
        integer(ik), intent(in) :: operand, wanted
        procedure(prif_atomic_fetch_add) :: plain
        procedure(prif_atomic_fetch_add_indirect) :: by_address
        integer(ik) :: old
        state = -1
        if (indirect) then
            call by_address(to, place(to, 2), operand, old, state)
        else
            call plain(to, handle, 8_c_size_t, operand, old, state)
        end if
        call check(state, 0, 'stat of atomic_fetch_' // what)
        call check(old, word, 'old of atomic_fetch_' // what)
        call expect(wanted, 'atomic_fetch_' // what)
    end subroutine

    subroutine swap(compare, new, wanted)
        integer(ik), intent(in) :: compare, new, wanted
        integer(ik) :: old
        state = -1
        if (indirect) then
            call prif_atomic_cas_int_indirect(to, place(to, 2), old, compare, new, state)
        else
            call prif_atomic_cas_int(to, handle, 8_c_size_t, old, compare, new, state)
        end if
        call check(state, 0, 'stat of atomic_cas')
        call check(old, word, 'old of atomic_cas')
        call expect(wanted, 'atomic_cas')
    end subroutine

    subroutine expect(wanted, what)
        integer(ik), intent(in) :: wanted
        character(*), intent(in) :: what
        state = -1
        if (indirect) then
            call prif_atomic_ref_int_indirect(to, place(to, 2), word, state)
        else
            call prif_atomic_ref_int(to, handle, 8_c_size_t, word, state)
        end if
        call check(state, 0, 'stat of atomic_ref')
        call check(word, wanted, what)
    end subroutine

    subroutine logicals
        logical(lk) :: found
        integer :: i
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
            call swap_logical(found, .false._lk, .true._lk)
            call check(logical(found) .eqv. modulo(i, 2) == 0, 'old of atomic_cas of a logical')
            call swap_logical(found, .true._lk, .false._lk)
            call check(logical(found), 'atomic_cas of a logical')
            call swap_logical(found, .true._lk, .true._lk)
            call check(.not. logical(found), 'atomic_cas of a logical to false')
        end do
        call prif_sync_all
    end subroutine

    subroutine swap_logical(old, compare, new)
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
end program
