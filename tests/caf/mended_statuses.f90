! images: 1 3
! compilers: 16
! stat= in a local variable that no other statement passes by reference, which the plugin corrects.
module mended_statuses_m
    use, intrinsic :: iso_fortran_env, only: team_type
    use check_m, only: check
    implicit none
contains
    subroutine forming
        type(team_type) :: team
        integer :: state
        state = 77
        form team (1, team, stat=state)
        call check(state == 0, 'stat= of form team')
        state = 77
        form team (-1, team, stat=state)
        call check(state > 0 .and. state /= 77, 'stat= of a wrong form team')
    end subroutine

    subroutine changing
        type(team_type) :: team
        integer :: met, changed, ended
        form team (1, team, new_index=this_image())
        met = 77
        changed = 77
        ended = 77
        sync team (team, stat=met)
        change team (team, stat=changed)
        end team (stat=ended)
        call check(met == 0, 'stat= of sync team')
        call check(changed == 0, 'stat= of change team')
        call check(ended == 0, 'stat= of end team')
    end subroutine

    subroutine excluding
        integer :: state
        state = 77
        critical (stat=state)
        end critical
        call check(state == 0, 'stat= of critical')
    end subroutine
end module

program mended_statuses
    use mended_statuses_m
    use check_m, only: check_end
    implicit none
    call forming
    call changing
    call excluding
    call check_end
end program
