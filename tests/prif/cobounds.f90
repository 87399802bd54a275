! Cobounds, coshape and the image of cosubscripts: coranks 1 to 15, teams and siblings, cosubscripts out of bounds.
program cobounds
    use prif_check
    implicit none
    type(prif_team_type) :: initial, pair

    call check_begin
    call prif_get_team(PRIF_INITIAL_TEAM, initial)
    call coranks
    call in_teams
    call check_end

contains

    subroutine coranks
        integer :: corank, explicit
        do corank = 1, 15
            do explicit = 0, 1
                call one_corank(corank, corank - 1 + explicit)
            end do
        end do
    end subroutine

    ! Lower cobounds 3 - 2 i, extents 2 or 1; the number of images determines the last cobound, given by the caller or
    ! not.
    subroutine one_corank(corank, uppers)
        integer, intent(in) :: corank, uppers
        integer(c_int64_t) :: lower(corank), upper(corank), extents(corank), found(corank), one, sub(corank), rest
        type(prif_coarray_handle) :: handle
        type(c_ptr) :: memory
        integer(c_int) :: i, image, index, state
        integer :: before

        before = 1
        do i = 1, corank
            lower(i) = 3 - 2 * i
            extents(i) = merge(2, 1, i == 1 .or. i == 4)
            if (i < corank) before = before * int(extents(i))
        end do
        extents(corank) = (images + before - 1) / before
        upper = lower + extents - 1
        call prif_allocate_coarray(lower, upper(:uppers), 24_c_size_t, no_cleanup, handle, memory)
        call prif_lcobound_no_dim(handle, found)
        call check(all(found == lower), 'lcobounds')
        call prif_ucobound_no_dim(handle, found)
        call check(all(found == upper), 'ucobounds')
        call prif_coshape(handle, found)
        call check(all(found == extents), 'coshape')
        do i = 1, corank
            call prif_lcobound_with_dim(handle, i, one)
            call check(one, lower(i), 'lcobound')
            call prif_ucobound_with_dim(handle, i, one)
            call check(one, upper(i), 'ucobound')
        end do
        do image = 1, int(product(extents))
            rest = image - 1
            do i = 1, corank
                sub(i) = lower(i) + mod(rest, extents(i))
                rest = rest / extents(i)
            end do
            call prif_image_index(handle, sub, index)
            call check(index, merge(image, 0, image <= images), 'image_index')
            call prif_image_index_with_team(handle, sub, initial, index)
            call check(index, merge(image, 0, image <= images), 'image_index_with_team')
            call prif_image_index_with_team_number(handle, sub, -1_c_int64_t, index)
            call check(index, merge(image, 0, image <= images), 'image_index_with_team_number')
            if (image > images) cycle
            state = -1
            call prif_initial_team_index(handle, sub, index, state)
            call check(index, image, 'initial_team_index')
            call check(state, 0, 'stat of initial_team_index')
            call prif_initial_team_index_with_team(handle, sub, initial, index)
            call check(index, image, 'initial_team_index_with_team')
            call prif_initial_team_index_with_team_number(handle, sub, -1_c_int64_t, index)
            call check(index, image, 'initial_team_index_with_team_number')
        end do
        do i = 1, corank    ! one below and one above the bounds
            sub = lower
            sub(i) = lower(i) - 1
            call prif_image_index(handle, sub, index)
            call check(index, 0, 'image_index below a cobound')
            sub(i) = upper(i) + 1
            call prif_image_index(handle, sub, index)
            call check(index, 0, 'image_index above a cobound')
        end do
        call prif_deallocate_coarray(handle)
    end subroutine

    ! Teams of neighbours in reverse order: their coarrays use image indices of the team; initial_team_index does not.
    subroutine in_teams
        integer(c_int64_t) :: number, sub(1)
        type(prif_coarray_handle) :: outer, inner
        type(c_ptr) :: memory
        integer(c_int) :: n, index, k, other, first
        number = (me + 1) / 2
        n = merge(1, 2, me == images .and. mod(images, 2) == 1)
        first = me - mod(me - 1, 2)
        call allocate_bytes(8_c_size_t, outer, memory)
        call prif_form_team(number, pair, n - mod(me - 1, 2))
        call prif_image_index_with_team(outer, [2_c_int64_t], pair, index)
        call check(index, merge(2, 0, n == 2), 'image_index in a team that is not current')
        call prif_initial_team_index_with_team(outer, [1_c_int64_t], pair, index)
        call check(index, first + n - 1, 'initial_team_index in a team that is not current')
        call prif_change_team(pair)
        call allocate_bytes(8_c_size_t, inner, memory)
        do k = 1, n
            sub = k
            call prif_image_index(inner, sub, index)
            call check(index, k, 'image_index in the current team')
            call prif_initial_team_index(inner, sub, index)
            call check(index, first + n - k, 'initial_team_index in the current team')
        end do
        sub = n + 1
        call prif_image_index(inner, sub, index)
        call check(index, 0, 'image_index beyond the team')
        do k = 1, images
            sub = k
            call prif_image_index_with_team(outer, sub, initial, index)
            call check(index, k, 'image_index in an ancestor')
            call prif_initial_team_index_with_team(outer, sub, initial, index)
            call check(index, k, 'initial_team_index in an ancestor')
        end do
        if (images > 2) then    ! the previous or next pair, by its team number
            other = merge(2, 1, number == 1)
            k = merge(1, 2, 2 * other > images)
            sub = 1
            call prif_image_index_with_team_number(outer, sub, int(other, c_int64_t), index)
            call check(index, 1, 'image_index in a sibling')
            call prif_initial_team_index_with_team_number(outer, sub, int(other, c_int64_t), index)
            call check(index, 2 * other - 1 + k - 1, 'initial_team_index in a sibling')
            sub = 3
            call prif_image_index_with_team_number(outer, sub, int(other, c_int64_t), index)
            call check(index, 0, 'image_index beyond a sibling')
        end if
        call prif_deallocate_coarray(inner)
        call prif_end_team
        call prif_deallocate_coarray(outer)
    end subroutine
end program
