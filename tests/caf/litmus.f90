! images: 2 3 8
! flags: -O3
! args: all 200
! args: messages 1000000
! args: stores 1000000
! args: names 1000000
! args: teams 1000000
! args: counts 1000000
! Litmus programs of Fortran's memory model, optimised, with accesses to other images that may be loads and stores. The
! compiler must keep no value in a register across image control statements and atomics, nor for VOLATILE, and an
! image's accesses to one location must be in order under all names of the location. Fortran does not forbid store
! buffering without synchronization, so an image control statement orders each store before the loads.
program litmus
    use, intrinsic :: iso_c_binding, only: c_int
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type, lock_type, team_type
    use check_m, only: check, check_end, neighbour
    implicit none
    integer, parameter :: n = 16, most_images = 8

    type :: holder
        integer :: a(most_images)
        integer, allocatable :: v(:)
        integer, pointer :: p(:)
    end type

    integer, save, target :: box(n)[*], lane(n, most_images)[*]
    integer, save :: sum_of_turns[*], turns_seen[*]
    integer, save, volatile :: bell[*]
    type(holder), save, target :: o[*]
    type(event_type), save :: ready[*], taken[*]
    type(lock_type), save :: guard[*]
    integer(atomic_int_kind), save :: flag[*], answer[*], gate[*]
    integer :: me, images, left, right, rounds
    character(20) :: what, number

    interface
        integer(c_int) function sched_yield() bind(c)    ! because there may be more images than cores
            import :: c_int
        end function
    end interface

    call get_command_argument(1, what)
    call get_command_argument(2, number)
    read (number, *) rounds
    me = this_image()
    images = num_images()
    left = neighbour(-1)
    right = neighbour(1)
    call check(images <= most_images, 'images')
    if (what == 'all' .or. what == 'messages') then
        call by_events
        call by_atomics
        call by_own_flags
        call by_volatile
    end if
    if (what == 'all' .or. what == 'stores') then
        call by_sync_all
        call by_sync_images
        call by_critical
    end if
    if (what == 'all' .or. what == 'names') call by_names
    if (what == 'all' .or. what == 'teams') call by_teams
    if (what == 'all' .or. what == 'counts') call by_counts
    call check_end

