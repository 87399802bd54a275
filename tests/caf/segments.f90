! images: 2 3 4 7
! The library keeps the address of a component on another image only until the segment ends. The owner moves its
! components to other memory with other bounds; an image that accessed them before must find them again after each image
! control statement that orders the two images.
program segments
    use, intrinsic :: iso_fortran_env, only: event_type, lock_type, team_type, atomic_int_kind
    use check_m, only: check, check_end, neighbour
    implicit none

    type :: list
        integer :: turn, seen
        integer, allocatable :: v(:)
        integer, pointer :: p(:, :)
    end type

    type(list), save :: o[*]
    type(event_type), save :: moved[*], seen[*]
    type(lock_type), save :: l[*]
    integer(atomic_int_kind), save :: flag(2)[*]
    integer, pointer :: old(:, :)
    integer :: left, right
    integer :: turn

    left = neighbour(-1)
    right = neighbour(1)
    nullify (o%p)
    o%seen = 0
    call move(2)
    sync all
    do turn = 3, 60, 19
        call by_sync_all(turn)
        call by_sync_images(turn + 1)
        call by_events(turn + 2)
        call by_atomics(turn + 3)
        sync all
        call by_lock(turn + 4)
        sync all
        call by_critical(turn + 5)
        call by_teams(turn + 6)
        call by_deallocate(turn + 9)
        call move(turn + 18)
        sync all
    end do
    call check_end

contains

    ! The old memory is kept until the new memory is allocated, so the address changes.
    subroutine move(turn)
        integer, intent(in) :: turn
        integer, allocatable :: v(:)
        o%turn = turn
        allocate (v(turn:2 * turn))
        v = 1000 * this_image() + turn
        call move_alloc(v, o%v)
        old => o%p
        allocate (o%p(-turn:0, 2))
        o%p = 2000 * this_image() + turn
        if (associated(old)) then
            old = -1
            deallocate (old)
        end if
    end subroutine

    subroutine look(turn, what)
        integer, intent(in) :: turn
        character(*), intent(in) :: what
        integer :: again, x
        do again = 1, 3
            x = o[left]%v(turn + 1)
            call check(x, 1000 * left + turn, 'allocatable, ' // what)
            x = o[left]%p(-1, 2)
            call check(x, 2000 * left + turn, 'pointer, ' // what)
            o[left]%v(turn) = 3000 * this_image() + turn + again
            x = o[left]%v(turn)
            call check(x, 3000 * this_image() + turn + again, 'put, ' // what)
        end do
    end subroutine

    ! In the following procedures, images read components, notify the owners, which move the components, and read them
    ! again; each procedure synchronizes by one kind of statement.

    subroutine by_sync_all(turn)
        integer, intent(in) :: turn
        call look(turn - 1, 'first')
        sync all
        call move(turn)
        sync all
        call look(turn, 'sync all')
    end subroutine

    subroutine sync_neighbours
        if (left == right) then
            sync images (left)
        else
            sync images ([left, right])
        end if
    end subroutine

    subroutine by_sync_images(turn)
        integer, intent(in) :: turn
        call sync_neighbours
        call move(turn)
        call sync_neighbours
        call look(turn, 'sync images')
    end subroutine

    subroutine by_events(turn)
        integer, intent(in) :: turn
        event post (seen[left])
        event wait (seen)
        call move(turn)
        event post (moved[right])
        event wait (moved)
        call look(turn, 'events')
    end subroutine

    subroutine tell(image, way, turn)
        integer, intent(in) :: image, way, turn
        sync memory
        call atomic_define(flag(way)[image], int(turn, atomic_int_kind))
    end subroutine

    subroutine await(way, turn)
        integer, intent(in) :: way, turn
        integer(atomic_int_kind) :: is
        do
            call atomic_ref(is, flag(way))
            if (is == turn) exit
        end do
        sync memory
    end subroutine

    subroutine by_atomics(turn)
        integer, intent(in) :: turn
        call tell(left, 1, turn)
        call await(1, turn)
        call move(turn)
        call tell(right, 2, turn)
        call await(2, turn)
        call look(turn, 'atomics')
    end subroutine

    subroutine by_lock(turn)
        integer, intent(in) :: turn
        integer :: is
        do
            lock (l)
            if (o%turn < turn .and. o%seen == turn) call move(turn)
            is = o%turn
            unlock (l)
            if (is == turn) exit
            lock (l[left])
            call look(o[left]%turn, 'lock')
            o[left]%seen = turn
            unlock (l[left])
        end do
        do
            lock (l[left])
            is = o[left]%turn
            call look(is, 'lock')
            o[left]%seen = turn
            unlock (l[left])
            if (is == turn) exit
        end do
    end subroutine

    subroutine by_critical(turn)
        integer, intent(in) :: turn
        logical :: is_done
        do
            critical
                if (o%turn < turn .and. o%seen == turn) call move(turn)
                call look(o[left]%turn, 'critical')
                o[left]%seen = turn
                is_done = o%turn == turn .and. o[left]%turn == turn
            end critical
            if (is_done) exit
        end do
    end subroutine

    subroutine by_teams(turn)
        integer, intent(in) :: turn
        type(team_type) :: all
        sync all
        call look(turn - 1, 'before form team')
        form team (1, all)
        call move(turn)
        form team (1, all)
        call look(turn, 'form team')
        sync team (all)
        call move(turn + 1)
        sync team (all)
        call look(turn + 1, 'sync team')
        change team (all)
            call move(turn + 2)
        end team
        call look(turn + 2, 'end team')
        sync all
    end subroutine

    subroutine by_deallocate(turn)
        integer, intent(in) :: turn
        integer, allocatable :: a(:)[:], b(:)[:]
        allocate (a(10)[*], b(10)[*])
        call look(turn - 1, 'allocate')
        deallocate (a)
        call move(turn)
        deallocate (b)
        call look(turn, 'deallocate')
        sync all
    end subroutine
end program
