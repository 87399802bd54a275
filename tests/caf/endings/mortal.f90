! Repeats a statement for test_endings.py, which kills an image meanwhile: mortal STATEMENT. Every image prints its
! process number; the survivors get a status for the failed image, report it, and end.
program mortal
    use, intrinsic :: iso_fortran_env
    use, intrinsic :: iso_c_binding, only: c_int
    implicit none
    interface
        integer(c_int) function getpid() bind(c)
            import :: c_int
        end function
    end interface
    type(lock_type), save :: door[*]
    type(event_type), save :: ready[*]
    integer(atomic_int_kind), save :: counter[*] = 0
    integer(atomic_int_kind) :: old
    integer, save :: s[*] = 0, field(200000)[*]
    integer, allocatable :: more(:)[:], own(:), failed(:)
    character(20) :: statement
    integer :: me, n, state, right, left, x
    call get_command_argument(1, statement)
    me = this_image()
    n = num_images()
    right = 1 + mod(me, n)
    left = 1 + modulo(me - 2, n)
    field = me
    allocate (own(size(field)))
    own = me
    print '(a, i0, 1x, i0)', 'pid ', me, getpid()
    flush (output_unit)
    state = 0
    do while (state == 0)
        select case (statement)
        case ('sync_all')
            sync all (stat=state)
        case ('sync_images')
            if (left == right) then
                sync images (right, stat=state)
            else
                sync images ([left, right], stat=state)
            end if
        case ('sync_star')
            sync images (*, stat=state)
        case ('lock')
            lock (door[1], stat=state)
            if (state == 0) unlock (door[1], stat=state)
        case ('event')
            event post (ready[right], stat=state)
            if (state == 0) event wait (ready, stat=state)
        case ('atomic')
            call atomic_fetch_add(counter[right], 1_atomic_int_kind, old, state)
        case ('get')
            x = s[right, stat=state]
        case ('get_array')
            own = field(:)[right, stat=state]
        case ('get_stride')
            own(1:100000) = field(199999:1:-2)[right, stat=state]
        case ('put')
            s[right] = me
            sync memory (stat=state)
            state = image_status(right)
        case ('co_sum')
            x = me
            call co_sum(x, stat=state)
        case ('co_max')
            own(:1000) = me
            call co_max(own(:1000), result_image=1, stat=state)
        case ('co_broadcast')
            call co_broadcast(own, n, stat=state)
        case ('co_reduce')
            x = me
            call co_reduce(x, larger, stat=state)
        case ('allocate')
            allocate (more(1000)[*], stat=state)
            if (state == 0) deallocate (more, stat=state)
        case ('critical')
            critical
                s = s + 1
            end critical
        case default
            error stop 'mortal: no such statement'
        end select
        ! The failed image may be an image that the statement does not involve.
        if (state == 0 .and. size(failed_images()) > 0) state = stat_failed_image
    end do
    failed = failed_images()
    print '(a, i0, a, i0, a, *(1x, i0))', 'image ', me, ' state ', state, ' failed', failed
    flush (output_unit)
contains
    pure integer function larger(a, b)
        integer, intent(in) :: a, b
        larger = max(a, b)
    end function
end program
