! Teams: form with and without new_index, change, end, nesting; get_team and team_number at every level; coarrays and
! collectives within; siblings at work at the same time; every status.
program teams
    use prif_check
    implicit none

    call check_begin
    call levels
    call new_indices
    call nested(1)
    call independent
    call statuses
    call many_times
    call check_end

contains

    subroutine levels
        type(prif_team_type) :: team, found, same_name
        integer(c_int64_t) :: number
        call prif_team_number(team_number=number)
        call check(number, -1_c_int64_t, 'number of the current team at first')
        call prif_get_team(PRIF_CURRENT_TEAM, found)
        call prif_team_number(found, number)
        call check(number, -1_c_int64_t, 'number of get_team of the current team')
        call prif_get_team(PRIF_PARENT_TEAM, found)    ! the initial team is its own parent
        call prif_team_number(found, number)
        call check(number, -1_c_int64_t, 'number of the parent of the initial team')
        call prif_form_team(17_c_int64_t, team)
        call prif_team_number(team, number)
        call check(number, 17_c_int64_t, 'number of a team that is not current')
        call prif_change_team(team)
        call prif_team_number(team_number=number)
        call check(number, 17_c_int64_t, 'number of the current team')
        call prif_get_team(PRIF_PARENT_TEAM, found)
        call prif_team_number(found, number)
        call check(number, -1_c_int64_t, 'number of the parent team')
        call prif_form_team(17_c_int64_t, same_name)
        call prif_change_team(same_name)
        call prif_get_team(PRIF_PARENT_TEAM, found)
        call prif_team_number(found, number)
        call check(number, 17_c_int64_t, 'number of the parent of a team with its number')
        call prif_get_team(PRIF_INITIAL_TEAM, found)
        call prif_team_number(found, number)
        call check(number, -1_c_int64_t, 'number of the initial team')
        call prif_end_team
        call prif_end_team
        call prif_team_number(team_number=number)
        call check(number, -1_c_int64_t, 'number of the current team at last')
    end subroutine

    ! New indices backwards, as given, and by a stride.
    subroutine new_indices
        type(prif_team_type) :: team
        integer(c_int) :: k, n, sum(1), state
        character(20) :: message
        state = -1
        message = 'before'
        call prif_form_team(huge(1_c_int64_t), team, images - me + 1, state, message)
        call check(state == 0 .and. message == 'before', 'stat and errmsg of form team')
        call prif_this_image_no_coarray(team, k)
        call check(k, images - me + 1, 'this_image by new_index')
        state = -1
        call prif_change_team(team, state, message)
        call check(state == 0 .and. message == 'before', 'stat and errmsg of change team')
        call prif_this_image_no_coarray(this_image=k)
        call check(k, images - me + 1, 'this_image by new_index in the team')
        sum = merge(me, 0, k == 1)
        call prif_co_broadcast(sum, 1)
        call check(sum(1), images, 'what image 1 of the team is in all')
        state = -1
        call prif_end_team(state, message)
        call check(state == 0 .and. message == 'before', 'stat and errmsg of end team')

        call prif_form_team(int(1 + mod(me, 2), c_int64_t), team, merge((me + 1) / 2, me / 2, mod(me, 2) == 1))
        call prif_change_team(team)
        call prif_num_images(n)
        call prif_this_image_no_coarray(this_image=k)
        call check(k, (me + 1) / 2, 'this_image of every second')
        call check(n, merge((images + 1) / 2, images / 2, mod(me, 2) == 1), 'num_images of every second')
        call prif_end_team
    end subroutine

    ! Halves of halves, each with a coarray and the sum of its images.
    recursive subroutine nested(depth)
        integer, intent(in) :: depth
        type(prif_team_type) :: team, parent
        type(prif_coarray_handle) :: handle
        type(c_ptr) :: memory
        integer(c_int64_t), pointer :: word
        integer(c_int64_t), target :: found
        integer(c_int64_t) :: number
        integer(c_int) :: k, n, outer, first, image
        integer :: i
        integer(c_int64_t), allocatable :: total(:)
        call prif_this_image_no_coarray(this_image=k)
        call prif_num_images(outer)
        number = merge(10 * depth, 10 * depth + 1, 2 * k <= outer)
        call prif_form_team(number, team)
        call prif_change_team(team)
        call prif_num_images(n)
        call prif_this_image_no_coarray(this_image=k)
        first = me - k + 1
        call allocate_bytes(int(8 * depth, c_size_t), handle, memory)
        call c_f_pointer(memory, word)
        word = value(me, depth, 1)
        call prif_sync_all
        do i = 1, n
            call prif_initial_team_index(handle, [int(i, c_int64_t)], image)
            call check(image, first + i - 1, 'initial_team_index in a nested team')
            call prif_get(image, handle, 0_c_size_t, c_loc(found), 8_c_size_t)
            call check(found, value(image, depth, 1), 'word of an image of the team')
        end do
        total = [int(me, c_int64_t), int(-me, c_int64_t)]
        call prif_co_sum(total)
        call check(total(1), int(n * (2 * first + n - 1) / 2, c_int64_t), 'co_sum in a nested team')
        call check(total(2), -total(1), 'co_sum of negative ones')
        if (n > 1) call nested(depth + 1)
        call prif_get_team(PRIF_PARENT_TEAM, parent)
        call prif_num_images_with_team(parent, n)
        call check(n, outer, 'num_images of the parent team')
        call prif_sync_team(parent)
        call prif_sync_team(team)
        call prif_end_team
    end subroutine

    ! Sibling teams execute different statements, and different numbers of them.
    subroutine independent
        type(prif_team_type) :: team
        integer :: i
        integer(c_int) :: total(3)
        integer(c_int) :: n
        call prif_form_team(int(mod(me, 3) + 1, c_int64_t), team)
        call prif_change_team(team)
        call prif_num_images(n)
        do i = 1, 20 * mod(me, 3)
            call prif_sync_all
            total = [1, 2, i]
            call prif_co_sum(total)
            call check(all(total == [n, 2 * n, i * n]), 'co_sum of a sibling')
        end do
        call prif_end_team
    end subroutine

    subroutine statuses
        type(prif_team_type) :: team
        integer(c_int) :: state
        character(80) :: message
        character(:), allocatable :: whole
        state = 0
        message = ''
        call prif_end_team(state, message)
        call check(state /= 0, 'stat of end team outside of teams')
        call check(len_trim(message) > 0, 'errmsg of end team outside of teams')
        state = 0
        call prif_form_team(0_c_int64_t, team, stat=state, errmsg_alloc=whole)
        call check(state /= 0, 'stat of form team with the number 0')
        call check(allocated(whole), 'errmsg_alloc of form team with the number 0')
        state = 0
        call prif_form_team(1_c_int64_t, team, images + 1, state)
        call check(state /= 0, 'stat of form team with new_index beyond the team')
        state = 0
        call prif_form_team(1_c_int64_t, team, 0, state)
        call check(state /= 0, 'stat of form team with new_index 0')
        if (images > 1) then
            state = 0
            call prif_form_team(1_c_int64_t, team, 1, state)
            call check(state /= 0, 'stat of form team with the same new_index in all')
        end if
        call prif_sync_all
    end subroutine

    subroutine many_times
        type(prif_team_type) :: team
        integer :: i
        do i = 1, 300
            call prif_form_team(int(1 + mod(me + i, 2), c_int64_t), team)
            call prif_change_team(team)
            call prif_end_team
        end do
    end subroutine
end program
