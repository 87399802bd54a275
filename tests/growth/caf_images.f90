! images: 2 4
! No growth in loops of image control statements (synchronization, events, locks, critical sections), atomics,
! collective subroutines and inquiries about images.
program caf_images
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type, lock_type
    use growth_m, only: growth_begin, growth_end, growth_goes_on
    implicit none
    integer, parameter :: turns = 4000
    type(event_type), save :: e[*]
    type(lock_type), save :: l[*]
    integer(atomic_int_kind), save :: n[*]
    integer(atomic_int_kind) :: old
    integer :: i, state, count, x, v(100), left, right
    character(12) :: text
    real(8) :: r(50)
    character(60) :: why
    right = 1 + mod(this_image(), num_images())
    left = 1 + mod(this_image() + num_images() - 2, num_images())
    i = 0
    v = 1
    r = 1
    call growth_begin('sync all, sync memory', turns)
    do while (growth_goes_on())
        sync all
        sync memory
        sync all (stat=state, errmsg=why)
    end do
    call growth_begin('sync images', turns)
    do while (growth_goes_on())
        if (left == right) then
            sync images (right)
        else
            sync images ([left, right])
        end if
        sync images (*)
    end do
    call growth_begin('events', turns)
    do while (growth_goes_on())
        event post (e[right])
        event wait (e)
        call event_query(e, count)
    end do
    call growth_begin('locks', turns)
    do while (growth_goes_on())
        lock (l[1])
        unlock (l[1])
        lock (l[right])
        unlock (l[right])
        sync all    ! else a turn takes a hundred times as long once another image has begun
    end do
    call growth_begin('critical', turns)
    do while (growth_goes_on())
        critical
            i = i + 1
        end critical
        sync all
    end do
    call growth_begin('atomics', turns)
    do while (growth_goes_on())
        call atomic_add(n[right], 1)
        call atomic_fetch_add(n[right], 1, old)
        call atomic_define(n[right], 5)
        call atomic_ref(old, n[right])
        call atomic_cas(n[right], old, 5, 6)
    end do
    call growth_begin('co_sum, co_max, co_min', turns)
    do while (growth_goes_on())
        i = i + 1
        x = 1
        call co_sum(x)
        call co_max(v(:1 + mod(i, 100)))
        call co_min(r, result_image=1)
        r = 1
    end do
    call growth_begin('co_broadcast, co_reduce', turns)
    do while (growth_goes_on())
        i = i + 1
        text = 'some text'
        call co_broadcast(text, 1)
        call co_broadcast(v(1:99:2), 1 + mod(i, num_images()))
        call co_reduce(v(:10), larger)
    end do
    call growth_begin('queries about images', turns)
    do while (growth_goes_on())
        count = count + size(failed_images()) + size(stopped_images()) + image_status(right)
        count = count + this_image() + num_images()
    end do
    if (x /= num_images() .or. text /= 'some text') error stop 'wrong values'
    call growth_end
contains
    pure integer function larger(a, b)
        integer, intent(in) :: a, b
        larger = max(a, b)
    end function
end program
