! Coarrays: allocation of every size, cleanups of final_proc, several at the same time, in teams; memory that is not a
! coarray; aliases; queries.
module storage_m
    use prif_check
    implicit none
    integer :: cleaned(3) = 0, others(2) = 0
    integer(c_intptr_t) :: cleaned_data = 0
    type(prif_coarray_handle) :: pair(2)
contains
    ! The cleanup of either coarray uses the other one.
    subroutine cleanup_of_pair(handle) bind(C)
        type(prif_coarray_handle), intent(in), value :: handle
        type(c_ptr) :: context
        integer, pointer :: which
        integer(c_int64_t), pointer :: word
        call prif_get_context_data(handle, context)
        call c_f_pointer(context, which)
        call prif_local_data_pointer(pair(3 - which), context)
        call c_f_pointer(context, word)
        others(which) = others(which) + int(word)
    end subroutine

    subroutine cleanup(handle) bind(C)
        type(prif_coarray_handle), intent(in), value :: handle
        type(c_ptr) :: context
        integer, pointer :: which
        call prif_get_context_data(handle, context)
        call c_f_pointer(context, which)
        cleaned(which) = cleaned(which) + 1
        call prif_local_data_pointer(handle, context)
        cleaned_data = transfer(context, cleaned_data)
    end subroutine
end module

program storage
    use storage_m
    implicit none

    call check_begin
    call sizes
    call cleanups
    call in_teams
    call pairs_in_teams
    call not_symmetric
    call aliases
    call out_of_memory
    call many_times
    call check_end

