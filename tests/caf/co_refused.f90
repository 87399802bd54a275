! images: 1 2 3 4 5 8
! What gfortran 12 does not tell the library about types: co_reduce knows real(10) from real(16), complex too, by where
! the function leaves its result, and calls functions of large derived types; small types, and co_sum, co_min and
! co_max of those two kinds, are refused by a sentence and leave the variable as it was.
module co_refused_m
    use check_m, only: check, check_end
    implicit none
    integer, parameter :: many = 9000
    type :: small
        integer(8) :: key
        real(8) :: with
    end type
    type :: large
        integer(8) :: key
        real(8) :: with
        integer(4) :: image
    end type
contains
    pure real(10) function sum10(a, b)
        real(10), intent(in) :: a, b
        sum10 = a + b
    end function

    pure real(10) function sum10_values(a, b)
        real(10), value, intent(in) :: a, b
        sum10_values = a + b
    end function

    pure real(16) function sum16(a, b)
        real(16), intent(in) :: a, b
        sum16 = a + b
    end function

    pure real(16) function sum16_values(a, b)
        real(16), value, intent(in) :: a, b
        sum16_values = a + b
    end function

    pure complex(10) function product10(a, b)
        complex(10), intent(in) :: a, b
        product10 = a * b
    end function

    pure complex(10) function product10_values(a, b)
        complex(10), value, intent(in) :: a, b
        product10_values = a * b
    end function

    pure complex(16) function product16(a, b)
        complex(16), intent(in) :: a, b
        product16 = a * b
    end function

    pure complex(16) function product16_values(a, b)
        complex(16), value, intent(in) :: a, b
        product16_values = a * b
    end function

    pure type(small) function smaller(a, b)
        type(small), intent(in) :: a, b
        smaller = b
        if (a%key < b%key) smaller = a
    end function

    pure type(large) function largest(a, b)
        type(large), intent(in) :: a, b
        largest = b
        if (a%key > b%key) largest = a
    end function

    pure type(large) function largest_value(a, b)
        type(large), value, intent(in) :: a, b
        largest_value = b
        if (a%key > b%key) largest_value = a
    end function

    ! Sums and products that are exact in every order, and need the last bits of their kinds.
    subroutine reals
        real(10) :: a, as(7)
        real(10), parameter :: one10 = 1 + 64 * epsilon(1.0_10)
        real(16) :: b
        real(16), allocatable :: bs(:)
        real(16), parameter :: one16 = 1 + 2.0_16**30 * epsilon(1.0_16)
        integer :: i, total, wrong
        total = num_images() * (num_images() + 1) / 2
        a = this_image() * one10
        call co_reduce(a, sum10)
        call check(a == total * one10, 'co_reduce of real(10)')
        as = [(-i * this_image() * one10, i = 1, 7)]
        call co_reduce(as(7:1:-3), sum10_values)
        call check(as(4) == -4 * total * one10, 'co_reduce of real(10) by value')
        call check(as(7) == -7 * total * one10 .and. as(1) == -total * one10, 'co_reduce of real(10) by value')
        call check(as(2) == -2 * this_image() * one10, 'what lies between')
        b = -this_image() * one16
        call co_reduce(b, sum16_values)
        call check(b == -total * one16, 'co_reduce of real(16) by value')
        bs = [(i * this_image() + one16, i = 1, many)]
        call co_reduce(bs, sum16)
        wrong = 0
        do i = 1, many
            if (bs(i) /= i * total + num_images() * one16) wrong = wrong + 1
        end do
        call check(wrong, 0, 'wrong elements of co_reduce of real(16)')
    end subroutine

    subroutine complex_numbers
        complex(10) :: a(3), p10(2)
        complex(16) :: b(3), p16(2)
        integer :: image, i
        p10(1) = cmplx(1, 2.0_10**(-40), 10)
        p16(1) = cmplx(1, 2.0_16**(-80), 16)
        a = [(merge(p10(1), cmplx(i, -this_image(), 10), this_image() == 1), i = 1, 3)]
        b = [(merge(p16(1), cmplx(i, -this_image(), 16), this_image() == 1), i = 1, 3)]
        call co_reduce(a, product10)
        call co_reduce(b(3:1:-1), product16)
        do i = 1, 3
            p10(2) = p10(1)
            p16(2) = p16(1)
            do image = 2, num_images()
                p10(2) = p10(2) * cmplx(i, -image, 10)
                p16(2) = p16(2) * cmplx(i, -image, 16)
            end do
            call check(a(i) == p10(2), 'co_reduce of complex(10)')
            call check(b(i) == p16(2), 'co_reduce of complex(16)')
        end do
        a = [(merge(p10(1), cmplx(3, -this_image(), 10), this_image() == 1), i = 1, 3)]
        b = [(merge(p16(1), cmplx(3, -this_image(), 16), this_image() == 1), i = 1, 3)]
        call co_reduce(a, product10_values, result_image=num_images())
        call co_reduce(b, product16_values, result_image=num_images())
        if (this_image() < num_images()) return
        call check(all(a == p10(2)), 'co_reduce of complex(10) by value')
        call check(all(b == p16(2)), 'co_reduce of complex(16) by value')
    end subroutine

    subroutine large_types
        type(large) :: a(5), b
        integer :: i
        a = [(large(-huge(1_8) + mod(this_image() + i, num_images()), this_image() / 4.0d0, this_image()), i = 1, 5)]
        b = a(2)
        call co_reduce(a(5:1:-2), largest)
        call co_reduce(b, largest_value)
        do i = 1, 5, 2
            call check_large(a(i), i)
        end do
        call check_large(b, 2)
        call check(a(2)%image, this_image(), 'what lies between')
    end subroutine

    subroutine check_large(x, i)
        type(large), intent(in) :: x
        integer, intent(in) :: i
        call check(x%key == -huge(1_8) + num_images() - 1, 'key of co_reduce of a derived type')
        call check(mod(x%image + i, num_images()), num_images() - 1, 'image of co_reduce of a derived type')
        call check(x%with == x%image / 4.0d0, 'co_reduce of a derived type')
    end subroutine

    subroutine refused
        character(200), allocatable :: message
        integer :: state
        real(10) :: a
        real(16) :: b(3)
        complex(10) :: c
        type(small) :: s
        a = this_image()
        b = -this_image()
        c = (2, 3)
        s = small(this_image(), 7.5d0)
        allocate (message)
        state = 0
        call co_sum(a, stat=state, errmsg=message)
        call check_refused(state, message, 'co_sum: gfortran does not tell whether this is of kind 10 or 16')
        call co_min(b, stat=state, errmsg=message)
        call check_refused(state, message, 'co_min: gfortran does not tell whether this is of kind 10 or 16')
        call co_max(a, result_image=1, stat=state, errmsg=message)
        call check_refused(state, message, 'co_max: gfortran does not tell whether this is of kind 10 or 16')
        call co_sum(c, stat=state, errmsg=message)
        call check_refused(state, message, 'co_sum: gfortran does not tell whether this is of kind 10 or 16')
        call co_reduce(s, smaller, stat=state, errmsg=message)
        call check_refused(state, message, 'co_reduce: of a derived type of 16 bytes')
        call check(a == this_image() .and. all(b == -this_image()) .and. c == (2, 3), 'what was refused is as it was')
        call check(s%key == this_image() .and. s%with == 7.5d0, 'what was refused is as it was')
    end subroutine

    subroutine check_refused(state, message, sentence)
        integer, intent(inout) :: state
        character(*), intent(inout) :: message
        character(*), intent(in) :: sentence
        call check(state /= 0, 'no stat: ' // sentence)
        call check(index(message, sentence) == 1, 'errmsg is ' // trim(message))
        state = 0
        message = 'untouched'
    end subroutine
end module

program co_refused
    use co_refused_m
    implicit none
    call reals
    call complex_numbers
    call large_types
    call refused
    call check_end
end program
