! images: 1 2 3 4 5 8
! Sync all, sync images (lists, one image, *), sync memory: each orders what it must, thousands of times without a
! pause; stat= is 0 and errmsg= is unchanged if there is no error.
program synchronize
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    integer, save :: box[*], boxes(64)[*]
    integer, parameter :: rounds = 3000

    call all_images
    call ring
    call star
    call uneven
    call memory
    call check_end

contains

    subroutine all_images
        integer :: i, seen, state
        character(80) :: message
        message = 'untouched'
        state = 77
        do i = 1, rounds
            box = value(this_image(), i, 1)
            sync all (stat=state, errmsg=message)
            seen = box[neighbour(i)]
            call check(seen, value(neighbour(i), i, 1), 'sync all')
            call check(state, 0, 'stat of sync all')
            sync all
        end do
        call check(message == 'untouched', 'errmsg of sync all')
    end subroutine

    ! Each image synchronizes with its two neighbours only: no image is more than one round ahead of its neighbour.
    subroutine ring
        integer :: i, seen, state, list(2)
        character(80) :: message
        list = [neighbour(-1), neighbour(1)]
        message = 'untouched'
        state = 77
        do i = 1, rounds
            box = value(this_image(), i, 1)
            if (num_images() > 2) then
                sync images (list, stat=state, errmsg=message)
            else
                sync images (list(1), stat=state, errmsg=message)
            end if
            call check(state, 0, 'stat of sync images')
            seen = box[list(1)]
            call check(seen, value(list(1), i, 1), 'sync images with the left one')
            seen = box[list(2)]
            call check(seen, value(list(2), i, 1), 'sync images with the right one')
            if (num_images() > 2) then
                sync images (list(2:1:-1))
            else
                sync images (list(1))
            end if
        end do
        call check(message == 'untouched', 'errmsg of sync images')
        sync all
    end subroutine

    ! One image synchronizes with all others, which do not synchronize with each other; all pairs; the empty list.
    subroutine star
        integer :: i, j, seen, none(0)
        do i = 1, rounds / 10
            box = value(this_image(), i, 1)
            if (this_image() == 1) then
                sync images (*)
                do j = 1, num_images()
                    seen = box[j]
                    call check(seen, value(j, i, 1), 'sync images (*) of one image')
                    boxes(j)[j] = value(j, -i, 1)
                end do
                sync images (*)
            else
                sync images (1)
                sync images (1)
                call check(boxes(this_image()), value(this_image(), -i, 1), 'sync images (1)')
            end if
            sync images (none)
            sync images (*)
            seen = box[neighbour(i)]
            call check(seen, value(neighbour(i), i, 1), 'sync images (*) of all')
            sync images (*)
        end do
        sync all
    end subroutine

    ! A token passes around the ring, in uneven steps: each image waits for its left neighbour and notifies its right
    ! neighbour. Only the number of executions with each partner matters.
    subroutine uneven
        integer :: i, j, me
        me = this_image()
        if (num_images() == 1) return
        do i = 1, rounds / 10
            do j = 1, num_images() - 1
                if (me == j) then
                    boxes(1)[j + 1] = value(j, i, 1)
                    sync images (j + 1)
                else if (me == j + 1) then
                    sync images ([j])
                    call check(boxes(1), value(j, i, 1), 'token')
                end if
            end do
            ! image 1 must not run ahead
            if (me == 1) sync images (num_images())
            if (me == num_images()) sync images ([1])
        end do
        sync all
    end subroutine

    ! An atomic flag in the memory of the next image, and data; sync memory orders the data before the flag.
    subroutine memory
        use, intrinsic :: iso_fortran_env, only: atomic_int_kind
        integer(atomic_int_kind), save :: flag[*] = 0
        integer :: i, state
        integer(atomic_int_kind) :: seen
        character(80) :: message
        message = 'untouched'
        state = 77
        sync all
        do i = 1, rounds / 10
            boxes(:)[neighbour(1)] = value(this_image(), i, 1)
            sync memory (stat=state, errmsg=message)
            call check(state, 0, 'stat of sync memory')
            call atomic_define(flag[neighbour(1)], int(i, atomic_int_kind))
            seen = 0
            do while (seen < i)
                call atomic_ref(seen, flag)
            end do
            sync memory
            call check(boxes, value(neighbour(-1), i, 1), 'sync memory')
            sync all
        end do
        call check(message == 'untouched', 'errmsg of sync memory')
        sync all
    end subroutine
end program
