! images: 1 2 3 4 8
! compilers: 15 16
! Allocatable components that other images allocate by a put of the whole component: all images see them, and the
! object's image reallocates and deallocates them. Many repetitions use no more memory than one.
program lent_components
    use check_m, only: check, check_end, neighbour
    implicit none
    type t
        integer, allocatable :: a(:)
        real(8), allocatable :: b(:, :)
    end type
    type(t), allocatable :: o[:]
    integer :: right, left, i, l(5), values(2000)
    integer, allocatable :: whole(:)
    real(8) :: x

    right = neighbour(1)
    left = neighbour(-1)
    values = [(i, i = 1, size(values))]
    allocate (o[*])
    call put(3)
    call seen(3)
    call put(5)             ! another length: the owner or another image reallocates it
    call seen(5)
    o%a = [1, 2]            ! the owner reallocates it
    sync all
    l(1:2) = o[left]%a(1:2)
    call check(all(l(1:2) == [1, 2]), 'reallocated by its own image')
    sync all
    call put(4)
    call seen(4)
    deallocate (o%a)
    sync all
    call check(.not. allocated(o[left]%a), 'deallocated by its own image')
    sync all
    do i = 1, 20000
        o[right]%a = values(:1000 + mod(i, 1000))
    end do
    sync all
    call check(size(o%a), 1000, 'the last of many lengths')
    call check(all(o%a == values(:1000)), 'and its values')
    whole = o[left]%a
    call check(size(whole), 1000, 'got as a whole')
    sync all
    allocate (o%b(2, 2))
    o%b = this_image()
    sync all
    o[right]%b(2, :) = [-1.5d0, 2.5d0 * this_image()]
    sync all
    x = o[left]%b(2, 2)
    call check(x == 2.5d0 * neighbour(-2), 'an element that another image has put')
    call check(o%b(2, 2) == 2.5d0 * left .and. o%b(1, 2) == this_image(), 'and its neighbours')
    sync all
    deallocate (o)
    call check_end
contains
    subroutine put(n)
        integer, intent(in) :: n
        integer :: v(n), k
        v = [(100 * this_image() + k, k = 1, n)]
        sync all
        o[right]%a = v
        sync all
    end subroutine

    subroutine seen(n)
        integer, intent(in) :: n
        integer :: k, got
        call check(size(o%a), n, 'length that was put')
        call check(all(o%a == [(100 * left + k, k = 1, n)]), 'values that were put')
        do k = 1, n
            got = o[left]%a(k)
            call check(got, 100 * neighbour(-2) + k, 'seen by a third image')
        end do
        sync all
    end subroutine
end program
