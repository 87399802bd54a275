! images: 2 3 4
! An image control statement completes the operations that its image has begun by OpenSHMEM before it, such as a large
! put, a nonblocking put or an atomic; they are visible to images that are ordered after the statement.
program module_shmem_segments
    use shmem
    use check_m
    use, intrinsic :: iso_fortran_env, only: int64, event_type, lock_type, team_type
    implicit none
    integer, parameter :: many = 3000, few = 5, rounds = 6
    integer(int64), save, asynchronous :: large(many)[*], small(few)[*], totals(2)[*]
    integer(int64), asynchronous :: from_large(many), from_small(few)
    type(event_type), save :: posted[*]
    type(lock_type), save :: lock[*]
    type(team_type) :: team
    integer, allocatable :: other(:)[:]
    integer(int64) :: time
    integer :: me, n, right, left, round

    me = this_image() - 1
    n = num_images()
    right = mod(me + 1, n)
    left = mod(me + n - 1, n)
    time = 0
    totals = 0
    sync all
    do round = 1, rounds
        call send()
        sync all
        call came('sync all')
        call send()
        sync images (*)
        call came('sync images')
        call send()
        if (n > 2) sync images ([left + 1, right + 1])
        if (n == 2) sync images (right + 1)
        call came('sync images of neighbours')
        call send()
        form team (1, team)
        call came('form team')
        call send()
        change team (team)
            call came('change team')
            call send()
            sync team (team)
            call came('sync team')
            call send()
        end team
        call came('end team')
        call send()
        allocate (other(round)[*])
        call came('allocate')
        call send()
        deallocate (other)
        call came('deallocate')
        call send()
        event post (posted[right + 1])
        event wait (posted)
        call came('event post')
        call send()
        sync memory
        sync all
        call came('sync memory')
        lock (lock[1])
        call increase(1)
        unlock (lock[1])
        critical
            call increase(2)
        end critical
    end do
    sync all
    from_small(:2) = totals(:)[n]
    call check(int(from_small(:2)), n * rounds, 'increased under a lock, and in a critical construct')
    call check_end()

contains

    ! The right neighbour has received the earlier data.
    subroutine send()
        sync all
        time = time + 1
        from_large = time * n + me
        from_small = from_large(:few)
        call shmem_put(large, from_large, many, right)
        call shmem_put_nbi(small(2:), from_small(2:), few - 1, right)
        call shmem_atomic_set(small(1), time * n + me, right)
    end subroutine

    subroutine came(what)
        character(*), intent(in) :: what
        call check(all(large == time * n + left), what // ': a large put')
        call check(all(small(2:) == time * n + left), what // ': a nonblocking put')
        call check(small(1) == time * n + left, what // ': an atomic')
    end subroutine

    subroutine increase(i)
        integer, intent(in) :: i
        integer(int64) :: was
        was = shmem_atomic_fetch(totals(i), n - 1)
        call shmem_atomic_set(totals(i), was + 1, n - 1)
    end subroutine
end program
