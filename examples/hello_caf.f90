! run: cafrun -n 4 ./hello_caf
! prints: image 1 heard from image 4
! Coarrays from the beginning: the same program runs as several images, and each reads and writes the others' coarrays.
program hello_caf
    implicit none
    integer :: box[*]       ! one on every image: box is this image's, box[3] is that of image 3
    integer :: me, right

    me = this_image()
    right = mod(me, num_images()) + 1
    box[right] = me         ! a put: stored in the memory of the image to the right
    sync all                ! every image is here, and all puts have arrived
    print '(a,i0,a,i0)', 'image ', me, ' heard from image ', box
end program
