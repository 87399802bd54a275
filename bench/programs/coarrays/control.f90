! images: 2 4
! args: check
! sources: bench/timing/timing.f90 bench/timing/images.f90
! Image control and atomics: events, free locks, critical, atomics, allocation (barriers.f90 and locks.f90 have the
! rest). Runs on 2 or more images; if a row needs two, the others wait in the barrier after the row.
module control_rows
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type, int64, lock_type, real64
    use timing
    implicit none

    type(event_type), save :: turn[*]
    type(lock_type), save :: guard[*]
    integer(atomic_int_kind), save :: counter[*]
    integer, save :: turns[*], guarded[*]

    integer :: me, peer, lock_on
    integer :: added = 0            ! the expected sum of all additions by atomics
    integer(int64) :: fetched = 0   ! the sum of the fetched values

contains

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

program control
    use control_rows
    use images
    implicit none

    call start_images()
    me = this_image()
    peer = ieor(me - 1, 1) + 1

    call measure('event_round_trip', 0, event_round_trip)
    call check_event()
    lock_on = 1
    call measure('lock_own', 0, lock_free)
    lock_on = 2
    call measure('lock_remote', 0, lock_free)
    call measure('critical', 0, do_critical)
    call check_exclusion()
    call measure('atomic_add', 0, do_atomic_add)
    call check_add()
    call measure('atomic_fetch_add', 0, do_atomic_fetch_add)
    call check_add()
    call check_fetch_add()
    call measure('allocate', 1024, do_allocate)
    call end_images()

contains

    ! Checks that data put before the post has arrived after the wait, and that no post is lost.
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

    ! Without critical, increments of one variable by several images would be lost.
    subroutine check_exclusion()
        integer, parameter :: increments = 500
        integer :: i, had  ! had: in guarded[1] = guarded[1] + 1, gfortran 15 would read this image's value
        guarded = 0
        sync all
        do i = 1, increments
            lock (guard[1])
            had = guarded[1]
            guarded[1] = had + 1
            unlock (guard[1])
            critical
                had = guarded[2]
                guarded[2] = had + 3
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

    ! Executes 1000 more atomics; each must fetch the result of the previous one.
    subroutine check_fetch_add()
        integer(atomic_int_kind) :: before
        integer :: i
        if (me /= 1) return
        before = added
        fetched = 0
        call do_atomic_fetch_add(1000)
        call expect('atomic_fetch_add', 0, real(fetched, real64), sum([(real(before + 5 * i, real64), i = 0, 999)]))
    end subroutine

end program
