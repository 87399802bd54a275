! images: 1 2 3 4 5 6 8 12
! Coranks 1 to 4: image_index, this_image(coarray[, dim]), lcobound, ucobound, num_images, and access by cosubscripts.
module cobounds_m
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
contains
    ! The cosubscripts of an image for given lower cobounds and extents (of all but the last codimension).
    pure function cosubscripts(image, lower, extent) result(s)
        integer, intent(in) :: image, lower(:), extent(:)
        integer :: s(size(lower)), rest, i
        rest = image - 1
        do i = 1, size(extent)
            s(i) = lower(i) + mod(rest, extent(i))
            rest = rest / extent(i)
        end do
        s(size(lower)) = lower(size(lower)) + rest
    end function

    pure integer function last(lower, extent)
        integer, intent(in) :: lower, extent(:)
        last = lower + (num_images() - 1) / product(extent)
    end function
end module

program cobounds
    use cobounds_m
    implicit none
    integer(8), save :: a[*], b(3)[-2:*], c[2, *], d(2)[0:2, -3:*], e[2, 1:1, 4:*]
    integer(8), allocatable :: f(:)[:, :, :, :], g[:]
    integer(8) :: x
    integer :: me, n, i, j(4), lo(3)
    me = this_image()
    n = num_images()
    lo = [-1, 7, 0]
    allocate (f(2)[lo(1):0, 7:7, lo(3):1, 5:*], g[n + 3:*])

    call check(this_image(a), [me], 'this_image(a)')
    call check(this_image(b), [me - 3], 'this_image(b)')
    call check(this_image(c), cosubscripts(me, [1, 1], [2]), 'this_image(c)')
    call check(this_image(d), cosubscripts(me, [0, -3], [3]), 'this_image(d)')
    call check(this_image(e), cosubscripts(me, [1, 1, 4], [2, 1]), 'this_image(e)')
    call check(this_image(f), cosubscripts(me, [-1, 7, 0, 5], [2, 1, 2]), 'this_image(f)')
    call check(this_image(g), [n + 2 + me], 'this_image(g)')
    j = this_image(f)
    do i = 1, 4
        call check(this_image(f, i), j(i), 'this_image(f, dim)')
    end do
    call check(this_image(c, 1), 1 + mod(me - 1, 2), 'this_image(c, 1)')
    call check(this_image(d, 2), (me - 1) / 3 - 3, 'this_image(d, 2)')

    call check(lcobound(b), [-2], 'lcobound(b)')
    call check(ucobound(b), [n - 3], 'ucobound(b)')
    call check(lcobound(d), [0, -3], 'lcobound(d)')
    call check(ucobound(d), [2, last(-3, [3])], 'ucobound(d)')
    call check(lcobound(e), [1, 1, 4], 'lcobound(e)')
    call check(ucobound(e), [2, 1, last(4, [2])], 'ucobound(e)')
    call check(lcobound(f), [-1, 7, 0, 5], 'lcobound(f)')
    call check(ucobound(f), [0, 7, 1, last(5, [2, 2])], 'ucobound(f)')
    call check(ucobound(f, 3), 1, 'ucobound(f, 3)')
    call check(lcobound(g, 1), n + 3, 'lcobound(g, 1)')
    call check(ucobound(g, 1), 2 * n + 2, 'ucobound(g, 1)')

    do i = 1, n
        call check(image_index(a, [i]), i, 'image_index(a)')
        call check(image_index(b, [i - 3]), i, 'image_index(b)')
        call check(image_index(c, cosubscripts(i, [1, 1], [2])), i, 'image_index(c)')
        call check(image_index(d, cosubscripts(i, [0, -3], [3])), i, 'image_index(d)')
        call check(image_index(e, cosubscripts(i, [1, 1, 4], [2, 1])), i, 'image_index(e)')
        call check(image_index(f, cosubscripts(i, [-1, 7, 0, 5], [2, 1, 2])), i, 'image_index(f)')
        call check(image_index(g, [n + 2 + i]), i, 'image_index(g)')
    end do
    call check(image_index(a, [n + 1]), 0, 'image_index beyond the last')
    j = [0, -3, 3, 1]
    call check(image_index(a, j(1:1)), 0, 'image_index of 0')
    call check(image_index(b, j(2:2)), 0, 'image_index before the first')
    call check(image_index(c, j(3:4)), 0, 'image_index beyond a cobound')
    call check(image_index(c, [2, n / 2 + 1]), 0, 'image_index beyond the last image of the last column')

    a = value(me, 1, 1_8)
    b = value(me, [2, 3, 4], 1_8)
    c = value(me, 5, 1_8)
    d = value(me, [6, 7], 1_8)
    e = value(me, 8, 1_8)
    f = value(me, [9, 10], 1_8)
    g = value(me, 11, 1_8)
    sync all
    do i = 1, n
        x = a[i]
        call expect(x, value(i, 1, 1_8), 'a')
        x = b(2)[i - 3]
        call expect(x, value(i, 3, 1_8), 'b')
        j(:2) = cosubscripts(i, [1, 1], [2])
        x = c[j(1), j(2)]
        call expect(x, value(i, 5, 1_8), 'c')
        j(:2) = cosubscripts(i, [0, -3], [3])
        x = d(2)[j(1), j(2)]
        call expect(x, value(i, 7, 1_8), 'd')
        j(:3) = cosubscripts(i, [1, 1, 4], [2, 1])
        x = e[j(1), j(2), j(3)]
        call expect(x, value(i, 8, 1_8), 'e')
        j = cosubscripts(i, [-1, 7, 0, 5], [2, 1, 2])
        x = f(1)[j(1), j(2), j(3), j(4)]
        call expect(x, value(i, 9, 1_8), 'f')
        x = g[n + 2 + i]
        call expect(x, value(i, 11, 1_8), 'g')
    end do
    sync all
    i = neighbour(1)
    j = cosubscripts(i, [-1, 7, 0, 5], [2, 1, 2])
    f(2)[j(1), j(2), j(3), j(4)] = value(me, 20, 1_8)
    j(:2) = cosubscripts(i, [0, -3], [3])
    d(1)[j(1), j(2)] = value(me, 21, 1_8)
    g[n + 2 + i] = value(me, 22, 1_8)
    sync all
    call expect(f, [value(me, 9, 1_8), value(neighbour(-1), 20, 1_8)], 'put to f')
    call expect(d, [value(neighbour(-1), 21, 1_8), value(me, 7, 1_8)], 'put to d')
    call expect(g, value(neighbour(-1), 22, 1_8), 'put to g')
    call check_end
end program
