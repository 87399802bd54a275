! images: 1 2 3 4 5 8
! Components that are allocated and freed in all ways of gfortran: ALLOCATE, assignment (also on one image alone),
! procedures whose dummy argument is no coarray, pointers to other memory; and accesses of other images to them.
program form_components
    use check_m, only: check, check_end
    implicit none
    type t
        integer, allocatable :: a(:)
        integer, pointer :: p(:)
        real(8), allocatable :: s
    end type
    type leaf
        integer, allocatable :: v(:)
    end type
    type tree
        type(leaf) :: some(3)
        integer, allocatable :: v(:)
    end type
    integer, parameter :: top = -2000000000
    type(t), save :: w(3)[*]
    type(t), allocatable :: single[:]
    type(tree), allocatable :: trees(:)[:]
    integer, target, save :: static_target(4) = [5, 6, 7, 8]
    integer, target :: stack_target(2)
    integer :: i, k, me, n

    me = this_image()
    n = num_images()
    if (me == n) w(2)%a = [top + 1, 2, 3]       ! on one image, without a hidden synchronization
    do i = 1, 3
        allocate (w(i)%s, w(i)%p(i + 2))
        w(i)%s = i * 1.5d0 * me
        w(i)%p = top + 10 * i + me
    end do
    if (me == n) w(2)%a = [top + 4, 5, 6, 7]    ! again on one image, with another length
    sync all
    call check(w(2)[n]%a(1), top + 4, 'allocated by an assignment on one image')
    call check(w(2)[n]%a(4), 7, 'its last element')
    do i = 1, 3
        call check(w(i)[n]%s == i * 1.5d0 * n, 'scalar component of an element')
        call check(w(i)[n]%p(i + 2), top + 10 * i + n, 'pointer component of an element')
    end do
    sync all

    do k = 1, 300
        call regrow(w(1), k)
        deallocate (w(1)%a)
        allocate (w(1)%a(3 * k), source=top + k)
        call check(all(w(1)%a == top + k), 'allocated here after a procedure had it')
        call regrow(w(3), k)
        w(3)%a = [k, me]
        call check(w(1)%s == 1.5d0 * me .and. w(3)%s == 4.5d0 * me, 'scalars beside it')
    end do
    call check(w(2)%p(4), top + 20 + me, 'pointers beside it')
    sync all
    call check(sum(w(3)[n]%a), 300 + n, 'allocated in a procedure, seen from another image')
    sync all

    deallocate (w(3)%p)
    w(3)%p => static_target
    stack_target = [top + me, me]
    w(1)%p => stack_target
    static_target = static_target + me
    sync all
    call check(w(3)[n]%p(3), 7 + n, 'pointer to a variable')
    call check(w(1)[n]%p(1), top + n, 'pointer to a local variable')
    sync all
    w(1)[1 + mod(me, n)]%p(2) = top + 77 + me
    sync all
    call check(stack_target(2), top + 77 + merge(n, me - 1, me == 1), 'put through a pointer')

    do k = 1, 3
        allocate (single[*], trees(2)[*])
        single%a = [k, me]
        do i = 1, 2
            call grow(trees(i), 10 * k + i)
        end do
        sync all
        call check(single[n]%a(2), n, 'component of an allocatable coarray')
        call check(trees(2)[n]%some(3)%v(k), top + 10 * k + 5 + n, 'component of a component')
        sync all
        deallocate (single, trees)
    end do
    call check_end
contains
    subroutine regrow(x, k)
        type(t), intent(inout) :: x
        integer, intent(in) :: k
        if (allocated(x%a)) deallocate (x%a)
        allocate (x%a(7 * k), source=k)
    end subroutine

    subroutine grow(x, k0)
        type(tree), intent(inout) :: x
        integer, intent(in) :: k0
        integer :: i
        do i = 1, 3
            allocate (x%some(i)%v(i + 2), source=top + k0 + i + this_image())
        end do
        x%v = [k0, k0]
    end subroutine
end program
