! The module prif for LFortran, which calls its procedures by LFortran's own rules: compiled by LFortran, they pass the
! calls on to libprif_copal. These are the procedures that LFortran 0.67 calls, and lcompilers_prif_start, which later
! versions call first. LFortran passes no optional text to a BIND(C) procedure rightly, so each call has a text here.
module prif
use, intrinsic :: iso_c_binding, only: c_bool, c_char, c_int, c_int8_t, c_int64_t, c_loc, c_null_ptr, c_ptr, c_size_t
implicit none
private :: descriptor, text_of, copy_of, copy_of_text, place, tell, said

integer(c_int), parameter :: PRIF_STAT_ALREADY_INIT = 302    ! as in prif.h

type, bind(C) :: prif_coarray_handle
    type(c_ptr) :: info
end type

type, bind(C) :: prif_team_type
    integer(c_int64_t) :: name
end type

! As descriptor.h has it.
type, bind(C) :: descriptor
    type(c_ptr) :: base
    integer(c_size_t) :: bytes
    integer(c_int) :: version
    integer(c_int8_t) :: rank, kind, attribute, extra
    integer(c_size_t) :: dim(3, 15)
end type

character(len=400), target :: said

abstract interface
    subroutine prif_coarray_cleanup_interface(handle) bind(C)
        import
        type(prif_coarray_handle), intent(in), value :: handle
    end subroutine
end interface