contains

    subroutine by_events
        integer :: i, k, wrong
        wrong = 0
        sync all
        do i = 1, rounds
            do k = 1, n
                box(k)[right] = i + k
            end do
            event post (ready[right])
            event wait (ready)
            do k = 1, n
                if (box(k) /= i + k) wrong = wrong + 1
                if (box(k)[right] < i + k) wrong = wrong + 1
            end do
            event post (taken[left])
            event wait (taken)
        end do
        call check(wrong, 0, 'messages by events')
    end subroutine

    subroutine by_atomics
        integer :: i, k, wrong
        integer(atomic_int_kind) :: f
        wrong = 0
        call atomic_define(flag, 0)
        call atomic_define(answer, 0)
        sync all
        do i = 1, rounds
            do k = 1, n
                box(k)[right] = 2 * i + k
            end do
            sync memory
            call atomic_define(flag[right], i)
            call await(me, i)
            do k = 1, n
                if (box(k) /= 2 * i + k) wrong = wrong + 1
            end do
            sync memory
            call atomic_define(answer[left], i)
            do
                call atomic_ref(f, answer)
                if (f == i) exit
                if (sched_yield() /= 0) exit
            end do
            sync memory
        end do
        sync all
        call check(wrong, 0, 'messages by atomics')
    end subroutine

    ! Waits until an image's flag is i.
    subroutine await(image, i)
        integer, intent(in) :: image, i
        integer(atomic_int_kind) :: f
        do
            call atomic_ref(f, flag[image])
            if (f == i) exit
            if (sched_yield() /= 0) exit
        end do
        sync memory
    end subroutine

    ! Each image stores the message in its own memory, and the others get it.
    subroutine by_own_flags
        integer :: i, k, wrong
        integer(atomic_int_kind) :: f
        wrong = 0
        call atomic_define(flag, 0)
        call atomic_define(answer, 0)
        sync all
        do i = 1, rounds
            do k = 1, n
                box(k) = 3 * i + k
            end do
            sync memory
            call atomic_define(flag, i)
            call await(left, i)
            do k = 1, n
                if (box(k)[left] /= 3 * i + k) wrong = wrong + 1
            end do
            sync memory
            call atomic_define(answer[left], i)
            do
                call atomic_ref(f, answer)
                if (f == i) exit
                if (sched_yield() /= 0) exit
            end do
            sync memory
        end do
        sync all
        call check(wrong, 0, 'messages that are fetched')
    end subroutine

    ! Polls a flag on another image: two images at a time, because polling images do not yield.
    subroutine by_volatile
        integer :: i, wrong
        wrong = 0
        bell = 0
        sync all
        if (me <= 2) then
            do i = 1, max(20, rounds / 1000)
                if (me == 1) then
                    box(1)[2] = i
                    sync memory
                    bell = i
                    do
                        if (bell[2] == i) exit
                    end do
                else
                    do
                        if (bell[1] == i) exit
                    end do
                    sync memory
                    if (box(1) /= i) wrong = wrong + 1
                    bell = i
                end if
            end do
        end if
        sync all
        call check(wrong, 0, 'messages by a volatile variable')
    end subroutine

    subroutine by_sync_all
        integer :: i, k, wrong
        wrong = 0
        sync all
        do i = 1, rounds
            lane(:, me)[right] = i
            box(1) = i
            sync all
            do k = 1, n
                if (lane(k, left) /= i) wrong = wrong + 1
            end do
            do k = 1, images
                if (box(1)[k] /= i) wrong = wrong + 1
            end do
            sync all
        end do
        call check(wrong, 0, 'stores and loads, by sync all')
    end subroutine

    subroutine by_sync_images
        integer, allocatable :: beside(:)
        integer :: i, wrong
        wrong = 0
        beside = [left, right]
        if (images == 2) beside = [right]
        sync all
        do i = 1, rounds
            box(2)[right] = i
            box(3) = -i
            sync images (beside)
            if (box(2) /= i) wrong = wrong + 1
            if (box(3)[left] /= -i) wrong = wrong + 1
            if (box(3)[right] /= -i) wrong = wrong + 1
            sync images (beside)
        end do
        sync all
        call check(wrong, 0, 'stores and loads, by sync images')
    end subroutine

    ! Each image stores, and then loads the others' words: the last image to store must see all stores.
    subroutine by_critical
        integer :: i, k, wrong, last, late
        logical :: all_there
        wrong = 0
        sync all
        do i = 1, rounds
            turns_seen = 0
            sync all
            critical
                box(me)[1] = i
                all_there = .true.
                do k = 1, images
                    if (box(k)[1] /= i) all_there = .false.
                end do
            end critical
            if (all_there) turns_seen = i
            sync all
            if (me == 1) then
                last = 0
                do k = 1, images
                    late = turns_seen[k]
                    if (late == i) last = last + 1
                end do
                if (last /= 1) wrong = wrong + 1
            end if
            sync all
        end do
        call check(wrong, 0, 'stores and loads in turn')
    end subroutine

    ! Each image has its own element on all images, itself included: a get by each name returns the value that it has
    ! put.
    subroutine by_names
        integer, pointer :: p(:), q(:), l(:)
        integer :: i, to, own, there, wrong(12)
        p => box
        allocate (o%v(most_images), o%p(most_images))
        q => o%v
        l => lane(:, me)
        o%a = 0
        wrong = 0
        sync all
        do i = 1, rounds
            to = 1 + mod(i, images)
            own = merge(i, -i, to == me)
            there = merge(-i, i, to == me)
            box(me) = -i
            box(me)[to] = i
            if (box(me) /= own) wrong(1) = wrong(1) + 1
            if (box(me)[to] /= i) wrong(1) = wrong(1) + 1
            box(me) = -i
            if (box(me)[to] /= there) wrong(2) = wrong(2) + 1
            p(me) = -i
            box(me)[to] = i
            if (p(me) /= own) wrong(3) = wrong(3) + 1
            p(me) = -i
            if (box(me)[to] /= there) wrong(4) = wrong(4) + 1
            o%a(me) = -i
            o[to]%a(me) = i
            if (o%a(me) /= own) wrong(5) = wrong(5) + 1
            o%a(me) = -i
            if (o[to]%a(me) /= there) wrong(5) = wrong(5) + 1
            q(me) = -i
            o[to]%v(me) = i
            if (q(me) /= own) wrong(6) = wrong(6) + 1
            o%v(me) = -i
            if (o[to]%v(me) /= there) wrong(7) = wrong(7) + 1
            o%p(me) = -i
            o[to]%p(me) = i
            if (o%p(me) /= own) wrong(8) = wrong(8) + 1
            l = -i
            lane(:, me)[to] = i
            if (sum(l) /= n * own) wrong(9) = wrong(9) + 1
            lane(3:9, me) = -i
            if (sum(lane(:, me)) /= n * own - 7 * (own + i)) wrong(10) = wrong(10) + 1
            call by_dummy(box, i, to, own, there, wrong(11))
            call by_loop(i, to, wrong(12))
        end do
        sync all
        call check(wrong, 0, 'one place by several names')
        deallocate (o%v, o%p)
    end subroutine

    subroutine by_dummy(x, i, to, own, there, wrong)
        integer, target :: x(*)[*]
        integer, intent(in) :: i, to, own, there
        integer, intent(inout) :: wrong
        box(me) = -i
        x(me)[to] = i
        if (box(me) /= own) wrong = wrong + 1
        box(me)[to] = i
        x(me) = -i
        if (box(me)[to] /= there) wrong = wrong + 1
    end subroutine

    ! On this image, each put element is the next element that is read.
    subroutine by_loop(i, to, wrong)
        integer, intent(in) :: i, to
        integer, intent(inout) :: wrong
        integer :: k
        do k = 1, n
            lane(k, me) = i
        end do
        do k = 2, n
            lane(k, me)[to] = lane(k - 1, me) + 1
        end do
        if (lane(n, me)[to] /= merge(i + n - 1, i + 1, to == me)) wrong = wrong + 1
        do k = 2, n
            lane(k, me) = lane(k - 1, me)[to] - 1
        end do
        if (to == me .and. lane(n, me) /= i - n + 1) wrong = wrong + 1
        if (to /= me .and. lane(n, me) /= i) wrong = wrong + 1
    end subroutine

    ! Within change team, image 1 is another image.
    subroutine by_teams
        type(team_type) :: halves, alone
        integer :: i, wrong, first, mine
        wrong = 0
        mine = 1 + mod(me, 2)
        form team (mine, halves)
        form team (me, alone)
        first = 1
        if (mine == 1) first = 2
        box = 0
        sync all
        do i = 1, rounds
            box(me)[1] = i
            change team (halves)
                if (box(me)[1] /= i .and. first == 1) wrong = wrong + 1
                box(me)[1] = -i
                if (box(me)[1] /= -i) wrong = wrong + 1
            end team
            if (box(me)[1] /= merge(-i, i, first == 1)) wrong = wrong + 1
            if (box(me)[first] /= -i) wrong = wrong + 1
            box(me)[first] = i
            if (box(me)[1] /= i) wrong = wrong + 1
            change team (alone)
                box(me)[1] = 2 * i
            end team
            if (box(me)[me] /= 2 * i) wrong = wrong + 1
        end do
        sync all
        call check(wrong, 0, 'team changes between accesses')
    end subroutine

    ! All images increment a variable of image 1, alternately by atomics, under a lock and in critical.
    subroutine by_counts
        integer :: i, each, mine
        integer(atomic_int_kind) :: before
        each = max(1, rounds / images)
        sum_of_turns = 0
        call atomic_define(gate, 0)
        sync all
        do i = 1, each
            do
                call atomic_cas(gate[1], before, 0, 1)
                if (before == 0) exit
            end do
            sync memory
            mine = sum_of_turns[1]    ! in an expression, gfortran 15 reads this image's variable
            sum_of_turns[1] = mine + 1
            sync memory
            call atomic_define(gate[1], 0)
        end do
        sync all
        if (me == 1) call check(sum_of_turns, each * images, 'counted in turn by atomics')
        sync all
        sum_of_turns = 0
        sync all
        do i = 1, each
            lock (guard[images])
            mine = sum_of_turns[1]    ! in an expression, gfortran 15 reads this image's variable
            sum_of_turns[1] = mine + 1
            unlock (guard[images])
        end do
        sync all
        do i = 1, each
            critical
                mine = sum_of_turns[1]
                sum_of_turns[1] = mine + 2
            end critical
        end do
        sync all
        if (me == 1) call check(sum_of_turns, 3 * each * images, 'counted in turn by a lock and critical')
        sync all
    end subroutine
end program
