! Uses a team variable without a team: it is undefined, its team has ended with its parent, or FORM TEAM has not stored
! its value.
program no_team
    use, intrinsic :: iso_fortran_env, only: team_type
    use, intrinsic :: iso_c_binding, only: c_int64_t, c_loc, c_f_pointer
    implicit none
    integer, save :: a[*] = 0
    type(team_type), target :: outer, t
    integer(c_int64_t), pointer :: bits
    character(20) :: what, statement
    call get_command_argument(1, what)
    call get_command_argument(2, statement)
    call c_f_pointer(c_loc(t), bits)
    bits = 0
    if (what == 'random') bits = 1234567890123456789_c_int64_t
    if (what == 'ended') then
        form team (1, outer)
        change team (outer)
            form team (1, t)
        end team
    end if
    select case (statement)
    case ('change')
        change team (t)
        end team
    case ('sync')
        sync team (t)
    case ('put')
        a[1, team=t] = 1
    case ('number')
        print *, team_number(t)
    end select
    print *, 'not reached'
end program
