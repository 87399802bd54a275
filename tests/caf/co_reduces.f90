! images: 1 2 3 4 5 8
! timeout: 120
! co_reduce with functions of the program's own: numbers, logicals, characters, derived types, arguments by reference
! and by value, ranks 0 to 2, sections, result_image, stat and errmsg.
module co_reduces_m
    use check_m, only: check, check_end
    use values_m, only: value, text, expect
    implicit none
    integer :: k_
    integer, parameter :: k9(9) = [(k_, k_ = 1, 9)], k43(4, 3) = reshape([(k_, k_ = 100, 111)], [4, 3])
    type :: best
        integer(8) :: key
        integer :: image
        real(8) :: with(2)
    end type
contains
    pure integer(4) function xor4(a, b)
        integer(4), intent(in) :: a, b
        xor4 = ieor(a, b)
    end function

    pure integer(8) function xor8(a, b)
        integer(8), value, intent(in) :: a, b
        xor8 = ieor(a, b)
    end function

    pure integer(2) function larger2(a, b)
        integer(2), intent(in) :: a, b
        larger2 = max(a, b)
    end function

    pure integer(1) function or1(a, b)
        integer(1), intent(in) :: a, b
        or1 = ior(a, b)
    end function

    pure real(4) function larger4(a, b)
        real(4), intent(in) :: a, b
        larger4 = max(a, b)
    end function

    pure real(8) function smaller8(a, b)
        real(8), value, intent(in) :: a, b
        smaller8 = min(a, b)
    end function

    pure complex(8) function sum_c8(a, b)
        complex(8), intent(in) :: a, b
        sum_c8 = a + b
    end function

    pure logical function both(a, b)
        logical, intent(in) :: a, b
        both = a .and. b
    end function

    pure logical function differ(a, b)
        logical, value, intent(in) :: a, b
        differ = a .neqv. b
    end function

    pure character(9) function later(a, b)
        character(9), intent(in) :: a, b
        later = merge(a, b, a > b)
    end function

    pure type(best) function better(a, b)
        type(best), intent(in) :: a, b
        better = b
        if (a%key > b%key) better = a
    end function

    pure integer(4) function all_bits(k)
        integer, intent(in) :: k
        integer :: image
        all_bits = 0
        do image = 1, num_images()
            all_bits = ieor(all_bits, value(image, k, 1_4))
        end do
    end function

    subroutine integers
        integer(4) :: s, a(9), m(4, 3)
        integer(8) :: w(9)
        integer(2) :: h(9)
        integer(1) :: b
        integer :: i, state, image, root
        character(80) :: message
        root = num_images()
        state = 77
        message = 'untouched'
        s = value(this_image(), 1, 1_4)
        call co_reduce(s, xor4, stat=state, errmsg=message)
        call expect(s, all_bits(1), 'co_reduce')
        call check(state, 0, 'stat of co_reduce')
        call check(message == 'untouched', 'errmsg of co_reduce')
        a = value(this_image(), k9, 1_4)
        call co_reduce(a, xor4, result_image=root)
        if (this_image() == root) call expect(a, [(all_bits(k9(i)), i = 1, 9)], 'co_reduce to one image')
        m = value(this_image(), k43, 1_4)
        call co_reduce(m(1:4:3, 3:1:-2), xor4)
        call expect(m(4, 1), all_bits(103), 'co_reduce of a section')
        call expect(m(1, 3), all_bits(108), 'co_reduce of a section')
        call expect(m(2:3, :), value(this_image(), k43(2:3, :), 1_4), 'what lies between')
        call expect(m(:, 2), value(this_image(), k43(:, 2), 1_4), 'what lies between')
        w = value(this_image(), k9, 1_8)
        call co_reduce(w, xor8)
        do image = 1, num_images()
            w = ieor(w, value(image, k9, 1_8))
        end do
        call expect(w, 0_8, 'co_reduce with a function by value')
        h = value(this_image(), k9, 1_2)
        call co_reduce(h(9:1:-4), larger2)
        do i = 1, 9, 4
            call expect(h(i), maxval([(value(image, i, 1_2), image = 1, num_images())]), 'co_reduce of integer(2)')
        end do
        b = ishft(1_1, mod(this_image() - 1, 8))
        call co_reduce(b, or1)
        call expect(b, int(ishft(1, min(num_images(), 8)) - 1 - merge(256, 0, num_images() >= 8), 1), &
            'co_reduce of integer(1)')
    end subroutine

    subroutine reals
        real(4) :: x(9)
        real(8) :: y, ys(4, 3)
        complex(8) :: z(9), zs(9)
        integer :: i, image
        x = value(this_image(), k9, 1.0)
        call co_reduce(x, larger4)
        call expect(x, [(maxval([(value(image, i, 1.0), image = 1, num_images())]), i = 1, 9)], 'co_reduce of real(4)')
        y = value(this_image(), 1, 1.0d0)
        call co_reduce(y, smaller8)
        call expect(y, minval([(value(image, 1, 1.0d0), image = 1, num_images())]), 'co_reduce of real(8) by value')
        ys = value(this_image(), k43, 1.0d0)
        call co_reduce(ys, smaller8, result_image=1)
        if (this_image() == 1) then
            call expect(ys(3, 2), minval([(value(image, k43(3, 2), 1.0d0), image = 1, num_images())]), &
                'co_reduce of rank 2')
        end if
        z = [(cmplx(this_image() * i, this_image() - i, 8), i = 1, 9)]
        call co_reduce(z, sum_c8)
        zs = 0
        do image = 1, num_images()
            zs = zs + [(cmplx(image * i, image - i, 8), i = 1, 9)]
        end do
        call expect(z, zs, 'co_reduce of complex')
    end subroutine

    subroutine others
        logical :: l, ls(3)
        character(9) :: c, cs(4), e
        type(best) :: b, bs(5), one
        integer :: i, image
        l = .true.
        call co_reduce(l, both)
        call expect(l, .true., 'co_reduce of true')
        l = this_image() /= num_images()
        call co_reduce(l, both)
        call expect(l, .false., 'co_reduce of logicals')
        ls = [.true., .false., this_image() == 1]
        call co_reduce(ls, differ)
        call expect(ls, [mod(num_images(), 2) == 1, .false., .true.], 'co_reduce of logicals by value')
        c = text(this_image(), 5, 9)
        call co_reduce(c, later)
        e = text(1, 5, 9)
        do image = 2, num_images()
            e = later(e, text(image, 5, 9))
        end do
        call expect(c, e, 'co_reduce of characters')
        do i = 1, 4
            cs(i) = text(this_image(), i, 9)
        end do
        call co_reduce(cs(2:4:2), later, result_image=1)
        if (this_image() == 1) then
            e = text(1, 4, 9)
            do image = 2, num_images()
                e = later(e, text(image, 4, 9))
            end do
            call expect(cs(4), e, 'co_reduce of an array of characters')
            call expect(cs(3), text(1, 3, 9), 'what lies between')
        end if
        do i = 1, 5
            bs(i) = best(value(this_image(), i, 1_8), this_image(), value(this_image(), [i, i + 1], 1.0d0))
        end do
        b = bs(3)
        call co_reduce(b, better)
        one = b
        do image = 1, num_images()
            call check(value(image, 3, 1_8) <= one%key, 'no key is better')
        end do
        call expect(b%key, value(b%image, 3, 1_8), 'co_reduce of a derived type')
        call expect(b%with, value(b%image, [3, 4], 1.0d0), 'component of co_reduce')
        call co_reduce(bs(5:1:-2), better)
        do i = 1, 5, 2
            call expect(bs(i)%key, maxval([(value(image, i, 1_8), image = 1, num_images())]), &
                'co_reduce of derived types')
            call expect(bs(i)%with, value(bs(i)%image, [i, i + 1], 1.0d0), 'component of co_reduce of an array')
        end do
        call expect(bs(2)%key, value(this_image(), 2, 1_8), 'what lies between')
    end subroutine
end module

program co_reduces
    use co_reduces_m
    implicit none
    call integers
    call reals
    call others
    call check_end
end program