interface
    subroutine c_init(exit_code) bind(C, name='prif_init')
        import
        integer(c_int), intent(out) :: exit_code
    end subroutine
    subroutine c_stop(quiet, code, words, length) bind(C, name='prif_stop')
        import
        logical(c_bool), intent(in) :: quiet
        type(c_ptr), intent(in), value :: code, words
        integer(c_size_t), intent(in), value :: length
    end subroutine
    subroutine c_num_images(num_images) bind(C, name='prif_num_images')
        import
        integer(c_int), intent(out) :: num_images
    end subroutine
    subroutine c_this_image(team, this_image) bind(C, name='prif_this_image_no_coarray')
        import
        type(c_ptr), intent(in), value :: team
        integer(c_int), intent(out) :: this_image
    end subroutine
    subroutine c_allocate(lower, upper, bytes, final_proc, handle, memory, stat, errmsg, errmsg_alloc) &
        bind(C, name='prif_allocate_coarray')
        import
        integer(c_int64_t), intent(in) :: lower(:), upper(:)
        integer(c_size_t), intent(in) :: bytes
        type(c_ptr), intent(in), value :: final_proc, stat, errmsg_alloc
        type(prif_coarray_handle), intent(out) :: handle
        type(c_ptr), intent(out) :: memory
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_deallocate(handle, stat, errmsg, errmsg_alloc) bind(C, name='prif_deallocate_coarray')
        import
        type(prif_coarray_handle), intent(in) :: handle
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_put(image, handle, offset, buffer, bytes, stat, errmsg, errmsg_alloc) bind(C, name='prif_put')
        import
        integer(c_int), intent(in) :: image
        type(prif_coarray_handle), intent(in) :: handle
        integer(c_size_t), intent(in) :: offset, bytes
        type(c_ptr), intent(in) :: buffer
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_get(image, handle, offset, buffer, bytes, stat, errmsg, errmsg_alloc) bind(C, name='prif_get')
        import
        integer(c_int), intent(in) :: image
        type(prif_coarray_handle), intent(in) :: handle
        integer(c_size_t), intent(in) :: offset, bytes
        type(c_ptr), intent(in) :: buffer
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_index(handle, sub, image, stat) bind(C, name='prif_initial_team_index')
        import
        type(prif_coarray_handle), intent(in) :: handle
        integer(c_int64_t), intent(in) :: sub(:)
        integer(c_int), intent(out) :: image
        type(c_ptr), intent(in), value :: stat
    end subroutine
    subroutine c_lower(handle, dim, bound) bind(C, name='prif_lcobound_with_dim')
        import
        type(prif_coarray_handle), intent(in) :: handle
        integer(c_int), intent(in) :: dim
        integer(c_int64_t), intent(out) :: bound
    end subroutine
    subroutine c_upper(handle, dim, bound) bind(C, name='prif_ucobound_with_dim')
        import
        type(prif_coarray_handle), intent(in) :: handle
        integer(c_int), intent(in) :: dim
        integer(c_int64_t), intent(out) :: bound
    end subroutine
    subroutine c_lowers(handle, bounds) bind(C, name='prif_lcobound_no_dim')
        import
        type(prif_coarray_handle), intent(in) :: handle
        integer(c_int64_t), intent(out) :: bounds(:)
    end subroutine
    subroutine c_uppers(handle, bounds) bind(C, name='prif_ucobound_no_dim')
        import
        type(prif_coarray_handle), intent(in) :: handle
        integer(c_int64_t), intent(out) :: bounds(:)
    end subroutine
    subroutine c_coshape(handle, sizes) bind(C, name='prif_coshape')
        import
        type(prif_coarray_handle), intent(in) :: handle
        integer(c_int64_t), intent(out) :: sizes(:)
    end subroutine
    subroutine c_sync_all(stat, errmsg, errmsg_alloc) bind(C, name='prif_sync_all')
        import
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_sync_memory(stat, errmsg, errmsg_alloc) bind(C, name='prif_sync_memory')
        import
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_sync_images(images, stat, errmsg, errmsg_alloc) bind(C, name='prif_sync_images')
        import
        integer(c_int), intent(in) :: images(:)
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_sync_with_all(images, stat, errmsg, errmsg_alloc) bind(C, name='prif_sync_images')
        import
        type(c_ptr), intent(in), value :: images, stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_sync_team(team, stat, errmsg, errmsg_alloc) bind(C, name='prif_sync_team')
        import
        type(prif_team_type), intent(in) :: team
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_form_team(number, team, new_index, stat, errmsg, errmsg_alloc) bind(C, name='prif_form_team')
        import
        integer(c_int64_t), intent(in) :: number
        type(prif_team_type), intent(out) :: team
        type(c_ptr), intent(in), value :: new_index, stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_change_team(team, stat, errmsg, errmsg_alloc) bind(C, name='prif_change_team')
        import
        type(prif_team_type), intent(in) :: team
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_end_team(stat, errmsg, errmsg_alloc) bind(C, name='prif_end_team')
        import
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_sum(a, result_image, stat, errmsg, errmsg_alloc) bind(C, name='prif_co_sum')
        import
        type(descriptor), intent(in) :: a
        type(c_ptr), intent(in), value :: result_image, stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_max(a, result_image, stat, errmsg, errmsg_alloc) bind(C, name='prif_co_max')
        import
        type(descriptor), intent(in) :: a
        type(c_ptr), intent(in), value :: result_image, stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_min(a, result_image, stat, errmsg, errmsg_alloc) bind(C, name='prif_co_min')
        import
        type(descriptor), intent(in) :: a
        type(c_ptr), intent(in), value :: result_image, stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_broadcast(a, source_image, stat, errmsg, errmsg_alloc) bind(C, name='prif_co_broadcast')
        import
        type(descriptor), intent(in) :: a
        integer(c_int), intent(in) :: source_image
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    subroutine c_broadcast_cptr(a_ptr, bytes, source_image, stat, errmsg, errmsg_alloc) &
        bind(C, name='prif_co_broadcast_cptr')
        import
        type(c_ptr), intent(in) :: a_ptr
        integer(c_size_t), intent(in) :: bytes
        integer(c_int), intent(in) :: source_image
        type(c_ptr), intent(in), value :: stat, errmsg_alloc
        type(descriptor), intent(in) :: errmsg
    end subroutine
    ! What a BIND(C) procedure gets of a is a descriptor without dimensions, which the other two add.
    subroutine copy_of(to, a, bytes) bind(C, name='memcpy')
        import
        type(descriptor), intent(out) :: to
        type(*), intent(in), target :: a(..)
        integer(c_size_t), intent(in), value :: bytes
    end subroutine
    subroutine copy_of_text(to, a, bytes) bind(C, name='memcpy')
        import
        type(descriptor), intent(out) :: to
        character(len=*, kind=c_char), intent(in), target :: a(..)
        integer(c_size_t), intent(in), value :: bytes
    end subroutine
    subroutine copal_lfortran_array(to, a, elements)
        import
        type(descriptor), intent(inout) :: to
        type(*), intent(in), target :: a(..)
        integer(c_int64_t), intent(in) :: elements
    end subroutine
    subroutine copal_lfortran_text(to, a, elements)
        import
        type(descriptor), intent(inout) :: to
        character(len=*, kind=c_char), intent(in), target :: a(..)
        integer(c_int64_t), intent(in) :: elements
    end subroutine
