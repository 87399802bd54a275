! images: 1 2 3 4 5 8
! Teams, with gfortran 12 too: form team, change team, end team, sync team, team_number, this_image and num_images
! in a team, access by the team's image indices, synchronization and collectives inside a team, coarrays allocated in a
! team and freed at its end, a put with [i, team=parent].
! Each procedure uses the module, because gfortran 15 and 16 cannot access a coarray of the procedure's own module.
module teams_data_m
    use, intrinsic :: iso_fortran_env, only: event_type, lock_type
    implicit none
    integer(8), save :: a[*], b(5)[*]
    integer, save :: counter[*] = 0
    type(event_type), save :: ready[*]
    type(lock_type), save :: door[*]
end module

module teams_m
    use, intrinsic :: iso_fortran_env, only: team_type, event_type, lock_type
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
contains
    ! Image indices 1, 4, 7, ... are team 1 of 3, and so on.
    subroutine thirds
        use teams_data_m
        type(team_type) :: third
        integer :: me, n, mine, size, first
        integer(8) :: x, y(5)
        me = this_image()
        n = num_images()
        mine = 1 + mod(me - 1, 3)
        size = (n - mine) / 3 + 1
        form team (mine, third)
        call check(num_images(), n, 'images after form team')
        a = value(me, 1, 1_8)
        b = value(me, [2, 3, 4, 5, 6], 1_8)
        sync all
        change team (third)
            call check(num_images(), size, 'images of the team')
            call check(this_image(), 1 + (me - 1) / 3, 'image index in the team')
            call check(team_number(), mine, 'team_number')
            call check(a == value(me, 1, 1_8), 'coarray in the team')
            first = neighbour(1)
            x = a[first]
            call expect(x, value(mine + 3 * (first - 1), 1, 1_8), 'get in the team')
            y = b(:)[first]
            call expect(y, value(mine + 3 * (first - 1), [2, 3, 4, 5, 6], 1_8), 'get of an array in the team')
            sync all
            a[first] = value(me, 10, 1_8)
            sync team (third)
            call expect(a, value(mine + 3 * (neighbour(-1) - 1), 10, 1_8), 'put in the team')
            sync all
        end team
        call check(num_images(), n, 'images after end team')
        call check(this_image(), me, 'image index after end team')
        call expect(a, value(mine + 3 * modulo((me - 1) / 3 - 1, size), 10, 1_8), 'what was put in the team')
        sync all
    end subroutine

    ! Collectives, events, locks, critical and sync images refer to the images of the team.
    subroutine inside
        use teams_data_m
        type(team_type) :: half
        integer :: me, n, lowest, highest, i, old, s, m
        me = this_image()
        n = num_images()
        lowest = merge(1, n / 2 + 1, me <= n / 2)
        highest = merge(n / 2, n, me <= n / 2)
        counter = 0
        form team (merge(7, 9, me <= n / 2), half)
        change team (half)
            m = num_images()
            call check(m, highest - lowest + 1, 'images of a half')
            s = me
            call co_sum(s)
            call check(s, (highest - lowest + 1) * (lowest + highest) / 2, 'co_sum in a team')
            s = me
            call co_max(s, result_image=1)
            if (this_image() == 1) call check(s, highest, 'co_max to one image of a team')
            s = me
            call co_broadcast(s, m)
            call check(s, highest, 'co_broadcast in a team')
            do i = 1, 50
                lock (door[m])
                old = counter[m]
                counter[m] = old + 1
                unlock (door[m])
                critical
                    old = counter[1]
                    counter[1] = old
                end critical
                event post (ready[neighbour(1)])
                event wait (ready)
                sync images (*)
            end do
            sync all
            call check(counter[m] >= 50, 'counter in a team')
        end team
        sync all
    end subroutine

    ! Coarrays allocated in a team belong to it, and end with it.
    subroutine allocations
        type(team_type) :: part
        integer(8), allocatable :: t(:)[:], kept(:)[:]
        integer :: me, round, parts, mine
        integer(8) :: x
        me = this_image()
        allocate (kept(4)[*])
        kept = value(me, 50, 1_8)
        do round = 1, 60
            parts = 1 + mod(round, 3)
            mine = 1 + mod(me - 1, parts)
            form team (mine, part)
            change team (part)
                allocate (t(100000 * mine)[*])
                t(1) = value(me, round, 1_8)
                t(100000 * mine) = value(me, -round, 1_8)
                sync all
                x = t(100000 * mine)[num_images()]
                call expect(x, value(mine + parts * (num_images() - 1), -round, 1_8), 'coarray of a team')
                x = kept(4)[1]
                call expect(x, value(mine, 50, 1_8), 'coarray of the parent')
                if (mod(round, 2) == 0) deallocate (t)
            end team
            call check(.not. allocated(t), 'freed at the end of the team')
        end do
        sync all
        x = kept(3)[neighbour(1)]
        call expect(x, value(neighbour(1), 50, 1_8), 'coarray of the parent behind the teams')
        sync all
    end subroutine

    subroutine parent
        use teams_data_m
        type(team_type) :: initial, odd
        integer :: me, n
        me = this_image()
        n = num_images()
        form team (1, initial)
        a = value(me, 70, 1_8)
        b = 0
        sync all
        change team (initial)
            form team (1 + mod(me, 2), odd)
            change team (odd)
                a[1 + mod(me, n), team=initial] = value(me, 80, 1_8)
                b(2:4)[1 + mod(me, n), team=initial] = value(me, [81, 82, 83], 1_8)
            end team
        end team
        sync all
        call expect(a, value(neighbour(-1), 80, 1_8), 'put to an image of the parent team')
        call expect(b(2:4), value(neighbour(-1), [81, 82, 83], 1_8), 'put of an array to an image of the parent team')
        sync all
    end subroutine
end module

program teams
    use teams_m
    implicit none
    call check(team_number(), -1, 'team_number of the initial team')
    call thirds
    call inside
    call allocations
    call parent
    call thirds
    call check_end
end program