contains

    subroutine sizes
        integer(c_size_t), parameter :: bytes(*) = [0, 1, 7, 8, 63, 4096, 1000001]
        type(prif_coarray_handle) :: handles(size(bytes)), some(4)
        type(c_ptr) :: memory(size(bytes)), again
        integer(c_size_t) :: found
        integer(c_int8_t), pointer :: local(:)
        integer :: i
        integer(c_int) :: state
        character(len=40) :: message
        do i = 1, size(bytes)
            state = -1
            message = 'as it was'
            call prif_allocate_coarray([0_c_int64_t], [0_c_int64_t] + images - 1, bytes(i), no_cleanup, handles(i), &
                memory(i), state, message)
            call check(state, 0, 'stat of allocate_coarray')
            call check(message == 'as it was', 'errmsg of allocate_coarray')
            call prif_size_bytes(handles(i), found)
            call check(int(found), int(bytes(i)), 'size_bytes')
            call prif_local_data_pointer(handles(i), again)
            if (bytes(i) > 0) then
                call check(c_associated(memory(i)), 'memory of a coarray')
                call check(same(again, memory(i)), 'local_data_pointer')
                call c_f_pointer(memory(i), local, [bytes(i)])
                local = int(mod(i * 41 + me, 128), c_int8_t)
            end if
        end do
        do i = 1, size(bytes)
            if (bytes(i) == 0) cycle
            call c_f_pointer(memory(i), local, [bytes(i)])
            call check(all(local == mod(i * 41 + me, 128)), 'coarrays do not overlap')
        end do
        some = handles([7, 1, 3, 2])    ! gfortran 12 cannot pass handles([7, 1, 3, 2]) itself
        call prif_deallocate_coarrays(some, state, message)
        call check(state, 0, 'stat of deallocate_coarrays')
        call prif_deallocate_coarrays(handles(4:6))
        call prif_deallocate_coarrays(handles(1:0))
    end subroutine

    subroutine cleanups
        type(prif_coarray_handle) :: handles(3)
        type(c_ptr) :: memory(3), context
        integer, target :: which(3) = [1, 2, 3]
        procedure(prif_coarray_cleanup_interface), pointer :: final_proc
        integer :: i
        final_proc => cleanup
        do i = 1, 3
            call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], 8_c_size_t, final_proc, handles(i), &
                memory(i))
            call prif_get_context_data(handles(i), context)
            call check(.not. c_associated(context), 'context data at first')
            call prif_set_context_data(handles(i), c_loc(which(i)))
        end do
        call prif_get_context_data(handles(2), context)
        call check(same(context, c_loc(which(2))), 'context data')
        call prif_deallocate_coarray(handles(2))
        call check(all(cleaned == [0, 1, 0]), 'cleanup of one')
        call check(cleaned_data == transfer(memory(2), cleaned_data), 'data of a coarray that is cleaned up')
        call prif_deallocate_coarrays(handles(1:3:2))
        call check(all(cleaned == [1, 1, 1]), 'cleanups of two')
    end subroutine

    ! END TEAM deallocates the coarrays that the team has allocated, with their cleanups.
    subroutine in_teams
        type(prif_team_type) :: team
        type(prif_coarray_handle) :: handle, outer, kept
        type(c_ptr) :: memory, outer_memory
        integer, target :: which = 1
        procedure(prif_coarray_cleanup_interface), pointer :: final_proc
        integer(c_int64_t), pointer :: word, outer_word
        integer :: round
        integer(c_int) :: index, rank, n
        integer(c_int64_t) :: found
        target :: found
        final_proc => cleanup
        cleaned = 0
        call allocate_bytes(8_c_size_t, outer, outer_memory)
        call c_f_pointer(outer_memory, outer_word)
        outer_word = value(me, 5, 6)
        call prif_sync_all
        call prif_form_team(int(1 + mod(me, 3), c_int64_t), team)
        do round = 1, 3
            call prif_change_team(team)
            call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], int(8 * round, c_size_t), final_proc, &
                handle, memory)
            call prif_set_context_data(handle, c_loc(which))
            call allocate_bytes(int(100 * mod(me, 3), c_size_t), kept, memory)
            call prif_local_data_pointer(handle, memory)
            call c_f_pointer(memory, word)
            word = value(me, round, 7)
            call prif_this_image_no_coarray(this_image=rank)
            call prif_num_images(n)
            call prif_sync_all
            call prif_initial_team_index(handle, [int(1 + mod(rank, n), c_int64_t)], index)
            call prif_get(index, handle, 0_c_size_t, c_loc(found), 8_c_size_t)
            call check(found, value(index, round, 7), 'a coarray of a team')
            call prif_get(neighbour(1), outer, 0_c_size_t, c_loc(found), 8_c_size_t)
            call check(found, value(neighbour(1), 5, 6), 'a coarray of all in a team')
            call prif_end_team
            call check(cleaned(1), round, 'cleanups by end team')
        end do
        call check(outer_word, value(me, 5, 6), 'a coarray outside of teams')
        call prif_deallocate_coarray(outer)
    end subroutine

    ! All cleanups precede the end of any coarray of the team.
    subroutine pairs_in_teams
        type(prif_team_type) :: team
        type(c_ptr) :: memory
        integer, target :: which(2) = [1, 2]
        procedure(prif_coarray_cleanup_interface), pointer :: final_proc
        integer(c_int64_t), pointer :: word
        integer :: i
        final_proc => cleanup_of_pair
        call prif_form_team(1_c_int64_t, team)
        call prif_change_team(team)
        do i = 1, 2
            call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], 8_c_size_t, final_proc, pair(i), memory)
            call prif_set_context_data(pair(i), c_loc(which(i)))
            call c_f_pointer(memory, word)
            word = 10 * me + i
        end do
        call prif_end_team
        call check(all(others == 10 * me + [2, 1]), 'coarrays in the cleanups of other coarrays')
    end subroutine

    subroutine not_symmetric
        type(c_ptr) :: memory, empty
        integer(c_int8_t), pointer :: bytes(:)
        integer(c_int) :: state
        character(:), allocatable :: message
        state = -1
        call prif_allocate(int(me * 1000, c_size_t), memory, state, errmsg_alloc=message)    ! not all call it
        call check(state, 0, 'stat of allocate')
        call check(.not. allocated(message), 'errmsg_alloc of allocate')
        call c_f_pointer(memory, bytes, [me * 1000])
        bytes = int(me, c_int8_t)
        if (me == 1) then
            call prif_allocate(0_c_size_t, empty)
            call prif_deallocate(empty)
        end if
        call check(all(bytes == me), 'memory of allocate')
        state = -1
        call prif_deallocate(memory, state)
        call check(state, 0, 'stat of deallocate')
    end subroutine

    ! Aliases with other cobounds, corank and lower bounds; an alias of an alias; the original is unchanged.
    subroutine aliases
        type(prif_coarray_handle) :: handle, other, shifted, third
        type(c_ptr) :: memory, local, context
        integer(c_int64_t), pointer :: words(:)
        integer(c_int64_t), target :: found
        integer(c_int64_t) :: bounds(3)
        integer(c_int) :: index, i
        integer(c_size_t) :: bytes
        integer, target :: note
        call allocate_bytes(80_c_size_t, handle, memory)
        call c_f_pointer(memory, words, [10])
        words = [(value(me, i, 11), i = 1, 10)]
        call prif_set_context_data(handle, c_loc(note))
        call prif_alias_create(handle, [-1_c_int64_t, 5_c_int64_t, 0_c_int64_t], [0_c_int64_t, 5_c_int64_t], &
            0_c_size_t, &
            other)
        call prif_lcobound_no_dim(other, bounds)
        call check(all(bounds == [-1, 5, 0]), 'lcobounds of an alias')
        call prif_ucobound_no_dim(other, bounds)
        call check(all(bounds == [0, 5, (images - 1) / 2]), 'ucobounds of an alias')
        call prif_coshape(other, bounds)
        call check(all(bounds == [2, 1, (images + 1) / 2]), 'coshape of an alias')
        call prif_image_index(other, int([-1 + mod(me - 1, 2), 5, (me - 1) / 2], c_int64_t), index)
        call check(index, me, 'image_index of an alias')
        call prif_get_context_data(other, context)
        call check(same(context, c_loc(note)), 'context data by an alias')
        call prif_set_context_data(other, memory)
        call prif_get_context_data(handle, context)
        call check(same(context, memory), 'context data set by an alias')

        call prif_alias_create(handle, [1_c_int64_t], [integer(c_int64_t) ::], 24_c_size_t, shifted)
        call prif_alias_create(shifted, [0_c_int64_t], [int(images - 1, c_int64_t)], 16_c_size_t, third)
        call prif_local_data_pointer(third, local)
        call check(same(local, c_loc(words(6))), 'local data of an alias of an alias')
        call prif_sync_all
        call prif_get(neighbour(1), shifted, 8_c_size_t, c_loc(found), 8_c_size_t)
        call check(found, value(neighbour(1), 5, 11), 'get by an alias')
        call prif_get(neighbour(-1), third, 0_c_size_t, c_loc(found), 8_c_size_t)
        call check(found, value(neighbour(-1), 6, 11), 'get by an alias of an alias')
        call prif_size_bytes(other, bytes)
        call check(int(bytes), 80, 'size_bytes of an alias')
        call prif_alias_destroy(shifted)
        call prif_get(neighbour(-1), third, 8_c_size_t, c_loc(found), 8_c_size_t)
        call check(found, value(neighbour(-1), 7, 11), 'an alias whose source is destroyed')
        call prif_alias_destroy(third)
        call prif_alias_destroy(other)
        call prif_deallocate_coarray(handle)
    end subroutine

    subroutine out_of_memory
        type(prif_coarray_handle) :: handle
        type(c_ptr) :: memory
        integer(c_int) :: state
        integer(c_size_t), parameter :: too_much = ishft(1_c_size_t, 60)
        character(60) :: message
        character(:), allocatable :: whole
        message = ''
        call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], too_much, no_cleanup, handle, memory, &
            state, &
            message)
        call check(state, PRIF_STAT_OUT_OF_MEMORY, 'stat without memory')
        call check(len_trim(message) > 0, 'errmsg without memory')
        call prif_allocate(too_much, memory, state, errmsg_alloc=whole)
        call check(state, PRIF_STAT_OUT_OF_MEMORY, 'stat of allocate without memory')
        call check(allocated(whole), 'errmsg_alloc without memory')
        if (allocated(whole)) call check(len_trim(whole) > 0, 'text of errmsg_alloc')
        message = '-'
        call prif_allocate(too_much, memory, state, message(1:3))
        call check(message(4:) == '', 'a short errmsg')
    end subroutine

    ! Repeated allocations use no additional memory.
    subroutine many_times
        type(prif_coarray_handle) :: handle, other
        type(c_ptr) :: memory
        integer :: i
        do i = 1, 2000
            call allocate_bytes(100000_c_size_t, handle, memory)
            call prif_alias_create(handle, [1_c_int64_t], [integer(c_int64_t) ::], 8_c_size_t, other)
            call prif_alias_destroy(other)
            call prif_deallocate_coarray(handle)
        end do
    end subroutine
end program
