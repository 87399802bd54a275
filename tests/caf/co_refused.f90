! images: 1 2 3 4 5 8
! gfortran 12 does not pass enough about some types to the library, which refuses co_reduce of small derived types, and
! co_sum, co_min and co_max of real(10) and real(16), with a message and without a change of the variable.
! (coform_functions.f90 tests co_reduce of large types and of these kinds.)
module co_refused_m
    use check_m, only: check, check_end
    implicit none
    type :: small
        integer(8) :: key
        real(8) :: with
    end type
contains
    pure type(small) function smaller(a, b)
        type(small), intent(in) :: a, b
        smaller = b
        if (a%key < b%key) smaller = a
    end function

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
        call check_refused(state, message, 'co_sum: gfortran does not pass whether the kind is 10 or 16')
        call co_min(b, stat=state, errmsg=message)
        call check_refused(state, message, 'co_min: gfortran does not pass whether the kind is 10 or 16')
        call co_max(a, result_image=1, stat=state, errmsg=message)
        call check_refused(state, message, 'co_max: gfortran does not pass whether the kind is 10 or 16')
        call co_sum(c, stat=state, errmsg=message)
        call check_refused(state, message, 'co_sum: gfortran does not pass whether the kind is 10 or 16')
        call co_reduce(s, smaller, stat=state, errmsg=message)
        call check_refused(state, message, 'co_reduce: a derived type of 16 bytes')
        call check(a == this_image() .and. all(b == -this_image()) .and. c == (2, 3), 'refused arguments are unchanged')
        call check(s%key == this_image() .and. s%with == 7.5d0, 'refused arguments are unchanged')
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
    call refused
    call check_end
end program
