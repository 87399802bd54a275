! Image control and atomics: barriers, pairs, events, locks, critical, atomics, teams, allocation.  Any number of images
! from 2 on; where two are enough, the others wait in the barrier behind the row.
module sync_rows
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type, int64, lock_type, real64, team_type
    use timing
    implicit none

    integer, parameter :: most_teams = 50  ! in one batch: what FORM TEAM makes lasts as long as the program

    type(event_type), save :: turn[*]
    type(lock_type), save :: guard[*]
    integer(atomic_int_kind), save :: counter[*]
    integer, save :: turns[*], guarded[*]
    type(team_type) :: all_images

    integer :: me, peer, lock_on
    integer :: added = 0            ! by the rows of atomics, so that their sum can be checked
    integer(int64) :: fetched = 0   ! the sum of what was fetched

contains

    subroutine do_sync_all(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            sync all
        end do
    end subroutine

    ! Images 1 and 2, 3 and 4, ...
    subroutine do_sync_images(n)
        integer, intent(in) :: n
        integer :: i
        if (peer > num_images()) return
        do i = 1, n
            sync images (peer)
        end do
    end subroutine

    subroutine event_round_trip(n)
        integer, intent(in) :: n
        integer :: i
        if (me > 2) return
        do i = 1, n
            if (me == 1) event post (turn[peer])
            event wait (turn)
            if (me == 2) event post (turn[peer])
        end do
    end subroutine

    subroutine lock_free(n)
        integer, intent(in) :: n
        integer :: i
        if (me /= 1) return
        do i = 1, n
            lock (guard[lock_on])
            unlock (guard[lock_on])
        end do
    end subroutine

    ! n in all; the time ends when every image has had its share.
    subroutine lock_contended(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n / num_images() + 1
            lock (guard[1])
            unlock (guard[1])
        end do
        sync all
    end subroutine

    subroutine do_critical(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n / num_images() + 1
            critical
                guarded = i
            end critical
        end do
        sync all
    end subroutine

    subroutine do_atomic_add(n)
        integer, intent(in) :: n
        integer :: i
        if (me /= 1) return
        do i = 1, n
            call atomic_add(counter[peer], 3)
        end do
        added = added + 3 * n
    end subroutine

    subroutine do_atomic_fetch_add(n)
        integer, intent(in) :: n
        integer(atomic_int_kind) :: old
        integer :: i
        if (me /= 1) return
        do i = 1, n
            call atomic_fetch_add(counter[peer], 5, old)
            fetched = fetched + old
        end do
        added = added + 5 * n
    end subroutine

    subroutine do_form_team(n)
        integer, intent(in) :: n
        type(team_type) :: team
        integer :: i
        do i = 1, n
            form team (1, team)
        end do
    end subroutine

    subroutine do_change_team(n)
        integer, intent(in) :: n
        integer :: i
        do i = 1, n
            change team (all_images)
            end team
        end do
    end subroutine

    subroutine do_allocate(n)
        integer, intent(in) :: n
        real(real64), allocatable :: x(:)[:]
        integer :: i
        do i = 1, n
            allocate (x(128)[*])
            x(1) = i
            deallocate (x)
        end do
    end subroutine
end module

program sync
    use sync_rows
    use images
    implicit none

    call start_images()
    me = this_image()
    peer = ieor(me - 1, 1) + 1
    form team (1, all_images)

    call measure('sync_all', 0, do_sync_all)
    call check_sync_all()
    call measure('sync_images', 0, do_sync_images)
    call check_sync_images()
    call measure('event_round_trip', 0, event_round_trip)
    call check_event()
    lock_on = 1
    call measure('lock_own', 0, lock_free)
    lock_on = 2
    call measure('lock_remote', 0, lock_free)
    call measure('lock_contended', 0, lock_contended)
    call measure('critical', 0, do_critical)
    call check_exclusion()
    call measure('atomic_add', 0, do_atomic_add)
    call check_add()
    call measure('atomic_fetch_add', 0, do_atomic_fetch_add)
    call check_add()
    call check_fetch_add()
    call measure('form_team', 0, do_form_team, most_teams)
    call measure('change_team', 0, do_change_team)
    call check_team()
    call measure('allocate', 1024, do_allocate)
    call end_images()

contains

    ! Each image tells its right neighbour the number of the round, then all look at what the left one told them.
    subroutine check_sync_all()
        integer :: i, left
        left = modulo(me - 2, num_images()) + 1
        do i = 1, 50
            turns[mod(me, num_images()) + 1] = i * 100 + me
            sync all
            call expect('sync_all', i, real(turns, real64), real(i * 100 + left, real64))
            sync all
        end do
    end subroutine

    subroutine check_sync_images()
        integer :: i
        if (peer > num_images()) return
        do i = 1, 50
            turns[peer] = -i * 100 - me
            sync images (peer)
            call expect('sync_images', i, real(turns, real64), -real(i * 100 + peer, real64))
            sync images (peer)
        end do
    end subroutine

    ! Data put before the post is there after the wait, and no post is lost.
    subroutine check_event()
        integer :: i, count
        if (me > 2) return
        do i = 1, 50
            if (me == 1) then
                turns[peer] = i * 1000 + 1
                event post (turn[peer])
                event wait (turn)
            else
                event wait (turn)
                call expect('event_round_trip', i, real(turns, real64), real(i * 1000 + 1, real64))
                event post (turn[peer])
            end if
        end do
        call event_query(turn, count)
        call expect('event_round_trip, left over', 0, real(count, real64), 0.0_real64)
    end subroutine

    ! Unprotected, increments of one variable by several images would be lost.
    subroutine check_exclusion()
        integer, parameter :: increments = 500
        integer :: i
        guarded = 0
        sync all
        do i = 1, increments
            lock (guard[1])
            guarded[1] = guarded[1] + 1
            unlock (guard[1])
            critical
                guarded[2] = guarded[2] + 3
            end critical
        end do
        sync all
        if (me == 1) call expect('lock', 0, real(guarded, real64), real(increments * num_images(), real64))
        if (me == 2) call expect('critical', 0, real(guarded, real64), 3.0_real64 * increments * num_images())
    end subroutine

    subroutine check_add()
        integer(atomic_int_kind) :: there
        sync all
        if (me /= 1) return
        call atomic_ref(there, counter[peer])
        call expect('atomic_add', 0, real(there, real64), real(added, real64))
    end subroutine

    ! 1000 more, each of which has to fetch what the one before it left.
    subroutine check_fetch_add()
        integer(atomic_int_kind) :: before
        integer :: i
        if (me /= 1) return
        before = added
        fetched = 0
        call do_atomic_fetch_add(1000)
        call expect('atomic_fetch_add', 0, real(fetched, real64), sum([(real(before + 5 * i, real64), i = 0, 999)]))
    end subroutine

    subroutine check_team()
        change team (all_images)
            call expect('change_team', 1, real(num_images(), real64), real(bench%images, real64))
            call expect('change_team', 2, real(this_image(), real64), real(me, real64))
        end team
    end subroutine
end program
