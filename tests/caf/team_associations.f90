! images: 1 2 3 4 5 7 8
! compilers: 16
! change team (t, b[*] => a): coarrays under other names in the construct, static and allocatable, scalars, arrays, of
! derived types with allocatable components and of characters; nested; many times. gfortran 16 keeps the cobounds of the
! coarray instead of those of the association.
module team_associations_m
    use, intrinsic :: iso_fortran_env, only: team_type
    use check_m, only: check, check_end, neighbour
    use values_m, only: value, expect
    implicit none
    type :: tree
        integer(8) :: id
        integer, allocatable :: v(:)
    end type
    integer(8), save :: a[*], v(10)[*], m(2, 3)[2, *]
    character(5), save :: words(3)[*]
    type(tree), save :: oak[*], wood(3)[*]
contains
    ! The index in the initial team of image `image` of a team that has every third image.
    integer function whole(image, mine)
        integer, intent(in) :: image, mine
        whole = mine + 3 * (image - 1)
    end function

    subroutine fill(me)
        integer, intent(in) :: me
        integer :: i
#include "team_values.inc"
        do i = 1, 3
            wood(i)%id = value(me, 40 + i, 1_8)
            if (allocated(wood(i)%v)) deallocate (wood(i)%v)
            allocate (wood(i)%v(me + i))
            wood(i)%v = value(me, 50 + i, 1)
        end do
    end subroutine

    subroutine statics
        type(team_type) :: third
        integer :: me, n, mine, i, k, next, there
        integer(8) :: x, y(10), z(2, 3)
        character(5) :: word, expected
        me = this_image()
        n = num_images()
        mine = 1 + mod(me - 1, 3)
        call fill(me)
        form team (mine, third)
        sync all
        change team (third, b[*] => a, w[*] => v, c[2, *] => m, text[*] => words, ash[*] => oak, grove[*] => wood)
            next = neighbour(1)
            there = whole(next, mine)
            call check(this_image(b, 1), this_image(), 'this_image(b) of an association')
            call check(image_index(w, [next]), next, 'image_index of an association')
            call check(b == value(me, 1, 1_8), 'the coarray itself under its other name')
            x = b[next]
            call expect(x, value(there, 1, 1_8), 'get of an associated scalar')
            y = w(:)[next]
            call expect(y, value(there, [(i, i = 1, 10)], 1_8), 'get of an associated array')
            y(:3) = w(9:1:-4)[next]
            call expect(y(:3), value(there, [9, 5, 1], 1_8), 'get of a section of an associated array')
            i = image_index(c, [1, 1])
            call check(i, 1, 'image_index with two codimensions')
            i = 1 + mod(next - 1, 2)
            k = 1 + (next - 1) / 2
            z = c(:, :)[i, k]
            do i = 1, 3
                call expect(z(:, i), value(there, [20 + i, 30 + i], 1_8), 'get of an associated matrix')
            end do
            word = text(2)[next]
            write (expected, '(i2, a, i2)') there, '-', 2
            call check(word == expected, 'get of an associated string: ' // word)
            x = ash[next]%id
            call expect(x, value(there, 40, 1_8), 'get of a component of an associated object')
            i = ash[next]%v(5 + there)
            call expect(i, value(there, 5 + there, 1), 'get of an allocatable component of an associated object')
            x = grove(2)[next]%id
            call expect(x, value(there, 42, 1_8), 'get of a component of an associated array')
            i = grove(3)[next]%v(there + 3)
            call expect(i, value(there, 53, 1), 'get of an allocatable component of an associated array')
            sync all
            b[next] = value(me, 60, 1_8)
            w(2:10:2)[next] = value(me, [61, 62, 63, 64, 65], 1_8)
            i = 1 + mod(next - 1, 2)
            k = 1 + (next - 1) / 2
            c(2, 3)[i, k] = value(me, 66, 1_8)
            text(1)[next] = 'put'
            ash[next]%v(2:4) = value(me, [67, 68, 69], 1)
            grove(1)[next]%id = value(me, 70, 1_8)
            sync all
            there = whole(neighbour(-1), mine)
            call expect(b, value(there, 60, 1_8), 'put to an associated scalar')
        end team
        call expect(a, value(there, 60, 1_8), 'a put by the associated name')
        call expect(v(2:10:2), value(there, [61, 62, 63, 64, 65], 1_8), 'put to an associated array')
        call expect(v(1:9:2), value(me, [1, 3, 5, 7, 9], 1_8), 'elements that were not put')
        call expect(m(2, 3), value(there, 66, 1_8), 'put to an associated matrix')
        call check(words(1) == 'put', 'put of a string')
        call expect(oak%v(2:4), value(there, [67, 68, 69], 1), 'put to an allocatable component')
        call expect(wood(1)%id, value(there, 70, 1_8), 'put to a component of an array')
        sync all
    end subroutine

    ! Nested associations, of allocatable coarrays, with other bounds, and by a dummy argument.
    subroutine nested(dummy)
        integer(8), intent(inout) :: dummy(:)[*]
        type(team_type) :: outer, inner
        integer(8), allocatable :: b(:)[:], s[:]
        integer :: me, n, mine, next, there, i
        integer(8) :: x, y(9)
        me = this_image()
        n = num_images()
        mine = 1 + mod(me - 1, 3)
        allocate (b(-3:5)[*], s[*])
        b = value(me, [(i, i = 1, 9)], 1_8)
        s = value(me, 10, 1_8)
        dummy = value(me, 20, 1_8)
        form team (mine, outer)
        change team (outer, b1[*] => b, s1[*] => s)
            call check(lbound(b1, 1) == -3 .and. ubound(b1, 1) == 5, 'bounds of an associated array')
            form team (9, inner, new_index=num_images() + 1 - this_image())
            change team (inner, b2[*] => b1, s2[*] => s1, d2[*] => dummy)
                next = neighbour(1)
                there = whole(num_images() + 1 - next, mine)
                x = b2(5)[next]
                call expect(x, value(there, 9, 1_8), 'get of an element, twice associated')
                y = b2(:)[next]
                call expect(y, value(there, [(i, i = 1, 9)], 1_8), 'get of an array, twice associated')
                x = s2[next]
                call expect(x, value(there, 10, 1_8), 'get of a scalar, twice associated')
                sync all
                b2(-3:-2)[next] = value(me, [31, 32], 1_8)
                d2(2)[next] = value(me, 33, 1_8)
                sync all
                there = whole(num_images() + 1 - neighbour(-1), mine)
            end team
            call expect(b1(-3:-2), value(there, [31, 32], 1_8), 'put to an array, twice associated')
            x = s1[neighbour(1)]
            call expect(x, value(whole(neighbour(1), mine), 10, 1_8), 'get in the outer construct')
        end team
        call check(allocated(b) .and. allocated(s), 'coarrays after their associations')
        call expect(dummy(2), value(there, 33, 1_8), 'put to an associated dummy argument')
        sync all
        x = b(3)[neighbour(1)]
        call expect(x, value(neighbour(1), 7, 1_8), 'get after the association')
    end subroutine

    ! Repeatedly; tests/growth/caf_statements16.f90 checks that this uses no memory.
    subroutine again
        type(team_type) :: t
        integer :: round
        form team (1, t)
        do round = 1, 2000
            change team (t, b[*] => a, w[*] => v)
                if (mod(round, 100) == 0) b[neighbour(1)] = value(this_image(), round, 1_8)
            end team
            if (mod(round, 100) == 0) call expect(a, value(neighbour(-1), round, 1_8), 'put, over and over')
        end do
    end subroutine
end module

program team_associations
    use team_associations_m
    implicit none
    integer :: round
    do round = 1, 3
        call statics
        call nested(v)
    end do
    call again
    call check_end
end program
