!> How the images of a benchmark that calls the module prif start, agree and end.
module prif_images
    use, intrinsic :: iso_c_binding, only: c_bool, c_int, c_int64_t, c_size_t, c_ptr
    use prif
    use timing
    implicit none
    private
    public :: start_images, end_images, allocate_bytes

contains

    subroutine start_images
        integer(c_int) :: me, images, state
        call prif_init(state)
        if (state /= 0) error stop 'prif_init'
        call prif_this_image_no_coarray(this_image=me)
        call prif_num_images(images)
        call start_timing(me, images, agree)
        if (images < 2) error stop 'this benchmark needs 2 images or more'
    end subroutine

    integer function agree(value)
        integer, intent(in) :: value
        integer :: copy
        copy = value
        call prif_sync_all
        call prif_co_broadcast(copy, 1)
        call prif_sync_all
        agree = copy
    end function

    !> A coarray of bytes with the cobounds [*].
    subroutine allocate_bytes(bytes, handle, memory)
        integer, intent(in) :: bytes
        type(prif_coarray_handle), intent(out) :: handle
        type(c_ptr), intent(out) :: memory
        procedure(prif_coarray_cleanup_interface), pointer :: none
        integer(c_int64_t) :: upper(0)
        none => null()
        call prif_allocate_coarray([1_c_int64_t], upper, int(bytes, c_size_t), none, handle, memory)
    end subroutine

    subroutine end_images
        call end_timing
        if (bench%errors > 0) call prif_error_stop(.true._c_bool, 1_c_int)
        call prif_stop(.true._c_bool)
    end subroutine
end module
