! For the test programs: check counts and prints errors, check_end ends a program with the verdict.
module checks
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none
    integer, private :: failures = 0

    ! These have the same names as for other types, so that the same code compares values of all types.
    interface operator(==)
        procedure :: same_logical8, same_logical16, same_logical32, same_logical64
    end interface
    private :: same_logical8, same_logical16, same_logical32, same_logical64

contains

    elemental logical function same_logical8(a, b)
        logical(1), intent(in) :: a, b
        same_logical8 = a .eqv. b
    end function

    elemental logical function same_logical16(a, b)
        logical(2), intent(in) :: a, b
        same_logical16 = a .eqv. b
    end function

    elemental logical function same_logical32(a, b)
        logical(4), intent(in) :: a, b
        same_logical32 = a .eqv. b
    end function

    elemental logical function same_logical64(a, b)
        logical(8), intent(in) :: a, b
        same_logical64 = a .eqv. b
    end function

    ! A number for element i on a PE, -120 to 120.
    integer elemental function seed(pe, i)
        integer, intent(in) :: pe, i
        seed = mod(pe * 37 + i * 11, 241) - 120
    end function

    ! Counts failures after the 20th without printing them.
    subroutine check(good, what, at)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what
        integer, intent(in), optional :: at
        if (good) return
        failures = failures + 1
        if (failures > 20) return
        if (present(at)) then
            write (error_unit, '(3a, i0)') 'wrong: ', what, ' at ', at
        else
            write (error_unit, '(2a)') 'wrong: ', what
        end if
    end subroutine

    subroutine check_end()
        if (failures > 0) then
            write (error_unit, '(i0, a)') failures, ' check(s) failed'
            stop 1
        end if
    end subroutine
end module
