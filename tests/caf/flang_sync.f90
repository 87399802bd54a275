! compilers: flang
! images: 1 2 3 4 5 7 8
! Synchronization with flang: sync all, memory and images, with stat= and errmsg=, and image sets of every form. It must
! also order data that a collective subroutine has signalled.
program sync
use, intrinsic :: iso_fortran_env
use check_m
implicit none
integer :: me, n

me = this_image()
n = num_images()
call check_all
call check_sets
call check_errors
call check_many
call check_end
contains

subroutine check_all
    integer :: stat
    character(20) :: message
    stat = -1
    message = 'before'
    sync all
    sync all (stat=stat)
    call check(stat, 0, 'stat of sync all')
    stat = -1
    sync all (stat=stat, errmsg=message)
    call check(stat == 0 .and. message == 'before', 'stat and errmsg of sync all')
    stat = -1
    sync memory (stat=stat, errmsg=message)
    call check(stat == 0 .and. message == 'before', 'stat and errmsg of sync memory')
    sync memory
end subroutine

! Sets of one image, several, all, none, this image; a section with a step. No set is allocatable, because flang passes
! only its first element.
subroutine check_sets
    integer :: stat, i, neighbours(2), padded(6), others(7)
    do i = 2, n
        others(i - 1) = i
    end do
    stat = -1
    if (me == 1) then
        sync images (others(:n - 1), stat=stat)
    else
        sync images (1, stat=stat)
    end if
    call check(stat, 0, 'stat of sync images')
    if (me == 1) then
        sync images (*)
    else
        sync images (1)
    end if
    sync images (me)
    sync images (others(1:0))
    neighbours = [neighbour(-1), neighbour(1)]
    padded = 0
    padded(1::3) = neighbours
    if (n > 2) then
        sync images (neighbours)
        sync images (padded(1::3), stat=stat)
        call check(stat, 0, 'stat of sync images with a section')
        sync images (padded(4:1:-3))
    else
        sync images (neighbours(2))
        sync images (padded(4))
    end if
end subroutine

subroutine check_errors
    integer :: stat
    character(60) :: message
    stat = 0
    message = ''
    sync images (n + 1, stat=stat, errmsg=message)
    call check(stat /= 0 .and. message /= '', 'sync images with an image that does not exist')
    stat = 0
    message = ''
    sync images ([me, me], stat=stat, errmsg=message)
    call check(stat /= 0 .and. message /= '', 'sync images with an image twice')
    sync all
end subroutine

subroutine check_many
    integer :: i, told
    do i = 1, 500
        if (mod(i, 5) == 0) sync all
        if (n > 1 .and. mod(i, 3) == 0 .and. me < 3) sync images (3 - me)
        told = i * 100 + me
        call co_broadcast(told, 1 + mod(i, n))
        call check(told, i * 100 + 1 + mod(i, n), 'the broadcast value')
    end do
end subroutine
end program
