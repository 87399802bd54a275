! Values for the coarray tests: value(image, k, mold) is the k-th value of an image in the type and kind of mold, with
! all bits in use, also the top bit; small(image, k, mold) fits every number type, with a fraction in real types; and
! expect(found, expected, what) compares two scalars or two arrays of the same shape.
module values_m
    use check_m, only: fail_check
    implicit none
    private
    public :: value, small, expect, text

    integer, parameter :: i8 = selected_int_kind(18), i16 = selected_int_kind(38)
    integer, parameter :: ucs4 = selected_char_kind('ISO_10646')

    interface value
#define BODY "specific_value.inc"
#include "each_type.inc"
#undef BODY
    end interface
    interface small
#define BODY "specific_small.inc"
#include "each_number.inc"
#undef BODY
    end interface
    interface expect
#define BODY "specific_expect.inc"
#include "each_type.inc"
#undef BODY
        procedure expect_a, expect_u
    end interface

contains

    ! 64 bits that look random, different for every pair.
    elemental function hash(image, k, salt) result(h)
        integer, intent(in) :: image, k, salt
        integer(i16) :: h
        integer(i16), parameter :: factor = 6364136223846793005_i16, mask = 2_i16**64 - 1
        h = iand((int(image, i16) * 1000003 + k) * 8 + salt + 1, mask)
        h = iand(h * factor, mask)
        h = iand(ieor(h, ishft(h, -29)) * factor, mask)
        h = ieor(h, ishft(h, -32))
    end function

    elemental function bits(image, k) result(b)
        integer, intent(in) :: image, k
        integer(i16) :: b
        b = ior(ishft(hash(image, k, 0), 64), hash(image, k, 1))
    end function

    ! A number from -1 to 1, with the precision of the widest kind.
    elemental function fraction_(image, k) result(x)
        integer, intent(in) :: image, k
        integer, parameter :: widest = selected_real_kind(33)
        real(widest) :: x
        x = real(bits(image, k), widest) * 2.0_widest**(-127)
    end function

#define BODY "value_integer.inc"
#include "each_integer.inc"
#undef BODY
#define BODY "value_real.inc"
#include "each_real.inc"
#undef BODY
#define BODY "value_complex.inc"
#include "each_complex.inc"
#undef BODY
#define BODY "value_logical.inc"
#include "each_logical.inc"
#undef BODY

    ! Characters of any code: text(image, k, length).
    pure function text(image, k, length) result(v)
        integer, intent(in) :: image, k, length
        character(length) :: v
        integer :: i
        do i = 1, length
            v(i:i) = char(33 + int(mod(hash(image, 997 * k + i, 2), 223_i16)))
        end do
    end function

    impure elemental subroutine expect_a(found, expected, what)
        character(*), intent(in) :: found, expected
        character(*), intent(in) :: what
        if (found /= expected) call fail_check(what, found // '|', expected // '|')
    end subroutine

    impure elemental subroutine expect_u(found, expected, what)
        character(*, ucs4), intent(in) :: found, expected
        character(*), intent(in) :: what
        character(12) :: f, e
        integer :: i
        if (found == expected) return
        do i = 1, min(len(found), len(expected))
            if (found(i:i) /= expected(i:i)) exit
        end do
        i = min(i, len(found), len(expected))
        write (f, '(i0)') ichar(found(i:i))
        write (e, '(i0)') ichar(expected(i:i))
        call fail_check(what, 'code ' // f, 'code ' // e)
    end subroutine
end module
