! For the tests of the module prif: this image's number, coarrays of bytes, values that differ by image and element, and
! a verdict in the exit code. A program begins with check_begin and ends with check_end.
module prif_check
    use, intrinsic :: iso_c_binding
    use, intrinsic :: iso_fortran_env, only: error_unit
    use prif
    implicit none

    integer(c_int) :: me = 0, images = 0    ! in the initial team
    procedure(prif_coarray_cleanup_interface), pointer :: no_cleanup => null()
    integer, private :: failures = 0

    interface check
        procedure check_true, check_int, check_long
    end interface

contains

    subroutine check_begin
        integer(c_int) :: state
        call prif_init(state)
        if (state /= 0) error stop 'prif_init'
        call prif_this_image_no_coarray(this_image=me)
        call prif_num_images(images)
    end subroutine

    subroutine check_true(ok, what)
        logical, intent(in) :: ok
        character(*), intent(in) :: what
        if (ok) return
        failures = failures + 1
        if (failures < 20) write (error_unit, '(a, i0, 3a)') 'image ', me, ': ', what, ' is wrong'
    end subroutine

    subroutine check_int(found, expected, what)
        integer(c_int), intent(in) :: found, expected
        character(*), intent(in) :: what
        call check_long(int(found, c_int64_t), int(expected, c_int64_t), what)
    end subroutine

    subroutine check_long(found, expected, what)
        integer(c_int64_t), intent(in) :: found, expected
        character(*), intent(in) :: what
        if (found == expected) return
        failures = failures + 1
        if (failures < 20) write (error_unit, '(a, i0, 3a, i0, a, i0)') 'image ', me, ': ', what, ' is ', found, &
            ', expected ', expected
    end subroutine

    ! An image that has found an error ends the job; otherwise all remaining images synchronize first.
    subroutine check_end(survivors)
        logical, intent(in), optional :: survivors
        integer(c_int) :: state
        if (failures > 0) then
            write (error_unit, '(a, i0, a, i0, a)') 'image ', me, ': ', failures, ' check(s) failed'
            flush (error_unit)
            call prif_error_stop(.true._c_bool, 1_c_int)
        end if
        if (present(survivors)) then
            call prif_sync_all(state)
        else
            call prif_sync_all
        end if
        if (me == 1) print '(a)', 'PASSED'
        flush (6)
        call prif_stop(.true._c_bool)
    end subroutine

    ! gfortran 12 does not compile C_ASSOCIATED (a, C_LOC (...)) if ISO_C_BINDING comes through a module.
    logical function same(a, b)
        type(c_ptr), intent(in) :: a, b
        same = c_associated(a, b)
    end function

    ! The image that is this many steps further in the ring of all images.
    integer(c_int) function neighbour(step)
        integer, intent(in) :: step
        neighbour = 1 + modulo(me - 1 + step, images)
    end function

    ! A value that differs for each image, element and purpose; its top bit is set.
    pure integer(c_int64_t) function value(image, element, purpose)
        integer, intent(in) :: image, element, purpose
        value = ieor(ishftc(int(image, c_int64_t) * 2654435761_c_int64_t, 19), &
            ishftc(int(element, c_int64_t) * 40503_c_int64_t + purpose, 41))
        value = ibset(value, 63)
    end function

    ! A coarray of bytes, with cobounds [*].
    subroutine allocate_bytes(bytes, handle, memory)
        integer(c_size_t), intent(in) :: bytes
        type(prif_coarray_handle), intent(out) :: handle
        type(c_ptr), intent(out) :: memory
        integer(c_int64_t) :: upper(0)
        call prif_allocate_coarray([1_c_int64_t], upper, bytes, no_cleanup, handle, memory)
    end subroutine

    ! Stores the address of each image's coarray in the caller's array, for the indirect procedures.
    subroutine share_address(memory, addresses)
        type(c_ptr), intent(in) :: memory
        integer(c_intptr_t), intent(out) :: addresses(:)
        addresses = 0
        addresses(me) = transfer(memory, addresses(me))
        call prif_co_sum(addresses)
    end subroutine
end module
