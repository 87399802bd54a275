! images: 1 2 4
! Substrings of coindexed characters, scalars and elements.
program substrings
    use check_m, only: check_end, neighbour
    use values_m, only: text, expect
    implicit none
    character(12), save :: s[*], a(4)[*]
    character(12) :: e
    character(5) :: y
    integer :: me, left, right, i
    me = this_image()
    left = neighbour(-1)
    right = neighbour(1)
    s = text(me, 1, 12)
    do i = 1, 4
        a(i) = text(me, 1 + i, 12)
    end do
    sync all
    y = s[left](4:8)
    e = text(left, 1, 12)
    call expect(y, e(4:8), 'get of a substring')
    y = a(3)[left](8:12)
    e = text(left, 4, 12)
    call expect(y, e(8:12), 'get of a substring of an element')
    sync all
    ! gfortran 12 passes the start of a substring but not its length: a put to a substring at the end of its variable is
    ! right, and other puts must not change the next element.
    s[right](10:12) = text(me, 10, 3)
    a(2)[right](12:12) = text(me, 11, 1)
    a(3)[right](3:12) = text(me, 12, 10)
    sync all
    e = text(me, 1, 12)
    e(10:12) = text(left, 10, 3)
    call expect(s, e, 'put to a substring')
    e = text(me, 2, 12)
    call expect(a(1), e, 'the element before')
    e = text(me, 3, 12)
    e(12:12) = text(left, 11, 1)
    call expect(a(2), e, 'put to the last character of an element')
    e = text(me, 4, 12)
    e(3:12) = text(left, 12, 10)
    call expect(a(3), e, 'put to the end of an element')
    e = text(me, 5, 12)
    call expect(a(4), e, 'the element behind')
    sync all
    a(1)[right](4:5) = 'xy'
    sync all
    call expect(a(1)(4:5), 'xy', 'put to a substring in the middle')
    e = text(me, 2, 12)
    call expect(a(1)(:3), e(:3), 'what stands before the substring')
    e = text(me, 3, 12)
    e(12:12) = text(left, 11, 1)
    call expect(a(2), e, 'the element behind it')
    call check_end
end program