end interface

contains

! --- optional arguments ---------------------------------------------------------------------------------------------

type(c_ptr) function place(argument)
    integer(c_int), intent(in), optional, target :: argument
    place = c_null_ptr
    if (present(argument)) place = c_loc(argument)
end function

type(descriptor) function text_of()
    text_of%base = c_loc(said)
    text_of%bytes = len(said)
    text_of%version = 1
    text_of%rank = 0
end function

subroutine tell(stat, errmsg, errmsg_alloc)
    integer(c_int), intent(in), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    if (.not. present(stat)) return
    if (stat == 0) return
    if (present(errmsg)) errmsg = said
    if (present(errmsg_alloc)) errmsg_alloc = trim(said)
end subroutine

! --- beginning and end, images --------------------------------------------------------------------------------------

subroutine prif_init(stat)
    integer(c_int), intent(out) :: stat
    call c_init(stat)
end subroutine

subroutine prif_stop(quiet, stop_code_int, stop_code_char)
    logical(c_bool), intent(in) :: quiet
    integer(c_int), intent(in), optional, target :: stop_code_int
    character(len=*), intent(in), optional, target :: stop_code_char
    if (present(stop_code_char)) then
        call c_stop(quiet, c_null_ptr, c_loc(stop_code_char), int(len(stop_code_char), c_size_t))
    else
        call c_stop(quiet, place(stop_code_int), c_null_ptr, 0_c_size_t)
    end if
end subroutine

subroutine prif_num_images(num_images)
    integer(c_int), intent(out) :: num_images
    call c_num_images(num_images)
end subroutine

subroutine prif_this_image_no_coarray(team, this_image)
    type(prif_team_type), intent(in), optional, target :: team
    integer(c_int), intent(out) :: this_image
    if (present(team)) then
        call c_this_image(c_loc(team), this_image)
    else
        call c_this_image(c_null_ptr, this_image)
    end if
end subroutine

! --- coarrays -------------------------------------------------------------------------------------------------------

