! images: 4
! flags: -fdefault-integer-8
! Lists of images with default integers of 8 bytes.
program default_kind
    use, intrinsic :: iso_fortran_env, only: stat_failed_image
    use check_m, only: check, check_end
    implicit none
    integer, allocatable :: failed(:)
    integer :: code
    if (this_image() == 2 .or. this_image() == 3) fail image
    do
        sync all (stat=code)
        if (image_status(2) == stat_failed_image .and. image_status(3) == stat_failed_image) exit
    end do
    failed = failed_images()
    call check(int(size(failed), 4), 2_4, 'number of failed images')
    call check(logical(all(failed == [2, 3]), 4), 'the failed images')
    call check(int(sum(failed_images()), 4), 5_4, 'sum of a list')
    call check(int(maxval(failed_images(kind=4)), 4), 3_4, 'a list of another kind')
    call check(int(size(stopped_images()), 4), 0_4, 'number of stopped images')
    call check_end(survivors=.true._4)
end program
