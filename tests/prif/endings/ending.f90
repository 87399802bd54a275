! ending HOW [CODE]: image 2, or the only image, ends in that way; the others wait for it, or end normally.
module ending_m
    use, intrinsic :: iso_c_binding
    use prif
    implicit none
    integer(c_int) :: me, images
contains

    subroutine first(is_error_stop, quiet, stop_code_int, stop_code_char)
        logical(c_bool), intent(in) :: is_error_stop, quiet
        integer(c_int), intent(in), optional :: stop_code_int
        character(len=*), intent(in), optional :: stop_code_char
        call say('first', is_error_stop, quiet, stop_code_int, stop_code_char)
    end subroutine

    subroutine second(is_error_stop, quiet, stop_code_int, stop_code_char)
        logical(c_bool), intent(in) :: is_error_stop, quiet
        integer(c_int), intent(in), optional :: stop_code_int
        character(len=*), intent(in), optional :: stop_code_char
        call say('second', is_error_stop, quiet, stop_code_int, stop_code_char)
    end subroutine

    subroutine say(which, is_error_stop, quiet, stop_code_int, stop_code_char)
        character(*), intent(in) :: which
        logical(c_bool), intent(in) :: is_error_stop, quiet
        integer(c_int), intent(in), optional :: stop_code_int
        character(len=*), intent(in), optional :: stop_code_char
        character(12) :: number
        if (me /= min(2, images)) return
        number = 'none'
        if (present(stop_code_int)) write (number, '(i0)') stop_code_int
        if (present(stop_code_char)) then
            print '(6a, 2l2)', which, ' ', trim(number), ' [', stop_code_char, ']', logical(is_error_stop), &
                logical(quiet)
        else
            print '(4a, 2l2)', which, ' ', trim(number), ' none', logical(is_error_stop), logical(quiet)
        end if
    end subroutine
end module

program ending
    use ending_m
    implicit none
    procedure(prif_stop_callback_interface), pointer :: callback
    character(20) :: how, text
    integer(c_int) :: state, code
    integer :: length, status

    call prif_init(state)
    call prif_this_image_no_coarray(this_image=me)
    call prif_num_images(images)
    call get_command_argument(1, how)
    call get_command_argument(2, text, length, status)
    print '(a, i0)', 'words of image ', me
    callback => second
    call prif_register_stop_callback(callback)
    callback => first
    call prif_register_stop_callback(callback)
    if (me == min(2, images)) then
        select case (how)
        case ('stop')
            call prif_stop(.false._c_bool)
        case ('stop_code')
            read (text, *) code
            call prif_stop(.false._c_bool, code)
        case ('stop_text')
            call prif_stop(.false._c_bool, stop_code_char=text(:length))
        case ('stop_quiet')
            call prif_stop(.true._c_bool, stop_code_char=text(:length))
        case ('error_stop')
            call prif_error_stop(.false._c_bool)
        case ('error_stop_code')
            read (text, *) code
            call prif_error_stop(.false._c_bool, code)
        case ('error_stop_text')
            call prif_error_stop(.false._c_bool, stop_code_char=text(:length))
        case ('error_stop_quiet')
            read (text, *) code
            call prif_error_stop(.true._c_bool, code)
        case ('fail')
            call prif_fail_image
        case ('end')
            stop
        case default
            error stop 'no such end'
        end select
    end if
    if (how == 'fail') then
        do
            call prif_sync_all(state)
            if (state /= 0) exit
        end do
        if (state /= PRIF_STAT_FAILED_IMAGE) error stop 'the image has not failed'
    else if (index(how, 'error') == 1) then
        call prif_sync_all    ! does not return
    end if
    call prif_stop(.true._c_bool)
end program