subroutine prif_allocate_coarray(lcobounds, ucobounds, size_in_bytes, final_proc, coarray_handle, allocated_memory, &
    stat, errmsg, errmsg_alloc)
    integer(c_int64_t), intent(in) :: lcobounds(:), ucobounds(:)
    integer(c_size_t), intent(in) :: size_in_bytes
    procedure(prif_coarray_cleanup_interface), intent(in), pointer :: final_proc    ! LFortran gives none
    type(prif_coarray_handle), intent(out) :: coarray_handle
    type(c_ptr), intent(out) :: allocated_memory
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    call c_allocate(lcobounds, ucobounds, size_in_bytes, c_null_ptr, coarray_handle, allocated_memory, &
        place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_deallocate_coarray(coarray_handle, stat, errmsg, errmsg_alloc)
    type(prif_coarray_handle), intent(in) :: coarray_handle
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    call c_deallocate(coarray_handle, place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_put(image_num, coarray_handle, offset, current_image_buffer, size_in_bytes, stat, errmsg, errmsg_alloc)
    integer(c_int), intent(in) :: image_num
    type(prif_coarray_handle), intent(in) :: coarray_handle
    integer(c_size_t), intent(in) :: offset, size_in_bytes
    type(c_ptr), intent(in) :: current_image_buffer
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    type(c_ptr) :: buffer
    buffer = current_image_buffer
    call c_put(image_num, coarray_handle, offset, buffer, size_in_bytes, place(stat), text_of(), &
        c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_get(image_num, coarray_handle, offset, current_image_buffer, size_in_bytes, stat, errmsg, errmsg_alloc)
    integer(c_int), intent(in) :: image_num
    type(prif_coarray_handle), intent(in) :: coarray_handle
    integer(c_size_t), intent(in) :: offset, size_in_bytes
    type(c_ptr), intent(in) :: current_image_buffer
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    type(c_ptr) :: buffer
    buffer = current_image_buffer
    call c_get(image_num, coarray_handle, offset, buffer, size_in_bytes, place(stat), text_of(), &
        c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_initial_team_index(coarray_handle, sub, initial_team_index, stat)
    type(prif_coarray_handle), intent(in) :: coarray_handle
    integer(c_int64_t), intent(in) :: sub(:)
    integer(c_int), intent(out) :: initial_team_index
    integer(c_int), intent(out), optional :: stat
    call c_index(coarray_handle, sub, initial_team_index, place(stat))
end subroutine

subroutine prif_lcobound_with_dim(coarray_handle, dim, lcobound)
    type(prif_coarray_handle), intent(in) :: coarray_handle
    integer(c_int), intent(in) :: dim
    integer(c_int64_t), intent(out) :: lcobound
    call c_lower(coarray_handle, dim, lcobound)
end subroutine

subroutine prif_ucobound_with_dim(coarray_handle, dim, ucobound)
    type(prif_coarray_handle), intent(in) :: coarray_handle
    integer(c_int), intent(in) :: dim
    integer(c_int64_t), intent(out) :: ucobound
    call c_upper(coarray_handle, dim, ucobound)
end subroutine

subroutine prif_lcobound_no_dim(coarray_handle, lcobounds)
    type(prif_coarray_handle), intent(in) :: coarray_handle
    integer(c_int64_t), intent(out) :: lcobounds(:)
    call c_lowers(coarray_handle, lcobounds)
end subroutine

subroutine prif_ucobound_no_dim(coarray_handle, ucobounds)
    type(prif_coarray_handle), intent(in) :: coarray_handle
    integer(c_int64_t), intent(out) :: ucobounds(:)
    call c_uppers(coarray_handle, ucobounds)
end subroutine

subroutine prif_coshape(coarray_handle, sizes)
    type(prif_coarray_handle), intent(in) :: coarray_handle
    integer(c_int64_t), intent(out) :: sizes(:)
    call c_coshape(coarray_handle, sizes)
end subroutine

! --- synchronization, teams -----------------------------------------------------------------------------------------

subroutine prif_sync_all(stat, errmsg, errmsg_alloc)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    call c_sync_all(place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_sync_memory(stat, errmsg, errmsg_alloc)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    call c_sync_memory(place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_sync_images(image_set, stat, errmsg, errmsg_alloc)
    integer(c_int), intent(in), optional :: image_set(:)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    if (present(image_set)) then
        call c_sync_images(image_set, place(stat), text_of(), c_null_ptr)
    else
        call c_sync_with_all(c_null_ptr, place(stat), text_of(), c_null_ptr)
    end if
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_sync_team(team, stat, errmsg, errmsg_alloc)
    type(prif_team_type), intent(in) :: team
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    call c_sync_team(team, place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_form_team(team_number, team, new_index, stat, errmsg, errmsg_alloc)
    integer(c_int64_t), intent(in) :: team_number
    type(prif_team_type), intent(out) :: team
    integer(c_int), intent(in), optional :: new_index
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    call c_form_team(team_number, team, place(new_index), place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_change_team(team, stat, errmsg, errmsg_alloc)
    type(prif_team_type), intent(in) :: team
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    call c_change_team(team, place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_end_team(stat, errmsg, errmsg_alloc)
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    call c_end_team(place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

! --- collective subroutines -----------------------------------------------------------------------------------------

subroutine prif_co_sum(a, result_image, stat, errmsg, errmsg_alloc)
    type(*), intent(inout), target :: a(..)
    integer(c_int), intent(in), optional :: result_image
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    type(descriptor) :: d
    call copy_of(d, a, 24_c_size_t)
    call copal_lfortran_array(d, a, int(size(a), c_int64_t))
    call c_sum(d, place(result_image), place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_co_max(a, result_image, stat, errmsg, errmsg_alloc)
    type(*), intent(inout), target :: a(..)
    integer(c_int), intent(in), optional :: result_image
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    type(descriptor) :: d
    call copy_of(d, a, 24_c_size_t)
    call copal_lfortran_array(d, a, int(size(a), c_int64_t))
    call c_max(d, place(result_image), place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_co_min(a, result_image, stat, errmsg, errmsg_alloc)
    type(*), intent(inout), target :: a(..)
    integer(c_int), intent(in), optional :: result_image
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    type(descriptor) :: d
    call copy_of(d, a, 24_c_size_t)
    call copal_lfortran_array(d, a, int(size(a), c_int64_t))
    call c_min(d, place(result_image), place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_co_max_character(a, result_image, stat, errmsg, errmsg_alloc)
    character(len=*, kind=c_char), intent(inout), target :: a(..)
    integer(c_int), intent(in), optional :: result_image
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    type(descriptor) :: d
    call copy_of_text(d, a, 24_c_size_t)
    d%bytes = len(a)
    call copal_lfortran_text(d, a, int(size(a), c_int64_t))
    call c_max(d, place(result_image), place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_co_min_character(a, result_image, stat, errmsg, errmsg_alloc)
    character(len=*, kind=c_char), intent(inout), target :: a(..)
    integer(c_int), intent(in), optional :: result_image
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    type(descriptor) :: d
    call copy_of_text(d, a, 24_c_size_t)
    d%bytes = len(a)
    call copal_lfortran_text(d, a, int(size(a), c_int64_t))
    call c_min(d, place(result_image), place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_co_broadcast(a, source_image, stat, errmsg, errmsg_alloc)
    type(*), intent(inout), target :: a(..)
    integer(c_int), intent(in) :: source_image
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    type(descriptor) :: d
    call copy_of(d, a, 24_c_size_t)
    call copal_lfortran_array(d, a, int(size(a), c_int64_t))
    call c_broadcast(d, source_image, place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

subroutine prif_co_broadcast_cptr(a_ptr, size_in_bytes, source_image, stat, errmsg, errmsg_alloc)
    type(c_ptr), intent(in) :: a_ptr
    integer(c_size_t), intent(in) :: size_in_bytes
    integer(c_int), intent(in) :: source_image
    integer(c_int), intent(out), optional :: stat
    character(len=*), intent(inout), optional :: errmsg
    character(len=:), intent(inout), allocatable, optional :: errmsg_alloc
    type(c_ptr) :: buffer
    buffer = a_ptr
    call c_broadcast_cptr(buffer, size_in_bytes, source_image, place(stat), text_of(), c_null_ptr)
    call tell(stat, errmsg, errmsg_alloc)
end subroutine

end module

subroutine lcompilers_prif_start(stat) bind(C, name='lcompilers_prif_start')
    use, intrinsic :: iso_c_binding, only: c_int
    use prif, only: prif_init, prif_stat_already_init
    implicit none
    integer(c_int), intent(out) :: stat
    call prif_init(stat)
    if (stat == prif_stat_already_init) stat = 0
end subroutine
