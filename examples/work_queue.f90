! run: cafrun -n 4 ./work_queue
! prints: 1000 items done, the answer is right
! A work queue: an idle image takes the next item by an atomic addition.  When it finds the queue empty, it posts an
! event to image 1.
program work_queue
    use, intrinsic :: iso_fortran_env, only: atomic_int_kind, event_type, int64
    implicit none
    integer, parameter :: items = 1000
    integer(atomic_int_kind) :: next[*] = 0     ! on image 1: the next item
    integer(atomic_int_kind) :: item
    type(event_type) :: finished[*]             ! on image 1: one post for each image
    integer(int64) :: results(items)[*]         ! on image 1
    integer :: done

    done = 0
    do
        call atomic_fetch_add(next[1], 1, item) ! no two images get the same number
        if (item >= items) exit
        results(item + 1)[1] = work(item + 1)
        done = done + 1
    end do
    event post (finished[1])                    ! the wait ensures that earlier puts have arrived
    print '(a,i0,a,i0,a)', 'image ', this_image(), ' did ', done, ' items'

    if (this_image() == 1) then
        event wait (finished, until_count=num_images())
        if (any(results /= [(work(done), done = 1, items)])) error stop 'an item was lost'
        print '(i0,a)', items, ' items done, the answer is right'
    end if

contains

    ! How many steps the Collatz sequence takes from n to 1: some items take much longer than others.
    integer(int64) function work(n)
        integer, intent(in) :: n
        integer(int64) :: x
        x = n
        work = 0
        do while (x /= 1)
            x = merge(x / 2, 3 * x + 1, mod(x, 2_int64) == 0)
            work = work + 1
        end do
    end function
end program
