! Image 2, or the only one, ends as the argument says; the others continue.
program ends
use, intrinsic :: iso_fortran_env
implicit none
integer :: state, one
character(20) :: how
call get_command_argument(1, how)
if (this_image() == min(2, num_images())) then
    print '(a)', 'last words'
    select case (how)
    case ('stop')
        stop
    case ('stop_code')
        stop 3
    case ('stop_quiet')
        stop 4, quiet=.true.
    case ('error_stop')
        error stop
    case ('error_stop_code')
        error stop 7
    case ('error_stop_text')
        error stop 'no more'
#ifdef HAS_FAIL_IMAGE
    case ('fail')
        fail image
#endif
    end select
end if
sync all (stat=state)
print '(a, i0)', 'state ', state
if (how == 'fail') then
    one = 1
    call co_sum(one, stat=state)
    print '(a, i0)', 'co_sum ', state
end if
end program
