! Images: in the current team, in a team, by a team's number; their cosubscripts; no image has failed or stopped.
program image_queries
    use prif_check
    implicit none
    type(prif_team_type) :: initial, halves, current
    integer(c_int) :: n, k, half, expected
    integer(c_int64_t) :: number

    call check_begin
    call prif_get_team(PRIF_INITIAL_TEAM, initial)
    call prif_num_images_with_team(initial, n)
    call check(n, images, 'num_images of the initial team')
    call prif_this_image_no_coarray(initial, k)
    call check(k, me, 'this_image in the initial team')
    call prif_num_images_with_team_number(-1_c_int64_t, n)
    call check(n, images, 'num_images by the number of the initial team')
    call prif_team_number(initial, number)
    call check(number, -1_c_int64_t, 'number of the initial team')
    call nobody_is_missing

    ! Odd and even images: 2^40 + 1 and 2^40 + 2.
    half = 2 - mod(me, 2)
    call prif_form_team(ishft(1_c_int64_t, 40) + half, halves)
    expected = (images + 2 - half) / 2
    call prif_num_images_with_team(halves, n)
    call check(n, expected, 'num_images of a team that is not current')
    call prif_this_image_no_coarray(halves, k)
    call check(k, (me + 1) / 2, 'this_image in a team that is not current')
    call check_cosubscripts(initial, me, .false.)

    call prif_change_team(halves)
    call prif_num_images(n)
    call check(n, expected, 'num_images of the current team')
    call prif_this_image_no_coarray(this_image=k)
    call check(k, (me + 1) / 2, 'this_image in the current team')
    call prif_num_images_with_team_number(ishft(1_c_int64_t, 40) + half, n)
    call check(n, expected, 'num_images by the own number')
    if (images > 1) then
        call prif_num_images_with_team_number(ishft(1_c_int64_t, 40) + 3 - half, n)
        call check(n, images - expected, 'num_images of the sibling')
    end if
    call prif_num_images_with_team(initial, n)
    call check(n, images, 'num_images of an ancestor')
    call prif_this_image_no_coarray(initial, k)
    call check(k, me, 'this_image in an ancestor')
    call prif_team_number(team_number=number)
    call check(number, ishft(1_c_int64_t, 40) + half, 'number of the current team')
    call prif_get_team(team=current)
    call prif_team_number(current, number)
    call check(number, ishft(1_c_int64_t, 40) + half, 'number of the team that get_team returns')
    call prif_get_team(PRIF_PARENT_TEAM, current)
    call prif_team_number(current, number)
    call check(number, -1_c_int64_t, 'number of the parent')
    call nobody_is_missing
    call check_cosubscripts(halves, (me + 1) / 2, .true.)
    call prif_end_team
    call check_end

contains

    subroutine nobody_is_missing
        integer(c_int), allocatable :: list(:)
        integer(c_int) :: status, statuses(3)
        allocate (list(5))
        call prif_failed_images(failed_images=list)
        call check(size(list), 0, 'number of failed images')
        call prif_failed_images(initial, list)
        call check(size(list), 0, 'number of failed images of a team')
        call prif_stopped_images(initial, list)
        call check(size(list), 0, 'number of stopped images of a team')
        call prif_stopped_images(stopped_images=list)
        call check(size(list), 0, 'number of stopped images')
        call prif_image_status(1, image_status=status)
        call check(status, 0, 'status of image 1')
        call prif_image_status(images, initial, status)
        call check(status, 0, 'status of the last image')
        statuses = 9
        call prif_image_status([1, 1, 1], initial, statuses)    ! prif_image_status is elemental
        call check(all(statuses == 0), 'statuses of several')
    end subroutine

    ! A coarray of this team with cobounds [-2:-1, 7:*].
    subroutine check_cosubscripts(team, index, is_current)
        type(prif_team_type), intent(in) :: team
        integer(c_int), intent(in) :: index
        logical, intent(in) :: is_current
        type(prif_coarray_handle) :: handle
        type(c_ptr) :: memory
        integer(c_int64_t) :: cosubscripts(2), one, wanted(2)
        integer(c_int) :: dim, found
        wanted = [-2 + mod(index - 1, 2), 7 + (index - 1) / 2]
        call prif_allocate_coarray([-2_c_int64_t, 7_c_int64_t], [-1_c_int64_t], 16_c_size_t, no_cleanup, handle, memory)
        cosubscripts = 99
        call prif_this_image_with_coarray(handle, cosubscripts=cosubscripts)
        call check(all(cosubscripts == wanted), 'cosubscripts of this image')
        cosubscripts = 99
        call prif_this_image_with_coarray(handle, team, cosubscripts)
        call check(all(cosubscripts == wanted), 'cosubscripts in a team')
        do dim = 1, 2
            call prif_this_image_with_dim(handle, dim, cosubscript=one)
            call check(one, wanted(dim), 'one cosubscript')
            call prif_this_image_with_dim(handle, dim, team, one)
            call check(one, wanted(dim), 'one cosubscript in a team')
        end do
        call prif_image_index(handle, wanted, found)
        call check(found, index, 'image_index of the own cosubscripts')
        if (is_current) then
            call prif_initial_team_index(handle, wanted, found)
            call check(found, me, 'initial_team_index of the own cosubscripts')
        end if
        call prif_deallocate_coarray(handle)
    end subroutine
end program
