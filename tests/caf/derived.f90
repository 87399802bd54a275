! images: 1 2 3 4 5 8
! flags: -Wno-caf
! Coarrays of derived types without allocatable parts: whole objects, components, sections of components, nested types,
! arrays in components, sections of elements and of one component of all elements, type extension. The component of
! several elements is always the first component: gfortran 12 does not pass the offset of other components.
module derived_m
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect, text
    implicit none

    type :: inner
        integer(1) :: flag
        real(8) :: x(4)
        character(5) :: word
    end type
    type :: middle
        integer(2) :: i
        type(inner) :: in(3)
        complex(4) :: z
    end type
    type :: outer
        integer(8) :: id
        type(middle) :: mid
        logical(1) :: l
        type(inner) :: one
        integer(4) :: m(3, 4)
    end type
    type, extends(inner) :: wider
        integer(4) :: extra
    end type

    integer :: k_
    integer, parameter :: k34(3, 4) = reshape([(k_, k_ = 1, 12)], [3, 4]), k4(4) = [1, 2, 3, 4]
contains
    type(inner) function make_inner(image, k) result(v)
        integer, intent(in) :: image, k
        v%flag = value(image, k, 1_1)
        v%x = value(image, 10 * k + k4, 1.0d0)
        v%word = text(image, k, 5)
    end function

    type(outer) function make(image, k) result(v)
        integer, intent(in) :: image, k
        integer :: i
        v%id = value(image, k, 1_8)
        v%mid%i = value(image, k + 1, 1_2)
        do i = 1, 3
            v%mid%in(i) = make_inner(image, 100 * k + i)
        end do
        v%mid%z = value(image, k + 2, (1.0, 1.0))
        v%l = mod(image + k, 2) == 0
        v%one = make_inner(image, 100 * k + 4)
        v%m = value(image, 1000 * k + k34, 1)
    end function

    subroutine same_inner(found, expected, what)
        type(inner), intent(in) :: found, expected
        character(*), intent(in) :: what
        call expect(found%flag, expected%flag, what // ', flag')
        call expect(found%x, expected%x, what // ', x')
        call expect(found%word, expected%word, what // ', word')
    end subroutine

    subroutine same(found, expected, what)
        type(outer), intent(in) :: found, expected
        character(*), intent(in) :: what
        integer :: i
        call expect(found%id, expected%id, what // ', id')
        call expect(found%mid%i, expected%mid%i, what // ', mid%i')
        do i = 1, 3
            call same_inner(found%mid%in(i), expected%mid%in(i), what // ', mid%in')
        end do
        call expect(found%mid%z, expected%mid%z, what // ', mid%z')
        call expect(found%l, expected%l, what // ', l')
        call same_inner(found%one, expected%one, what // ', one')
        call expect(found%m, expected%m, what // ', m')
    end subroutine

    subroutine gets(s, a)
        type(outer), intent(inout) :: s[*], a(5)[*]
        type(outer) :: y, ys(5), e, l(5)
        integer :: left, i, m(3, 4)
        real(8) :: x(4)
        integer(8) :: ids(5)
        integer(1) :: flags(3)
        character(5) :: word

        left = neighbour(-1)
        s = make(this_image(), 1)
        do i = 1, 5
            a(i) = make(this_image(), 1 + i)
            l(i) = make(left, 1 + i)
        end do
        e = make(left, 1)
        sync all
        y = s[left]
        call same(y, e, 'get')
        ys = a(:)[left]
        do i = 1, 5
            call same(ys(i), l(i), 'get of an array')
        end do
        ys(5:2:-2) = a(1:4:3)[left]
        call same(ys(5), l(1), 'strided get')
        call same(ys(3), l(4), 'strided get')
        y = a(3)[left]
        call same(y, l(3), 'get of an element')
        m = s[left]%m
        call expect(m, e%m, 'get of an array component')
        m(1:2, :) = s[left]%m(3:1:-2, 4:1:-1)
        call expect(m(1:2, :), e%m(3:1:-2, 4:1:-1), 'strided get of a component')
        m(2, :) = a(4)[left]%m(2, :)
        call expect(m(2, :), l(4)%m(2, :), 'get of a row of a component')
        m(3, 4) = a(2)[left]%m(1, 3)
        call expect(m(3, 4), l(2)%m(1, 3), 'get of an element of a component')
        x = s[left]%mid%in(2)%x
        call expect(x, e%mid%in(2)%x, 'get of a nested component')
        x(1:2) = a(5)[left]%mid%in(3)%x(4:1:-3)
        call expect(x(1:2), l(5)%mid%in(3)%x(4:1:-3), 'strided get of a nested component')
        x(4) = a(5)[left]%mid%in(1)%x(2)
        call expect(x(4), l(5)%mid%in(1)%x(2), 'get of an element of a nested component')
        word = a(2)[left]%one%word
        call expect(word, l(2)%one%word, 'get of a nested word')
        ids = a(:)[left]%id
        call expect(ids, l%id, 'get of a component of all elements')
        ids(1:2) = a(4:1:-3)[left]%id
        call expect(ids(1:2), l(4:1:-3)%id, 'get of a component of some elements')
        flags = s[left]%mid%in(:)%flag
        call expect(flags, e%mid%in%flag, 'get of a component of an array component')
        flags(1:2) = a(3)[left]%mid%in(3:1:-2)%flag
        call expect(flags(1:2), l(3)%mid%in(3:1:-2)%flag, 'strided get of a component of an array component')
        y%mid = s[left]%mid
        call expect(y%mid%z, e%mid%z, 'get of a component of derived type')
        call same_inner(y%mid%in(3), e%mid%in(3), 'get of a component of derived type')
        sync all
    end subroutine

    subroutine puts(s, a)
        type(outer), intent(inout) :: s[*], a(5)[*]
        type(outer) :: e, m(5)
        integer :: me, left, right, i

        me = this_image()
        left = neighbour(-1)
        right = neighbour(1)
        do i = 1, 5
            m(i) = make(left, 20 + i)
        end do
        sync all
        s[right] = make(me, 20)
        do i = 1, 5
            a(i)[right] = make(me, 20 + i)
        end do
        s[right]%m(1:3:2, :) = value(me, k34(1:2, :), 1)
        s[right]%mid%in(2)%x = value(me, 300 + k4, 1.0d0)
        s[right]%one%word = text(me, 9, 5)
        a(1)[right]%mid%i = value(me, 301, 1_2)
        a(2)[right]%mid%in(1)%x(2:4:2) = value(me, 302 + k4(:2), 1.0d0)
        a(3)[right]%one = make_inner(me, 303)
        a(2:5:3)[right]%id = value(me, 310 + k4(:2), 1_8)
        a(4)[right]%mid%in(3:1:-2)%flag = value(me, 320 + k4(:2), 1_1)
        a(5)[right]%m = value(me, 330, 1)
        a(5)[right]%m(2, :) = value(me, 340 + k4, 1)
        sync all
        e = make(left, 20)
        e%m(1:3:2, :) = value(left, k34(1:2, :), 1)
        e%mid%in(2)%x = value(left, 300 + k4, 1.0d0)
        e%one%word = text(left, 9, 5)
        m(1)%mid%i = value(left, 301, 1_2)
        m(2)%mid%in(1)%x(2:4:2) = value(left, 302 + k4(:2), 1.0d0)
        m(3)%one = make_inner(left, 303)
        m(2:5:3)%id = value(left, 310 + k4(:2), 1_8)
        m(4)%mid%in(3:1:-2)%flag = value(left, 320 + k4(:2), 1_1)
        m(5)%m = value(left, 330, 1)
        m(5)%m(2, :) = value(left, 340 + k4, 1)
        call same(s, e, 'put')
        do i = 1, 5
            call same(a(i), m(i), 'put of an array')
        end do
        sync all

        ! from the left image to the right image
        s[right]%mid%in(1)%x = a(2)[left]%one%x
        a(1)[right]%m(:, 1) = a(3)[left]%m(3:1:-1, 2)
        a(4)[right] = a(5)[left]
        s[right]%id = a(1)[left]%mid%i
        sync all
        e = make(neighbour(-3), 22)
        call expect(s%mid%in(1)%x, e%one%x, 'get to put of a component')
        e = make(neighbour(-3), 23)
        call expect(a(1)%m(:, 1), e%m(3:1:-1, 2), 'strided get to put of a component')
        e = make(neighbour(-3), 25)
        e%m = value(neighbour(-3), 330, 1)
        e%m(2, :) = value(neighbour(-3), 340 + k4, 1)
        e%id = value(neighbour(-3), 312, 1_8)
        call same(a(4), e, 'get to put')
        call expect(s%id, int(value(neighbour(-3), 301, 1_2), 8), 'get to put of a component with conversion')
        sync all
    end subroutine

    subroutine extended
        type(wider), save :: w(3)[*]
        type(wider) :: y
        integer :: i, left, right
        left = neighbour(-1)
        right = neighbour(1)
        do i = 1, 3
            w(i)%inner = make_inner(this_image(), i)
            w(i)%extra = value(this_image(), i, 1)
        end do
        sync all
        y = w(2)[left]
        call same_inner(y%inner, make_inner(left, 2), 'get of an extended type')
        call expect(y%extra, value(left, 2, 1), 'get of an extended type, extra')
        y%x = w(3)[left]%x
        call same_inner(y%inner, inner(y%flag, value(left, 30 + k4, 1.0d0), y%word), 'get of an inherited component')
        y%inner = w(1)[left]%inner
        call same_inner(y%inner, make_inner(left, 1), 'get of the parent')
        sync all
        w(3)[right]%extra = value(this_image(), 9, 1)
        w(3)[right]%word = text(this_image(), 9, 5)
        sync all
        call expect(w(3)%extra, value(left, 9, 1), 'put to an extended type')
        call expect(w(3)%word, text(left, 9, 5), 'put to an inherited component')
    end subroutine
end module

program derived
    use derived_m
    implicit none
    type(outer), save :: s[*], a(5)[*]
    type(outer), allocatable :: d[:], ds(:)[:]
    call gets(s, a)
    call puts(s, a)
    allocate (d[*], ds(5)[*])
    call gets(d, ds)
    call puts(d, ds)
    call extended
    call check_end
end program
