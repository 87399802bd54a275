! images: 1 2 3 4 5 7 8
! compilers: 16
! stat= and errmsg= of CRITICAL and MOVE_ALLOC, with and without errors; a coarray that has been moved.
module statuses16_m
    use, intrinsic :: iso_fortran_env, only: team_type
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
contains
    subroutine criticals(counter)
        integer, intent(inout) :: counter[*]
        integer :: i, old, state
        character(40) :: why
        counter = 0
        why = 'untouched'
        sync all
        do i = 1, 50
            state = 77
            critical (stat=state, errmsg=why)
                old = counter[1]
                counter[1] = old + 1
                call check(state, 0, 'stat= of critical, within')
            end critical
            named: critical (stat=state)
                old = counter[num_images()]
                counter[num_images()] = old - 1
            end critical named
        end do
        call check(state, 0, 'stat= of critical')
        call check(why == 'untouched', 'errmsg= of critical')
        sync all
        i = merge(50, 0, this_image() == 1) * num_images()
        i = i - merge(50, 0, this_image() == num_images()) * num_images()
        if (num_images() > 1) call check(counter, i, 'counted in critical sections')
        sync all
    end subroutine

    ! Onto an unallocated coarray, onto an allocated one, and within a team.
    subroutine moves
        type(team_type) :: half
        integer(8), allocatable :: a(:)[:], b(:)[:], s[:], r[:]
        integer(8) :: x, y(5)
        integer :: me, i, state, round
        character(40) :: why
        me = this_image()
        why = 'untouched'
        form team (1 + mod(me, 2), half)
        do round = 1, 20
            allocate (a(-1:3)[*], s[*])
            a = value(me, [(i, i = 1, 5)], 1_8)
            s = value(me, 7, 1_8)
            state = 77
            call move_alloc(a, b, stat=state, errmsg=why)
            call check(state, 0, 'stat= of move_alloc')
            call move_alloc(s, r, stat=state, errmsg=why)
            call check(state, 0, 'stat= of move_alloc of a scalar')
            call check(.not. allocated(a) .and. .not. allocated(s), 'the source of move_alloc is unallocated')
            call check(lbound(b, 1) == -1 .and. ubound(b, 1) == 3, 'bounds of the moved coarray')
            sync all
            y = b(:)[neighbour(1)]
            call expect(y, value(neighbour(1), [(i, i = 1, 5)], 1_8), 'get after move_alloc')
            x = r[neighbour(-1)]
            call expect(x, value(neighbour(-1), 7, 1_8), 'get of a scalar after move_alloc')
            allocate (a(9)[*], stat=state, errmsg=why)
            call check(state, 0, 'stat= of allocate')
            a = value(me, round, 1_8)
            sync all
            call move_alloc(a, b, stat=state, errmsg=why)
            call check(state, 0, 'stat= of move_alloc onto a coarray')
            call check(size(b), 9, 'size of the target of a move')
            sync all
            b(4)[neighbour(1)] = value(me, round + 100, 1_8)
            sync all
            call expect(b(4:5), [value(neighbour(-1), round + 100, 1_8), value(me, round, 1_8)], 'put after move_alloc')
            change team (half)
                allocate (a(round)[*])
                a = value(me, 3 * round, 1_8)
                call move_alloc(r, s, stat=state, errmsg=why)
                call check(state, 0, 'stat= of move_alloc in a team')
                sync all
                x = a(round)[1]
                deallocate (a)
            end team
            deallocate (b, s, stat=state, errmsg=why)
            call check(state, 0, 'stat= of deallocate')
        end do
        call check(why == 'untouched', 'errmsg= of a success')
    end subroutine
end module

program statuses16
    use statuses16_m
    implicit none
    integer, save :: counter[*]
    call criticals(counter)
    call moves
    call check_end
end program
