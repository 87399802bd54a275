! Verdicts of the coarray tests: check() and expect() (values_m) count and print errors, and check_end() sets the
! program's exit code by the errors of all images.
module check_m
    use, intrinsic :: iso_fortran_env, only: error_unit
    implicit none
    private
    public :: check, check_end, fail_check, memory_kib, neighbour

    integer, parameter :: shown = 20    ! shows this many failures and counts further ones
    integer, save :: failures = 0

    interface check
        procedure check_true, check_integer
    end interface

contains

    subroutine check_true(ok, what)
        logical, intent(in) :: ok
        character(*), intent(in) :: what
        if (.not. ok) call fail_check(what, 'false', 'true')
    end subroutine

    impure elemental subroutine check_integer(found, expected, what)
        integer, intent(in) :: found, expected
        character(*), intent(in) :: what
        character(12) :: f, e
        if (found == expected) return
        write (f, '(i0)') found
        write (e, '(i0)') expected
        call fail_check(what, f, e)
    end subroutine

    subroutine fail_check(what, found, expected)
        character(*), intent(in) :: what, found, expected
        failures = failures + 1
        if (failures > shown) return
        write (error_unit, '(a, i0, 6a)') 'image ', this_image(), ': ', what, ': found ', trim(found), ', expected ', &
            trim(expected)
    end subroutine

    ! The image that is `step` steps further in the ring of all images.
    integer function neighbour(step)
        integer, intent(in) :: step
        neighbour = 1 + modulo(this_image() - 1 + step, num_images())
    end function

    ! This process's value in a line of /proc/self/status, such as VmRSS or RssShmem.
    integer function memory_kib(what)
        character(*), intent(in) :: what
        character(80) :: line
        integer :: unit, status
        memory_kib = 0
        open (newunit=unit, file='/proc/self/status', action='read')
        do
            read (unit, '(a)', iostat=status) line
            if (status /= 0) exit
            if (index(line, what // ':') == 1) read (line(len(what) + 2:index(line, 'kB') - 1), *) memory_kib
        end do
        close (unit)
    end function

    ! Every image calls it at its end; with stat=, if images may have failed or stopped, every remaining image calls it.
    ! The first error stop ends the job, so the line of image 1 means that no image has found an error.
    subroutine check_end(survivors)
        logical, intent(in), optional :: survivors
        integer :: state
        logical :: tolerant
        tolerant = .false.
        if (present(survivors)) tolerant = survivors
        if (failures > 0) then
            write (error_unit, '(a, i0, a, i0, a)') 'image ', this_image(), ': ', failures, ' check(s) failed'
            flush (error_unit)
            error stop 1, quiet=.true.
        end if
        if (tolerant) then
            sync all (stat=state)
        else
            sync all
        end if
        if (this_image() == 1) print '(a)', 'PASSED'
    end subroutine
end module
