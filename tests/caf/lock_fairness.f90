! images: 4 8 16
! timeout: 120
! A lock goes to those who wait in the order in which they came, if nobody comes later. The images ask for it one after
! the other, with pauses, while image 1 holds it: they must get it in that order (a busy machine may delay a request:
! several attempts). Then all of them take it again and again, and all get it as often as they want; how often who waits
! may be passed by those who come later, lock_passes.c tests.
program lock_fairness
    use, intrinsic :: iso_fortran_env, only: lock_type, atomic_int_kind
    use check_m, only: check, check_end
    implicit none
    integer, parameter :: attempts = 5, rounds = 30
    type(lock_type), save :: door[*]
    integer, save :: entries[*] = 0
    integer, allocatable, save :: log(:)[:]
    integer(atomic_int_kind), save :: asking[*] = 0
    integer :: i
    logical :: in_order

    allocate (log(num_images() * rounds)[*])
    do i = 1, attempts
        in_order = one_by_one()
        if (in_order) exit
    end do
    call check(in_order, 'lock in the order of the requests')

    entries = 0
    sync all
    do i = 1, rounds
        call enter
    end do
    sync all
    if (this_image() == 1) then
        call check(entries, num_images() * rounds, 'number of entries')
        do i = 1, num_images()
            call check(count(log == i), rounds, 'entries of an image')
        end do
    end if
    call check_end

contains

    subroutine pause(milliseconds)
        integer, intent(in) :: milliseconds
        integer(8) :: t0, t1, rate
        call system_clock(t0, rate)
        t1 = t0
        do while ((t1 - t0) * 1000 < milliseconds * rate)
            call system_clock(t1)
        end do
    end subroutine

    subroutine wait_for(count)
        integer, intent(in) :: count
        integer(atomic_int_kind) :: seen
        seen = 0
        do while (seen < count)
            call atomic_ref(seen, asking[1])
        end do
    end subroutine

    ! Long enough inside for the others to ask for the lock meanwhile, on a machine with few processors too.
    subroutine enter
        integer :: j
        lock (door[1])
        call pause(1)
        j = entries[1] + 1
        entries[1] = j
        log(j)[1] = this_image()
        unlock (door[1])
    end subroutine

    ! Whether the images got the lock in the order of their requests.
    logical function one_by_one()
        integer :: i
        entries = 0
        call atomic_define(asking, 0_atomic_int_kind)
        sync all
        if (this_image() == 1) then
            lock (door[1])
            call atomic_define(asking, 1_atomic_int_kind)
            call wait_for(num_images())
            call pause(30)
            unlock (door[1])
        else
            call wait_for(this_image() - 1)
            call pause(30)
            call atomic_add(asking[1], 1_atomic_int_kind)
            call enter
        end if
        sync all
        one_by_one = all(log(:num_images() - 1)[1] == [(i, i = 2, num_images())])
        sync all
    end function
end program
