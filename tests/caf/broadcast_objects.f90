! images: 1 2 3 4
! co_broadcast of objects whose types have allocatable components, also nested and beside strings, after statements that
! leave other descriptors on the stack; and of components of array elements.
module broadcast_objects_m
    use check_m, only: check
    implicit none
    type :: inner
        real, allocatable :: x(:)
        integer :: n = 0
        integer(8), allocatable :: s
    end type
    type :: outer
        integer :: m = 0
        type(inner) :: i
        type(inner), allocatable :: a(:)
        integer, allocatable :: j(:)
        character(8) :: word = ''
        character(24) :: words(2) = ''
        integer :: few(3) = 0
    end type
    type :: list
        integer, allocatable :: j(:)
    end type
    type :: entry
        character(3) :: c
        integer :: k(3)
        real(8) :: r
    end type
contains
    subroutine fill(o, by)
        type(inner), intent(inout) :: o
        integer, intent(in) :: by
        o%x = by + [1, 2, 3]
        o%n = by
        o%s = 10_8 * by
    end subroutine

    subroutine check_inner(o, by, what)
        type(inner), intent(in) :: o
        integer, intent(in) :: by
        character(*), intent(in) :: what
        call check(all(nint(o%x) == by + [1, 2, 3]), what // ', x')
        call check(o%n, by, what // ', n')
        call check(o%s == 10 * by, what // ', s')
    end subroutine

    ! Leaves descriptors with other spans, and offset -1, at the stack addresses of the next descriptors.
    subroutine other_descriptors(source)
        integer, intent(in) :: source
        real(8) :: b(9)
        type(entry) :: e(5)
        b = this_image()
        call co_broadcast(b(1:9), source)
        call check(all(nint(b) == source), 'numbers')
        e%r = this_image()
        call co_broadcast(e(1:5), source)
        call check(all(nint(e%r) == source), 'objects without components')
    end subroutine

    subroutine object(source)
        integer, intent(in) :: source
        type(outer) :: x
        integer :: i, me
        me = this_image()
        x%m = me
        x%j = me * [1, 2, 3, 4, 5]
        allocate (x%a(4))
        call fill(x%i, 100 * me)
        do i = 1, 4
            call fill(x%a(i), 100 * me + i)
        end do
        x%word = 'word ' // achar(48 + me)
        x%words = x%word // 's'
        x%few = me
        call co_broadcast(x, source)
        call check(x%m, source, 'm')
        call check(all(x%j == source * [1, 2, 3, 4, 5]), 'an allocatable component')
        call check(x%word == 'word ' // achar(48 + source), 'a string')
        call check(all(x%words == x%word // 's'), 'strings')
        call check(all(x%few == source), 'an array of constant shape')
        call check_inner(x%i, 100 * source, 'an object in it')
        do i = 1, 4
            call check_inner(x%a(i), 100 * source + i, 'objects in it')
        end do
        ! each image has its own value
        sync all
        call fill(x%i, -me)
        call fill(x%a(2), -2 * me)
        sync all
        call check_inner(x%i, -me, 'its own object')
        call check_inner(x%a(2), -2 * me, 'its own objects')
        call check_inner(x%a(4), 100 * source + 4, 'its own objects')
    end subroutine

    subroutine set(j, by)
        integer, intent(out) :: j(:)
        integer, intent(in) :: by
        j = by * [1, 2, 3, 4]
    end subroutine

    subroutine after_others(source)
        integer, intent(in) :: source
        type(list), save :: x
        real(8) :: b(9)
        integer :: me
        me = this_image()
        b = me
        if (.not. allocated(x%j)) allocate (x%j(4))
        call set(x%j, me)
        call co_broadcast(b(1:9), source)
        call co_broadcast(b(1:9:2), source)
        call co_broadcast(x, source)
        call check(all(x%j == source * [1, 2, 3, 4]), 'a component after a section with a stride')
        call set(x%j, me)
        call co_broadcast(b(1:9:2), source)
        call co_broadcast(b(1:9), source)
        call co_broadcast(x, source)
        call check(all(x%j == source * [1, 2, 3, 4]), 'a component after an array')
    end subroutine

    ! Descriptors whose span is not the size of an element.
    subroutine components_of(y, source)
        type(entry), intent(inout), target :: y(:)
        integer, intent(in) :: source
        integer, pointer :: p(:)
        integer :: i
        do i = 1, size(y)
            y(i) = entry('c' // achar(48 + this_image()), 10 * this_image() + i, this_image())
        end do
        call co_broadcast(y%c, source)
        call check(all(y%c == 'c' // achar(48 + source)), 'strings of elements')
        p => y%k(2)
        call co_broadcast(p, source)
        call check(all(y%k(2) == [(10 * source + i, i = 1, size(y))]), 'numbers of elements')
        call check(all(y%k(1) == [(10 * this_image() + i, i = 1, size(y))]), 'the components beside them')
        call check(all(nint(y%r) == this_image()), 'the components behind them')
        call co_sum(p)
        call check(all(p == [(num_images() * (10 * source + i), i = 1, size(y))]), 'sums of elements')
    end subroutine
end module

program broadcast_objects
    use broadcast_objects_m
    use check_m, only: check_end
    implicit none
    type(entry), save :: fixed(7)
    type(entry), allocatable :: own(:)
    integer :: source, turn
    allocate (own(7))
    do turn = 1, 3
        do source = 1, num_images()
            call other_descriptors(source)
            call after_others(source)
            call object(source)
            call components_of(fixed, source)
            call components_of(own, source)
            call object(source)
        end do
    end do
    call check_end
end program
