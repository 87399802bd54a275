! feature: h1 fail image, failed_images, image_status
use, intrinsic :: iso_fortran_env
integer :: code
integer, allocatable :: failed(:)
if (this_image() == 2) fail image
do
    sync all (stat=code)
    if (code /= 0) exit
end do
if (code /= stat_failed_image) error stop 1
failed = failed_images()
if (size(failed) /= 1) error stop 2
if (failed(1) /= 2 .or. image_status(2) /= stat_failed_image) error stop 3
end
