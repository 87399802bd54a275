! run: cafrun -n 4 ./hello_caf
! prints: image 1 heard from image 4
! A first program: it runs as several images, and each image reads and writes the coarrays of the others.
program hello_caf
    implicit none
    integer :: box[*]       ! one on every image: box is this image's, box[3] is that of image 3
    integer :: me, right

    me = this_image()
    right = mod(me, num_images()) + 1
    box[right] = me         ! a put: stored in the memory of the image to the right
    sync all                ! every image has reached this statement, and all puts have arrived
    print '(a,i0,a,i0)', 'image ', me, ' heard from image ', box
end program
