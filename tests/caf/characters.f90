! images: 1 2 3 4 5 8
! flags: -Wno-character-truncation
! Character coarrays: lengths 1 to 300, default and ISO 10646 kind, static and allocatable, truncation and padding on
! assignment, sections and scalars into sections, substrings.
module characters_m
    use check_m, only: check, check_end, neighbour
    use values_m, only: text, expect
    implicit none
    integer, parameter :: ucs4 = selected_char_kind('ISO_10646')
    character(1), save :: one(5)[*]
    character(7), save :: seven[*], sevens(6)[*]
    character(300), save :: long[*]
contains
    ! Like text(), but with wide characters, from the k-th on.
    subroutine fill_wide(v, image, k)
        character(*, ucs4), intent(out) :: v(:)
        integer, intent(in) :: image, k
        character(len(v)) :: narrow
        integer :: i, j
        do j = 1, size(v)
            narrow = text(image, k + j - 1, len(v))
            do i = 1, len(v)
                v(j)(i:i) = char(ichar(narrow(i:i)) * 4093 + i, ucs4)
            end do
        end do
    end subroutine

    subroutine static
        character(7) :: y, ys(6)
        character(3) :: short, shorts(6)
        character(12) :: padded, paddeds(3)
        character(300) :: z
        integer :: me, left, right, i
        me = this_image()
        left = neighbour(-1)
        right = neighbour(1)
        seven = text(me, 1, 7)
        long = text(me, 2, 300)
        do i = 1, 6
            sevens(i) = text(me, 10 + i, 7)
        end do
        sync all
        y = seven[left]
        call expect(y, text(left, 1, 7), 'get')
        short = seven[left]
        call expect(short, text(left, 1, 3), 'truncated get')
        padded = seven[right]
        call expect(padded, text(right, 1, 7), 'padded get')
        z = long[right]
        call expect(z, text(right, 2, 300), 'long get')
        ys = sevens(:)[left]
        call expect(ys, [(text(left, 10 + i, 7), i = 1, 6)], 'get of an array')
        ys(6:1:-2) = sevens(1:5:2)[right]
        call expect(ys(6:1:-2), [(text(right, 10 + i, 7), i = 1, 5, 2)], 'strided get')
        shorts = sevens(6:1:-1)[left]
        do i = 1, 6
            call expect(shorts(i), text(left, 17 - i, 3), 'truncated get of an array')
        end do
        paddeds = sevens(2:6:2)[left]
        do i = 1, 3
            call expect(paddeds(i), text(left, 10 + 2 * i, 7), 'padded get of an array')
        end do
        sync all

        seven[right] = text(me, 3, 7)
        long[left] = text(me, 4, 300)
        one(:)[right] = [(text(me, 20 + i, 1), i = 1, 5)]
        sevens(1:5:2)[left] = [(text(me, 30 + i, 7), i = 1, 3)]
        sevens(2)[left] = text(me, 34, 7)
        sevens(6:4:-2)[left] = text(me, 35, 7)
        sync all
        call expect(seven, text(left, 3, 7), 'put')
        call expect(long, text(right, 4, 300), 'long put')
        call expect(one, [(text(left, 20 + i, 1), i = 1, 5)], 'put of single characters')
        call expect(sevens, [text(right, 31, 7), text(right, 34, 7), text(right, 32, 7), text(right, 35, 7), &
            text(right, 33, 7), text(right, 35, 7)], 'strided put')
        sync all

        seven[right] = text(me, 5, 3)
        long[left] = text(me, 6, 400)
        sevens(1:2)[right] = [text(me, 7, 12), text(me, 8, 12)]
        sevens(3:4)[right] = [text(me, 7, 2), text(me, 8, 2)]
        sevens(5:6)[right] = 'ab'
        one(2:3)[right] = text(me, 9, 2)
        sync all
        call expect(seven, text(left, 5, 3) // '    ', 'padded put')
        call expect(long, text(right, 6, 300), 'truncated put')
        call expect(sevens, [text(left, 7, 7), text(left, 8, 7), text(left, 7, 2) // '     ', text(left, 8, &
            2) // '     ', &
            'ab     ', 'ab     '], 'truncated and padded put of arrays')
        call expect(one(2:3), [text(left, 9, 1), text(left, 9, 1)], 'truncated put of a scalar')
        sync all

        one(1)[right] = seven[left]
        sevens(3)[right] = one(5)[left]
        sync all
        call expect(one(1), text(neighbour(-3), 5, 1), 'truncated get to put')
        call expect(sevens(3), text(neighbour(-3), 25, 1) // '      ', 'padded get to put')
        sync all
    end subroutine

    subroutine fill(a, image)
        character(5), intent(out) :: a(3, 2)
        integer, intent(in) :: image
        integer :: i, j
        do j = 1, 2
            do i = 1, 3
                a(i, j) = text(image, i + 3 * j - 3, 5)
            end do
        end do
    end subroutine

    subroutine allocatable
        character(5), allocatable :: a(:, :)[:]
        character(:), allocatable :: d[:], ds(:)[:]
        character(5) :: y(3, 2), e(3, 2)
        character(4) :: w(3)
        character(9) :: z
        integer :: me, left, right, i
        me = this_image()
        left = neighbour(-1)
        right = neighbour(1)
        allocate (a(3, 2)[*])
        allocate (character(9) :: d[*])
        allocate (character(4) :: ds(3)[*])
        call fill(a, me)
        d = text(me, 7, 9)
        do i = 1, 3
            ds(i) = text(me, 7 + i, 4)
        end do
        call check(len(d), 9, 'deferred length')
        call check(len(ds), 4, 'deferred length of an array')
        sync all
        y = a(:, 2:1:-1)[left]
        call fill(e, left)
        call expect(y, e(:, 2:1:-1), 'get of allocatable')
        z = d[left]
        call expect(z, text(left, 7, 9), 'get of deferred length')
        ! gfortran 12 uses the length that the variable had at the procedure's entry, so only this section works
        w = ds(:)[left]
        do i = 1, 3
            call expect(w(i), text(left, 7 + i, 4), 'get of an array of deferred length')
        end do
        sync all
        a(2, :)[right] = [text(me, 20, 5), text(me, 21, 5)]
        d[right] = text(me, 22, 9)
        sync all
        call expect(a(2, :), [text(left, 20, 5), text(left, 21, 5)], 'put to a row')
        call expect(a(1, :), [text(me, 1, 5), text(me, 4, 5)], 'the other rows')
        call expect(d, text(left, 22, 9), 'put of deferred length')
        sync all
    end subroutine

    subroutine wide_kind
        character(6, ucs4), save :: a(4)[*]
        character(6, ucs4), allocatable :: s[:]
        character(6, ucs4) :: y(4), l(4), r(4), v(4), vl(4), vr(4), m(4)
        character(3, ucs4) :: three
        character(4, ucs4) :: short
        integer :: left, right
        left = neighbour(-1)
        right = neighbour(1)
        call fill_wide(l, left, 1)
        call fill_wide(r, right, 1)
        call fill_wide(v, this_image(), 11)
        call fill_wide(vl, left, 11)
        call fill_wide(vr, right, 11)
        allocate (s[*])
        call fill_wide(a, this_image(), 1)
        m = a
        s = a(2)
        sync all
        y = a(4:1:-1)[left]
        call expect(y, l(4:1:-1), 'get of wide characters')
        y(1) = s[right]
        call expect(y(1), r(2), 'get of a wide scalar')
        short = s[right]
        call expect(short, r(2)(1:4), 'truncated get of wide characters')
        sync all
        a(1:4:3)[right] = v(1:2)
        a(2)[right] = v(3)
        three = v(4)(1:3) ! gfortran 12 would pass all of v(4)
        s[left] = three
        sync all
        m(1:4:3) = vl(1:2)
        m(2) = vl(3)
        call expect(a, m, 'put of wide characters')
        call expect(s, vr(4)(1:3), 'padded put of wide characters')
        sync all
        a(:)[right] = ucs4_'wide'
        sync all
        m = ucs4_'wide'
        call expect(a, m, 'put of a wide scalar to all')
        sync all
    end subroutine
end module

program characters
    use characters_m
    implicit none
    call static
    call allocatable
    call wide_kind
    call check_end
end program
