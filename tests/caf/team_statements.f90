! images: 1 2 3 4 5 7 8
! compilers: 16
! Statements of teams with all options of Fortran 2018: form team with new_index=, stat= and errmsg=, change team, end
! team and sync team with stat= and errmsg=, a name for the construct, get_team, and functions on other teams than the
! current one, its ancestors and siblings.
module team_statements_m
    use, intrinsic :: iso_fortran_env, only: team_type, initial_team, parent_team, current_team
    use check_m, only: check, check_end, neighbour
    implicit none
contains
    ! Some or all images give new indices, in descending order; number is 1 or 2.
    subroutine indices
        type(team_type) :: half
        integer :: me, n, number, size, round, wanted, state
        character(60) :: why
        me = this_image()
        n = num_images()
        number = 1 + mod(me, 2)
        size = merge(n / 2, n - n / 2, number == 1)
        do round = 1, 3
            wanted = size - (me - 1) / 2
            state = 77
            why = 'untouched'
            form team (number, half, new_index=wanted, stat=state, errmsg=why)
            call check(state, 0, 'stat= of form team')
            call check(why == 'untouched', 'errmsg= of form team')
            call check(num_images(half), size, 'num_images(team) of a team formed here')
            call check(this_image(half), wanted, 'this_image(team) of a team formed here')
            call check(team_number(half), number, 'team_number(team) of a team formed here')
            state = 77
            halves: change team (half, stat=state, errmsg=why)
                call check(state, 0, 'stat= of change team')
                call check(this_image(), wanted, 'new_index=')
                call check(num_images(), size, 'images')
                call check(team_number(), number, 'team number')

                state = 77
                sync team (half, stat=state, errmsg=why)
                call check(state, 0, 'stat= of sync team')
                state = 77
            end team (stat=state, errmsg=why) halves
            call check(state, 0, 'stat= of end team')
            call check(why == 'untouched', 'errmsg= of teams')
            call check(this_image(), me, 'image after end team')
        end do
        ! One image alone gives an index; the others keep their order.
        if (me == n) then
            form team (5, half, new_index=1)
        else
            form team (5, half)
        end if
        call check(this_image(half), merge(1, me + 1, me == n), 'new_index= of one image')
    end subroutine

    ! All images get the error, and no team is formed.
    subroutine refusals
        type(team_type) :: t, none
        integer :: me, n, state
        character(80) :: why
        me = this_image()
        n = num_images()
        form team (3, t, new_index=me + 1, stat=state, errmsg=why)
        call check(state /= 0, 'new_index= past the end')
        call check(index(why, 'form team: new_index') == 1, 'errmsg= of that: ' // why)
        form team (3, t, new_index=merge(0, me, me == n), stat=state, errmsg=why)
        call check(state /= 0 .and. index(why, 'new_index 0 on image') > 0, 'new_index=0')
        if (n > 1) then
            form team (3, t, new_index=merge(1, me, me == n), stat=state, errmsg=why)
            call check(state /= 0 .and. index(why, 'on images 1 and') > 0, 'new_index= twice')
        end if
        form team (merge(-1, 1, me == n), t, stat=state, errmsg=why)
        call check(state /= 0 .and. index(why, 'form team: team number -1 on image') == 1, 'a negative team number')
        ! The construct is still executed, in the current team.
        change team (none, stat=state, errmsg=why)
            call check(state /= 0 .and. index(why, 'change team:') == 1, 'change team to no team')
            call check(team_number(), -1, 'the team after a change that was refused')
            call check(num_images(), n, 'images after a change that was refused')
            form team (4, t)
            change team (t)
                call check(team_number(), 4, 'a team within a construct that has none')
                change team (none, stat=state)
                    call check(team_number(), 4, 'a construct that has no team, within a team')
                end team
                call check(team_number(), 4, 'after a construct that has no team')
            end team
            call check(team_number(), -1, 'after a team within a construct that has none')
            state = 77
        end team (stat=state)
        call check(state, 0, 'end team of a team that was refused')
        sync team (none, stat=state, errmsg=why)
        call check(state /= 0 .and. index(why, 'sync team:') == 1, 'sync team of no team')
        form team (4, t, stat=state, errmsg=why)
        call check(state, 0, 'form team after refusals')
        call check(num_images(t), n, 'images of a team formed after refusals')
    end subroutine

    subroutine levels
        type(team_type) :: outer, inner, t
        integer :: me, n, mine
        me = this_image()
        n = num_images()
        t = get_team()
        call check(team_number(t), -1, 'get_team() is the initial team')
        call check(num_images(t) == n .and. this_image(t) == me, 'get_team() in the initial team')
        t = get_team(parent_team)
        call check(team_number(t), -1, 'the parent of the initial team')
        mine = 10 + mod(me - 1, 2)
        form team (mine, outer)
        change team (outer)
            call check(num_images(get_team(initial_team)), n, 'images of the initial team, from a team')
            call check(this_image(get_team(initial_team)), me, 'image in the initial team, from a team')
            form team (20, inner, new_index=num_images() + 1 - this_image())
            t = get_team()
            call check(team_number(t), mine, 'get_team()')
            change team (inner)
                call check(team_number(get_team(current_team)), 20, 'the current team')
                call check(team_number(get_team(parent_team)), mine, 'the parent team')
                call check(team_number(get_team(initial_team)), -1, 'the initial team')
                call check(num_images(outer), (n - mine + 10 + 1) / 2, 'images of the parent team')
                call check(this_image(outer), (me + 1) / 2, 'image in the parent team')
                call check(this_image(), num_images() + 1 - this_image(outer), 'image in the inner team')
                call check(team_number(t), mine, 'a copy made by get_team()')
                ! SYNC TEAM of an ancestor works if all its images execute the statement.
                sync team (outer)
                sync team (t)
                sync team (get_team(initial_team))
            end team
        end team
        call check(team_number(), -1, 'back in the initial team')
    end subroutine

    subroutine siblings
        type(team_type) :: third
        integer :: me, n, mine, number
        me = this_image()
        n = num_images()
        mine = 1 + mod(me - 1, 3)
        form team (mine, third)
        change team (third)
            do number = 1, min(n, 3)
                call check(num_images(number), (n - number) / 3 + 1, 'num_images(team_number)')
            end do
            call check(num_images(-1), n, 'num_images of team -1, the initial one')
        end team
    end subroutine

    ! Uses teams by copies of their variables after the variables have been redefined; one copy is used throughout.
    subroutine copies
        type(team_type) :: t, first, older(5)
        integer :: round, n
        n = num_images()
        form team (100000, t)
        first = t
        do round = 1, 3000
            form team (round, t, new_index=this_image())
            older(1 + mod(round, 5)) = t
            if (round < 5) cycle
            change team (first)
                call check(team_number(), 100000, 'a team by the first copy')
            end team
            change team (older(1 + mod(round + 1, 5)))
                call check(team_number(), round - 4, 'a team by a copy of its variable')
                call check(num_images(), n, 'images by a copy')
            end team
        end do
    end subroutine
end module

program team_statements
    use team_statements_m
    implicit none
    call indices
    call refusals
    call levels
    call siblings
    call copies
    call indices
    call check_end
end program
