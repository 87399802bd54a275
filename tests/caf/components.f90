! images: 1 2 3 4 5 8
! Allocatable components of coarrays: scalars, arrays, types with allocatable components, with different sizes and
! bounds on each image; sections, conversion, reallocation without notice to other images.
module components_m
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none

    type :: leaf
        integer(2) :: tag
        real(8), allocatable :: v(:)
    end type
    type :: twig
        integer(2) :: tag
        real(8) :: v(4)
    end type
    type :: tree
        integer(8) :: id
        real(8), allocatable :: s
        integer(4), allocatable :: a(:)
        complex(8), allocatable :: m(:, :)
        type(leaf) :: one
        type(leaf) :: some(3)
        type(twig), allocatable :: many(:)    ! gfortran 12 gives wrong results if these have allocatable components
    end type

    integer :: k_
    integer, parameter :: k(60) = [(k_, k_ = 1, 60)], k33(3, 3) = reshape([(k_, k_ = 1, 9)], [3, 3])
contains
    integer function extent(image)
        integer, intent(in) :: image
        extent = 6 + 2 * image
    end function

    subroutine grow(t, k0)
        type(tree), intent(inout) :: t
        integer, intent(in) :: k0
        integer :: me, n, i
        me = this_image()
        n = extent(me)
        t%id = value(me, k0, 1_8)
        if (allocated(t%s)) deallocate (t%s)
        if (allocated(t%a)) deallocate (t%a)
        if (allocated(t%m)) deallocate (t%m)
        if (allocated(t%many)) deallocate (t%many)
        allocate (t%s, t%a(n), t%m(3, n), t%many(n / 2))
        t%s = value(me, k0 + 1, 1.0d0)
        t%a = value(me, k0 + k(:n), 1)
        do i = 1, n
            t%m(:, i) = value(me, k0 + 10 * i + k(:3), (1.0d0, 0.0d0))
        end do
        if (allocated(t%one%v)) deallocate (t%one%v)
        allocate (t%one%v(n))
        t%one%tag = value(me, k0, 1_2)
        t%one%v = value(me, k0 + 100 + k(:n), 1.0d0)
        do i = 1, 3
            if (allocated(t%some(i)%v)) deallocate (t%some(i)%v)
            allocate (t%some(i)%v(n + i))
            t%some(i)%tag = value(me, k0 + i, 1_2)
            t%some(i)%v = value(me, k0 + 200 + 100 * i + k(:n + i), 1.0d0)
        end do
        do i = 1, n / 2
            t%many(i)%tag = value(me, k0 + i + 50, 1_2)
            t%many(i)%v = value(me, k0 + 600 + 100 * i + k(:4), 1.0d0)
        end do
    end subroutine

    ! Checks the values of t[left]; for a[3], another object of the type, the values begin k0 later.
    subroutine gets(t, a, left, k0)
        type(tree), intent(inout) :: t[*], a(3)[*]
        integer, intent(in) :: left, k0
        integer :: n, i
        integer(4) :: y(60)
        integer(2) :: tag
        integer(8) :: wide(3)
        real(8) :: x, xs(60)
        complex(8) :: z(3, 3)

        n = extent(left)
        x = t[left]%s
        call expect(x, value(left, k0 + 1, 1.0d0), 'get of a scalar component')
        y(:n) = t[left]%a(1:n)
        call expect(y(:n), value(left, k0 + k(:n), 1), 'get of an array component')
        y(:n) = t[left]%a(:)
        call expect(y(:n), value(left, k0 + k(:n), 1), 'get of a whole array component')
        y(1) = t[left]%a(n)
        call expect(y(1), value(left, k0 + n, 1), 'get of the last element')
        y(1:3) = t[left]%a(n:n - 6:-3)
        call expect(y(1:3), value(left, k0 + [n, n - 3, n - 6], 1), 'backward get of an array component')
        wide = t[left]%a(2:6:2)
        call expect(wide, int(value(left, k0 + [2, 4, 6], 1), 8), 'get of an array component with conversion')
        z = t[left]%m(:, 2:4)
        do i = 1, 3
            call expect(z(:, i), value(left, k0 + 10 * (i + 1) + k(:3), (1.0d0, 0.0d0)), 'get of a matrix component')
        end do
        z(2, :) = t[left]%m(3, n:n - 4:-2)
        call expect(z(2, :), value(left, k0 + 10 * [n, n - 2, n - 4] + 3, (1.0d0, 0.0d0)), &
            'get of a row of a component')
        xs(:n) = t[left]%one%v(:)
        call expect(xs(:n), value(left, k0 + 100 + k(:n), 1.0d0), 'get of a nested component')
        do i = 1, 3
            x = t[left]%some(i)%v(n + i)
            call expect(x, value(left, k0 + 200 + 100 * i + n + i, 1.0d0), 'get of an element of a nested component')
            xs(:4) = t[left]%some(i)%v(2:8:2)
            call expect(xs(:4), value(left, k0 + 200 + 100 * i + [2, 4, 6, 8], 1.0d0), 'get of a nested section')
        end do
        do i = 1, n / 2
            x = t[left]%many(i)%v(3)
            call expect(x, value(left, k0 + 600 + 100 * i + 3, 1.0d0), 'get of a component of an allocatable one')
            xs(1:2) = t[left]%many(i)%v(4:1:-3)
            call expect(xs(1:2), value(left, k0 + 600 + 100 * i + [4, 1], 1.0d0), &
                'get of a section of an allocatable one''s component')
            tag = t[left]%many(i)%tag
            call expect(tag, value(left, k0 + 50 + i, 1_2), 'get of a component of an allocatable one')
        end do
        y(:n) = a(3)[left]%a(:)
        call expect(y(:n), value(left, k0 + 5000 + k(:n), 1), 'get of an array component of an element')
        x = a(3)[left]%some(2)%v(5)
        call expect(x, value(left, k0 + 5405, 1.0d0), 'get of a nested component of an element')
    end subroutine

    subroutine puts(t, a, right, k0)
        type(tree), intent(inout) :: t[*], a(3)[*]
        integer, intent(in) :: right, k0
        integer :: me, n
        me = this_image()
        n = extent(right)
        t[right]%s = value(me, k0, 1.0d0)
        t[right]%a(1:5) = value(me, k0 + k(:5), 1)
        t[right]%a(n:7:-1) = value(me, k0 + k(7:n), 1)
        t[right]%m(2, :) = value(me, k0 + k(:n), (1.0d0, 0.0d0))
        t[right]%m(1, 3) = value(me, k0 + 50, (1.0d0, 0.0d0))
        t[right]%one%v(2:8:3) = value(me, k0 + k(1:3), 1.0d0)
        t[right]%one%tag = value(me, k0, 1_2)
        t[right]%some(2)%v(:) = value(me, k0 + 60, 1.0d0)
        t[right]%many(3)%v(2) = value(me, k0 + 70, 1.0d0)
        t[right]%many(2)%v(3:4) = value(me, k0 + 71 + k(:2), 1.0d0)
        a(2)[right]%a(2:4) = value(me, k0 + 80 + k(:3), 1)
    end subroutine

    subroutine check_puts(t, a, left, k0, old)
        type(tree), intent(in) :: t, a(3)
        integer, intent(in) :: left, k0, old
        integer :: me, n
        me = this_image()
        n = extent(me)
        call expect(t%s, value(left, k0, 1.0d0), 'put of a scalar component')
        call expect(t%a(:5), value(left, k0 + k(:5), 1), 'put of an array component')
        call expect(t%a(6), value(me, old + 6, 1), 'an element not written to')
        call expect(t%a(n:7:-1), value(left, k0 + k(7:n), 1), 'backward put of an array component')
        call expect(t%m(2, :), value(left, k0 + k(:n), (1.0d0, 0.0d0)), 'put of a row')
        call expect(t%m(1, 3), value(left, k0 + 50, (1.0d0, 0.0d0)), 'put of an element of a matrix')
        call expect(t%m(3, 3), value(me, old + 33, (1.0d0, 0.0d0)), 'an element of a matrix not written to')
        call expect(t%one%v(2:8:3), value(left, k0 + k(1:3), 1.0d0), 'put of a nested section')
        call expect(t%one%tag, value(left, k0, 1_2), 'put of a nested component that is not allocatable')
        call expect(t%some(2)%v, value(left, k0 + 60, 1.0d0), 'put of a scalar to a nested component')
        call expect(t%many(3)%v, [value(me, old + 901, 1.0d0), value(left, k0 + 70, 1.0d0), value(me, &
            old + 903, 1.0d0), &
            value(me, old + 904, 1.0d0)], &
            'put of a component of an allocatable one')
        call expect(t%many(2)%v(3:4), value(left, k0 + 71 + k(:2), 1.0d0), &
            'put of a section of an allocatable one''s component')
        call expect(a(2)%a(2:4), value(left, k0 + 80 + k(:3), 1), 'put to a component of an element')
    end subroutine
