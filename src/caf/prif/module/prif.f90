! The module prif: the Parallel Runtime Interface for Fortran, revision 0.8, for Fortran programs and compilers.  It
! contains only interfaces and generates no code: each procedure is the function of libprif_copal with its name, so any
! compiler whose descriptors the library reads (../descriptor.h) can build its module file from this source.
!
! Some procedures are external, not BIND(C): compilers call stop, error_stop and the callbacks of
! register_stop_callback with a hidden character length, while BIND(C) takes a descriptor; image_status is elemental,
! which BIND(C) forbids; and the logical values of atomic_cas_logical and similar are not of kind C_BOOL.
module prif
use, intrinsic :: iso_c_binding, only: c_bool, c_int, c_int64_t, c_intptr_t, c_null_ptr, c_ptr, &
    c_ptrdiff_t, c_size_t
implicit none
private :: c_bool, c_int, c_int64_t, c_intptr_t, c_null_ptr, c_ptr, c_ptrdiff_t, c_size_t

integer(c_int), parameter :: PRIF_VERSION_MAJOR = 0, PRIF_VERSION_MINOR = 8

! The library has words of 64 bits, but gfortran's own ATOMIC_INT_KIND is 4: variables need these kinds.
integer, parameter :: PRIF_ATOMIC_INT_KIND = 8, PRIF_ATOMIC_LOGICAL_KIND = 8

! As in prif.h.
integer(c_int), parameter :: PRIF_CURRENT_TEAM = -1, PRIF_INITIAL_TEAM = -2, PRIF_PARENT_TEAM = -3
integer(c_int), parameter :: PRIF_STAT_FAILED_IMAGE = 101, PRIF_STAT_LOCKED = 102, &
    PRIF_STAT_LOCKED_OTHER_IMAGE = 103, PRIF_STAT_STOPPED_IMAGE = 104, PRIF_STAT_UNLOCKED = 105, &
    PRIF_STAT_UNLOCKED_FAILED_IMAGE = 106, PRIF_STAT_OUT_OF_MEMORY = 301, PRIF_STAT_ALREADY_INIT = 302

type :: prif_event_type
    private
    integer(c_int64_t) :: word = 0
end type

type :: prif_lock_type
    private
    integer(c_int64_t) :: word = 0
end type

type :: prif_critical_type
    private
    integer(c_int64_t) :: word = 0
end type

type :: prif_notify_type
    private
    integer(c_int64_t) :: word = 0
end type

! An argument of a BIND(C) procedure must be BIND(C) itself.
type, bind(C) :: prif_coarray_handle
    private
    type(c_ptr) :: coarray
end type

type, bind(C) :: prif_team_type
    private
    integer(c_int64_t) :: name = 0
end type

abstract interface
    subroutine prif_stop_callback_interface(is_error_stop, quiet, stop_code_int, stop_code_char)
        import
        logical(c_bool), intent(in) :: is_error_stop, quiet
        integer(c_int), intent(in), optional :: stop_code_int
        character(len=*), intent(in), optional :: stop_code_char
    end subroutine
    subroutine prif_operation_wrapper_interface(arg1, arg2_and_out, count, cdata) bind(C)
        import
        type(c_ptr), intent(in), value :: arg1, arg2_and_out
        integer(c_size_t), intent(in), value :: count
        type(c_ptr), intent(in), value :: cdata
    end subroutine
    subroutine prif_coarray_cleanup_interface(handle) bind(C)
        import
        type(prif_coarray_handle), intent(in), value :: handle
    end subroutine
end interface

include 'startup.inc'
include 'images.inc'
include 'storage.inc'
include 'cobounds.inc'
include 'access.inc'
include 'strided.inc'
include 'teams.inc'
include 'control.inc'
include 'atomics.inc'
include 'collectives.inc'
end module
