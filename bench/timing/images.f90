!> How the images of a coarray benchmark start, agree and end.
module images
    use timing
    implicit none
    private
    public :: start_images, end_images

contains

    !> least: the number of images that the program needs, by default 2.
    subroutine start_images(least)
        integer, intent(in), optional :: least
        integer :: needed
        needed = 2
        if (present(least)) needed = least
        call start_timing(this_image(), num_images(), agree)
        if (num_images() < needed) error stop 'this benchmark needs 2 images or more'
    end subroutine

    integer function agree(value)
        integer, intent(in) :: value
        integer, save :: box[*]  ! local, because gfortran 15 cannot compile it in the module
        box = value
        sync all
        agree = box[1]
        sync all
    end function

    subroutine end_images()
        call end_timing()
        if (bench%errors > 0) error stop 1
    end subroutine
end module