end module

program components
    use components_m
    implicit none
    type(tree), allocatable :: t[:], a(:)[:]
    integer :: round, i, left, right
    left = neighbour(-1)
    right = neighbour(1)
    allocate (t[*], a(3)[*])
    do round = 1, 3
        call grow(t, 10000 * round)
        do i = 1, 3
            call grow(a(i), 10000 * round + 5000 * i - 10000)
        end do
        sync all
        call gets(t, a, left, 10000 * round)
        call gets(t, a, this_image(), 10000 * round)
        sync all
        call puts(t, a, right, 77 * round)
        sync all
        call check_puts(t, a, left, 77 * round, 10000 * round)
        sync all
        t[right]%a(2) = t[left]%a(3)
        a(1)[right]%some(1)%v(1:3) = t[left]%one%v(3:1:-1)
        sync all
        call expect(t%a(2), value(neighbour(-3), 77 * round + 3, 1), 'get to put of a component')
        call expect(a(1)%some(1)%v(1:3), [value(neighbour(-2), 10000 * round + 103, 1.0d0), &
            value(neighbour(-3), 77 * round + 1, 1.0d0), value(neighbour(-2), 10000 * round + 101, 1.0d0)], &
            'get to put of nested sections')
        sync all
    end do
    if (this_image() == 1) deallocate (t%s)
    sync all
    call check(.not. allocated(t[1]%s), 'a component that its image has deallocated')
    call check(allocated(t[1]%a) .and. allocated(t[num_images()]%m), 'components that are allocated')
    sync all
    deallocate (t, a)
    call check_end
end program
