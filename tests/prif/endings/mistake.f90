! mistake NAME: image 1 makes the mistake, in a procedure without a stat.
program mistake
    use, intrinsic :: iso_c_binding
    use prif
    implicit none
    procedure(prif_coarray_cleanup_interface), pointer :: none
    procedure(prif_operation_wrapper_interface), pointer :: no_operation
    type(prif_coarray_handle) :: handle, other
    type(prif_team_type) :: team, undefined
    type(c_ptr) :: memory
    integer(c_int64_t), target :: own(10)
    integer(c_int64_t) :: long, longs(3)
    integer(c_int) :: me, images, state
    character(30) :: name

    call prif_init(state)
    call prif_this_image_no_coarray(this_image=me)
    call prif_num_images(images)
    none => null()
    no_operation => null()
    own = 0
    call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], 80_c_size_t, none, handle, memory)
    call get_command_argument(1, name)
    if (name == 'form_team') call prif_form_team(-5_c_int64_t, team)
    if (index(name, 'stale') == 1) call prif_deallocate_coarray(handle)
    if (me == 1) then
        select case (name)
        case ('put')
            call prif_put(1, handle, 80_c_size_t, c_loc(own), 8_c_size_t)
        case ('get')
            call prif_get(images + 1, handle, 0_c_size_t, c_loc(own), 8_c_size_t)
        case ('strided')
            call prif_put_strided(1, handle, 0_c_size_t, [16_c_ptrdiff_t], c_loc(own), [8_c_ptrdiff_t], 8_c_size_t, &
                [6_c_size_t])
        case ('dim')
            call prif_lcobound_with_dim(handle, 2, long)
        case ('bounds')
            call prif_lcobound_no_dim(handle, longs)
        case ('team')
            call prif_change_team(undefined)
        case ('team_number')
            call prif_num_images_with_team_number(12345_c_int64_t, state)
        case ('level')
            call prif_get_team(17, team)
        case ('end_team')
            call prif_end_team
        case ('stale_put')
            call prif_put(1, handle, 0_c_size_t, c_loc(own), 8_c_size_t)
        case ('stale_critical')
            call prif_critical(handle)
        case ('stale_atomic')
            call prif_atomic_add(1, handle, 0_c_size_t, 1_c_int64_t)
        case ('alias')
            call prif_alias_create(handle, [1_c_int64_t], [integer(c_int64_t) ::], 81_c_size_t, other)
        case ('alias_destroy')
            call prif_alias_destroy(handle)
        case ('unlock')
            call prif_unlock(1, handle, 0_c_size_t)
        case ('atomic')
            call prif_atomic_add(0, handle, 0_c_size_t, 1_c_int64_t)
        case ('event')
            call prif_event_wait(c_null_ptr)
        case ('operation')
            call prif_co_reduce(long, no_operation, c_null_ptr)
        case ('result_image')
            call prif_co_sum(long, images + 1)
        case ('sync_images')
            call prif_sync_images([images + 1])
        case ('image_status')
            call prif_image_status(images + 1, image_status=state)
        case default
            error stop 'no such mistake'
        end select
    end if
    call prif_sync_all
    call prif_stop(.true._c_bool)
end program
